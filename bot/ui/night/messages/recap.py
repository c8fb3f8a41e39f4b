"""The recap of a night: the picture of its end, and the highlights, in words and as a picture."""

from collections.abc import Sequence
from typing import Final

from bot.base.worker_process import Priority, run_in_worker_process
from bot.discord.api import components as c
from bot.discord.api.custom_ids import make_id
from bot.discord.pictures.illustrations import Illustrated
from bot.discord.text.picture_words import alt, day, plain
from bot.discord.text.texts import Texts
from bot.ladder.tally import highlights
from bot.nights.night import Night
from bot.nights.posts import Honour, HonourKind
from bot.nights.results.history import turnout
from bot.nights.results.recap import feat, honours
from bot.nights.results.standings import Standing, standings, winners
from bot.records.archive import Archive
from bot.records.pictures import BoardPicture, BoardRow
from bot.ui.night.board import standing_lines, value_words
from bot.ui.night.verbs import PlayerVerb, button
from bot.ui.night.words import labels_of, names_of, on_day, plain_title, title_of
from bot.ui.table.verbs import TableVerb
from bot.ui.words.table_text import clock

LEADERS: Final = 3
MOST_ROWS: Final = 10
SIGNS: Final = {
    HonourKind.BEST_TABLE: "🥇",
    HonourKind.BEST_BLUFF: "🎭",
    HonourKind.QUICKEST_KEMS: "⚡",
    HonourKind.CLOSEST_CALL: "🏁",
    HonourKind.BIGGEST_CLIMB: "📈",
}


def recap(
    night: Night, found: Sequence[Honour], next_at: int | None, zone: str, texts: Texts, league: str | None = None
) -> Illustrated | None:
    """Return the recap with its picture; None if nobody has played.

    Args:
        night: The night.
        found: Its highlights.
        next_at: The start of the next planned night (milliseconds).
        zone: The time zone of the dates.
        texts: The texts of the night.
        league: The standings of the league.
    """
    lines = standings(night)
    if not any(line.tables for line in lines):
        return None
    layout = recap_screen(night, lines, found, next_at, texts, league)
    if not found:
        return Illustrated(layout)
    feats = tuple(
        BoardRow(
            0,
            labels_of(night, honour.entrants),
            "",
            f"{texts.t(honour.kind.words)} · {_value(honour, texts)}",
            sign=SIGNS[honour.kind],
        )
        for honour in found
    )
    when = f"{plain_title(night.plan)} · {day(night.plan.starts_at, zone, texts)}"
    picture = BoardPicture(texts.t("The night in review"), when, feats)
    sentence = " · ".join(texts.t("{name}: {value}", name=feat.note, value=feat.name) for feat in feats)
    return Illustrated(layout, picture, alt(f"{picture.title}, {picture.subtitle}. {sentence}"))


def recap_screen(
    night: Night,
    lines: Sequence[Standing],
    found: Sequence[Honour],
    next_at: int | None,
    texts: Texts,
    league: str | None = None,
) -> c.Layout:
    """Return the recap in words.

    - `next_at`: the start of the next planned night (milliseconds).
    - `league`: the standings of the league.
    """
    t = texts.t
    feats = [
        f"{SIGNS[honour.kind]} "
        + t(
            "{name}: {value}",
            name=f"**{t(honour.kind.words)}**",
            value=f"{names_of(night, honour.entrants)}, {_value(honour, texts)}",
        )
        for honour in found
    ]
    buttons = [button("🏅 " + t("Standings"), PlayerVerb.STANDINGS, night.id, 0)]
    buttons += (
        c.button(
            f"{SIGNS[honour.kind]} ▶", make_id(table_id, TableVerb.WATCH, honour.kind)
        )  # the kind keeps them apart
        for honour in found
        if (table_id := _match_of(night, honour)) is not None
    )
    leaders = standing_lines(night, lines[:LEADERS], texts)
    parts: list[c.Part] = [c.text(f"## 🌙 {title_of(night.plan)}", t("The night in review"), *leaders)]
    if feats:
        parts.append(c.text(*feats))
    if next_at is not None or league is not None:
        parts.append(c.text(league, None if next_at is None else t("The next night: {when}", when=on_day(next_at))))
    return c.layout(*parts, *c.rows(buttons), colour=c.GOLD)


