"""Nights that run by themselves from the sign-up to the final standings, in virtual time."""

import asyncio
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import replace

import pytest

from bot.base.background import RETRY_S
from bot.game.actions import Swap
from bot.game.checks.refusals import Refusal
from bot.game.events import Phase
from bot.nights.changes import HostStep, NightCode, StepKind
from bot.nights.formats import KNOCKOUT, LOUNGE
from bot.nights.night import Night, NightStatus
from bot.nights.people import sign_up
from bot.nights.plan import NightPlan
from bot.nights.results.standings import standings
from bot.nights.rounds import Presence, ResultKind, TableResult
from bot.nights.steps import move_to_channel
from bot.tables.hub import ServersLost, ServersReached, TableClosed
from bot.tables.lobby.lobby import Absence, Lobby, Status
from bot.tables.match.table import Table
from bot.tables.nights.round_tables import DESERTED_MS
from tests.tables.nights.evening import CHANNEL, GUILD, HOST, MINUTE, Evening, partners, planned, seated
from tests.tables.virtual import LoopClock


def table_of(evening: Evening, night: Night, number: int) -> Table:
    found = night.table(number)
    table = evening.directory.table(found.table_id or 0)
    assert table is not None
    return table


def first_at(evening: Evening, night: Night, number: int) -> int:
    """The entrant on the first seat of a table."""
    return table_of(evening, night, number).lobby.players[0].user_id - 100


def begun(rounds: int) -> Callable[[Night], bool]:
    """Whether the round of that number is played at every table."""
    return lambda night: (
        len(night.rounds) == rounds and all(table.table_id is not None for table in night.rounds[-1].tables)
    )


def is_whole(night: Night) -> bool:
    """Whether every table of every round has its thread, its match and its result."""
    return all(
        None not in (table.thread_id, table.table_id, table.result) for turn in night.rounds for table in turn.tables
    )


async def playing(
    plan: NightPlan, people: int = 8, *, paired: bool = False, idle: Collection[int] = (), deaf: Collection[int] = ()
) -> tuple[Evening, Night]:
    """An evening whose first round is played at every table, and its night."""
    evening = Evening()
    evening.people.idle, evening.people.deaf = set(idle), set(deaf)
    night = await evening.night(plan, people, paired=paired)
    return evening, await evening.until(night.id, begun(1))


def absent(night: Night) -> list[int]:
    return [each.number for each in night.entrants if each.presence is Presence.ABSENT]


def result_of(night: Night, number: int = 1) -> TableResult:
    result = night.rounds[0].tables[number - 1].result
    assert result is not None
    return result


async def test_twenty_six_members_play_a_rotation_while_the_host_does_nothing() -> None:
    """One comes late, one leaves, one never comes, one table is ended in a quarrel; 26 is not divisible by 4."""
    evening, first = await playing(planned(), 26)
    absent = first.rounds[0].tables[3].seats[1]
    assert absent is not None
    evening.people.idle = {100 + absent}
    assert len(first.rounds[0].tables) == 6
    assert len(first.rounds[0].byes) == 2
    await asyncio.sleep(60)
    await evening.join(first.id, 400)  # late
    quarrel = table_of(evening, first, 2)
    await evening.directory.seating.end(quarrel, next(iter(quarrel.lobby.people)))
    leaver = next(user_id for user_id in table_of(evening, first, 3).lobby.people if user_id != 100 + absent)
    await evening.directory.seating.leave(table_of(evening, first, 3), leaver)
    assert isinstance(await evening.live.update(first.id, lambda night: sign_up.leave(night, leaver)), Night)

    over = await evening.reviewed(first.id)
    assert is_whole(over)
    assert len(over.rounds) == 3
    assert evening.face.asked == [(1, 2)], "the host was asked about the quarrel alone"
    disputed = result_of(over, 2)
    assert (disputed.kind, disputed.scores) == (ResultKind.FORFEIT, (0, 0))
    of_user = {entrant.user_id: entrant for entrant in over.entrants}
    assert over.entrants[absent].presence is Presence.ABSENT
    assert of_user[leaver].presence is Presence.OUT
    for number in (2, 3):
        assert of_user[400].number in (*seated(over, number), *over.rounds[number - 1].byes)
        assert of_user[leaver].number not in seated(over, number)
        assert absent not in seated(over, number)
    assert max(Counter(pair for pair in partners(over) if len(pair) == 2).values()) == 1, "a new partner each round"
    assert {line.entrants for line in standings(over)} >= {(of_user[400].number,)}
    assert evening.matches()[Status.CANCELLED] == 1
    assert evening.matches()[Status.OVER] == sum(len(turn.tables) for turn in over.rounds) - 1
    assert evening.face.told == [first.id]


