"""How a private message is reached without its owner's press: by the token of the press that it answered last.

There is no other way to such a message. The token is a secret, and lives for fifteen minutes.
"""

from dataclasses import dataclass, field
from typing import Final

import discord

from bot.ui.kit.components import Layout
from bot.ui.kit.interactions import made_at
from bot.ui.kit.prepared_view import PreparedView


class _Original(int):
    """The name of the message that answers a press, where discord.py takes the id of a message."""

    def __format__(self, spec: str) -> str:
        return "@original"


_ORIGINAL: Final = _Original()


@dataclass(frozen=True, slots=True)
class Reach:
    """The way to one private message. `made_at` is when the press was made (milliseconds).

    The token's original message is what the bot posted in answer to the press, or the pressed message if the answer
    changed that. Discord promises no other way to a private message, such as its id.
    """

    client: discord.Client = field(repr=False)
    message_id: int
    token: str = field(repr=False)
    made_at: int

    async def edit(self, layout: Layout) -> None:
        """Show something else. Raises discord.HTTPException when the message or its token is gone."""
        await self._webhook().edit_message(_ORIGINAL, view=PreparedView(layout))

    async def delete(self) -> None:
        """Take the message away. Raises discord.HTTPException when the message or its token is gone."""
        await self._webhook().delete_message(_ORIGINAL)

    def _webhook(self) -> discord.Webhook:
        assert self.client.application_id is not None, "messages are reached after the login"
        return discord.Webhook.partial(self.client.application_id, self.token, client=self.client)


def reach_of(interaction: discord.Interaction, message_id: int) -> Reach:
    """The way to the message that answered a press."""
    return Reach(interaction.client, message_id, interaction.token, made_at(interaction))
