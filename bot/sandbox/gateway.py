"""The sandbox's gateway: one bot at a time is connected, the last to identify.

It must not know the page or the game.
"""

from bot.sandbox.gateway_session import Session, SessionGateway, Socket, encode
from bot.sandbox.seams import Connection, Json
from bot.sandbox.world import FakeDiscord


class BotSession(Session):
    """A session that follows the simulated Discord."""

    def __init__(self, key: str, intents: int, world: FakeDiscord) -> None:
        super().__init__(key, intents)
        self.connection = Connection(
            world.backend, intents, lambda event, payload: self.dispatch(event, encode(payload))
        )


class Gateway(SessionGateway):
    """The gateway of one bot."""

    def __init__(self, world: FakeDiscord) -> None:
        super().__init__()
        self.reads_messages = True  # whether the bot asked for the message-content intent
        self._world = world
        self._session: BotSession | None = None

    async def _identify(self, key: str, data: Json, socket: Socket, host: str) -> Session:
        if self._session is not None:
            self._session.connection.close()
        self._session = session = BotSession(key, data["intents"], self._world)
        session.socket = socket
        self.reads_messages = session.connection.reads_messages
        session.connection.open(session.key, f"ws://{host}/gateway")
        return session

    def _find(self, key: str) -> Session | None:
        return self._session if self._session is not None and self._session.key == key else None

    async def _send_members(self, session: Session, data: Json) -> None:
        assert isinstance(session, BotSession), "this gateway makes no others"
        await session.connection.request_members(data)
