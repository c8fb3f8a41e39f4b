"""The slash commands of players: `/kems start`, `sign`, `hand`, `rules`. Each answers in one message.

Names and descriptions are English here and translated by the catalogues, through `CatalogueTranslator`.
"""

from dataclasses import dataclass
from typing import Final

import discord
import structlog
from discord import app_commands
from discord.app_commands import locale_str

from bot.errors import StoreError
from bot.game.decks import DeckKind
from bot.game.house_rules import check_table, override, roomy, settled
from bot.game.presets import CLASSIC, PRESETS
from bot.game.rules import EndsAt, Rules
from bot.game.rules_line import MAX_LINE
from bot.records.card_theme import Theme
from bot.records.player import Player
from bot.tables.absence import Absence
from bot.tables.directory import TableDirectory
from bot.tables.lobby import Lobby, Status
from bot.tables.place import Place
from bot.tables.rule_book import RuleBook
from bot.tables.table import Table
from bot.tables.table_actions import Refused
from bot.ui.admission.time_limit import in_time, or_later
from bot.ui.kit.answers import answered, reader, say
from bot.ui.kit.names import called
from bot.ui.kit.prepared_view import PreparedView
from bot.ui.kit.texts import mark, texts_for
from bot.ui.lobby.places import TablePlace, TablePlaces
from bot.ui.lobby.server_defaults import ServerDefaults
from bot.ui.messages.presenter import Presenter
from bot.ui.messages.private_panels import PanelPage
from bot.ui.messages.threads import open_thread
from bot.ui.rules.autocomplete import lobby_here, offer_rules
from bot.ui.rules.panels import rules_panels
from bot.ui.table.gestures import table_of
from bot.ui.table.people_buttons import ABSENCES
from bot.ui.table.presses import TablePresses
from bot.ui.words.card_faces import THEME_NAMES
from bot.ui.words.refusals import refusal_text
from bot.ui.words.sign_emojis import shown_gesture
from bot.ui.words.sign_reading import read_gesture

_SIZES: Final = sorted({count for rules in PRESETS.values() for count in rules.seating.players})
_DECKS: Final = [app_commands.Choice(name=kind.value, value=kind.value) for kind in DeckKind]
_PLAYERS: Final = [app_commands.Choice(name=str(count), value=count) for count in _SIZES]
_FACES: Final = [app_commands.Choice(name=locale_str(name), value=theme.value) for theme, name in THEME_NAMES.items()]
_DEFAULT_SIZE: Final = 4

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Wanted:
    """The table that a host asks for; `rule_set` is the name of its rules, if the server keeps them under one.

    Without `absence` what the server has chosen becomes of people who do not come.
    """

    rules: Rules
    rule_set: str | None
    size: int
    theme: Theme
    absence: Absence | None


class CatalogueTranslator(app_commands.Translator):
    """Gives Discord the names and descriptions of commands, options and choices in every language but English."""

    async def translate(
        self, string: locale_str, locale: discord.Locale, _context: app_commands.TranslationContextTypes
    ) -> str | None:
        translated = texts_for(locale).t(string.message)
        return None if translated == string.message else translated


