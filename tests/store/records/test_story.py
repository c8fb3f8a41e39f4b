"""One match computed by hand, from its log over the database to the words people read: rounds, calls and figures."""

from dataclasses import replace

from bot.ladder.columns import SeatTally
from bot.records.history import Mate
from bot.store.engine.database import Database
from bot.store.ladder.season_store import SqlSeasonStore
from bot.store.records.history import SqlHistory
from bot.store.tables.journal import SqlJournal
from bot.store.tables.table_store import SqlTableStore
from bot.tables.lobby.lobby import Status
from bot.ui.ladder.ladder_reader import stats_panel, stats_picture
from tests.rules.table import Table
from tests.store.matches import PLACE, lobby
from tests.store.tables.test_results import PEOPLE
from tests.ui.walk import EN, words

ANA, BRUNO, CHLOE, DORA = (player.user_id for player in PEOPLE)


def played() -> Table:
    """Chloé bluffs after 5 s, Bruno accuses her in vain at 9 s (−1), Chloé calls the Kem's that Ana holds at 12 s (+1);
    then Bruno and Dora call in vain: 3 to −1 for Ana and Chloé."""
    table = Table(target=3, hands={"A": "KS KH KD KC"}, dealer="D", deck="52")
    table.wait(5)
    table.do("C react 🎲")
    table.wait(4)
    table.do("B counter C")
    table.wait(3)
    table.do("C kems")
    for name in "BD":
        table.do("- next")
        table.do(f"{'ABCD'[table.state.dealer]} open", f"{name} kems")
    return table


async def test_the_timeline_of_a_match_agrees_with_a_count_by_hand(database: Database) -> None:
    table = played()
    log, tables, history = (*table.opening, *table.log), SqlTableStore(database), SqlHistory(database)
    new = replace(lobby(), players=PEOPLE, rules=table.state.rules)
    playing = replace(new, id=await tables.create(new), status=Status.PLAYING)
    await tables.record_start(playing, log[:1])
    await SqlJournal(database).append(playing.id, 2, log[1:], None)

    match = await history.match(playing.id)
    assert (match.result.winner, match.result.scores, match.result.rounds) == (0, (3, 0), 3)
    (season,) = await SqlSeasonStore(database).list_all(PLACE.guild_id)
    told = {user: [await history.stats(PLACE.guild_id, user, log[-1].at, of) for of in (None, season)] for user in
            (ANA, BRUNO, CHLOE, DORA) if user is not None}  # fmt: skip
    tallies = {
        ANA: SeatTally(kems=1, kems_ms=12_000),
        BRUNO: SeatTally(false_calls=1, false_counters=1),
        CHLOE: SeatTally(kems=1, kems_ms=12_000, bluffs=1, baits=1),
        DORA: SeatTally(false_calls=1),
    }
    for user, both in told.items():
        has_won = user in (ANA, CHLOE)
        for stats in both:
            assert stats.tally == tallies[user]
            assert (stats.matches, stats.wins, stats.draws, stats.rounds) == (1, int(has_won), 0, 3)
            assert (stats.streak, stats.best_streak) == ((1, 1) if has_won else (-1, 0))
            assert (stats.partner is None, stats.opponent is None) == (not has_won, has_won)
    chloe, bruno = told[CHLOE or 0][1], told[BRUNO or 0][0]
    assert (chloe.partner, bruno.opponent) == (Mate(ANA or 0, "Ana", 1, 1), Mate(ANA or 0, "Ana", 1, 1))
    assert words(stats_panel(stats_picture(chloe, season, "Europe/Paris", EN))).splitlines()[3:] == [
        "🎴 **Matches** 1 · 0 ranked · 100 % won",
        "🔥 **Streak** 1 · win · record: 1 win",
        "🔔 **Kem's** 1 · after 0:12 on average",
        "✋ **Counters** 0 · 0 false ones · caught 0 times",
        "🎭 **Bluffs** 1 · provoked 1 false counter",
        "🤝 **Best partner: Ana** 100 % · won 1 of 1",
    ]
