"""The rules of a table in one line, and whether its match is ranked."""

from collections.abc import Mapping
from typing import Final

from bot.game.cards import DECKS
from bot.game.rules.house_rules import house_rules, options_taken
from bot.game.rules.line import MAX_NAME
from bot.game.rules.rules import EndsAt, Rules
from bot.ladder.eligibility import Eligibility
from bot.tables.lobby.lobby import Lobby
from bot.ui.kit.names import defuse
from bot.ui.kit.texts import Texts, mark
from bot.ui.words.rule_names import LEVEL_NAMES, preset_name, rule_words

MAX_RULES: Final = 200  # characters of house rules that are shown
_OWN_WORDS: Final = frozenset({"deck", "target", "rounds", "ends_at"})  # said in words already
_RANKS: Final = {
    Eligibility.RANKED: mark("ranked"),
    Eligibility.NO_SEASON: mark("friendly (between seasons)"),
    Eligibility.PRESET: mark("friendly (these rules are not ranked here)"),
    Eligibility.HOUSE_RULES: mark("friendly"),  # the house rules stand beside it
    Eligibility.OPTIONS: mark("friendly (ranked tables play without options)"),
    Eligibility.SIGN_NOT_REQUIRED: mark("friendly (ranked tables require the sign)"),
    Eligibility.SIGN_REQUIRED: mark("friendly (ranked tables do not require the sign)"),
    Eligibility.NO_PARTNERS: mark("friendly (nobody has a partner)"),
    Eligibility.ROBOTS: mark("friendly (with robots)"),
}


def rules_line(rules: Rules, texts: Texts, rule_set: str | None = None, rank: str | None = None) -> str:
    """The rules in short: `Classic · 32 cards · 10 points · ranked`, and whether they are anything but the preset.

    `rule_set` is the name under which the server keeps them.
    """
    end = rules.end
    words = [preset_name(rules.preset, texts), texts.n("{count} card", "{count} cards", len(DECKS[rules.deal.deck]))]
    if end.ends_at is EndsAt.ROUNDS:
        words.append(texts.n("{count} round", "{count} rounds", end.rounds))
    else:
        words.append(texts.n("{count} point", "{count} points", end.target))
    if rank is not None:
        words.append(rank)
    if rule_set is not None:
        words.append(texts.t("“{name}”", name=defuse(rule_set, MAX_NAME)))
    if chosen := _told(options_taken(rules), texts):
        words.append(texts.t("options: {rules}", rules=defuse(chosen, MAX_RULES)))
    if changed := house_rules(rules):
        told = _told(changed, texts)
        words.append(texts.t("house rules: {rules}", rules=defuse(told, MAX_RULES)) if told else texts.t("house rules"))
    return " · ".join(words)


def lobby_line(lobby: Lobby, texts: Texts) -> str:
    """The rules of a table in short, whether its match is ranked, and before it starts, why it is not.

    With robots also how well they play.
    """
    if lobby.is_ranked is None:
        rank = rank_words(lobby.eligibility, texts)
    else:
        rank = texts.t("ranked") if lobby.is_ranked else texts.t("friendly")
    line = rules_line(lobby.rules, texts, lobby.rule_set, rank)
    if not lobby.robot_seats():
        return line
    return f"{line} · " + texts.t("robots: {level}", level=texts.t(LEVEL_NAMES[lobby.robot_level]))


def rank_words(verdict: Eligibility, texts: Texts) -> str:
    return texts.t(_RANKS[verdict])


def _told(changed: Mapping[str, str], texts: Texts) -> str:
    """Changes of the rules, but those that the line says already."""
    return ", ".join(rule_words(name, value, texts) for name, value in changed.items() if name not in _OWN_WORDS)
