"""Wires the rooms together and lists the features."""

from random import Random, SystemRandom

from bot.art.drawing_queue import DrawingQueue
from bot.robots import LEVELS, Robot, RobotLevel, Timing
from bot.settings import Settings
from bot.store.engine.database import Database
from bot.store.stores import open_stores
from bot.tables.clock import Clock, WallClock
from bot.tables.directory import TableDirectory
from bot.tables.erasure import Erasure
from bot.tables.jobs.retention import RetentionJob
from bot.tables.jobs.season_ends import SeasonEnds
from bot.tables.nights.live_nights import LiveNights
from bot.tables.rule_book import RuleBook
from bot.ui.admission.admission import Admission, PressRate
from bot.ui.admission.discord_clock import DiscordClock
from bot.ui.client import KemsClient, Rooms
from bot.ui.ladder.champion_role import ChampionRole
from bot.ui.ladder.feature import ladder_feature
from bot.ui.ladder.ladder_reader import LadderReader
from bot.ui.ladder.podium_post import PodiumPost
from bot.ui.lobby.feature import lobby_feature
from bot.ui.lobby.server_defaults import ServerDefaults
from bot.ui.lobby.verbs import LobbyVerb
from bot.ui.messages.limits.own_load import OwnLoad
from bot.ui.messages.limits.panel_requests import PanelRequests
from bot.ui.messages.panels.panel_memory import PanelMemory
from bot.ui.messages.portraits import Portraits
from bot.ui.messages.presenter import Presenter
from bot.ui.night.feature import night_feature
from bot.ui.night.night_messages import NightMessages
from bot.ui.privacy.feature import privacy_feature
from bot.ui.records.feature import records_feature
from bot.ui.records.match_end_reader import MatchEndReader
from bot.ui.rules.feature import rules_feature
from bot.ui.server.feature import server_feature
from bot.ui.table.feature import table_feature
from bot.ui.table.gestures import Gestures


def build_client(
    settings: Settings,
    *,
    clock: Clock | None = None,
    rng: Random | None = None,
    timing: Timing | None = None,
    pace: PressRate | None = None,
    database: Database | None = None,
    load: OwnLoad | None = None,
) -> KemsClient:
    """A bot on a migrated database, which it closes (default: the settings'); it is not connected yet.

    With `load` its panels rest longer while its process uses up a core.

    Raises StoreError when no database can have the settings' address.
    """
    now, chance, times = DiscordClock(clock or WallClock()), rng or SystemRandom(), settings.table_times

    def wire(client: KemsClient) -> Rooms:
        store = open_stores(
            settings,
            database or Database(settings.database_url),
            season_changed=lambda: ends.look_again(),  # noqa: PLW0108 - made below, of these stores
            server_changed=lambda guild_id: ends.retry(guild_id),  # noqa: PLW0108 - likewise
        )
        memory, drawings = PanelMemory(store.panels, now), Portraits(client, now, DrawingQueue(), store.personal_data)
        presenter = Presenter(client, now, memory, drawings, PanelRequests(settings.panel_rate, load))

        def robot(_seat: int, level: RobotLevel) -> Robot:
            return Robot(Random(chance.getrandbits(64)), LEVELS[level], timing=timing)  # noqa: S311 - a robot's whims

        directory = TableDirectory(
            clock=now, store=store.tables, journal=store.journal, rng=chance, watcher=presenter, robots=robot, **times
        )
        book, admission = RuleBook(store.rule_sets, settings.house_rules), Admission(now, pace or PressRate())
        defaults, seasons = ServerDefaults(store.servers, settings.default_locale), store.seasons
        ladder = LadderReader(
            now, store.formula, store.history, store.boards, seasons, store.season_duties, store.night_records
        )
        champion_role = ChampionRole(client, store.champions)
        podiums = PodiumPost(client, now, defaults, store.boards, ladder, presenter.illustrator, champion_role)
        ends = SeasonEnds(now, store.season_duties, podiums)
        match_ends, in_thread = MatchEndReader(store.archive, store.history, seasons, drawings), settings.table_threads
        has_played = store.history.has_played
        night_messages = NightMessages(client, now, presenter, defaults, store.archive, ladder.zone)
        nights = LiveNights(
            clock=now, store=store.nights, directory=directory, face=night_messages, rng=chance, zone_of=ladder.zone
        )
        night_messages.attach(nights)
        erasure = Erasure(
            directory, store.personal_data, store.other_processes, presenter.caught_up, also=[nights.forget]
        )

        features = (
            lobby_feature(
                directory,
                book,
                presenter,
                defaults,
                store.servers,
                now,
                chance,
                match_ends.read,
                has_played,
                in_thread=in_thread,
            ),
            table_feature(directory, presenter),
            rules_feature(directory, book, presenter, back=LobbyVerb.SETTINGS),
            records_feature(store.archive, store.history, seasons, store.shared_rounds, drawings, presenter, defaults),
            ladder_feature(
                now, ladder, store.history, seasons, store.season_records, store.recount, ends, presenter, defaults
            ),
            night_feature(now, nights, store.night_records, book, seasons, defaults, presenter, ladder.strength),
            server_feature(
                now, store.servers, seasons, store.season_duties, store.retention, defaults, settings.afk_seconds
            ),
            privacy_feature(erasure, store.personal_data, champion_role),
        )
        return Rooms(
            leases=store.database.leases,
            command_digests=store.command_digests,
            features=features,
            presenter=presenter,
            directory=directory,
            nights=nights,
            night_messages=night_messages,
            admission=admission,
            erasure=erasure,
            gestures=Gestures(client, directory, presenter, admission, reads_chat=settings.message_content),
            rights_changed=(presenter.try_again, ends.retry, night_messages.try_again),
            jobs=(ends,),
            of_leader=(RetentionJob(now, store.retention, directory.finish), store.recount),
            last=(store.journal.close, memory.close, store.database.close),
        )

    return KemsClient(wire, settings.dev_guild_id, now.hear, message_content=settings.message_content)
