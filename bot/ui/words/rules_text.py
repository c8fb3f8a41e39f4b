"""The rules of a table in short sentences, each made from the values that it mentions, whatever the preset.

The pace is left out: no rule sheet shows it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.discord.text.texts import Texts, mark
from bot.game.cards import DECKS, HAND_SIZE
from bot.game.rules import house_rules
from bot.game.rules import rules as r
from bot.ui.words.table_text import double_name

_STOCK_ENDS: Final = mark("Swept cards go face down to the discard pile; a stock that is out ends the round.")
_SWEEP_BY: Final = {
    r.SweepBy.ANYBODY: (
        mark("After {quiet} without an exchange, anybody may ask for a sweep; no calls meanwhile."),
        mark("If all agree, new cards are turned up; silence agrees after {vote}."),
    ),
    r.SweepBy.DEALER: (
        mark("After {quiet} without an exchange, the dealer may count; no calls meanwhile."),
        mark("After {vote} new cards are turned up; to refuse, put a card down before."),
    ),
}
_NO_COUNTERS: Final = mark("No word of an opponent stops a Kem's.")
_FALSE_DOUBLE: Final = {
    r.DoubleCall.AT_ONCE: mark("False {double}: {costs}."),
    r.DoubleCall.TWO_VOICES: mark("False {double}: the Kem's stands, {costs}."),
}
_SHOWN_BY_ACCUSED: Final = mark("The accused player shows {cards} to you alone.")
_SHOWN_BY_ACCUSER: Final = mark("You show {cards} to the accused player alone.")


def explain_part(rules: r.Rules, part: str, texts: Texts) -> list[str]:
    """Return one part of the rules, such as `sweep`, as a list of sentences; none for the pace."""
    return [f"- {sentence}" for sentence in _GROUPS[part][1](_Words(rules, texts))] if part in _GROUPS else []


def explain(rules: r.Rules, texts: Texts) -> list[str]:
    """Return the rules as lines of markdown, in groups."""
    words = _Words(rules, texts)
    groups = ((texts.t(title), sentences(words)) for title, sentences in _GROUPS.values())
    return titled_lists(group for group in groups if group[1])


def titled_lists(groups: Iterable[tuple[str, list[str]]]) -> list[str]:
    """Return groups of sentences as lines of markdown: each title, then its sentences as a list."""
    return [
        line for title, sentences in groups for line in (f"**{title}**", *(f"- {sentence}" for sentence in sentences))
    ]


def _said(*sentences: object) -> list[str]:
    """Return the sentences among the arguments; the others are false, 0 or empty."""
    return [sentence for sentence in sentences if isinstance(sentence, str)]


@dataclass(frozen=True, slots=True)
class _Words:
    """A method for each group of rules, and the helpers they share."""

    rules: r.Rules
    texts: Texts

    def players(self) -> list[str]:
        t, deck, counts = self.texts.t, DECKS[self.rules.deal.deck], self.rules.seating.players
        sizes: dict[int, list[int]] = {}
        for count in counts:
            sizes.setdefault(count // house_rules.teams_for(self.rules, count), []).append(count)
        too_many = [count for count in counts if len(deck) < HAND_SIZE * (count + 1)]
        alone, teams = t("{players} players: each plays alone."), t("{players} players: teams of {size}.")
        return _said(
            *(
                (alone if size == 1 else teams).format(players=self._either(of), size=size)
                for size, of in sizes.items()
            ),
            t("Partners never sit side by side."),
            t(self.rules.deal.deck.words, cards=len(deck)),
            too_many and t("With {players} players, choose a larger deck.", players=self._either(too_many)),
        )

    def deal(self) -> list[str]:
        t, deal = self.texts.t, self.rules.deal
        has_jokers = deal.excess_jokers and any(card.is_joker for card in DECKS[deal.deck])
        what = t("three or four of a kind, or two jokers") if has_jokers else t("three or four of a kind")
        return _said(
            t("{hand} cards each, one at a time; {hand} more are turned up in the middle.", hand=HAND_SIZE),
            t(deal.excess.words, what=what),
            deal.excess in (r.OnExcess.REDRAW, r.OnExcess.HAND) and t(deal.redrawn.words),
            t("Nobody moves before the dealer says: the hunt is open!"),
        )

    def exchange(self) -> list[str]:
        t, exchange = self.texts.t, self.rules.exchange
        down = self.texts.n(
            "Put down {count} card at a time, then take one.",
            "Put down up to {count} cards at once, then take as many.",
            exchange.down,
        )
        limit = exchange.take_limit > 0 and self._seconds(exchange.take_limit)
        return _said(
            t("Everybody at once, no turns: first come, first served."),
            down,
            t("Never more than {hand} cards in a hand, and none from hand to hand.", hand=HAND_SIZE),
            t(exchange.three_alike.words),
            exchange.swap and t("Or choose a card of the middle first: your next card goes down for it at once."),
            not exchange.takes_seen and t("Nobody is shown who took what."),
            limit and t("A player who owes cards for {limit} gets them at random.", limit=limit),
        )

    def sweep(self) -> list[str]:
        t, sweep = self.texts.t, self.rules.sweep
        quiet, vote = self._seconds(sweep.quiet), self._seconds(sweep.sweep_vote)
        refused = t("One refusal, and the hunt goes on; the player who refuses owes nothing.")
        if sweep.must_exchange:
            grace = self._seconds(sweep.refusal_grace)
            refused = t("A player who refuses must exchange within {grace}, or the sweep is made.", grace=grace)
        most = self.texts.n(
            "{count} sweep without an exchange ends the round, without points.",
            "{count} sweeps in a row without an exchange end the round, without points.",
            sweep.max_sweeps,
        )
        is_final = sweep.swept is r.SweptTo.DISCARD and sweep.stock_out is r.StockOut.ENDS
        return _said(
            *(t(sentence, quiet=quiet, vote=vote) for sentence in _SWEEP_BY[sweep.sweep_by]),
            refused,
            t(_STOCK_ENDS if is_final else sweep.swept.words),
            sweep.max_sweeps > 0 and most,
        )

    def calls(self) -> list[str]:
        t, calls = self.texts.t, self.rules.calls
        duel = t(
            "Two players: call your own Kem's, {delay} after your sign at the earliest.",
            delay=self._seconds(calls.duel_delay),
        )
        return _said(
            t("A Kem's is {hand} of a kind in one hand.", hand=HAND_SIZE),
            t(calls.holder.words),
            t(calls.double.words, double=double_name(self.rules, self.texts), chain=self._seconds(calls.chain)),
            calls.bell and t("The caller hits the bell 🛎️."),
            2 in self.rules.seating.players and duel,
            t(calls.counter_names.words if calls.counters else _NO_COUNTERS),
            r.plays_double_counters(self.rules) and t("Double counter: name a team that, you think, holds two."),
        )

    def points(self) -> list[str]:
        t, gets, each = self.texts.t, self._gets, self._each_opponent
        scoring, calls = self.rules.scoring, self.rules.calls
        double, costs = double_name(self.rules, self.texts), self._costs(scoring.false_double_own, scoring.false_double)
        four = t(
            "{double} and double counter within {chain}, both true: your team {gets} in all.",
            double=double[:1].upper() + double[1:],
            chain=self._seconds(calls.chain),
            gets=gets(scoring.four_kems),
        )
        calling = _said(
            t("Kem's: your team {gets}.", gets=gets(scoring.kems)),
            scoring.kems_others and t("Besides, at a Kem's {opponents}.", opponents=each(scoring.kems_others)),
            t("A {double}: your team {gets}.", double=double, gets=gets(scoring.double_kems)),
            scoring.double_kems_others
            and t("Besides, at a {double} {opponents}.", double=double, opponents=each(scoring.double_kems_others)),
            t("False Kem's: {costs}.", costs=self._costs(scoring.false_kems_own, scoring.false_kems)),
            t(_FALSE_DOUBLE[calls.double], double=double, costs=costs),
        )
        if not calls.counters:
            return calling
        return calling + _said(
            t("Counter: your team {gets}.", gets=gets(scoring.counter)),
            t(calls.counter_two.words, gets=gets(scoring.counter_of_two)),
            scoring.counter_accused and t("True counter: the accused team {gets}.", gets=gets(scoring.counter_accused)),
            calls.double_counters and t("Double counter: your team {gets}.", gets=gets(scoring.double_counter)),
            r.plays_four_kems(self.rules) and four,
        )

    def false_counters(self) -> list[str]:
        t, gets, scoring, calls = self.texts.t, self._gets, self.rules.scoring, self.rules.calls
        if not calls.counters:
            return []
        own, accused, other = scoring.false_counter_own, scoring.false_counter, scoring.false_counter_all
        theirs, ours = scoring.false_double_counter, scoring.false_double_counter_own
        sentences = _said(
            t("Your team {own}; the accused team {accused}.", own=gets(own), accused=gets(accused)),
            own < 0
            and calls.counter_names is r.Names.PLAYER
            and t("No point is lost if a partner of the accused holds a Kem's."),
            other and t("In addition, {opponents}.", opponents=self._each_opponent(other)),
            calls.double_counters and t("False double counter: the accused team {gets}.", gets=gets(theirs)),
            calls.double_counters and ours and t("False double counter: your team {gets}.", gets=gets(ours)),
        )
        if calls.false_counter_ends:
            return [*sentences, t("The round is over.")]
        return _said(
            *sentences,
            t("The hunt goes on."),
            *(self._shown() if calls.counter_names is r.Names.PLAYER else ()),
            self.rules.penalty.counter_lost and t("You may not counter again until the end of the round."),
        )

    def _shown(self) -> list[str]:
        """Return which cards a false counter shows; a counter against a team shows none."""
        texts, penalty = self.texts, self.rules.penalty
        cards = texts.n("{count} card", "{count} cards", penalty.show_count)
        if penalty.shows is r.ShownTo.NOBODY:
            return []
        is_accused = penalty.shows is r.ShownTo.ACCUSED
        lines = [texts.t(_SHOWN_BY_ACCUSED if is_accused else _SHOWN_BY_ACCUSER, cards=cards)]
        if penalty.show_different:
            lines.append(texts.t("They must be of different ranks, if the hand has them."))
        delay = self._seconds(penalty.show_delay)
        return [*lines, texts.t("After {delay}, they are picked at random.", delay=delay)]

    def signs(self) -> list[str]:
        t, signs, limit = self.texts.t, self.rules.signs, self._seconds(self.rules.signs.sign_deadline)
        change = r.SignChange.BETWEEN if r.unmet(self.rules, "sign_change") else signs.sign_change
        return _said(
            t(
                "Each team agrees on its secret sign in private; after {deadline}, one is picked at random.",
                deadline=limit,
            ),
            signs.sign_cards and t("Each team draws a sign card, and the sign must fit it."),
            signs.oral_signs and t("A sign may be seen, said, or both; then both halves have to be made."),
            t(change.words),
            t("Signs are made in the open, bluffs are welcome; telling your cards in words is forbidden."),
            signs.signs_told is r.SignsTold.ROUND and t("The end of each round tells which gestures were signs."),
            signs.sign_required and t("A Kem's counts only once its holder has made the sign."),
            signs.counter_needs_sign
            and self.rules.calls.counters
            and t("A counter is true only once the holder has made the sign."),
            *self._guessed(),
        )

    def _guessed(self) -> list[str]:
        t, n, signs = self.texts.t, self.texts.n, self.rules.signs
        if signs.guess is r.Guess.NOT_PLAYED:
            return [t("The opponents' sign is not guessed.")]
        if signs.guess is r.Guess.REPORT:
            return _said(
                t("Guess the opponents' sign: if you are right, they may change it; no points."),
                signs.guess_limit
                and n(
                    "Your team may be wrong {count} time a round.",
                    "Your team may be wrong {count} times a round.",
                    signs.guess_limit,
                ),
            )
        values = {"right": self._gets(signs.guess_right), "wrong": self._gets(signs.guess_wrong)}
        own, others = signs.guess_wrong_own, signs.guess_wrong_all
        may_change = signs.sign_change is not r.SignChange.NEVER
        return _said(
            t("Guess the opponents' sign: right, your team {right}; wrong, theirs {wrong}.", **values),
            own and t("Guessed wrongly: your team {gets}.", gets=self._gets(own)),
            others and t("Guessed wrongly: {opponents}.", opponents=self._each_opponent(others)),
            may_change and t("Either way they may change it, and the hunt goes on."),
            not may_change and t("A sign that was found is changed, and the hunt goes on."),
        )

    def end(self) -> list[str]:
        t, n, end = self.texts.t, self.texts.n, self.rules.end
        if end.ends_at is r.EndsAt.ROUNDS:
            rounds = n("{count} round", "{count} rounds", end.rounds)
            return [t("The match lasts {rounds}; most points win, and it may end level.", rounds=rounds)]
        target, lead = (n("{count} point", "{count} points", count) for count in (end.target, end.win_by))
        won = n("{count} game", "{count} games", end.best_of // 2 + 1)
        return _said(
            t("The first team with {target} wins; if it is level, play goes on.", target=target),
            end.win_by > 1 and t("It must lead by {lead}.", lead=lead),
            end.best_of > 1
            and t("Best of {games}: the first to win {won} wins the match.", games=end.best_of, won=won),
        )

    def _gets(self, points: int) -> str:
        if not points:
            return self.texts.t("scores nothing")
        if points < 0:
            return self.texts.n("loses {count} point", "loses {count} points", -points)
        return self.texts.n("scores {count} point", "scores {count} points", points)

    def _costs(self, own: int, each_opponent: int) -> str:
        """Return who gains and loses what by a false call; the caller's team is named if it loses something."""
        opponents = self._each_opponent(each_opponent)
        if not own:
            return opponents
        return self.texts.t("your team {gets}, {opponents}", gets=self._gets(own), opponents=opponents)

    def _each_opponent(self, points: int) -> str:
        if not points:
            return self.texts.t("no opposing team scores")
        return self.texts.t("each opposing team {gets}", gets=self._gets(points))

    def _seconds(self, seconds: float) -> str:
        return self.texts.t("{seconds} s", seconds=self.texts.decimal(seconds))

    def _either(self, counts: Sequence[int]) -> str:
        *first, last = [str(count) for count in counts]
        return self.texts.t("{first} or {last}", first=", ".join(first), last=last) if first else last


_GROUPS: Final[Mapping[str, tuple[str, Callable[[_Words], list[str]]]]] = {
    "seating": (mark("Players and deck"), _Words.players),
    "deal": (mark("Deal"), _Words.deal),
    "exchange": (mark("Exchange"), _Words.exchange),
    "sweep": (mark("Sweep"), _Words.sweep),
    "calls": (mark("Calls"), _Words.calls),
    "scoring": (mark("Points"), _Words.points),
    "penalty": (mark("False counters"), _Words.false_counters),
    "signs": (mark("Signs"), _Words.signs),
    "end": (mark("End of the match"), _Words.end),
}
"""The title and the sentences of each part of the rules."""
