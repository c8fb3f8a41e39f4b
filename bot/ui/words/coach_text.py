"""A coach's hint: what to do and why, in one sentence."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, assert_never

from bot.game import actions as a
from bot.robots.reasons import Advice, Motive, Reason
from bot.ui.kit.texts import mark
from bot.ui.words.sign_emojis import shown_gesture
from bot.ui.words.table_text import TableText

_WHY: Final = {
    Motive.COLLECTS: mark("you want four {cards}"),
    Motive.BLOCKS: mark("{name} collects {cards}"),
    Motive.FEEDS: mark("{name}, your partner, collects {cards}"),
    Motive.MAKES_ROOM: mark("you have to exchange"),
    Motive.STOPS: mark("it ends the round before {name} has a Kem's called"),
    Motive.NOTHING_FITS: mark("no card in the middle helps you"),
    Motive.STILL_FITS: mark("the middle has {cards} for you"),
    Motive.HAS_KEMS: mark("you have four {cards}"),
    Motive.PRESIGNS: mark("you have three {cards}, and may sign already"),
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
    Motive.COLLECTS: mark("you want four alike"),
    Motive.STILL_FITS: mark("the middle has a card for you"),
    Motive.HAS_KEMS: mark("you have a Kem's"),
    Motive.PRESIGNS: mark("you have three alike, and may sign already"),
}
"""The same where the reason names no cards."""


@dataclass(frozen=True, slots=True)
class CoachText:
    """Hints for one reader. `called` returns a player's short name."""

    table_text: TableText
    called: Callable[[int], str]

    def hint(self, advice: Advice) -> str:
        """The advice as a sentence, such as "Take 7♠: you want four 7."."""
        action, reason = advice
        return self.table_text.texts.t("💡 {what}: {why}.", what=self._what(action), why=self._why(reason))

    def _what(self, action: a.Action | None) -> str:
        t, faces, team = self.table_text.texts.t, self.table_text.faces, self.table_text.team
        match action:
            case None | a.Tick() | a.CallTime():
                return t("Wait")
            case a.PutDown(card=card):
                return t("Put down {card}", card=faces.label(card))
            case a.Take(card=card):
                return t("Take {card}", card=faces.label(card))
            case a.AskSweep():
                return t("Ask for a sweep")
            case a.AnswerSweep(agrees=True):
                return t("Agree to the sweep")
            case a.AnswerSweep():
                return t("Refuse the sweep")
            case a.MakeGesture(kind=kind, text=text):
                return t("Make {gesture}", gesture=shown_gesture(kind, text))
            case a.CallKems():
                return t("Call Kem's")
            case a.CallDouble():
                return t("Call a double")
            case a.CounterPlayer(target=target):
                return t("Counter {name}", name=self.called(target))
            case a.CounterTeam(team=target, is_double=True):
                return t("Counter {team} twice", team=team(target))
            case a.CounterTeam(team=target):
                return t("Counter {name}", name=team(target))
            case a.ShowCards(cards=cards):
                return t("Show {cards}", cards=faces.labels(cards))
            case a.GuessSign(team=target):
                return t("Name the sign of {team}", team=team(target))
            case a.AccuseTeam(team=target):
                return t("Say how {team} signals", team=team(target))
            case a.OpenHunt():
                return t("Open the hunt")
            case a.NextRound():
                return t("Ask for the next round")
            case a.ProposeSign():
                return t("Propose a sign")
            case a.AcceptSign():
                return t("Accept the sign")
            case a.KeepSign():
                return t("Keep the sign")
            case _:
                assert_never(action)

    def _why(self, reason: Reason) -> str:
        sentence = _WITHOUT_CARDS.get(reason.why) if reason.group is None else None
        return self.table_text.texts.t(
            sentence or _WHY[reason.why],
            cards="" if reason.group is None else self.table_text.faces.group(reason.group),
            name="" if reason.seat is None else self.called(reason.seat),
            team="" if reason.team is None else self.table_text.team(reason.team),
            odds=None if reason.odds is None else round(100 * reason.odds),
        )
