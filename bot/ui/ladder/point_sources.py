"""The sources of points in words: for the first of a board, and for a player alone."""

from collections.abc import Mapping, Sequence
from typing import Final

from bot.discord.api.components import GOLD, MAX_TEXT, Layout, Part, danger, layout, row, text, text_length
from bot.discord.api.custom_ids import NO_TABLE, make_id
from bot.discord.text.names import disambiguate, escaped_name
from bot.discord.text.texts import Texts
from bot.ladder.columns import Board
from bot.ladder.formula import FORMULA, Formula
from bot.ladder.seasons import Season
from bot.records.history import MOST_SOURCES, BoardLine, PointSource, PointSources
from bot.ui.ladder.leaderboard import LadderVerb, season_name, why_empty

MOST_WATCHED: Final = 10
"""Most players on the panel of moderators, by Discord's limit for the parts of a message."""
_PER_LINE: Final = 3


def own_sources(season: Season, sources: PointSources, texts: Texts) -> list[str]:
    """Return lines that tell a player where their points come from."""
    names = _names({source.user_id: source.name for source in (*sources.opponents, *sources.partners)})
    title = "**" + texts.t("Your points") + f"** {season_name(season, texts)} · {_gained(sources, texts)}"
    return [title, *_sources(sources, names, MOST_SOURCES, texts), f"-# {_legend(texts)}"]


def watch_panel(
    season: Season, lines: Sequence[tuple[BoardLine, PointSources]], texts: Texts, formula: Formula = FORMULA
) -> Layout:
    """Return the first players of a board, each with where their points come from.

    Each has a button that voids the latest wins against one opponent. Opponents and partners are listed as far as there
    is room.
    """
    panels = (_watch_panel(season, lines, most, texts, formula) for most in range(_PER_LINE, 0, -1))
    return next(panel for panel in panels if text_length(panel) <= MAX_TEXT)


def _watch_panel(
    season: Season, lines: Sequence[tuple[BoardLine, PointSources]], most: int, texts: Texts, formula: Formula
) -> Layout:
    t, n = texts.t, texts.n
    heading = text("## 🔎 " + t("Where points come from"), f"-# {season_name(season, texts)} · {_legend(texts)}")
    parts: list[Part] = [heading]
    if not lines:
        parts.append(text(why_empty(Board.RATING, (), texts, formula)))
    people = dict[int, str]()
    for line, sources in lines:
        people[line.user_ids[0]] = line.names[0]
        people |= {source.user_id: source.name for source in (*sources.opponents, *sources.partners)}
    names = _names(people)
    for place, (line, sources) in enumerate(lines):
        who = f"**{escaped_name(names[line.user_ids[0]])}** — {line.value}"
        numbers = " ".join(f"#{number}" for number in sources.latest)
        origins = _sources(sources, names, most, texts)
        parts.append(text(f"{who} · {_gained(sources, texts)}", *origins, f"-# {numbers}" if numbers else None))
        if sources.latest:
            label = n("Void {count} match…", "Void {count} matches…", len(sources.latest))
            argument = f"{'.'.join(map(str, sources.latest))}:{place}"
            parts.append(row(danger(label, make_id(NO_TABLE, LadderVerb.ASK_VOID, argument))))
    return layout(*parts, colour=GOLD)


def _legend(texts: Texts) -> str:
    return texts.t("⚔️ against, 🤝 with: share of the points gained, matches won of those played")


def _gained(sources: PointSources, texts: Texts) -> str:
    return texts.n("+{gained} in {count} match", "+{gained} in {count} matches", sources.matches, gained=sources.gained)


def _sources(sources: PointSources, names: Mapping[int, str], most: int, texts: Texts) -> list[str]:
    """Return `⚔️ Bruno **92 %** 13/14 · Dora **40 %** 5/6`, and a line with 🤝; none for a side without anybody."""

    def source_words(source: PointSource) -> str:
        name = escaped_name(names[source.user_id]) if source.name else texts.t("(forgotten)")
        return f"{name} **{round(100 * source.share)} %** {source.wins}/{source.matches}"

    sides = {"⚔️": sources.opponents, "🤝": sources.partners}
    return [f"{sign} {' · '.join(map(source_words, side[:most]))}" for sign, side in sides.items() if side]


def _names(people: Mapping[int, str]) -> dict[int, str]:
    """Return disambiguated names by user."""
    return dict(zip(people, disambiguate(people.values()), strict=True))
