"""`/kems-admin season …` and `/kems-admin ladder …`: seasons, what is ranked, and void matches.

For those who manage the server, like all of `/kems-admin`.
"""

from dataclasses import replace
from typing import Final

import discord
from discord import app_commands
from discord.app_commands import Choice, locale_str

from bot.game.presets import PRESETS
from bot.ladder.eligibility import Gates
from bot.ladder.seasons import MAX_NAME, Every, Schedule, is_zone, zones
from bot.live.books import Books
from bot.live.ladder import VoidCode
from bot.ui.answers import answered, public_locale, reader, say
from bot.ui.chronicles import Chronicles
from bot.ui.ladder_view import schedule_words
from bot.ui.leaderboard_view import season_name
from bot.ui.names import clean, defuse
from bot.ui.rules_options import MAX_CHOICES
from bot.ui.texts import Language, Texts, mark, texts_for

_EVERY: Final = {mark("month"): Every.MONTH, mark("quarter"): Every.QUARTER, mark("by hand"): Every.HAND}
_MOST_TABLES: Final = 2**53 - 1  # Discord's limit for a number
_MAX_REASON: Final = 200
_MAX_ZONE: Final = 64


class SeasonCommands(app_commands.Group):
    """`/kems-admin season …`."""

    def __init__(self, chronicles: Chronicles, books: Books, locale: Language) -> None:
        super().__init__(
            name=locale_str(mark("season")), description=locale_str(mark("Seasons of this server's ladder"))
        )
        self._chronicles = chronicles
        self._seasons = books.seasons
        self._clock = books.clock
        self._locale: Language = locale

    @app_commands.command(name=locale_str(mark("start")), description=locale_str(mark("Begin a season")))
    @app_commands.rename(name=locale_str(mark("name")))
    @app_commands.describe(name=locale_str(mark("Its name, if it is to have one")))
    async def start(
        self, interaction: discord.Interaction, name: app_commands.Range[str, 1, MAX_NAME] | None = None
    ) -> None:
        """Begin a season by hand."""
        async with answered(interaction):
            assert interaction.guild_id is not None, "the command is for servers alone"
            started = await self._seasons.start(interaction.guild_id, self._clock.now(), _name(name))
            if started is None:
                await say(interaction, reader(interaction).t("A season is running: end it first."))
            else:
                texts = self._public(interaction)
                line = texts.t("🏁 {season} begins now.", season=season_name(started, texts))
                await interaction.response.send_message(line)

    @app_commands.command(name=locale_str(mark("end")), description=locale_str(mark("End the running season")))
    async def end(self, interaction: discord.Interaction) -> None:
        """End the season now, and post its podium."""
        async with answered(interaction):
            assert interaction.guild_id is not None, "the command is for servers alone"
            ended = await self._seasons.end(interaction.guild_id, self._clock.now())
            if ended is None:
                await say(interaction, _no_season(reader(interaction)))
            else:
                podium = await self._chronicles.podium(interaction.guild_id, ended, self._public(interaction))
                await interaction.response.send_message(view=podium)

    @app_commands.command(name=locale_str(mark("rename")), description=locale_str(mark("Name the running season")))
    @app_commands.rename(name=locale_str(mark("name")))
    @app_commands.describe(name=locale_str(mark("Its name (none)")))
    async def rename(
        self, interaction: discord.Interaction, name: app_commands.Range[str, 1, MAX_NAME] | None = None
    ) -> None:
        """Give the season a name, or take it away."""
        async with answered(interaction):
            assert interaction.guild_id is not None, "the command is for servers alone"
            texts = reader(interaction)
            renamed = await self._seasons.rename(interaction.guild_id, self._clock.now(), _name(name))
            if renamed is None:
                await say(interaction, _no_season(texts))
            else:
                await say(interaction, texts.t("It is called {season} now.", season=season_name(renamed, texts)))

    @app_commands.command(
        name=locale_str(mark("schedule")), description=locale_str(mark("Choose when a season begins"))
    )
    @app_commands.rename(every=locale_str(mark("every")), zone=locale_str(mark("zone")))
    @app_commands.describe(
        every=locale_str(mark("How long a season lasts")),
        zone=locale_str(mark("Whose midnight counts, such as Europe/Paris")),
    )
    @app_commands.choices(every=[Choice(name=locale_str(name), value=every.value) for name, every in _EVERY.items()])
    async def schedule(
        self, interaction: discord.Interaction, every: str, zone: app_commands.Range[str, 1, _MAX_ZONE] | None = None
    ) -> None:
        """Seasons by the calendar or by hand; the running one goes on to the next boundary."""
        async with answered(interaction):
            assert interaction.guild_id is not None, "the command is for servers alone"
            texts, setup = reader(interaction), await self._seasons.setup(interaction.guild_id)
            if zone is not None and not is_zone(zone):
                line = texts.t("There is no time zone “{zone}”: write one such as Europe/Paris.", zone=defuse(zone))
                await say(interaction, line)
                return
            schedule = Schedule(Every(every), zone or setup.schedule.zone)
            await self._seasons.choose(interaction.guild_id, replace(setup, schedule=schedule), self._clock.now())
            await say(interaction, texts.t("From now on: {schedule}.", schedule=schedule_words(schedule, texts)))

    @schedule.autocomplete("zone")
    async def offer_zones(self, _interaction: discord.Interaction, current: str) -> list[Choice[str]]:
        """Time zones in whose names the typed text occurs."""
        wanted = current.casefold().replace(" ", "_")
        return [Choice(name=name, value=name) for name in zones() if wanted in name.casefold()][:MAX_CHOICES]

    def _public(self, interaction: discord.Interaction) -> Texts:
        return texts_for(public_locale(interaction.guild_locale, self._locale))