async def test_eight_pairs_are_knocked_out_until_one_is_left() -> None:
    evening = Evening()
    night = await evening.night(planned(KNOCKOUT, round_minutes=0), 16, paired=True)
    over = await evening.over(night.id)
    assert [len(turn.tables) for turn in over.rounds] == [4, 2, 1]
    results = [table.result for turn in over.rounds for table in turn.tables]
    assert {result.kind for result in results if result is not None} == {ResultKind.PLAYED}
    final = over.rounds[-1].tables[0]
    assert final.result.winner is not None
    assert set(standings(over)[0].entrants) == set(final.members(final.result.winner))


async def test_people_come_and_go_in_a_lounge_for_an_hour() -> None:
    evening = Evening()
    plan = planned(LOUNGE, rounds=1, round_minutes=60, fills_with_robots=True)
    night = await evening.night(plan, 6)
    await evening.until(night.id, lambda night: night.status is NightStatus.RUNNING)
    for turn in range(50):
        await asyncio.sleep(60)
        if turn % 7 == 3:
            await evening.join(night.id, 300 + turn)
        if turn % 11 == 5:
            going = next(entrant for entrant in evening.now(night.id).present if entrant.user_id is not None)
            await evening.live.update(night.id, lambda night, user=going.user_id: sign_up.leave(night, user))
    over = await evening.over(night.id)
    (only,) = over.rounds
    assert len(only.tables) > 8
    assert is_whole(over)
    assert only.called_at is not None
    assert 60 * MINUTE <= only.called_at - only.began_at < 61 * MINUTE
    assert evening.matches()[Status.PLAYING] == evening.matches()[Status.OPEN] == 0


async def test_a_round_is_played_out_when_its_time_is_over() -> None:
    evening, running = await playing(planned(rounds=1, round_minutes=2))
    called = await evening.until(running.id, lambda night: night.rounds[-1].called_at is not None)
    await asyncio.sleep(0.5)
    tables = [table_of(evening, running, number) for number in (1, 2)]
    assert all(table.is_over or table.table_view().is_time_called for table in tables)
    over = await evening.over(running.id)
    assert called.rounds[-1].called_at == running.rounds[-1].ends_at
    assert {table.result.kind for table in over.rounds[-1].tables if table.result} == {ResultKind.TIMED}
    assert [table.result.scores for table in over.rounds[-1].tables if table.result] == [
        table.table_view().scores for table in tables
    ]


async def test_a_table_that_all_have_left_holds_up_nobody() -> None:
    evening, first = await playing(planned(KNOCKOUT, round_minutes=0), paired=True, idle={100, 101, 102, 103})
    deserted = [
        table.number
        for table in first.rounds[0].tables
        if {100 + (seat or 0) for seat in table.seats} == evening.people.idle
    ]
    over = await evening.over(first.id)
    assert is_whole(over)
    if deserted:
        assert (1, deserted[0]) in evening.face.asked
    assert {over.entrants[number].presence for number in range(4)} == {Presence.ABSENT}


async def test_robots_play_for_the_absent_until_their_table_is_over() -> None:
    evening, night = await playing(planned(rounds=2, round_minutes=10), idle={100})
    second = await evening.until(night.id, begun(2))
    assert second.entrants[0].presence is Presence.ABSENT
    assert 0 not in seated(second, 2)
    back = await evening.live.update(night.id, lambda night: sign_up.join(night, 100, "P0", 0))
    assert back.entrants[0].presence is Presence.IN


