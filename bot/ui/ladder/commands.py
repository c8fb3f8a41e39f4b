"""Commands of the ladder and of its boards, and the modal that voids a match. The commands of seasons are not here."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import discord
import structlog
from discord.app_commands import Choice, Range, locale_str

from bot.base.errors import StoreError
from bot.discord.api.components import GOLD, Layout, layout, text
from bot.discord.api.custom_ids import NO_TABLE, Press, make_id, read_number, read_page_key
from bot.discord.api.interactions import RefusedError, first_chosen_value, guild_id_of, texts_of
from bot.discord.api.modals import Modal, submitted_text
from bot.discord.api.patience import continue_when_slow, with_progress
from bot.discord.api.responses import defer, open_modal, reply, reply_outdated, reply_panel
from bot.discord.interactions.admission.allowances import COMPUTATIONS, FREE, PICTURES, Verb
from bot.discord.interactions.admission.press_notes import record_refusal
from bot.discord.interactions.admission.rights import check_manages_server
from bot.discord.interactions.feature import CommandSet, command, matching_choices
from bot.discord.interactions.rooms import Rooms
from bot.discord.pictures.illustrations import Illustrated, Illustrator
from bot.discord.text.names import clean, escape_markdown, escaped_name
from bot.discord.text.texts import Texts, mark
from bot.game.rules.presets import CLASSIC
from bot.ladder.columns import PAIR_BOARDS, Board
from bot.ladder.formula import FORMULA, Formula
from bot.ladder.seasons import SHORT_TARGET, LadderSetup, Schedule, Season
from bot.records.history import FIRST, PageKey, VoidRecord
from bot.records.seasons import VoidCode
from bot.tables.hub import ModerationDone
from bot.ui.ladder.ladder_reader import VOIDS_TOLD, LadderReader
from bot.ui.ladder.leaderboard import LadderVerb, no_season, season_name
from bot.ui.ladder.point_sources import watch_panel
from bot.ui.words.entry_text import asked_words
from bot.ui.words.rule_names import preset_name

MOST_SEASONS: Final = 10_000
ALL_SEASONS: Final = 0
"""The argument for all seasons together, in commands that can add them up."""

_BOARDS: Final = [Choice(name=locale_str(board.words), value=board.value) for board in Board]

_REASON: Final = 100  # characters of a reason
_ZONE: Final = 40
_MOST_TABLES: Final = 2**53 - 1  # Discord's limit for a number
_MAX_REASON: Final = 200

_log = structlog.get_logger(__name__)


@dataclass(eq=False, repr=False)
class StandingsCommands(CommandSet):
    """`/kems records stats` and `leaderboard`, and the buttons and the menu of leaderboards."""

    verbs = frozenset[Verb]({LadderVerb.BOARD, LadderVerb.BOARDS})

    _ladder: LadderReader
    _illustrator: Illustrator

    @command(
        "stats",
        mark("See a player's figures"),
        allowance=PICTURES,
        options={"member": (mark("member"), mark("Who (you)")), "season": (mark("season"), mark("Which season (all)"))},
    )
    async def stats(
        self,
        interaction: discord.Interaction,
        member: discord.User | None = None,
        season: Range[int, ALL_SEASONS, MOST_SEASONS] = ALL_SEASONS,
    ) -> None:
        """Show a player's statistics of one season, or of all seasons.

        Raises:
            RefusedError: The player has none, or there is no such season.
        """
        guild_id, texts, who = guild_id_of(interaction), texts_of(interaction), member or interaction.user

        async def read() -> tuple[Season | None, Illustrated | None]:
            chosen = None if season == ALL_SEASONS else await self._ladder.season(guild_id, season)
            if season != ALL_SEASONS and chosen is None:
                return None, None
            return chosen, await self._ladder.stats(guild_id, who.id, interaction.user.id, chosen, texts)

        chosen, page = await continue_when_slow(read())
        name = escaped_name(who.display_name)
        if page is not None:
            await self._illustrator.answer(interaction, page)
        elif chosen is not None:
            when = season_name(chosen, texts)
            raise RefusedError(texts.t("{name} has finished no match in {season}.", name=name, season=when))
        elif season == ALL_SEASONS:
            raise RefusedError(texts.t("{name} has not finished a match yet.", name=name))
        else:
            raise RefusedError(texts.t("There is no season with that number here."))

    @command(
        "leaderboard",
        mark("See who is best"),
        allowance=PICTURES,
        choices={"board": _BOARDS},
        options={
            "board": (mark("board"), mark("Which board (the first that isn't empty)")),
            "season": (mark("season"), mark("Which season (the running one)")),
        },
    )
    async def leaderboard(
        self,
        interaction: discord.Interaction,
        board: str | None = None,
        season: Range[int, 1, MOST_SEASONS] | None = None,
    ) -> None:
        """Show a board of a season; by default the running season's first board that lists anybody.

        Raises:
            RefusedError: There is no such season.
        """
        chosen = None if board is None else Board(board)
        texts, page = texts_of(interaction), await self._board(interaction, season, chosen)
        if page is not None:
            await self._illustrator.answer(interaction, page)
        elif season is not None:
            raise RefusedError(texts.t("There is no season with that number here."))
        else:
            raise RefusedError(no_season(texts))

    @leaderboard.autocomplete("season")
    async def offer_seasons(self, interaction: discord.Interaction, current: str) -> list[Choice[int]]:
        """Suggest the server's seasons."""
        return await offer_seasons(self._ladder, interaction, current)

    @stats.autocomplete("season")
    async def offer_seasons_and_all(self, interaction: discord.Interaction, current: str) -> list[Choice[int]]:
        """Suggest the server's seasons, and all of them together."""
        return await offer_seasons(self._ladder, interaction, current, all_too=True)

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        """Show the page of a board that the pressed button or menu names."""
        match press.verb, *press.arg.split(":"):
            case LadderVerb.BOARD, str(name), str(number), str(word):
                page_key = read_page_key(word, 3 if name in PAIR_BOARDS else 2)
            case LadderVerb.BOARDS, str(number):
                name, page_key = first_chosen_value(interaction), FIRST
            case _:
                name, number, page_key = "", "", None
        page, wanted = None, read_number(number)
        if name in set(Board) and page_key is not None and wanted is not None:
            page = await self._board(interaction, wanted, Board(name), page_key)
        if page is None:
            await reply_outdated(interaction)
        else:
            await self._illustrator.answer(interaction, page)

    async def _board(
        self, interaction: discord.Interaction, number: int | None, board: Board | None, page_key: PageKey = FIRST
    ) -> Illustrated | None:
        """Return a page of a board, by default of the first with people on it; None if there is no such season."""
        guild_id = guild_id_of(interaction)
        season = await continue_when_slow(self._ladder.season(guild_id, number))
        if season is None:
            return None
        if board is None:
            board = await continue_when_slow(self._ladder.opening(guild_id, season, Board))
        reading = self._ladder.board(guild_id, season, board, interaction.user.id, texts_of(interaction), page_key)
        if board is not Board.LEAGUE:
            return await continue_when_slow(reading)
        await defer(interaction)  # a thread reckons it from all nights
        return await reading


