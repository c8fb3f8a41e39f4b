"""The expectations of KGN: what a line says against what is."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from bot.game.cards import Card
from bot.game.events import CardsShown
from bot.game.notation.document import Expectation, KgnError
from bot.game.phase import Phase
from bot.game.refusals import Refusal

if TYPE_CHECKING:  # a replay asks this module, which only looks at it
    from bot.game.notation.replay import Replay


def mismatch(replay: "Replay", refused: Refusal | None, item: Expectation) -> tuple[str, str] | None:
    """What was expected and what there is, or None where they agree.

    Raises:
        KgnError: no such expectation.
    """
    expected = " ".join((item.what, *_normal(replay, item)))
    got = f"{item.what} {_actual(replay, refused, item)}".strip()
    return None if expected == got else (expected, got)


def _normal(replay: "Replay", item: Expectation) -> tuple[str, ...]:
    """The words as `_actual` writes them: cards in order, names kept in front."""
    line, words = item.line, item.words
    match item.what:
        case "hand" | "shown":
            if not words:
                raise KgnError(line, f"{item.what} WHO CARDS", "nothing")
            replay.reader.seat(line, words[0])
            return words[0], *_sorted(replay.reader.cards(line, words[1:]))
        case "pool":
            return _sorted(replay.reader.cards(line, words))
        case _:
            return words


def _actual(replay: "Replay", refused: Refusal | None, item: Expectation) -> str:
    state, line, words = replay.state, item.line, item.words
    match item.what:
        case "refused":
            return "nothing" if refused is None else refused.code
        case "phase":
            return state.phase
        case "hand":
            return " ".join((words[0], *_sorted(state.seats[replay.reader.seat(line, words[0])].cards)))
        case "pool":
            return " ".join(_sorted(state.pool_cards))
        case "stock":
            return str(len(state.stock))
        case "discard":
            return str(len(state.discard))
        case "score":
            return " ".join(str(score) for score in state.scores)
        case "games":
            return " ".join(str(games) for games in state.games)
        case "round":
            return "not over" if state.result is None else state.result.outcome
        case "match":
            return _match_result(replay)
        case "shown":
            return _shown(replay)
        case "owes":
            if len(words) != 2:
                raise KgnError(line, "owes WHO NUMBER", repr(" ".join(words)))
            return f"{words[0]} {state.seats[replay.reader.seat(line, words[0])].owes}"
    raise KgnError(line, "an expectation such as = score 1 0", repr(f"= {item.what}"))


def _match_result(replay: "Replay") -> str:
    if replay.state.phase is not Phase.MATCH_OVER:
        return "not over"
    return "level" if replay.state.winner is None else f"#{replay.state.winner + 1}"


def _shown(replay: "Replay") -> str:
    """Everybody who has just been shown cards, and which: one viewer, and nobody else, is what a line can expect."""
    shown = [event for event in replay.events if isinstance(event, CardsShown)]
    names = replay.head.names
    return " and ".join(" ".join((names[event.viewer], *_sorted(event.cards))) for event in shown) or "nobody"


def _sorted(cards: Iterable[Card]) -> tuple[str, ...]:
    return tuple(sorted(card.code for card in cards))
