"""Short names for parts, axes and values of the rules; the rules of a table in one line, and whether it is ranked."""

from collections.abc import Mapping
from typing import Final

from bot.game.cards import DECKS, DeckKind
from bot.game.rules import house_rules
from bot.game.rules.house_rules import MAX_NAME, name_key
from bot.game.rules.presets import PRESETS
from bot.game.rules.rules import EndsAt, Rules
from bot.ladder.seasons import Eligibility, departures
from bot.robots.level import RobotLevel
from bot.tables.lobby.lobby import Lobby
from bot.ui.kit.names import defuse
from bot.ui.kit.texts import LANGUAGES, Texts, mark, texts_for

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
LABELS: Final = {
    "players": mark("Number of players"),
    "team_size": mark("Team size"),
    "deck": mark("Deck"),
    "excess": mark("Three or four alike at the deal"),
    "redrawn": mark("Cards shown at the deal"),
    "excess_jokers": mark("Two jokers are shown too"),
    "down": mark("Cards down at once"),
    "three_alike": mark("Three alike in the middle"),
    "take_limit": mark("Owed cards picked at random after (0: never)"),
    "swap": mark("A card of the middle first, then one's own"),
    "takes_seen": mark("Everybody sees who took what"),
    "quiet": mark("Quiet time before a sweep"),
    "sweep_by": mark("Who asks for a sweep"),
    "sweep_vote": mark("Silence agrees to a sweep after"),
    "must_exchange": mark("Refusing a sweep: an exchange is due"),
    "refusal_grace": mark("Time for that exchange"),
    "swept": mark("Swept cards"),
    "stock_out": mark("When the stock is out"),
    "max_sweeps": mark("Sweeps in a row at most (0: no limit)"),
    "holder": mark("Whose Kem's may be called"),
    "double": mark("How a double is called"),
    "chain": mark("Time for a second call"),
    "counter_names": mark("A counter names"),
    "double_counters": mark("Double counters"),
    "counter_two": mark("Counter against two Kem's"),
    "false_counter_ends": mark("A false counter ends the round"),
    "bell": mark("A bell, and Super Kem's"),
    "duel_delay": mark("Two players: from sign to call"),
    "kems": mark("Kem's"),
    "double_kems": mark("Double Kem's"),
    "false_kems": mark("False Kem's: each opposing team"),
    "false_kems_own": mark("False Kem's: own team"),
    "false_double": mark("False double: each opposing team"),
    "false_double_own": mark("False double: own team"),
    "counter": mark("Counter"),
    "counter_of_two": mark("Counter of two Kem's"),
    "counter_accused": mark("True counter: accused team"),
    "double_counter": mark("Double counter"),
    "false_counter_own": mark("False counter: own team"),
    "false_counter": mark("False counter: accused team"),
    "false_counter_all": mark("False counter: each opposing team"),
    "false_double_counter": mark("False double counter: accused team"),
    "false_double_counter_own": mark("False double counter: own team"),
    "four_kems": mark("All four hold one: both calls"),
    "shows": mark("Who shows cards"),
    "show_count": mark("Cards to show"),
    "show_different": mark("Shown cards of different ranks"),
    "show_delay": mark("Picked at random after"),
    "counter_lost": mark("Right to counter lost for the round"),
    "sign_change": mark("Changing the sign"),
    "signs_told": mark("Which gestures were signs is told"),
    "oral_signs": mark("Spoken signs without a vote"),
    "guess": mark("Guessing the opponents' sign"),
    "guess_limit": mark("Wrong guesses a round at most (0: no limit)"),
    "guess_right": mark("Right guess: own team"),
    "guess_wrong": mark("Wrong guess: team guessed at"),
    "guess_wrong_own": mark("Wrong guess: own team"),
    "guess_wrong_all": mark("Wrong guess: each opposing team"),
    "sign_required": mark("Kem's only after the sign"),
    "counter_needs_sign": mark("True counters only after the sign"),
    "sign_cards": mark("Sign cards"),
    "sign_deadline": mark("Time to agree on a sign"),
    "ends_at": mark("The match ends at"),
    "target": mark("Points to reach"),
    "rounds": mark("Rounds to play"),
    "win_by": mark("Lead needed to win"),
    "best_of": mark("Best of how many games"),
    "auto_open": mark("Hunt opens by itself after (0: never)"),
    "auto_next": mark("Next round is dealt after (0: never)"),
}
_VALUES: Final = {
    "excess": {
        "redraw": mark("shown, and as many drawn again"),
        "hand": mark("shown, and a whole new hand drawn"),
        "redeal": mark("everything is dealt again"),
        "keep": mark("kept"),
    },
    "redrawn": {"shuffled": mark("shuffled into the stock"), "under": mark("put under the stock")},
    "three_alike": {"ends": mark("the round ends"), "allowed": mark("play goes on"), "sweeps": mark("they are swept")},
    "swept": {"discard": mark("to the discard pile"), "under": mark("put under the stock")},
    "sweep_by": {"anybody": mark("anybody, and all vote"), "dealer": mark("the dealer, after a count")},
    "stock_out": {"reshuffle": mark("the discard pile is shuffled"), "ends": mark("the round is over")},
    "sign_change": {
        "always": mark("at any time"),
        "between": mark("between rounds"),
        "once": mark("after each Kem's"),
        "never": mark("only when it is found"),
    },
    "signs_told": {"match": mark("when the match is over"), "round": mark("at the end of each round")},
    "holder": {"partner": mark("that of a partner"), "team": mark("that of anybody in the team")},
    "double": {"at_once": mark("at once"), "two_voices": mark("in two voices")},
    "counter_names": {"player": mark("a player"), "team": mark("a team")},
    "counter_two": {"no_effect": mark("no effect"), "counts": mark("counts")},
    "shows": {"nobody": mark("nobody"), "accused": mark("the accused"), "accuser": mark("the accuser")},
    "guess": {
        "not_played": mark("not played"),
        "report": mark("played without points"),
        "points": mark("played for points"),
    },
    "ends_at": {"target": mark("a number of points"), "rounds": mark("a number of rounds")},
}