async def offer_seasons(
    ladder: LadderReader, interaction: discord.Interaction, current: str, *, all_too: bool = False
) -> list[Choice[int]]:
    """Return the seasons with the typed text in their names, the running one first.

    Args:
        ladder: Reads the seasons.
        interaction: The typed command.
        current: The typed text.
        all_too: Whether the first choice stands for all seasons together.
    """
    texts = texts_of(interaction)
    try:
        running, listed = await continue_when_slow(ladder.seasons(guild_id_of(interaction)))
    except StoreError as error:
        _log.warning("choices.not_read", problem=str(error))
        return []
    names = [(texts.t("All seasons"), ALL_SEASONS)] if all_too else []
    if running is not None:  # a season of the calendar is not listed before its first match
        now = texts.t("{season} (running)", season=season_name(running, texts))
        names.append((now, running.number))
    names += [(season_name(season, texts), season.number) for season in listed if season != running]
    return matching_choices(names, current)


@dataclass(eq=False, repr=False)
class LadderCommands(CommandSet):
    """`/kems ladder about`, `/kems-admin ladder …`, and the modal that declares a match void."""

    verbs = frozenset[Verb]({LadderVerb.VOID, LadderVerb.ASK_VOID})

    _rooms: Rooms
    _ladder: LadderReader

    @command("ladder_about", mark("Read how the ladder works"), allowance=FREE)
    async def about(self, interaction: discord.Interaction) -> None:
        """Explain the ladder of this server."""
        overview = await continue_when_slow(self._ladder.about(guild_id_of(interaction)))
        await reply_panel(interaction, about_panel(*overview, texts_of(interaction), self._ladder.formula))

    @command(
        "ladder_void",
        mark("Declare a match void"),
        allowance=FREE,
        options={"number": (mark("number"), mark("Its number, as in the history"))},
    )
    async def void(self, interaction: discord.Interaction, number: Range[int, 1, _MOST_TABLES]) -> None:
        """Ask why a match is declared void."""
        texts, match = texts_of(interaction), await continue_when_slow(self._rooms.store.history.match(number))
        if match is None or match.guild_id != guild_id_of(interaction):
            await reply(interaction, texts.t(VoidCode.NO_MATCH))
        elif match.void is not None:
            await reply(interaction, texts.t(VoidCode.ALREADY_VOID, number=number))
        else:
            await open_modal(interaction, void_form(str(number), texts))

    @command("ladder_watch", mark("See where the points of the first ten come from"), allowance=COMPUTATIONS)
    async def watch(self, interaction: discord.Interaction) -> None:
        """Show where the points of the highest-rated players come from.

        Raises:
            RefusedError: There has been no season.
        """
        guild_id, texts = guild_id_of(interaction), texts_of(interaction)
        season = await continue_when_slow(self._ladder.season(guild_id, None))
        if season is None:
            raise RefusedError(no_season(texts))
        await defer(interaction, is_new=True)  # of a large server it takes a while
        lines = await self._ladder.first_sources(guild_id, season)
        await reply_panel(interaction, watch_panel(season, lines, texts, self._ladder.formula))

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        """Ask for the reason, or declare the matches void and recount everything without them."""
        chosen = press.arg.partition(":")[0]
        texts, numbers = texts_of(interaction), [read_number(number) for number in chosen.split(".")]
        known = [number for number in numbers if number is not None]
        check_manages_server(interaction)
        if known != numbers:
            await reply_outdated(interaction)
            return
        if press.verb == LadderVerb.ASK_VOID:
            await open_modal(interaction, void_form(chosen, texts))
            return
        reason, at = clean(submitted_text(interaction), _MAX_REASON), self._rooms.clock.now()
        guild_id, by_id = guild_id_of(interaction), interaction.user.id
        await defer(interaction, is_new=True)  # a large server takes a while
        voiding = self._rooms.store.recount.void(guild_id, *known, by_id=by_id, reason=reason, at=at)
        line = texts.t("All ratings since then are being computed again; play goes on meanwhile.")
        code = await with_progress(interaction, voiding, lambda: line)
        if code is VoidCode.VOIDED:
            who = {
                "by": f"<@{by_id}>",
                "numbers": ", ".join(map(str, known)),
                "reason": escape_markdown(reason, _REASON) or "—",
            }
            event = ModerationDone(guild_id, lambda t: t.t("⚖️ {by} declared void: {numbers} · {reason}", **who))
            self._rooms.hub.publish(event)
        else:
            record_refusal(code.name)
        await reply(interaction, texts.t(code, number=", ".join(map(str, known))))


