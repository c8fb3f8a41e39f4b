"""One shard's connection to Discord's gateway: discord.py's own loop, on everything else that the bot's client has."""

from typing import Any

import discord
from discord.gateway import DiscordWebSocket


class ShardConnection(discord.Client):
    """Events, the cache of servers and requests are those of the bot's client; each shard is reconnected by itself."""

    def __init__(self, client: discord.Client, shard: int, count: int) -> None:
        super().__init__(intents=client.intents, shard_id=shard, shard_count=count)
        self._client = client
        self.loop, self.http = client.loop, client.http
        self._connection = client._connection  # type: ignore[assignment]  # the whole client's, on purpose

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        if event == "disconnect":
            self._client.dispatch("shard_disconnect", self.shard_id)
        self._client.dispatch(event, *args, **kwargs)

    async def connect(self, *, reconnect: bool = True) -> None:
        while True:
            try:
                return await super().connect(reconnect=reconnect)
            except AttributeError:
                if self.ws is not None:
                    raise
                # discord.py has waited, and then wants to resume a first connection that was never made

    async def close(self) -> None:
        """End this connection alone."""
        socket: DiscordWebSocket | None = self.ws  # discord.py has none before the first connection
        if socket is not None and socket.open:
            await socket.close(code=1000)