async def test_people_who_wait_for_another_player_are_not_absent() -> None:
    evening, running = await playing(planned(rounds=1, round_minutes=10), 4, deaf={100, 101, 102, 103})
    dealer = running.rounds[0].tables[0].seats[table_of(evening, running, 1).table_view().dealer]
    assert dealer is not None
    evening.people.idle = {100 + dealer}
    over = await evening.over(running.id)
    assert absent(over) == [dealer]
    assert evening.face.asked == []
    assert result_of(over).kind is not ResultKind.FORFEIT


@pytest.mark.parametrize(("teams", "kind", "points"), [(2, ResultKind.DESERTED, 0), (1, ResultKind.FORFEIT, 4)])
async def test_a_deserted_table_scores_nothing_and_a_half_deserted_one_is_won(
    teams: int, kind: ResultKind, points: int
) -> None:
    evening, running = await playing(planned(rounds=1, round_minutes=30), 4)
    table = table_of(evening, running, 1)
    evening.people.idle = {100 + number for team in range(teams) for number in running.rounds[0].tables[0].people(team)}
    if teams == 1:  # else robots play for all of them, until the table pauses by itself
        await evening.directory.seating.change(table, lambda lobby: replace(lobby, absence=Absence.END))
    over = await evening.over(running.id)
    assert result_of(over).kind is kind
    assert sum(sum(line.own) for line in standings(over)) == points


async def test_a_table_whose_people_came_and_stopped_is_interrupted_and_scores_nothing() -> None:
    evening, running = await playing(planned(rounds=1, round_minutes=30), 4)
    table = table_of(evening, running, 1)
    while (view := table.player_view(0)).table.phase is not Phase.HUNT:
        await asyncio.sleep(1)
    evening.people.idle = {100, 101, 102, 103}
    assert not isinstance(await table.submit(Swap(0, view.hand[0], view.table.pool[0])), Refusal)
    over = await evening.over(running.id)
    assert result_of(over).kind is ResultKind.INTERRUPTED
    assert sum(sum(line.own) for line in standings(over)) == 0


async def test_only_a_person_who_did_not_come_is_absent_at_a_broken_off_table() -> None:
    evening, running = await playing(planned(rounds=1, round_minutes=30), 4, idle={102})
    table = table_of(evening, running, 1)
    ends = await evening.directory.seating.change(table, lambda lobby: replace(lobby, absence=Absence.END))
    assert isinstance(ends, Lobby)
    over = await evening.over(running.id)
    assert result_of(over).kind is ResultKind.FORFEIT
    assert absent(over) == [2]


async def test_a_person_who_ends_a_table_without_its_no_show_is_not_absent() -> None:
    evening, running = await playing(planned(rounds=1, round_minutes=30, is_ranked=True), 4, idle={102})
    table = table_of(evening, running, 1)
    while 102 in table.lobby.people:
        await asyncio.sleep(1)
    assert await evening.directory.seating.end(table, 100)
    over = await evening.over(running.id)
    assert absent(over) == [2]


async def test_the_host_pauses_and_resumes_all_tables() -> None:
    evening, running = await playing(planned())
    await asyncio.sleep(30)
    await evening.live.step(running.id, HostStep(StepKind.PAUSE_ALL), HOST)
    await asyncio.sleep(1)
    tables = [table_of(evening, running, number) for number in (1, 2)]
    assert all(table.pause is not None for table in tables)
    await asyncio.sleep(60 * 60)
    assert all(table.pause is not None for table in tables)
    await evening.live.step(running.id, HostStep(StepKind.RESUME_ALL), HOST)
    await asyncio.sleep(1)
    assert all(table.pause is None for table in tables)
    ends_at, now_ends_at = running.rounds[0].ends_at, evening.now(running.id).rounds[0].ends_at
    assert ends_at is not None
    assert now_ends_at is not None
    assert now_ends_at - ends_at == pytest.approx(60 * MINUTE + 1_000, abs=100)
    assert is_whole(await evening.over(running.id))


