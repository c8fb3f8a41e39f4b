"""Everything the bot shows that names somebody or repeats what somebody wrote, as Discord gets it.

Tables are of the largest size. Their states are played once for all.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import cycle, islice, pairwise

from bot.discord.api.components import Layout, layout, text
from bot.discord.interactions.setting import unknown_zone_text
from bot.discord.pictures.card_faces import Faces
from bot.discord.text.names import display_name, escaped_name
from bot.discord.text.texts import Texts
from bot.game.build_view import seat_view, table_view
from bot.game.checks.refusals import Code
from bot.game.replay_steps import RoundReplay, replay_round
from bot.game.rules.house_rules import MAX_NAME, RuleProblem, RulesError, override, preset, read_rules
from bot.game.rules.rules import Rules
from bot.game.signs import GestureKind, Strategy, one_sign, spoken_sign
from bot.game.state import State
from bot.ladder.columns import MATCH_BOARDS, Board
from bot.ladder.seasons import Eligibility, LadderSetup, RankedRules, Season
from bot.nights.formats import SWISS
from bot.nights.planning.draft import NightDraft
from bot.nights.results.standings import standings
from bot.records.archive import PastMatch
from bot.records.history import (
    BoardLine,
    BoardPage,
    HistoryPage,
    MatchRecord,
    Mate,
    ResultRecord,
    SeatRecord,
    VoidRecord,
)
from bot.records.player import Player
from bot.records.seasons import EndedSeason
from bot.tables.lobby.lobby import Absence, Lobby, Status
from bot.tables.lobby.refusals import LobbyCode, LobbyRefusal
from bot.tables.lobby.strategy_vote import PROPOSED
from bot.tables.lobby.table_channel import TableChannel
from bot.tables.servers.settings import MAX_SETS, RuleSet
from bot.ui.ladder.commands import about_panel
from bot.ui.ladder.ladder_reader import stats_panel, stats_picture
from bot.ui.ladder.leaderboard import leaderboard_panel, over_line, podium
from bot.ui.lobby.lobby_board import lobby_board
from bot.ui.lobby.panels import settings_panel, vote_panel
from bot.ui.night.board import LiveTable, replays_screen, running_screen, standings_screen
from bot.ui.night.host.host_panel import host_panel, table_panel
from bot.ui.night.plan.settings import PlanState, plan_panel
from bot.ui.night.players import my_panel
from bot.ui.night.sign_up import sign_up_screen
from bot.ui.records.history_panels import history_panel, match_panel
from bot.ui.records.replay_panel import replay_panel
from bot.ui.rules.editor import rules_editor
from bot.ui.rules.panels import rules_panel
from bot.ui.rules.rule_settings import SAVED, RulesState
from bot.ui.table.messages.reminders import fates_of, reminder_text
from bot.ui.words.refusals import lobby_refusal_text, refusal_text, rules_error_text
from tests.rules.table import Table
from tests.ui.night.samples import night_of, over, running
from tests.ui.records.test_replay_panel import match_of
from tests.ui.screens.ladder import STATS
from tests.ui.table.pages.shown import board, counters, hand, signs
from tests.ui.walk import TABLE_ID, wander

People = tuple[Player, ...]

AT = 1_800_000_000_000
ZONE = "Europe/Paris"
MOST_PEOPLE = 12
_STEPS = 400
_FILMS = ("expert-twelve-players", "classic-false-counter", "signs-spoken", "house-guesses", "classic-sweep-refused")


def crowd(names: Sequence[str], count: int = MOST_PEOPLE) -> tuple[Player, ...]:
    """People of these names, among them a robot, somebody for whom one plays, and a seat to be had."""
    people = [Player(name, 1000 + seat) for seat, name in enumerate(islice(cycle(names), count))]
    gone = (replace(people[0], is_away=True, is_open=True), replace(people[1], is_away=True))
    return (*gone, *people[2:-1], Player(people[-1].name))


def gallery(names: Sequence[str], phrases: Sequence[str], texts: Texts) -> Iterator[tuple[str, Layout]]:
    """All of it, each under a name of its own. The phrases are what people say and write at length."""
    people = crowd(names)
    yield from _lobbies(people, phrases, texts)
    yield from _tables(people, phrases, texts)
    yield from _records(people, phrases, texts)
    yield from _replays(people, texts)
    yield from _nights(names, phrases[0], texts)
    for number, line in enumerate(_lines(people, phrases, texts)):
        yield f"line {number}", layout(text(line))


def _lobbies(people: People, phrases: Sequence[str], texts: Texts) -> Iterator[tuple[str, Layout]]:
    kept = [phrase[:MAX_NAME] or "?" for phrase in phrases]
    lobby = Lobby(TABLE_ID, TableChannel(1, 2), 1003, _rules(), MOST_PEOPLE, people, False, "fr", AT, rule_set=kept[0])
    lobby = replace(lobby, ranked_rules=RankedRules())
    asked = replace(lobby, vote=PROPOSED).cast(1003, {Strategy.SPOKEN})
    assert isinstance(asked, Lobby)
    half = replace(lobby, players=(*people[:6], *(None,) * 6), has_random_teams=True)
    closed = replace(lobby, status=Status.CANCELLED)
    for word, one in {"full": lobby, "voting": asked, "half": half, "closed": closed}.items():
        yield f"lobby {word}", lobby_board(one, texts)
    yield "settings", settings_panel(lobby, lobby.host_id, texts)
    yield "ballot", vote_panel(asked, 1003, texts)
    yield "rules", rules_panel(lobby.rules, texts, kept[0])
    named = [f"{number}{name}"[:MAX_NAME] for number, name in enumerate(islice(cycle(kept), MAX_SETS))]
    sets = [RuleSet(name, "classic target=12") for name in named]
    yield "saved rules", rules_editor(RulesState(lobby, sets), "classic", texts, page=SAVED, back="settings")


def _tables(people: People, phrases: Sequence[str], texts: Texts) -> Iterator[tuple[str, Layout]]:
    sign = spoken_sign(phrases[0])
    for number, state in enumerate(_states()):
        made = zip(state.gestures, cycle(phrases), strict=False)
        gestures = tuple(replace(it, kind=GestureKind.SAY, text=phrase) for it, phrase in made)
        plan = one_sign(sign if sign.text else spoken_sign("x"))
        said = replace(state, gestures=gestures, teams=(replace(state.teams[0], plan=plan), *state.teams[1:]))
        where = f"{number} {state.phase}"
        yield f"board {where}", board(said, texts, range(MOST_PEOPLE), seated=people)
        view = seat_view(said, 0)
        yield f"hand {where}", hand(view, texts, seated=people)
        yield f"counter {where}", counters(view, texts, people)
        yield f"sign {where}", signs(view, texts, seated=people)


def _records(people: People, phrases: Sequence[str], texts: Texts) -> Iterator[tuple[str, Layout]]:
    seats = tuple(SeatRecord(seat, seat % 2, player.name, 1000 + seat) for seat, player in enumerate(people))
    voids = [VoidRecord(7, 9, phrase, AT) for phrase in islice(cycle(phrases), 20)]
    result, season = ResultRecord(0, (10, -1), (2, 1), 6, AT, 3), Season(3, AT, AT + 1000, phrases[0])
    match = MatchRecord(7, 1, 2, _rules(), True, seats, result, voids[0])
    rounds = [view for state in _states() if (view := table_view(state)).result is not None]
    yield (
        "history",
        history_panel(HistoryPage((match,) * 5, True, True), {match.id}, texts, user_id=1000, name=people[0].name),
    )
    yield "match", match_panel(match, rounds, ZONE, texts)
    one, two, three, *_ = (player.name for player in people)
    stats = replace(STATS, name=one, partner=Mate(2, two, 9, 7), opponent=Mate(3, three, 9, 7))
    yield "stats", stats_panel(stats_picture(stats, season, ZONE, texts))
    pairs = pairwise(people)
    lines = tuple(BoardLine(place, 9, (1, 2), (a.name, b.name), 12, 7) for place, (a, b) in enumerate(pairs, 1))
    page = BoardPage(lines[:10], True, True)
    for kind in Board:
        yield f"board of {kind}", leaderboard_panel(page, kind, season, texts, at=AT, zone=ZONE, own=lines[10])
    yield "podium", podium(season, dict.fromkeys(MATCH_BOARDS, page), ZONE, texts)
    yield "ladder", about_panel(LadderSetup(), season, voids, texts)


def _replays(people: People, texts: Texts) -> Iterator[tuple[str, Layout]]:
    for number, (match, replay) in enumerate(_films()):
        named = replace(match, people=people[: len(match.people)])
        kinds = {type(frame.event): step for step, frame in enumerate(replay.steps)}
        for step in kinds.values():
            yield f"replay {number} {step}", replay_panel(named, replay, step, Faces(texts))


def _nights(names: Sequence[str], title: str, texts: Texts) -> Iterator[tuple[str, Layout]]:
    """Game nights of people of these names."""
    for word, night in {"planned": night_of(14, SWISS), "running": running(13), "over": over(9)}.items():
        people = tuple(replace(one, name=name) for one, name in zip(night.entrants, cycle(names), strict=False))
        shown = replace(night, entrants=people, plan=replace(night.plan, title=title))
        lines = standings(shown)
        yield f"night {word}", sign_up_screen(shown, texts)
        yield (
            f"night board {word}",
            running_screen(shown, lines, {2: LiveTable((1, 2), (escaped_name(names[0]),))}, texts),
        )
        yield f"night standings {word}", standings_screen(shown, lines, 0, texts)
        yield f"night host {word}", host_panel(shown, texts)
        yield f"night of one {word}", my_panel(shown, 1000, lines, texts)
        yield f"night replays {word}", replays_screen(shown, 0, texts)
        if shown.round is not None:
            yield f"night table {word}", table_panel(shown, shown.round.tables[0], texts)
        yield (
            f"night plan {word}",
            plan_panel(
                PlanState(NightDraft(ZONE, shown.plan), read_rules, (), [shown], has_role=True),
                Eligibility.RANKED,
                texts,
            ),
        )


def _lines(people: People, phrases: Sequence[str], texts: Texts) -> Iterator[str]:
    """Single lines: refusals, calls to who is missed, announcements."""
    yield refusal_text(Code.NOT_IN_POOL, texts, card="7♠", by=display_name(people[0]))
    yield lobby_refusal_text(LobbyRefusal(LobbyCode.VOTE_RUNNING, people), texts)
    playing = Lobby(TABLE_ID, TableChannel(1, 2), 1003, _rules(), MOST_PEOPLE, people, False, "fr", AT)
    for absence in Absence:
        for missed, is_paused in ((range(4), False), (range(MOST_PEOPLE), False), (range(MOST_PEOPLE), True)):
            until = dict.fromkeys(missed, AT)
            lobby = replace(playing, absence=absence)
            yield reminder_text(fates_of(lobby, until, texts, is_paused=is_paused)) or ""
    for phrase in phrases:
        yield rules_error_text(RulesError(RuleProblem.UNKNOWN_PRESET, name=phrase, known="classic"), texts)
        yield over_line(EndedSeason(7, Season(3, AT, AT + 1, phrase)), texts)
        yield unknown_zone_text(phrase, ["Europe/Paris"], texts)
    for player in people:
        yield texts.t("♠ {name} is moving a table of Kem's here.", name=escaped_name(player.name))


def _rules() -> Rules:
    return override(preset("classic"), {"deck": "52"})


@cache
def _states() -> tuple[State, ...]:
    """A state of the largest table for each phase that it goes through, and for each way to end a round."""
    table = Table(players=MOST_PEOPLE, deck="52", strategies=" ".join(Strategy), target=3, opened=False)
    seen: dict[object, State] = {}
    for state in wander(table, seed=5, steps=_STEPS):
        outcome = None if state.result is None else state.result.outcome
        seen[state.phase, outcome, bool(state.pending_shows), state.chain is None] = state
    return tuple(seen.values())


@cache
def _films() -> tuple[tuple[PastMatch, RoundReplay], ...]:
    matches = [match_of(name) for name in _FILMS]
    return tuple((match, replay_round(match.events, 1)) for match in matches)
