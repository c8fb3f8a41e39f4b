"""The lines of a hand panel: the score, the latest gestures, the state of the table, a word for its reader.

Each has a fixed place; none wraps on a phone, so nothing below them moves. The word for the reader is the caption
between the middle and the hand.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

from bot.discord.text.names import clean, disambiguate, disambiguate_players
from bot.discord.text.text_width import truncate_to_width, width
from bot.discord.text.texts import Texts, mark
from bot.game.actions import OpenHunt
from bot.game.cards import Card, most_alike
from bot.game.events import Outcome, Penalty, Phase, SignGuessed
from bot.game.rules.rules import EndsAt
from bot.game.signs import PlanKind, SignReport
from bot.game.value import value
from bot.game.views import SeatView
from bot.lessons.lesson import Lesson, hand_of
from bot.records.player import Player
from bot.robots.reasons import Advice
from bot.tables.lobby.lobby import Lobby
from bot.ui.words.coach_text import LessonText, hint_text
from bot.ui.words.people_line import CUT_NAME, LatestGesture, clipped_name, people_line
from bot.ui.words.plan_text import short_plan, trouble
from bot.ui.words.signs import shown_gesture, shown_sign
from bot.ui.words.table_text import (
    EMPTY_SLOT,
    TableText,
    countdown,
    exchanges_line,
    latest_of_each,
    own_score,
    signed_points,
    team_mark,
)

LINE: Final = 20
"""Width of a line on a phone, in ems (`bot.discord.text.text_width`)."""
SMALL_LINE: Final = 26
"""Width of a line of small print on a phone, in ems."""
SIGN_ROOM: Final = 8.5
"""Greatest width of the own sign before the score, in ems."""
FRESH_MS: Final = 10_000
"""How long a gesture is marked."""
NEWS_MS: Final = 6_000
"""How long the answer to a press, and news for the reader, are shown."""
_CHAINS: Final = {
    Outcome.KEMS: mark("Kem's! A double?"),
    Outcome.DOUBLE: mark("Double! A counter?"),
    Outcome.DOUBLE_COUNTER: mark("Counter! A double?"),
}
_COUNTDOWN: Final = re.compile(r"<t:(\d+):R>")
_NAME_TO_SHOW: Final = 4.5  # ems, on a button beside another one
_TWO_SIDES: Final = 2
_MARKED_FROM: Final = 6
"""Number of seats from which each opponent has the mark of their team."""


@value
class PanelText:
    """The lines for the reader of a seat's view.

    - `now`: an instant in milliseconds.
    - `chosen`: the card of the middle for which the reader puts the next one down.
    - `advice`, `lesson`: what the reader's coach advises and teaches now.
    - `marks`: gestures are marked, and the reader is told what their own cards mean.
    - `has_four`: the reader has four alike.
    - `watch`: a sentence about the partner's `{sign}`, for the beginning of the match.
    - `is_double`: the hand highlights the double.
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
    watch: str | None = None
    is_double: bool = False

    def lines(self) -> str:
        """Return four lines: the sign and the score, the partners, the opponents, the table.

        In a match without partners, the opponent takes the partner's line.
        """
        view = self.view
        others = [info.seat for info in view.table.seats if info.team != view.team]
        first, second = (view.partners, others) if view.partners else (others, [view.seat])
        icon = "🤝" if view.partners else "🆚"
        partners = people_line(self._gestures(first), LINE, icon)
        opponents = people_line(self._gestures(second), SMALL_LINE)
        table = truncate_to_width(self._table_line(), SMALL_LINE)
        return "\n".join([small(self._score()), partners, small(opponents), small(table)])

    def _score(self) -> str:
        """Return `🎩   Us 3 · Them 2 (to 10)   round 8 · stock 8`; what has no room beside a long sign is left out.

        With three teams or more, all scores stand beside the round, or only the leader's if there is no room.
        """
        t, table, end = self.texts.t, self.view.table, self.view.table.rules.end
        number = t("round {number}", number=table.round)
        if end.ends_at is EndsAt.ROUNDS:
            number = t("round {number} of {rounds}", number=table.round, rounds=end.rounds)
        stock = t("stock {stock}", stock=table.stock)
        sign = truncate_to_width(short_plan(self.view, self.texts), SIGN_ROOM)
        more = (f"\u2003{number} · {stock}", f"\u2002{number} · 🂠\u2009{table.stock}", f"\u2002{number}", "")
        score = own_score(self.view, self.texts, is_short=True)
        lines = [f"{sign}\u2002{score}{each}" for each in more]
        if table.teams > _TWO_SIDES:
            scores = own_score(self.view, self.texts)
            lines = [f"{sign}\u2002{scores}{each}" for each in more[:-1]] + lines
        return truncate_to_width(next((line for line in lines if width(line) <= SMALL_LINE), lines[-1]), SMALL_LINE)

    def _called(self, seat: int) -> str:
        """Return a short name without the mark of a robot, which looks like a gesture."""
        names = (player.name for player in self.table_text.people)
        return self.texts.t("you") if seat == self.view.seat else disambiguate(names, _cut_short)[seat]

    def _fitting(self, line: Callable[[str], str], seat: int) -> str:
        """Return the table's line about a seat. If it is too long, the name is truncated, never the verb behind it."""
        name = self._called(seat)
        excess = width(line(name)) - SMALL_LINE
        return line(name if excess <= 0 else clipped_name(name, width(name) - excess, str))

    def _gestures(self, seats: Iterable[int]) -> tuple[LatestGesture, ...]:
        table, latest = self.view.table, {item.seat: item for item in latest_of_each(self.view.table.gestures)}
        found = []
        for seat in seats:
            name = self.texts.t("you") if seat == self.view.seat else self.table_text.people[seat].name
            item = latest.get(seat)
            gesture = "" if item is None else shown_gesture(item.kind, item.text)
            is_new = item is not None and is_fresh(table.dealt_at + item.at, self.now)
            is_apart = len(table.seats) >= _MARKED_FROM and table.seats[seat].team != self.view.team
            team = team_mark(table.seats[seat].team) if is_apart else ""
            found.append(LatestGesture(team, name, gesture, is_new and self.marks))
        return tuple(found)

    def _trouble(self) -> str | None:
        sentence = trouble(self.view, self.table_text)
        is_long = sentence is not None and width(sentence) > SMALL_LINE
        return self.texts.t("⚠️ About your sign: press 🤫 Sign…") if is_long else sentence

    def _table_line(self) -> str:
        """Return who took which card, or the vote or duty that the table waits for, deadline first."""
        table, t = self.view.table, self.texts.t
        if table.pause is not None:
            return t("⏸ The match is paused: the buttons wait.")
        when = self._until(table.ends_at)
        match table.phase:
            case Phase.DEAL:
                return t("The cards are being dealt.")
            case Phase.READY if self.view.offers.may_open:
                return t("{when} · you open", when=when) if when else t("You open the hunt.")
            case Phase.READY:
                opens = mark("{when} at most · {name} opens") if when else mark("{name} opens the hunt.")
                return self._fitting(lambda name: t(opens, when=when, name=name), table.dealer)
            case Phase.SWEEP:
                asker = self.view.seat if table.sweep_asker is None else table.sweep_asker
                agreed = t("🧹 yes {when}", when=when) if when else "🧹"
                if asker == self.view.seat:
                    return f"{agreed} · " + t("you ask")
                return self._fitting(lambda name: f"{agreed} · " + t("{name} asks", name=name), asker)
            case Phase.CHAIN:
                follows = t(_CHAINS[Outcome.KEMS if table.chain is None else table.chain.outcome])
                return f"{when} · {follows}" if when else follows
        if not table.rules.exchange.takes_seen:
            return t("Who takes what stays hidden.")
        exchanges = exchanges_line(self.table_text, self._called, SMALL_LINE)
        return exchanges or t("Nobody has exchanged a card yet.")

    def _until(self, at: int | None) -> str:
        """Return a countdown to a deadline; empty without a deadline and after it."""
        return "" if at is None or at <= self.now else countdown(at)

    def _four_alike(self) -> str:
        """Return what to do with four alike in the hand: make the sign, or call both hands after the partner's sign."""
        t, view = self.texts.t, self.view
        if self.is_double:
            return t("You too: Super Kem's!") if view.table.rules.calls.bell else t("You too: Double!")
        four = t("Four {cards}!", cards=self.table_text.faces.group(most_alike(hand_of(view))[0].group))
        signs = " / ".join(map(shown_sign, view.signs))
        if view.plan is not None and view.plan.kind is PlanKind.TOTAL:
            return f"{four} " + t("Make any gesture.")
        if not signs:
            return four
        spoken = all(sign.is_spoken for sign in view.signs)
        return f"{four} " + (t("Say {sign}: {/sign}", sign=signs) if spoken else t("Make {sign}", sign=signs))

    def hint(self, room: float = SMALL_LINE) -> str | None:
        """Return the coach's hint for the reader, at most `room` ems wide; None without a coach."""
        if self.lesson is not None:
            return self.lessons.sentence(self.lesson, self.advice)
        is_early = self.view.table.phase is Phase.READY and self.advice and not isinstance(self.advice[0], OpenHunt)
        if self.advice is None or is_early:
            return None
        return hint_text(self.advice, self.table_text, self._called, room)

    @property
    def lessons(self) -> LessonText:
        """The sentences of the reader's lessons."""
        return LessonText(self.view, self.table_text, self._called)

    def caption(self, notice: str | None, beyond: Sequence[str], *, names_rows: bool, has_line: bool) -> str:
        """Return the small text between the pool and the hand, which has the latest word for the reader.

        Args:
            notice: The answer to the reader's press.
            beyond: The names of cards in the pool that have no button; shown if the table `has_line` for them.
            names_rows: Name both rows above the text.
            has_line: There is a free line.
        """
        t, lines = self.texts.t, []
        more = t("also in the middle: {cards}", cards=" ".join(beyond) or EMPTY_SLOT) if beyond or has_line else ""
        if names_rows:
            lines.append(t("▲ the middle · your hand ▼"))
        if has_line:
            lines.append(more)
        word = next(line.replace("\n", " ") for line in self._words(notice) if line)
        lines.append(f"{more} · {word}" if more and not has_line else word)
        return "\n".join(small(truncate_to_width(line, SMALL_LINE)) for line in lines)

    def _words(self, notice: str | None) -> Iterator[str | None]:
        """Yield what the reader has to know or to do, the most urgent first; the last one is always there."""
        is_past = any(int(second) * 1000 <= self.now for second in _COUNTDOWN.findall(notice or ""))
        yield None if is_past else notice
        if self.chosen is not None:
            yield self._chosen(self.chosen)
        yield self._last_news()
        yield self._watched()
        yield self.hint()
        yield self._to_do()
        if self.has_four:
            yield self._four_alike()
        yield from islice(self._shown(), 1)
        yield self._trouble()
        yield self._duty()
        yield self._next_step()

    def _watched(self) -> str | None:
        """Return which sign to watch for, before the first cards are exchanged."""
        view, table = self.view, self.view.table
        is_early = table.phase is Phase.READY or (table.phase is Phase.HUNT and self._is_news(table.phase_at))
        if self.watch is None or table.round != 1 or table.exchanges or not is_early:
            return None
        if view.plan is None or not view.partners:
            return None
        signs = " / ".join(map(shown_sign, view.signs_of(view.partners[0]))) or self.texts.t("any gesture")
        return self.texts.t(self.watch, sign=truncate_to_width(signs, SIGN_ROOM))

    def _to_do(self) -> str | None:
        """Return what the reader owes, after its deadline."""
        if not self.view.owes:
            return None
        line = self.texts.n("Take {count} card", "Take {count} cards", self.view.owes)
        when = self._until(self.view.table.seats[self.view.seat].take_ends_at)
        return f"{when} · **{line}**" if when else f"**{line}**"

    def _chosen(self, card: Card) -> str:
        """Return what happens with a card of the middle that the reader has chosen: somebody may have been faster."""
        t, table, label = self.texts.t, self.view.table, self.table_text.faces.label(card)
        if card in table.pool:
            return t("**{card}**: for which card of yours?", card=label)
        taker = next((item.seat for item in reversed(table.exchanges) if card in item.taken), None)
        if taker is None:
            return t("Too late: {card} is no longer in the middle.", card=label)
        return t("Too late: {name} has just taken {card}.", name=self._called(taker), card=label)

    def show_request(self) -> str | None:
        """Return which cards the reader has to show, and to whom; None if none."""
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
        """Return what to do while nothing is more urgent."""
        t, view = self.texts.t, self.view
        if view.table.phase is Phase.READY:
            return t("Four of a kind, and your partner calls.") if view.partners else t("Four of a kind: Kem's!")
        if view.table.phase is not Phase.HUNT or view.table.pause is not None:
            return t("Cards wait a moment.")
        if view.may_swap:
            return t("Put a card down, or choose one of the middle.")
        return t("Put a card down, then take one.")

    def _last_news(self) -> str | None:
        """Return what has just happened to the reader, or what was just said about a team."""
        view, table, t = self.view, self.view.table, self.texts.t
        found: list[tuple[int, str]] = []
        if table.phase is Phase.READY:
            mine = [item.cards for item in table.excess if item.seat == view.seat]
            if mine and self._is_news(table.phase_at):
                cards = self.table_text.faces.labels(mine[-1])
                return t("You had {cards}: shown and replaced.", cards=cards)
            return None
        if view.by_chance and self._is_news(view.by_chance_at):
            cards = self.table_text.faces.labels(view.by_chance)
            found.append((view.by_chance_at, t("Too slow: {cards} was taken for you at random.", cards=cards)))
        found += [(item.at, self._penalty(item)) for item in table.penalties[-1:] if self._is_news(item.at)]
        if table.reports and self._is_news(at := table.dealt_at + table.reports[-1].at):
            found.append((at, self._report(table.reports[-1])))
        if table.swept_third is not None and self._is_news(table.phase_at):
            third = t("🧹 Swept: you laid the third of a kind.")
            if table.swept_third != view.seat:
                name = self._called(table.swept_third)
                third = t("🧹 Swept: {name} laid the third of a kind.", name=name)
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
                points=signed_points(points, plus=True),
            )
            for team, points in enumerate(item.points)
            if points
        )
        name = self._called(item.seat)
        if isinstance(item, SignGuessed):
            sentence = t("{name} finds the sign") if item.is_right else t("{name} guesses a wrong sign")
            return sentence.format(name=name) + f" · {points}"
        if item.seat == view.seat and view.table.rules.penalty.counter_lost and points:
            own = signed_points(item.points[view.team], plus=True)
            return t("❌ False counter: {points}, no more this round.", points=own)
        if item.seat == view.seat:
            return t("❌ False counter · {points}.", points=points)
        if item.target == view.seat:
            return t("{name} wrongly counters you · {points}.", name=name, points=points)
        return t("False counter by {name} · {points}.", name=name, points=points)

    def _report(self, item: SignReport) -> str:
        """Return what was said about signs, short enough for its ruling to fit into the line."""
        t = self.texts.t
        signs = " ".join(map(shown_sign, item.signs))
        if item.strategy is not None:
            signs = t(item.strategy.words)
        values = {"name": self._called(item.seat), "sign": truncate_to_width(signs, SIGN_ROOM)}
        return t("📣 {name}: {sign}? Right.", **values) if item.is_right else t("📣 {name}: {sign}? Wrong.", **values)

    def _duty(self) -> str | None:
        """Return until when an exchange is due after a refused sweep, and whose."""
        when = self._until(self.view.table.duty_ends_at)
        refuser = next((seat.seat for seat in self.view.table.seats if seat.must_exchange), None)
        if not when or refuser is None:
            return None
        if refuser == self.view.seat:
            return self.texts.t("🧹 {when}, unless you exchange", when=when)
        t = self.texts.t
        return self._fitting(lambda name: t("🧹 {when}, unless {name} exchanges", when=when, name=name), refuser)


