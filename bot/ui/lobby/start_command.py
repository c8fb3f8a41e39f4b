"""`/kems start`: open a table, here or in a thread of its own."""

from dataclasses import dataclass
from typing import Final

import discord
import structlog
from discord.app_commands import Choice, Range, locale_str

from bot.errors import StoreError
from bot.game.decks import DeckKind
from bot.game.house_rules import check_table, choices, for_players, override, roomy, settled
from bot.game.rule_needs import PLAYERS
from bot.game.rules import EndsAt, Rules
from bot.game.rules_line import MAX_LINE
from bot.records.card_theme import Theme
from bot.records.player import Player
from bot.tables.absence import Absence
from bot.tables.directory import TableDirectory
from bot.tables.lobby import Lobby
from bot.tables.place import Place
from bot.tables.rule_book import RuleBook
from bot.ui.admission.time_limit import or_later
from bot.ui.feature import CommandSet, command
from bot.ui.kit.interactions import guild_of
from bot.ui.kit.names import called
from bot.ui.kit.texts import mark, texts_for
from bot.ui.lobby.places import TablePlace, TablePlaces
from bot.ui.lobby.server_defaults import ServerDefaults
from bot.ui.lobby.threads import open_thread
from bot.ui.messages.presenter import Presenter
from bot.ui.rules.rule_choices import offer_rules
from bot.ui.table.people_buttons import ABSENCES
from bot.ui.words.card_faces import THEME_NAMES

_DECKS: Final = [Choice(name=kind.value, value=kind.value) for kind in DeckKind]
_PLAYERS: Final = [Choice(name=count, value=int(count)) for count in choices(PLAYERS)]
_FACES: Final = [Choice(name=locale_str(name), value=theme.value) for theme, name in THEME_NAMES.items()]
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


class StartCommand(CommandSet):
    """`/kems start`."""

    def __init__(
        self,
        directory: TableDirectory,
        book: RuleBook,
        presenter: Presenter,
        defaults: ServerDefaults,
        places: TablePlaces,
    ) -> None:
        super().__init__()
        self._directory = directory
        self._book = book
        self._presenter = presenter
        self._defaults = defaults
        self._places = places

    @command(
        mark("start"),
        mark("Open a table"),
        choices={"deck": _DECKS, "faces": _FACES, "absence": ABSENCES, "players": _PLAYERS},
        options={
            "rules": (mark("rules"), mark("A preset, saved rules, or a line such as: classic target=12")),
            "deck": (mark("deck"), mark("How many cards")),
            "players": (mark("players"), mark("How many play (4)")),
            "target": (mark("target"), mark("Points that win the match")),
            "faces": (mark("faces"), mark("What the cards look like (French cards)")),
            "thread": (mark("thread"), mark("Whether the table gets a thread of its own")),
            "absence": (mark("absence"), mark("What happens when a player does not come")),
        },
    )
    async def start(
        self,
        interaction: discord.Interaction,
        rules: Range[str, 1, MAX_LINE] = "classic",
        deck: str | None = None,
        players: int = _DEFAULT_SIZE,
        target: Range[int, 1, 99] | None = None,
        faces: str = Theme.FRENCH.value,
        thread: bool | None = None,
        absence: str | None = None,
    ) -> None:
        """Open a table here, or in a thread of its own."""
        found, rule_set = await self._rules(interaction, rules, deck, players, target)
        chosen = None if absence is None else Absence(absence)
        await self._start(interaction, Wanted(found, rule_set, players, Theme(faces), chosen), wants_thread=thread)

    @start.autocomplete("rules")
    async def offer(self, interaction: discord.Interaction, current: str) -> list[Choice[str]]:
        """Presets and the server's own sets."""
        return await offer_rules(self._book, interaction, current)

    async def _start(self, interaction: discord.Interaction, wanted: Wanted, *, wants_thread: bool | None) -> None:
        place = await self._places.here(interaction, wants_thread=wants_thread)
        check_table(wanted.rules, wanted.size)
        await self._open(interaction, wanted, place)

    async def _rules(
        self, interaction: discord.Interaction, written: str, deck: str | None, players: int, target: int | None
    ) -> tuple[Rules, str | None]:
        """The rules that were named, changed by the other options; and their name if these change nothing."""
        named, rule_set = await or_later(self._book.find(guild_of(interaction), written))
        changes = {} if deck is None else {"deck": deck}
        if target is not None:
            changes |= {"ends_at": EndsAt.TARGET, "target": str(target)}
        rules = settled(override(named, changes))
        rules = for_players(rules, players)
        if deck is None:
            rules = roomy(rules, players)
        return rules, rule_set if rules == named else None

    async def _open(self, interaction: discord.Interaction, wanted: Wanted, place: TablePlace) -> None:
        guild_id, settings = guild_of(interaction), place.settings
        locale = self._defaults.language(interaction, settings)

        async def open_in() -> Lobby:
            host = Player(interaction.user.display_name, interaction.user.id)
            return await self._directory.open_lobby(
                place=Place(guild_id, place.channel_id),
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
        if not place.is_apart:
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
