"""The lines of a hand panel: how things stand, the gestures, what has just happened to its reader.

Each text has a fixed number of lines that do not wrap on a phone, so that nothing below them moves.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from bot.game.events import Outcome, Penalty, SignGuessed
from bot.game.phase import Phase
from bot.game.rules.parts import EndsAt, ThreeAlike
from bot.game.signs.sign_plans import PlanKind
from bot.game.views import GestureInfo, SeatView
from bot.lessons.lesson import Lesson
from bot.robots.reasons import Advice
from bot.ui.kit.names import called
from bot.ui.kit.text_width import broken, clipped, width
from bot.ui.kit.texts import mark
from bot.ui.words.coach_text import CoachText
from bot.ui.words.lesson_text import LessonText
from bot.ui.words.scores import team_mark
from bot.ui.words.sign_emojis import shown_gesture
from bot.ui.words.sign_plans import own_plan, trouble
from bot.ui.words.table_text import EMPTY_SLOT, TableText, countdown, reports

LINE: Final = 20
"""The width of a line on a phone, in ems (`bot.ui.kit.text_width`)."""
SMALL_LINE: Final = 26
"""The same in small print."""
NEWS_LINES: Final = 2
_MOST_GESTURES: Final = 4  # lines
_CUT_NAME: Final = 6.5  # ems
_CUT_NAME_OF_GESTURE: Final = 4.5
_CAPTION: Final = 17  # ems, of the words before the cards beyond reach
_CHAINS: Final = {
    Outcome.KEMS: mark("Kem's! A double may follow"),
    Outcome.DOUBLE: mark("Double! A counter may follow"),
    Outcome.DOUBLE_COUNTER: mark("Counter! A double may follow"),
}


@dataclass(frozen=True, slots=True)
class PanelText:
    """The lines for the reader of a seat's view. `lesson` is what the reader's coach teaches just now."""

    view: SeatView
    table_text: TableText
    advice: Advice | None = None
    lesson: Lesson | None = None

    def heading(self) -> str:
        """The round and the score, and the stock."""
        t, table = self.table_text.texts.t, self.view.table
        end = table.rules.end
        if end.ends_at is EndsAt.ROUNDS:
            title = t("Round {number} of {rounds}", number=table.round, rounds=end.rounds)
        else:
            title = t("Round {number}", number=table.round)
        scores = [_signed(points) for points in table.scores]
        if len(scores) == 2:
            points = f"{self.table_text.team(0)} · **{scores[0]} — {scores[1]}** · {self.table_text.team(1)}"
        else:
            points = "\u2002".join(f"{team_mark(team)} **{points}**" for team, points in enumerate(scores))
        return _small(f"**{title}** · {points}")

    def gestures(self) -> str:
        """The latest gesture of each player, the newest first, and how long ago it was made."""
        view, table = self.view, self.view.table
        latest: dict[int, GestureInfo] = {}
        seats = len(table.seats)
        for item in reversed(table.gestures):
            latest.setdefault(item.seat, item)
            if len(latest) == seats:
                break
        still = [seat for seat in (*view.partners, view.seat, *range(seats)) if seat not in latest]
        order = [*latest, *dict.fromkeys(still)]
        lines = min(seats, _MOST_GESTURES)
        told = order[:lines] if seats <= lines else order[: lines - 1]
        missed = [seat for seat in view.partners if seat in latest and seat not in told]
        if missed:  # a partner's gesture is never cut off
            told = [*told[: -len(missed)], *missed][-len(told) :]
        shown = [self._gesture(seat, latest.get(seat)) for seat in told]
        if seats > lines:
            rest = (self._short_gesture(seat, latest[seat]) for seat in order if seat in latest and seat not in told)
            shown.append(clipped(" · ".join(rest) or EMPTY_SLOT, SMALL_LINE))
        return "\n".join(_small(line) for line in shown)

    def _gesture(self, seat: int, made: GestureInfo | None) -> str:
        t, is_partner = self.table_text.texts.t, seat in self.view.partners
        name = clipped(self._called(seat), _CUT_NAME_OF_GESTURE)
        if made is None:
            return (
                t("{name}, your partner: no gesture yet", name=name)
                if is_partner
                else t("{name}: no gesture yet", name=name)
            )
        when = countdown(self.view.table.dealt_at + made.at)
        line = t("**{name} {gesture}** your partner · {when}") if is_partner else t("{name} {gesture} · {when}")
        shown = shown_gesture(made.kind, made.text)
        told = line.format(name=name, gesture=shown, when=when)
        if width(told) <= SMALL_LINE:
            return told
        if is_partner and len(self.view.partners) == 1:
            name, line = "", t("**Your partner {gesture}** · {when}")
        room = SMALL_LINE - width(line.format(name=name, gesture="", when=when))
        return line.format(name=name, gesture=clipped(shown, room), when=when)

    def _short_gesture(self, seat: int, made: GestureInfo) -> str:
        return f"{self._called(seat)} {clipped(shown_gesture(made.kind, made.text), _CUT_NAME)}"

    def _called(self, seat: int) -> str:
        """A short name without the mark of a robot, which looks like a gesture."""
        if seat == self.view.seat:
            return self.table_text.texts.t("you")
        return clipped(called(self.table_text.people[seat].name), _CUT_NAME)

    def state(self) -> str:
        """What is going on, as one line."""
        t, table = self.table_text.texts.t, self.view.table
        if table.pause is not None:
            return t("⏸ The match is paused.")
        match table.phase:
            case Phase.READY if self.view.offers.may_open:
                return t("You open the hunt.")
            case Phase.READY:
                return t("{name} opens the hunt", name=self._called(table.dealer))
            case Phase.SWEEP:
                return t("🧹 Sweep? Yes or no?") if self.view.offers.may_answer else t("🧹 Sweep?")
            case Phase.CHAIN:
                return t(_CHAINS[Outcome.KEMS if table.chain is None else table.chain.outcome])
            case Phase.DEAL:
                return t("The cards are being dealt.")
            case _:
                return t("The hunt is open.")

    def news(self, notice: str | None) -> str:
        """The answer to the reader's press, else what happened last; then what to do: always as many lines.

        What to do is the coach's hint where the reader has a coach, and said as far as there is room.
        """
        said = notice or self._last_news()
        lines = broken(said.replace("\n", " "), SMALL_LINE, NEWS_LINES) if said else ()
        hint = self.hint()
        if hint is not None and len(lines) < NEWS_LINES:
            lines = (*lines, *broken(hint, SMALL_LINE, NEWS_LINES - len(lines)))
        return "\n".join(map(_small, [*lines, self._next_step(), self._stock()][:NEWS_LINES]))

    def hint(self) -> str | None:
        """What the reader's coach says; None without a coach."""
        if self.lesson is not None:
            return self.lessons.sentence(self.lesson, self.advice)
        return None if self.advice is None else CoachText(self.table_text, self._called).hint(self.advice)

    @property
    def lessons(self) -> LessonText:
        """What a learner reads besides."""
        return LessonText(self.view, self.table_text, self._called)

    def take_caption(self, beyond: Sequence[str]) -> str:
        """What the rows of the pool are for, and which cards lie beyond them."""
        t = self.table_text.texts.t
        line = t("**Take** · also in the middle: {cards}", cards=EMPTY_SLOT if not beyond else _as_many(beyond))
        return _small(line)

    def put_caption(self) -> str:
        """What the hand is for, what is owed, and what the mark on a card means."""
        view, texts = self.view, self.table_text.texts
        if view.third_alike:
            ends = view.table.rules.exchange.three_alike is ThreeAlike.ENDS
            mark = texts.t("⚠\ufe0e ends the round") if ends else texts.t("⚠\ufe0e sweeps")
            owed = texts.n("{count} card owed", "{count} cards owed", view.owes)
            return _small(clipped(texts.t("**Put down** · {owed} · {mark}", owed=owed, mark=mark), SMALL_LINE))
        if view.owes:
            line = texts.n("**Put down** · you owe {count} card", "**Put down** · you owe {count} cards", view.owes)
            until = view.table.seats[view.seat].take_ends_at
            line += "" if until is None else f" · {countdown(until)}"
        else:
            line = texts.t("**Put down** · a card from your hand")
        return _small(clipped(line, SMALL_LINE))

    def secrets(self) -> str:
        """The own sign, or what has become of it; then cards that were shown in private, or how to make the sign."""
        first = trouble(self.view, self.table_text) or f"**{own_plan(self.view, self.table_text)}**"
        second = " · ".join(self._shown()) or self._about_gestures()
        return "\n".join(_small(clipped(line, SMALL_LINE)) for line in (first, second))

    def show_request(self) -> str | None:
        """What the reader has to show, and to whom; None where nothing."""
        viewer = self.view.table.seats[self.view.seat].must_show_to
        if viewer is None:
            return None
        count = self.view.table.rules.penalty.show_count
        return self.table_text.texts.n(
            "⚠️ Show {count} card to {name} alone…",
            "⚠️ Show {count} cards to {name} alone…",
            count,
            name=self._called(viewer),
        )

    def _shown(self) -> Iterable[str]:
        t, faces = self.table_text.texts.t, self.table_text.faces
        for item in reversed(self.view.shown):
            yield t("{cards} shown by {name}", name=self._called(item.seat), cards=faces.labels(item.cards))
        for item in reversed(self.view.showed):
            yield t("you showed {cards} to {name}", name=self._called(item.seat), cards=faces.labels(item.cards))

    def _about_gestures(self) -> str:
        """What the gestures below are worth, and how to make the signs that cannot be among them."""
        t, view = self.table_text.texts.t, self.view
        if view.plan is not None and view.plan.kind is PlanKind.TOTAL:
            return t("Any of these gestures counts.")
        spoken = [sign for sign in view.signs if sign.needs_speech]
        if not view.signs:
            return t("You have no sign now.")
        if any(sign.words for sign in view.signs):
            return t("One half is among these, say the other: `/kems sign`")
        if len(spoken) == len(view.signs):
            return t("Say your sign: `/kems sign`")
        return t("It hides among these gestures:") if len(view.signs) == 1 else t("They hide among these gestures:")

    def _next_step(self) -> str:
        """What to do, or what is awaited and until when."""
        texts, view, table = self.table_text.texts, self.view, self.view.table
        t, when = texts.t, "" if table.ends_at is None else countdown(table.ends_at)
        match table.phase:
            case Phase.READY:
                return t("The hunt opens by itself {when}.", when=when) if when else t("Look at your cards.")
            case Phase.SWEEP if view.offers.may_answer:
                asker = "" if table.sweep_asker is None else self._called(table.sweep_asker)
                return t("{name} asks · silence agrees {when}", name=asker, when=when)
            case Phase.SWEEP:
                awaited = sum(not seat.agreed_sweep for seat in table.seats)
                return texts.n("{count} answer left · {when}", "{count} answers left · {when}", awaited, when=when)
            case Phase.CHAIN if when:
                return t("Settled {when}.", when=when)
            case Phase.HUNT if view.owes:
                return t("Take as many cards as you put down.")
            case Phase.HUNT:
                return t("Put a card down, then take one.")
            case _:
                return t("Nobody can exchange now.")

    def _stock(self) -> str:
        table = self.view.table
        return self.table_text.texts.t("stock {stock} · discard {discard}", stock=table.stock, discard=table.discard)

    def _last_news(self) -> str | None:
        """What happened last, of what concerns the reader."""
        view, table, t = self.view, self.view.table, self.table_text.texts.t
        own = table.seats[view.seat]
        if table.phase is Phase.READY:
            mine = [item.cards for item in table.excess if item.seat == view.seat]
            if mine:
                cards = self.table_text.faces.labels(mine[-1])
                return t("You were dealt {cards}: shown to all, and replaced.", cards=cards)
            return None
        found: list[tuple[int, str]] = [(item.at, self._penalty(item)) for item in table.penalties[-1:]]
        if len(table.reports) > sum(isinstance(item, SignGuessed) for item in table.penalties):
            found += [(table.dealt_at + table.reports[-1].at, line) for line in reports(self.table_text)[-1:]]
        if table.swept_third is not None:
            found.append((table.phase_at, self._third(table.swept_third)))
        if view.by_chance:
            cards = self.table_text.faces.labels(view.by_chance)
            found.append((table.phase_at, t("Too slow: {cards} was taken for you at random.", cards=cards)))
        if table.duty_ends_at is not None:
            found.append((table.phase_at, self._duty(table.duty_ends_at)))
        if not own.can_counter and not found:
            found.append((0, t("You cannot counter until the end of the round.")))
        return max(found)[1] if found else None

    def _penalty(self, item: Penalty) -> str:
        t, view = self.table_text.texts.t, self.view
        points = " · ".join(
            t("{team}: {points}", team=self._team(team), points=_signed(points, plus=True))
            for team, points in enumerate(item.points)
            if points
        )
        name = self._called(item.seat)
        if isinstance(item, SignGuessed):
            said = t("{name} finds the sign") if item.is_right else t("{name} guesses a wrong sign")
            return said.format(name=name) + f" · {points}"
        if item.seat == view.seat:
            said = t("❌ False counter · {points}.", points=points)
            if view.table.seats[view.seat].can_counter:
                return said
            return said + " " + t("You cannot counter until the end of the round.")
        if item.target == view.seat:
            return t("{name} counters you for nothing · {points}.", name=name, points=points)
        return t("False counter by {name} · {points}.", name=name, points=points)

    def _team(self, team: int) -> str:
        return self.table_text.texts.t("your team") if team == self.view.team else self.table_text.team(team)

    def _third(self, seat: int) -> str:
        t = self.table_text.texts.t
        if seat == self.view.seat:
            return t("🧹 Three alike: you laid the third, so the middle was swept.")
        return t("🧹 Three alike: {name} laid the third, so the middle was swept.", name=self._called(seat))

    def _duty(self, until: int) -> str:
        t, when = self.table_text.texts.t, countdown(until)
        refuser = next((seat.seat for seat in self.view.table.seats if seat.must_exchange), None)
        if refuser == self.view.seat:
            return t("You refused the sweep: exchange a card, or it is made {when}.", when=when)
        name = "" if refuser is None else self._called(refuser)
        return t("{name} refused the sweep and must exchange, or it is made {when}.", name=name, when=when)


def _small(line: str) -> str:
    return f"-# {line}"


def _signed(points: int, *, plus: bool = False) -> str:
    return (f"{points:+}" if plus else str(points)).replace("-", "−")


def _as_many(labels: Sequence[str]) -> str:
    """As many labels as the line has room for, and how many more there are."""
    room = SMALL_LINE - _CAPTION
    for count in range(len(labels), 0, -1):
        more = f" +{len(labels) - count}" if count < len(labels) else ""
        line = " ".join(labels[:count]) + more
        if width(line) <= room:
            return line
    return f"+{len(labels)}"
