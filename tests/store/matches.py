"""Material for the store's tests: lobbies, and a whole match's log played by the core."""

from functools import cache
from random import Random

from bot.game.actions import CallKems, CounterPlayer, NextRound, OpenHunt, Tick
from bot.game.checks.refusals import Refusal
from bot.game.decide import decide, start_match
from bot.game.events import Event
from bot.game.evolve import evolve_all
from bot.game.rules import house_rules
from bot.game.rules.rules import Rules
from bot.game.state import Phase, State
from bot.records.player import Player
from bot.tables.lobby.lobby import Lobby, Status
from bot.tables.lobby.table_channel import TableChannel
from bot.tables.table_store import DamagedTable, SavedTable, TableStore

BIG = 2**62 + 1
"""As large as a snowflake may grow, and no float."""

PLACE = TableChannel(guild_id=BIG, channel_id=BIG + 1)
PLAYERS = (Player("Ana", BIG + 10), Player("Zoé"), Player("Chloé 🍀", BIG + 12), Player("Dora", BIG + 13))


def rules(**changes: object) -> Rules:
    return house_rules.override(house_rules.preset("classic"), {name: str(value) for name, value in changes.items()})


def lobby(status: Status = Status.OPEN, place: TableChannel = PLACE, **changes: object) -> Lobby:
    return Lobby(
        id=0,
        place=place,
        host_id=BIG + 10,
        rules=rules(**changes),
        size=4,
        players=PLAYERS,
        has_random_teams=True,
        locale="fr",
        opened_at=1_800_000_000_000,
        status=status,
    )


async def live(tables: TableStore) -> tuple[SavedTable | DamagedTable, ...]:
    """All that a start of the bot brings back."""
    return tuple([saved async for saved in tables.load_live()])


@cache
def a_match(**changes: object) -> tuple[tuple[Event, ...], State]:
    """A match of false Kem's and false counters to its end, and the state it ended in."""
    rng, now = Random(5), 1_800_000_000_000
    events = list(start_match(rules(**changes), seats=4, teams=2, dealer=0, now=now))
    state = evolve_all(None, events)
    while state.phase is not Phase.MATCH_OVER:
        now += 100_000
        for action in _moves(state):
            decided = decide(state, action, now, rng)
            assert not isinstance(decided, Refusal), (action, decided)
            state = decided.state
            events.extend(decided.events)
    return tuple(events), state


def _moves(state: State) -> tuple[Tick | NextRound | OpenHunt | CounterPlayer | CallKems, ...]:
    match state.phase:
        case Phase.SIGNS:
            return (Tick(),)
        case Phase.OVER:
            return (NextRound(),)
        case Phase.READY:
            return (OpenHunt(state.dealer),)
        case _:
            return (CounterPlayer(1, 0), CallKems(0 if state.round % 3 else 1))
