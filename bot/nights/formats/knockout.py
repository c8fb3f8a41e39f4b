"""A knock-out: whoever loses a table is out, up to a final table."""

from collections.abc import Sequence
from random import Random
from typing import Final

from bot.nights.formats.format import PairFormat
from bot.nights.formats.matching import table_sizes
from bot.nights.night import Night
from bot.nights.plan import NightPlan, TieBreak
from bot.nights.results.history import NightPair, eliminated_entrants, meetings, playing_pairs, seed_order
from bot.nights.rounds import NightRound


class Knockout(PairFormat):
    """The knock-out format."""

    name = "knockout"
    title = "Pairs, knockout"
    sentence = "the loser is out, up to a final"
    tie_breaks = (TieBreak.ROUNDS_SURVIVED, TieBreak.POINTS, TieBreak.SCORE_DIFFERENCE)
    is_closed = True
    eliminates = True

    def tables(self, night: Night, pairs: Sequence[NightPair], most: int, rng: Random) -> list[list[NightPair]]:
        """Seat pairs by seed: of those with fewest byes, the best get byes; of the others, the best meet the last.

        The last few pairs share a final table. The first round leaves a full bracket, so that later rounds have no byes
        while nobody leaves or comes back. Otherwise they have as few as possible.
        """
        order = sorted(pairs, key=lambda each: seed_order(night, each))
        sizes = _first_sizes(len(order), most)
        if night.rounds:
            sizes = table_sizes(len(order) - (len(order) % 2 if most == 2 else 0), most)
        had = meetings(night).byes

        def rested(each: NightPair) -> tuple[float, ...]:  # of equals the better seed rests
            byes = [had[number] for number in each]
            return max(byes), sum(byes) / len(each), -len(each)

        in_turn = sorted(order, key=rested)
        resting = in_turn[: len(order) - sum(sizes)]
        playing = [each for each in order if each not in resting]
        tables: list[list[NightPair]] = [[] for _ in sizes]
        turn = 1
        while playing:  # to and fro over the tables that have a free place
            for size, table in list(zip(sizes, tables, strict=True))[::turn]:
                if len(table) < size and playing:
                    table.append(playing.pop(0))
            turn = -turn
        return tables

    def rounds_of(self, plan: NightPlan, count: int) -> int:
        return 0 if count < 2 else 1 + self.rounds_of(plan, -(-count // (plan.size // 2)))

    def first_byes(self, plan: NightPlan, count: int) -> int:
        return count - sum(_first_sizes(count, plan.size // 2))

    def round_count(self, night: Night) -> int:
        return len(night.rounds) + self.rounds_of(night.plan, _still_in(night))

    def has_played_all(self, night: Night, last: NightRound) -> bool:
        return last.is_over and len(playing_pairs(night)[0]) <= 1


def _left_of(pairs: int, at_a_table: int) -> int:
    """Return how many pairs are left after the next round: the greatest full bracket below."""
    left = 1
    while left * at_a_table < pairs:
        left *= at_a_table
    return left


def _first_sizes(pairs: int, most: int) -> list[int]:
    """Return how many pairs sit at each table of the first round, which leaves a full bracket."""
    full, rest = divmod(pairs - _left_of(pairs, most), most - 1)
    return [most] * full + [rest + 1] * (rest > 0)


def _still_in(night: Night) -> int:
    """Return how many pairs are not eliminated; those at a running table count as one."""
    last = night.round
    if last is None or last.is_over:
        return len(playing_pairs(night)[0])
    seated = {entrant for table in last.tables for entrant in table.people()}
    others = {entrant.number for entrant in night.present} - eliminated_entrants(night) - seated
    return len(last.tables) + (len(others) + 1) // 2


KNOCKOUT: Final = Knockout()
