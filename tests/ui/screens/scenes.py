"""Every kind of screen that the bot shows, as Discord gets it, each under a name of its own; always the same ones.

Nothing comes from a clock, a dictionary's order or a hash seed. `tests.ui.screens.record` keeps them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Final

from bot.game.actions import AccuseTeam, Action, GuessSign, ProposeSign
from bot.game.build_view import seat_view, table_view
from bot.game.checks.refusals import Code
from bot.game.rules.presets import PRESETS
from bot.game.signs.sign import Strategy, emoji_sign, spoken_sign
from bot.game.signs.sign_plans import PlanKind, SignPlan
from bot.game.views import SeatView
from bot.records.player import Player
from bot.ui.kit.layouts import at_rest, with_line, without_controls
from bot.ui.kit.texts import Texts
from bot.ui.table.panel.counter_panel import counter_panel
from bot.ui.table.panel.hand_panel import hand_panel
from bot.ui.table.panel.sign_panel import guess_form, sign_form, sign_panel
from bot.ui.table.public.board import table_board
from bot.ui.table.public.result import result_board
from bot.ui.table.verbs import AT_REST
from bot.ui.words.card_faces import Faces
from bot.ui.words.refusals import stuck_text
from bot.ui.words.sign_refusals import sign_refusal
from bot.ui.words.table_text import TableText
from tests.ui.screens.common import TABLE_ID, TEXTS, Scene, asked, faces_of, people, sent
from tests.ui.screens.lobbies import lobby_scenes, rules_scenes
from tests.ui.screens.matches import ALL, Moment, Played, Spec, play, retrace
from tests.ui.screens.nights import night_scenes
from tests.ui.screens.records import GOLDEN, read_log, record_scenes, replay_scenes
from tests.ui.screens.sentences import command_scenes, sentence_scenes, server_scenes

SPECS: Final = (
    *(Spec(name, 4, seed) for seed, name in enumerate(PRESETS, 1)),
    Spec("classic", 2, 11),
    Spec("classic", 9, 12, (Strategy.SPOKEN,), {"team_size": "3"}),
    Spec("expert", 12, 13, ALL, {"deck": "52"}),
    Spec("expert", 8, 14, (Strategy.DOUBLE, Strategy.PRESIGN)),
    Spec("bell", 4, 15, ALL),
    Spec("yokai", 4, 16, ALL),
    Spec("classic", 4, 17, ALL, {"target": "3", "best_of": "3", "auto_open": "20", "auto_next": "30"}),
    Spec("linternaute", 6, 18, ALL, {"down": "2"}),
    Spec("american", 8, 19),
    Spec("escale", 4, 20, (Strategy.SPOKEN,), {"target": "30"}),
    Spec("expert", 6, 21, ALL, {"sign_cards": "yes"}),
    Spec("classic", 6, 22, ALL),
)


def scenes() -> Iterator[Scene]:
    """All of them; no name comes twice."""
    played, golden = _played()
    for number, match in enumerate(played):
        yield from _match_scenes(number, match)
    for number, moments in enumerate(golden):
        yield from _golden_scenes(number, moments)
    for texts in TEXTS:
        made = (
            *lobby_scenes(texts),
            *rules_scenes(texts),
            *record_scenes(texts, played),
            *server_scenes(texts),
            *night_scenes(texts),
            *sentence_scenes(texts),
        )
        for name, value in made:
            yield f"{texts.locale} {name}", value
    yield from replay_scenes()
    yield from command_scenes()


@cache
def _played() -> tuple[tuple[Played, ...], tuple[tuple[Moment, ...], ...]]:
    """Random matches, then what the golden ones show beyond them."""
    seen: set[object] = set()
    played = tuple(play(spec, seen) for spec in SPECS)
    logs = ((path.stem, read_log(path)) for path in sorted(GOLDEN.glob("*.kgn")))
    return played, tuple(retrace(name, log, seen) for name, log in logs)


def _golden_scenes(number: int, moments: Sequence[Moment]) -> Iterator[Scene]:
    for moment in moments:
        seated = people(len(moment.state.seats), number % 4)
        yield from _moment_scenes(moment, seated, faces_of(number, number), None)


def _match_scenes(number: int, match: Played) -> Iterator[Scene]:
    seated = people(match.spec.players, number % 4)
    for step, moment in enumerate(match.moments):
        notice = "Trop tard : *Bruno* vient de prendre le roi." if step % 4 == 3 else None
        yield from _moment_scenes(moment, seated, faces_of(number, number + step), notice)
    last = match.moments[len(match.moments) // 2]
    for step, moment in enumerate((last.paused(), last.paused(by_itself=True))):
        faces = faces_of(number, step)
        name, texts, view = f"{moment.name} paused {step}", faces.texts, seat_view(moment.state, 0)
        board = table_board(table_view(moment.state), seated, TABLE_ID, faces, range(2))
        yield f"{name} board", sent(at_rest(with_line(board, stuck_text(texts)), AT_REST))
        hand = hand_panel(view, seated, TABLE_ID, faces, order_seed=number)
        yield f"{name} hand", sent(at_rest(with_line(hand, stuck_text(texts)), AT_REST))


def _moment_scenes(moment: Moment, seated: Sequence[Player], faces: Faces, notice: str | None) -> Iterator[Scene]:
    state, name = moment.state, moment.name
    public = table_view(state)
    board = table_board(public, seated, TABLE_ID, faces, range(0, len(seated), 2))
    yield f"{name} board", sent(board)
    if public.result is not None:
        ended = result_board(replace(public, ends_at=None), seated, TABLE_ID, faces)
        yield f"{name} left behind", sent(without_controls(ended))
    partner, opponent = ((moment.seat + step) % len(seated) for step in (public.teams, 1))
    for seat in sorted({moment.seat, partner, opponent}):
        view = seat_view(state, seat)
        hand = hand_panel(view, seated, TABLE_ID, faces, notice, order_seed=seat)
        yield f"{name} hand {seat}", sent(hand)
        if seat == partner:
            counter = counter_panel(view, seated, TABLE_ID, faces)
            yield f"{name} counter {seat}", sent(counter)
            yield f"{name} sign refusals {seat}", _sign_refusals(view, faces.texts)
        if seat == partner or view.is_half_found:
            sign = sign_panel(view, seated, TABLE_ID, faces, notice, order_seed=state.round)
            yield f"{name} sign {seat}", sent(sign)
            own = sign_form(view, TableText(view.table, seated, faces), TABLE_ID)
            guess = guess_form(public, TABLE_ID, (view.team + 1) % public.teams, faces.texts)
            yield f"{name} forms {seat}", [asked(form) for form in (own, guess)]


def _sign_refusals(view: SeatView, texts: Texts) -> list[str]:
    """What is said of plans of every kind, of a guess and of an accusation that are refused."""
    found = sorted(view.spent, key=lambda sign: sign.text)
    signs = [*map(emoji_sign, ("👀", "👍", "👄")), spoken_sign("what weather"), spoken_sign("kem's"), *found]
    plans = [SignPlan(PlanKind.SINGLE, (sign,), presign) for sign in signs for presign in (False, True)]
    plans += [SignPlan(kind, tuple(signs[:2])) for kind in PlanKind if kind is not PlanKind.SINGLE]
    actions: list[Action] = [ProposeSign(view.seat, plan) for plan in plans]
    actions += [GuessSign(view.seat, 0, ()), AccuseTeam(view.seat, 0, Strategy.TOTAL)]
    codes = (Code.SIGN_FORBIDDEN, Code.SIGN_TAKEN, Code.ALREADY_ANSWERED)
    said = (sign_refusal(code, action, view, texts) for code in codes for action in actions)
    return list(dict.fromkeys(filter(None, said)))
