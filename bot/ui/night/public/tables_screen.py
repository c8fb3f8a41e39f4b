"""All tables of a round, and the replays of those that are over, page by page and in private."""

from collections.abc import Sequence
from typing import Final, TypeVar

from bot.nights.night import Night
from bot.nights.rounds import How, NightRound, NightTable
from bot.ui.kit import components as c
from bot.ui.kit.custom_ids import make_id
from bot.ui.kit.palette import BLUE, SLATE
from bot.ui.kit.texts import Texts
from bot.ui.night.public.board_screen import LiveTables, table_line
from bot.ui.night.public.standings_screen import page_row
from bot.ui.night.verbs import NightVerb
from bot.ui.night.words import round_name, title_of
from bot.ui.table.verbs import TableVerb

T = TypeVar("T")

ON_PAGE: Final = 15
REPLAYS_ON_PAGE: Final = 12


def tables_screen(night: Night, live: LiveTables, page: int, texts: Texts) -> c.Layout:
    """The tables of the running round with their people; `page` counts from 0."""
    last = night.round
    tables = () if last is None else last.tables
    pages, page, shown = _page(tables, page, ON_PAGE)
    lines = [table_line(night, table, live.get(table.number), has_names=True) for table in shown]
    heading = f"**🗂 {title_of(night.plan)}**" + ("" if last is None else f" · {round_name(night, last, texts)}")
    parts: list[c.Part] = [c.text(heading, *(lines or [texts.t("No tables yet.")]))]
    if pages > 1:
        parts.append(page_row(NightVerb.TABLES, night.id, page, pages))
    return c.layout(*parts, colour=BLUE)


def replays_screen(night: Night, page: int, texts: Texts) -> c.Layout:
    """The tables that were played to a result, the latest first; each button opens a replay with all hands open."""
    ended = [(each, table) for each in reversed(night.rounds) for table in each.tables if _has_replay(table)]
    pages, page, shown = _page(ended, page, REPLAYS_ON_PAGE)
    t = texts.t
    lines = [f"{_where(night, each, table, texts)} · {table_line(night, table, None, has_names=True)}"
             for each, table in shown]  # fmt: skip
    parts: list[c.Part] = [
        c.text(f"**🎞 {title_of(night.plan)}**", t("Every round again, all hands open."), *lines),
        *c.rows([_button(each, table) for each, table in shown]),
    ]
    if not shown:
        parts = [c.text(f"**🎞 {title_of(night.plan)}**", t("No table is over yet."))]
    if pages > 1:
        parts.append(page_row(NightVerb.REPLAYS, night.id, page, pages))
    return c.layout(*parts, colour=SLATE)


def _has_replay(table: NightTable) -> bool:
    """A match that the host ended by entering its result was broken off: it is in no archive."""
    return table.table_id is not None and table.result is not None and table.result.how in (How.PLAYED, How.TIMED)


def _where(night: Night, each: NightRound, table: NightTable, texts: Texts) -> str:
    return f"-# {_short(each, table)} {round_name(night, each, texts)}"


def _short(each: NightRound, table: NightTable) -> str:
    return f"{each.number}·{table.number}"


def _button(each: NightRound, table: NightTable) -> c.Button:
    assert table.table_id is not None, "it was played"
    return c.button(f"▶ {_short(each, table)}", make_id(table.table_id, TableVerb.WATCH, f"n{each.number}"))


def _page(items: Sequence[T], page: int, size: int) -> tuple[int, int, Sequence[T]]:
    """How many pages there are, which one is shown, and what is on it."""
    pages = max(1, -(-len(items) // size))
    page = min(page, pages - 1)
    return pages, page, items[page * size : (page + 1) * size]
