"""Tags of nonces over runs: drawn at each start; `tests/store/engine/test_cluster.py` has several processes."""

from bot.store.engine.database import Database
from bot.store.tables.nonce_tags import SqlNonceTagStore
from bot.tables.cluster import NONCE_MS


async def test_each_run_draws_a_tag_and_recognises_the_previous_run(database: Database) -> None:
    store = SqlNonceTagStore(database)
    first = await store.draw(0)
    second = await store.draw(NONCE_MS)
    assert (second.former, second.drawn_at) == (first.present, NONCE_MS)
    assert second.present != first.present
    assert await store.rival_seen_at() is None
    await store.save_rival(5)
    third = await store.draw(2 * NONCE_MS)
    assert (third.former, await store.rival_seen_at()) == (second.present, 5)
