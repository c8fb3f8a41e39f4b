"""Short names for parts, axes and values of the rules; the rules of a table in one line, and whether it is ranked.

Also the rules of a league of game nights: how many nights count, and how many points each place brings.
"""

from collections.abc import Mapping
from typing import Final

from bot.discord.text.names import escape_markdown
from bot.discord.text.texts import LANGUAGES, Texts, mark, texts_for
from bot.game.cards import DECKS, DeckKind
from bot.game.rules import house_rules
from bot.game.rules.house_rules import MAX_NAME, name_key
from bot.game.rules.presets import PRESETS
from bot.game.rules.rules import AXES, PLAYERS, EndsAt, Rules
from bot.game.value import Choice
from bot.ladder.seasons import Eligibility, unranked_axes
from bot.records.league import Scale
from bot.robots.level import RobotLevel
from bot.tables.lobby.lobby import Lobby
from bot.tables.servers.settings import NO_LEAGUE, ServerSettings

PARTS: Final = {
    "seating": mark("Players and teams"),
    "deal": mark("Deck and deal"),
    "exchange": mark("Exchange"),
    "sweep": mark("Sweep"),
    "calls": mark("Calls"),
    "scoring": mark("Points"),
    "penalty": mark("False counters"),
    "signs": mark("Signs"),
    "end": mark("End of the match"),
    "pace": mark("Pace"),
}
_PRESETS: Final = {
    "classic": (mark("Classic"), mark("the original rules, first to 10 points"), " ".join(AXES)),
    "expert": (mark("Expert"), mark("double counters, two points ahead to win"), "counters double_counters win_by"),
    "escale": (mark("L'escale"), mark("a Kem's scores two, your own four of a kind counts too"), "kems holder"),
    "linternaute": (
        *(mark("L'Internaute"), mark("one card at a time, three of a kind in the middle play on")), "down three_alike"
    ),
    "bell": (mark("The bell"), mark("jokers, a bell and sign cards"), "deck bell sign_cards"),
    "yokai": (mark("Yōkai"), mark("three of a kind are swept, guessed signs score"), "three_alike guess guess_right"),
    "american": (
        *(mark("American"), mark("52 cards, first to 5, a wrong call costs a point")),
        "deck target false_kems_own false_double_own false_counter_own",
    ),
}  # fmt: skip
"""The name of each preset, its description in half a line, and the axes that the description mentions."""

LEVEL_NAMES: Final = {
    RobotLevel.BEGINNER: mark("beginner"),
    RobotLevel.REGULAR: mark("regular"),
    RobotLevel.STRONG: mark("strong"),
    RobotLevel.MASTER: mark("master"),
}
LEVEL_MANNERS: Final = {
    RobotLevel.BEGINNER: mark("Slow, overlooks much, rarely counters"),
    RobotLevel.REGULAR: mark("Plays like somebody who knows the game"),
    RobotLevel.STRONG: mark("Watches everybody, blocks and bluffs"),
    RobotLevel.MASTER: mark("Quick, and forgets nothing"),
}

MAX_RULES: Final = 200  # characters of house rules that are shown
_LENGTH: Final = frozenset({"target", "rounds", "ends_at"})
_OWN_WORDS: Final = frozenset({"deck", *_LENGTH})  # said in words already


def label(axis: str, texts: Texts) -> str:
    """Return the name of an axis."""
    return texts.t(AXES[axis].label)


def value_words(axis: str, value: str, texts: Texts) -> str:
    """Return a value in KGN in words."""
    kind = AXES[axis].kind
    if issubclass(kind, DeckKind):
        return texts.t(kind(value).label, cards=len(DECKS[kind(value)]))
    if issubclass(kind, Choice):
        return texts.t(kind(value).label)
    if kind is bool:
        return texts.t("yes") if value == "yes" else texts.t("no")
    return texts.t("{seconds} s", seconds=texts.decimal(float(value))) if kind is float else value


def rule_words(axis: str, value: str, texts: Texts) -> str:
    """Return an axis with its value: `Points to reach: 12`."""
    return texts.t("{rule}: {value}", rule=label(axis, texts), value=value_words(axis, value, texts))


def preset_name(preset: str, texts: Texts) -> str:
    """Return the name of a preset in the reader's language; any other name unchanged."""
    return texts.t(_PRESETS[preset][0]) if preset in _PRESETS else preset


def preset_about(preset: str, texts: Texts) -> str:
    """Return a short description of a preset."""
    return texts.t(_PRESETS[preset][1])


def rules_about(rules: Rules, texts: Texts) -> str | None:
    """Return a short description of a table's preset; None if a house rule contradicts it."""
    is_changed = house_rules.house_rules(rules).keys() & {"ends_at", *_PRESETS[rules.preset][2].split()}
    return None if is_changed else preset_about(rules.preset, texts)


