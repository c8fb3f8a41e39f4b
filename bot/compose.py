"""The only place that wires the rooms together: settings in, a bot that plays out. No behaviour of its own."""

import time
from dataclasses import replace
from random import Random, SystemRandom

from bot.art.studio import Studio
from bot.ladder.formula import FORMULA, Formula
from bot.live.books import Books
from bot.live.farewell import Farewell
from bot.live.house import House
from bot.live.housekeeping import Housekeeping
from bot.live.ports import Clock
from bot.live.rule_book import RuleBook
from bot.live.season_ends import SeasonEnds
from bot.robots import Robot, Tempo
from bot.settings import Settings
from bot.store.archive import Archive
from bot.store.boards import SeasonBoards
from bot.store.champions import Champions
from bot.store.cipher import Cipher
from bot.store.database import Database
from bot.store.endings import Endings
from bot.store.event_store import EventStore
from bot.store.history import History
from bot.store.panels import Panels
from bot.store.privacy import PersonalData
from bot.store.recount import Recount
from bot.store.retention import Retention
from bot.store.rule_sets import RuleSets
from bot.store.season_records import SeasonRecords
from bot.store.seasons import Seasons
from bot.store.servers import Servers
from bot.store.tables import Tables
from bot.ui.admin_commands import AdminCommands, RulesCommands
from bot.ui.chronicle_commands import ChronicleCommands, LadderCommands
from bot.ui.chronicles import Chronicles
from bot.ui.client import KemsClient, Rooms
from bot.ui.commands import KemsCommands
from bot.ui.config_presses import ConfigPresses
from bot.ui.crown import Crown
from bot.ui.customs import Customs
from bot.ui.door import Door
from bot.ui.gestures import Gestures
from bot.ui.herald import Herald
from bot.ui.illustrations import Illustrator
from bot.ui.lateness import Lateness
from bot.ui.lobby_presses import LobbyPresses
from bot.ui.move_command import MoveCommand
from bot.ui.opening_presses import OpeningPresses
from bot.ui.pace import Pace
from bot.ui.panel_memory import PanelMemory
from bot.ui.past_commands import PastCommands
from bot.ui.past_matches import PastMatches
from bot.ui.people_presses import PeoplePresses
from bot.ui.presenter import Presenter
from bot.ui.privacy_commands import PrivacyCommands
from bot.ui.privacy_presses import PrivacyPresses
from bot.ui.record_presses import RecordPresses
from bot.ui.router import Router
from bot.ui.rules_presses import RulesPresses
from bot.ui.season_commands import LadderAdminCommands, SeasonCommands
from bot.ui.table_commands import TableCommands
from bot.ui.table_presses import TablePresses
from bot.ui.venues import Venues
from bot.ui.vote_presses import VotePresses


class WallClock:
    """Milliseconds since the Unix epoch."""

    def now(self) -> int:
        return time.time_ns() // 1_000_000


def build_client(
    settings: Settings,
    *,
    clock: Clock | None = None,
    rng: Random | None = None,
    tempo: Tempo | None = None,
    pace: Pace | None = None,
) -> KemsClient:
    """A bot on the settings' database, which has its tables already (`migrate`); it is not connected yet.

    Raises:
        StoreError: the database's address is none.
    """
    ticks = clock or WallClock()
    chance = rng or SystemRandom()
    database = Database(settings.database_url)
    formula = ladder_formula(settings)
    journal = EventStore(database, formula=formula)
    token = settings.discord_token
    panels = None if token is None else Panels(database, Cipher(token.get_secret_value()))
    memory = PanelMemory(panels, ticks)

    def furnish(client: KemsClient) -> Rooms:
        presenter = Presenter(client, ticks, memory)
        house = House(
            clock=ticks,
            store=Tables(database, formula=formula),
            journal=journal,
            rng=chance,
            watcher=presenter,
            lobby_minutes=settings.lobby_minutes,
            paused_days=settings.paused_days,
            robots=lambda _seat: Robot(Random(chance.getrandbits(64)), tempo=tempo),  # noqa: S311 - a robot's whims
            photo_finish_ms=settings.photo_finish_ms,
            afk_seconds=settings.afk_seconds,
        )
        presenter.attach(house)
        house_rules = _house_rules(settings)
        book = RuleBook(RuleSets(database), house_rules)

        def season_changed() -> None:
            ends.look_again()

        def server_changed(guild_id: int) -> None:
            ends.retry(guild_id)

        servers = Servers(database, changed=server_changed)
        customs = Customs(servers, settings.default_locale)
        venues = Venues(customs, in_thread=settings.table_threads)
        presses = TablePresses(presenter)
        people = PeoplePresses(presenter, presses)
        door = Door(Lateness(ticks.now), pace or Pace())
        recount = Recount(database, formula=formula, changed=season_changed)
        books = Books(
            clock=ticks,
            archive=Archive(database),
            chronicle=History(database, formula=formula),
            boards=SeasonBoards(database),
            seasons=Seasons(database, changed=season_changed),
            records=SeasonRecords(database),
            endings=Endings(database),
            referee=recount,
            privacy=PersonalData(database, changed=season_changed),
        )
        chronicles = Chronicles(books)
        crown = Crown(client, Champions(database))
        studio = Studio()
        illustrator = Illustrator(studio, presenter.budget)
        herald = Herald(client, servers, books, chronicles, illustrator, crown, settings.default_locale)
        ends = SeasonEnds(ticks, books.endings, herald)
        housekeeping = Housekeeping(ticks, Retention(database), house.finish)
        config = ConfigPresses(servers, books.seasons, books.endings, ticks, customs, afk_seconds=settings.afk_seconds)
        commands = KemsCommands(house, book, presenter, presses, customs, venues)
        past = PastMatches(books.archive, presenter.emojis, studio, customs)
        TableCommands(house, presenter, people).add_to(commands)
        MoveCommand(house, presenter, venues).add_to(commands)
        PastCommands(past).add_to(commands)
        ChronicleCommands(chronicles, books, illustrator).add_to(commands)
        commands.add_command(LadderCommands(books, formula))
        farewell = Farewell(house, books.privacy, presenter.caught_up)
        commands.add_command(PrivacyCommands(books.privacy, farewell))

        async def enter() -> None:
            await house.restore()

        async def leave() -> None:
            await ends.stop()
            illustrator.stop()
            await housekeeping.stop()
            await recount.stop()
            await house.close()
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
                door,
                house,
                (
                    OpeningPresses(
                        house, presenter, presses, chance, quick_rules=book.preset("classic"), customs=customs
                    ),
                    LobbyPresses(house, presenter, chance),
                    RulesPresses(house, book, presenter),
                    VotePresses(house, presenter),
                    presses,
                    people,
                    RecordPresses(chronicles, illustrator),
                    PrivacyPresses(farewell, crown),
                    past,
                    config,
                ),
            ),
            door=door,
            gestures=Gestures(client, house, presenter, reads_chat=settings.message_content),
            commands=(
                commands,
                AdminCommands(
                    config,
                    RulesCommands(house, book),
                    SeasonCommands(chronicles, books, customs, ends, illustrator),
                    LadderAdminCommands(books),
                ),
            ),
            enter=enter,
            begin=begin,
            leave=leave,
            hold=house.hold,
            release=house.release,
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
