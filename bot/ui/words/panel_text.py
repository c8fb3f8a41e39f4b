"""The lines of a hand panel: how things stand, the gestures, what has just happened to its reader.

Each text has a fixed number of lines that do not wrap on a phone, so that nothing below them moves.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from bot.game.events import Outcome, Penalty, SignGuessed
from bot.game.phase import Phase
from bot.game.rules.rules import EndsAt, ThreeAlike
from bot.game.signs import PlanKind
from bot.game.value import value
from bot.game.views import GestureInfo, SeatView
from bot.lessons.lesson import Lesson
from bot.robots.reasons import Advice
from bot.ui.kit.names import called
from bot.ui.kit.text_width import broken, clipped, width
from bot.ui.kit.texts import Texts, mark
from bot.ui.words.coach_text import CoachText, LessonText
from bot.ui.words.sign_plans import own_plan
from bot.ui.words.signs import shown_gesture
from bot.ui.words.table_text import (
    EMPTY_SLOT,
    TableText,
    countdown,
    latest_of_each,
    reports,
    scored,
    signed,
    team_mark,
    team_name,
)

LINE: Final = 20
"""The width of a line on a phone, in ems (`bot.ui.kit.text_width`)."""
NEWS_LINES: Final = 2
_CHAINS: Final = {
    Outcome.KEMS: mark("Kem's! A double may follow"),
    Outcome.DOUBLE: mark("Double! A counter may follow"),
    Outcome.DOUBLE_COUNTER: mark("Counter! A double may follow"),
}

SMALL_LINE: Final = 26
"""The width of a line of small print on a phone, in ems (`bot.ui.kit.text_width`)."""
_MOST_GESTURES: Final = 4  # lines
_CUT_NAME: Final = 6.5  # ems
_CUT_NAME_OF_GESTURE: Final = 4.5
_CAPTION: Final = 17  # ems, of the words before the cards beyond reach


@value
class PanelText:
    """The lines for the reader of a seat's view, in `texts`. `lesson` is what the reader's coach teaches just now."""

    view: SeatView
    table_text: TableText
    texts: Texts
    advice: Advice | None = None
    lesson: Lesson | None = None

    def heading(self) -> str:
        t, table, end = self.texts.t, self.view.table, self.view.table.rules.end
        title = t("Round {number}", number=table.round)
        if end.ends_at is EndsAt.ROUNDS:
            title = t("Round {number} of {rounds}", number=table.round, rounds=end.rounds)
        if table.teams == 2:
            points = scored([team_name(0, self.texts), team_name(1, self.texts)], table.scores)
        else:
            points = "\u2002".join(f"{team_mark(team)} **{signed(won)}**" for team, won in enumerate(table.scores))
        return small(f"**{title}** · {points}")

    def gestures(self) -> str:
        """The latest gesture of each player, the newest first, and how long ago it was made."""
        view, table = self.view, self.view.table
        names = tuple(player.name for player in self.table_text.people)
        made = tuple((item, table.dealt_at + item.at) for item in latest_of_each(table.gestures))
        return _gestures(self.texts, names, view.seat, view.partners, made)

    def _called(self, seat: int) -> str:
        return self.texts.t("you") if seat == self.view.seat else short_name(self.table_text.people[seat].name)

    def state(self) -> str:
        t, table, phase = self.texts.t, self.view.table, self.view.table.phase
        if table.pause is not None:
            return t("⏸ The match is paused.")
        if phase is Phase.READY:
            is_own = self.view.offers.may_open
            return t("You open the hunt.") if is_own else t("{name} opens the hunt", name=self._called(table.dealer))
        if phase is Phase.SWEEP:
            return t("🧹 Sweep? Yes or no?") if self.view.offers.may_answer else t("🧹 Sweep?")
        if phase is Phase.CHAIN:
            return t(_CHAINS[Outcome.KEMS if table.chain is None else table.chain.outcome])
        return t("The cards are being dealt.") if phase is Phase.DEAL else t("The hunt is open.")

    def news(self, notice: str | None) -> str:
        """The answer to the reader's press, else what happened last; then what to do: always as many lines.

        What to do is the coach's hint where the reader has a coach, and said as far as there is room.
        """
        said, hint = notice or self._last_news(), self.hint()
        if not said and hint is None:
            return f"{small(self._next_step())}\n{small(self._stock())}"
        told = [*broken(said.replace("\n", " "), SMALL_LINE, NEWS_LINES)] if said else []
        if hint is not None and len(told) < NEWS_LINES:
            told += broken(hint, SMALL_LINE, NEWS_LINES - len(told))
        if len(told) < NEWS_LINES:
            told += (self._next_step(), self._stock())
        return "\n".join(map(small, told[:NEWS_LINES]))

    def hint(self) -> str | None:
        """What the reader's coach says; None without a coach."""
        if self.lesson is not None:
            return self.lessons.sentence(self.lesson, self.advice)
        return None if self.advice is None else CoachText(self.table_text, self._called).hint(self.advice)

    @property
    def lessons(self) -> LessonText:
        return LessonText(self.view, self.table_text, self._called)

    def take_caption(self, beyond: Sequence[str]) -> str:
        """What the rows of the pool are for, and which cards lie beyond them."""
        if not beyond:
            return small(self.texts.t("**Take** · a card from the middle"))
        return small(self.texts.t("**Take** · also in the middle: {cards}", cards=_as_many(beyond)))

    def put_caption(self) -> str:
        """What the hand is for, what is owed and until when, or what the mark on a card means."""
        texts, view, owes = self.texts, self.view, self.view.owes
        if view.third_alike:
            ends = view.table.rules.exchange.three_alike is ThreeAlike.ENDS
            mark = texts.t("⚠\ufe0e ends the round") if ends else texts.t("⚠\ufe0e sweeps")
            owed = [texts.n("{count} card owed", "{count} cards owed", owes)] if owes else []
            return _clipped(texts.t("**Put down** · {told}", told=" · ".join([*owed, mark])))
        if not owes:
            return _clipped(texts.t("**Put down** · a card from your hand"))
        line = texts.n("**Put down** · you owe {count} card", "**Put down** · you owe {count} cards", owes)
        until = view.table.seats[view.seat].take_ends_at
        return _clipped(line if until is None else f"{line} · {countdown(until)}")

    def secrets(self, found: str | None) -> str:
        """The own sign, or what was `found` out; then cards that were shown in private, or how to make the sign."""
        view = self.view
        own = found or f"**{own_plan(view, self.table_text)}**"
        about = " · ".join(self._shown()) if view.shown or view.showed else self._about_gestures()
        return f"{_clipped(own)}\n{_clipped(about)}"

    def _about_gestures(self) -> str:
        """What the gestures below are worth, or how to make a sign that cannot be among them."""
        t, plan, signs = self.texts.t, self.view.plan, self.view.signs
        if plan is not None and plan.kind is PlanKind.TOTAL:
            return t("Any of these gestures counts.")
        if not signs:
            return t("You have no sign now.")
        if any(sign.words for sign in signs):
            return t("One half is among these, say the other: `/kems sign`")
        if all(sign.needs_speech for sign in signs):
            return t("Say your sign: `/kems sign`")
        return t("It hides among these gestures:") if len(signs) == 1 else t("They hide among these gestures:")

    def show_request(self) -> str | None:
        """What the reader has to show, and to whom; None where nothing."""
        viewer = self.view.table.seats[self.view.seat].must_show_to
        if viewer is None:
            return None
        count = self.view.table.rules.penalty.show_count
        return self.texts.n(
            "⚠️ Show {count} card to {name} alone…",
            "⚠️ Show {count} cards to {name} alone…",
            count,
            name=self._called(viewer),
        )

    def _shown(self) -> Iterable[str]:
        t, faces = self.texts.t, self.table_text.faces
        for item in reversed(self.view.shown):
            yield t("{cards} shown by {name}", name=self._called(item.seat), cards=faces.labels(item.cards))
        for item in reversed(self.view.showed):
            yield t("you showed {cards} to {name}", name=self._called(item.seat), cards=faces.labels(item.cards))

    def _next_step(self) -> str:
        """What to do, or what is awaited and until when."""
        texts, view, table = self.texts, self.view, self.view.table
        t, phase = texts.t, table.phase
        if phase is Phase.HUNT:
            return t("Take as many cards as you put down.") if view.owes else t("Put a card down, then take one.")
        when = "" if table.ends_at is None else countdown(table.ends_at)
        if phase is Phase.READY:
            return t("The hunt opens by itself {when}.", when=when) if when else t("Look at your cards.")
        if phase is Phase.SWEEP and view.offers.may_answer:
            asker = "" if table.sweep_asker is None else self._called(table.sweep_asker)
            return t("{name} asks · silence agrees {when}", name=asker, when=when)
        if phase is Phase.SWEEP:
            awaited = sum(not seat.agreed_sweep for seat in table.seats)
            return texts.n("{count} answer left · {when}", "{count} answers left · {when}", awaited, when=when)
        return t("Settled {when}.", when=when) if phase is Phase.CHAIN and when else t("Nobody can exchange now.")

    def _stock(self) -> str:
        return self.texts.t(
            "stock {stock} · discard {discard}", stock=self.view.table.stock, discard=self.view.table.discard
        )

    def _last_news(self) -> str | None:
        """What happened last, of what concerns the reader."""
        view, table, t = self.view, self.view.table, self.texts.t
        own = table.seats[view.seat]
        if table.phase is Phase.READY:
            mine = [item.cards for item in table.excess if item.seat == view.seat]
            if mine:
                cards = self.table_text.faces.labels(mine[-1])
                return t("You were dealt {cards}: shown to all, and replaced.", cards=cards)
            return None
        is_quiet = not (table.penalties or table.reports or view.by_chance) and own.can_counter
        if is_quiet and table.swept_third is None and table.duty_ends_at is None:
            return None  # as nearly always
        found: list[tuple[int, str]] = [(item.at, self._penalty(item)) for item in table.penalties[-1:]]
        if table.reports and len(table.reports) > sum(isinstance(item, SignGuessed) for item in table.penalties):
            found += [(table.dealt_at + table.reports[-1].at, line) for line in reports(self.table_text)[-1:]]
        if table.swept_third is not None:
            third = t("🧹 Three alike: you laid the third, so the middle was swept.")
            if table.swept_third != view.seat:
                name = self._called(table.swept_third)
                third = t("🧹 Three alike: {name} laid the third, so the middle was swept.", name=name)
            found.append((table.phase_at, third))
        if view.by_chance:
            cards = self.table_text.faces.labels(view.by_chance)
            found.append((table.phase_at, t("Too slow: {cards} was taken for you at random.", cards=cards)))
        if table.duty_ends_at is not None:
            found.append((table.phase_at, self._duty(table.duty_ends_at)))
        if not own.can_counter and not found:
            found.append((0, t("You cannot counter until the end of the round.")))
        return max(found)[1] if found else None

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
        if item.seat == view.seat:
            said = t("❌ False counter · {points}.", points=points)
            if view.table.seats[view.seat].can_counter:
                return said
            return said + " " + t("You cannot counter until the end of the round.")
        if item.target == view.seat:
            return t("{name} counters you for nothing · {points}.", name=name, points=points)
        return t("False counter by {name} · {points}.", name=name, points=points)

    def _duty(self, until: int) -> str:
        t, when = self.texts.t, countdown(until)
        refuser = next((seat.seat for seat in self.view.table.seats if seat.must_exchange), None)
        if refuser == self.view.seat:
            return t("You refused the sweep: exchange a card, or it is made {when}.", when=when)
        name = "" if refuser is None else self._called(refuser)
        return t("{name} refused the sweep and must exchange, or it is made {when}.", name=name, when=when)


