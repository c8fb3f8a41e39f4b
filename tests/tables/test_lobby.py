"""Lobbies as values, and the directory that keeps them."""

import asyncio
from dataclasses import replace

import pytest

from bot.base.errors import StoreError
from bot.game.rules.house_rules import RulesError, changes, read_rules
from bot.ladder.seasons import Eligibility
from bot.records.player import Player
from bot.robots import RobotLevel
from bot.tables.lobbies import MOST_HOSTED, MOST_PLAYED
from bot.tables.lobby.lobby import Lobby, Status
from bot.tables.lobby.refusals import LobbyCode, LobbyRefusal
from bot.tables.lobby.table_channel import TableChannel
from bot.tables.match.table import Table
from bot.tables.match.table_actions import Pause, Refused
from bot.tables.seating import BreakOff
from bot.tables.servers.bans import BannedError
from tests.tables.fakes import HERE, PEOPLE, MemoryStore, World, a_lobby, classic, ok

OPEN = Lobby(
    1, HERE, 100, classic(), 4, (PEOPLE[0], None, None, None), has_random_teams=False, locale="fr", opened_at=0
)
FULL = replace(OPEN, players=PEOPLE)


def refused(code: LobbyCode) -> LobbyRefusal:
    return LobbyRefusal(code)


def names(lobby: Lobby | LobbyRefusal) -> list[str | None]:
    return [player.name if player else None for player in lobby.players]


def test_join_takes_the_first_free_seat_once() -> None:
    joined = OPEN.join(PEOPLE[1])
    assert names(joined) == ["Ana", "Bruno", None, None]
    assert OPEN.join(PEOPLE[0]) == refused(LobbyCode.ALREADY_SEATED)
    assert FULL.join(Player("Eva", 7)) == refused(LobbyCode.TABLE_FULL)


def test_a_host_who_leaves_hands_over_and_the_last_one_cancels() -> None:
    left = ok(FULL.leave(100))
    assert (left.host_id, names(left)) == (101, [None, "Bruno", "Chloé", "Dora"])
    alone = ok(OPEN.join(Player("Zoé")))
    gone = ok(alone.leave(100))
    assert gone.status is Status.CANCELLED
    assert OPEN.leave(5) == refused(LobbyCode.NOT_SEATED)


def test_robots_play_at_the_table_s_level_or_at_one_of_their_own() -> None:
    seated = ok(OPEN.join(Player("Zoé")))
    seated = ok(seated.join(Player("Hugo", robot_level=RobotLevel.MASTER)))
    assert [seated.level_of(seat) for seat in (1, 2, 3)] == [RobotLevel.REGULAR, RobotLevel.MASTER, RobotLevel.REGULAR]
    eased = ok(seated.set_robot_level(RobotLevel.BEGINNER))
    assert {eased.level_of(seat) for seat in range(4)} == {RobotLevel.BEGINNER}
    over = replace(seated, status=Status.OVER)
    again = ok(over.rematch())
    assert again.level_of(2) is RobotLevel.MASTER


def test_robots_are_added_and_removed() -> None:
    one = ok(OPEN.join(Player("Zoé")))
    assert one.robot_seats() == (1,)
    assert names(one.remove_robot()) == ["Ana", None, None, None]
    assert OPEN.remove_robot() == refused(LobbyCode.NO_ROBOT)


def test_teams_are_no_longer_random_once_two_seats_were_exchanged() -> None:
    drawn = ok(replace(OPEN, has_random_teams=True))
    moved = ok(drawn.swap(0, 1))
    assert (names(moved), moved.has_random_teams) == ([None, "Ana", None, None], False)
    assert names(FULL.swap(1, 2)) == [names(FULL)[seat] for seat in (0, 2, 1, 3)]
    assert OPEN.swap(0, 4) == OPEN.swap(-1, 0) == refused(LobbyCode.UNKNOWN_SEAT)


