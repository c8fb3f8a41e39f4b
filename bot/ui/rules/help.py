"""How to play, in a few lines: the button for it stands on many messages."""

import discord

from bot.game.rules import Rules
from bot.tables.directory import TableDirectory
from bot.ui.kit.components import Layout, layout, text
from bot.ui.kit.custom_ids import Press
from bot.ui.kit.interactions import reader
from bot.ui.kit.palette import GREEN
from bot.ui.kit.prepared_view import PreparedView
from bot.ui.kit.texts import Texts
from bot.ui.rules.verbs import RulesVerb
from bot.ui.words.rules_line import rules_line
from bot.ui.words.table_text import double_name


class HelpPresses:
    """Answers the button for help, on any message."""

    verbs = frozenset({RulesVerb.HELP})

    def __init__(self, directory: TableDirectory, rules: Rules) -> None:
        """`rules` are explained where the button belongs to no table."""
        self._directory = directory
        self._rules = rules

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        """Explain the game by the rules of the table, if there is one."""
        lobby = self._directory.lobby(press.table_id)
        rules = self._rules if lobby is None else lobby.rules
        await interaction.response.send_message(
            view=PreparedView(help_panel(rules, reader(interaction))), ephemeral=True
        )


def help_panel(rules: Rules, texts: Texts) -> Layout:
    """How to play, by these rules."""
    t, double = texts.t, double_name(rules, texts)
    return layout(
        text("## " + t("How to play Kem's"), "-# " + rules_line(rules, texts)),
        text(
            t("**Aim.** One of your team holds four alike, and a partner says Kem's! before an opponent counters."),
            t("**Sign.** Your team agrees on a secret sign: an emoji or a few. Make it when you hold four alike:")
            + " "
            + t("react to the table message, use `/kems sign`, or tap it in your hand. Bluffs are welcome."),
            t("**Exchange.** No turns: put cards down, then take as many from the middle; first come, first served."),
            t("**Sweep.** When nobody wants a card, ask for a sweep: if all agree, four new cards are turned up."),
            t(
                "**Calls.** Kem's: your partner holds four alike. {double}: so do you.",
                double=double[:1].upper() + double[1:],
            )
            + " "
            + t("Counter: an opponent holds them."),
        ),
        colour=GREEN,
    )
