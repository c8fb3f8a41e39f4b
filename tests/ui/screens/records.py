"""Screens of what was played: histories, matches, and replays step by step."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from bot.discord.text.texts import Texts
from bot.game.events import Event, MatchEnded
from bot.game.notation.replay import replay_match
from bot.game.replay_steps import replay_round
from bot.game.rules.house_rules import override, preset
from bot.ladder.outcomes import rounds_of
from bot.ladder.tally import NO_HIGHLIGHTS, highlights
from bot.records.archive import PastMatch
from bot.records.history import (
    HistoryPage,
    MatchRecord,
    ResultRecord,
    SeatRecord,
    VoidRecord,
)
from bot.records.player import Player
from bot.ui.records.history_panels import (
    broken_off_words,
    history_panel,
    match_panel,
    match_picture,
    match_words,
    purged_words,
)
from bot.ui.records.replay_panel import replay_panel
from tests.rules.table import Table
from tests.ui.screens.common import AT, HOSTILE, NAMES, ZONE, Scene, faces_of, number_of, sent
from tests.ui.screens.matches import Played
from tests.ui.screens.situations import played as table_of

GOLDEN: Final = Path(__file__).parents[2] / "golden"
REPLAYED: Final = (
    *("classic-false-counter", "classic-sweep-refused", "expert-four-kems", "expert-twelve-players", "house-guesses"),
    *("signs-spoken", "signs-total", "bell-super-kems", "escale-rounds", "linternaute-two-voices"),
)


def read_log(path: Path) -> list[Event]:
    """What happened in a match that is kept as KGN."""
    _, log = replay_match(path.read_text(encoding="utf-8"))
    return log


def replay_scenes() -> Iterator[Scene]:
    """The last step of each kind in one round of several matches."""
    for name in REPLAYED:
        log = read_log(GOLDEN / f"{name}.kgn")
        seated = tuple(Player(word, seat + 1) for seat, word in enumerate(NAMES[: log[0].seats]))  # type: ignore[union-attr]
        faces = faces_of(number_of(name), number_of(name))
        ended = () if isinstance(log[-1], MatchEnded) else (MatchEnded(log[-1].at, None),)
        match = PastMatch(12, faces.theme, seated, (*log, *ended))
        replay = replay_round(match.events, 1)
        kinds = {type(frame.event): step for step, frame in enumerate(replay.steps)}
        for step in sorted({0, *kinds.values()}):
            yield f"replay {name} {step}", sent(replay_panel(match, replay, step, faces))
        if replay.rounds > 1:
            yield f"replay {name} round 2", sent(replay_panel(match, replay_round(match.events, 2), 99_999, faces))


def match_record(number: int = 7, players: int = 4, *, names: Sequence[str] = NAMES, **rules: str) -> MatchRecord:
    seats = tuple(
        SeatRecord(seat, seat % 2, names[seat % len(names)], 1000 + seat if seat < players - 1 else None)
        for seat in range(players)
    )
    result = ResultRecord(0, (10, -1), (2, 1), 6, AT, 3)
    return MatchRecord(number, 1, 2, override(preset("classic"), rules), True, seats, result, None)


def _told() -> dict[str, Table]:
    """Matches whose rounds have what random ones lack."""
    kings: dict[str, Any] = {"hands": {"A": "KS KH KD KC"}, "dealer": "D", "deck": "52"}
    next_one = ("- next", "A open", "B kems")
    return {
        "of gestures and counters": table_of(
            42, "B react 🎲", "A react 👀", "B counter C", "C kems", *next_one, **kings
        ),
        "of two counters": table_of("B counter C", "D counter A", **kings),
        "of a counter of a team": table_of("B counter #1", preset="expert"),
        "of a guess": table_of("A guess #2 🍀", "B kems"),
        "of two false calls": table_of("B kems", *next_one, dealer="D"),
    }


def record_scenes(texts: Texts, played: Sequence[Played]) -> Iterator[Scene]:
    """Histories and matches, in one language."""
    void = replace(match_record(8), is_ranked=False, void=VoidRecord(8, 9, HOSTILE[0], AT))
    first, *others = match_record(9).seats
    forgotten = replace(first, name="", user_id=None)
    matches = (
        match_record(best_of="3"),
        void,
        replace(match_record(9), seats=(forgotten, *others), losers=(forgotten, others[0]), is_broken_off=True),
        match_record(10, 12, names=HOSTILE, deck="52", down="2"),
        replace(match_record(11), channel_id=3),
    )
    shown = {match.id for match in matches if match.channel_id == 2}
    for before, after in ((False, False), (False, True), (True, True)):
        page = HistoryPage(matches, before, after)
        name = f"{before} {after}"
        yield f"history {name}", sent(history_panel(page, shown, texts))
        yield f"history of one {name}", sent(history_panel(page, shown, texts, user_id=1000, name="*Ana*"))
    yield "history none", sent(history_panel(HistoryPage((), False, False), (), texts, user_id=1000, name=""))
    instead = HistoryPage(matches[:1], True, False, is_clamped=True)
    yield "history instead", sent(history_panel(instead, shown, texts))
    broken_off = matches[2]
    level = replace(broken_off, result=replace(broken_off.result, winner=None))
    for name, one in {"match broken off": level, "match broken off by a loser": broken_off}.items():
        yield name, sent(match_panel(one, broken_off_words(one, texts), ZONE, texts))
    early = replace(broken_off, result=ResultRecord(None, (0, 0), (0, 0), 0, AT, 3))
    yield "match broken off before a round", sent(match_panel(early, broken_off_words(early, texts), ZONE, texts))
    yield (
        "match in words of no round",
        match_words(match_picture(match_record(), (), NO_HIGHLIGHTS, ZONE, texts), texts),
    )
    for name, table in _told().items():
        log = (*table.opening, *table.log)
        told = sent(match_panel(match_record(), rounds_of(log), ZONE, texts))
        yield (
            f"match {name}",
            [told, match_words(match_picture(match_record(), rounds_of(log), highlights(log), ZONE, texts), texts)],
        )
    for match in matches:
        yield f"match {match.id} purged", sent(match_panel(match, purged_words(match.id, texts), ZONE, texts))
    for each in played:
        rules, count = each.log[0].rules, each.spec.players  # type: ignore[union-attr]  # a log begins with MatchStarted
        scores = each.moments[-1].state.scores
        seats = tuple(
            SeatRecord(seat, seat % len(scores), NAMES[seat], 1000 + seat if seat else None) for seat in range(count)
        )
        told = replace(match_record(), rules=rules, seats=seats, result=ResultRecord(0, scores, scores, 6, AT, 3))
        panel = match_panel(told, rounds_of(each.log), ZONE, texts)
        yield f"match {each.spec.name}", sent(panel)
