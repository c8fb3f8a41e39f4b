"""`/kems start` and `move`: a table, here or in a thread of its own; and all that is done at a lobby."""

import asyncio
from dataclasses import replace
from functools import partial
from random import Random
from typing import Final

import discord
import structlog
from discord.app_commands import Choice, Range, locale_str

from bot.errors import StoreError
from bot.game.cards import DeckKind
from bot.game.rules.house_rules import MAX_LINE, check_table, choices, for_players, override, roomy, settled
from bot.game.rules.presets import CLASSIC
from bot.game.rules.rules import PLAYERS, EndsAt
from bot.records.card_theme import Theme
from bot.records.player import Player
from bot.robots.level import RobotLevel
from bot.tables.clock import Clock
from bot.tables.lobby.lobby import Absence, Place, new_lobby
from bot.tables.rule_book import RuleBook
from bot.tables.server_settings import ServerStore
from bot.ui.admission.admission import or_later
from bot.ui.feature import CommandSet, Feature, command
from bot.ui.kit.interactions import guild_of, reader, say, take_back
from bot.ui.kit.names import called
from bot.ui.kit.texts import mark, texts_for
from bot.ui.live.presenter import Presenter
from bot.ui.lobby.invitations import Invitations
from bot.ui.lobby.places import Openings, ServerDefaults, find_place, thread_under
from bot.ui.lobby.presses import LobbyPresses, RematchPresses
from bot.ui.lobby.robot_tables import HasPlayed, RobotTables
from bot.ui.lobby.settings import SettingsPresses, VotePresses
from bot.ui.rules.rule_choices import find_rules, offer_rules
from bot.ui.table.commands import ABSENCES
from bot.ui.table.which_table import check_may_decide, find_lobby, find_table_to_move, offer_tables, running_match_here
from bot.ui.words.card_faces import THEME_NAMES
from bot.ui.words.refusals import former_table_text, playing_text, store_error_text
from bot.ui.words.rule_names import LEVEL_NAMES

_DECKS: Final = [Choice(name=kind.value, value=kind.value) for kind in DeckKind]
_PLAYERS: Final = [Choice(name=count, value=int(count)) for count in choices(PLAYERS)]
_FACES: Final = [Choice(name=locale_str(name), value=theme.value) for theme, name in THEME_NAMES.items()]
_LEVELS: Final = [Choice(name=locale_str(name), value=level.value) for level, name in LEVEL_NAMES.items()]
_DEFAULT_SIZE: Final = 4

_log = structlog.get_logger(__name__)


