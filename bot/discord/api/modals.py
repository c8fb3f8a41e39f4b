"""Modals: their inputs, and what was submitted. The router answers a submission by its custom id."""

from collections.abc import Iterator, Sequence
from typing import Final, Self

import discord

from bot.discord.api.interactions import RefusedError, texts_of

MAX_TITLE: Final = 45  # Discord's limits for a form
MAX_TYPED: Final = 4000
MAX_HINT: Final = 100
TEXT: Final = "text"
_DEEPEST: Final = 2
"""Depth of a modal's inputs: they are in labels or rows (https://discord.com/developers/docs/components/reference)."""


class Modal(discord.ui.Modal):
    """A modal with up to five inputs. `submitted_fields` and `submitted_text` read what was submitted."""

    def __init__(self, title: str, custom_id: str) -> None:
        super().__init__(title=title, custom_id=custom_id, timeout=None)
        self.stop()  # answered by the router, so discord.py must not keep it

    def add_text_input(
        self,
        question: str,
        *,
        name: str = TEXT,
        hint: str = "",
        written: str | None = None,
        example: str | None = None,
        most: int = 100,
        is_long: bool = False,
        is_required: bool = True,
    ) -> Self:
        """Add a text input; return the modal.

        Args:
            question: The label.
            name: The field in `submitted_fields`.
            hint: A description below the label, truncated to fit.
            written: The text that stands there already.
            example: Shown until something is typed.
            most: The longest text, in characters.
        """
        field = discord.ui.TextInput[discord.ui.Modal](
            custom_id=name,
            style=discord.TextStyle.paragraph if is_long else discord.TextStyle.short,
            default=written,
            placeholder=example,
            max_length=most,
            required=is_required,
        )
        self.add_item(discord.ui.Label(text=question, description=hint[:MAX_HINT] or None, component=field))
        return self

    def add_menu(self, question: str, name: str, answers: Sequence[tuple[str, str]], chosen: str) -> None:
        """Add a menu of `answers` (pairs of value and label); `chosen` is preselected."""
        options = [discord.SelectOption(label=label, value=value, default=value == chosen) for value, label in answers]
        menu = discord.ui.Select[discord.ui.Modal](custom_id=name, options=options)
        self.add_item(discord.ui.Label(text=question, component=menu))


def submitted_fields(interaction: discord.Interaction) -> dict[str, str]:
    """Return the submitted texts and choices by field; empty if the interaction is no submission."""
    return dict(_values(interaction.data, _DEEPEST))


def submitted_text(interaction: discord.Interaction) -> str:
    """Return the text of a modal's only text input.

    Raises:
        RefusedError: It is missing or empty.
    """
    text = submitted_fields(interaction).get(TEXT, "")
    if not text.strip():
        raise RefusedError(texts_of(interaction).t("Nothing was filled in: open the form again."))
    return text


def _values(data: object, deepest: int) -> Iterator[tuple[str, str]]:
    """Yield the fields of a submission, or of a part of it, that are nested at most `deepest` levels."""
    match data:
        case {"type": int(), "custom_id": str(field), "value": str(value)}:
            yield field, value[:MAX_TYPED]
        case {"type": int(), "custom_id": str(field), "values": [str(value), *_]}:
            yield field, value[:MAX_TYPED]
        case {"components": list(parts)} if deepest > 0:
            for part in parts:
                yield from _values(part, deepest - 1)
        case {"component": part} if deepest > 0:
            yield from _values(part, deepest - 1)
