"""What it costs to leave a table, to close it or to remove a player from it, and the question that says so first."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from bot.tables.lobby.lobby import Lobby, LobbyCode, LobbyRefusal, Status
from bot.tables.match_people import leave
from bot.ui.kit import components as c
from bot.ui.kit.confirmation import confirmation, danger
from bot.ui.kit.custom_ids import make_id
from bot.ui.kit.palette import GREY
from bot.ui.kit.texts import Texts, mark
from bot.ui.table.verbs import DepartureVerb


class Cost(StrEnum):
    """The situation that a question is about: its answer holds only while this is the same."""

    SEAT = "seat"  # a seat of a lobby, which may be taken again
    TABLE = "table"  # a lobby, which is closed
    ROBOT = "robot"  # a seat of a match, which a robot takes
    LOSS = "loss"  # the same, and the ranked match is lost
    FRIENDLY = "friendly"  # the same, and the ranked match counts for nobody
    MATCH = "match"  # a match, which ends without a result
    MATCH_LOSS = "match_loss"  # the same, and the ranked match is lost for one player
    MATCH_RANKED = "match_ranked"  # the same, and the ranked match counts for nobody
    DAMAGED = "damaged"  # a table that cannot be read


CHARGED: Final = frozenset({Cost.LOSS, Cost.MATCH_LOSS})
"""A ranked match is lost for the player who leaves."""
_LEAVING: Final = {
    Cost.SEAT: mark("Your seat becomes free. You can join again."),
    Cost.TABLE: mark("You are the last one here: the table closes."),
    Cost.ROBOT: mark("A robot takes your seat for the rest of the match."),
    Cost.LOSS: mark("The match is ranked: **you lose it**, whatever its result. A robot takes your seat."),
    Cost.MATCH: mark("The match ends without a result."),
    Cost.MATCH_LOSS: mark("The match is ranked and ends here: **you lose it**. It counts for nobody else."),
}
_ENDING: Final = {
    Cost.TABLE: mark("The table closes for everybody."),
    Cost.MATCH: mark("The match ends without a result, for everybody."),
    Cost.MATCH_LOSS: mark("The match is ranked and you play in it: **you alone lose it**."),
    Cost.MATCH_RANKED: mark("The match is ranked: it ends here and counts for nobody."),
    Cost.DAMAGED: mark("The table is damaged: it closes for good."),
}
_REMOVING: Final = {
    Cost.SEAT: mark("{name}'s seat becomes free. {name} can join again."),
    Cost.TABLE: mark("{name} is the last one there: the table closes."),
    Cost.ROBOT: mark("A robot takes {name}'s seat. {name} cannot come back to this match."),
    Cost.LOSS: mark("The match is ranked: **{name} loses it**. A robot takes the seat; {name} cannot come back."),
    Cost.MATCH: mark("The match ends without a result."),
    Cost.FRIENDLY: mark("The match counts for nobody. A robot takes {name}'s seat; {name} cannot come back."),
    Cost.MATCH_LOSS: mark("The match is ranked and ends here: **{name} loses it**. It counts for nobody else."),
    Cost.MATCH_RANKED: mark("The match is ranked: it ends here and counts for nobody."),
}


def cost_of_leaving(lobby: Lobby, user_id: int) -> Cost | LobbyRefusal:
    """What it costs that a player leaves a table, of their own will or not."""
    if lobby.status is Status.OPEN:
        left = lobby.leave(user_id)
        is_over = isinstance(left, Lobby) and left.status is not Status.OPEN
        return left if isinstance(left, LobbyRefusal) else Cost.TABLE if is_over else Cost.SEAT
    if lobby.status is not Status.PLAYING:
        return LobbyRefusal(LobbyCode.MATCH_OVER)
    left = leave(lobby, user_id, robot="")
    if isinstance(left, LobbyRefusal):
        return left
    if left.status is not Status.PLAYING:
        return Cost.MATCH_LOSS if lobby.is_ranked else Cost.MATCH
    return Cost.LOSS if lobby.is_ranked else Cost.ROBOT


def costs_of_removing(lobby: Lobby, user_id: int) -> tuple[Cost, ...] | LobbyRefusal:
    """What it can cost that a player is removed: a ranked match counts for nobody, or is lost for that player."""
    cost = cost_of_leaving(lobby, user_id)
    match cost:
        case LobbyRefusal():
            return cost
        case Cost.LOSS:
            return (Cost.FRIENDLY, cost)
        case Cost.MATCH_LOSS:
            return (Cost.MATCH_RANKED, cost)
    return (cost,)


def cost_of_ending(lobby: Lobby, *, has_played: bool) -> Cost | LobbyRefusal:
    """What it costs to close a table for a person who `has_played` there or not."""
    if lobby.status is Status.OPEN:
        return Cost.TABLE
    if lobby.status is not Status.PLAYING:
        return LobbyRefusal(LobbyCode.MATCH_OVER)
    if not lobby.is_ranked:
        return Cost.MATCH
    return Cost.MATCH_LOSS if has_played else Cost.MATCH_RANKED


def leave_question(table_id: int, cost: Cost, texts: Texts, *, is_again: bool = False) -> c.Layout:
    """`is_again`: the presser agreed to something else, and the table has changed."""
    yes = danger(texts.t("Leave"), make_id(table_id, DepartureVerb.LEAVE_NOW, cost))
    costs = (_news(texts, is_again=is_again), texts.t(_LEAVING[cost]))
    return confirmation(texts.t("Leave the table?"), costs, yes, no=_stay(table_id, texts))


def end_question(table_id: int, cost: Cost, texts: Texts, *, is_again: bool = False) -> c.Layout:
    """The question before a table is closed."""
    yes = danger(texts.t("Close the table"), make_id(table_id, DepartureVerb.END_NOW, cost))
    costs = (_news(texts, is_again=is_again), texts.t(_ENDING[cost]))
    return confirmation(texts.t("Close the table?"), costs, yes, no=_stay(table_id, texts))


def kick_question(
    table_id: int, user_id: int, name: str, costs: Sequence[Cost], texts: Texts, *, is_again: bool = False
) -> c.Layout:
    """The question before a player is removed, with a button for each of the `costs`."""
    t = texts.t
    labels = [t("Remove")] if len(costs) == 1 else [t("Remove, no loss"), t("Remove, with the loss")]
    yes = [
        danger(label, make_id(table_id, DepartureVerb.KICK_NOW, f"{user_id}.{cost}"))
        for label, cost in zip(labels, costs, strict=True)
    ]
    told = [t(_REMOVING[cost], name=name) for cost in costs]
    what = told if len(costs) == 1 else [f"- **{label}** · {line}" for label, line in zip(labels, told, strict=True)]
    title = t("Remove {name}?", name=name)
    return confirmation(title, (_news(texts, is_again=is_again), *what), *yes, no=_stay(table_id, texts))


def answer_panel(line: str) -> c.Layout:
    """What came of the answer, in place of the question."""
    return c.layout(c.text(line), colour=GREY)


def _news(texts: Texts, *, is_again: bool) -> str | None:
    return texts.t("The table has changed in the meantime.") if is_again else None


def _stay(table_id: int, texts: Texts) -> c.Button:
    return c.button(texts.t("No, go back"), make_id(table_id, DepartureVerb.STAY))
