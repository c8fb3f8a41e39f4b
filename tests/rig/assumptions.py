"""What nobody knows about the real Discord: a switch for each fear."""

from dataclasses import dataclass
from typing import Final

Window = tuple[int, float]
"""So many requests in so many seconds."""


@dataclass(frozen=True, slots=True)
class Assumptions:
    """How Discord behaves where its documentation is silent. Numbers of issues are those of discord-api-docs."""

    of_address: int = 0
    """Requests a second without the bot's token that an IP address may make; 0 for any number.

    Source: https://discord.com/developers/docs/topics/rate-limits ("If no authorization header is provided")
    """
    counts_answers: bool = False
    """Answers to presses are among those requests. Their page says both that, and that they have no limit."""
    of_channel: Window | None = None
    """What all tokens of a channel may do together; refused as `shared`. Source: 2701, 3763, 7243."""
    of_threads: Window | None = None
    """Threads of a channel; refused as `shared`, for minutes, and told by no header before. Source: 7816."""
    limits_old_tokens: bool = False
    """Messages older than an hour take few edits (30046) through a token, too.

    Source: https://discord.com/developers/docs/topics/opcodes-and-status-codes#json, which names no route.
    """
    refuses_emojis: float = 0.0
    """The share of messages with emojis of the application that are refused for no reason. Source: 7128."""
    refuses_kept_files: bool = False
    """A gallery shows what its edit uploads, and no file that the edit keeps. Source: 7529."""
    asks_for_members: bool = False
    """A phone takes a thread out of the archive before it sends a press, which needs a member. Source: 8474."""
    blocks_buttons: bool = False
    """A message's buttons are dead for who has pressed one, until that is answered. Source: 4730."""
    hides_nonces: bool = False
    """The event of a message does not carry the nonce of its post. The documentation calls it "used for validating a
    message was sent".

    Source: https://discord.com/developers/docs/resources/message#message-object
    """
    disorder_s: float = 0.0
    """Events and answers are under way for up to so many seconds, each by itself, and overtake each other.

    Source: https://discord.com/developers/docs/reference#consistency
    """


PLAIN: Final = Assumptions()
