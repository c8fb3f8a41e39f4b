"""Wires the rooms together and lists the features."""

from random import Random, SystemRandom

from bot.art.drawing_queue import DrawingQueue
from bot.base.clock import Clock, WallClock
from bot.base.settings import Settings
from bot.discord.gateway.client import KemsClient, Parts
from bot.discord.interactions.admission.admission import Admission, PressRate
from bot.discord.interactions.admission.discord_clock import DiscordClock
from bot.discord.interactions.admission.press_notes import PressNotes
from bot.discord.interactions.admission.spending import Spending
from bot.discord.interactions.feature import Feature
from bot.discord.messages.live_messages import LiveMessages
from bot.discord.messages.panel_memory import PanelMemory
from bot.discord.pictures.custom_emojis import CustomEmojis
from bot.discord.pictures.illustrations import Illustrator
from bot.discord.pictures.portraits import Portraits
from bot.discord.rate_limits.bot_requests import BotRequests
from bot.discord.rate_limits.panel_requests import OwnLoad, PanelRequests
from bot.discord.text.texts import texts_for
from bot.robots import LEVELS, Robot, RobotLevel, Timing
from bot.store.engine.database import Database
from bot.store.stores import Stores
from bot.tables import hub as said
from bot.tables.directory import TableDirectory
from bot.tables.erasure import Erasure, ErasureJob, RetentionJob
from bot.tables.open_matches import OpenMatches
from bot.tables.server_settings import RuleBook
from bot.ui.daily.commands import wire_daily
from bot.ui.help.commands import help_feature
from bot.ui.ladder.season_commands import wire_ladder
from bot.ui.lobby.commands import wire_lobby
from bot.ui.lobby.lobby_board import lobby_board
from bot.ui.lobby.places import ServerDefaults
from bot.ui.lobby.verbs import SettingsVerb
from bot.ui.night.feature import wire_nights
from bot.ui.privacy.commands import privacy_feature
from bot.ui.records.commands import records_feature
from bot.ui.records.match_ends import MatchEndReader
from bot.ui.rules.commands import rules_feature
from bot.ui.server.commands import server_feature
from bot.ui.server.log_channel import LogChannel
from bot.ui.server.report import ReportCommand
from bot.ui.table.commands import table_feature
from bot.ui.table.gestures import Gestures
from bot.ui.table.messages.running_pictures import RunningPictures
from bot.ui.table.messages.table_messages import TableMessages
from bot.ui.table.robot_places import RobotPlaces