def preset_meant(written: str) -> str:
    """Return the preset with this name in any language; any other text unchanged."""
    wanted = name_key(written)
    for texts in map(texts_for, LANGUAGES):
        for preset in PRESETS:
            if name_key(preset_name(preset, texts)) == wanted:
                return preset
    return written


def rules_line(rules: Rules, texts: Texts, rule_set: str | None = None, rank: str | None = None) -> str:
    """Return the rules in short: `Classic · 32 cards · 10 points · ranked`, and whether they differ from the preset.

    `rule_set`: the name under which the server keeps them. `rank`: whether the match is ranked, in words.
    """
    words = [preset_name(rules.preset, texts), texts.n("{count} card", "{count} cards", len(DECKS[rules.deal.deck]))]
    words.append(_length(rules, texts))
    if rank is not None:
        words.append(rank)
    if rule_set is not None:
        words.append(texts.t("“{name}”", name=escape_markdown(rule_set, MAX_NAME)))
    if chosen := _told(house_rules.options_taken(rules), texts):
        words.append(texts.t("options: {rules}", rules=escape_markdown(chosen, MAX_RULES)))
    if changes := _told(house_rules.house_rules(rules), texts):
        words.append(texts.t("house rules: {rules}", rules=escape_markdown(changes, MAX_RULES)))
    elif house_rules.house_rules(rules) and unranked_axes(rules):
        words.append(texts.t("house rules"))
    return " · ".join(words)


def short_rules(rules: Rules, texts: Texts) -> list[str]:
    """Return the preset, the length if it differs, and whether there are other house rules."""
    words, changed = [preset_name(rules.preset, texts)], house_rules.house_rules(rules).keys()
    if changed & _LENGTH:
        words.append(_length(rules, texts))
    if changed - _LENGTH:
        words.append(texts.t("house rules"))
    return words


def _length(rules: Rules, texts: Texts) -> str:
    end = rules.end
    return length_words(end.ends_at, end.rounds if end.ends_at is EndsAt.ROUNDS else end.target, texts)


def length_words(ends_at: EndsAt, count: int, texts: Texts) -> str:
    """Return how long a match lasts: `10 points` or `8 rounds`."""
    if ends_at is EndsAt.ROUNDS:
        return texts.n("{count} round", "{count} rounds", count)
    return texts.n("{count} point", "{count} points", count)


def lobby_line(lobby: Lobby, texts: Texts) -> str:
    """Return a lobby's rules in short, and whether its match is ranked; before the start also why it is not.

    If there are robots, it also says how well they play.
    """
    if lobby.is_ranked is None and lobby.eligibility is Eligibility.RANKED and not lobby.is_full:
        rank = texts.t("ranked without robots")
    elif lobby.is_ranked is None:
        rank = rank_words(lobby.eligibility, texts)
    else:
        rank = texts.t("ranked") if lobby.is_ranked else texts.t("friendly")
    line = rules_line(lobby.rules, texts, lobby.rule_set, rank)
    if not lobby.robot_seats():
        return line
    return f"{line} · " + texts.t("robots: {level}", level=texts.t(LEVEL_NAMES[lobby.robot_level]))


def rank_words(verdict: Eligibility, texts: Texts) -> str:
    """Return whether a match is ranked, and why not."""
    return texts.t(verdict)


def _told(changed: Mapping[str, str], texts: Texts) -> str:
    """Return changes of the rules, without those that the line shows already."""
    values = {name: value for name, value in changed.items() if name not in _OWN_WORDS}
    return ", ".join(
        texts.n("{count} player", "{count} players", int(value))
        if name == PLAYERS and value.isdecimal()
        else rule_words(name, value, texts)
        for name, value in values.items()
    )


def best_words(best: int | None, texts: Texts) -> str:
    """Return how many nights of a person count in a league; None counts all, and `NO_LEAGUE` stands for no league."""
    if best == NO_LEAGUE:
        return texts.t("no league")
    if best is None:
        return texts.t("every night counts")
    return texts.n("the best {count} night counts", "the best {count} nights count", best)


def scale_words(scale: Scale, texts: Texts) -> str:
    """Return a league's scale, such as `10, 8, 6, 5, 4, 3, 2, then 1 by place`."""
    *first, last = scale.points
    return texts.t("{points}, then {last} by place", points=", ".join(map(str, first)), last=last)


def league_words(settings: ServerSettings, texts: Texts) -> str | None:
    """Return how the league of a server counts; None if it has none."""
    if settings.league_best == NO_LEAGUE:
        return None
    return f"{best_words(settings.league_best, texts)} · {scale_words(settings.league_scale, texts)}"
