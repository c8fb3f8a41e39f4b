"""Where readers of the help may be, by name."""

from typing import Final

from bot.ui.help.feature import Here

_TABLE: Final = "https://discord.com/channels/1/2/3"
PLACES: Final = {
    "at nothing": Here(),
    "where a role calls": Here(offers_role=True),
    "where no table fits": Here(obstacle="No table fits in here: choose a text channel or a thread."),
    "beside a lobby": Here(has_table=True),
    "beside a match with an open seat": Here(has_table=True, has_open_seat=True),
    "in a match": Here(seat=_TABLE, is_playing=True, has_table=True),
    "hosting a lobby": Here(seat=_TABLE, has_table=True, decides=True),
    "hosting a match": Here(seat=_TABLE, is_playing=True, has_table=True, decides=True, is_match=True),
    "hosting nights": Here(hosts_nights=True),
    "managing": Here(has_table=True, decides=True, is_match=True, hosts_nights=True, manages=True),
}
