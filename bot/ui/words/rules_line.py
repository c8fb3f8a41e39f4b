"""The rules of a table in one line, and whether its match is ranked."""

from collections.abc import Mapping
from typing import Final

from bot.game.decks import DECKS
from bot.game.house_rules import house_rules, options_taken
from bot.game.rules import EndsAt, Rules
from bot.game.rules_line import MAX_NAME
from bot.ladder.eligibility import Eligibility
from bot.tables.lobby import Lobby
from bot.ui.kit.names import defuse
from bot.ui.kit.texts import Texts

MAX_RULES: Final = 200  # characters of house rules that are shown
_OWN_WORDS: Final = frozenset({"deck", "target", "rounds", "ends_at"})  # said in words already


def rules_line(rules: Rules, texts: Texts, rule_set: str | None = None, rank: str | None = None) -> str:
    """The rules in short: `classic · 32 cards · 10 points · ranked`, and whether they are anything but the preset.

    `rule_set` is the name under which the server keeps them.
    """
    end = rules.end
    words = [defuse(rules.preset), texts.n("{count} card", "{count} cards", len(DECKS[rules.deal.deck]))]
    if end.ends_at is EndsAt.ROUNDS:
        words.append(texts.n("{count} round", "{count} rounds", end.rounds))
    else:
        words.append(texts.n("{count} point", "{count} points", end.target))
    if rank is not None:
        words.append(rank)
    if rule_set is not None:
        words.append(texts.t("“{name}”", name=defuse(rule_set, MAX_NAME)))
    if chosen := _told(options_taken(rules)):
        words.append(texts.t("options: {rules}", rules=defuse(chosen, MAX_RULES)))
    if changed := house_rules(rules):
        told = _told(changed)
        words.append(texts.t("house rules: {rules}", rules=defuse(told, MAX_RULES)) if told else texts.t("house rules"))
    return " · ".join(words)


def lobby_line(lobby: Lobby, texts: Texts) -> str:
    """The same of a table, with whether its match is ranked, and as long as that may change, why not."""
    if lobby.is_ranked is None:
        rank = rank_words(lobby.eligibility, texts)
    else:
        rank = texts.t("ranked") if lobby.is_ranked else texts.t("friendly")
    return rules_line(lobby.rules, texts, lobby.rule_set, rank)


def rank_words(verdict: Eligibility, texts: Texts) -> str:
    """Whether a match is ranked, or why it is not, in the middle of a line."""
    t = texts.t
    match verdict:
        case Eligibility.RANKED:
            return t("ranked")
        case Eligibility.NO_SEASON:
            return t("friendly (between seasons)")
        case Eligibility.PRESET:
            return t("friendly (these rules are not ranked here)")
        case Eligibility.HOUSE_RULES:
            return t("friendly")  # the house rules stand beside it
        case Eligibility.OPTIONS:
            return t("friendly (ranked tables play without options)")
        case Eligibility.SIGN_NOT_REQUIRED:
            return t("friendly (ranked tables require the sign)")
        case Eligibility.SIGN_REQUIRED:
            return t("friendly (ranked tables do not require the sign)")
        case Eligibility.NO_PARTNERS:
            return t("friendly (nobody has a partner)")
        case Eligibility.ROBOTS:
            return t("friendly (with robots)")


def _told(changed: Mapping[str, str]) -> str:
    """Changes of the rules in their notation, but those that the line says in words already."""
    return ", ".join(f"{name}={value}" for name, value in changed.items() if name not in _OWN_WORDS)
