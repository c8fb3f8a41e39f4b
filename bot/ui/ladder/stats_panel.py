"""What one player's matches add up to, in words; the course of the rating as a picture, too."""

from collections.abc import Sequence

from bot.ladder.seasons import Season
from bot.records.history import Mate, PlayerStats, ShownRating
from bot.records.pictures import CurvePicture
from bot.ui.kit.components import TEAL, Layout, layout, text
from bot.ui.kit.names import clean, defuse
from bot.ui.kit.picture_words import alt, day, plain
from bot.ui.kit.texts import Texts
from bot.ui.ladder.leaderboard import season_name
from bot.ui.words.table_text import clock


def stats_panel(stats: PlayerStats, season: Season | None, texts: Texts, nights: Sequence[str] = ()) -> Layout:
    """`nights` are lines about a person's game nights."""
    t = texts.t
    when = t("All seasons") if season is None else season_name(season, texts)
    mates = []
    if stats.partner is not None:
        mates.append(t("**Best partner** {name}: won {count} of {matches}", **_of(stats.partner)))
    if stats.opponent is not None:
        mates.append(t("**Fiercest opponent** {name}: lost {count} of {matches}", **_of(stats.opponent)))
    calls = _calls(stats, texts)
    return layout(
        text(f"## 📊 {defuse(stats.name) or f'<@{stats.user_id}>'}", f"-# {when}"),
        text(_rating(stats.rating, texts), _matches(stats, texts), _streaks(stats, texts), *calls, *mates, *nights),
        colour=TEAL,
    )


def curve_picture(stats: PlayerStats, season: Season | None, zone: str, texts: Texts) -> CurvePicture | None:
    """The course of a rating; None before the second ranked match. Days are those of the time zone."""
    if len(stats.course) < 2 or stats.ranked < 2:
        return None
    when = texts.t("All seasons") if season is None else plain(season_name(season, texts))
    first, last = (day(stats.course[end].at, zone, texts) for end in (0, -1))
    values = tuple(point.value for point in stats.course)
    return CurvePicture(clean(stats.name) or "?", f"{texts.t('Rating')} · {when}", values, first, last)


def curve_words(picture: CurvePicture | None, texts: Texts) -> str:
    if picture is None:
        return ""
    values = picture.values
    ends = {"first": values[0], "since": picture.first, "last": values[-1], "until": picture.last}
    extremes = {"highest": max(values), "lowest": min(values)}
    course = texts.t(
        "From {first} ({since}) to {last} ({until}); highest {highest}, lowest {lowest}.", **ends, **extremes
    )
    return alt(f"{picture.title}, {picture.subtitle}. {course}")


def _rating(rating: ShownRating | None, texts: Texts) -> str:
    if rating is None:
        return texts.t("**Rating** none yet: no ranked match")
    if rating.is_provisional:
        return texts.t("**Rating** {rating} (provisional)", rating=rating.value)
    return texts.t("**Rating** {rating}", rating=rating.value)


def _matches(stats: PlayerStats, texts: Texts) -> str:
    t, n = texts.t, texts.n
    told = [
        n("{count} played", "{count} played", stats.matches),
        n("{count} ranked", "{count} ranked", stats.ranked),
        t("{percent} % won", percent=round(100 * stats.wins / stats.matches)),
    ]
    if stats.draws:
        told.append(t("{count} level", count=stats.draws))
    return t("**Matches** {told}", told=" · ".join(told))


def _streaks(stats: PlayerStats, texts: Texts) -> str | None:
    told = []
    if stats.streak > 0:
        told.append(texts.n("{count} won in a row", "{count} won in a row", stats.streak))
    elif stats.streak < 0:
        told.append(texts.n("{count} lost in a row", "{count} lost in a row", -stats.streak))
    if stats.best_streak:
        told.append(texts.t("at best {count} won in a row", count=stats.best_streak))
    return texts.t("**Streaks** {told}", told=" · ".join(told)) if told else None


def _calls(stats: PlayerStats, texts: Texts) -> list[str]:
    t, n, tally = texts.t, texts.n, stats.tally
    kems = [n("{count} called or held", "{count} called or held", tally.kems)]
    if tally.doubles:
        kems.append(n("{count} double", "{count} doubles", tally.doubles))
    if tally.kems:
        kems.append(t("after {time} on average", time=clock(tally.kems_ms // tally.kems)))
    if tally.false_calls:
        kems.append(n("{count} false call", "{count} false calls", tally.false_calls))
    counters = [
        n("{count} true", "{count} true ones", tally.counters),
        n("{count} false", "{count} false ones", tally.false_counters),
        n("caught {count} time", "caught {count} times", tally.caught),
    ]
    bluffs = [
        n("{count} gesture", "{count} gestures", tally.bluffs),
        n("provoked {count} false counter", "provoked {count} false counters", tally.baits),
    ]
    return [
        t("**Kem's** {told}", told=" · ".join(kems)),
        t("**Counters** {told}", told=" · ".join(counters)),
        t("**Bluffs** {told}", told=" · ".join(bluffs)),
    ]


def _of(mate: Mate) -> dict[str, object]:
    return {"name": defuse(mate.name) or f"<@{mate.user_id}>", "count": mate.count, "matches": mate.matches}
