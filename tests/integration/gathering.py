"""Four alike without a press, for tests of what comes after them; `Table.gather` has people press for theirs."""

from collections import Counter

from bot.game.actions import Action, AnswerSweep, AskSweep, Swap
from bot.game.cards import Card
from bot.game.state import State
from tests.integration import simcord_patches
from tests.integration.table import Table

_SWEEPS = 16
_QUIET_S = 6


async def gather_at_once(table: Table, holder: str) -> None:
    """Everybody gives the holder what they need, one exchange at an instant, sweeping in between."""
    match, seat = table.harness.bot.rooms.directory.table(table.id), table.people.index(holder)
    assert match is not None

    async def act(action: Action) -> None:
        answer = await match.submit(action)
        assert isinstance(answer, tuple), (action, answer)

    for _ in range(_SWEEPS):
        with simcord_patches.as_bot(table.harness.env):
            rank = _best_rank(match._state, seat)
            for card in _pool(match._state, rank):
                await act(Swap(seat, _spare(match._state, seat, rank), card))
            others = [other for other in range(len(table.people)) if other != seat]
            for giver, card in [(other, held) for other in others for held in _of(match._state, other, rank)]:
                await act(Swap(giver, card, _in_pool(match._state, but=rank)))
                await act(Swap(seat, _spare(match._state, seat, rank), card))
        if len(_of(match._state, seat, rank)) == 4:
            await table.settle()
            return
        await table.harness.advance(_QUIET_S)
        with simcord_patches.as_bot(table.harness.env):
            await act(AskSweep(seat))
            for other in range(len(table.people)):
                if other != seat and match._state.vote is not None:
                    await act(AnswerSweep(other, agrees=True))
    raise AssertionError(f"no Kem's came together: {match._state}")


def _of(state: State, seat: int, rank: int) -> list[Card]:
    return [card for card in state.seats[seat].hand if card.group == rank]


def _pool(state: State, rank: int) -> list[Card]:
    return [card for card in state.pool if card and card.group == rank]


def _best_rank(state: State, seat: int) -> int:
    """The one of which most cards are out, and most of them in the holder's hand."""
    own = state.seats[seat].hand
    out = [*(card for each in state.seats for card in each.hand), *filter(None, state.pool)]
    counts, held = (Counter(card.group for card in cards if not card.is_joker) for cards in (out, own))
    return max(counts, key=lambda rank: (counts[rank], held[rank], rank))


def _in_pool(state: State, *, but: int) -> Card:
    """A card of the middle, where most are alike: there the holder's spare cards have room then."""
    counts = _counts(state)
    return max((card for card in state.pool if card and card.group != but), key=lambda card: counts[card.group])


def _counts(state: State) -> Counter[int]:
    return Counter(card.group for card in state.pool if card)


def _spare(state: State, seat: int, rank: int) -> Card:
    """A card to put down that does not leave three alike in the middle."""
    counts = _counts(state)
    return min((card for card in state.seats[seat].hand if card.group != rank), key=lambda card: counts[card.group])