def build_client(
    settings: Settings,
    *,
    clock: Clock | None = None,
    rng: Random | None = None,
    timing: Timing | None = None,
    pace: PressRate | None = None,
    has_budgets: bool = True,
    database: Database | None = None,
    load: OwnLoad | None = None,
) -> KemsClient:
    """A bot on a migrated database, which it closes (default: the settings'); it is not connected yet.

    With `load` its panels rest longer while its process uses up a core. Without budgets a member may make as much as
    they like.

    Raises StoreError when no database can have the settings' address.
    """
    now, chance, times = DiscordClock(clock or WallClock()), rng or SystemRandom(), settings.table_times

    def wire(client: KemsClient) -> Parts:
        hub = said.Hub()
        store = Stores(settings, database or Database(settings.database_url, sends_from=settings.address_name), hub)

        def robot(_seat: int, level: RobotLevel) -> Robot:
            return Robot(Random(chance.getrandbits(64)), LEVELS[level], timing=timing)  # noqa: S311 - a robot's whims

        directory = TableDirectory(
            clock=now,
            store=store.tables,
            journal=store.journal,
            bans=store.bans,
            rng=chance,
            hub=hub,
            robots=robot,
            **times,
        )
        seasons, history, archive, people = store.seasons, store.history, store.archive, store.personal_data
        memory = PanelMemory(store.panels, now)
        panel_requests = PanelRequests(settings.panel_rate, load)
        drawings = Portraits(client, now, DrawingQueue(), people)
        emojis, requests = CustomEmojis(client, now), BotRequests(now)
        illustrator = Illustrator(drawings, panel_requests)
        live = LiveMessages(client, now, requests, emojis, illustrator)
        defaults = ServerDefaults(store.servers, settings.default_locale)
        match_ends = MatchEndReader(archive, history, seasons, drawings, directory, emojis, defaults)
        pictures = RunningPictures(directory, store.servers.read, settings.table_pictures)
        messages = TableMessages(live, directory, memory, panel_requests, lobby_board, match_ends, pictures)
        messages.listen(hub)
        open_matches = OpenMatches(now, store.tables)
        hub.subscribe(said.OpenChannels, open_matches.changed)
        hub.subscribe(said.ServersLost, lambda lost: directory.hold(lost.guild_ids))
        hub.subscribe(said.ServersReached, lambda reached: directory.release(reached.guild_ids))
        book, notes = RuleBook(store.rule_sets, settings.house_rules), PressNotes(store.press_notes, now)
        spending = Spending(now, directory.bans) if has_budgets else None
        admission = Admission(now, pace or PressRate(), notes, lambda: store.database.cluster.acts_until, spending)
        ladder = wire_ladder(
            client, now, hub, live, defaults, store.formula, history, store.boards, seasons,
            store.night_records, store.champions, store.season_records, store.recount,
        )  # fmt: skip
        nights = wire_nights(
            client, now, chance, hub, directory, live, messages.is_settled, defaults, ladder.reader, book,
            store.nights, store.night_drafts, store.night_records, archive, seasons, ladder.champion_role,
            history.matches_played,
        )  # fmt: skip
        log_channel = LogChannel(live.context, defaults)
        hub.subscribe(said.Moderated, log_channel.moderated)
        hub.subscribe(said.PersonBanned, log_channel.banned)
        daily = wire_daily(
            live.context, hub, panel_requests, defaults, store.servers, store.scenes, history, archive,
        )  # fmt: skip
        also = [nights.live.forget, notes.forget, directory.claims.forget_person, drawings.forget]
        erasure = Erasure(directory, people, store.other_processes, ladder.champion_role, also=also)
        hub.subscribe(
            said.ShardTaken,
            # A move that has outlived its shard brings a copy back, which is out of date now.
            *(daily.scenes.give_up, nights.messages.give_up, messages.give_up),
            directory.restore,
            nights.live.restore,
            messages.restore,
            daily.scenes.restore,  # last: its moments have to be prepared
        )
        hub.subscribe(
            said.ShardGivenUp,
            *(daily.scenes.give_up, nights.runner.give_up, nights.messages.give_up),
            *(messages.give_up, directory.give_up, open_matches.give_up),
        )

        robot_places = RobotPlaces(directory, messages, hub)
        lobby, calls = wire_lobby(
            client, now, chance, hub, book, directory, messages, robot_places, requests, defaults, store.servers,
            history.has_played, in_thread=settings.table_threads,
        )  # fmt: skip
        features: tuple[Feature, ...] = (
            lobby,
            table_feature(directory, messages, emojis, robot_places),
            rules_feature(directory, book, back=SettingsVerb.SETTINGS),
            records_feature(archive, history, seasons, store.shared_rounds, drawings, directory, live, defaults),
            ladder.feature,
            nights.feature,
            daily.feature,
            server_feature(
                now, store.servers, seasons, ladder.podiums.troubles, store.retention, directory.bans,
                settings.afk_seconds, ReportCommand(now, history, store.night_records, seasons, illustrator),
            ),
            privacy_feature(erasure, people),
        )  # fmt: skip
        features = (*features, help_feature(directory, defaults, requests, nights.hosts, features))
        return Parts(
            hub=hub,
            cluster=store.database.cluster,
            features=features,
            live=live,
            messages=messages,
            requests=requests,
            panel_requests=panel_requests,
            emojis=emojis,
            directory=directory,
            nights=nights,
            admission=admission,
            erasure=erasure,
            gestures=Gestures(client, directory, messages, admission, reads_chat=settings.message_content),
            stops=(
                log_channel.stop,
                calls.close,
                robot_places.close,
                nights.runner.close,
                nights.messages.stop,
                daily.scenes.give_up,
                live.stop,
                messages.stop,
                illustrator.stop,
            ),
            jobs=(open_matches, ladder.podiums, ErasureJob(now, erasure), store.log_packing),
            of_leader=(
                RetentionJob(now, store.retention, directory.finish),
                store.recount,
                daily.post,
            ),
            last=(store.journal.close, memory.close, notes.close, store.database.close),
        )

    shown = f"Kem's · /{texts_for(settings.default_locale).command_name('start')}"
    return KemsClient(wire, settings.dev_guild_id, now.hear, message_content=settings.message_content, shown=shown)
