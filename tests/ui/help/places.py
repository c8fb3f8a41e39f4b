"""Where readers of the help may be, by name."""

from typing import Final

from bot.ui.help.feature import ReaderRights

_TABLE: Final = "https://discord.com/channels/1/2/3"
PLACES: Final = {
    "at nothing": ReaderRights(),
    "where a role calls": ReaderRights(offers_role=True),
    "where no table fits": ReaderRights(obstacle="No table fits in here: choose a text channel or a thread."),
    "beside a lobby": ReaderRights(has_table=True),
    "beside a match with an open seat": ReaderRights(has_table=True, has_open_seat=True),
    "in a match": ReaderRights(seat=_TABLE, is_playing=True, has_table=True),
    "hosting a lobby": ReaderRights(seat=_TABLE, has_table=True, decides=True),
    "hosting a match": ReaderRights(seat=_TABLE, is_playing=True, has_table=True, decides=True, is_match=True),
    "hosting nights": ReaderRights(hosts_nights=True),
    "managing": ReaderRights(has_table=True, decides=True, is_match=True, hosts_nights=True, manages=True),
}
