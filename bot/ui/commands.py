"""The slash commands of players: `/kems start`, `sign`, `hand`, `rules`. Each answers in one message.

Names and descriptions are English here and translated by the catalogues, through `CatalogueTranslator`.
"""

from dataclasses import dataclass
from typing import Final

import discord
from discord import app_commands
from discord.app_commands import locale_str

from bot.game.decks import DeckKind
from bot.game.house import check_table, override, roomy, settled
from bot.game.presets import CLASSIC, PRESETS
from bot.game.rules import EndsAt, Rules
from bot.live.house import House
from bot.live.lobby import Lobby, Status
from bot.live.moves import Refused
from bot.live.people import Place, Player
from bot.live.rule_book import RuleBook
from bot.live.table import Table
from bot.live.themes import Theme
from bot.ui.answers import answered, public_locale, reader, say
from bot.ui.emojis import shown_gesture
from bot.ui.faces import THEME_NAMES
from bot.ui.gestures import table_of
from bot.ui.panels import Page
from bot.ui.patience import in_time, or_later
from bot.ui.permissions import IN_THREAD, can_hold_threads, missing, needed_here, permission_names
from bot.ui.presenter import Presenter
from bot.ui.rules_options import lobby_here, offer_rules
from bot.ui.rules_panels import rules_panels
from bot.ui.sentences import refusal_text
from bot.ui.sign_reading import read_gesture
from bot.ui.table_presses import TablePresses
from bot.ui.texts import Language, Texts, mark, texts_for
from bot.ui.threads import open_thread

_SIZES: Final = sorted({count for rules in PRESETS.values() for count in rules.seating.players})
_DECKS: Final = [app_commands.Choice(name=kind.value, value=kind.value) for kind in DeckKind]
_PLAYERS: Final = [app_commands.Choice(name=str(count), value=count) for count in _SIZES]
_FACES: Final = [app_commands.Choice(name=locale_str(name), value=theme.value) for theme, name in THEME_NAMES.items()]
_DEFAULT_SIZE: Final = 4


@dataclass(frozen=True, slots=True)
class Defaults:
    """Whether a table gets a thread of its own unless its host says otherwise.

    `locale` is for servers that are set to neither French nor English.
    """

    in_thread: bool
    locale: Language


@dataclass(frozen=True, slots=True)
class Wanted:
    """The table that a host asks for; `rule_set` is the name of its rules, if the server keeps them under one."""

    rules: Rules
    rule_set: str | None
    size: int
    theme: Theme


class CatalogueTranslator(app_commands.Translator):
    """Gives Discord the French names and descriptions of commands, options and choices."""

    async def translate(
        self, string: locale_str, locale: discord.Locale, _context: app_commands.TranslationContextTypes
    ) -> str | None:
        if locale is not discord.Locale.french:
            return None
        translated = texts_for(locale).t(string.message)
        return None if translated == string.message else translated


