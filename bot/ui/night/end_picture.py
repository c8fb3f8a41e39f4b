"""The picture of how a night ended: its podium and the next places."""

from collections.abc import Sequence
from typing import Final

from bot.nights.night import Night
from bot.nights.standings import Standing
from bot.records.pictures import BoardRow, NightPicture
from bot.ui.kit.names import clean
from bot.ui.kit.picture_words import alt, day, plain
from bot.ui.kit.texts import Texts
from bot.ui.night.standings_screen import value_words
from bot.ui.night.words import MAX_TITLE, label_of

MOST_ROWS: Final = 10


def end_picture(night: Night, standings: Sequence[Standing], zone: str, texts: Texts) -> NightPicture | None:
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
    return NightPicture(
        clean(night.plan.title, MAX_TITLE) or "Kem's", when, tuple(_row(night, line, texts) for line in lines)
    )


def end_words(picture: NightPicture) -> str:
    """What the picture shows, for those who do not see it."""
    rows = (f"{row.place}. {row.name} — {row.value} ({row.note})" for row in picture.rows)
    return alt(f"{picture.title}, {picture.subtitle}. {' · '.join(rows)}")


def players_of(night: Night) -> frozenset[int]:
    """The entrants who sat at a table."""
    return frozenset(seat for each in night.rounds for table in each.tables for seat in table.seats if seat is not None)


def _row(night: Night, line: Standing, texts: Texts) -> BoardRow:
    people = [night.entrants[number] for number in line.entrants]
    value, _, note = value_words(night, line, texts).partition(" · ")
    only = people[0].user_id if len(people) == 1 else None
    return BoardRow(line.place, " & ".join(label_of(one) for one in people), plain(value), plain(note), only)
