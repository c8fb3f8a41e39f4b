"""Who may play ranked at the tables of a night."""

from collections.abc import Collection

from bot.conditions import EntryRules
from bot.ladder.seasons import RankedRules
from tests.tables.nights.evening import Evening, planned
from tests.tables.nights.test_live_nights import begun


async def test_discord_is_asked_once_for_all_tables_of_a_round() -> None:
    evening, known, requests = Evening(), set[int](), list[set[int]]()
    evening.tables.asked = RankedRules(entry=EntryRules(role_id=5))

    async def lacking(_guild_id: int, _entry: EntryRules, user_ids: Collection[int]) -> frozenset[int]:
        if asked := {*user_ids} - known:  # whom `bot.discord.places.members` would ask about
            requests.append(asked)
            known.update(asked)
        return frozenset()

    evening.directory.lobbies._lacking = lacking
    night = await evening.night(planned(rounds=1, is_ranked=True), 12)
    await evening.until(night.id, begun(1))
    assert requests == [{100 + number for number in range(12)}]
