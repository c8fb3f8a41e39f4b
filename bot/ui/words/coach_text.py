"""What a coach says: one hint what to do and why, and explanations during a learner's first match."""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Final

from bot.discord.text.text_width import width
from bot.discord.text.texts import mark
from bot.game import actions as a
from bot.game.events import Outcome
from bot.game.views import SeatView
from bot.lessons.lesson import Lesson, gestures_of_opponents, takes_of_opponents
from bot.robots.reasons import Advice, Motive
from bot.ui.words.signs import shown_gesture, shown_sign
from bot.ui.words.table_text import EMPTY_SLOT, TableText

_WHAT: Final = {
    a.AskSweep: mark("Ask for a sweep"),
    a.CallKems: mark("Call Kem's"),
    a.CallDouble: mark("Call a double"),
    a.OpenHunt: mark("Open the hunt"),
    a.NextRound: mark("Ask for the next round"),
    a.ProposeSign: mark("Propose a sign"),
    a.AcceptSign: mark("Accept the sign"),
    a.KeepSign: mark("Keep the sign"),
    **dict.fromkeys((type(None), a.Tick, a.CallTime), mark("Wait")),
}
_WHY: Final = {
    Motive.COLLECTS: mark("you want four {cards}"),
    Motive.STARTS: mark("{cards} lie in the middle"),
    Motive.BLOCKS: mark("{name} collects {cards}"),
    Motive.FEEDS: mark("{name}, your partner, collects {cards}"),
    Motive.MAKES_ROOM: mark("you have to exchange"),
    Motive.STOPS: mark("it ends the round before {name} has a Kem's called"),
    Motive.NOTHING_FITS: mark("no card in the middle helps you"),
    Motive.STILL_FITS: mark("the middle has {cards} for you"),
    Motive.HAS_KEMS: mark("you have four {cards}"),
    Motive.PRESIGNS: mark("you have three {cards}, and may already sign"),
    Motive.BLUFFS: mark("a bluff misleads the others"),
    Motive.ANSWERS_SIGN: mark("{name} has made your sign"),
    Motive.HOLDS_ONE_TOO: mark("{name} has made your sign, and you have a Kem's too"),
    Motive.SIGNED_IN_VAIN: mark("nobody has answered your sign"),
    Motive.READS_SIGN: mark("{name} seems to have made a sign ({odds}%)"),
    Motive.READS_TWO: mark("{team} seems to have two Kem's"),
    Motive.KNOWS_SIGN: mark("{team} has betrayed its sign ({odds}%)"),
    Motive.SAW_STRATEGY: mark("{team} has betrayed how it signals"),
    Motive.NO_SIGN: mark("your team has no sign"),
    Motive.SIGN_SHOWN: mark("your sign is known now"),
    Motive.PARTNER_ASKS: mark("{name} proposes it"),
    Motive.TELLS_LEAST: mark("that tells least"),
    Motive.IS_DEALER: mark("you are the dealer"),
    Motive.ROUND_OVER: mark("this round is over"),
    Motive.WAITS: mark("nothing is worth doing now"),
}
_WITHOUT_CARDS: Final = {
    Motive.COLLECTS: mark("you want four of a kind"),
    Motive.STARTS: mark("they lie in the middle"),
    Motive.STILL_FITS: mark("the middle has a card for you"),
    Motive.HAS_KEMS: mark("you have a Kem's"),
    Motive.PRESIGNS: mark("you have three of a kind, and may already sign"),
}
"""Sentences that replace those of `_WHY` if the reason names no cards."""

_WITHOUT_CARD: Final = {
    Lesson.PUT: mark("💡 Put down a card that does not help you."),
    Lesson.TAKE: mark("💡 Now take a card from the middle."),
    Lesson.THREE_ALIKE: mark("💡 ⚠\ufe0e would end the round: put another down."),
}
_SIGN_MADE: Final = mark("💡 {name} has to see it. Keep your cards.")
_OPENED_BY_ANOTHER: Final = mark("💡 Collect four of a kind. {name} opens.")
_ENDS: Final = {
    "signed": mark("💡 Well done: you made the sign, {name} called, and your team has the point."),
    "called": mark("💡 Well done: you saw the sign, and called in time."),
    "countered": mark("💡 Well done: you saw their sign before they called."),
    "missed": mark("💡 They called in time. Counter the player who made the sign, and before the call."),
    "false_call": mark(
        "💡 Call Kem's only when your partner has made your sign: here your partner had no four of a kind."
    ),
    "false_sign": mark("💡 You made your sign without four of a kind, and {name} believed it: keep it for a Kem's."),
    "third": mark("💡 You laid a third of a kind in the middle, which ends a round. ⚠︎ marks such a card."),
}


