"""The picture of how a night ended: its podium and the next places."""

from collections.abc import Sequence
from typing import Final

from bot.nights.night import Night
from bot.nights.standings import Standing
from bot.records.pictures import BoardPicture, BoardRow
from bot.ui.kit.names import clean
from bot.ui.kit.picture_words import day, plain
from bot.ui.kit.texts import Texts
from bot.ui.night.public.standings_screen import value_words
from bot.ui.night.words import MAX_TITLE, label_of

MOST_ROWS: Final = 10


def end_picture(night: Night, standings: Sequence[Standing], zone: str, texts: Texts) -> BoardPicture | None:
    """None where nobody has played."""
    lines = [line for line in standings if line.tables][:MOST_ROWS]
    if not lines:
        return None
    n = texts.n
    when = " · ".join(
        (
            day(night.plan.starts_at, zone, texts),
            n("{count} player", "{count} players", len(players_of(night))),
            n("{count} table", "{count} tables", sum(len(each.tables) for each in night.rounds)),
        )
    )
    title = clean(night.plan.title, MAX_TITLE) or "Kem's"
    return BoardPicture(title, when, tuple(_row(night, line, texts) for line in lines), has_podium=True)


def players_of(night: Night) -> frozenset[int]:
    """The entrants who sat at a table."""
    return frozenset(seat for each in night.rounds for table in each.tables for seat in table.seats if seat is not None)


def _row(night: Night, line: Standing, texts: Texts) -> BoardRow:
    people = [night.entrants[number] for number in line.entrants]
    value, _, note = value_words(night, line, texts).partition(" · ")
    only = people[0].user_id if len(people) == 1 else None
    return BoardRow(line.place, " & ".join(label_of(one) for one in people), plain(value), plain(note), only)
