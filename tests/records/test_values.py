"""What records say of people, presses and pictures: who is counted, who is shown, until when."""

import json
from dataclasses import replace

import pytest

from bot.base.times import DAY_MS
from bot.game.rules.presets import CLASSIC
from bot.ladder.seasons import Season
from bot.records.archive import PastMatch
from bot.records.history import (
    FIRST,
    MATCH_COLUMNS,
    MOST_LATEST,
    MOST_POINTS,
    MOST_SOURCES,
    BoardLine,
    HistoryPage,
    MatchRecord,
    PageNumber,
    ResultRecord,
    SeatRecord,
    VoidRecord,
)
from bot.records.league import page_of
from bot.records.personal_data import as_file
from bot.records.pictures import (
    AnimatedSeat,
    AnimationFrame,
    BoardPicture,
    BoardRow,
    MatchPicture,
    RoundAnimation,
    RunningTable,
    TeamColumn,
    Theme,
    avatar_user_ids,
    with_avatars,
)
from bot.records.player import GUIDED_MATCHES, HelpLevel, HelpSetting, Player
from bot.records.press_notes import KEPT_MS, PressNote, first_id
from bot.records.seasons import Champion, EndedSeason

NOON = 1_800_000_000_000
LEA, BRUNO = 5, 6
MATCH = MatchRecord(
    id=12,
    guild_id=7,
    channel_id=8,
    rules=CLASSIC,
    is_ranked=True,
    seats=(SeatRecord(0, 0, "Léa", LEA), SeatRecord(1, 1, "Zoé", None), SeatRecord(2, 0, "Bruno", BRUNO)),
    result=ResultRecord(0, (10, 4), (1, 0), 9, NOON, 3),
    void=None,
)


def test_robots_and_erased_players_are_not_among_the_people_of_a_match() -> None:
    assert MATCH.user_ids == {LEA, BRUNO}
    assert (MATCH.losers, MATCH.is_broken_off) == ((), False)


def test_later_matches_come_first_and_at_equal_ends_the_one_started_later() -> None:
    later = replace(MATCH, result=replace(MATCH.result, ended_at=NOON + 1), id=1)
    assert sorted([MATCH, replace(MATCH, id=13), later], key=lambda match: match.key) == [
        MATCH,
        replace(MATCH, id=13),
        later,
    ]


@pytest.mark.parametrize(
    ("match", "words"),
    [
        (MATCH, ["ranked"]),
        (replace(MATCH, is_ranked=False, is_broken_off=True), ["friendly", "broken off"]),
        (replace(MATCH, void=VoidRecord(12, LEA, "", NOON)), ["ranked", "**void**"]),
    ],
)
def test_the_description_of_a_match_includes_its_special_features(match: MatchRecord, words: list[str]) -> None:
    said = [column.words.get(column.value(match)) for column in MATCH_COLUMNS if column.words]
    assert [word for word in said if word is not None] == words
    values = {column.name: column.value(match) for column in MATCH_COLUMNS}
    assert (values["match"], values["ended_at"], values["rules"], values["rounds"]) == (12, NOON, "classic", 9)


def test_the_default_page_is_the_first_and_line_keys_are_value_and_people() -> None:
    assert PageNumber(1) == FIRST
    assert not HistoryPage((), has_before=False, has_after=False).is_clamped
    assert BoardLine(1, 1200, (LEA, BRUNO), ("Léa", "Bruno"), 9, 4).key == (1200, LEA, BRUNO)


def test_a_panel_has_room_for_five_sources_eight_matches_and_a_curve_of_two_hundred_points() -> None:
    assert (MOST_SOURCES, MOST_LATEST, MOST_POINTS) == (5, 8, 200)


def test_the_last_page_of_a_list_has_no_next_page() -> None:
    lines = [BoardLine(place, 99 - place, (place,), ("P",), 1, 0) for place in range(1, 21)]
    first, last = (page_of(lines, PageNumber(page)) for page in (1, 2))
    assert [(page.has_before, page.has_after) for page in (first, last)] == [(False, True), (True, False)]


def test_a_press_note_has_the_time_of_its_press_and_is_kept_for_two_days() -> None:
    note = PressNote(first_id(NOON) + 4_194_303, LEA, 7, 0, "put", "answered", "", 12)
    assert note.at == NOON
    assert replace(note, press_id=note.press_id + 1).at == NOON + 1
    assert first_id(0) == 0, "before Discord there were no ids"
    assert KEPT_MS == 2 * DAY_MS