async def test_a_table_is_restarted() -> None:
    evening, running = await playing(planned(rounds=1))
    await asyncio.sleep(90)
    former = table_of(evening, running, 1)
    await evening.live.step(running.id, HostStep(StepKind.RESTART_TABLE, table=1), HOST)
    again = await evening.until(running.id, begun(1))
    assert evening.directory.table(former.id) is None
    fresh = table_of(evening, again, 1)
    assert fresh.id != former.id
    assert fresh.lobby.place.channel_id == former.lobby.place.channel_id
    assert [player and player.user_id for player in fresh.lobby.players] == [
        player and player.user_id for player in former.lobby.players
    ]
    assert is_whole(await evening.over(running.id))
    assert evening.face.asked == [], "the host has just decided"
    assert evening.matches() == {Status.OVER: 2, Status.CANCELLED: 1}


async def test_entering_a_result_ends_the_table_and_can_be_undone() -> None:
    evening, running = await playing(planned(rounds=1))
    entered = HostStep(StepKind.ENTER_RESULT, table=1, scores=(3, 1))
    table = table_of(evening, running, 1)
    await evening.live.step(running.id, entered, HOST)
    await asyncio.sleep(1)
    assert evening.directory.table(table.id) is None
    assert isinstance(await evening.live.undo_step(running.id, 0, HOST), Night)
    again = await evening.until(running.id, begun(1))
    assert again.rounds[0].tables[0].result is None
    await evening.live.step(running.id, entered, HOST)
    over = await evening.over(running.id)
    result = result_of(over)
    assert (result.scores, result.kind) == ((3, 1), ResultKind.ENTERED)
    assert len((evening.live.night(running.id) or over).steps) == 2


async def test_people_who_change_places_are_dealt_new_matches() -> None:
    evening, running = await playing(planned(rounds=1))
    one, other = (table.seats[0] for table in running.rounds[0].tables)
    await evening.live.step(running.id, HostStep(StepKind.SWAP, entrant=one, other=other), HOST)
    swapped = await evening.until(running.id, begun(1))
    assert [first_at(evening, swapped, number) for number in (1, 2)] == [other, one]
    assert is_whole(await evening.over(running.id))
    assert evening.face.asked == [], "the host has just decided"


async def test_a_night_ends_early() -> None:
    evening, night = await playing(planned())
    await asyncio.sleep(60)
    await evening.live.step(night.id, HostStep(StepKind.END_EARLY), HOST)
    over = await evening.over(night.id)
    assert len(over.rounds) == 1
    assert is_whole(over)
    assert (over.ended_at or 0) - over.rounds[0].began_at < 5 * MINUTE


async def test_a_thread_that_cannot_be_made_is_tried_again() -> None:
    evening = Evening()
    evening.face.refuses = 3
    night = await evening.night(planned(rounds=1), 8)
    assert is_whole(await evening.over(night.id))
    assert evening.matches() == {Status.OVER: 2}
    assert evening.face.asked == []


async def test_a_thread_that_is_opened_minutes_late_is_found_again() -> None:
    evening = Evening()
    evening.face.hangs = 1
    night = await evening.night(planned(rounds=1), 8)
    running = await evening.until(night.id, begun(1))
    assert (evening.tables.lobbies[2].opened_at - running.rounds[0].began_at) < MINUTE
    assert is_whole(await evening.over(night.id))
    assert (len(evening.face.threads), evening.matches()) == (2, {Status.OVER: 2})


async def test_a_full_disk_delays_the_night_and_repeats_nothing() -> None:
    evening = Evening()
    night = await evening.night(planned(rounds=2, round_minutes=5), 8)
    for pause in (40, 3, 61, 20):
        await evening.until(night.id, lambda night: bool(night.rounds))
        evening.store.failing = True
        await asyncio.sleep(pause)
        evening.store.failing = False
        await asyncio.sleep(pause)
    over = await evening.over(night.id)
    assert is_whole(over)
    assert sum(evening.matches().values()) == 4


