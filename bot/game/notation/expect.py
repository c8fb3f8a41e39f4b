"""The expectations of KGN: what a line says against what is."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bot.game.cards import Card
from bot.game.checks.refusals import Refusal
from bot.game.events import CardsShown, Event
from bot.game.notation.document import Expectation, KgnError
from bot.game.notation.words import LineReader
from bot.game.phase import Phase
from bot.game.state import State


@dataclass(frozen=True, slots=True)
class Played:
    """Where a replay stands: the state, the events of the last line, and its refusal if the core refused it."""

    state: State
    events: Sequence[Event]
    refused: Refusal | None


def mismatch(item: Expectation, played: Played, reader: LineReader) -> tuple[str, str] | None:
    """Returns what was expected and what there is, None where they agree.

    Raises:
        KgnError: there is no such expectation, or its words do not fit it.
    """
    expected = " ".join((item.what, *_normal(item, reader)))
    got = f"{item.what} {_actual(item, played, reader)}".strip()
    return None if expected == got else (expected, got)


def _normal(item: Expectation, reader: LineReader) -> tuple[str, ...]:
    """Returns the words as `_actual` writes them: cards in order, a name kept in front."""
    line, words = item.line, item.words
    match item.what:
        case "hand" | "shown":
            if not words:
                raise KgnError(line, f"{item.what} WHO CARDS", "nothing")
            reader.seat(line, words[0])
            return words[0], *_sorted(reader.cards(line, words[1:]))
        case "pool":
            return _sorted(reader.cards(line, words))
        case _:
            return words


def _actual(item: Expectation, played: Played, reader: LineReader) -> str:
    state, line, words = played.state, item.line, item.words
    match item.what:
        case "refused":
            return "nothing" if played.refused is None else played.refused.code
        case "phase":
            return state.phase
        case "hand":
            return " ".join((words[0], *_sorted(state.seats[reader.seat(line, words[0])].cards)))
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
            return _match_result(state)
        case "shown":
            return _shown(played.events, reader.names)
        case "owes":
            if len(words) != 2:
                raise KgnError(line, "owes WHO NUMBER", repr(" ".join(words)))
            return f"{words[0]} {state.seats[reader.seat(line, words[0])].owes}"
    raise KgnError(line, "an expectation such as = score 1 0", repr(f"= {item.what}"))


def _match_result(state: State) -> str:
    if state.phase is not Phase.MATCH_OVER:
        return "not over"
    return "level" if state.winner is None else f"#{state.winner + 1}"


def _shown(events: Iterable[Event], names: Sequence[str]) -> str:
    """Returns every viewer of the last line's shown cards with these cards; a line can expect one viewer only."""
    shown = [event for event in events if isinstance(event, CardsShown)]
    return " and ".join(" ".join((names[event.viewer], *_sorted(event.cards))) for event in shown) or "nobody"


def _sorted(cards: Iterable[Card]) -> tuple[str, ...]:
    return tuple(sorted(card.code for card in cards))