def test_a_player_was_replaced_between_each_start_and_end_of_a_substitution() -> None:
    player = Player("Léa", LEA, handover_times=(1000, 2000, 5000))
    assert [player.was_replaced(at) for at in (999, 1000, 1999, 2000, 5000)] == [False, True, True, False, True]
    assert player == Player("Léa", LEA), "it is the same player"
    assert PastMatch(1, Theme.FRENCH, (player, Player("Zoé")), ()).handovers == ((1000, 2000, 5000), ())
    assert (player.is_robot, Player("Zoé").is_robot) == (False, True)
    assert not (player.is_away)
    assert not (player.is_open)
    assert not (player.has_no_marks)
    assert not (player.is_first_unguided)


def test_a_robot_plays_its_own_seat_and_those_of_absent_players() -> None:
    players = (Player("Léa", LEA), Player("Léa", LEA, is_away=True), Player("Zoé"), Player("Zoé", is_away=True))
    assert [player.is_played_by_robot for player in players] == [False, True, True, True]


def test_the_naked_eye_level_marks_nothing_and_the_first_two_matches_are_guided() -> None:
    assert [level.marks for level in HelpLevel] == [True, True, False]
    assert GUIDED_MATCHES == 2
    helped = Player("Léa", LEA).with_help(HelpSetting(HelpLevel.NORMAL, is_first_unguided=True))
    assert (helped.help_level, helped.is_first_unguided) == (HelpLevel.NORMAL, True)
    assert not HelpSetting(HelpLevel.GUIDED).is_first_unguided


ROWS = (BoardRow(1, "Léa", "10", user_id=LEA), BoardRow(2, "Zoé", "9"), BoardRow(3, "Bruno", "8", user_id=BRUNO))
PODIUM = BoardPicture("", "", ROWS, has_podium=True)
TEAMS = MatchPicture("", "", (TeamColumn("A", ("Léa", "Zoé"), (1,), is_winner=True, user_ids=(LEA, None)),))
FILM = RoundAnimation("", Theme.FRENCH, (), (AnimatedSeat("Léa", 0, LEA), AnimatedSeat("Zoé", 1)), ())


def test_podiums_matches_and_films_show_the_avatars_of_their_people() -> None:
    assert avatar_user_ids(PODIUM) == {LEA, BRUNO}
    assert avatar_user_ids(TEAMS) == avatar_user_ids(FILM) == {LEA}
    avatars = {LEA: b"lea", 99: b"a stranger"}
    podium, teams, film = (with_avatars(picture, avatars) for picture in (PODIUM, TEAMS, FILM))
    assert isinstance(podium, BoardPicture)
    assert isinstance(teams, MatchPicture)
    assert isinstance(film, RoundAnimation)
    assert [row.avatar for row in podium.rows] == [b"lea", None, None]
    assert teams.teams[0].portraits == [("Léa", b"lea"), ("Zoé", None)]
    assert TEAMS.teams[0].portraits == [("Léa", None), ("Zoé", None)]
    assert [seat.avatar for seat in film.seats] == [b"lea", None]


def test_a_plain_board_and_a_running_table_show_no_avatar() -> None:
    for picture in (replace(PODIUM, has_podium=False), BoardPicture("", "", ROWS), RunningTable(
        Theme.FRENCH, (), (), (), ()
    )):  # fmt: skip
        assert avatar_user_ids(picture) == frozenset()
        assert with_avatars(picture, {LEA: b"lea"}) is picture


def test_a_frame_of_a_film_lasts_nearly_a_second() -> None:
    assert AnimationFrame("", "", (), ()).milliseconds == 900


def test_an_export_is_one_document_in_the_order_of_its_parts() -> None:
    stored = {"user_id": "5", "names": ["Léa"], "is_hidden": False}
    written = b"".join(part() for part in as_file(stored))
    assert list(json.loads(written).items()) == list(stored.items())


def test_by_default_an_ended_season_is_unchanged_and_a_role_belongs_to_a_season() -> None:
    assert EndedSeason(7, Season(3, 0, NOON)).changes == 0
    assert not Champion(7, LEA, 9).is_of_night
