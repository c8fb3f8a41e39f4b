"""The lines of a hand panel: how things stand, who made which gesture, what has just happened to its reader.

Each has a place of its own that nothing else takes; none wraps on a phone, so that nothing below them moves.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

from bot.discord.pictures.card_faces import WARNING
from bot.discord.text.names import clean, people_apart, told_apart
from bot.discord.text.text_width import clipped, width
from bot.discord.text.texts import Texts, mark
from bot.game.actions import OpenHunt
from bot.game.cards import Card, most_alike
from bot.game.events import Outcome, Penalty, Phase, SignGuessed
from bot.game.rules.rules import EndsAt, ThreeAlike
from bot.game.signs import PlanKind, SignReport
from bot.game.value import value
from bot.game.views import SeatView
from bot.lessons.lesson import Lesson, hand_of
from bot.records.player import Player
from bot.robots.reasons import Advice
from bot.tables.lobby.lobby import Lobby
from bot.ui.words.coach_text import LessonText, hint_text
from bot.ui.words.people_line import CUT_NAME, Made, clipped_name, people_line
from bot.ui.words.plan_text import short_plan, trouble
from bot.ui.words.signs import shown_gesture, shown_sign
from bot.ui.words.table_text import TableText, countdown, exchanges_line, latest_of_each, own_score, signed, team_mark

LINE: Final = 20
"""The width of a line on a phone, in ems (`bot.discord.text.text_width`)."""
SMALL_LINE: Final = 26
"""The width of a line of small print on a phone."""
SIGN_ROOM: Final = 8.5
"""The widest that the own sign stands before the score."""
FRESH_MS: Final = 10_000
"""How long a gesture is marked."""
NEWS_MS: Final = 6_000
"""How long the answer to a press, and what has happened to the reader, is told."""
_CHAINS: Final = {
    Outcome.KEMS: mark("Kem's! A double?"),
    Outcome.DOUBLE: mark("Double! A counter?"),
    Outcome.DOUBLE_COUNTER: mark("Counter! A double?"),
}
_NAME_TO_SHOW: Final = 4.5  # ems, on a button beside another one
_MARKED_SEATS: Final = range(6, 10)
"""At so many seats each opponent has the mark of their team; the opponents of larger tables have no room for it."""


@value
class PanelText:
    """The lines for the reader of a seat's view, in `texts`, at `now` (milliseconds).

    `chosen` is the card of the middle for which the reader puts the next one down; `lesson` is what the reader's coach
    teaches just now. Without `marks` no gesture is marked, and nothing tells what the reader's own cards mean, nor that
    the reader `has_four` alike.
    """

    view: SeatView
    table_text: TableText
    texts: Texts
    now: int
    chosen: Card | None = None
    advice: Advice | None = None
    lesson: Lesson | None = None
    marks: bool = True
    has_four: bool = False

    def lines(self, notice: str | None) -> str:
        """The sign and the score, the partners, the opponents, the news: four lines, each in its place.

        In a duel the opponent has the partner's place. `notice` is the answer to the reader's press.
        """
        view = self.view
        others = [info.seat for info in view.table.seats if info.team != view.team]
        first, second = (view.partners, others) if view.partners else (others, [view.seat])
        icon = "🤝" if view.partners else "🆚"
        partners, opponents = (
            people_line(self._gestures(first), LINE, icon),
            people_line(self._gestures(second), SMALL_LINE),
        )
        return "\n".join([small(self._score()), partners, small(opponents), small(self._news(notice))])

    def _score(self) -> str:
        """`🎩   Us 3 · Them 2 (to 10)   round 8 · stock 8`; what has no room beside a long sign is left out."""
        t, table, end = self.texts.t, self.view.table, self.view.table.rules.end
        number = t("round {number}", number=table.round)
        if end.ends_at is EndsAt.ROUNDS:
            number = t("round {number} of {rounds}", number=table.round, rounds=end.rounds)
        stock = t("stock {stock}", stock=table.stock)
        sign, score = (
            clipped(short_plan(self.view, self.texts), SIGN_ROOM),
            own_score(self.view, self.texts, is_short=True),
        )
        more = (f"\u2003{number} · {stock}", f"\u2002{number} · 🂠\u2009{table.stock}", f"\u2002{number}", "")
        told = [f"{sign}\u2002{score}{each}" for each in more]
        return clipped(next((line for line in told if width(line) <= SMALL_LINE), told[-1]), SMALL_LINE)

    def _called(self, seat: int) -> str:
        """A short name without the mark of a robot, which looks like a gesture."""
        names = (player.name for player in self.table_text.people)
        return self.texts.t("you") if seat == self.view.seat else told_apart(names, _cut_short)[seat]

    def _gestures(self, seats: Iterable[int]) -> tuple[Made, ...]:
        table, latest = self.view.table, {item.seat: item for item in latest_of_each(self.view.table.gestures)}
        found = []
        for seat in seats:
            name = self.texts.t("you") if seat == self.view.seat else self.table_text.people[seat].name
            item = latest.get(seat)
            shown = "" if item is None else shown_gesture(item.kind, item.text)
            is_new = item is not None and is_fresh(table.dealt_at + item.at, self.now)
            is_apart = len(table.seats) in _MARKED_SEATS and table.seats[seat].team != self.view.team
            team = team_mark(table.seats[seat].team) if is_apart else ""
            found.append(Made(team, name, shown, is_new and self.marks))
        return tuple(found)

    def _news(self, notice: str | None) -> str:
        """What the reader has to know; else who took what."""
        told = next((line.replace("\n", " ") for line in self._events(notice) if line), None)
        taken = told or exchanges_line(self.table_text, self._called, SMALL_LINE)
        return clipped(taken or self.texts.t("Nobody has exchanged a card yet."), SMALL_LINE)

    def _events(self, notice: str | None) -> Iterator[str | None]:
        """What the reader has to know, the most urgent first."""
        yield notice
        if self.view.table.pause is not None:
            yield self.texts.t("⏸ The match is paused: the buttons wait.")
            return
        yield self._last_news()
        phase = self._phase()
        if self.view.table.phase is not Phase.READY:
            yield phase
        yield self._trouble()
        hint = self.hint()
        yield hint
        yield phase
        if hint is None and self.has_four:
            yield self._four_alike()

    def _trouble(self) -> str | None:
        told = trouble(self.view, self.table_text)
        is_long = told is not None and width(told) > SMALL_LINE
        return self.texts.t("⚠️ About your sign: press 🤫 Sign…") if is_long else told

    def _phase(self) -> str | None:
        """What is awaited, and until when; nothing during the hunt."""
        texts, table, offers = self.texts, self.view.table, self.view.offers
        t, when = texts.t, "" if table.ends_at is None else countdown(table.ends_at)
        match table.phase:
            case Phase.DEAL:
                return t("The cards are being dealt.")
            case Phase.READY:
                name = self._called(table.dealer)
                if not when:
                    return t("You open the hunt.") if offers.may_open else t("{name} opens the hunt.", name=name)
                if offers.may_open:
                    return t("You open, at the latest {when}.", when=when)
                return t("{name} opens, at the latest {when}.", name=name, when=when)
            case Phase.SWEEP if offers.may_answer:
                asker = "" if table.sweep_asker is None else self._called(table.sweep_asker)
                return "🧹 " + t("{name} asks · else yes {when}", name=asker, when=when)
            case Phase.SWEEP:
                awaited = sum(not seat.agreed_sweep for seat in table.seats)
                return texts.n(
                    "🧹 {count} answer left · {when}", "🧹 {count} answers left · {when}", awaited, when=when
                )
            case Phase.CHAIN:
                follows = t(_CHAINS[Outcome.KEMS if table.chain is None else table.chain.outcome])
                return f"{follows} · {when}" if when else follows
            case _:
                return None

    def _four_alike(self) -> str:
        """What to do with four alike in the hand."""
        t, view = self.texts.t, self.view
        four = t("Four {cards}!", cards=self.table_text.faces.group(most_alike(hand_of(view))[0].group))
        signs = " / ".join(map(shown_sign, view.signs))
        if view.plan is not None and view.plan.kind is PlanKind.TOTAL:
            return f"{four} " + t("Make any gesture.")
        if not signs:
            return four
        spoken = all(sign.is_spoken for sign in view.signs)
        return f"{four} " + (t("Say {sign}: {/sign}", sign=signs) if spoken else t("Make {sign}", sign=signs))

    def hint(self, room: float = SMALL_LINE) -> str | None:
        """What the reader's coach says, in so much `room` (ems); None without a coach."""
        if self.lesson is not None:
            return self.lessons.sentence(self.lesson, self.advice)
        is_early = self.view.table.phase is Phase.READY and self.advice and not isinstance(self.advice[0], OpenHunt)
        if self.advice is None or is_early:
            return None
        return hint_text(self.advice, self.table_text, self._called, room)

    @property
    def lessons(self) -> LessonText:
        return LessonText(self.view, self.table_text, self._called)

    def caption(self, beyond: Sequence[str]) -> str:
        """Between the middle and the hand: what to do, cards shown in private, those `beyond` reach."""
        more = self.texts.t("also in the middle: {cards}", cards=" ".join(beyond)) if beyond else None
        told = [line for line in (self._to_do(), *islice(self._shown(), 1), more) if line]
        return small(clipped(" · ".join(told) or self._next_step(), SMALL_LINE))

    def _to_do(self) -> str | None:
        """What is owed and until when, for what the next card goes down, or what the mark on a card means."""
        t, view = self.texts.t, self.view
        if view.owes:
            until = view.table.seats[view.seat].take_ends_at
            line = self.texts.n("Take {count} card from the middle", "Take {count} cards from the middle", view.owes)
            return f"**{line}**" if until is None else f"**{line}** {countdown(until)}"
        if self.chosen is not None:
            return self._chosen(self.chosen)
        if not view.third_alike or not self.marks:
            return None
        ends = view.table.rules.exchange.three_alike is ThreeAlike.ENDS
        said = t("the third alike, it ends the round") if ends else t("the third alike, it sweeps the middle")
        return f"{WARNING} {said}"

    def _chosen(self, card: Card) -> str:
        """What comes of a card of the middle that the reader has chosen: somebody may have been faster."""
        t, table, label = self.texts.t, self.view.table, self.table_text.faces.label(card)
        if card in table.pool:
            return t("**{card}**: for which card of yours?", card=label)
        taker = next((item.seat for item in reversed(table.exchanges) if card in item.taken), None)
        if taker is None:
            return t("Too late: {card} is no longer in the middle.", card=label)
        return t("Too late: {name} has just taken {card}.", name=self._called(taker), card=label)

    def show_request(self) -> str | None:
        """What the reader has to show, and to whom; None where nothing."""
        viewer = self.view.table.seats[self.view.seat].must_show_to
        if viewer is None:
            return None
        count = self.view.table.rules.penalty.show_count
        name = clipped_name(self.table_text.people[viewer].name, _NAME_TO_SHOW, clean)
        return self.texts.t("⚠️ Show {name} {count}…", name=name, count=count)

    def _shown(self) -> Iterable[str]:
        t, faces = self.texts.t, self.table_text.faces
        for item in reversed(self.view.shown):
            yield t("{cards} shown by {name}", name=self._called(item.seat), cards=faces.labels(item.cards))
        for item in reversed(self.view.showed):
            yield t("you showed {cards} to {name}", name=self._called(item.seat), cards=faces.labels(item.cards))

    def _next_step(self) -> str:
        """What to do while nothing else asks for it."""
        t, view = self.texts.t, self.view
        if view.table.phase is Phase.READY:
            return t("Four alike, and your partner calls.") if view.partners else t("Four alike: Kem's!")
        if view.table.phase is not Phase.HUNT:
            return t("Cards wait a moment.")
        if view.may_swap and not view.owes:
            return t("Put a card down, or choose one of the middle.")
        return t("Take as many cards as you put down.") if view.owes else t("Put a card down, then take one.")

    def _last_news(self) -> str | None:
        """What happened last, of what concerns the reader."""
        view, table, t = self.view, self.view.table, self.texts.t
        if table.phase is Phase.READY:
            mine = [item.cards for item in table.excess if item.seat == view.seat]
            if mine:
                cards = self.table_text.faces.labels(mine[-1])
                return t("You had {cards}: shown and replaced.", cards=cards)
            return None
        found: list[tuple[int, str]] = []
        if table.duty_ends_at is not None:
            found.append((table.phase_at, self._duty(table.duty_ends_at)))
        if view.by_chance:
            cards = self.table_text.faces.labels(view.by_chance)
            found.append((view.by_chance_at, t("Too slow: {cards} was taken for you at random.", cards=cards)))
        found += [(item.at, self._penalty(item)) for item in table.penalties[-1:] if self._is_news(item.at)]
        if table.reports and self._is_news(at := table.dealt_at + table.reports[-1].at):
            found.append((at, self._report(table.reports[-1])))
        if table.swept_third is not None and self._is_news(table.phase_at):
            third = t("🧹 Swept: you laid the third alike.")
            if table.swept_third != view.seat:
                name = self._called(table.swept_third)
                third = t("🧹 Swept: {name} laid the third alike.", name=name)
            found.append((table.phase_at, third))
        return max(found, key=lambda item: item[0])[1] if found else None  # of two at once the first

    def _is_news(self, at: int) -> bool:
        return self.now - at < NEWS_MS

    def _penalty(self, item: Penalty) -> str:
        t, view = self.texts.t, self.view
        points = " · ".join(
            t(
                "{team}: {points}",
                team=t("your team") if team == view.team else self.table_text.team(team),
                points=signed(points, plus=True),
            )
            for team, points in enumerate(item.points)
            if points
        )
        name = self._called(item.seat)
        if isinstance(item, SignGuessed):
            said = t("{name} finds the sign") if item.is_right else t("{name} guesses a wrong sign")
            return said.format(name=name) + f" · {points}"
        if item.seat == view.seat and view.table.rules.penalty.counter_lost and points:
            own = signed(item.points[view.team], plus=True)
            return t("❌ False counter: {points}, no more this round.", points=own)
        if item.seat == view.seat:
            return t("❌ False counter · {points}.", points=points)
        if item.target == view.seat:
            return t("{name} counters you for nothing · {points}.", name=name, points=points)
        return t("False counter by {name} · {points}.", name=name, points=points)

    def _report(self, item: SignReport) -> str:
        """What was said of signs, short enough for its ruling to stand in the line."""
        t = self.texts.t
        signs = " ".join(map(shown_sign, item.signs))
        if item.strategy is not None:
            signs = t(item.strategy.words)
        told = {"name": self._called(item.seat), "sign": clipped(signs, SIGN_ROOM)}
        return t("📣 {name}: {sign}? Right.", **told) if item.is_right else t("📣 {name}: {sign}? Wrong.", **told)

    def _duty(self, until: int) -> str:
        t, when = self.texts.t, countdown(until)
        refuser = next((seat.seat for seat in self.view.table.seats if seat.must_exchange), None)
        if refuser == self.view.seat:
            return t("Exchange a card, else 🧹 {when}", when=when)
        name = "" if refuser is None else self._called(refuser)
        return t("{name} exchanges, else 🧹 {when}", name=name, when=when)


