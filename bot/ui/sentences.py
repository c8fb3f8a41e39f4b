"""Why something was refused, in words."""

from bot.game.cards import Card
from bot.game.house import RulesError
from bot.game.refusals import Code
from bot.live.lobby import LobbyRefusal
from bot.ui.texts import Texts


def refusal_text(code: Code, texts: Texts, *, card: Card | None = None, by: str | None = None) -> str:
    """One helpful line. `card` is the one that was pressed, `by` the display name of who was faster, where known."""
    raise NotImplementedError


def lobby_refusal_text(refusal: LobbyRefusal, texts: Texts) -> str:
    """One helpful line for a lobby press."""
    raise NotImplementedError


def rules_error_text(error: RulesError, texts: Texts) -> str:
    """Why these rules or this table cannot be played."""
    raise NotImplementedError


def store_error_text(texts: Texts) -> str:
    """The move was not saved."""
    raise NotImplementedError
