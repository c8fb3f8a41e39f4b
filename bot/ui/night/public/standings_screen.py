"""Standings of a night: a few lines for the board, pages with every tie-break for those who want to know."""

from collections.abc import Sequence
from typing import Final

from bot.nights.night import Night
from bot.nights.standings import TIE_BREAKS, Standing, TieBreak
from bot.ui.kit import components as c
from bot.ui.kit.palette import GOLD
from bot.ui.kit.texts import Texts, mark
from bot.ui.night.verbs import NightVerb, night_id
from bot.ui.night.words import names_of, title_of
from bot.ui.words.scores import signed

ON_PAGE: Final = 20
_DIFFERENCES: Final = (TieBreak.SCORE_DIFFERENCE,)
_NAMES: Final = {
    TieBreak.POINTS: mark("points (2 for a table won, 1 for a draw)"),
    TieBreak.WINS: mark("tables won"),
    TieBreak.SCORE_DIFFERENCE: mark("difference of the scores"),
    TieBreak.OPPONENTS: mark("points of one's opponents (Buchholz)"),
    TieBreak.DEFEATED: mark("points of those one has beaten (Sonneborn-Berger)"),
    TieBreak.HEAD_TO_HEAD: mark("points against those who are level"),
    TieBreak.ROUNDS_SURVIVED: mark("rounds survived"),
    TieBreak.FEWEST_TABLES: mark("fewest tables played"),
}


def standing_lines(night: Night, shown: Sequence[Standing], texts: Texts) -> list[str]:
    """`**1** Ana & Bruno · **9 pts** · 4 won · +12`; nothing before a table has its result."""
    if not any(line.tables or line.byes for line in shown):
        return []
    return [_line(night, line, texts) for line in shown]


def own_line(night: Night, entrant: int, standings: Sequence[Standing], texts: Texts) -> str | None:
    """Where somebody stands; None before a table has its result."""
    own = next((line for line in standings if entrant in line.entrants), None)
    if own is None or not any(line.tables for line in standings):
        return None
    place = texts.t("Your place: **{place}** of {count}", place=own.place, count=len(standings))
    return f"{place} · {value_words(night, own, texts)}"


def value_words(night: Night, line: Standing, texts: Texts) -> str:
    """What a line has reached, in short: `9 pts · 4 won · +12`."""
    n, tie_breaks = texts.n, TIE_BREAKS[night.plan.format]
    told = []
    if tie_breaks[0] is TieBreak.ROUNDS_SURVIVED:
        told.append(n("{count} round survived", "{count} rounds survived", line.values[0]))
    told.append(n("{count} pt", "{count} pts", line.points))
    told.append(n("{count} won", "{count} won", line.won))
    if TieBreak.SCORE_DIFFERENCE in tie_breaks:
        told.append(signed(line.values[tie_breaks.index(TieBreak.SCORE_DIFFERENCE)], plus=True))
    return " · ".join(told)


def standings_screen(night: Night, standings: Sequence[Standing], page: int, texts: Texts) -> c.Layout:
    """One page, counted from 0, in private; a page that is not there is the last one."""
    t = texts.t
    pages = max(1, -(-len(standings) // ON_PAGE))
    page = min(page, pages - 1)
    shown = standings[page * ON_PAGE : (page + 1) * ON_PAGE]
    lines = [_full_line(night, line, texts) for line in shown] or [t("Nobody has played yet.")]
    order = " → ".join(t(_NAMES[one]) for one in TIE_BREAKS[night.plan.format])
    parts: list[c.Part] = [
        c.text(f"**🏅 {title_of(night.plan)}**", *lines),
        c.text("-# " + t("Between equals the next value counts: {order}.", order=order)),
    ]
    if pages > 1:
        parts.append(page_row(NightVerb.STANDINGS, night.id, page, pages))
    return c.layout(*parts, colour=GOLD)


def page_row(verb: NightVerb, night: int, page: int, pages: int) -> c.Row:
    """Back, where one is, on."""
    return c.row(
        c.button("◀", night_id(verb, night, page - 1 if page else 0), is_enabled=page > 0),
        c.button(f"{page + 1} / {pages}", night_id(verb, night, page, "here"), is_enabled=False),
        c.button("▶", night_id(verb, night, page + 1, "next"), is_enabled=page + 1 < pages),
    )


def _line(night: Night, line: Standing, texts: Texts) -> str:
    return f"**{line.place}** {names_of(night, line.entrants)} · {value_words(night, line, texts)}"


def _full_line(night: Night, line: Standing, texts: Texts) -> str:
    """The same with all values, in the order in which they count."""
    tie_breaks = TIE_BREAKS[night.plan.format]
    values = (
        signed(value, plus=tie_break in _DIFFERENCES) for tie_break, value in zip(tie_breaks, line.values, strict=True)
    )
    return f"**{line.place}** {names_of(night, line.entrants)} · **{' → '.join(values)}**"