def small(line: str) -> str:
    """Return a line in small print."""
    return f"-# {line}"


def is_fresh(at: int, now: int) -> bool:
    """Return whether a gesture is still marked. Both instants in milliseconds."""
    return now - at < FRESH_MS


def short_name(name: str) -> str:
    """Return a name, shortened for a line of news."""
    return clipped_name(name, CUT_NAME)


def _cut_short(name: str, ending: str) -> str:
    return clipped_name(name, CUT_NAME - width(ending)) + ending


def are_others(before: Lobby, now: Lobby) -> bool:
    """Return whether other people, or robots instead of people, play at a table now."""
    return any(_who(was) != _who(player) for was, player in zip(before.players, now.players, strict=True))


def seat_news(before: Lobby, now: Lobby, texts: Texts) -> str:
    """Return a line on who has left a match or is back, and who plays instead."""
    t, lines = texts.t, []
    for was, player in zip(disambiguate_players(before.players), disambiguate_players(now.players), strict=True):
        if was is None or player is None or _who(was) == _who(player):
            continue
        names = {"name": short_name(was.name), "other": short_name(player.name)}
        if was.user_id == player.user_id:
            sentence = t("{name} is away: a robot plays.") if player.is_away else t("{name} is back.")
        else:
            sentence = t("{name} has left: 🤖 {other} plays.") if player.is_robot else t("{other} plays for {name}.")
        lines.append(sentence.format(**names))
    if before.is_ranked and not now.is_ranked:
        lines.append(t("The match is friendly now."))
    return " ".join(lines)


def _who(player: Player | None) -> tuple[int | None, bool]:
    return (None, True) if player is None else (player.user_id, player.is_away)
