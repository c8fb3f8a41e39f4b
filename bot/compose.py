"""The only place that wires the rooms together: settings in, a bot that plays out. No behaviour of its own."""

import time
from dataclasses import replace
from random import Random, SystemRandom

from bot.art.drawing_queue import DrawingQueue
from bot.ladder.formula import FORMULA, Formula
from bot.robots import Robot, Timing
from bot.settings import Settings
from bot.store.engine.cipher import Cipher
from bot.store.engine.database import Database
from bot.store.ladder.boards import SqlBoards
from bot.store.ladder.champion_store import SqlChampionStore
from bot.store.ladder.recount import SqlRecount
from bot.store.ladder.season_duties import SqlSeasonDutyStore
from bot.store.ladder.season_store import SqlSeasonStore
from bot.store.privacy.personal_data import SqlPersonalData
from bot.store.records.archive import SqlArchive
from bot.store.records.history import SqlHistory
from bot.store.records.retention import SqlRetention
from bot.store.records.season_records import SqlSeasonRecords
from bot.store.tables.journal import SqlJournal
from bot.store.tables.panel_store import SqlPanelStore
from bot.store.tables.rule_set_store import SqlRuleSetStore
from bot.store.tables.server_store import SqlServerStore
from bot.store.tables.table_store import SqlTableStore
from bot.tables.books import Books
from bot.tables.clock import Clock
from bot.tables.directory import TableDirectory
from bot.tables.erasure import Erasure
from bot.tables.jobs.retention import RetentionJob
from bot.tables.jobs.season_ends import SeasonEnds
from bot.tables.rule_book import RuleBook
from bot.ui.admission.admission import Admission
from bot.ui.admission.lateness import Lateness
from bot.ui.admission.press_rate import PressRate
from bot.ui.client import KemsClient, Rooms
from bot.ui.ladder.champion_role import ChampionRole
from bot.ui.ladder.podium_post import PodiumPost
from bot.ui.ladder.season_commands import LadderAdminCommands, SeasonCommands
from bot.ui.lobby.commands import KemsCommands
from bot.ui.lobby.move_command import MoveCommand
from bot.ui.lobby.opening_presses import OpeningPresses
from bot.ui.lobby.places import TablePlaces
from bot.ui.lobby.presses import LobbyPresses
from bot.ui.lobby.server_defaults import ServerDefaults
from bot.ui.lobby.vote_presses import VotePresses
from bot.ui.messages.illustrations import Illustrator
from bot.ui.messages.panel_memory import PanelMemory
from bot.ui.messages.presenter import Presenter
from bot.ui.privacy.commands import PrivacyCommands
from bot.ui.privacy.presses import PrivacyPresses
from bot.ui.records.commands import HistoryCommands, LadderCommands
from bot.ui.records.history_reader import HistoryReader
from bot.ui.records.past_commands import PastCommands
from bot.ui.records.past_matches import PastMatches
from bot.ui.records.presses import RecordPresses
from bot.ui.router import Router
from bot.ui.rules.presses import RulesPresses
from bot.ui.server.commands import AdminCommands, RulesCommands
from bot.ui.server.config_presses import ConfigPresses
from bot.ui.table.commands import TableCommands
from bot.ui.table.gestures import Gestures
from bot.ui.table.people_presses import PeoplePresses
from bot.ui.table.presses import TablePresses


class WallClock:
    """Milliseconds since the Unix epoch."""

    def now(self) -> int:
        return time.time_ns() // 1_000_000