@pytest.mark.parametrize(
    ("players", "other", "beside"),
    [
        ("Ana Bruno - -", 1, "Ana - Bruno -"),
        ("Ana Bruno Zoé Hugo", 1, "Ana Zoé Bruno Hugo"),
        ("Ana Bruno Chloé Dora", 3, "Ana Bruno Dora Chloé"),
        ("Ana Bruno Chloé Dora", 2, "Ana Bruno Chloé Dora"),
        ("Ana Bruno Chloé Zoé Hugo Dora", 5, "Ana Bruno Chloé Zoé Dora Hugo"),
    ],
)
def test_a_player_moves_into_the_team_of_another_player(players: str, other: int, beside: str) -> None:
    """On a free seat of the team if there is one, then in a robot's place."""
    seated = [
        None if name == "-" else Player(name, None if name in ("Zoé", "Hugo") else 100 + seat)
        for seat, name in enumerate(players.split())
    ]
    rules = classic(team_size=3) if len(seated) == 6 else classic()
    drawn = replace(OPEN, rules=rules, size=len(seated), players=tuple(seated), has_random_teams=True)
    moved = ok(drawn.sit_beside(0, other))
    assert ([name or "-" for name in names(moved)], moved.has_random_teams) == (beside.split(), False)
    assert drawn.sit_beside(0, 9) == refused(LobbyCode.UNKNOWN_SEAT)


async def test_robots_take_the_free_seats_at_the_start_or_nobody_does() -> None:
    world = World()
    opened = ok(await world.directory.lobbies.open(a_lobby(size=6)))
    assert await world.directory.start(opened.id, by=100) == refused(LobbyCode.SEATS_FREE)
    await world.directory.lobbies.update(opened.id, Lobby.propose_vote)
    refusal = await world.directory.start(opened.id, by=100, fills=True)
    assert isinstance(refusal, LobbyRefusal)
    assert (refusal.code, world.directory.open_lobbies()[0].robot_seats()) == (LobbyCode.VOTE_RUNNING, ())
    await world.directory.lobbies.update(opened.id, Lobby.withdraw_vote)
    table = await world.directory.start(opened.id, by=100, fills=True)
    assert not isinstance(table, LobbyRefusal)
    assert len({player.name for player in table.lobby.players if player}) == 6
    assert len(table.lobby.robot_seats()) == 5


async def test_a_table_that_cannot_be_played_is_not_opened() -> None:
    with pytest.raises(RulesError, match="players"):
        await World().directory.lobbies.open(a_lobby(size=5))


async def opened_by(world: World, user_id: int, guild_id: int = 1) -> Lobby | LobbyRefusal:
    return await world.directory.lobbies.open(a_lobby(Player("Ana", user_id), place=TableChannel(guild_id, 2)))


async def test_a_banned_person_neither_opens_a_table_nor_sits_down() -> None:
    world = World()
    world.bans.banned.add(PEOPLE[1].user_id or 0)
    with pytest.raises(BannedError):
        await world.directory.lobbies.open(a_lobby(PEOPLE[1]))
    with pytest.raises(BannedError):
        await world.directory.lobbies.open(ok(a_lobby(PEOPLE[0]).join(PEOPLE[1])))
    assert world.directory.open_lobbies() == ()
    opened = ok(await world.directory.lobbies.open(a_lobby(PEOPLE[0])))
    with pytest.raises(BannedError):
        await world.directory.lobbies.update(opened.id, lambda now: now.join(PEOPLE[1]))


async def test_one_person_has_five_open_lobbies_in_a_server_at_most() -> None:
    world = World()
    asked = await asyncio.gather(*(opened_by(world, 100) for _ in range(40)))
    lobbies = [lobby for lobby in asked if isinstance(lobby, Lobby)]
    assert len(lobbies) == len(world.directory.open_lobbies()) == len(world.store.lobbies) == MOST_HOSTED
    await world.directory.move(lobbies[0].id, HERE)
    places = tuple(lobby.place for lobby in world.directory.open_lobbies())
    assert await opened_by(world, 100) == LobbyRefusal(LobbyCode.TOO_MANY, places=places)
    assert HERE in places, "with the message to which the sentence links"
    assert isinstance(await opened_by(world, 101), Lobby)
    assert isinstance(await opened_by(world, 100, guild_id=9), Lobby)


async def test_one_person_sits_in_five_matches_of_their_own_at_most_however_many_are_paused() -> None:
    world = World()
    for _ in range(MOST_PLAYED):
        table = await world.directory.start(ok(await opened_by(world, 100)).id, fills=True)
        assert isinstance(table, Table)
        assert not isinstance(await table.submit(Pause(at_any_time=True)), Refused)
    refusal = await opened_by(world, 100)
    assert isinstance(refusal, LobbyRefusal)
    assert (refusal.code, len(refusal.places)) == (LobbyCode.TOO_MANY_MATCHES, MOST_PLAYED)
    assert isinstance(await opened_by(world, 101), Lobby)
    assert isinstance(await opened_by(world, 100, guild_id=9), Lobby)
    await world.directory.remove_match(table.id, BreakOff())
    assert isinstance(await opened_by(world, 100), Lobby)