def small(line: str) -> str:
    return f"-# {line}"


def short_name(name: str) -> str:
    """A short name without the mark of a robot, which looks like a gesture."""
    return clipped(called(name), _CUT_NAME)


def _clipped(line: str) -> str:
    return small(clipped(line, SMALL_LINE))


@lru_cache(512)  # buys 12 of the 70 us of a panel (tests.bench.caches)
def _gestures(
    texts: Texts,
    names: tuple[str, ...],
    reader: int,
    partners: tuple[int, ...],
    made: tuple[tuple[GestureInfo, int], ...],
) -> str:
    """A line for each seat as far as there is room: those who `made` a gesture, the newest first, then the others.

    `names` are by seat; `made` holds one gesture of a seat, and when it was made (milliseconds).
    """
    latest, seats = {item.seat: (item, at) for item, at in made}, len(names)
    still = [seat for seat in (*partners, reader, *range(seats)) if seat not in latest]
    order = [*latest, *dict.fromkeys(still)]
    lines = min(seats, _MOST_GESTURES)
    told = order[:lines] if seats <= lines else order[: lines - 1]
    missed = [seat for seat in partners if seat in latest and seat not in told]
    if missed:  # a partner's gesture is never cut off
        told = [*told[: -len(missed)], *missed][-len(told) :]
    shown = {seat: texts.t("you") if seat == reader else short_name(name) for seat, name in enumerate(names)}
    drawn = [_gesture(texts, shown[seat], latest.get(seat), seat, partners) for seat in told]
    if seats > lines:
        rest = (
            f"{shown[item.seat]} {clipped(shown_gesture(item.kind, item.text), _CUT_NAME)}"
            for item, _ in made
            if item.seat not in told
        )
        drawn.append(clipped(" · ".join(rest) or EMPTY_SLOT, SMALL_LINE))
    return "\n".join(map(small, drawn))


