"""What was played and who stands where, as the face reads it: one shelf for the ports of `chronicle` and `ladder`."""

from dataclasses import dataclass

from bot.records.archive import Archive
from bot.records.history import Boards, History
from bot.records.personal_data import PersonalData
from bot.records.season_record import SeasonRecords
from bot.records.seasons import Recount, SeasonStore
from bot.tables.clock import Clock
from bot.tables.jobs.season_ends import SeasonDutyStore


@dataclass(frozen=True, slots=True)
class Books:
    """`clock` says at which instant they are read."""

    clock: Clock
    archive: Archive
    chronicle: History
    boards: Boards
    seasons: SeasonStore
    records: SeasonRecords
    endings: SeasonDutyStore
    referee: Recount
    privacy: PersonalData
