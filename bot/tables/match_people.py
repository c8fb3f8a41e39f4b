"""Changes of the players of a running match. Values only: each function returns a new `Lobby`, or a refusal."""

from collections.abc import Collection
from dataclasses import dataclass, replace

from bot.records.player import Player
from bot.tables.lobby.absence import Absence
from bot.tables.lobby.lobby import Lobby, LobbyCode, LobbyRefusal, Status
from bot.tables.table_store import SeatChanges

LobbyOutcome = Lobby | LobbyRefusal


@dataclass(frozen=True, slots=True)
class BreakOff:
    """How a match is broken off.

    A ranked match is lost for the players who have left it, and for the seats of the `quitters`, who cause its end. It
    counts for no other player. A player who ends it at will is `ended_by`, and loses it alone. A match that
    `is_annulled` is lost for no player. `status` is that of the table then.
    """

    quitters: Collection[int] = ()
    ended_by: int | None = None
    is_annulled: bool = False
    status: Status = Status.CANCELLED


def leave(lobby: Lobby, user_id: int, robot: str) -> LobbyOutcome:
    """A robot with the name `robot` takes a player's seat; the seat is open to all other users.

    The lobby is cancelled where nobody else plays, or where the match ends without a player (`Absence.END`).
    """
    seat = lobby.seat_of(user_id)
    if seat is None:
        return LobbyRefusal(LobbyCode.NOT_SEATED)
    left = _put(lobby, seat, Player(robot, is_open=True))
    if left.absence is Absence.END or all(player is None or player.is_robot for player in left.players):
        return replace(left, status=Status.CANCELLED)
    return left


def kick(lobby: Lobby, user_id: int, robot: str, *, is_neutral: bool, is_charged: bool) -> LobbyOutcome:
    """A player is removed by another user, who `is_neutral` as a moderator who does not play in the match.

    A ranked match becomes friendly, unless the removed player `is_charged` with its loss.
    """
    if lobby.is_ranked and not is_neutral:
        return LobbyRefusal(LobbyCode.NOT_NEUTRAL)
    left = leave(lobby, user_id, robot)
    if isinstance(left, LobbyRefusal) or not lobby.is_ranked or is_charged:
        return left
    return replace(left, is_ranked=False)


def go_away(lobby: Lobby, seats: Collection[int]) -> Lobby:
    """Robots play for these players until they are back."""
    return _marked(lobby, seats, is_away=True)


def come_back(lobby: Lobby, user_id: int) -> LobbyOutcome:
    """A player who was away plays again."""
    seat = lobby.seat_of(user_id)
    if seat is None:
        return LobbyRefusal(LobbyCode.NOT_SEATED)
    return _marked(lobby, (seat,), is_away=False, is_open=False)


def open_seats(lobby: Lobby, seats: Collection[int]) -> Lobby:
    """Open these seats to all users, until their players are back."""
    return _marked(lobby, seats, is_open=True)


def take_over(lobby: Lobby, seat: int, player: Player) -> LobbyOutcome:
    """Give an open seat to a user who does not play yet; its former player has left the match then."""
    if player.user_id is not None and lobby.seat_of(player.user_id) is not None:
        return LobbyRefusal(LobbyCode.ALREADY_SEATED)
    former = lobby.players[seat] if 0 <= seat < lobby.size else None
    if former is None or not former.is_open:
        return LobbyRefusal(LobbyCode.SEAT_TAKEN)
    return _put(lobby, seat, player)


def open_seat(lobby: Lobby) -> int | None:
    """The first open seat, if any."""
    return next((seat for seat, player in enumerate(lobby.players) if player and player.is_open), None)


def changes_between(
    before: Lobby, after: Lobby, at: int, *, sent_away: int | None = None, ended_by: int | None = None
) -> SeatChanges:
    """The people who left and those who came back, where `after` was made of `before`."""
    was, now = before.people, after.people
    gone = tuple(
        (seat, player) for user_id, seat in was.items() if user_id not in now and (player := before.players[seat])
    )
    return SeatChanges(at, gone, tuple(user_id for user_id in now if user_id not in was), sent_away, ended_by)


def _marked(lobby: Lobby, seats: Collection[int], **marks: bool) -> Lobby:
    for seat in seats:
        player = lobby.players[seat]
        assert player is not None, "a match has no free seats"
        lobby = _put(lobby, seat, replace(player, **marks))  # type: ignore[arg-type]  # the two marks of a player
    return lobby


def _put(lobby: Lobby, seat: int, player: Player) -> Lobby:
    """The lobby with another player on a seat. If the host is not there any more, the next person becomes the host."""
    put = replace(lobby, players=(*lobby.players[:seat], player, *lobby.players[seat + 1 :]))
    people = put.people
    return put if put.host_id in people or not people else replace(put, host_id=next(iter(people)))