@pytest.mark.parametrize("full_s", [0, 4 * 60])
async def test_a_round_is_extended_by_the_length_of_an_outage(full_s: int) -> None:
    """Also where the disk is full when Discord comes back: the night stands still until its round is saved."""
    evening, running = await playing(planned(rounds=1))
    evening.directory.hold([GUILD])
    evening.runner.servers_lost(ServersLost([GUILD]))
    await asyncio.sleep(30 * 60)
    assert evening.now(running.id).rounds[0].called_at is None, "nobody could play meanwhile"
    await evening.directory.resume([GUILD])
    evening.store.failing = bool(full_s)
    evening.runner.servers_reached(ServersReached([GUILD]))
    await asyncio.sleep(full_s)
    evening.store.failing = False
    await asyncio.sleep(RETRY_S)
    ends_at = evening.now(running.id).rounds[0].ends_at
    assert ends_at is not None
    later = ends_at - (running.rounds[0].ends_at or 0)
    assert full_s * 1000 <= later - 30 * MINUTE <= (full_s + RETRY_S) * 1000
    assert is_whole(await evening.over(running.id))


async def test_a_weekly_night_is_planned_again_at_the_same_hour() -> None:
    evening = Evening()
    night = await evening.night(planned(rounds=1, round_minutes=2, is_weekly=True), 4)
    await evening.reviewed(night.id)
    (following,) = evening.live.nights_in(GUILD)
    assert following.plan.starts_at - night.plan.starts_at == 7 * 24 * 60 * MINUTE
    assert (following.number, following.entrants, following.plan.title) == (2, (), night.plan.title)
    assert evening.live.night(night.id) is None, "nothing is left to do for the first one"


async def test_the_next_night_of_a_series_is_announced_below_the_review() -> None:
    evening = Evening()
    evening.face.has_posted = False
    night = await evening.night(planned(rounds=1, round_minutes=2, is_weekly=True), 4)
    await evening.reviewed(night.id)
    assert [one.id for one in evening.live.nights_in(GUILD)] == [night.id]
    evening.face.has_posted = True
    await asyncio.sleep(31)
    (following,) = evening.live.nights_in(GUILD)
    assert following.id != night.id


async def test_an_erased_person_stops_playing_and_has_no_name() -> None:
    evening, first = await playing(planned(rounds=2, round_minutes=3), 9)
    gone = first.rounds[0].tables[0].seats[0] or 0
    await evening.live.forget(100 + gone)
    await evening.live.forget(HOST)
    forgotten = evening.now(first.id)
    assert (forgotten.entrants[gone].user_id, forgotten.entrants[gone].name) == (None, "")
    assert forgotten.host_id is None
    second = await evening.until(first.id, begun(2))
    assert gone not in seated(second, 2)
    assert is_whole(await evening.over(first.id))


async def test_a_friendly_night_is_ranked_nowhere() -> None:
    evening, running = await playing(planned(rounds=1), 4)
    assert table_of(evening, running, 1).lobby.is_ranked is False


async def test_a_change_of_an_unknown_night_is_refused() -> None:
    evening = Evening()
    refused = await evening.live.update(9, lambda night: night)
    assert refused == NightCode.NIGHT_OVER


async def test_too_few_people_cancel_the_night() -> None:
    evening = Evening()
    night = await evening.night(planned(), 2)
    gone = await evening.until(night.id, lambda night: night.is_finished)
    assert gone.status is NightStatus.CANCELLED
    assert evening.matches() == {}


