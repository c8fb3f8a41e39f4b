"""What a person reads about an error. Each kind of error has its sentence; a bug has none."""

from functools import singledispatch
from typing import Final

import discord

from bot.discord.api.interactions import RefusedError, texts_of
from bot.discord.text.names import escape_markdown
from bot.discord.text.texts import Texts, mark
from bot.tables.servers.bans import BannedError

MAX_TYPED: Final = 200
"""The most characters of a typed text, or of a list of choices, that a sentence repeats."""
STORE_ERROR: Final = mark("That could not be saved, so nothing happened: try again.")
SLOW_MOVE: Final = mark("One moment…")
"""Answers a move that is still being saved; the panel will show its result."""
SLOW_STORE: Final = mark("Not done yet. Look again in a minute; if nothing has come, do it again.")
"""Answers a change that the store may still save."""


@singledispatch
def sentence_of(error: Exception, interaction: discord.Interaction) -> str | None:
    """Return the sentence that answers an interaction after an error; None for a bug.

    A room registers sentences for its own errors with `@sentence_of.register`.
    """
    return None


@sentence_of.register
def _(error: RefusedError, interaction: discord.Interaction) -> str:
    return str(error)


@sentence_of.register
def _(error: BannedError, interaction: discord.Interaction) -> str:
    return banned_text(error, interaction.user.id, texts_of(interaction))


def banned_text(error: BannedError, reader_id: int, texts: Texts) -> str:
    """Return the sentence that a person is banned, with the reason, for that person or for another reader."""
    until = f"<t:{error.ban.until // 1000}:D>"
    if error.user_id != reader_id:
        return texts.t("{name} is banned here until {day}.", name=f"<@{error.user_id}>", day=until)
    reason = error.ban.reason and texts.t("Reason: {reason}", reason=escape_markdown(error.ban.reason, MAX_TYPED))
    sentence = texts.t("You are banned from tables and game nights in this server until {day}.", day=until)
    return f"{sentence}\n{reason}" if reason else sentence
