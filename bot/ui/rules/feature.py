"""The rules: `/kems rules`, and `/kems-admin rules save | list | delete` for the sets that a server keeps."""

from dataclasses import dataclass
from typing import Final

import discord
from discord.app_commands import Choice, Range

from bot.discord.api.components import GREEN, confirmation, danger, layout, text
from bot.discord.api.custom_ids import NO_TABLE, Press, make_id
from bot.discord.api.interactions import RefusedError, guild_id_of, texts_of
from bot.discord.api.patience import continue_when_slow
from bot.discord.api.responses import follow_up, reply, reply_panel
from bot.discord.interactions.admission.allowances import FREE, Verb
from bot.discord.interactions.admission.rights import check_manages_server
from bot.discord.interactions.feature import CommandSet, Feature, command
from bot.discord.interactions.rooms import Rooms
from bot.discord.text.names import clean, escape_markdown
from bot.discord.text.texts import mark
from bot.game.rules.house_rules import MAX_LINE, MAX_NAME, name_key
from bot.game.rules.presets import CLASSIC
from bot.game.value import stamp
from bot.tables.directory import TableDirectory
from bot.tables.lobby.lobby import Status
from bot.tables.lobby.refusals import LobbyCode
from bot.tables.servers.settings import MAX_SETS, RuleBook, RuleSet
from bot.ui.rules.editor import RulesPresses, find_rules, offer_rules, offer_sets
from bot.ui.rules.panels import rules_panels
from bot.ui.rules.verbs import RulesVerb

_UNKNOWN: Final = mark("This server has no saved rules named “{name}”.")
_LINE_LISTED: Final = 70  # characters of a set's line, so that all sets fit one message


