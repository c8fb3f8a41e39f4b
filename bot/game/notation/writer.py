"""Writes the log of a match as KGN, with the outcomes of chance, so that a replay draws nothing."""

from collections.abc import Iterable, Sequence
from functools import singledispatchmethod

from bot.game import events as e
from bot.game.cards import Card
from bot.game.deadlines import next_deadline
from bot.game.evolve import evolve
from bot.game.house_rules import changes
from bot.game.notation.document import VERSION
from bot.game.notation.plans import head_words, plan_words, sign_word
from bot.game.phase import Phase
from bot.game.rules import Names, Redrawn, SweepBy
from bot.game.rules_line import write_words
from bot.game.state import State


def write_match(events: Iterable[e.Event], names: Sequence[str]) -> str:
    """Returns the match as KGN text. `names` are by seat, each a word of its own.

    Raises:
        ValueError: the log does not begin with `MatchStarted`.
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
        self.last_at = 0

    def write(self, event: e.Event) -> None:
        before = self.state
        self.state = evolve(before, event)
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
        return "\n".join((*head, "", *self.lines, ""))

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
        self.lines.append(f"{(at - state.dealt_at) / 1000:.3f}".rstrip("0").rstrip(".") + f" {who} {words}")
        self.last_at = at

    def _seat(self, event: e.Event, state: State, seat: int, words: str) -> None:
        self._add(event.at, state, self.names[seat], words)

    def _is_due(self, event: e.Event, before: State) -> bool:
        due = next_deadline(before)
        return due is not None and due <= event.at

    def _tick(self, event: e.Event, before: State) -> None:
        """Writes the instant at which it fell due, not the later one of the timer: other events may lie between."""
        due = max(next_deadline(before) or event.at, self.last_at)
        if due > self.last_at or not "".join(self.lines[-1:]).endswith(" - tick"):
            self._add(due, before, "-", "tick")  # and one line lets all take effect that is due by then

    def _chance(self, outcome: str, *, before_last: bool = True) -> None:
        """Writes an outcome of chance before the line that it belongs to."""
        where = len(self.lines) - 1 if before_last and self.lines else len(self.lines)
        self.lines.insert(max(where, 0), f"- chance {outcome}")

    def _shuffled(self, stock: Sequence[Card]) -> None:
        """Writes a shuffle; one of the first deal stands in the head."""
        if self.lines:
            self._chance(_codes(stock))
        else:
            self.redrawn.append(_codes(stock))

    @singledispatchmethod
    def _line(self, event: e.Event, before: State) -> None:
        """Writes nothing: an event without a line of its own follows from the one before."""

    @_line.register
    def _(self, event: e.SignSettled, before: State) -> None:
        members = [self.names[seat] for seat in before.members(event.team)]
        words = plan_words(event.plan, members)
        if before.phase is Phase.SIGNS:
            self.signs[event.team] = head_words(event.team, event.plan, members)
        elif event.by_chance:  # at the next deal, for a sign that was found and not replaced
            had = before.teams[event.team].plan
            kept = () if had is None else had.signs
            self._chance(next(sign.text for sign in event.plan.signs if sign not in kept), before_last=False)
        else:
            self._seat(event, before, before.members(event.team)[0], f"sign {words}")

    @_line.register
    def _(self, event: e.SignKept, before: State) -> None:
        self._seat(event, before, before.members(event.team)[0], "keep")

    @_line.register
    def _(self, event: e.CardsDealt, before: State) -> None:
        self.last_at = event.at
        if before.round == 0:
            self.head.append(f'[Deck "{_codes(event.order)}"]')
            return
        self._chance(_codes(event.order), before_last=False)
        self.lines.append("- next")

    @_line.register
    def _(self, event: e.ExcessRedrawn, before: State) -> None:
        if before.rules.deal.redrawn is Redrawn.SHUFFLED:
            self._shuffled(event.stock)

    @_line.register
    def _(self, event: e.StockRebuilt, before: State) -> None:
        self._shuffled(event.order)

    @_line.register
    def _(self, event: e.HuntOpened, before: State) -> None:
        if before.phase is not Phase.READY:
            return
        if self._is_due(event, before):
            self._tick(event, before)
        else:
            self._seat(event, before, before.dealer, "open")

    @_line.register
    def _(self, event: e.CardPutDown, before: State) -> None:
        self._seat(event, before, event.seat, f"put {event.card.code}")

    @_line.register
    def _(self, event: e.CardTaken, before: State) -> None:
        if not event.by_chance:
            self._seat(event, before, event.seat, f"take {event.card.code}")
            return
        self._tick(event, before)
        self._chance(event.card.code)

    @_line.register
    def _(self, event: e.SweepAsked, before: State) -> None:
        self._seat(event, before, event.seat, "sweep")

    @_line.register
    def _(self, event: e.SweepAgreed, before: State) -> None:
        if event.silent:
            self._tick(event, before)
        else:
            self._seat(event, before, event.seat, "yes")

    @_line.register
    def _(self, event: e.SweepRefused, before: State) -> None:
        if before.rules.sweep.sweep_by is SweepBy.ANYBODY:  # a put-down that follows stops a dealer's count
            self._seat(event, before, event.seat, "no")

    @_line.register
    def _(self, event: e.PoolSwept, before: State) -> None:
        if event.asker is None and before.duty is not None and self._is_due(event, before):
            self._tick(event, before)

    @_line.register
    def _(self, event: e.GestureMade, before: State) -> None:
        text = " ".join(event.text.replace('"', "”").split())  # a message may have quotes and lines, a move has not
        self._seat(event, before, event.seat, f'{event.kind} "{text}"')

    @_line.register
    def _(self, event: e.CallMargin, before: State) -> None:
        """Writes a comment, for a margin is no move."""
        rival = self.names[event.rival]
        self.lines.append(f"# {self.names[event.seat]} {event.milliseconds} ms before {rival}: {event.call}")

    @_line.register
    def _(self, event: e.ChainOpened, before: State) -> None:
        match event.outcome:
            case e.Outcome.KEMS:
                self._seat(event, before, event.seat, "kems")
            case e.Outcome.DOUBLE:
                self._seat(event, before, event.seat, "double")
            case _:
                self._counter(event, before, event.seat, None, event.team, is_double=True)

    @_line.register
    def _(self, event: e.ChainBroken, before: State) -> None:
        self._word(event, before, event.seat, event.team)

    @_line.register
    def _(self, event: e.CounterHadNoEffect, before: State) -> None:
        self._counter(event, before, event.seat, event.target, event.team)

    @_line.register
    def _(self, event: e.CounterFailed, before: State) -> None:
        self._counter(event, before, event.seat, event.target, event.team, is_double=event.is_double)

    @_line.register
    def _(self, event: e.CardsShown, before: State) -> None:
        if any(show.seat == event.seat and show.ends_at <= event.at for show in before.pending_shows):
            self._tick(event, before)
            self._chance(_codes(event.cards))
        else:
            self._seat(event, before, event.seat, f"show {_codes(event.cards)}")

    @_line.register
    def _(self, event: e.SignGuessed, before: State) -> None:
        self._seat(event, before, event.seat, " ".join((f"guess #{event.team + 1}", *map(sign_word, event.signs))))

    @_line.register
    def _(self, event: e.TeamAccused, before: State) -> None:
        self._seat(event, before, event.seat, f"accuse #{event.team + 1} {event.strategy}")

    @_line.register
    def _(self, event: e.RoundEnded, before: State) -> None:
        caller = event.caller
        if event.outcome is e.Outcome.STOCK_OUT and before.duty is not None and self._is_due(event, before):
            self._tick(event, before)
        if caller is None or (before.phase is Phase.CHAIN and before.chain is None):
            return  # the false word that closed the chain is written already
        if before.chain is not None and event.outcome is before.chain.outcome:
            self._tick(event, before)
            return
        match event.outcome:
            case e.Outcome.FOUR_KEMS:
                self._word(event, before, caller, event.team)
            case e.Outcome.KEMS | e.Outcome.FALSE_KEMS:
                self._seat(event, before, caller, "kems")
            case e.Outcome.DOUBLE | e.Outcome.FALSE_DOUBLE:
                self._seat(event, before, caller, "double")
            case e.Outcome.COUNTER | e.Outcome.FALSE_COUNTER:
                self._counter(event, before, caller, event.target, event.team)
            case _:
                self._counter(event, before, caller, None, event.team, is_double=True)

    def _word(self, event: e.Event, before: State, seat: int, team: int | None) -> None:
        """Writes the word that was added to a call: a double counter to a double, a double to others."""
        if before.chain is not None and before.chain.outcome is e.Outcome.DOUBLE:
            self._counter(event, before, seat, None, team, is_double=True)
        else:
            self._seat(event, before, seat, "double")

    def _counter(
        self, event: e.Event, before: State, seat: int, target: int | None, team: int | None, *, is_double: bool = False
    ) -> None:
        named = before.rules.calls.counter_names
        whom = f"#{(team or 0) + 1}" if is_double or named is Names.TEAM or target is None else self.names[target]
        self._seat(event, before, seat, f"{'counter2' if is_double else 'counter'} {whom}")


def _codes(cards: Iterable[Card]) -> str:
    return " ".join(card.code for card in cards)
