"""What one player's matches add up to, and the course of the rating: a picture, and the same in words."""

from collections.abc import Sequence

from bot.ladder.seasons import Season
from bot.ladder.tally import SeatTally
from bot.records.history import Mate, PlayerStats
from bot.records.pictures import BoardPicture, BoardRow, Curve
from bot.ui.kit.components import TEAL, Layout, layout, text
from bot.ui.kit.names import called, clean, defuse
from bot.ui.kit.picture_words import alt, day, plain, rows_words
from bot.ui.kit.texts import Texts
from bot.ui.ladder.leaderboard import season_name
from bot.ui.words.table_text import clock

_MAX_FIGURE = 80  # characters of a figure's name, with a player's in it


def stats_panel(picture: BoardPicture, nights: Sequence[str] = ()) -> Layout:
    """The figures, which the picture replaces; `nights` are lines about a person's game nights."""
    figures = (
        f"{row.sign} **{defuse(row.name, _MAX_FIGURE)}** {row.value}{f' · {row.note}' if row.note else ''}"
        for row in picture.rows
    )
    heading = text(f"## 📊 {called(picture.title)}", f"-# {defuse(picture.subtitle, _MAX_FIGURE)}")
    return layout(heading, text(*figures), *([text(*nights)] if nights else []), colour=TEAL)


def stats_picture(stats: PlayerStats, season: Season | None, zone: str, texts: Texts) -> BoardPicture:
    """A player's figures, and the course of the rating from the second ranked match on. Days are those of the zone."""
    when = texts.t("All seasons") if season is None else plain(season_name(season, texts))
    return BoardPicture(clean(stats.name) or "?", when, _figures(stats, texts), curve=_curve(stats, zone, texts))


def stats_words(picture: BoardPicture, texts: Texts) -> str:
    """The same for those who do not see it."""
    if picture.curve is None:
        return rows_words(picture)
    values = picture.curve.values
    ends = {"first": values[0], "since": picture.curve.first, "last": values[-1], "until": picture.curve.last}
    extremes = {"highest": max(values), "lowest": min(values)}
    course = texts.t(
        "From {first} ({since}) to {last} ({until}); highest {highest}, lowest {lowest}.", **ends, **extremes
    )
    return alt(f"{rows_words(picture)}. {course}")


def _curve(stats: PlayerStats, zone: str, texts: Texts) -> Curve | None:
    if len(stats.course) < 2 or stats.ranked < 2:
        return None
    first, last = (day(stats.course[end].at, zone, texts) for end in (0, -1))
    return Curve(tuple(point.value for point in stats.course), first, last)


def _figures(stats: PlayerStats, texts: Texts) -> tuple[BoardRow, ...]:
    t, n, tally = texts.t, texts.n, stats.tally
    rating, streak = stats.rating, stats.streak
    if rating is None:
        rated = _figure("📈", t("Rating"), "—", [t("no ranked match")])
    else:
        rated = _figure("📈", t("Rating"), str(rating.value), [t("provisional")] if rating.is_provisional else [])
    matches = [
        n("{count} ranked", "{count} ranked", stats.ranked),
        t("{percent} % won", percent=round(100 * stats.wins / stats.matches)),
    ]
    if stats.draws:
        matches.append(t("{count} level", count=stats.draws))
    figures = [rated, _figure("🎴", t("Matches"), str(stats.matches), matches)]
    if streak or stats.best_streak:
        best = [t("at best {count} won in a row", count=stats.best_streak)] if stats.best_streak else []
        running = t("lost in a row") if streak < 0 else t("won in a row")
        figures.append(_figure("🔥", t("Streaks"), str(abs(streak)), [*([running] if streak else []), *best]))
    figures += _calls(tally, texts)
    if stats.partner is not None:
        won = t("won {count} of {matches}", count=stats.partner.count, matches=stats.partner.matches)
        figures.append(_mate("🤝", t("Best partner: {name}", name=_name(stats.partner)), stats.partner, won))
    if stats.opponent is not None:
        lost = t("lost {count} of {matches}", count=stats.opponent.count, matches=stats.opponent.matches)
        figures.append(_mate("⚔️", t("Fiercest opponent: {name}", name=_name(stats.opponent)), stats.opponent, lost))
    return tuple(figures)


def _mate(sign: str, name: str, mate: Mate, note: str) -> BoardRow:
    return _figure(sign, name, f"{round(100 * mate.count / mate.matches)} %", [note])


def _name(mate: Mate) -> str:
    return clean(mate.name) or "?"


def _calls(tally: SeatTally, texts: Texts) -> list[BoardRow]:
    t, n = texts.t, texts.n
    kems = []
    if tally.doubles:
        kems.append(n("{count} double", "{count} doubles", tally.doubles))
    if tally.kems:
        kems.append(t("after {time} on average", time=clock(tally.kems_ms // tally.kems)))
    if tally.false_calls:
        kems.append(n("{count} false call", "{count} false calls", tally.false_calls))
    counters = [
        n("{count} false", "{count} false ones", tally.false_counters),
        n("caught {count} time", "caught {count} times", tally.caught),
    ]
    bluffs = [n("provoked {count} false counter", "provoked {count} false counters", tally.baits)]
    return [
        _figure("🔔", t("Kem's"), str(tally.kems), kems),
        _figure("✋", t("Counters"), str(tally.counters), counters),
        _figure("🎭", t("Bluffs"), str(tally.bluffs), bluffs),
    ]


def _figure(sign: str, name: str, value: str, notes: Sequence[str]) -> BoardRow:
    return BoardRow(0, name, value, " · ".join(notes), sign=sign)