class KemsCommands(app_commands.Group):
    """`/kems …`: everything a player can do without a button."""

    def __init__(
        self,
        house: House,
        book: RuleBook,
        presenter: Presenter,
        presses: TablePresses,
        defaults: Defaults,
    ) -> None:
        super().__init__(
            name="kems",
            description=locale_str(mark("Play Kem's, the card game of secret signs")),
            guild_only=True,
            allowed_installs=app_commands.AppInstallationType(guild=True, user=False),
        )
        self._house = house
        self._book = book
        self._presenter = presenter
        self._presses = presses
        self._defaults = defaults

    @app_commands.command(name=locale_str(mark("start")), description=locale_str(mark("Open a table")))
    @app_commands.rename(
        rules=locale_str(mark("rules")),
        deck=locale_str(mark("deck")),
        players=locale_str(mark("players")),
        target=locale_str(mark("target")),
        faces=locale_str(mark("faces")),
        thread=locale_str(mark("thread")),
    )
    @app_commands.describe(
        rules=locale_str(mark("A preset, saved rules, or a line such as: classic target=12")),
        deck=locale_str(mark("How many cards")),
        players=locale_str(mark("How many play (4)")),
        target=locale_str(mark("Points that win the match")),
        faces=locale_str(mark("What the cards look like (French cards)")),
        thread=locale_str(mark("Whether the table gets a thread of its own")),
    )
    @app_commands.choices(deck=_DECKS, faces=_FACES)
    @app_commands.choices(players=_PLAYERS)
    async def start(
        self,
        interaction: discord.Interaction,
        rules: str = "classic",
        deck: str | None = None,
        players: int = _DEFAULT_SIZE,
        target: app_commands.Range[int, 1, 99] | None = None,
        faces: str = Theme.FRENCH.value,
        thread: bool | None = None,
    ) -> None:
        """Open a table here, or in a thread of its own."""
        async with answered(interaction):
            found, rule_set = await self._rules(interaction, rules, deck, players, target)
            await self._start(interaction, Wanted(found, rule_set, players, Theme(faces)), wants_thread=thread)

    @start.autocomplete("rules")
    async def offer_for_start(self, interaction: discord.Interaction, current: str) -> list[app_commands.Choice[str]]:
        """Presets and the server's own sets."""
        return await offer_rules(self._book, interaction, current)

    @app_commands.command(name=locale_str(mark("sign")), description=locale_str(mark("Make a gesture in the open")))
    @app_commands.rename(text=locale_str(mark("gesture")))
    @app_commands.describe(text=locale_str(mark("Emojis, or words where signs may be spoken")))
    async def sign(self, interaction: discord.Interaction, text: app_commands.Range[str, 1, 120]) -> None:
        """Make a gesture at one's table, where everybody sees it."""
        async with answered(interaction):
            await self._sign(interaction, text.strip())

    @app_commands.command(name=locale_str(mark("hand")), description=locale_str(mark("Open your hand again")))
    async def hand(self, interaction: discord.Interaction) -> None:
        """Show the player's panel."""
        async with answered(interaction):
            found = await self._own_seat(interaction)
            if found is not None:
                await self._presses.open_panel(interaction, *found, Page.HAND)

    @app_commands.command(name=locale_str(mark("rules")), description=locale_str(mark("Read the rules")))
    @app_commands.rename(name=locale_str(mark("preset")))
    @app_commands.describe(name=locale_str(mark("Which rules (those of the table here, else classic)")))
    async def rules(self, interaction: discord.Interaction, name: str | None = None) -> None:
        """Explain a preset, or the rules of the table in this channel; very long ones take a second message."""
        async with answered(interaction):
            assert interaction.guild_id is not None, "the command is for servers alone"
            lobby, texts = lobby_here(self._house, interaction), reader(interaction)
            if name is None and lobby is not None:
                is_voted = lobby.vote.outcome is not None or lobby.status is Status.PLAYING
                strategies = lobby.strategies if is_voted else lobby.votable
                panels = rules_panels(lobby.rules, texts, lobby.rule_set, strategies, is_voted=is_voted)
            else:
                rules, rule_set = await or_later(self._book.find(interaction.guild_id, name or CLASSIC.preset))
                panels = rules_panels(rules, texts, rule_set)
            await interaction.response.send_message(view=panels[0], ephemeral=True)
            for panel in panels[1:]:
                await interaction.followup.send(view=panel, ephemeral=True)

    @rules.autocomplete("name")
    async def offer_for_rules(self, interaction: discord.Interaction, current: str) -> list[app_commands.Choice[str]]:
        """Presets and the server's own sets."""
        return await offer_rules(self._book, interaction, current)

    async def _start(self, interaction: discord.Interaction, wanted: Wanted, *, wants_thread: bool | None) -> None:
        texts = reader(interaction)
        channel = interaction.channel
        lacks = missing(interaction.app_permissions, needed_here(channel))
        if lacks or channel is None or interaction.guild_id is None:
            await say(interaction, _lacking(lacks, texts))
            return
        lacks = missing(interaction.app_permissions, IN_THREAD) if can_hold_threads(channel) else ()
        if wants_thread and lacks:
            await say(interaction, _lacking(lacks, texts))
            return
        check_table(wanted.rules, wanted.size)
        is_wanted = self._defaults.in_thread if wants_thread is None else wants_thread
        is_apart = is_wanted and can_hold_threads(channel) and not lacks
        await self._open(interaction, wanted, is_apart=is_apart)

    async def _sign(self, interaction: discord.Interaction, text: str) -> None:
        texts = reader(interaction)
        found = await self._own_seat(interaction)
        if found is None:
            return
        table, seat = found
        gesture = read_gesture(text, table.seat_view(seat), texts)
        outcome = await in_time(table.submit(gesture, press_id=interaction.id))
        if isinstance(outcome, Refused):
            await say(interaction, refusal_text(outcome.code, texts))
        else:
            shown = shown_gesture(gesture.kind, gesture.text)
            await say(interaction, texts.t("{gesture} — everybody at the table can see it.", gesture=shown))

    async def _rules(
        self, interaction: discord.Interaction, written: str, deck: str | None, players: int, target: int | None
    ) -> tuple[Rules, str | None]:
        """The rules that were named, changed by the other options; and their name if these change nothing."""
        assert interaction.guild_id is not None, "the command is for servers alone"
        named, rule_set = await or_later(self._book.find(interaction.guild_id, written))
        changes = {} if deck is None else {"deck": deck}
        if target is not None:
            changes |= {"ends_at": EndsAt.TARGET, "target": str(target)}
        rules = settled(override(named, changes))
        if deck is None:
            rules = roomy(rules, players)
        return rules, rule_set if rules == named else None

    async def _open(self, interaction: discord.Interaction, wanted: Wanted, *, is_apart: bool) -> None:
        assert interaction.guild_id is not None, "the command is for servers alone"
        assert interaction.channel_id is not None, "a command comes from a channel"
        locale = public_locale(interaction.guild_locale, self._defaults.locale)

        async def open_at(place: Place) -> Lobby:
            host = Player(interaction.user.display_name, interaction.user.id)
            return await self._house.open_lobby(
                place=place,
                host=host,
                rules=wanted.rules,
                size=wanted.size,
                locale=locale,
                rule_set=wanted.rule_set,
                theme=wanted.theme,
            )

        if not is_apart:
            lobby = await or_later(
                open_at(Place(interaction.guild_id, interaction.channel_id)), late=self._presenter.caught_up
            )
            await self._presenter.board(lobby).answer_new(interaction.response)
            return
        channel_id = await open_thread(interaction, texts_for(locale), self._presenter.budget)
        lobby = await open_at(Place(interaction.guild_id, channel_id))
        self._presenter.board(lobby).ask()

    async def _own_seat(self, interaction: discord.Interaction) -> tuple[Table, int] | None:
        """The presser's match and seat: in this channel, or else in this server. Without one, that is the answer."""
        user, guild, channel = interaction.user.id, interaction.guild_id, interaction.channel_id
        table = table_of(self._house, user, guild, channel) or table_of(self._house, user, guild)
        seat = None if table is None else table.seat_of(user)
        if table is not None and seat is not None:
            await or_later(self._house.seating.seen(table, user))
            return table, seat
        texts = reader(interaction)
        line = texts.t("You do not sit at a table that is being played: open one with /kems start.")
        await say(interaction, line)
        return None


def _lacking(flags: tuple[str, ...], texts: Texts) -> str:
    names = ", ".join(permission_names(flags, texts))
    return texts.t("I cannot open a table here: I lack these permissions in this channel: {names}.", names=names)
