"""What was played and who stands where, as the face reads it: one shelf for the ports of `chronicle` and `ladder`."""

from dataclasses import dataclass

from bot.live.chronicle import Boards, Chronicle
from bot.live.ladder import Referee, SeasonBook
from bot.live.ports import Archive, Clock
from bot.live.privacy import Privacy
from bot.live.season_ends import EndingBook
from bot.live.season_record import SeasonRecords


@dataclass(frozen=True, slots=True)
class Books:
    """`clock` says at which instant they are read."""

    clock: Clock
    archive: Archive
    chronicle: Chronicle
    boards: Boards
    seasons: SeasonBook
    records: SeasonRecords
    endings: EndingBook
    referee: Referee
    privacy: Privacy
