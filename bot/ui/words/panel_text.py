"""The lines of a hand panel: how things stand, the gestures, what has just happened to its reader.

Each text has a fixed number of lines that do not wrap on a phone, so that nothing below them moves.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from bot.game.events import Outcome, Penalty, SignGuessed
from bot.game.phase import CHAIN, DEAL, HUNT, READY, SWEEP
from bot.game.rules.parts import EndsAt, ThreeAlike
from bot.game.signs.sign_plans import PlanKind
from bot.game.value import value
from bot.game.views import GestureInfo, SeatView
from bot.lessons.lesson import Lesson
from bot.robots.reasons import Advice
from bot.ui.kit.text_width import broken
from bot.ui.kit.texts import Texts, mark
from bot.ui.words import panel_lines as lines
from bot.ui.words.coach_text import CoachText
from bot.ui.words.lesson_text import LessonText
from bot.ui.words.panel_lines import SMALL_LINE
from bot.ui.words.sign_plans import member_names
from bot.ui.words.table_text import TableText, countdown, reports

LINE: Final = 20
"""The width of a line on a phone, in ems (`bot.ui.kit.text_width`)."""
NEWS_LINES: Final = 2
# Read with each panel, like the phases of `bot.game.phase`.
_AFTER_ROUNDS: Final = EndsAt.ROUNDS
_DOUBLE: Final = PlanKind.DOUBLE
_CHAINS: Final = {
    Outcome.KEMS: mark("Kem's! A double may follow"),
    Outcome.DOUBLE: mark("Double! A counter may follow"),
    Outcome.DOUBLE_COUNTER: mark("Counter! A double may follow"),
}


@value
class PanelText:
    """The lines for the reader of a seat's view, in `texts`. `lesson` is what the reader's coach teaches just now."""

    view: SeatView
    table_text: TableText
    texts: Texts
    advice: Advice | None = None
    lesson: Lesson | None = None

    def heading(self) -> str:
        """The round and the score."""
        table = self.view.table
        rounds = table.rules.end.rounds if table.rules.end.ends_at is _AFTER_ROUNDS else None
        return lines.heading(self.texts, table.round, rounds, table.scores)

    def gestures(self) -> str:
        """The latest gesture of each player, the newest first, and how long ago it was made."""
        view, table = self.view, self.view.table
        latest: dict[int, GestureInfo] = {}
        for item in reversed(table.gestures):
            latest.setdefault(item.seat, item)
        names = tuple([player.name for player in self.table_text.people])
        made = tuple([(item, table.dealt_at + item.at) for item in latest.values()])
        return lines.gestures(self.texts, names, view.seat, view.partners, made)

    def _called(self, seat: int) -> str:
        return self.texts.t("you") if seat == self.view.seat else lines.short_name(self.table_text.people[seat].name)

    def state(self) -> str:
        """What is going on, as one line."""
        t, table, phase = self.texts.t, self.view.table, self.view.table.phase
        if table.pause is not None:
            return t("⏸ The match is paused.")
        if phase is READY:
            is_own = self.view.offers.may_open
            return t("You open the hunt.") if is_own else t("{name} opens the hunt", name=self._called(table.dealer))
        if phase is SWEEP:
            return t("🧹 Sweep? Yes or no?") if self.view.offers.may_answer else t("🧹 Sweep?")
        if phase is CHAIN:
            return t(_CHAINS[Outcome.KEMS if table.chain is None else table.chain.outcome])
        return t("The cards are being dealt.") if phase is DEAL else t("The hunt is open.")

    def news(self, notice: str | None) -> str:
        """The answer to the reader's press, else what happened last; then what to do: always as many lines.

        What to do is the coach's hint where the reader has a coach, and said as far as there is room.
        """
        said, hint = notice or self._last_news(), self.hint()
        table = self.view.table
        if not said and hint is None:
            return lines.next_step(self.texts, self._next_step(), table.stock, table.discard)
        told = [*broken(said.replace("\n", " "), SMALL_LINE, NEWS_LINES)] if said else []
        if hint is not None and len(told) < NEWS_LINES:
            told += broken(hint, SMALL_LINE, NEWS_LINES - len(told))
        if len(told) < NEWS_LINES:
            told += (self._next_step(), lines.stock(self.texts, table.stock, table.discard))
        return "\n".join(map(lines.small, told[:NEWS_LINES]))

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
        return lines.take_caption(self.texts, tuple(beyond))

    def put_caption(self) -> str:
        """What the hand is for, what is owed, and what the mark on a card means."""
        view, owes = self.view, self.view.owes
        if view.third_alike:
            return lines.third_caption(self.texts, owes, view.table.rules.exchange.three_alike is ThreeAlike.ENDS)
        until = view.table.seats[view.seat].take_ends_at if owes else None
        return lines.put_caption(self.texts, owes, until)

    def secrets(self, found: str | None) -> str:
        """The own sign, or what was `found` out; then cards that were shown in private, or how to make the sign."""
        view, texts = self.view, self.texts
        is_each = view.plan is not None and view.plan.kind is _DOUBLE
        members = tuple(member_names(view, self.table_text)) if is_each else ()
        own, about = lines.own_signs(texts, view.plan, view.seat // view.table.teams, view.spent, members)
        if found is not None:
            own = lines.secret(found)
        if view.shown or view.showed:
            about = lines.secret(" · ".join(self._shown()))
        return f"{own}\n{about}"

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
        if phase is HUNT:
            return t("Take as many cards as you put down.") if view.owes else t("Put a card down, then take one.")
        when = "" if table.ends_at is None else countdown(table.ends_at)
        if phase is READY:
            return t("The hunt opens by itself {when}.", when=when) if when else t("Look at your cards.")
        if phase is SWEEP and view.offers.may_answer:
            asker = "" if table.sweep_asker is None else self._called(table.sweep_asker)
            return t("{name} asks · silence agrees {when}", name=asker, when=when)
        if phase is SWEEP:
            awaited = sum(not seat.agreed_sweep for seat in table.seats)
            return texts.n("{count} answer left · {when}", "{count} answers left · {when}", awaited, when=when)
        return t("Settled {when}.", when=when) if phase is CHAIN and when else t("Nobody can exchange now.")

    def _last_news(self) -> str | None:
        """What happened last, of what concerns the reader."""
        view, table, t = self.view, self.view.table, self.texts.t
        own = table.seats[view.seat]
        if table.phase is READY:
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
        t, view = self.texts.t, self.view
        points = " · ".join(
            t("{team}: {points}", team=self._team(team), points=lines.signed(points, plus=True))
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
        return self.texts.t("your team") if team == self.view.team else self.table_text.team(team)

    def _third(self, seat: int) -> str:
        t = self.texts.t
        if seat == self.view.seat:
            return t("🧹 Three alike: you laid the third, so the middle was swept.")
        return t("🧹 Three alike: {name} laid the third, so the middle was swept.", name=self._called(seat))

    def _duty(self, until: int) -> str:
        t, when = self.texts.t, countdown(until)
        refuser = next((seat.seat for seat in self.view.table.seats if seat.must_exchange), None)
        if refuser == self.view.seat:
            return t("You refused the sweep: exchange a card, or it is made {when}.", when=when)
        name = "" if refuser is None else self._called(refuser)
        return t("{name} refused the sweep and must exchange, or it is made {when}.", name=name, when=when)