async def test_the_score_of_an_unfinished_table_counts_when_time_is_over() -> None:
    evening, running = await playing(planned(rounds=1, round_minutes=5), 4)
    await asyncio.sleep(2 * 60)
    evening.people.idle = {100, 101, 102, 103}
    table = table_of(evening, running, 1)
    evening.people.closed(TableClosed(table.lobby))
    over = await evening.over(running.id)
    assert result_of(over).kind is ResultKind.TIMED
    called_at = over.rounds[0].called_at
    assert called_at is None or (over.ended_at or 0) <= called_at + 2 * DESERTED_MS
    await asyncio.sleep(1)
    assert evening.directory.table(table.id) is None or table.is_over


@pytest.mark.parametrize("is_said", [True, False], ids=["refused", "no answer"])
async def test_a_night_pauses_and_judges_nothing_when_its_channel_is_gone(is_said: bool) -> None:
    evening = Evening()
    night = await evening.night(planned(KNOCKOUT, round_minutes=20), 8, paired=True)
    evening.face.has_no_place, evening.face.refuses = is_said, 0 if is_said else 10_000
    still = await evening.until(night.id, lambda night: night.is_unplaced)
    ends_at = still.rounds[0].ends_at
    await asyncio.sleep(3600)
    still = evening.now(night.id)
    assert (still.is_unplaced, still.paused_at is not None) == (True, True)
    assert all(table.result is None for table in still.all_tables), "nobody has missed a table"
    assert evening.face.asked == []
    evening.face.has_no_place, evening.face.refuses = False, 0
    going = await evening.until(night.id, lambda night: not night.is_unplaced)
    assert going.paused_at is None, "it goes on by itself"
    assert (going.rounds[0].ends_at or 0) - (ends_at or 0) >= 60 * MINUTE
    assert is_whole(await evening.over(night.id))


async def test_one_table_without_a_channel_pauses_the_running_tables() -> None:
    evening = Evening()
    night = await evening.night(planned(rounds=1), 12)
    evening.face.places = 2
    still = await evening.until(night.id, lambda night: night.is_unplaced)
    await asyncio.sleep(60)
    assert len(evening.now(night.id).paused_table_ids) == 2
    evening.face.places = None
    await evening.live.update(still.id, lambda night: move_to_channel(night, CHANNEL + 1, CHANNEL, LoopClock().now()))
    over = await evening.over(night.id)
    assert is_whole(over)
    assert evening.matches() == {Status.OVER: 3}
    assert (over.plan.channel_id, over.plan.post_channel) == (CHANNEL + 1, CHANNEL)


async def test_tables_for_which_discord_takes_no_thread_yet_open_as_soon_as_it_does() -> None:
    evening = Evening()
    evening.face.most = 3
    night = await evening.night(planned(rounds=1, round_minutes=60), 24)
    some = await evening.until(night.id, lambda night: evening.face.limited_until is not None)
    until = evening.face.limited_until
    assert until is not None
    await asyncio.sleep(15 * 60)
    some = evening.now(night.id)
    assert sum(table.thread_id is not None for table in some.rounds[0].tables) == 3
    opened = await evening.until(night.id, begun(1))
    assert opened.rounds[0].called_at is None
    assert evening.face.limited_until is None
    over = await evening.over(night.id)
    assert evening.face.asked == [], "the host can do nothing about it"
    assert all(table.result and table.result.kind is not ResultKind.FORFEIT for table in over.rounds[0].tables)


async def test_people_who_change_places_while_their_table_opens_sit_where_they_were_put() -> None:
    evening = Evening()
    night = await evening.night(planned(rounds=1), 8)
    begins = await evening.until(night.id, lambda night: bool(night.rounds))
    one, other = (table.seats[0] for table in begins.rounds[0].tables)
    evening.tables.delay = 3.0  # the tables are just being opened
    await asyncio.sleep(1)
    swapped = await evening.live.step(night.id, HostStep(StepKind.SWAP, entrant=one, other=other), HOST)
    assert isinstance(swapped, Night)
    evening.tables.delay = 0.001
    running = await evening.until(night.id, begun(1))
    assert [first_at(evening, running, number) for number in (1, 2)] == [other, one]
    assert is_whole(await evening.over(night.id))
    assert evening.matches()[Status.PLAYING] == 0