class LobbyCommands(CommandSet):
    def __init__(
        self, book: RuleBook, presenter: Presenter, defaults: ServerDefaults, openings: Openings, *, in_thread: bool
    ) -> None:
        super().__init__()
        self._directory = presenter.directory
        self._book = book
        self._presenter = presenter
        self._defaults = defaults
        self._openings = openings
        self._find_place = partial(find_place, defaults=defaults, requests=presenter.requests, in_thread=in_thread)

    @command(
        mark("start"),
        mark("Open a table"),
        choices={"deck": _DECKS, "faces": _FACES, "absence": ABSENCES, "players": _PLAYERS, "robots": _LEVELS},
        options={
            "rules": (mark("rules"), mark("A preset, saved rules, or a line such as: classic target=12")),
            "deck": (mark("deck"), mark("How many cards")),
            "players": (mark("players"), mark("How many play (4)")),
            "target": (mark("target"), mark("Points to win")),
            "robots": (mark("robots"), mark("How well robots play (regular)")),
            "faces": (mark("faces"), mark("What the cards look like (French cards)")),
            "thread": (mark("thread"), mark("Give the match a thread of its own")),
            "absence": (mark("absence"), mark("What happens when a player does not come")),
        },
    )
    async def start(
        self,
        interaction: discord.Interaction,
        rules: Range[str, 1, MAX_LINE] = "classic",
        deck: str | None = None,
        players: int | None = None,
        target: Range[int, 1, 99] | None = None,
        robots: str = RobotLevel.REGULAR.value,
        faces: str = Theme.FRENCH.value,
        thread: bool | None = None,
        absence: str | None = None,
    ) -> None:
        """Open a table here; its match is played here, or in a thread of its own.

        The table's message is the bot's own, and no answer to the command: replies to an answer do not reach the bot.
        """
        texts = reader(interaction)
        changes = {} if deck is None else {"deck": deck}
        if target is not None:
            changes |= {"ends_at": EndsAt.TARGET, "target": str(target)}
        named, rule_set = await find_rules(self._book, interaction, rules)
        found = settled(override(named, changes))
        if players is None:  # a line may name the number of its players
            asked = found.seating.players
            players = asked[0] if len(asked) == 1 else _DEFAULT_SIZE
        found = for_players(found, players)
        if deck is None:
            found = roomy(found, players)
        place = await self._find_place(interaction, wants_thread=thread)
        check_table(found, players)
        playing = running_match_here(self._directory, interaction)
        if playing is not None:
            await say(interaction, playing_text(playing.lobby.place, texts))
            return
        locale = self._defaults.language(interaction, place.settings)
        host, here = Player(interaction.user.display_name, interaction.user.id), place.channel_id
        lobby = replace(
            new_lobby(place=Place(guild_of(interaction), here), host=host, rules=found, size=players, locale=locale),
            wants_thread=place.is_apart,
            rule_set=rule_set if found == named else None,
            theme=Theme(faces),
            absence=place.settings.absence if absence is None else Absence(absence),
            afk_seconds=place.settings.afk_seconds,
            robot_level=RobotLevel(robots),
        )
        opened = await self._openings.open(interaction, lambda: self._directory.lobbies.open(lobby))
        lobby = find_lobby(self._directory, opened.table_id, texts)
        board = self._presenter.message(lobby)
        if opened.is_former:
            board.ask()
            await say(interaction, former_table_text(lobby.place, texts))
            return
        await asyncio.gather(interaction.response.defer(ephemeral=True, thinking=True), board.write_in_time())
        told = board.outage_line(texts)
        await (take_back(interaction) if told is None else say(interaction, told))

    @start.autocomplete("rules")
    async def offer(self, interaction: discord.Interaction, current: str) -> list[Choice[str]]:
        return await offer_rules(self._book, interaction, current)

    @command(
        mark("move"),
        mark("Bring a table to this channel"),
        options={
            "number": (mark("table"), mark("Which table (your own elsewhere)")),
            "thread": (mark("thread"), mark("Give the table a thread of its own")),
        },
    )
    async def move(
        self, interaction: discord.Interaction, number: int | None = None, thread: bool | None = None
    ) -> None:
        texts = reader(interaction)
        lobby = find_table_to_move(self._directory, interaction, number, texts)
        check_may_decide(interaction, lobby, texts)
        place = await self._find_place(interaction, wants_thread=thread)
        board = self._presenter.message(lobby)
        if not place.is_apart:
            await or_later(board.move(place.channel_id))
            await say(interaction, texts.t("The table is now in {channel}.", channel=f"<#{place.channel_id}>"))
            return
        public, mover = texts_for(lobby.locale), called(interaction.user.display_name)
        announcement = public.t("♠ {name} brings a table of Kem's here.", name=mover)
        said = await interaction.response.send_message(announcement, allowed_mentions=discord.AllowedMentions.none())
        channel = interaction.channel
        assert isinstance(channel, discord.TextChannel), "only text channels are asked for threads"
        assert said.message_id is not None, "a message was sent"
        host = interaction.user.display_name
        thread_id = await thread_under(channel, said.message_id, host, public, self._presenter.requests)
        try:
            await board.move(thread_id or channel.id)
        except StoreError as error:  # the table stays where it is, though a thread was announced
            _log.warning("move.not_saved", table=lobby.id, problem=str(error))
            await interaction.followup.send(store_error_text(texts), ephemeral=True)

    @move.autocomplete("number")
    async def offer_moves(self, interaction: discord.Interaction, current: str) -> list[Choice[int]]:
        return offer_tables(self._directory, interaction, current)


def lobby_feature(
    book: RuleBook,
    presenter: Presenter,
    defaults: ServerDefaults,
    servers: ServerStore,
    clock: Clock,
    rng: Random,
    has_played: HasPlayed,
    *,
    in_thread: bool,
) -> Feature:
    """`in_thread`: a table gets a thread of its own unless its host says otherwise."""
    openings = Openings(presenter.directory)
    classic = book.preset(CLASSIC.preset)
    robot_tables = RobotTables(presenter, defaults, openings, rng, classic, has_played)

    return Feature(
        presses=(
            LobbyPresses(presenter, defaults),
            VotePresses(presenter.directory),
            robot_tables,
            RematchPresses(presenter),
            SettingsPresses(presenter.directory, rng),
            Invitations(presenter, servers, clock),
        ),
        commands=(
            *LobbyCommands(book, presenter, defaults, openings, in_thread=in_thread).commands,
            *robot_tables.commands,
        ),
    )