def about_panel(
    setup: LadderSetup, season: Season | None, voids: Sequence[VoidRecord], texts: Texts, formula: Formula = FORMULA
) -> Layout:
    """Return the panel on how the ladder works: what is ranked, the rating, the latest void matches, the formula."""
    t = texts.t
    when = t("between seasons") if season is None else season_name(season, texts)
    return layout(
        text("## 🪜 " + t("The ladder"), f"-# {when} · {schedule_words(setup.schedule, texts)}"),
        text("**" + t("Ranked") + "**", *_gates(setup, texts)),
        text("**" + t("Rating") + "**", *_rating(formula, texts)),
        text("**" + t("Void matches") + "**", *_voids(voids, texts)),
        text("**" + t("Details") + "**", *_details(formula, texts)),
        colour=GOLD,
    )


def schedule_words(schedule: Schedule, texts: Texts) -> str:
    """Return a sentence on when seasons begin, and in which time zone."""
    return texts.t(schedule.every.words, zone=escape_markdown(schedule.zone, _ZONE))


def _gates(setup: LadderSetup, texts: Texts) -> list[str]:
    t, ranked_rules = texts.t, setup.ranked_rules
    presets = ", ".join(preset_name(name, texts) for name in ranked_rules.presets) or t("none")
    whole = CLASSIC.end.target
    only_after, anyway = t("a Kem's counts only once its sign was made"), t("a Kem's counts without its sign, too")
    lines = [
        t("Rules: {presets}, with nothing changed but a deck of 32 or 52 cards and the clocks.", presets=presets),
        t("A short match, Classic to {points} points, counts {points}/{whole}.", points=SHORT_TARGET, whole=whole),
        t("Signs: {sign}.", sign=only_after if ranked_rules.sign_required else anyway),
        t("People: no robots, everybody has a partner, and a season is running when the match starts and ends."),
    ]
    if requirements := asked_words(ranked_rules.entry, texts):
        lines.append(t("Each of them: {conditions}.", conditions=requirements))
    return [f"- {line}" for line in lines]