@pytest.mark.parametrize("way_out", ["cancel", "leave", "start"])
async def test_a_host_who_closes_or_starts_a_lobby_may_open_another(way_out: str) -> None:
    world = World()
    for _ in range(MOST_HOSTED):
        lobby = await opened_by(world, 100)
    if way_out == "start":
        for name in ("Zoé", "Hugo", "Noé"):
            await world.directory.lobbies.update(lobby.id, lambda present, name=name: present.join(Player(name)))
        assert not isinstance(await world.directory.start(lobby.id), LobbyRefusal)
    else:
        close = (
            (lambda open_: open_.closed(Status.CANCELLED)) if way_out == "cancel" else lambda open_: open_.leave(100)
        )
        await world.directory.lobbies.update(lobby.id, close)
    assert isinstance(await opened_by(world, 100), Lobby)
    assert isinstance(await opened_by(world, 100), LobbyRefusal)


async def test_a_failed_opening_does_not_count_as_an_open_lobby() -> None:
    world = World(MemoryStore(failing=True))
    for _ in range(MOST_HOSTED):
        with pytest.raises(StoreError):
            await opened_by(world, 100)
    world.store.failing = False
    assert isinstance(await opened_by(world, 100), Lobby)


async def test_an_expired_lobby_counts_when_it_is_opened_again_and_a_running_match_does_not() -> None:
    world = World(lobby_minutes=60)
    expired = ok(await opened_by(world, 100))
    await asyncio.sleep(3601)
    table = await world.table()
    world.store.lobbies[table.id] = table.lobby = replace(table.lobby, status=Status.OVER)
    for _ in range(MOST_HOSTED):
        await opened_by(world, 100)
    refused_again = await world.directory.rematches.reopen(expired.place.guild_id, expired.id, PEOPLE[0], 2)
    assert refused_again.code is LobbyCode.TOO_MANY
    assert isinstance(await world.directory.rematches.reopen(expired.place.guild_id, expired.id, PEOPLE[1], 2), Lobby)
    assert isinstance(await world.directory.rematches.shuffle(table.lobby.place.guild_id, table.id, 101), Lobby)


async def test_the_last_seat_is_given_to_one_player() -> None:
    world = World()
    lobby = await world.lobby(people=PEOPLE[:3])
    late = (Player("Dora", 103), Player("Eva", 104))
    answers = await asyncio.gather(
        *(
            world.directory.lobbies.update(lobby.id, lambda current, player=player: current.join(player))
            for player in late
        )
    )
    assert answers[1] == refused(LobbyCode.TABLE_FULL)
    assert world.directory.lobby(lobby.id) == answers[0] == world.store.lobbies[lobby.id]


async def test_a_change_that_is_not_saved_has_not_happened() -> None:
    world = World()
    lobby = await world.lobby()
    world.store.failing = True
    with pytest.raises(StoreError):
        await world.directory.lobbies.update(lobby.id, lambda current: current.leave(101))
    with pytest.raises(StoreError):
        await world.directory.start(lobby.id)
    assert world.directory.lobby(lobby.id) == lobby
    assert world.directory.table(lobby.id) is None


async def test_start_pressed_twice_starts_once() -> None:
    world = World()
    lobby = await world.lobby()
    answers = await asyncio.gather(world.directory.start(lobby.id), world.directory.start(lobby.id))
    assert isinstance(answers[0], Table)
    assert answers[1] == refused(LobbyCode.NOT_OPEN)
    assert await world.directory.lobbies.update(lobby.id, lambda current: current.leave(101)) == refused(
        LobbyCode.NOT_OPEN
    )
    assert await world.directory.start(99) == refused(LobbyCode.UNKNOWN_TABLE)
    assert len(world.store.logs[lobby.id]) == 1


async def test_people_change_seats_for_random_teams_but_not_for_chosen_ones() -> None:
    seatings = set()
    for seed in range(8):
        world = World(seed=seed)
        lobby = await world.lobby()
        await world.directory.lobbies.update(lobby.id, lambda current: replace(current, has_random_teams=True))
        table = await world.directory.start(lobby.id)
        assert set(table.lobby.players) == set(PEOPLE)
        seatings.add(table.lobby.players)
        kept = await World(seed=seed).table()
        assert kept.lobby.players == PEOPLE
    assert len(seatings) > 3


async def test_cancelled_lobbies_are_forgotten_and_open_ones_come_back() -> None:
    world = World()
    first, second = await world.lobby(), await world.lobby(people=PEOPLE[:2])
    await world.directory.lobbies.update(first.id, lambda current: current.closed(Status.CANCELLED))
    assert world.directory.lobby(first.id) is None
    again = await world.restarted()
    assert again.directory.open_lobbies() == (second,)


