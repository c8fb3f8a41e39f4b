"""Writes the log of a match as KGN, with the outcomes of chance, so that a replay draws nothing."""

from collections.abc import Iterable, Sequence

from bot.game import events as e
from bot.game.cards import Card
from bot.game.decide import next_deadline
from bot.game.events import Phase
from bot.game.evolve import evolve
from bot.game.notation.actions import PROPOSE, head_words, one_line, plan_words, sign_word
from bot.game.notation.document import VERSION
from bot.game.rules.house_rules import changes, write_words
from bot.game.rules.rules import Names, Redrawn, SweepBy
from bot.game.state import State


def write_match(events: Iterable[e.Event], names: Sequence[str]) -> str:
    """Return the match as KGN text; `names` are by seat.

    Raises:
        ValueError: The log is not that of a match.
    """
    writer = _Writer(names)
    for event in events:
        writer.write(event)
    return writer.text()


class _Writer:
    """Follows the log with a state. Each event becomes a line, or part of the line that caused it."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names
        self.state: State | None = None
        self.head: list[str] = []
        self.signs: dict[int, str] = {}
        self.redrawn: list[str] = []
        self.lines: list[str] = []
        self.at = self.last_at = 0

    def write(self, event: e.Event) -> None:
        before = self.state
        self.state, self.at = evolve(before, event), event.at
        if before is None:
            self._start(self.state)
        else:
            self._line(event, before)

    def text(self) -> str:
        head = list(self.head)
        if self.state is not None and len(self.signs) == len(self.state.teams):
            head.append(f'[Signs "{" / ".join(self.signs[team] for team in sorted(self.signs))}"]')
        if self.redrawn:
            head.append(f'[Redrawn "{" / ".join(self.redrawn)}"]')
        if self.state is not None and self.state.phase is not Phase.MATCH_OVER:
            self._pending(self.state)
        return "\n".join((*head, "", *self.lines, ""))

    def _pending(self, state: State) -> None:
        """Write what teams have proposed, and before the first deal what some have agreed on, as things stand."""
        for number, team in enumerate(state.teams):
            members = [self.names[seat] for seat in state.members(number)]
            if not state.round and team.plan is not None:
                self._add(self.at, state, members[0], f"sign {plan_words(team.plan, members)}")
            if team.proposal is not None:
                for seat in team.proposal.accepted:
                    self._add(self.at, state, self.names[seat], f"{PROPOSE} {plan_words(team.proposal.plan, members)}")

    def _start(self, state: State) -> None:
        rules = " ".join(write_words(changes(state.rules)))
        cards = [f"#{number + 1} {team.card}" for number, team in enumerate(state.teams) if team.card is not None]
        self.head = [
            f'[Kgn "{VERSION}"]',
            f'[Preset "{state.rules.preset}"]',
            *([f'[Rules "{rules}"]'] if rules else []),
            f'[Seats "{" ".join(self.names)}"]',
            f'[Teams "{len(state.teams)}"]',
            f'[Dealer "{self.names[state.dealer]}"]',
            *([f'[Strategies "{" ".join(sorted(state.strategies))}"]'] if state.strategies else []),
            *([f'[Cards "{" / ".join(cards)}"]'] if cards else []),
        ]

    def _add(self, at: int, state: State, who: str, words: str) -> None:
        began = state.dealt_at if state.round else state.phase_at
        self.lines.append(f"{(at - began) / 1000:.3f}".rstrip("0").rstrip(".") + f" {who} {words}")
        self.last_at = at

    def _move(self, event: e.Event, state: State, seat: int, words: str) -> None:
        self._add(event.at, state, self.names[seat], words)

    def _is_due(self, event: e.Event, before: State) -> bool:
        due = next_deadline(before)
        return due is not None and due <= event.at

    def _tick(self, before: State) -> None:
        """Write the instant at which it fell due, not the later one of the timer: other events may lie between."""
        due = next_deadline(before)
        assert due is not None, "time alone brought this about"
        due = max(due, self.last_at)
        if due > self.last_at or not "".join(self.lines[-1:]).endswith(" - tick"):
            self._add(due, before, "-", "tick")  # and one line lets all take effect that is due by then

    def _chance(self, outcome: str, *, before_last: bool = True) -> None:
        """Write an outcome of chance before the line that it belongs to."""
        where = len(self.lines) - 1 if before_last and self.lines else len(self.lines)
        self.lines.insert(where, f"- chance {outcome}")

    def _shuffled(self, stock: Sequence[Card]) -> None:
        """Write a shuffle; one of the first deal stands in the head."""
        if self.lines:
            self._chance(_codes(stock))
        else:
            self.redrawn.append(_codes(stock))

    def _line(self, event: e.Event, before: State) -> None:
        """Write the line of an event, unless it follows from the event before."""
        match event:
            case e.CardPutDown(seat=seat, card=card):
                self._move(event, before, seat, f"put {card.code}")
            case e.CardTaken(card=card, by_chance=True):
                self._tick(before)
                self._chance(card.code)
            case e.CardTaken(seat=seat, card=card):
                self._move(event, before, seat, f"take {card.code}")
            case e.GestureMade(seat=seat, kind=kind):
                self._move(event, before, seat, f'{kind} "{one_line(event.text)}"')
            case e.SweepAsked(seat=seat):
                self._move(event, before, seat, "sweep")
            case e.SweepAgreed(seat=seat, silent=False):
                self._move(event, before, seat, "yes")
            case e.SweepAgreed():
                self._tick(before)
            case e.SweepRefused(seat=seat) if before.rules.sweep.sweep_by is SweepBy.ANYBODY:
                self._move(event, before, seat, "no")
            case e.PoolSwept(asker=None) if before.duty is not None and self._is_due(event, before):
                self._tick(before)
            case e.HuntOpened() if before.phase is Phase.READY:
                if self._is_due(event, before):
                    self._tick(before)
                else:
                    self._move(event, before, before.dealer, "open")
            case e.SignSettled():
                self._agreement(event, before)
            case e.SignKept(team=team):
                self._move(event, before, before.members(team)[0], "keep")
            case e.CardsDealt(order=order):
                self.last_at = event.at
                if before.round == 0:
                    self.head.append(f'[Deck "{_codes(order)}"]')
                else:
                    self._chance(_codes(order), before_last=False)
                    self.lines.append("- next")
            case e.ExcessRedrawn(stock=cards) if before.rules.deal.redrawn is Redrawn.SHUFFLED:
                self._shuffled(cards)
            case e.StockRebuilt(order=cards):
                self._shuffled(cards)
            case e.TimeCalled():
                self._add(event.at if before.round else before.dealt_at, before, "-", "time")
            case e.CallMargin(seat=seat, rival=rival):  # a comment, for a margin is no move
                words = f"{event.milliseconds} ms before {self.names[rival]}: {event.call}"
                self.lines.append(f"# {self.names[seat]} {words}")
            case e.ChainOpened(seat=seat, outcome=outcome, team=team):
                self._call(event, before, seat, outcome, None, team)
            case e.ChainBroken(seat=seat, team=team):
                self._word(event, before, seat, team)
            case e.CounterHadNoEffect(seat=seat, target=target, team=team):
                self._counter(event, before, seat, target, team)
            case e.CounterFailed(seat=seat, target=target, team=team, is_double=is_double):
                self._counter(event, before, seat, target, team, is_double=is_double)
            case e.CardsShown(seat=seat, cards=cards):
                if any(show.seat == seat and show.ends_at <= event.at for show in before.pending_shows):
                    self._tick(before)
                    self._chance(_codes(cards))
                else:
                    self._move(event, before, seat, f"show {_codes(cards)}")
            case e.SignGuessed(seat=seat, team=team, signs=signs):
                self._move(event, before, seat, " ".join((f"guess #{team + 1}", *map(sign_word, signs))))
            case e.TeamAccused(seat=seat, team=team, strategy=strategy):
                self._move(event, before, seat, f"accuse #{team + 1} {strategy}")
            case e.RoundEnded():
                self._ending(event, before)

    def _agreement(self, event: e.SignSettled, before: State) -> None:
        members = [self.names[seat] for seat in before.members(event.team)]
        if before.phase is Phase.SIGNS:
            self.signs[event.team] = head_words(event.team, event.plan, members)
        elif event.by_chance:  # at the next deal, for a sign that was found and not replaced
            had = before.teams[event.team].plan
            kept = () if had is None else had.signs
            self._chance(next(sign.text for sign in event.plan.signs if sign not in kept), before_last=False)
        else:
            self._move(event, before, before.members(event.team)[0], f"sign {plan_words(event.plan, members)}")

    def _ending(self, event: e.RoundEnded, before: State) -> None:
        if event.outcome is e.Outcome.STOCK_OUT and before.duty is not None and self._is_due(event, before):
            self._tick(before)
        if event.caller is None or (before.phase is Phase.CHAIN and before.chain is None):
            return  # the false word that closed the chain is written already
        if before.chain is not None and event.outcome is before.chain.outcome:
            self._tick(before)
        elif event.outcome is e.Outcome.FOUR_KEMS:
            self._word(event, before, event.caller, event.team)
        else:
            self._call(event, before, event.caller, event.outcome, event.target, event.team)

    def _call(
        self, event: e.Event, before: State, seat: int, outcome: e.Outcome, target: int | None, team: int | None
    ) -> None:
        match outcome:
            case e.Outcome.KEMS | e.Outcome.FALSE_KEMS:
                self._move(event, before, seat, "kems")
            case e.Outcome.DOUBLE | e.Outcome.FALSE_DOUBLE:
                self._move(event, before, seat, "double")
            case e.Outcome.COUNTER | e.Outcome.FALSE_COUNTER:
                self._counter(event, before, seat, target, team)
            case _:
                self._counter(event, before, seat, None, team, is_double=True)

    def _word(self, event: e.Event, before: State, seat: int, team: int | None) -> None:
        """Write the word that was added to a call: a double counter to a double, a double to others."""
        if before.chain is not None and before.chain.outcome is e.Outcome.DOUBLE:
            self._counter(event, before, seat, None, team, is_double=True)
        else:
            self._move(event, before, seat, "double")

    def _counter(
        self, event: e.Event, before: State, seat: int, target: int | None, team: int | None, *, is_double: bool = False
    ) -> None:
        named = before.rules.calls.counter_names
        whom = f"#{(team or 0) + 1}" if is_double or named is Names.TEAM or target is None else self.names[target]
        self._move(event, before, seat, f"{'counter2' if is_double else 'counter'} {whom}")


def _codes(cards: Iterable[Card]) -> str:
    return " ".join(card.code for card in cards)
