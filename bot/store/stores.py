"""Everything that is stored, as one value: the SQL adapters over one database."""

from collections.abc import Callable
from dataclasses import dataclass

from bot.ladder.formula import Formula, formula_with
from bot.settings import Settings
from bot.store.engine.cipher import Cipher
from bot.store.engine.database import Database
from bot.store.ladder.boards import SqlBoards
from bot.store.ladder.champion_store import SqlChampionStore
from bot.store.ladder.recount import SqlRecount
from bot.store.ladder.season_duties import SqlSeasonDutyStore
from bot.store.ladder.season_store import SqlSeasonStore
from bot.store.nights.night_records import SqlNightRecords
from bot.store.nights.night_store import SqlNightStore
from bot.store.privacy.other_processes import SqlOtherProcesses
from bot.store.privacy.personal_data import SqlPersonalData
from bot.store.records.archive import SqlArchive
from bot.store.records.history import SqlHistory
from bot.store.records.retention import SqlRetention
from bot.store.records.season_records import SqlSeasonRecords
from bot.store.records.shared_rounds import SqlSharedRounds
from bot.store.tables.command_digests import SqlCommandDigests
from bot.store.tables.journal import SqlJournal
from bot.store.tables.panel_store import SqlPanelStore
from bot.store.tables.rule_set_store import SqlRuleSetStore
from bot.store.tables.server_store import SqlServerStore
from bot.store.tables.table_store import SqlTableStore


@dataclass(frozen=True, slots=True)
class Stores:
    """Each adapter is called `Sql` + the name of its Protocol. Without `panels` no panel outlives a restart."""

    database: Database
    formula: Formula
    command_digests: SqlCommandDigests
    tables: SqlTableStore
    journal: SqlJournal
    panels: SqlPanelStore | None
    rule_sets: SqlRuleSetStore
    servers: SqlServerStore
    archive: SqlArchive
    history: SqlHistory
    boards: SqlBoards
    seasons: SqlSeasonStore
    season_records: SqlSeasonRecords
    season_duties: SqlSeasonDutyStore
    champions: SqlChampionStore
    recount: SqlRecount
    personal_data: SqlPersonalData
    other_processes: SqlOtherProcesses
    retention: SqlRetention
    nights: SqlNightStore
    night_records: SqlNightRecords
    shared_rounds: SqlSharedRounds


def open_stores(
    settings: Settings,
    database: Database,
    *,
    season_changed: Callable[[], None],
    server_changed: Callable[[int], None],
) -> Stores:
    """The stores on a database, which has its tables already (`migrate`).

    `season_changed` is called when a season, or a board of one that is over, has changed; `server_changed` with the id
    of a server whose settings have.
    """
    token, formula = settings.discord_token, formula_with(settings.sure_matches, settings.sure_partners)
    return Stores(
        database=database,
        formula=formula,
        command_digests=SqlCommandDigests(database),
        tables=SqlTableStore(database, formula=formula),
        journal=SqlJournal(database, formula=formula),
        panels=None if token is None else SqlPanelStore(database, Cipher(token.get_secret_value())),
        rule_sets=SqlRuleSetStore(database),
        servers=SqlServerStore(database, changed=server_changed),
        archive=SqlArchive(database),
        history=SqlHistory(database, formula=formula),
        boards=SqlBoards(database),
        seasons=SqlSeasonStore(database, changed=season_changed),
        season_records=SqlSeasonRecords(database),
        season_duties=SqlSeasonDutyStore(database),
        champions=SqlChampionStore(database),
        recount=SqlRecount(database, formula=formula, changed=season_changed),
        personal_data=SqlPersonalData(database, changed=season_changed),
        other_processes=SqlOtherProcesses(database),
        retention=SqlRetention(database),
        nights=SqlNightStore(database),
        night_records=SqlNightRecords(database),
        shared_rounds=SqlSharedRounds(database),
    )
