"""Everything that is stored: the SQL adapters over one database."""

from bot.base.settings import Settings
from bot.ladder.formula import formula_with
from bot.store.daily import SqlSceneStore
from bot.store.engine.database import Database
from bot.store.ladder.boards import SqlBoards
from bot.store.ladder.recount import SqlRecount
from bot.store.ladder.season_store import SqlChampionStore, SqlSeasonStore
from bot.store.nights import SqlNightDraftStore, SqlNightRecords, SqlNightStore
from bot.store.privacy import SqlOtherProcesses, SqlPersonalData
from bot.store.records.history import SqlArchive, SqlHistory, SqlSeasonRecords, SqlSharedRounds
from bot.store.records.press_notes import SqlPressNoteStore
from bot.store.records.retention import SqlRetention
from bot.store.tables.bans import SqlBanStore
from bot.store.tables.journal import SqlJournal
from bot.store.tables.log_packing import SqlLogPacking
from bot.store.tables.nonce_tags import SqlNonceTagStore
from bot.store.tables.panel_store import Cipher, SqlPanelStore
from bot.store.tables.servers import SqlRuleSetStore, SqlServerStore
from bot.store.tables.table_store import SqlTableStore
from bot.tables.hub import Hub, SeasonChanged, SettingsChanged
from bot.tables.stores import Stores


class SqlStores(Stores):
    """`Stores` in SQL. Each adapter is called `Sql` + the name of its Protocol."""

    def __init__(self, settings: Settings, database: Database, hub: Hub) -> None:
        """`database` has its tables already (`migrate`)."""

        def season_changed() -> None:
            hub.publish(SeasonChanged())

        def people_changed() -> None:
            season_changed()
            recount.wake()

        token, formula = settings.discord_token, formula_with(settings.sure_matches, settings.sure_partners)
        self.cluster = database.cluster
        self._database = database
        self.formula = formula
        self.tables = SqlTableStore(database, formula=formula)
        self.journal = self._journal = SqlJournal(database, formula=formula)
        cipher = None if token is None else Cipher(token.get_secret_value())
        self.panels = None if cipher is None else SqlPanelStore(database, cipher)
        self.scenes = SqlSceneStore(database, cipher)
        self.press_notes = SqlPressNoteStore(database)
        self.rule_sets = SqlRuleSetStore(database)
        self.servers = SqlServerStore(database, changed=lambda guild_id: hub.publish(SettingsChanged(guild_id)))
        self.bans = SqlBanStore(database, "" if token is None else token.get_secret_value())
        self.archive = SqlArchive(database)
        self.history = SqlHistory(database, formula=formula)
        self.boards = SqlBoards(database, formula=formula)
        self.seasons = SqlSeasonStore(database, changed=season_changed)
        self.season_records = SqlSeasonRecords(database, formula=formula)
        self.champions = SqlChampionStore(database)
        self.recount = recount = SqlRecount(database, formula=formula, changed=season_changed)
        self.jobs, self.of_leader = (SqlLogPacking(database),), (recount,)
        self.personal_data = SqlPersonalData(database, changed=people_changed)
        self.other_processes = SqlOtherProcesses(database)
        self.retention = SqlRetention(database)
        self.nights = SqlNightStore(database)
        self.night_drafts = SqlNightDraftStore(database)
        self.night_records = SqlNightRecords(database)
        self.nonce_tags = SqlNonceTagStore(database)
        self.shared_rounds = SqlSharedRounds(database)

    async def close(self) -> None:
        await self._journal.close()
        await self._database.close()