class LadderAdminCommands(app_commands.Group):
    """`/kems-admin ladder …`."""

    def __init__(self, books: Books) -> None:
        super().__init__(name=locale_str(mark("ladder")), description=locale_str(mark("The ladder of this server")))
        self._books = books

    @app_commands.command(name=locale_str(mark("void")), description=locale_str(mark("Declare a match void")))
    @app_commands.rename(number=locale_str(mark("table")), reason=locale_str(mark("reason")))
    @app_commands.describe(
        number=locale_str(mark("Its number, as in the history")),
        reason=locale_str(mark("Why; everybody can read it in /kems ladder about")),
    )
    async def void(
        self,
        interaction: discord.Interaction,
        number: app_commands.Range[int, 1, _MOST_TABLES],
        reason: app_commands.Range[str, 1, _MAX_REASON],
    ) -> None:
        """Count everything again as if the match had never been played."""
        async with answered(interaction):
            assert interaction.guild_id is not None, "the command is for servers alone"
            await interaction.response.defer(ephemeral=True, thinking=True)  # a large server takes a while
            code = await self._books.referee.void(
                interaction.guild_id,
                number,
                by_id=interaction.user.id,
                reason=clean(reason, _MAX_REASON),
                at=self._books.clock.now(),
            )
            await say(interaction, _void_words(code, number, reader(interaction)))

    @app_commands.command(name=locale_str(mark("ranked")), description=locale_str(mark("Choose what is ranked")))
    @app_commands.rename(presets=locale_str(mark("presets")), sign=locale_str(mark("sign")))
    @app_commands.describe(
        presets=locale_str(mark("Ranked presets with spaces between, such as: classic expert (all)")),
        sign=locale_str(mark("Whether the sign has to be made at a ranked table (no)")),
    )
    async def ranked(self, interaction: discord.Interaction, presets: str | None = None, sign: bool = False) -> None:
        """Set the gates of the ladder."""
        async with answered(interaction):
            assert interaction.guild_id is not None, "the command is for servers alone"
            t = reader(interaction).t
            chosen = (
                tuple(PRESETS) if presets is None else tuple(dict.fromkeys(presets.lower().replace(",", " ").split()))
            )
            unknown = next((name for name in chosen if name not in PRESETS), None)
            if unknown is not None:
                known = ", ".join(PRESETS)
                await say(
                    interaction,
                    t("There is no preset “{name}”: choose from {known}.", name=defuse(unknown), known=known),
                )
                return
            setup = replace(await self._books.seasons.setup(interaction.guild_id), gates=Gates(chosen, sign))
            await self._books.seasons.choose(interaction.guild_id, setup, self._books.clock.now())
            told = ", ".join(chosen) or t("none")
            line = t("Ranked from now on: {presets}. Tables that are open already keep what they say.", presets=told)
            await say(interaction, line)


def _name(written: str | None) -> str | None:
    return None if written is None else clean(written, MAX_NAME) or None


def _no_season(texts: Texts) -> str:
    return texts.t("No season is running.")


def _void_words(code: VoidCode, number: int, texts: Texts) -> str:
    t = texts.t
    match code:
        case VoidCode.VOIDED:
            return t("Match {number} is void: standings and ratings are as if it had never been played.", number=number)
        case VoidCode.NO_MATCH:
            return t("There is no finished match of that number here: see /kems history.")
        case VoidCode.ALREADY_VOID:
            return t("Match {number} is void already.", number=number)
