"""Every kind of screen that the bot shows, as Discord gets it, each under a name of its own; always the same ones.

Nothing comes from a clock, a dictionary's order or a hash seed. `tests.ui.screens.record` keeps them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, Final

from bot.discord.api.components import ROW, with_line, with_verbs_enabled
from bot.discord.pictures.card_faces import Faces
from bot.discord.text.texts import Texts
from bot.game.actions import AccuseTeam, Action, GuessSign, ProposeSign
from bot.game.build_view import seat_view, table_view
from bot.game.checks.refusals import Code
from bot.game.events import Phase
from bot.game.rules.presets import PRESETS
from bot.game.signs import PlanKind, SignPlan, Strategy, emoji_sign, spoken_sign
from bot.game.views import SeatView
from bot.records.player import Player
from bot.ui.table.pages.panel_pages import panel_page
from bot.ui.table.pages.panel_state import PanelPage, PanelView
from bot.ui.table.pages.round_end import result_board
from bot.ui.table.pages.sign_panel import guess_form, sign_form
from bot.ui.table.verbs import AT_REST
from bot.ui.words.refusals import STUCK, sign_refusal
from bot.ui.words.table_text import TableText
from tests.ui.screens.common import TABLE_ID, TEXTS, Scene, asked, faces_of, number_of, people, sent, without
from tests.ui.screens.daily import daily_scenes, moment_scenes
from tests.ui.screens.ladder import ladder_scenes
from tests.ui.screens.lobbies import lobby_scenes, rules_scenes
from tests.ui.screens.matches import ALL, Moment, Played, Spec, play, retrace
from tests.ui.screens.nights import night_scenes
from tests.ui.screens.records import GOLDEN, read_log, record_scenes, replay_scenes
from tests.ui.screens.sentences import command_scenes, help_scenes, sentence_scenes, server_scenes
from tests.ui.screens.situations import situation_scenes
from tests.ui.table.pages.hunts import public_board

SPECS: Final = (
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
OF_PRESETS: Final = tuple(Spec(name, 4, 1) for name in PRESETS)


@cache
def scenes() -> dict[str, dict[str, Any]]:
    """All of them, by feature and name. Raises ValueError if two have one name."""
    played, golden = _played()
    features: dict[str, list[Scene]] = {
        "table": list(_table_scenes(played, golden)),
        "replay": list(replay_scenes()),
        "commands": list(command_scenes()),
    }
    for texts in TEXTS:
        made = {
            "lobby": lobby_scenes(texts),
            "rules": rules_scenes(texts),
            "records": record_scenes(texts, played),
            "ladder": ladder_scenes(texts),
            "server": server_scenes(texts),
            "night": night_scenes(texts),
            "daily": daily_scenes(texts),
            "moments": moment_scenes(texts),
            "help": help_scenes(texts),
            "words": sentence_scenes(texts),
            "situations": situation_scenes(texts),
        }
        for feature, found in made.items():
            features.setdefault(feature, []).extend((f"{texts.locale} {name}", value) for name, value in found)
    named = {feature: dict(found) for feature, found in features.items()}
    if any(len(found) != len(named[feature]) for feature, found in features.items()):
        raise ValueError("Two screens of a feature have one name.")
    return named


@cache
def _played() -> tuple[tuple[Played, ...], tuple[tuple[Moment, ...], ...]]:
    """Random matches, and what each preset's and each golden one shows beyond them: a new one changes no other."""
    seen: set[object] = set()
    played = [play(spec, seen) for spec in SPECS]
    played += [play(spec, seen.copy()) for spec in OF_PRESETS]
    logs = ((path.stem, read_log(path)) for path in sorted(GOLDEN.glob("*.kgn")))
    return tuple(played), tuple(retrace(name, log, seen.copy()) for name, log in logs)


def _table_scenes(played: Sequence[Played], golden: Sequence[Sequence[Moment]]) -> Iterator[Scene]:
    for match in played:
        yield from _match_scenes(match)
    for moments in golden:
        yield from _golden_scenes(moments)


def _golden_scenes(moments: Sequence[Moment]) -> Iterator[Scene]:
    for moment in moments:
        number = number_of(moment.name.split()[0])
        yield from _moment_scenes(moment, people(len(moment.state.seats), number % 4), faces_of(number, number), None)


def _match_scenes(match: Played) -> Iterator[Scene]:
    number = number_of(match.spec.name)
    seated = people(match.spec.players, number % 4)
    shown: set[tuple[Phase, bool]] = set()
    for step, moment in enumerate(match.moments):
        notice = "Trop tard : *Bruno* vient de prendre le roi." if step % 4 == 3 else None
        faces = faces_of(number, number + step)
        yield from _moment_scenes(moment, seated, faces, notice)
        seat = (moment.seat + table_view(moment.state).teams) % len(seated)
        view = seat_view(moment.state, seat)
        if (moment.state.phase, view.is_half_found) not in shown:
            shown.add((moment.state.phase, view.is_half_found))
            yield from _private_scenes(moment, view, seated, faces, notice)
    last = match.moments[len(match.moments) // 2]
    for step, moment in enumerate((last.paused(), last.paused(by_itself=True))):
        faces = faces_of(number, step)
        name, texts, view = f"{moment.name} paused {step}", faces.texts, seat_view(moment.state, 0)
        board = public_board(table_view(moment.state), seated, TABLE_ID, faces, range(2))
        yield f"{name} board", sent(with_verbs_enabled(with_line(board, texts.t(STUCK)), AT_REST))
        hand = PanelView(view, seated, TABLE_ID, faces, moment.state.last_exchange, number)
        yield f"{name} hand", sent(with_verbs_enabled(with_line(panel_page(hand), texts.t(STUCK)), AT_REST))


def _moment_scenes(moment: Moment, seated: Sequence[Player], faces: Faces, notice: str | None) -> Iterator[Scene]:
    """The table, and the hand of the player who has just done something."""
    state, name = moment.state, moment.name
    public = table_view(state)
    yield f"{name} board", sent(public_board(public, seated, TABLE_ID, faces, range(0, len(seated), 2)))
    if public.result is not None:
        ended = result_board(replace(public, ends_at=None), seated, TABLE_ID, faces)
        yield f"{name} left behind", without(ended, ROW)
    view = seat_view(state, moment.seat)
    hand = PanelView(view, seated, TABLE_ID, faces, state.last_exchange, moment.seat, notice=notice)
    yield f"{name} hand {moment.seat}", sent(panel_page(hand))


def _private_scenes(
    moment: Moment, view: SeatView, seated: Sequence[Player], faces: Faces, notice: str | None
) -> Iterator[Scene]:
    """What else a player may open in private."""
    name, texts, public = moment.name, faces.texts, view.table
    match moment.state.phase:
        case Phase.HUNT:
            now = moment.state.last_exchange
            countering = PanelView(view, seated, TABLE_ID, faces, now, view.seat, PanelPage.COUNTER)
            yield f"{name} counter {view.seat}", sent(panel_page(countering))
        case Phase.SIGNS:
            own = sign_form(view, TableText(public, seated, faces), TABLE_ID)
            guess = guess_form(public, TABLE_ID, (view.team + 1) % public.teams, texts)
            yield f"{name} forms {view.seat}", [asked(form) for form in (own, guess)]
            yield f"{name} sign refusals {view.seat}", _sign_refusals(view, texts)
    sign = PanelView(view, seated, TABLE_ID, faces, 0, moment.state.round, PanelPage.SIGN, notice)
    yield f"{name} sign {view.seat}", sent(panel_page(sign))


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