def hint_text(advice: Advice, table_text: TableText, called: Callable[[int], str], room: float = inf) -> str:
    """Return the advice as a sentence, such as `Take 7♠: you want four 7`.

    Args:
        advice: What the coach advises.
        table_text: The words of the reader's table.
        called: Returns a player's short name.
        room: Width in ems; if the sentence is wider, the reason is left out.
    """
    action, reason = advice
    if isinstance(action, a.Take) and reason.why is Motive.MAKES_ROOM:  # no card of it will be kept
        return table_text.texts.t(_WITHOUT_CARD[Lesson.TAKE])
    sentence = _WITHOUT_CARDS.get(reason.why) if reason.group is None else None
    why = table_text.texts.t(
        sentence or _WHY[reason.why],
        cards="" if reason.group is None else table_text.faces.group(reason.group),
        name="" if reason.seat is None else called(reason.seat),
        team="" if reason.team is None else table_text.team(reason.team),
        odds=None if reason.odds is None else round(100 * reason.odds),
    )
    what = _what(action, table_text, called)
    text = table_text.texts.t("💡 {what}: {why}.", what=what, why=why)
    return text if width(text) <= room else f"💡 {what}."


def _what(action: a.Action | None, table_text: TableText, called: Callable[[int], str]) -> str:
    t, faces, team = table_text.texts.t, table_text.faces, table_text.team
    match action:
        case a.PutDown(card=card) | a.Swap(put=card):
            return t("Put down {card}", card=faces.label(card))
        case a.Take(card=card):
            return t("Take {card}", card=faces.label(card))
        case a.AnswerSweep(agrees=agrees):
            return t("Agree to the sweep") if agrees else t("Refuse the sweep")
        case a.MakeGesture(kind=kind, text=text):
            return t("Make {gesture}", gesture=shown_gesture(kind, text))
        case a.CounterPlayer(target=target):
            return t("Counter {name}", name=called(target))
        case a.CounterTeam(team=target, is_double=is_double):
            values = {"team": team(target)}
            return t("Counter {team} twice", **values) if is_double else t("Counter {team}", **values)
        case a.ShowCards(cards=cards):
            return t("Show {cards}", cards=faces.labels(cards))
        case a.GuessSign(team=target):
            return t("Name the sign of {team}", team=team(target))
        case a.AccuseTeam(team=target):
            return t("Say how {team} signals", team=team(target))
        case _:
            return t(_WHAT[type(action)])


@dataclass(frozen=True, slots=True)
class LessonText:
    """Sentences for a learner.

    - `view`: what the learner sees.
    - `table_text`: the words of the table.
    - `called`: returns a player's short name.
    """

    view: SeatView
    table_text: TableText
    called: Callable[[int], str]

    def sentence(self, lesson: Lesson, advice: Advice | None) -> str:
        """Return what to do next and why, during a round; `advice` names the card."""
        view, seat, faces = self.view, self.view.partners[0], self.table_text.faces
        gesture, third, card = "", "", self._card(lesson, advice)
        sentence: str = lesson if card is not None else _WITHOUT_CARD.get(lesson, lesson)
        match lesson:
            case Lesson.DEAL if not view.offers.may_open:
                sentence, seat = _OPENED_BY_ANOTHER, view.table.dealer
            case Lesson.SIGN if self._has_signed():
                sentence = _SIGN_MADE
            case Lesson.BLUFF | Lesson.COUNTER:
                made = next(gestures_of_opponents(view))
                gesture, seat = shown_gesture(made.kind, made.text), made.seat
            case Lesson.READ:
                seen = next(takes_of_opponents(view))
                card, seat = faces.labels(seen.taken), seen.seat
            case Lesson.THREE_ALIKE:
                third = faces.group(min(view.third_alike).group)
        sign = shown_sign(view.signs[0]) if view.signs else EMPTY_SLOT
        values = {"card": card, "third": third, "name": self.called(seat), "sign": sign, "gesture": gesture}
        return self.table_text.texts.t(sentence, **values)

    def end_of_round(self, *, is_last: bool) -> str | None:
        """Return how the round ended, in the learner's terms; None if there is nothing to learn from it.

        `is_last`: no lesson follows.
        """
        t = self.table_text.texts.t
        how = self._end()
        lines = [] if how is None else [t(_ENDS[how], name=self.called(self.view.partners[0]))]
        return "\n".join([*lines, *([t(Lesson.END)] if is_last else [])]) or None

    def _end(self) -> str | None:
        result, seat = self.view.table.result, self.view.seat
        if result is None:
            return None
        is_partner = result.caller in self.view.partners
        match result.outcome:
            case Outcome.KEMS | Outcome.DOUBLE if result.caller == seat or is_partner:
                return "signed" if is_partner else "called"
            case Outcome.KEMS | Outcome.DOUBLE:
                return "missed"
            case Outcome.COUNTER if result.caller == seat:
                return "countered"
            case Outcome.FALSE_KEMS | Outcome.FALSE_DOUBLE if result.caller == seat or is_partner:
                return "false_sign" if is_partner else "false_call"
            case Outcome.THREE_ALIKE if result.laid_by == seat:
                return "third"
            case _:
                return None

    def _card(self, lesson: Lesson, advice: Advice | None) -> str | None:
        match lesson, advice:
            case (Lesson.PUT | Lesson.THREE_ALIKE, (a.PutDown(card=card), _)):
                return self.table_text.faces.label(card)
            case Lesson.TAKE, (a.Take(card=card), reason) if reason.why is not Motive.MAKES_ROOM:
                return self.table_text.faces.label(card)
            case _:
                return None

    def _has_signed(self) -> bool:
        own = (made for made in self.view.table.gestures if made.seat == self.view.seat)
        return any(self.view.sign_made(made.seat, made.kind, made.text) is not None for made in own)
