"""Forms with one text to fill in. The router answers them by their custom id; this module knows no game."""

from collections.abc import Iterator
from typing import Final

import discord

MAX_TITLE: Final = 45  # Discord's limits for a form
MAX_TYPED: Final = 4000
_FIELD: Final = "text"


class Form(discord.ui.Modal):
    """One text. Whoever answers the submitted form reads it with `typed`."""

    def __init__(
        self,
        title: str,
        custom_id: str,
        question: str,
        *,
        written: str | None = None,
        example: str | None = None,
        most: int = 100,
        is_long: bool = False,
    ) -> None:
        """`written` stands there already, `example` only until something is typed; `most` characters are taken."""
        super().__init__(title=title, custom_id=custom_id, timeout=None)
        field = discord.ui.TextInput[discord.ui.Modal](
            custom_id=_FIELD,
            style=discord.TextStyle.paragraph if is_long else discord.TextStyle.short,
            default=written,
            placeholder=example,
            max_length=most,
        )
        self.add_item(discord.ui.Label(text=question, component=field))
        self.stop()  # answered by the router, so discord.py must not keep it


def typed(interaction: discord.Interaction) -> str:
    """The text of a submitted `Form`; "" when there is none."""
    return next(_values(interaction.data), "")


def _values(data: object) -> Iterator[str]:
    """The values of our field, however deep Discord nests it."""
    match data:
        case {"custom_id": str(field), "value": str(value)} if field == _FIELD:
            yield value
        case {"components": list(parts)}:
            for part in parts:
                yield from _values(part)
        case {"component": part}:
            yield from _values(part)