def films(night: Night, texts: Texts) -> list[c.Part]:
    """Return the highlights of single rounds, each as a line with its film; empty before they are found."""
    filmed = [
        (honour, table_id) for honour in night.honours if honour.match_round and (table_id := _match_of(night, honour))
    ]
    if not filmed:
        return []
    lines = (
        f"{SIGNS[honour.kind]} {names_of(night, honour.entrants)} · {_value(honour, texts)}" for honour, _ in filmed
    )
    buttons = [
        c.button(f"🎞 {SIGNS[honour.kind]}", make_id(table_id, TableVerb.FILM, honour.kind, round=honour.match_round))
        for honour, table_id in filmed
    ]
    return [c.text(*lines), *c.rows(buttons)]


def row_screen(night: Night, row: Sequence[int], next_at: int | None, texts: Texts) -> c.Layout:
    """Return a line about nights without a host: how many people came to the last nights, and when the next one is.

    `row`: how many came to each, oldest first. `next_at`: in milliseconds.
    """
    *former, last = row
    counts = " · ".join((*map(str, former), f"**{last}**"))
    sentence = texts.n("🌙 {title}: {counts} player", "🌙 {title}: {counts} players", last,
                   title=title_of(night.plan), counts=counts)  # fmt: skip
    if next_at is not None:
        sentence += " · " + texts.t("The next night: {when}", when=on_day(next_at))
    return c.layout(c.text(sentence), colour=c.GOLD)


def _match_of(night: Night, honour: Honour) -> int | None:
    if honour.round is None or honour.table is None:
        return None
    return night.rounds[honour.round - 1].tables[honour.table - 1].table_id


def _value(honour: Honour, texts: Texts) -> str:
    match honour.kind:
        case HonourKind.BEST_TABLE:
            return texts.n("{count} point ahead", "{count} points ahead", honour.value)
        case HonourKind.BIGGEST_CLIMB:
            return texts.n(
                "{count} place up since the first round", "{count} places up since the first round", honour.value
            )
        case HonourKind.BEST_BLUFF | HonourKind.QUICKEST_KEMS:
            return clock(honour.value)
        case HonourKind.CLOSEST_CALL:
            return texts.t("{count} ms", count=honour.value)


async def read_honours(archive: Archive, night: Night) -> tuple[Honour, ...]:
    """Return the highlights of a night; its matches are replayed, one after the other.

    Raises:
        StoreError: A match could not be read.
        WorkerProcessError: A match could not be replayed.
    """
    found = list[Honour | None]()
    for each in night.rounds:
        for table in each.tables:
            match = None if table.table_id is None else await archive.read(table.table_id)
            if match is not None and match.events:
                best = await run_in_worker_process(Priority.BATCH, highlights, match.events)
                for kind, highlight in (
                    (HonourKind.BEST_BLUFF, best.bluff),
                    (HonourKind.QUICKEST_KEMS, best.quickest),
                    (HonourKind.CLOSEST_CALL, best.closest),
                ):
                    if highlight is not None:
                        found.append(
                            feat(kind, each.number, table, highlight.seat, highlight.milliseconds, highlight.round)
                        )
    return honours(night, [highlight for highlight in found if highlight is not None])


def end_picture(
    night: Night, standings: Sequence[Standing], zone: str, texts: Texts, most: int | None = MOST_ROWS
) -> BoardPicture | None:
    """Return a picture of the podium, if anybody has won, and of at most `most` places; None if nobody has played.

    `zone`: the time zone of the date.
    """
    lines = [line for line in standings if line.tables][:most]
    if not lines:
        return None
    came, _ = turnout(night)
    when = (
        day(night.plan.starts_at, zone, texts),
        texts.n("{count} player", "{count} players", len(came)),
        texts.n("{count} table", "{count} tables", len(night.all_tables)),
    )
    rows = tuple(_row(night, line, texts) for line in lines)
    return BoardPicture(plain_title(night.plan), " · ".join(when), rows, has_podium=bool(winners(night)))


def _row(night: Night, line: Standing, texts: Texts) -> BoardRow:
    value, _, note = value_words(night, line, texts).partition(" · ")
    only = night.entrants[line.entrants[0]].user_id if len(line.entrants) == 1 else None
    return BoardRow(line.place, labels_of(night, line.entrants), plain(value), plain(note), only)