@dataclass(eq=False, repr=False)
class RulesCommands(CommandSet):
    """`/kems rules`; `/kems-admin rules …`: the server's own rules, and the button that deletes a set."""

    verbs = frozenset[Verb]({RulesVerb.RULES_DELETE})

    _directory: TableDirectory
    _book: RuleBook

    @command(
        "rules",
        mark("Read the rules"),
        allowance=FREE,
        options={"name": (mark("preset"), mark("Which rules (those of the table here, else classic)"))},
    )
    async def rules(self, interaction: discord.Interaction, name: Range[str, 1, MAX_LINE] | None = None) -> None:
        """Explain a preset, or the rules of the table in this channel; very long rules take a second message."""
        lobby, texts = self._directory.lobby_in(interaction.channel_id or 0), texts_of(interaction)
        if name is None and lobby is not None:
            is_voted = lobby.vote.outcome is not None or lobby.status is Status.PLAYING
            strategies = lobby.strategies if is_voted else lobby.votable
            panels = rules_panels(lobby.rules, texts, lobby.rule_set, strategies, is_voted=is_voted)
        else:
            rules, rule_set = await find_rules(self._book, interaction, name or CLASSIC.preset)
            panels = rules_panels(rules, texts, rule_set)
        await reply_panel(interaction, panels[0])
        for panel in panels[1:]:
            await follow_up(interaction, panel)

    @rules.autocomplete("name")
    async def offer(self, interaction: discord.Interaction, current: str) -> list[Choice[str]]:
        """Suggest presets and the server's sets."""
        return await offer_rules(self._book, interaction, current)

    @command(
        "rules_save",
        mark("Save rules under a name"),
        allowance=FREE,
        options={
            "name": (mark("name"), mark("The name for opening a table with these rules")),
            "line": (mark("text"), mark("A line such as: classic target=12 (the rules of the table here)")),
        },
    )
    async def save(
        self,
        interaction: discord.Interaction,
        name: Range[str, 1, MAX_NAME],
        line: Range[str, 1, MAX_LINE] | None = None,
    ) -> None:
        """Save a line of rules, or those of the table in this channel; they replace a set with the same name.

        Raises:
            RefusedError: There is no table here and no line, or the server has too many sets.
            RulesError: The line is wrong.
        """
        t = texts_of(interaction).t
        if line is not None:
            rules = self._book.read(line)
        elif (lobby := self._directory.lobby_in(interaction.channel_id or 0)) is not None:
            rules = lobby.rules
        else:
            raise RefusedError(t("There is no table in this channel: give the rules as text."))
        guild_id, written = guild_id_of(interaction), clean(name, MAX_NAME)
        former = await self._kept(guild_id, written)
        kept = await continue_when_slow(self._book.save(guild_id, written, rules))
        if kept is None:
            raise RefusedError(
                t("This server has {most} sets of saved rules already: delete one first.", most=MAX_SETS)
            )
        values = {"name": escape_markdown(kept.name, MAX_NAME), "line": kept.line}
        sentence = t("Saved as “{name}”: `{line}`", **values)
        if former is not None and former.line != kept.line:
            sentence = t("Saved as “{name}”: `{line}`, in place of `{former}`", **values, former=former.line)
        await reply(interaction, sentence)

    @command("rules_list", mark("List this server's saved rules"), allowance=FREE)
    async def list_all(self, interaction: discord.Interaction) -> None:
        """List the server's sets, each as a line of rules."""
        t = texts_of(interaction).t
        kept = await continue_when_slow(self._book.sets(guild_id_of(interaction)))
        lines = [
            f"**{escape_markdown(rule_set.name, MAX_NAME)}** — `{clean(rule_set.line, _LINE_LISTED)}`"
            for rule_set in kept
        ]
        heading = "## " + t("This server's saved rules")
        panel = layout(text(heading), text(*lines or [t("This server has no saved rules yet.")]), colour=GREEN)
        await reply_panel(interaction, panel)

    @command(
        "rules_delete",
        mark("Delete saved rules"),
        allowance=FREE,
        options={"name": (mark("name"), mark("Which of them"))},
    )
    async def delete(self, interaction: discord.Interaction, name: Range[str, 1, MAX_NAME]) -> None:
        """Ask to confirm the deletion of a set; tables that play by it are not affected."""
        await self._delete(interaction, name)

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        """Delete a set once the presser has confirmed it."""
        check_manages_server(interaction)
        seen, _, name = press.arg.partition(":")
        await self._delete(interaction, name, seen)

    async def _delete(self, interaction: discord.Interaction, name: str, seen: str | None = None) -> None:
        """Delete the rules that have the stamp `seen`; ask before, and again if the name belongs to others by now.

        Raises:
            RefusedError: There is no set of that name.
        """
        t, guild_id = texts_of(interaction).t, guild_id_of(interaction)
        kept, written = await self._kept(guild_id, name), escape_markdown(name, MAX_NAME)
        if kept is None:
            raise RefusedError(t(_UNKNOWN, name=written))
        if seen == stamp(kept.line) and await continue_when_slow(self._book.delete(guild_id, kept)):
            await reply_panel(interaction, layout(text(t("“{name}” is deleted.", name=written))))
            return
        news = None if seen is None else t(LobbyCode.CHANGED_MEANWHILE)
        cost = t("No more tables can be opened with these rules; tables already playing go on. This cannot be undone.")
        yes = danger(
            t("Delete the rules"), make_id(NO_TABLE, RulesVerb.RULES_DELETE, f"{stamp(kept.line)}:{kept.name}")
        )
        question = t("Delete “{name}”?", name=escape_markdown(kept.name, MAX_NAME))
        await reply_panel(interaction, confirmation(question, (news, f"`{clean(kept.line, MAX_LINE)}`", cost), yes))

    async def _kept(self, guild_id: int, name: str) -> RuleSet | None:
        """Return the set of that name, in any spelling."""
        sets = await continue_when_slow(self._book.sets(guild_id))
        return next((kept for kept in sets if name_key(kept.name) == name_key(name)), None)

    @delete.autocomplete("name")
    async def offer_kept(self, interaction: discord.Interaction, current: str) -> list[Choice[str]]:
        """Suggest the server's sets."""
        return await offer_sets(self._book, interaction, current)


def rules_feature(rooms: Rooms, *, back: str) -> Feature:
    """Return the rules and their editor as a feature; `back` is the verb of a table's settings."""
    rules = RulesCommands(rooms.directory, rooms.book)
    return Feature(presses=(RulesPresses(rooms.directory, rooms.book, back), rules), commands=rules.commands)