def build_client(
    settings: Settings,
    *,
    clock: Clock | None = None,
    rng: Random | None = None,
    timing: Timing | None = None,
    pace: PressRate | None = None,
) -> KemsClient:
    """A bot on the settings' database, which has its tables already (`migrate`); it is not connected yet.

    Raises:
        StoreError: the database's address is none.
    """
    ticks = clock or WallClock()
    chance = rng or SystemRandom()
    database = Database(settings.database_url)
    formula = ladder_formula(settings)
    journal = SqlJournal(database, formula=formula)
    token = settings.discord_token
    panels = None if token is None else SqlPanelStore(database, Cipher(token.get_secret_value()))
    memory = PanelMemory(panels, ticks)

    def furnish(client: KemsClient) -> Rooms:
        presenter = Presenter(client, ticks, memory)
        directory = TableDirectory(
            clock=ticks,
            store=SqlTableStore(database, formula=formula),
            journal=journal,
            rng=chance,
            watcher=presenter,
            lobby_minutes=settings.lobby_minutes,
            paused_days=settings.paused_days,
            robots=lambda _seat: Robot(Random(chance.getrandbits(64)), timing=timing),  # noqa: S311 - a robot's whims
            photo_finish_ms=settings.photo_finish_ms,
            afk_seconds=settings.afk_seconds,
        )
        presenter.attach(directory)
        house_rules = _house_rules(settings)
        book = RuleBook(SqlRuleSetStore(database), house_rules)

        def season_changed() -> None:
            ends.look_again()

        def server_changed(guild_id: int) -> None:
            ends.retry(guild_id)

        servers = SqlServerStore(database, changed=server_changed)
        customs = ServerDefaults(servers, settings.default_locale)
        places = TablePlaces(customs, in_thread=settings.table_threads)
        presses = TablePresses(presenter)
        people = PeoplePresses(presenter, presses)
        admission = Admission(Lateness(ticks.now), pace or PressRate())
        recount = SqlRecount(database, formula=formula, changed=season_changed)
        books = Books(
            clock=ticks,
            archive=SqlArchive(database),
            chronicle=SqlHistory(database, formula=formula),
            boards=SqlBoards(database),
            seasons=SqlSeasonStore(database, changed=season_changed),
            records=SqlSeasonRecords(database),
            endings=SqlSeasonDutyStore(database),
            referee=recount,
            privacy=SqlPersonalData(database, changed=season_changed),
        )
        chronicles = HistoryReader(books)
        crown = ChampionRole(client, SqlChampionStore(database))
        studio = DrawingQueue()
        illustrator = Illustrator(studio, presenter.budget)
        herald = PodiumPost(client, servers, books, chronicles, illustrator, crown, settings.default_locale)
        ends = SeasonEnds(ticks, books.endings, herald)
        housekeeping = RetentionJob(ticks, SqlRetention(database), directory.finish)
        config = ConfigPresses(servers, books.seasons, books.endings, ticks, customs, afk_seconds=settings.afk_seconds)
        commands = KemsCommands(directory, book, presenter, presses, customs, places)
        past = PastMatches(books.archive, presenter.emojis, studio, customs)
        TableCommands(directory, presenter, people).add_to(commands)
        MoveCommand(directory, presenter, places).add_to(commands)
        PastCommands(past).add_to(commands)
        HistoryCommands(chronicles, books, illustrator).add_to(commands)
        commands.add_command(LadderCommands(books, formula))
        farewell = Erasure(directory, books.privacy, presenter.caught_up)
        commands.add_command(PrivacyCommands(books.privacy, farewell))

        async def enter() -> None:
            await directory.restore()

        async def leave() -> None:
            await ends.stop()
            illustrator.stop()
            await housekeeping.stop()
            await recount.stop()
            await directory.close()
            await journal.close()
            await memory.close()
            await database.close()

        def begin() -> None:
            ends.begin()
            housekeeping.begin()
            recount.begin()

        return Rooms(
            presenter=presenter,
            router=Router(
                admission,
                directory,
                (
                    OpeningPresses(
                        directory, presenter, presses, chance, quick_rules=book.preset("classic"), customs=customs
                    ),
                    LobbyPresses(directory, presenter, chance),
                    RulesPresses(directory, book, presenter),
                    VotePresses(directory, presenter),
                    presses,
                    people,
                    RecordPresses(chronicles, illustrator),
                    PrivacyPresses(farewell, crown),
                    past,
                    config,
                ),
            ),
            admission=admission,
            gestures=Gestures(client, directory, presenter, reads_chat=settings.message_content),
            commands=(
                commands,
                AdminCommands(
                    config,
                    RulesCommands(directory, book),
                    SeasonCommands(chronicles, books, customs, ends, illustrator),
                    LadderAdminCommands(books),
                ),
            ),
            enter=enter,
            begin=begin,
            leave=leave,
            hold=directory.hold,
            release=directory.release,
        )

    return KemsClient(furnish, message_content=settings.message_content, dev_guild_id=settings.dev_guild_id)


def ladder_formula(settings: Settings) -> Formula:
    """The numbers of the ladder, of which a host chooses when a rating is sure."""
    return replace(FORMULA, sure_matches=settings.sure_matches, sure_partners=settings.sure_partners)


def _house_rules(settings: Settings) -> dict[str, str]:
    return {
        "auto_open": str(settings.auto_open),
        "auto_next": str(settings.auto_next),
        "sign_deadline": str(settings.sign_deadline),
    }
