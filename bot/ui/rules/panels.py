"""The messages that show the rules to one reader."""

from collections.abc import Collection

from bot.game.rules import Rules
from bot.game.signs import Strategy
from bot.ui.kit.components import MAX_TEXT, Layout, Part, layout, text
from bot.ui.kit.layouts import text_length
from bot.ui.kit.palette import GREEN
from bot.ui.kit.texts import Texts
from bot.ui.words.rules_line import rules_line
from bot.ui.words.rules_text import explain, listed
from bot.ui.words.strategies import sign_groups


def rules_panel(rules: Rules, texts: Texts, rule_set: str | None = None, notice: str | None = None) -> Layout:
    """The rules for one reader; `rule_set` is the name under which the server keeps them."""
    return layout(*_rules(rules, texts, rule_set, notice), colour=GREEN)


def rules_panels(
    rules: Rules,
    texts: Texts,
    rule_set: str | None = None,
    strategies: Collection[Strategy] = (),
    *,
    is_voted: bool = False,
) -> list[Layout]:
    """The rules with all that goes beyond one sign for each team: one message, or two where that is too long.

    `strategies` are those that a vote has allowed, or else may allow.
    """
    lines = listed(sign_groups(rules, strategies, texts, is_voted=is_voted))
    if not lines:
        return [rules_panel(rules, texts, rule_set)]
    whole = layout(*_rules(rules, texts, rule_set), text(*lines), colour=GREEN)
    if text_length(whole) <= MAX_TEXT:
        return [whole]
    return [rules_panel(rules, texts, rule_set), layout(text(*lines), colour=GREEN)]


def _rules(rules: Rules, texts: Texts, rule_set: str | None, notice: str | None = None) -> list[Part]:
    heading = texts.t("📖 The rules")
    return [text(notice, f"## {heading}", "-# " + rules_line(rules, texts, rule_set)), text(*explain(rules, texts))]