class KemsCommands(app_commands.Group):
    """`/kems …`: everything a player can do without a button."""

    def __init__(
        self,
        directory: TableDirectory,
        book: RuleBook,
        presenter: Presenter,
        presses: TablePresses,
        customs: ServerDefaults,
        places: TablePlaces,
    ) -> None:
        super().__init__(
            name="kems",
            description=locale_str(mark("Play Kem's, the card game of secret signs")),
            guild_only=True,
            allowed_installs=app_commands.AppInstallationType(guild=True, user=False),
        )
        self._directory = directory
        self._book = book
        self._presenter = presenter
        self._presses = presses
        self._customs = customs
        self._places = places

    @app_commands.command(name=locale_str(mark("start")), description=locale_str(mark("Open a table")))
    @app_commands.rename(
        rules=locale_str(mark("rules")),
        deck=locale_str(mark("deck")),
        players=locale_str(mark("players")),
        target=locale_str(mark("target")),
        faces=locale_str(mark("faces")),
        thread=locale_str(mark("thread")),
        absence=locale_str(mark("absence")),
    )
    @app_commands.describe(
        rules=locale_str(mark("A preset, saved rules, or a line such as: classic target=12")),
        deck=locale_str(mark("How many cards")),
        players=locale_str(mark("How many play (4)")),
        target=locale_str(mark("Points that win the match")),
        faces=locale_str(mark("What the cards look like (French cards)")),
        thread=locale_str(mark("Whether the table gets a thread of its own")),
        absence=locale_str(mark("What happens when a player does not come")),
    )
    @app_commands.choices(deck=_DECKS, faces=_FACES, absence=ABSENCES)
    @app_commands.choices(players=_PLAYERS)
    async def start(
        self,
        interaction: discord.Interaction,
        rules: app_commands.Range[str, 1, MAX_LINE] = "classic",
        deck: str | None = None,
        players: int = _DEFAULT_SIZE,
        target: app_commands.Range[int, 1, 99] | None = None,
        faces: str = Theme.FRENCH.value,
        thread: bool | None = None,
        absence: str | None = None,
    ) -> None:
        """Open a table here, or in a thread of its own."""
        async with answered(interaction):
            found, rule_set = await self._rules(interaction, rules, deck, players, target)
            chosen = None if absence is None else Absence(absence)
            await self._start(interaction, Wanted(found, rule_set, players, Theme(faces), chosen), wants_thread=thread)

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
                await self._presses.open_panel(interaction, *found, PanelPage.HAND)

    @app_commands.command(name=locale_str(mark("rules")), description=locale_str(mark("Read the rules")))
    @app_commands.rename(name=locale_str(mark("preset")))
    @app_commands.describe(name=locale_str(mark("Which rules (those of the table here, else classic)")))
    async def rules(
        self, interaction: discord.Interaction, name: app_commands.Range[str, 1, MAX_LINE] | None = None
    ) -> None:
        """Explain a preset, or the rules of the table in this channel; very long ones take a second message."""
        async with answered(interaction):
            assert interaction.guild_id is not None, "the command is for servers alone"
            lobby, texts = lobby_here(self._directory, interaction), reader(interaction)
            if name is None and lobby is not None:
                is_voted = lobby.vote.outcome is not None or lobby.status is Status.PLAYING
                strategies = lobby.strategies if is_voted else lobby.votable
                panels = rules_panels(lobby.rules, texts, lobby.rule_set, strategies, is_voted=is_voted)
            else:
                rules, rule_set = await or_later(self._book.find(interaction.guild_id, name or CLASSIC.preset))
                panels = rules_panels(rules, texts, rule_set)
            await interaction.response.send_message(view=PreparedView(panels[0]), ephemeral=True)
            for panel in panels[1:]:
                await interaction.followup.send(view=PreparedView(panel), ephemeral=True)

    @rules.autocomplete("name")
    async def offer_for_rules(self, interaction: discord.Interaction, current: str) -> list[app_commands.Choice[str]]:
        """Presets and the server's own sets."""
        return await offer_rules(self._book, interaction, current)

    async def _start(self, interaction: discord.Interaction, wanted: Wanted, *, wants_thread: bool | None) -> None:
        venue = await self._places.here(interaction, wants_thread=wants_thread)
        check_table(wanted.rules, wanted.size)
        await self._open(interaction, wanted, venue)

    async def _sign(self, interaction: discord.Interaction, text: str) -> None:
        texts = reader(interaction)
        found = await self._own_seat(interaction)
        if found is None:
            return
        table, seat = found
        gesture = read_gesture(text, table.seat_view(seat), texts)
        outcome = await in_time(table.submit(gesture, press_id=interaction.id))
        if isinstance(outcome, Refused):
            await say(interaction, self._presenter.told(table.id, texts) or refusal_text(outcome.code, texts))
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

    async def _open(self, interaction: discord.Interaction, wanted: Wanted, venue: TablePlace) -> None:
        guild_id = interaction.guild_id
        assert guild_id is not None, "the command is for servers alone"
        settings = venue.settings
        locale = self._customs.language(interaction, settings)

        async def open_in() -> Lobby:
            host = Player(interaction.user.display_name, interaction.user.id)
            return await self._directory.open_lobby(
                place=Place(guild_id, venue.channel_id),
                host=host,
                rules=wanted.rules,
                size=wanted.size,
                locale=locale,
                rule_set=wanted.rule_set,
                theme=wanted.theme,
                absence=wanted.absence or settings.absence,
                afk_seconds=settings.afk_seconds,
            )

        lobby = await or_later(open_in(), late=self._presenter.caught_up)
        if not venue.is_apart:
            await self._presenter.board(lobby).answer_new(interaction.response)
            return
        texts, host = texts_for(locale), called(interaction.user.display_name)
        announcement = texts.t("♠ {name} opens a table of Kem's.", name=host)
        board = self._presenter.board(lobby)
        try:
            await board.move(await open_thread(interaction, announcement, texts, self._presenter.budget))
        except StoreError as error:
            _log.warning("thread.not_saved", table=lobby.id, problem=str(error))
        finally:  # without a thread it is here
            board.ask()

    async def _own_seat(self, interaction: discord.Interaction) -> tuple[Table, int] | None:
        """The presser's match and seat: in this channel, or else in this server. Without one, that is the answer."""
        user, guild, channel = interaction.user.id, interaction.guild_id, interaction.channel_id
        table = table_of(self._directory, user, guild, channel) or table_of(self._directory, user, guild)
        seat = None if table is None else table.seat_of(user)
        if table is not None and seat is not None:
            await or_later(self._directory.seating.seen(table, user))
            return table, seat
        texts = reader(interaction)
        line = texts.t("You do not sit at a table that is being played: open one with `/kems start`.")
        await say(interaction, line)
        return None