async def test_a_table_is_found_by_its_message() -> None:
    world = World()
    table = await world.table()
    thread = TableChannel(guild_id=1, channel_id=20, message_id=30)
    await world.directory.move(table.id, thread)
    for directory in (world.directory, (await world.restarted()).directory):
        found = directory.lobby_in(20)
        assert found.place == thread
        assert directory.lobby_in(2) is None


def test_the_rules_change_and_the_people_stay() -> None:
    played = ok(FULL.play_by(classic(target=12), "Jeudi"))
    assert played == replace(FULL, rules=classic(target=12), rule_set="Jeudi")
    again = ok(played.play_by(classic(target=12)))
    assert again.rule_set is None
    for bad in (classic(win_by=11), classic(team_size=3)):
        with pytest.raises(RulesError):
            FULL.play_by(bad)


def test_more_seats_keep_people_in_their_teams() -> None:
    six = ok(replace(FULL, rule_set="Jeudi").resize(6))
    assert (six.size, six.teams, six.rule_set) == (6, 3, "Jeudi")
    assert names(six) == ["Ana", "Bruno", None, "Chloé", "Dora", None]
    back = ok(six.resize(4))
    assert back.players == FULL.players
    eight = ok(FULL.resize(8))
    assert changes(eight.rules) == {"deck": "52"}, "32 cards are too few"
    assert ok(eight.resize(4)) == FULL, "nobody has chosen 52 cards"
    with pytest.raises(RulesError, match="5 players cannot form equal teams"):
        FULL.resize(5)


def test_a_number_of_players_that_the_preset_does_not_know_is_a_house_rule() -> None:
    lobby = replace(FULL, rules=classic(deck="52"), rule_set="Jeudi")
    ten = ok(lobby.resize(10))
    assert (ten.size, ten.teams, ten.rule_set) == (10, 5, None)
    assert changes(ten.rules) == {"deck": "52", "players": "10"}
    assert ten.eligibility is not Eligibility.RANKED
    four = ok(ten.resize(4))
    assert changes(four.rules) == {}, "ten need 52 cards, four do not"


def test_rules_for_one_number_of_players_bring_as_many_seats() -> None:
    six = ok(FULL.play_by(read_rules("escale players=6")))
    assert (six.size, six.teams) == (6, 3)
    several = ok(FULL.play_by(read_rules("escale players=4,6")))
    assert several.size == 4
    with pytest.raises(RulesError, match="for 4 players, not 6"):
        six.play_by(read_rules("escale"))


def test_seats_are_taken_away_when_enough_are_free() -> None:
    three = replace(OPEN, players=(PEOPLE[0], None, PEOPLE[2], None))
    two = three.resize(2)
    assert names(two) == ["Ana", "Chloé"], "one of a team that has one seat only moves to the other"
    assert FULL.resize(2) == refused(LobbyCode.SEATS_TAKEN)
    six = replace(FULL, rules=classic(deck="52"), size=6, players=(*PEOPLE, None, None))
    four = ok(six.resize(4))
    assert names(four) == ["Ana", "Bruno", "Dora", "Chloé"], "the third team is gone, its people fill up the others"


def test_teams_of_three_move_people_once() -> None:
    six = replace(OPEN, size=6, players=(*PEOPLE, None, None))
    threes = ok(six.play_by(classic(team_size=3)))
    assert threes.teams == 2
    assert sorted(name for name in names(threes) if name) == ["Ana", "Bruno", "Chloé", "Dora"]
    assert threes.players[0] == PEOPLE[0]


def test_a_rematch_leaves_out_erased_people() -> None:
    gone = Player("", None)
    over = replace(FULL, players=(gone, *PEOPLE[1:]), host_id=0, status=Status.OVER)
    again = over.rematch()
    assert names(again) == [None, "Bruno", "Chloé", "Dora"]
    assert again.host_id == PEOPLE[1].user_id
    assert replace(over, players=(gone,) * 4).rematch() == refused(LobbyCode.UNKNOWN_TABLE)


async def test_the_newest_table_of_a_channel_is_found() -> None:
    world = World()
    assert world.directory.lobby_in(HERE.channel_id) is None
    await world.lobby()
    young = await world.lobby()
    assert world.directory.lobby_in(HERE.channel_id) == young
    table = await world.table()
    assert world.directory.lobby_in(HERE.channel_id) == table.lobby
    assert world.directory.lobby_in(77) is None