_PRESETS: Final = {
    "classic": (mark("Classic"), mark("the original rules, first to 10 points")),
    "expert": (mark("Expert"), mark("double counters, two points ahead to win")),
    "escale": (mark("L'escale"), mark("four rounds, any partner's four alike count")),
    "linternaute": (mark("L'Internaute"), mark("one card at a time, three alike in the middle play on")),
    "bell": (mark("The bell"), mark("jokers, a bell and sign cards")),
    "yokai": (mark("Yōkai"), mark("three alike are swept, guessed signs score")),
    "american": (mark("American"), mark("52 cards, first to 5, a wrong call costs a point")),
}
"""The name of each preset, and what it is in half a line."""

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
    return texts.t(LABELS[axis])


def value_words(axis: str, value: str, texts: Texts) -> str:
    """A value, as KGN writes it, in words."""
    if axis == "deck":
        count = len(DECKS[DeckKind(value)])
        plain = texts.n("{count} card", "{count} cards", count)
        return texts.t("{cards}, two of them jokers", cards=plain) if value == DeckKind.D54 else plain
    if axis in _VALUES:
        return texts.t(_VALUES[axis][value])
    if value in ("yes", "no"):
        return texts.t("yes") if value == "yes" else texts.t("no")
    is_seconds = house_rules.AXES[axis].kind is float
    return texts.t("{seconds} s", seconds=texts.decimal(float(value))) if is_seconds else value


def rule_words(axis: str, value: str, texts: Texts) -> str:
    return texts.t("{rule}: {value}", rule=label(axis, texts), value=value_words(axis, value, texts))


def preset_name(preset: str, texts: Texts) -> str:
    """The name of a preset in the reader's language; another name as it is."""
    return texts.t(_PRESETS[preset][0]) if preset in _PRESETS else preset


def preset_about(preset: str, texts: Texts) -> str:
    return texts.t(_PRESETS[preset][1])


def preset_meant(written: str) -> str:
    """The preset whose name in any language was written; any other text as it is."""
    wanted = name_key(written)
    for texts in map(texts_for, LANGUAGES):
        for preset in PRESETS:
            if name_key(preset_name(preset, texts)) == wanted:
                return preset
    return written


def rules_line(rules: Rules, texts: Texts, rule_set: str | None = None, rank: str | None = None) -> str:
    """The rules in short: `Classic · 32 cards · 10 points · ranked`, and whether they are anything but the preset.

    `rule_set` is the name under which the server keeps them.
    """
    words = [preset_name(rules.preset, texts), texts.n("{count} card", "{count} cards", len(DECKS[rules.deal.deck]))]
    words.append(_length(rules, texts))
    if rank is not None:
        words.append(rank)
    if rule_set is not None:
        words.append(texts.t("“{name}”", name=defuse(rule_set, MAX_NAME)))
    if chosen := _told(house_rules.options_taken(rules), texts):
        words.append(texts.t("options: {rules}", rules=defuse(chosen, MAX_RULES)))
    if told := _told(house_rules.house_rules(rules), texts):
        words.append(texts.t("house rules: {rules}", rules=defuse(told, MAX_RULES)))
    elif house_rules.house_rules(rules) and departures(rules):
        words.append(texts.t("house rules"))
    return " · ".join(words)


def short_rules(rules: Rules, texts: Texts) -> list[str]:
    """Returns the preset, the length where it is another, and whether there are other house rules."""
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
    if ends_at is EndsAt.ROUNDS:
        return texts.n("{count} round", "{count} rounds", count)
    return texts.n("{count} point", "{count} points", count)


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
    return texts.t(verdict)


def _told(changed: Mapping[str, str], texts: Texts) -> str:
    """Changes of the rules, but those that the line says already."""
    return ", ".join(rule_words(name, value, texts) for name, value in changed.items() if name not in _OWN_WORDS)