def _rating(f: Formula, texts: Texts) -> list[str]:
    t = texts.t
    weights = {"percent": round(100 * f.repeat), "least": round(100 * f.least_weight)}
    few = {"days": f.known_days, "percent": round(100 * f.few), "points": f.day_gain}
    sure = {"matches": f.sure_matches, "partners": f.sure_partners}
    lines = [
        t("It estimates your strength from who won each match, and grows as the estimate becomes surer."),
        t("Provisional before {matches} ranked matches with {partners} different partners.", **sure),
        t(
            "To be placed in a season, play {matches} matches and win at least one.",
            matches=f.season_matches,
        ),
        t(
            "It falls a little with each week after {days} idle days; a new season brings it nearer to a newcomer's.",
            days=f.rest_days,
        ),
        t("A player who leaves a match loses it; a partner who stays loses where the team does."),
        t(
            "That partner loses no rating if the player left before the opponents were halfway; among {matches} matches"
            " that holds {most} times, not twice with the same partner.",
            matches=f.spare_matches,
            most=f.most_spared,
        ),
        t(
            "A player who ends a match, or whose absence ends it, loses it: to the leaders, or else alone as if to a"
            " team of equal strength."
        ),
        t(
            "Only a moderator who is not playing may remove players from a match or end it without a loser. A match"
            " whose player was removed counts for nobody, unless the moderator charges that player with the loss."
        ),
        t(
            "The same opponent again within {days} days: each match weighs {percent} % of the one before,"
            " {least} % at least.",
            days=f.repeat_days,
            **weights,
        ),
        t(
            "With fewer different opponents in {days} days than {percent} % of the server's median, a day brings at"
            " most {points} points above the server's median rating.",
            **few,
        ),
    ]
    return [f"- {line}" for line in lines]


def _details(f: Formula, texts: Texts) -> list[str]:
    t = texts.t
    newcomers = {name: texts.decimal(getattr(f, name), 2) for name in ("mu", "sigma", "beta", "tau")}
    idle = {"drift": texts.decimal(f.drift**2, 2), "widening": texts.decimal(f.widening**2, 2)}
    lines = [
        t(
            "OpenSkill (Plackett-Luce) estimates your strength μ and how unsure that is, σ, from who won each match."
            " Newcomers: μ = {mu}, σ = {sigma}; luck in a match: β = {beta}, growth of σ a match: τ = {tau}.",
            **newcomers,
        ),
        t("Shown: {base} + {scale} × (μ − 3σ), which grows as the uncertainty falls.", base=f.base, scale=f.scale),
        t(
            "After {days} idle days σ² grows by {drift} a week. In a new season μ goes {percent} % of the way to {mu},"
            " and σ² grows by {widening}.",
            days=f.rest_days,
            percent=round(100 * f.return_share),
            mu=newcomers["mu"],
            **idle,
        ),
    ]
    return [f"- {line}" for line in lines]


def _voids(voids: Sequence[VoidRecord], texts: Texts) -> list[str]:
    t, lines = texts.t, list[str]()
    for void in voids[:VOIDS_TOLD]:
        by = {"moderator": f"<@{void.by_id}>" if void.by_id else t("(forgotten)"), "at": void.at // 1000}
        reason = escape_markdown(void.reason, _REASON) or "—"
        line = t("#{number} <t:{at}:d>, by {moderator}: {reason}", number=void.table_id, reason=reason, **by)
        lines.append(f"- {line}")
    return lines or [t("None.")]


def void_form(numbers: str, texts: Texts) -> Modal:
    """Return the modal that asks why matches are declared void. `numbers`: their ids, with full stops between them."""
    t = texts.t
    title = t("Declare match {number} void", number=numbers)
    if "." in numbers:
        title = t("Declare matches void")
    form = Modal(title, make_id(NO_TABLE, LadderVerb.VOID, numbers))
    cost = t("All figures and ratings are counted again without it. This cannot be undone.")
    return form.add_text_input(t("Reason, for everybody to read"), hint=cost, most=_MAX_REASON)