def small(line: str) -> str:
    return f"-# {line}"


def is_fresh(at: int, now: int) -> bool:
    """Whether a gesture made `at` an instant is still marked (milliseconds)."""
    return now - at < FRESH_MS


def short_name(name: str) -> str:
    """A name as it stands in a line of news."""
    return clipped_name(name, CUT_NAME)


def _cut_short(name: str, ending: str) -> str:
    return clipped_name(name, CUT_NAME - width(ending)) + ending


def are_others(before: Lobby, now: Lobby) -> bool:
    """Whether other people play at a table now, or a robot for one of them."""
    return any(_who(was) != _who(one) for was, one in zip(before.players, now.players, strict=True))


def seat_news(before: Lobby, now: Lobby, texts: Texts) -> str:
    """Who has left a match, or is back, and who plays instead."""
    t, told = texts.t, []
    for was, one in zip(people_apart(before.players), people_apart(now.players), strict=True):
        if was is None or one is None or _who(was) == _who(one):
            continue
        names = {"name": short_name(was.name), "other": short_name(one.name)}
        if was.user_id == one.user_id:
            said = t("{name} is away: a robot plays.") if one.is_away else t("{name} is back.")
        else:
            said = t("{name} has left: 🤖 {other} plays.") if one.is_robot else t("{other} plays for {name}.")
        told.append(said.format(**names))
    return " ".join(told)


def _who(player: Player | None) -> tuple[int | None, bool]:
    return (None, True) if player is None else (player.user_id, player.is_away)
