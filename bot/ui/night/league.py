"""The league of a season over its game nights: its board, a line of it for posts, and how it is read."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import discord

from bot.base.clock import Clock
from bot.discord.api import components as c
from bot.discord.api.custom_ids import Press, read_number
from bot.discord.api.interactions import RefusedError, guild_of, promise, reader, say, say_outdated, show
from bot.discord.api.patience import or_later
from bot.discord.interactions.admission.budgets import Verb
from bot.discord.text.names import called, told_apart
from bot.discord.text.texts import Texts
from bot.ladder.seasons import Season
from bot.nights.night import Night, NightStatus
from bot.nights.results.league import LeagueLine, Scale, held, league
from bot.records.archive import NightRecords
from bot.tables.server_settings import NO_LEAGUE, ServerSettings
from bot.ui.ladder.ladder_reader import LadderReader
from bot.ui.ladder.leaderboard import season_name
from bot.ui.lobby.places import ServerDefaults
from bot.ui.night.board import paged
from bot.ui.night.night_reader import NightReader
from bot.ui.night.verbs import LeagueVerb, read_arg
from bot.ui.night.words import on_day
from bot.ui.words.league_words import best_words, scale_words

LINES_ON_PAGE: Final = 20
_MOST_NIGHTS: Final = 12
"""Nights of a person that are listed."""
_IN_LINE: Final = 3


@dataclass(frozen=True, slots=True)
class SeasonLeague:
    """The league of a season; `held` counts its nights, `best` those of each person that count, None: all."""

    season: Season
    scale: Scale
    best: int | None
    held: int
    lines: tuple[LeagueLine, ...]


def season_league(
    season: Season, nights: Sequence[Night], settings: ServerSettings, left_out: Collection[int]
) -> SeasonLeague | None:
    """What the nights of a season add up to; None where the server has no league."""
    if settings.league_best == NO_LEAGUE:
        return None
    scale, best = settings.league_scale, settings.league_best
    return SeasonLeague(season, scale, best, len(held(nights)), league(nights, scale, best, left_out))


@dataclass(frozen=True, eq=False)
class LeagueReader:
    """Every method raises StoreError when the records cannot be read."""

    _clock: Clock
    ladder: LadderReader
    _past: NightRecords
    _defaults: ServerDefaults

    async def read(self, guild_id: int, season: Season | None) -> SeasonLeague | None:
        """The league of a season as it is now; None where there is none. Nights of many people take a moment."""
        settings = await self._defaults.read(guild_id)
        if season is None or settings.league_best == NO_LEAGUE:
            return None
        until = self._clock.now() if season.ends_at is None else season.ends_at
        nights = await self._past.between(guild_id, season.starts_at, until)
        left_out = await self.ladder.hidden(guild_id)
        return await asyncio.to_thread(season_league, season, nights, settings, left_out)

    async def line(self, night: Night, texts: Texts) -> str | None:
        """How the league stands in whose season a night was; None before its second night."""
        found = await self.read(night.guild_id, await self.ladder.season_at(night.guild_id, night.plan.starts_at))
        return None if found is None else league_line(found, texts)


def named(lines: Sequence[LeagueLine]) -> Mapping[int, str]:
    """The names of a league by user id, in which no two people are called alike."""
    return dict(zip((line.user_id for line in lines), told_apart(line.name for line in lines), strict=True))


def league_line(found: SeasonLeague, texts: Texts) -> str | None:
    if found.held < 2 or not found.lines:
        return None
    names = named(found.lines)
    first = (f"{line.place}. **{called(names[line.user_id])}** {line.points}" for line in found.lines[:_IN_LINE])
    return texts.n(
        "🏅 League after {count} night: {first} · {/league}",
        "🏅 League after {count} nights: {first} · {/league}",
        found.held,
        first=" · ".join(first),
    )


def nights_words(line: LeagueLine, best: int | None) -> str:
    """The points of each night, the most first; those that do not count are in brackets: `10 + 8 + 6 (5, 3)`."""
    shown = line.nights[:_MOST_NIGHTS]
    counted, rest = shown[:best], shown[len(shown[:best]) :]
    more = [*map(str, rest), *(["…"] if len(line.nights) > len(shown) else [])]
    return " + ".join(map(str, counted)) + (f" ({', '.join(more)})" if more else "")


def league_screen(found: SeasonLeague, page: int, reader_id: int, next_at: int | None, texts: Texts) -> c.Layout:
    """A page of the league, the reader's own line below it, and when the next night is (milliseconds)."""
    t, names = texts.t, named(found.lines)

    def said(line: LeagueLine) -> str:
        points = texts.n("{value} pt", "{value} pts", line.points, value=line.points)
        name = called(names[line.user_id])
        return f"**{line.place}** {name} · **{points}** · {nights_words(line, found.best)}"

    shown, turning = paged(found.season.number, LeagueVerb.LEAGUE, found.lines, page, LINES_ON_PAGE)
    own = next((line for line in found.lines if line.user_id == reader_id and line not in shown), None)
    count = texts.n("{count} night", "{count} nights", found.held)
    how = " · ".join((count, best_words(found.best, texts), scale_words(found.scale, texts)))
    lines = [said(line) for line in shown] or [t("No night of this season is over yet.")]
    return c.layout(
        c.text(f"## 🏅 {t('League of game nights')}", f"-# {season_name(found.season, texts)} · {how}"),
        c.text(*lines, None if own is None else "-# " + t("You: {line}", line=said(own))),
        *turning,
        *([] if next_at is None else [c.text(t("The next night: {when}", when=on_day(next_at)))]),
        colour=c.GOLD,
    )


@dataclass(eq=False)
class LeaguePresses:
    """The board by command, and the presses that turn its pages."""

    verbs = frozenset[Verb](LeagueVerb)

    leagues: LeagueReader
    _nights: NightReader

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        match read_arg(press.arg):
            case number, (page, *_):
                await self.show_league(interaction, number, read_number(page[:4]) or 0)
            case _:
                await say_outdated(interaction)

    async def show_league(self, interaction: discord.Interaction, number: int | None, page: int = 0) -> None:
        """Answer with the league of the season of that number, by default of the running one."""
        texts, guild_id = reader(interaction), guild_of(interaction)
        season = await or_later(self.leagues.ladder.season(guild_id, number))
        if season is None and number is not None:
            raise RefusedError(texts.t("There is no season of that number here."))
        if season is None:
            raise RefusedError(texts.t("No season here yet: an admin of the server starts one with {/season_start}."))
        await promise(interaction)
        found = await self.leagues.read(guild_id, season)
        if found is None:
            await say(interaction, texts.t("This server has no league of game nights: {/config} begins one."))
        else:
            next_at = self._next_at(interaction, season)
            await show(interaction, league_screen(found, page, interaction.user.id, next_at, texts))

    def _next_at(self, interaction: discord.Interaction, season: Season) -> int | None:
        """When the next night of a season begins that the presser may know of."""
        planned = (one.plan.starts_at for one in self._nights.open_to(interaction) if one.status is NightStatus.PLANNED)
        return min(filter(season.holds, planned), default=None)