def _gesture(texts: Texts, name: str, made: tuple[GestureInfo, int] | None, seat: int, partners: Sequence[int]) -> str:
    t, is_partner, name = texts.t, seat in partners, name[:1].upper() + name[1:]
    if made is None:
        if is_partner:
            return t("{name}, your partner: no gesture yet", name=name)
        return t("{name}: no gesture yet", name=name)
    item, at = made
    when = countdown(at)
    line = t("**{name} {gesture}** your partner · {when}") if is_partner else t("{name} {gesture} · {when}")
    shown = shown_gesture(item.kind, item.text)
    told = line.format(name=name, gesture=shown, when=when)
    if width(told) > SMALL_LINE:
        name = clipped(name, _CUT_NAME_OF_GESTURE)
        told = line.format(name=name, gesture=shown, when=when)
    if width(told) <= SMALL_LINE:
        return told
    if is_partner and len(partners) == 1:
        name, line = "", t("**Your partner {gesture}** · {when}")
    room = SMALL_LINE - width(line.format(name=name, gesture="", when=when))
    return line.format(name=name, gesture=clipped(shown, room), when=when)


def _as_many(labels: Sequence[str]) -> str:
    """As many labels as the line has room for, and how many more there are."""
    room = SMALL_LINE - _CAPTION
    for count in range(len(labels), 0, -1):
        more = f" +{len(labels) - count}" if count < len(labels) else ""
        line = " ".join(labels[:count]) + more
        if width(line) <= room:
            return line
    return f"+{len(labels)}"
