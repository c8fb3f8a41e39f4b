"""The rules of a table in words: short sentences, each made from the values it speaks of.

It knows what every axis means and nothing of any preset: other values give another text. The pace of the house is
left out, for no sheet knows it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import assert_never

from bot.game import house_rules
from bot.game.cards import HAND_SIZE
from bot.game.decks import DECKS, DeckKind
from bot.game.rules import (
    CounterTwo,
    DoubleCall,
    EndsAt,
    Excess,
    Guess,
    Holder,
    Names,
    Redrawn,
    Rules,
    Shows,
    SignChange,
    StockOut,
    SweepBy,
    SweptTo,
    ThreeAlike,
)
from bot.ui.kit.texts import Texts
from bot.ui.words.table_text import double_name


def explain_part(rules: Rules, part: str, texts: Texts) -> list[str]:
    """One part of the rules, such as `sweep`, as a list of sentences; none for the pace."""
    words = _Words(rules, texts)
    told = {
        "seating": words.players,
        "deal": words.deal,
        "exchange": words.exchange,
        "sweep": words.sweep,
        "calls": words.calls,
        "scoring": words.points,
        "penalty": words.false_counters,
        "signs": words.signs,
        "end": words.end,
    }
    return [f"- {said}" for said in told[part]()] if part in told else []


def explain(rules: Rules, texts: Texts) -> list[str]:
    """The rules as lines of markdown: a title for each group, and its sentences as a list."""
    t, words = texts.t, _Words(rules, texts)
    groups = (
        (t("Players and deck"), words.players()),
        (t("Deal"), words.deal()),
        (t("Exchange"), words.exchange()),
        (t("Sweep"), words.sweep()),
        (t("Calls"), words.calls()),
        (t("Points"), words.points()),
        (t("False counters"), words.false_counters()),
        (t("Signs"), words.signs()),
        (t("End of the match"), words.end()),
    )
    return listed(groups)


def listed(groups: Iterable[tuple[str, list[str]]]) -> list[str]:
    """Groups of sentences as lines of markdown: each title, then its sentences as a list."""
    return [line for title, sentences in groups for line in (f"**{title}**", *(f"- {said}" for said in sentences))]


@dataclass(frozen=True, slots=True)
class _Words:
    """One method for each group, and small words they share."""

    rules: Rules
    texts: Texts

    def players(self) -> list[str]:
        t, deck, counts = self.texts.t, DECKS[self.rules.deal.deck], self.rules.seating.players
        sizes: dict[int, list[int]] = {}
        for count in counts:
            sizes.setdefault(count // house_rules.teams_for(self.rules, count), []).append(count)
        told = [
            t("{players} players: each plays alone.", players=self._either(seats))
            if size == 1
            else t("{players} players: teams of {size}.", players=self._either(seats), size=size)
            for size, seats in sizes.items()
        ]
        told.append(t("Partners never sit side by side."))
        match self.rules.deal.deck:
            case DeckKind.D32:
                told.append(t("{cards} cards, from the seven to the ace.", cards=len(deck)))
            case DeckKind.D52:
                told.append(t("{cards} cards, from the two to the ace.", cards=len(deck)))
            case DeckKind.D54:
                told.append(t("{cards} cards, two of them jokers: a joker stands for any card.", cards=len(deck)))
            case _:
                assert_never(self.rules.deal.deck)
        too_many = [count for count in counts if len(deck) < HAND_SIZE * (count + 1)]
        if too_many:
            told.append(t("With {players} players, choose a larger deck.", players=self._either(too_many)))
        return told

    def deal(self) -> list[str]:
        t, deal = self.texts.t, self.rules.deal
        told = [t("{hand} cards each, one at a time; {hand} more are turned up in the middle.", hand=HAND_SIZE)]
        has_jokers = deal.excess_jokers and any(card.is_joker for card in DECKS[deal.deck])
        what = t("three or four alike, or two jokers") if has_jokers else t("three or four alike")
        match deal.excess:
            case Excess.REDRAW:
                told.append(t("Whoever is dealt {what} shows them and draws as many anew.", what=what))
                told.append(self._redrawn(deal.redrawn))
            case Excess.HAND:
                told.append(t("Whoever is dealt {what} shows them and draws a whole new hand.", what=what))
                told.append(self._redrawn(deal.redrawn))
            case Excess.REDEAL:
                told.append(t("If anybody is dealt {what}, all cards are dealt again.", what=what))
            case Excess.KEEP:
                told.append(t("Whatever you are dealt, you keep, even three or four alike."))
            case _:
                assert_never(deal.excess)
        told.append(t("Nobody moves before the dealer says: the hunt is open!"))
        return told

    def _redrawn(self, where: Redrawn) -> str:
        match where:
            case Redrawn.SHUFFLED:
                return self.texts.t("The cards shown are shuffled into the stock.")
            case Redrawn.UNDER:
                return self.texts.t("The cards shown go under the stock.")
            case _:
                assert_never(where)

    def exchange(self) -> list[str]:
        t, exchange = self.texts.t, self.rules.exchange
        down = self.texts.n(
            "Put down {count} card at a time, then take one.",
            "Put down up to {count} cards at once, then take as many.",
            exchange.down,
        )
        told = [
            t("Everybody at once, no turns: first come, first served."),
            down,
            t("Never more than {hand} cards in a hand, and none from hand to hand.", hand=HAND_SIZE),
        ]
        match exchange.three_alike:
            case ThreeAlike.ENDS:
                told.append(t("Three alike in the middle, a turn-up too: the round ends at once, without points."))
            case ThreeAlike.ALLOWED:
                told.append(t("Three alike may lie in the middle."))
            case ThreeAlike.SWEEPS:
                told.append(t("Three alike in the middle, a turn-up too: they are swept at once."))
            case _:
                assert_never(exchange.three_alike)
        if exchange.take_limit > 0:
            limit = self._seconds(exchange.take_limit)
            told.append(t("Who owes cards for {limit} gets them by chance.", limit=limit))
        return told

    def sweep(self) -> list[str]:
        t, sweep = self.texts.t, self.rules.sweep
        told = self._who_sweeps()
        if sweep.must_exchange:
            grace = self._seconds(sweep.refusal_grace)
            told.append(t("Whoever refuses must exchange within {grace}, or the sweep is made.", grace=grace))
        else:
            told.append(t("One refusal, and the hunt goes on; whoever refuses owes nothing."))
        match sweep.swept:
            case SweptTo.DISCARD:
                told.append(self._discarded())
            case SweptTo.UNDER_STOCK:
                told.append(t("Swept cards go under the stock."))
            case _:
                assert_never(sweep.swept)
        if sweep.max_sweeps > 0:
            told.append(
                self.texts.n(
                    "{count} sweep without an exchange ends the round, without points.",
                    "{count} sweeps in a row without an exchange end the round, without points.",
                    sweep.max_sweeps,
                )
            )
        return told

    def _who_sweeps(self) -> list[str]:
        t, sweep = self.texts.t, self.rules.sweep
        quiet, vote = self._seconds(sweep.quiet), self._seconds(sweep.sweep_vote)
        match sweep.sweep_by:
            case SweepBy.ANYBODY:
                return [
                    t(
                        "After {quiet} without an exchange, anybody may ask for a sweep; no calls meanwhile.",
                        quiet=quiet,
                    ),
                    t("If all agree, new cards are turned up; silence agrees after {vote}.", vote=vote),
                ]
            case SweepBy.DEALER:
                return [
                    t("After {quiet} without an exchange, the dealer may count; no calls meanwhile.", quiet=quiet),
                    t("After {vote} new cards are turned up; to refuse, put a card down before.", vote=vote),
                ]
            case _:
                assert_never(sweep.sweep_by)

    def _discarded(self) -> str:
        match self.rules.sweep.stock_out:
            case StockOut.RESHUFFLE:
                return self.texts.t("Swept cards go face down to the discard pile, shuffled when the stock is out.")
            case StockOut.ENDS:
                return self.texts.t("Swept cards go face down to the discard pile; a stock that is out ends the round.")
            case _:
                assert_never(self.rules.sweep.stock_out)

    def calls(self) -> list[str]:
        t, calls = self.texts.t, self.rules.calls
        told = [t("A Kem's is {hand} alike in one hand.", hand=HAND_SIZE)]
        match calls.holder:
            case Holder.PARTNER:
                told.append(t("Say Kem's! when a partner of yours holds one."))
            case Holder.TEAM:
                told.append(t("Say Kem's! when anybody of your team holds one, yourself included."))
            case _:
                assert_never(calls.holder)
        match calls.double:
            case DoubleCall.AT_ONCE:
                told.append(t("If you hold one too, say at once: {double}!", double=self._double()))
            case DoubleCall.TWO_VOICES:
                told.append(
                    t(
                        "Two in your team: one says Kem's, another says {double} within {chain}.",
                        double=self._double(),
                        chain=self._seconds(calls.chain),
                    )
                )
            case _:
                assert_never(calls.double)
        if calls.bell:
            told.append(t("Whoever calls hits the bell 🛎️."))
        if calls.pool_four:
            told.append(t("Kem's and counters need exactly {hand} cards in the middle.", hand=HAND_SIZE))
        if 2 in self.rules.seating.players:
            delay = self._seconds(calls.duel_delay)
            told.append(t("Two players: call your own Kem's, {delay} after your sign at the earliest.", delay=delay))
        match calls.counter_names:
            case Names.PLAYER:
                told.append(t("Counter: name the opponent who, you think, holds a Kem's."))
            case Names.TEAM:
                told.append(t("Counter: name the opposing team that, you think, holds a Kem's."))
            case _:
                assert_never(calls.counter_names)
        if calls.double_counters:
            told.append(t("Double counter: name a team that, you think, holds two."))
        return told

    def points(self) -> list[str]:
        t, scoring, calls = self.texts.t, self.rules.scoring, self.rules.calls
        double = self._double()
        told = [
            t("Kem's: your team {gets}.", gets=self._gets(scoring.kems)),
            t("A {double}: your team {gets}.", double=double, gets=self._gets(scoring.double_kems)),
            t("False Kem's: {costs}.", costs=self._costs(scoring.false_kems_own, scoring.false_kems)),
        ]
        costs = self._costs(scoring.false_double_own, scoring.false_double)
        match calls.double:
            case DoubleCall.AT_ONCE:
                told.append(t("False {double}: {costs}.", double=double, costs=costs))
            case DoubleCall.TWO_VOICES:
                told.append(t("False {double}: the Kem's stands, {costs}.", double=double, costs=costs))
            case _:
                assert_never(calls.double)
        told.append(t("Counter: your team {gets}.", gets=self._gets(scoring.counter)))
        match calls.counter_two:
            case CounterTwo.NO_EFFECT:
                told.append(t("Counter against two Kem's: no effect, the hunt goes on."))
            case CounterTwo.COUNTS:
                told.append(t("Counter against two Kem's: your team {gets}.", gets=self._gets(scoring.counter_of_two)))
            case _:
                assert_never(calls.counter_two)
        if scoring.counter_accused:
            told.append(t("Countered rightly: the accused team {gets}.", gets=self._gets(scoring.counter_accused)))
        if calls.double_counters:
            told.append(t("Double counter: your team {gets}.", gets=self._gets(scoring.double_counter)))
            if scoring.four_kems:
                told.append(
                    t(
                        "{double} and double counter within {chain}, both true: your team {gets} in all.",
                        double=double[:1].upper() + double[1:],
                        chain=self._seconds(calls.chain),
                        gets=self._gets(scoring.four_kems),
                    )
                )
        return told

    def false_counters(self) -> list[str]:
        t, scoring, calls, penalty = self.texts.t, self.rules.scoring, self.rules.calls, self.rules.penalty
        own, accused = self._gets(scoring.false_counter_own), self._gets(scoring.false_counter)
        told = [t("Your team {own}; the accused team {accused}.", own=own, accused=accused)]
        if scoring.false_counter_all:
            told.append(t("Besides, {opponents}.", opponents=self._each_opponent(scoring.false_counter_all)))
        if calls.double_counters:
            gets = self._gets(scoring.false_double_counter)
            told.append(t("False double counter: the accused team {gets}.", gets=gets))
            if scoring.false_double_counter_own:
                loses = self._gets(scoring.false_double_counter_own)
                told.append(t("False double counter: your team {gets}.", gets=loses))
        if calls.false_counter_ends:
            return [*told, t("The round is over.")]
        told.append(t("The hunt goes on."))
        if calls.counter_names is Names.PLAYER:
            told += self._shown()
        if penalty.counter_lost:
            told.append(t("You may not counter again in this round."))
        return told

    def _shown(self) -> list[str]:
        """Cards are shown between two players: none where a team is accused."""
        texts, penalty = self.texts, self.rules.penalty
        cards = texts.n("{count} card", "{count} cards", penalty.show_count)
        match penalty.shows:
            case Shows.NOBODY:
                return []
            case Shows.ACCUSED:
                told = [texts.t("The accused player shows {cards} to you alone.", cards=cards)]
            case Shows.ACCUSER:
                told = [texts.t("You show {cards} to the accused player alone.", cards=cards)]
            case _:
                assert_never(penalty.shows)
        if penalty.show_different:
            told.append(texts.t("They must be of different ranks, if the hand has them."))
        delay = self._seconds(penalty.show_delay)
        return [*told, texts.t("After {delay}, chance chooses them.", delay=delay)]

    def signs(self) -> list[str]:
        t, signs = self.texts.t, self.rules.signs
        deadline = self._seconds(signs.sign_deadline)
        told = [t("Each team agrees on its secret sign in private; after {deadline}, chance does.", deadline=deadline)]
        if signs.sign_cards:
            told.append(t("Each team draws a sign card, and the sign must fit it."))
        if signs.oral_signs:
            told.append(t("A sign may be seen, said, or both; then both halves have to be made."))
        match signs.sign_change:
            case SignChange.BETWEEN:
                told.append(t("Between rounds a team may change its sign."))
            case SignChange.NEVER:
                told.append(t("A sign stays for the whole match, unless it is found."))
            case _:
                assert_never(signs.sign_change)
        told.append(t("Signs are made in the open, bluffs are welcome; telling your cards in words is forbidden."))
        if signs.sign_required:
            told.append(t("A Kem's counts only once its holder has made the sign."))
        match signs.guess:
            case Guess.NOT_PLAYED:
                told.append(t("The opponents' sign is not guessed."))
            case Guess.REPORT:
                told.append(t("Guess the opponents' sign: if you are right, they may change it; no points."))
            case Guess.POINTS:
                right, wrong = self._gets(signs.guess_right), self._gets(signs.guess_wrong)
                told.append(
                    t(
                        "Guess the opponents' sign: right, your team {right}; wrong, theirs {wrong}.",
                        right=right,
                        wrong=wrong,
                    )
                )
                if signs.guess_wrong_own:
                    told.append(t("Guessed wrongly: your team {gets}.", gets=self._gets(signs.guess_wrong_own)))
                if signs.guess_wrong_all:
                    others = self._each_opponent(signs.guess_wrong_all)
                    told.append(t("Guessed wrongly: {opponents}.", opponents=others))
                if signs.sign_change is SignChange.BETWEEN:
                    told.append(t("Either way they may change it, and the hunt goes on."))
                else:
                    told.append(t("A sign that was found is changed, and the hunt goes on."))
            case _:
                assert_never(signs.guess)
        return told

    def end(self) -> list[str]:
        t, n, end = self.texts.t, self.texts.n, self.rules.end
        match end.ends_at:
            case EndsAt.ROUNDS:
                rounds = n("{count} round", "{count} rounds", end.rounds)
                return [t("The match lasts {rounds}; most points win, and it may end level.", rounds=rounds)]
            case EndsAt.TARGET:
                target = n("{count} point", "{count} points", end.target)
                told = [t("The first team with {target} wins; if it is level, play goes on.", target=target)]
            case _:
                assert_never(end.ends_at)
        if end.win_by > 1:
            told.append(t("It must lead by {lead}.", lead=n("{count} point", "{count} points", end.win_by)))
        if end.best_of > 1:
            won = n("{count} game", "{count} games", end.best_of // 2 + 1)
            told.append(t("Best of {games}: the match goes to whoever wins {won}.", games=end.best_of, won=won))
        return told

    def _gets(self, points: int) -> str:
        """What happens to a team's score, as the verb of a sentence."""
        if not points:
            return self.texts.t("scores nothing")
        if points < 0:
            return self.texts.n("loses {count} point", "loses {count} points", -points)
        return self.texts.n("scores {count} point", "scores {count} points", points)

    def _costs(self, own: int, each_opponent: int) -> str:
        """What a false call brings to whom; the team that is wrong is named only where it costs it something."""
        opponents = self._each_opponent(each_opponent)
        if not own:
            return opponents
        return self.texts.t("your team {gets}, {opponents}", gets=self._gets(own), opponents=opponents)

    def _each_opponent(self, points: int) -> str:
        if not points:
            return self.texts.t("no opposing team scores")
        return self.texts.t("each opposing team {gets}", gets=self._gets(points))

    def _double(self) -> str:
        return double_name(self.rules, self.texts)

    def _seconds(self, seconds: float) -> str:
        return self.texts.t("{seconds} s", seconds=self.texts.decimal(seconds))

    def _either(self, counts: Sequence[int]) -> str:
        *first, last = [str(count) for count in counts]
        return self.texts.t("{first} or {last}", first=", ".join(first), last=last) if first else last
