"""The secret, unanimous vote: what comes of it and when, and that nothing comes of it earlier."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.game.rules.presets import PRESETS
from bot.game.rules.rules import Guess
from bot.game.signs import Strategy
from bot.records.player import Player
from bot.tables.lobby.lobby import Lobby, Status
from bot.tables.lobby.refusals import LobbyCode, LobbyRefusal
from bot.tables.lobby.strategy_vote import NO_VOTE, PROPOSED
from tests.tables.fakes import HERE, PEOPLE, World, classic, ok

PLAIN = Lobby(1, HERE, 100, classic(), 4, PEOPLE, has_random_teams=True, locale="fr", opened_at=0)
FULL = replace(PLAIN, vote=PROPOSED)
DOUBLE, PRESIGN, SPOKEN = Strategy.DOUBLE, Strategy.PRESIGN, Strategy.SPOKEN
EVERYTHING = frozenset(Strategy)


def voted(lobby: Lobby, *ballots: set[Strategy]) -> Lobby:
    """Everybody seated votes in turn."""
    people = [player.user_id for player in lobby.players if player and player.user_id is not None]
    for user_id, ballot in zip(people, ballots, strict=False):
        lobby = ok(lobby.cast(user_id, ballot))
    return lobby


def test_nobody_votes_before_the_host_proposes_it() -> None:
    assert PLAIN.cast(100, {DOUBLE}) == LobbyRefusal(LobbyCode.NO_VOTE)
    assert ok(PLAIN.propose_vote()) == FULL
    assert FULL.awaited == PEOPLE
    running = voted(FULL, {DOUBLE})
    assert ok(running.propose_vote()) == running, "the same press twice is one press"


def test_changing_teams_does_not_affect_the_vote() -> None:
    chosen = replace(FULL, has_random_teams=False, players=(*PEOPLE[:3], None))
    running = voted(chosen, {DOUBLE}, {DOUBLE}, {DOUBLE})
    moved = ok(running.swap(0, 3))
    assert moved.players == (None, PEOPLE[1], PEOPLE[2], PEOPLE[0])
    assert moved.vote == running.vote
    known = voted(FULL, *[{DOUBLE}] * 4)
    assert replace(known, players=tuple(PEOPLE[::-1])).strategies == {DOUBLE}
    assert ok(replace(known, has_random_teams=False)).strategies == {DOUBLE}


def test_only_people_of_the_table_vote_and_only_until_the_outcome_is_known() -> None:
    assert FULL.cast(7, {DOUBLE}) == LobbyRefusal(LobbyCode.NOT_SEATED)
    assert voted(FULL, *[{DOUBLE}] * 4).cast(100, {DOUBLE}) == LobbyRefusal(LobbyCode.VOTE_OVER)


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_only_spoken_signs_are_voted_on_when_nobody_can_be_found_out(rules: object) -> None:
    lobby = voted(replace(FULL, rules=rules), *[{DOUBLE, SPOKEN}] * 4)
    if lobby.rules.signs.guess is Guess.NOT_PLAYED:
        assert lobby.votable == (SPOKEN,)
        assert lobby.strategies == {SPOKEN}
    else:
        assert lobby.votable == tuple(Strategy)
        assert lobby.strategies == {DOUBLE, SPOKEN}


def test_new_rules_void_a_vote_only_when_it_asks_something_else() -> None:
    running, known = voted(FULL, {DOUBLE}), voted(FULL, *[{DOUBLE}] * 4)
    for lobby in (running, known):
        assert ok(lobby.play_by(PRESETS["expert"])).vote == lobby.vote
        silent = ok(lobby.play_by(PRESETS["escale"]))
        assert silent.vote == ok(silent.play_by(classic())).vote == NO_VOTE


def test_adding_or_removing_seats_affects_a_vote_like_a_change_of_players() -> None:
    six = replace(FULL, rules=classic(deck="52"), size=6, players=(*PEOPLE, None, None))
    running = voted(six, {DOUBLE, SPOKEN}, {DOUBLE}, {DOUBLE}, {DOUBLE})
    assert running.vote.outcome is None
    assert ok(running.resize(4)).vote.outcome == {DOUBLE}
    assert ok(running.resize(8)).vote == running.vote
    assert ok(voted(FULL, *[{DOUBLE}] * 4).resize(6)).vote == PROPOSED
    two = voted(replace(FULL, players=(*PEOPLE[:2], None, None)), {DOUBLE}, {DOUBLE})
    assert ok(two.resize(2)).vote == NO_VOTE


def test_two_players_have_no_double_sign_to_vote_on() -> None:
    duel = replace(FULL, size=2, players=PEOPLE[:2])
    assert DOUBLE not in duel.votable
    assert voted(duel, set(Strategy), set(Strategy)).strategies == EVERYTHING - {DOUBLE}


def test_a_match_waits_for_a_running_vote() -> None:
    running = voted(FULL, {DOUBLE}, {DOUBLE})
    assert running.start() == LobbyRefusal(LobbyCode.VOTE_RUNNING, (PEOPLE[2], PEOPLE[3]))
    assert ok(running.withdraw_vote()).start() == ok(PLAIN.start())
    assert ok(voted(FULL, *[{DOUBLE}] * 4).start()).strategies == {DOUBLE}


def test_the_host_withdraws_a_vote_or_its_outcome() -> None:
    running, known = voted(FULL, {DOUBLE}), voted(FULL, *[{DOUBLE}] * 4)
    assert ok(running.withdraw_vote()) == ok(known.withdraw_vote()) == ok(FULL.withdraw_vote()) == PLAIN
    assert PLAIN.withdraw_vote() == LobbyRefusal(LobbyCode.NO_VOTE)


def test_a_lobby_that_closes_forgets_the_vote() -> None:
    assert ok(voted(FULL, {DOUBLE}).closed(Status.CANCELLED)).vote == NO_VOTE
    alone = replace(FULL, players=(PEOPLE[0], None, None, None))
    left = ok(ok(alone.cast(100, {DOUBLE})).leave(100))
    assert (left.status, left.vote.ballots) == (Status.CANCELLED, frozenset())


def test_no_ballot_appears_in_the_text_of_an_object() -> None:
    lobby = voted(FULL, {PRESIGN}, {SPOKEN})
    for shown in (lobby, lobby.vote, *lobby.vote.ballots, lobby.start(), lobby.cast(7, {PRESIGN})):
        assert "presign" not in repr(shown).lower()
        assert "spoken" not in repr(shown).lower()


ACTS = ("vote",) * 12 + ("join", "leave", "robot", "no_robot") * 2 + ("withdraw", "propose")
NOES = st.frozensets(st.sampled_from(Strategy), max_size=2)
EVENTS = st.tuples(st.sampled_from(ACTS), st.integers(100, 104), NOES.map(EVERYTHING.__sub__))


def happened(lobby: Lobby, what: str, user_id: int, yes: frozenset[Strategy]) -> Lobby | LobbyRefusal:
    match what:
        case "vote":
            return lobby.cast(user_id, yes)
        case "join":
            return lobby.join(Player(f"P{user_id}", user_id))
        case "leave":
            return lobby.leave(user_id)
        case "propose":
            return lobby.propose_vote()
        case "withdraw":
            return lobby.withdraw_vote()
        case "robot":
            return lobby.join(Player("Zoé"))
        case _:
            return lobby.remove_robot()


@settings(derandomize=True)
@given(st.integers(1, 4), st.lists(EVENTS, min_size=20, max_size=60))
def test_the_outcome_counts_the_ballots_of_exactly_the_seated_players(
    people_first: int, events: list[tuple[str, int, frozenset[Strategy]]]
) -> None:
    """Against a model that remembers every ballot since the vote was last voided."""
    lobby = replace(FULL, players=(*PEOPLE[:people_first], *(None,) * (4 - people_first)))
    cast: dict[int, frozenset[Strategy]] = {}
    outcome: frozenset[Strategy] | None = None
    is_proposed = True
    for what, user_id, yes in events:
        changed = happened(lobby, what, user_id, yes)
        if isinstance(changed, LobbyRefusal) or changed.status is not Status.OPEN:
            continue
        is_proposed = what == "propose" or (is_proposed and what != "withdraw")
        if what == "withdraw" or (what not in ("vote", "propose") and outcome is not None):
            cast, outcome = {}, None
        elif what == "vote":
            cast[user_id] = yes
        lobby = changed
        people = {player.user_id for player in lobby.players if player} - {None}
        cast = {user: said for user, said in cast.items() if user in people}
        if cast and lobby.is_full and set(cast) == people:
            outcome, cast = frozenset.intersection(*cast.values()), {}
        is_running = is_proposed and outcome is None
        assert lobby.vote.outcome == outcome
        assert lobby.strategies == (outcome or frozenset())
        assert {ballot.user_id: ballot.yes for ballot in lobby.vote.ballots} == cast
        assert {player.user_id for player in lobby.awaited} == (people - set(cast) if is_running else set())
        assert isinstance(lobby.start(), Lobby) == (lobby.is_full and not is_running)


async def test_the_match_starts_with_what_was_allowed_and_a_rematch_without() -> None:
    world = World()
    lobby = await world.lobby()
    await world.directory.lobbies.update(lobby.id, lambda current: current.propose_vote())
    for player in PEOPLE:
        await world.directory.lobbies.update(
            lobby.id, lambda current, who=player.user_id: current.cast(who, {DOUBLE, SPOKEN})
        )
    table = await world.directory.start(lobby.id)
    assert table.table_view().strategies == table.lobby.strategies == {DOUBLE, SPOKEN}
    again = await world.restarted()
    same = again.directory.table(table.id)
    assert same.table_view().strategies == same.lobby.strategies == {DOUBLE, SPOKEN}
    rematch = ok(replace(table.lobby, status=Status.OVER).rematch())
    assert (rematch.vote, rematch.rematch_of, rematch.status) == (NO_VOTE, table.id, Status.OPEN)
