"""Who may start a full lobby: its host, and after a minute without any press of the host every player."""

from typing import Final

from bot.tables.clock import Clock
from bot.tables.lobby.lobby import Lobby, LobbyCode, LobbyRefusal

PATIENCE_MS: Final = 60_000
RETURN_MS: Final = 20_000
"""After a restart the host has at least this long: no press has reached the bot meanwhile."""


class HostSilence:
    """Since when each lobby is full and its host has done nothing."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._since: dict[int, int] = {}

    def changed(self, lobby: Lobby) -> None:
        """An open lobby was opened or changed."""
        if lobby.is_full:
            self._since.setdefault(lobby.id, self._clock.now())
        else:
            self.forget(lobby.id)

    def restored(self, lobby: Lobby, changed_at: int | None) -> None:
        """An open lobby is back after a restart. `changed_at`: when it changed last; None for not known."""
        if lobby.is_full:
            now = self._clock.now()
            earliest = now - PATIENCE_MS + RETURN_MS
            self._since[lobby.id] = now if changed_at is None else min(now, max(changed_at, earliest))

    def heard(self, lobby: Lobby, user_id: int) -> None:
        """A user pressed something at a lobby."""
        if user_id == lobby.host_id and lobby.id in self._since:
            self._since[lobby.id] = self._clock.now()

    def forget(self, table_id: int) -> None:
        """A lobby was closed or became a match."""
        self._since.pop(table_id, None)

    def refusal(self, lobby: Lobby, user_id: int) -> LobbyRefusal | None:
        """Why a user may not start the lobby; None for its host, and where something else is in the way."""
        if lobby.seat_of(user_id) is None:
            return LobbyRefusal(LobbyCode.NOT_SEATED)
        if user_id == lobby.host_id:
            return None
        since = self._since.get(lobby.id)
        if since is None:
            return LobbyRefusal(LobbyCode.SEATS_FREE)
        until = since + PATIENCE_MS
        return LobbyRefusal(LobbyCode.HOST_STARTS, until=until) if self._clock.now() < until else None
