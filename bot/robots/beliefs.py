"""What gestures before opened hands tell of the opponents: which text is their sign, and how often one means a Kem's.

At the end of a round all hands lie open. A gesture that a seat made since its last exchange was made with the hand that
lies there: with a Kem's it may have been the sign, without one it was none. This is public, whatever results tell.
`break_even` says what a counter is worth: from which odds of a Kem's it brings more points than it risks.
"""

from typing import Final

from bot.game.events import Outcome
from bot.game.rules.rules import Rules, Shows
from bot.game.signs import GestureKind, fold_emojis
from bot.game.views import GestureInfo, SeatView
from bot.robots.memory import Memory

# A Kem's is completed by taking a card, and the sign follows: a gesture so soon after a take is worth more.
PROMPT_MS: Final = 4000
# How likely a seat makes the sign with a Kem's, makes some other gesture then, and makes the sign without one.
_SIGNS: Final = 0.9
_BLUFFS_WITH: Final = 0.15
_SLIPS: Final = 0.03
# One text in so many is the sign before anything was seen.
_TEXTS: Final = 24
# What is left of a team's odds after each round: it may have changed its sign.
_KEPT: Final = 0.8
_TRUE_CALLS: Final = (Outcome.KEMS, Outcome.DOUBLE)
# In so many rounds a team's gestures tell a habit.
_HABIT: Final = 3
# Before the first result: how many gestures of a kind meant a Kem's, of how many.
_PRIOR: Final = {True: (2.0, 5.0), False: (1.0, 8.0)}

# What is lost besides points: the right to counter in this round, and what cards that are shown tell.
_RIGHT: Final = 0.3
_SHOWN_CARDS: Final = 0.1
STOP: Final = 0.6
"""From so much of the break-even odds on, it is better to end the round without points."""


class GestureBeliefs:
    """One robot's beliefs about the gestures of all other teams."""

    def __init__(self) -> None:
        self._learned = 0
        self._weights: dict[int, dict[str, float]] = {}
        self._meant: dict[tuple[int, bool], tuple[float, float]] = {}
        self._reports = 0
        self._round = 0
        self._texts: dict[int, list[frozenset[str]]] = {}
        self.unsigned: dict[int, int] = {}
        """By team, how many of its true calls followed no gesture of the hand that held the Kem's: a pre-sign."""

    def observe(self, view: SeatView, memory: Memory) -> None:
        """Learns from reports, and from the hands that a result lays open."""
        table = view.table
        if table.round != self._round:
            self._round, self._reports = table.round, 0
        for report in table.reports[self._reports :]:
            for sign in report.signs:
                weights = self._weights.setdefault(report.team, {})
                if report.is_right:
                    weights.clear()  # the team changes its sign
                else:
                    weights[sign.text] = 0.0
        self._reports = len(table.reports)
        if table.result is None or self._learned == table.round:
            return
        self._learned = table.round
        for team in range(table.teams):
            if team != view.team:
                self._learn(view, memory, team)

    def sign_odds(self, team: int, text: str) -> float:
        """Returns from 0 to 1 how likely a text is the sign of a team."""
        weights = self._weights.get(team, {})
        unseen = max(0, _TEXTS - len(weights))
        return weights.get(fold_emojis(text), 1.0) / (sum(weights.values()) + unseen)

    def likeliest(self, team: int) -> tuple[str, float] | None:
        """Returns the likeliest sign of a team with its odds, None before any was seen."""
        weights = self._weights.get(team)
        if not weights:
            return None
        text = max(weights, key=lambda item: (weights[item], item))
        return text, self.sign_odds(team, text)

    def meant(self, team: int, *, is_prompt: bool) -> float:
        """Returns the share of a team's gestures, prompt or late ones, that were made with a Kem's."""
        meant, made = self._meant.get((team, is_prompt), _PRIOR[is_prompt])
        return meant / made

    def plays_total(self, team: int) -> bool:
        """Returns whether all gestures with a Kem's were different ones, in as many rounds as tell a habit."""
        known = self._texts.get(team, [])
        return len(known) >= _HABIT and not any(
            one & other for number, one in enumerate(known) for other in known[:number]
        )

    def _learn(self, view: SeatView, memory: Memory, team: int) -> None:
        result = view.table.result
        assert result is not None, "it learns from a result"
        weights = self._weights.setdefault(team, {})
        for text in weights:
            weights[text] **= _KEPT
        if result.outcome in _TRUE_CALLS and result.caller is not None and result.caller % view.table.teams == team:
            holders = [seat for seat in result.kems_holders if seat % view.table.teams == team]
            if not any(self._with_last_hand(view, memory, seat) for seat in holders):
                self.unsigned[team] = self.unsigned.get(team, 0) + 1
        for seat in view.table.members(team):
            has_kems = seat in result.kems_holders
            made = self._with_last_hand(view, memory, seat)
            texts = {fold_emojis(gesture.text) for gesture in made}
            for gesture in made:
                key = (team, is_prompt(view, memory, gesture))
                meant, count = self._meant.get(key, _PRIOR[key[1]])
                self._meant[key] = (meant + has_kems, count + 1)
            for text in texts:
                likelihood = _SIGNS / _BLUFFS_WITH if has_kems else _SLIPS / _BLUFFS_WITH
                weights[text] = weights.get(text, 1.0) * likelihood
            if has_kems and texts:
                self._texts.setdefault(team, []).append(frozenset(texts))
                for text in weights.keys() - texts:
                    weights[text] *= (1 - _SIGNS) / (1 - _BLUFFS_WITH)

    def _with_last_hand(self, view: SeatView, memory: Memory, seat: int) -> list[GestureInfo]:
        """Returns the gestures that a seat made with the hand that lies open now."""
        return [made for made in memory.gestures_with_hand(view, seat) if made.kind is not GestureKind.SAY]


def is_prompt(view: SeatView, memory: Memory, gesture: GestureInfo) -> bool:
    """Returns whether a gesture followed soon after the seat's last exchange."""
    exchanged_at = memory.exchanged_at.get(gesture.seat)
    return exchanged_at is not None and view.table.dealt_at + gesture.at <= exchanged_at + PROMPT_MS


def break_even(rules: Rules) -> float:
    """Returns the odds of a Kem's from which a counter of one player, or team, gains more points than it risks.

    A true counter brings its points, and the opponents lose those of the Kem's that they would have called.
    """
    scoring = rules.scoring
    gain = scoring.counter - scoring.counter_accused + scoring.kems
    risk = scoring.false_counter + scoring.false_counter_all - scoring.false_counter_own + 0.1
    if rules.penalty.counter_lost:
        risk += _RIGHT
    if rules.penalty.shows is not Shows.NOBODY:
        risk += _SHOWN_CARDS
    return min(0.95, max(0.1, risk / max(0.1, gain + risk)))
