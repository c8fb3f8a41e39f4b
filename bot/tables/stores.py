"""All stores as one value, typed by the Protocols of the rooms that use them."""

from collections.abc import Sequence
from typing import Protocol

from bot.base.worker import Job
from bot.daily.store import SceneStore
from bot.ladder.formula import Formula
from bot.records.archive import Archive, NightRecords, SharedRounds
from bot.records.history import Boards, History
from bot.records.personal_data import PersonalData
from bot.records.press_notes import PressNoteStore
from bot.records.season_files import SeasonRecords
from bot.records.seasons import ChampionStore, Recount, SeasonStore
from bot.tables.cluster import Cluster, NonceTagStore
from bot.tables.erasure import OtherProcesses, Retention
from bot.tables.nights.live_nights import NightDraftStore
from bot.tables.nights.running_night import NightStore
from bot.tables.servers.bans import BanStore
from bot.tables.servers.settings import RuleSetStore, ServerStore
from bot.tables.table_store import Journal, PanelStore, TableStore


class Stores(Protocol):
    """All stores, by the Protocols of the rooms that use them.

    - `jobs`: maintain the stores, in each process.
    - `of_leader`: maintain the stores, in one process for all.
    - `panels`: None if no panel survives a restart.
    """

    archive: Archive
    bans: BanStore
    boards: Boards
    champions: ChampionStore
    cluster: Cluster
    formula: Formula
    history: History
    journal: Journal
    night_drafts: NightDraftStore
    night_records: NightRecords
    nights: NightStore
    nonce_tags: NonceTagStore
    other_processes: OtherProcesses
    panels: PanelStore | None
    personal_data: PersonalData
    press_notes: PressNoteStore
    recount: Recount
    retention: Retention
    rule_sets: RuleSetStore
    scenes: SceneStore
    season_records: SeasonRecords
    seasons: SeasonStore
    servers: ServerStore
    shared_rounds: SharedRounds
    tables: TableStore
    jobs: Sequence[Job]
    of_leader: Sequence[Job]

    async def close(self) -> None:
        """Save what is waiting to be saved, then close the database."""
