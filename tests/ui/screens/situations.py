"""Situations that matches at random seldom come to: each a table, and what of it is looked at by whom.

`board` is the table's message; `hand:AC` the hand panels of the seats A and C; `sign`, `choose`, `form`, `counter` and
`show` what else a seat may open.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any, Final

from bot.daily.attempt import Challenge, MomentKey
from bot.discord.pictures.card_faces import Faces
from bot.discord.text.texts import Texts
from bot.game import actions as a
from bot.game.build_view import seat_view, table_view
from bot.game.checks.refusals import Refusal
from bot.game.decide import decide
from bot.game.events import CallKind, CallMargin, Phase
from bot.game.evolve import evolve
from bot.game.signs import Strategy, emoji_sign, one_sign
from bot.ladder.columns import SeatTally
from bot.ladder.tally import Feat, Highlights
from bot.lessons.lesson import Lesson
from bot.records.history import RatingChange
from bot.records.player import HelpLevel, Player
from bot.robots.reasons import Motive, MoveReason
from bot.tables.lobby.help import Coaching
from bot.tables.lobby.lobby import Status
from bot.ui.table.messages.table_screen import channel_post
from bot.ui.table.pages.board import log_line
from bot.ui.table.pages.match_end import MatchEnd, match_end_board
from bot.ui.table.pages.panel_state import PanelPage
from bot.ui.table.pages.sign_panel import sign_form
from bot.ui.words.refusals import refusal_text, sign_refusal
from bot.ui.words.table_text import TableText
from tests.rules.table import Table, cards, seat_of
from tests.ui.screens.common import TABLE_ID, Scene, asked, people, sent
from tests.ui.screens.lobbies import lobby_of
from tests.ui.table.pages.shown import board, counters, hand, seen, signs

Situation = tuple[str, Table]
ALL: Final = " ".join(Strategy)
SEVENS: Final = "7S 7H 7D 7C"
EIGHTS: Final = "8S 8H 8D 8C"
FOUR: Final = {"A": SEVENS, "B": EIGHTS, "C": "9S 9H 9D 9C", "D": "TS TH TD TC"}
DOUBLE: Final = "A 👀 C 🍀"
PLANS: Final = ("🍀☕", "presign 🍀", "say:quel_temps", DOUBLE, "presign 👀 🍀 🎲", "total")
WORTH: Final = (
    *("👀", "👀 🍀 🎲", DOUBLE, "👀 say:lucky say:quite_so", "say:lucky", "total", "🌶️❤️", "<:kems:987654321>🍀"),
)
CHALLENGES: Final = (
    Challenge(MomentKey(TABLE_ID, 3, 12, 0)),
    Challenge(MomentKey(TABLE_ID, 4, 7, 1), 1),
    Challenge(MomentKey(TABLE_ID, 4, 9, 2), 3, (71,)),
    Challenge(MomentKey(TABLE_ID, 5, 2, 3), 28, (71, 72, 73, 74, 75, 76)),
)
_HUNT: Final[dict[str, Any]] = {"hands": {"A": "7S 7H 9D TC"}, "pool": "8C QH KS AH"}


def played(*steps: str | float, preset: str = "classic", **options: Any) -> Table:
    """A table after these moves; a number is a wait, in seconds."""
    return after(Table(preset, **options), *steps)


def agreeing(*steps: str | float, preset: str = "classic", **options: Any) -> Table:
    """A table after these moves, begun before its first deal."""
    return after(Table.starting(preset, **options), *steps)


def after(table: Table, *steps: str | float) -> Table:
    for step in steps:
        if isinstance(step, str):
            table.do(step)
        else:
            table.wait(step)
    return table


def given_away(*steps: str) -> Table:
    """The sign of A and C was countered."""
    return played("A react 👀", "B counter A", *steps, hands={"A": SEVENS})


@cache
def situations() -> dict[str, Situation]:
    """All of them, by what they show."""
    return {**_gestures(), **_hunts(), **_chains(), **_results(), **_agreements(), **_found_signs(), **_forms()}


def _gestures() -> dict[str, Situation]:
    flood = [step for number in range(20) for step in (5, f"B react {'🎲🍩'[number % 2]}")]
    going: dict[str, Any] = {"hands": {"A": SEVENS}, "scores": (8, 0)}
    over: dict[str, Any] = {"hands": {"A": SEVENS}, "scores": (9, 0)}
    made = ("A react 👀", "B react 🎩", "C kems")
    return {
        "one player does not fill the gestures": ("board", played("A react 👀", *flood, 5, "C react 🎈")),
        "one player does not fill the gestures of a result": (
            "board", played("A react 👀", "C react 🎈", *flood, "C kems", hands={"A": SEVENS})),
        "the partner's gesture is seen in the panel": ("hand:A", played("C react 🍀", *flood)),
        "the mark of a robot is no gesture": ("board hand:A", played("D react 🍀")),
        "gestures are explained in a result": ("board", played(*made, **going)),
        "with strategies gestures are explained only at the end": (
            "board", played(*made, **going, strategies="double")),
        "with strategies gestures are explained at the end": ("board", played(*made, **over, strategies="double")),
        **{f"the gestures say what they are worth, {plan}": (
            "hand:A", played(strategies="total spoken", plans={"#1": plan})) for plan in WORTH},
    }  # fmt: skip


def _hunts() -> dict[str, Situation]:
    crossed = ["B put 7S", "B put 7H", "A put 9S", "A take QH"]
    accused: dict[str, Any] = {"hands": {"B": "7S 8S 9S TS"}, "pool": "7C 8C 9C TC"}
    sweeping: dict[str, Any] = {"dealer": "A", "sweep_vote": 4, "three_alike": "allowed"}
    return {
        "the pool opens to the right": (
            "board", played(*crossed, hands={"A": "9S", "B": "7S 7H"}, pool="8C QH KS AH")),
        "a card put down is owed": ("hand:A", played("A put 9D", **_HUNT)),
        "a card that would end the round is marked": (
            "hand:A", played(hands={"A": "7S 8H 9D TC"}, pool="7C 7D KS AH")),
        "a request to sweep may be refused": ("hand:B", played(6, "A sweep", sweep_by="anybody", **sweeping)),
        "a dealer's count may not be refused": ("hand:B", played(6, "A sweep", sweep_by="dealer", **sweeping)),
        "the accused chooses what to show": ("hand:ABC show:B", played("A counter B", **accused)),
        "the accuser alone sees it": ("hand:ABC", played("A counter B", "B show 7S 9S", **accused)),
        "nobody counters before the hunt": ("counter:A", played(opened=False)),
        "twelve players can be countered": ("counter:A", played(players=12, deck="52")),
        "no counter is played": ("board hand:A", played(counters=False)),
    }  # fmt: skip


def _chains() -> dict[str, Situation]:
    expert: dict[str, Any] = {"preset": "expert", "hands": FOUR, "four_kems": 4}
    six = {"A": SEVENS, "D": EIGHTS, "B": FOUR["C"], "E": FOUR["D"]}
    lost = {"false_counter_ends": False, "counter_lost": True, "deck": "52", "four_kems": 4}
    false: dict[str, Any] = {"preset": "linternaute", "hands": {"A": SEVENS}}
    bell: dict[str, Any] = {"preset": "bell", "hands": {"A": SEVENS, "C": EIGHTS}}
    return {
        "a Kem's may become a double": ("board hand:ABCD", played("A kems", preset="linternaute", hands=FOUR)),
        "a double takes a double counter": ("board hand:ABCD counter:BC", played("A double", **expert)),
        "a double counter takes a double": ("board hand:ABCD", played("A counter2 #2", **expert)),
        "who lost the right to counter adds none": (
            "board hand:ADB", played("A counter #3", "D double", preset="expert", players=6, hands=six, **lost)),
        "a word was added for nothing": ("board", played("C kems", "A double", **false)),
        "a false word costs points": ("board", played("C kems", "A double", false_double=2, **false)),
        "a false word is told once": (
            "board", played("C kems", "A double", "- next", "A open", 3, "B kems", 3, **false)),
        "with the bell a double is a super Kem's": ("board hand:A", played(**bell)),
        "a super Kem's": ("board", played("C double", **bell)),
        "a Kem's by the bell": ("board", played("C kems", preset="bell", hands={"A": SEVENS})),
        "a false super Kem's": ("board", played("C double", preset="bell")),
        "without the bell": ("board", played(preset="bell", bell=False)),
    }  # fmt: skip


def _results() -> dict[str, Situation]:
    mine, theirs = {"A": SEVENS, "C": EIGHTS}, {"B": SEVENS, "D": EIGHTS}
    close, former = Table(hands={"A": SEVENS}), Table(hands={"A": SEVENS})
    for table in (close, former):
        table.state = evolve(table.state, CallMargin(0, 2, 1, CallKind.KEMS, 84))
    laid = played("A put 7S", hands={"A": "7S"}, pool="7H 7D 8S 9S")
    turned = played("A put 7S", hands={"A": "7S"}, pool="7H 7D 8S 9S")
    assert turned.state.result is not None
    turned.state = replace(turned.state, result=replace(turned.state.result, laid_by=None))
    level = played("C kems", preset="bell")
    level.state = replace(level.state, phase=Phase.MATCH_OVER, winner=None)
    swept: dict[str, Any] = {"three_alike": "allowed"}
    return {
        "Kem's": ("board", played("C kems", hands={"A": SEVENS})),
        "double Kem's": ("board", played("C double", hands=mine)),
        "counter": ("board", played("A counter B", hands={"B": SEVENS})),
        "double counter": ("board", played("A counter2 #2", preset="expert", hands=theirs)),
        "false Kem's": ("board", played("A kems")),
        "false double": ("board", played("A double")),
        "false counter": ("board", played("A counter #2", preset="expert")),
        "false double counter": ("board", played("A counter2 #2", preset="expert")),
        "too many sweeps": ("board", played(5, "A sweep", 15, max_sweeps=1, **swept)),
        "no stock": ("board", played(5, "A sweep", 15, stock="", stock_out="ends", **swept)),
        "three alike were laid": ("board", laid),
        "three alike were turned up": ("board", turned),
        "a penalty is told though a call makes up for it": (
            "board", played("C counter B", "C kems", hands={"A": SEVENS})),
        "a Kem's that costs the others": (
            "board hand:AB", played("D kems", players=6, hands={"A": SEVENS}, kems_others=-1)),
        "a margin is told": ("board", after(close, "C kems")),
        "a margin is told once": ("board", after(former, "C kems", "- next", "A open", "B kems")),
        "a match ends level": ("board", level),
        "a match ends by a guess in mid-round": (
            "board", played("A guess #2 🍀", preset="yokai", scores=(9, 0))),
        "a game is won": (
            "board", played("C kems", preset="expert", hands={"A": SEVENS}, scores=(9, 0), best_of=3)),
        "a game is won by a guess while its round goes on": (
            "board", played("B guess #1 👀", preset="yokai", scores=(8, 8), best_of=3)),
    }  # fmt: skip


def _agreements() -> dict[str, Situation]:
    def settled(plan: str) -> Table:
        return agreeing(f"C sign {plan}", f"A accept {plan}", strategies=ALL)

    return {
        "a sign is proposed": ("sign:ABC", agreeing("C sign 🦊")),
        "between rounds the sign may change": ("sign:A choose:A", played("A kems")),
        "a round has shown the sign": ("sign:AC", given_away()),
        "a partner proposes another for a sign that was shown": ("sign:AC", given_away("C propose 🦊")),
        "sign cards are named": ("sign:AB", agreeing(preset="bell", sign_cards="mouth word")),
        "a sign card leaves the sign free": ("sign:A", agreeing(preset="bell", sign_cards="idea hand")),
        "a plan of words by a card": (
            "sign:AB", played(preset="bell", sign_cards="word mouth", plans={"#1": "say:quel_temps", "#2": "👄"})),
        "a plan of many": (
            "sign:AB", agreeing("A sign presign A 👀🍀☕🎩🦊 E 👀🍀☕🎩🎈 I 👀🍀☕🎩🧦", strategies=ALL,
                                players=12, deck="52", team_size=3)),
        "what was voted for is told": ("board sign:A", agreeing(strategies="presign double")),
        "without a vote nothing is told of one": ("board", agreeing()),
        "in a hunt what was voted for is not told": ("board", played(strategies="double")),
        **{f"{plan} is proposed": ("sign:AB", agreeing(f"C sign {plan}", strategies=ALL)) for plan in PLANS},
        **{f"{plan} is settled": ("sign:A", settled(plan)) for plan in PLANS},
    }  # fmt: skip


def _found_signs() -> dict[str, Situation]:
    half: dict[str, Any] = {"strategies": ALL, "plans": {"#1": f"presign {DOUBLE}", "#2": "total"}}
    found = "B guess #1 🍀"
    three = {"strategies": "double", "plans": {"#1": "A 👀 C 🍀 E 🎲"}, "players": 6, "team_size": 3}
    said: dict[str, Any] = {"strategies": ALL, "plans": {"#1": DOUBLE, "#2": "presign 🎩"}}
    wrong = ("B guess #1 🎲", "B accuse #1 total")
    right = ("A accuse #2 presign", "D guess #1 👀 🍀")
    presign: dict[str, Any] = {"strategies": "presign total", "plans": {"#1": "presign 👀"}, "hands": {"A": SEVENS}}
    totals: dict[str, Any] = {"strategies": ALL, "plans": {"#1": "total", "#2": "total"}}
    many: dict[str, Any] = {"strategies": ALL, "plans": {"#1": "👀 🍀 🎲 🦊 🎈 🧦", "#2": "👀 🍀 🎲 🦊"}}
    crowd: dict[str, Any] = {"players": 12, "deck": "52", **many}
    declared: dict[str, Any] = {"strategies": "total presign", "plans": {"#2": "total"}}
    return {
        "a double is whole": ("hand:C sign:A", played(**half)),
        "one of a double was found": ("board hand:C sign:ABC", played(found, **half)),
        "the other of a double is kept": ("board sign:A", played(found, "A keep", **half)),
        "both of a double were found": ("board hand:C sign:A", played(found, "D guess #1 👀 🍀", **half)),
        "one of a double was found, and the round is over": ("sign:AB", played(found, "A kems", **half)),
        "two of three were found": ("sign:A", played("B guess #1 🍀 🎲", **three)),
        "one of many was found": ("sign:A", played(found, strategies=ALL, plans={"#1": "presign 👀 🍀 🎲"})),
        "a plan of six and one of four": ("sign:AB", played(**many)),
        "a plan of six among twelve players": ("sign:A", played(**crowd)),
        "words are signs": (
            "sign:AB", played(strategies=ALL, plans={"#1": "say:quel_temps", "#2": "B say:bel_oiseau D 👀"})),
        "pre-sign was stopped": ("sign:A", played("B accuse #1 presign", **presign)),
        "after the round pre-sign may be stopped": ("sign:B", played("C kems", **presign)),
        "after the round nothing else may": ("sign:B", played("C kems", hands={"A": SEVENS})),
        "nobody has guessed": ("sign:B", played()),
        "a sign was named": ("sign:B", played("A guess #2 🍀")),
        "total may be declared": ("sign:A", played(**declared)),
        "total was declared": ("sign:A", played("A accuse #2 total", **declared)),
        "no pre-sign was voted for": ("sign:A", played(strategies="total")),
        "rules without guesses": ("sign:A", played(preset="escale", strategies="total")),
        "both play total": ("sign:AB", played(**totals)),
        "total is known": ("board sign:AB", played("B accuse #1 total", **totals)),
        "total is known in the result": ("board", played("B accuse #1 total", "A kems", **totals)),
        "total is known in the next round": (
            "board", played("B accuse #1 total", "A kems", "- next", **totals)),
        "a sign of one use has won": (
            "sign:AB", played("C kems", sign_change="once", hands={"A": SEVENS})),
        "after a counter both teams may change their signs": (
            "hand:AB sign:AB", played("A counter B", sign_change="after_counter")),
        "what was said aloud is wrong": ("board", played(*wrong, **said)),
        "what was said aloud is right": ("board", played(*wrong, *right, **said)),
    }  # fmt: skip


def _forms() -> dict[str, Situation]:
    kinds = ("", "double", "intermediate", "total", "presign", "spoken", ALL)
    found: dict[str, Any] = {"strategies": ALL, "plans": {"#1": f"presign {DOUBLE}"}}
    both = ("B guess #1 🍀", "B guess #1 👀 🍀")
    return {
        **{f"a form where {kind or 'nothing'} was voted for": ("form:A", agreeing(strategies=kind)) for kind in kinds},
        "a form with a sign card": ("form:A", agreeing(preset="bell", strategies=ALL, sign_cards="mouth eyes")),
        "a form in a duel": ("form:A", agreeing(players=2, strategies=ALL)),
        "a form for a successor": ("form:A", played(both[0], **found)),
        "a form for who was found out": ("form:A", played(*both, **found)),
        "a form with the present answers": (
            "form:A", agreeing("A sign presign 👀 🍀 🎲", players=2, strategies=ALL)),
        "a form for three": ("form:A", agreeing(players=6, team_size=3, strategies=ALL)),
    }  # fmt: skip


def _form(table: Table, seat: int, texts: Texts, seated: tuple[Player, ...] | None = None) -> Any:
    view = seen(table, seat)
    seated = seated or people(len(view.table.seats), 0)
    return asked(sign_form(view, TableText(view.table, seated, Faces(texts)), TABLE_ID))


_LOOKS: Final[dict[str, Callable[[Table, int, Texts], Any]]] = {
    "board": lambda table, _, texts: sent(board(table, texts)),
    "hand": lambda table, seat, texts: sent(hand(seen(table, seat), texts, now=table.now)),
    "counter": lambda table, seat, texts: sent(counters(seen(table, seat), texts)),
    "show": lambda table, seat, texts: sent(hand(seen(table, seat), texts, page=PanelPage.SHOW, seated=people(4, 0))),
    "sign": lambda table, seat, texts: sent(signs(seen(table, seat), texts)),
    "choose": lambda table, seat, texts: sent(signs(seen(table, seat), texts, is_choosing=True)),
    "form": _form,
}


def situation_scenes(texts: Texts) -> Iterator[Scene]:
    for name, (looks, table) in situations().items():
        for look in looks.split():
            what, _, names = look.partition(":")
            for who in names or "A":
                yield f"{name}: {what} {who if names else ''}".rstrip(), _LOOKS[what](table, seat_of(who), texts)
    yield "a form with long names", _form(situations()["a form for three"][1], 0, texts, (Player("*" * 40, 1),) * 6)
    yield from _coached(texts)
    yield from _levels(texts)
    yield from _ends(texts)
    yield "refused signs", {name: _refusal(*refused, texts) for name, refused in _refused().items()}


def _coached(texts: Texts) -> Iterator[Scene]:
    """A hint stands where notices do, after a short one; a long one hides it."""
    view, card = seen(Table(**_HUNT)), cards("9D")[0]
    hint: dict[str, Any] = {"advice": (a.PutDown(0, card), MoveReason(Motive.COLLECTS, group=card.group))}
    long = "Trop tard, vraiment trop tard, et plus encore. " * 2
    for name, notice in {"alone": None, "after a refusal": "Trop tard.", "behind a long one": long}.items():
        yield f"a hint {name}", sent(hand(view, texts, notice, coaching=Coaching.ON, **hint))
    yield "a coach that was sent away", sent(hand(view, texts, coaching=Coaching.AWAY))
    accepting = (a.AcceptSign(0, one_sign(emoji_sign("🍀"))), MoveReason(Motive.PARTNER_ASKS, seat=2))
    yield "a hint about the sign", sent(hand(seen(agreeing()), texts, coaching=Coaching.ON, advice=accepting))


def _levels(texts: Texts) -> Iterator[Scene]:
    """The same moment at each level of help, and the page on which it is chosen."""
    table = played("C react 👀", hands={"A": "8D TS JC TH"}, pool="8S KD 8H KC")
    double = played("C react 👀", hands={"A": SEVENS})
    for level in HelpLevel:
        for name, each in {"a sign and a third alike": table, "a sign and own four": double}.items():
            yield f"{name}, {level}", sent(hand(seen(each), texts, now=each.now, level=level))
        yield f"the sign page, {level}", sent(hand(seen(agreeing()), texts, level=level, has_free_level=True))


def _ends(texts: Texts) -> Iterator[Scene]:
    """The rounds before, and the end of a match with all that is told of it."""
    calls = ("C kems", "B counter A", "B kems")
    ends = [table_view(played(call, hands={"A": SEVENS}).state) for call in calls]
    numbered = [replace(end, round=number) for number, end in enumerate(ends, 2)]
    many = [replace(ends[0], round=number) for number in range(1, 40)]
    yield "the rounds before", [log_line(log, texts) for log in ([], numbered, many)]
    known = [table_view(played("A react 👀", "C kems", hands={"A": SEVENS}).state) for _ in range(2)]
    table = played("A react 👀", "D counter A", hands={"A": SEVENS})
    yield "a robot knew the sign", sent(board(table, texts, log=known, seated=people(4, 0)))
    next_one = played("C kems", "- next", hands={"A": SEVENS})
    yield "the rounds before on a board", sent(board(next_one, texts, log=ends[:1]))
    table = played(12.3, "C kems", hands={"A": SEVENS}, scores=(9, 9))
    found = Highlights((0,), SeatTally(kems=2, counters=1), Feat(1, 38_000, 3), Feat(2, 12_300))
    end = MatchEnd(found, (RatingChange(1000, 1500, 1512), RatingChange(1001, None, 1480)))
    view, faces = table_view(table.state), Faces(texts)
    yield "the end", sent(match_end_board(view, people(4, 0), TABLE_ID, faces, end=end, ready={1001}))
    told = replace(end, margin=38, challenges=CHALLENGES, offers_role=True)
    yield "the end with challenges", sent(match_end_board(view, people(4, 0), TABLE_ID, faces, end=told))
    card = lobby_of("classic", 4, 0, status=Status.PLAYING)
    for name, each in (("match", end), ("match with challenges", told)):
        yield f"the card of a {name}", sent(channel_post(card, view, texts, each))
    yield "the end of a first match", sent(match_end_board(view, people(4, 0), TABLE_ID, faces, end=end, is_first=True))
    yield "the end of the lessons", sent(hand(seen(table), texts, lesson=Lesson.END))


def _refused() -> dict[str, tuple[Table, str]]:
    """Signs that are refused, each for another reason."""
    bell: dict[str, Any] = {"preset": "bell", "sign_cards": "mouth eyes"}
    half = played("B guess #1 🍀", strategies=ALL, plans={"#1": f"presign {DOUBLE}"})
    both = played("B guess #1 🍀 👀", strategies=ALL, plans={"#1": f"presign {DOUBLE}"})
    aloud = ("A guess #2 🍀", "A accuse #2 presign", "B accuse #1 total")
    known = played(*aloud, strategies=ALL, plans={"#1": "total", "#2": "presign 🍀"})
    stopped = played("B accuse #1 presign", "D kems", strategies=ALL, plans={"#1": "presign 👀"})
    return {
        "kind": (agreeing(), f"A sign {DOUBLE}"),
        "pre-sign": (agreeing(), "A sign presign 👀"),
        "spoken": (agreeing(), "A sign say:quel_temps"),
        "game": (agreeing(strategies=ALL), "A sign say:j'ai_kem's"),
        "card": (agreeing(**bell), "A sign 🎲"),
        "words": (agreeing(**bell), "A sign say:quel_temps"),
        "word card": (agreeing(preset="bell", sign_cards="word eyes"), "A sign 🎲"),
        "total": (agreeing(preset="bell", sign_cards="eyes word", strategies=ALL), "A sign total"),
        "spent": (half, f"A sign {DOUBLE}"),
        "again": (played("B guess #1 🍀", strategies=ALL, plans={"#1": DOUBLE}), f"A sign {DOUBLE}"),
        "half": (half, "A sign 🎲"),
        "both": (half, "A sign A 🎩 C 🎲"),
        "unmasked": (both, "A sign A 🎩 C 🎲"),
        "stopped": (stopped, "A sign presign 🎲"),
        "same": (played(), "A sign 👀"),
        "found already": (known, "C guess #2 🍀"),
        "stopped already": (known, "C accuse #2 presign"),
        "total already": (known, "B accuse #1 total"),
        "too many signs": (known, "A guess #2 👀 🎲 🎩"),
        "more than one sign": (played(players=2), "A guess #2 👀 🎲"),
    }


def _refusal(table: Table, move: str, texts: Texts) -> str:
    """The sentence that the presser gets."""
    action = table.read(move)
    outcome = decide(table.state, action, table.now, table.rng)
    assert isinstance(outcome, Refusal)
    view = seat_view(table.state, getattr(action, "seat", 0))
    return sign_refusal(outcome.code, action, view, texts) or refusal_text(outcome.code, texts)
