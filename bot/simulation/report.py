"""Writes the figures of simulations: a table for people, plain data for programs."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any, Final

from rich.table import Table

from bot.game.events import Outcome
from bot.simulation.tally import Figures, Share

Column = tuple[str, Figures]
"""What was played, such as the preset's name, and what it told."""

OUTCOMES: Final = {
    Outcome.KEMS: "Kem's",
    Outcome.DOUBLE: "double Kem's",
    Outcome.COUNTER: "counter",
    Outcome.DOUBLE_COUNTER: "double counter",
    Outcome.FALSE_KEMS: "false Kem's",
    Outcome.FALSE_DOUBLE: "false double",
    Outcome.FALSE_COUNTER: "false counter",
    Outcome.FALSE_DOUBLE_COUNTER: "false double counter",
    Outcome.FOUR_KEMS: "four Kem's",
    Outcome.THREE_ALIKE: "three alike in the pool",
    Outcome.TOO_MANY_SWEEPS: "too many sweeps",
    Outcome.STOCK_OUT: "stock out",
}


_MEANS: Final = {
    "points_of_dealer": "points of the dealer's team a round, beyond the others",
    "rounds_a_match": "rounds a match",
    "minutes_a_match": "minutes a match",
    "sweeps_a_round": "sweeps a round",
    "points_a_round": "points a round, of all teams",
    "false_calls_a_round": "false calls a round",
    "guesses_a_round": "guesses of a sign a round",
    "moves_a_round": "moves a round",
}


def as_table(columns: Sequence[Column], sides: Sequence[str]) -> Table:
    """Returns the columns side by side; after the first one each says how it differs from the first."""
    table = Table(show_edge=False, pad_edge=False)
    table.add_column("")
    for title, _ in columns:
        table.add_column(title, justify="right")
    rows = [list(_rows(figures, sides)) for _, figures in columns]
    for lines in zip(*rows, strict=True):
        table.add_row(lines[0][0], *(value for _, value in lines))
    for outcome in (item for item in Outcome if any(item in figures.outcomes for _, figures in columns)):
        values = [figures.outcomes.get(outcome, Share(0, figures.rounds)) for _, figures in columns]
        table.add_row(f"  ends by {OUTCOMES[outcome]}", *map(_share, values))
    return table


def as_data(figures: Figures, sides: Sequence[str]) -> dict[str, Any]:
    """Returns the figures as plain data; shares and means with their intervals."""
    return {
        "matches": figures.matches,
        "rounds": figures.rounds,
        "wins": [{"side": side, **_share_data(share)} for side, share in zip(sides, figures.wins, strict=True)],
        "draws": _share_data(figures.draws),
        "wins_of_first_dealer": _share_data(figures.dealer_wins),
        "outcomes": {outcome.value: _share_data(share) for outcome, share in figures.outcomes.items()},
        "round_seconds": {
            "decile_1": figures.lengths.short,
            "median": figures.lengths.median,
            "decile_9": figures.lengths.long,
            **asdict(figures.lengths.mean),
        },
        **{name: asdict(found) for name, found in figures.means.items()},
    }


def _rows(figures: Figures, sides: Sequence[str]) -> Iterator[tuple[str, str]]:
    yield "matches", f"{figures.matches:,}"
    for side, share in zip(sides, figures.wins, strict=True):
        yield f"won by {side}", _share(share)
    yield "drawn", _share(figures.draws)
    yield "won by the team that dealt first", _share(figures.dealer_wins)
    yield "seconds a round, median", f"{figures.lengths.median:.0f}"
    yield "  nine in ten", f"{figures.lengths.short:.0f} or more, {figures.lengths.long:.0f} or less"
    for name, found in figures.means.items():
        yield _MEANS[name], f"{found.mean:.2f} ± {found.margin:.2f}"


def _share(share: Share) -> str:
    low, high = share.interval
    return f"{share.value:.1%} ({low:.1%} to {high:.1%})"


def _share_data(share: Share) -> dict[str, Any]:
    low, high = share.interval
    return {"share": share.value, "low": low, "high": high, "count": share.count}
