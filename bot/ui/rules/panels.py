"""The messages that show one reader the rules, and how to play."""

from collections.abc import Collection, Sequence

from bot.discord.api.components import GREEN, MAX_TEXT, Layout, layout, text, text_length
from bot.discord.text.texts import Texts
from bot.game.rules.rules import Rules
from bot.game.signs import Strategy
from bot.ui.words.rule_names import rules_line
from bot.ui.words.rules_text import explain, titled_lists
from bot.ui.words.signs import sign_groups
from bot.ui.words.table_text import double_name


def rules_panel(
    rules: Rules, texts: Texts, rule_set: str | None = None, notice: str | None = None, *, more: Sequence[str] = ()
) -> Layout:
    """Return the rules for one reader.

    Args:
        rules: The rules.
        texts: The reader's texts.
        rule_set: The name under which the server keeps them.
        notice: A sentence above them.
        more: Further lines below them.
    """
    heading = "## " + texts.t("📖 The rules")
    parts = [text(notice, heading, "-# " + rules_line(rules, texts, rule_set)), text(*explain(rules, texts))]
    return layout(*parts, *([text(*more)] if more else []), colour=GREEN)


def rules_panels(
    rules: Rules,
    texts: Texts,
    rule_set: str | None = None,
    strategies: Collection[Strategy] = (),
    *,
    is_voted: bool = False,
) -> list[Layout]:
    """Return the rules, including everything beyond one sign a team: one message, or two if that is too long.

    Args:
        rules: The rules.
        texts: The reader's texts.
        rule_set: The name under which the server keeps them.
        strategies: The strategies that a vote has allowed, or may allow.
        is_voted: Whether the vote is over.
    """
    lines = titled_lists(sign_groups(rules, strategies, texts, is_voted=is_voted))
    whole = rules_panel(rules, texts, rule_set, more=lines)
    if not lines or text_length(whole) <= MAX_TEXT:
        return [whole]
    return [rules_panel(rules, texts, rule_set), layout(text(*lines), colour=GREEN)]


def help_panel(rules: Rules, texts: Texts) -> Layout:
    """Return a short guide to the game by these rules."""
    t, double, counters = texts.t, double_name(rules, texts), rules.calls.counters
    aim = t("**Aim.** Someone on your team holds four of a kind, and a partner says “Kem's!”")
    if counters:
        aim = t(
            "**Aim.** Someone on your team holds four of a kind, and a partner says “Kem's!” before an opponent"
            " counters."
        )
    return layout(
        text("## " + t("How to play Kem's"), "-# " + rules_line(rules, texts)),
        text(
            aim,
            t("**Sign.** Your team agrees on a secret sign: an emoji or a few. Make it when you hold four of a kind:")
            + " "
            + t("react to the table message, use {/sign}, or tap it in your hand. Bluffs are welcome."),
            t("**Exchange.** No turns: put cards down, then take as many from the middle; first come, first served."),
            t("**Sweep.** When nobody wants a card, ask for a sweep: if all agree, four new cards are turned up."),
            t(
                "**Calls.** Kem's: your partner holds four of a kind. {double}: so do you.",
                double=double[:1].upper() + double[1:],
            )
            + (" " + t("Counter: an opponent holds them.") if counters else ""),
        ),
        colour=GREEN,
    )
