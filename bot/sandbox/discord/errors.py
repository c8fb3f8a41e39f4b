"""The errors with which Discord answers: an HTTP status, a code, a sentence.

Source of codes and sentences: https://discord.com/developers/docs/topics/opcodes-and-status-codes#json
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from functools import partial
from typing import Any


@dataclass(eq=False)
class DiscordError(Exception):
    """A refused request.

    - `errors`: Discord's tree of what is wrong with a body.
    - `headers`: go with the answer.
    - `extra`: further fields of the answer's body.
    """

    status: int
    code: int
    message: str
    _: KW_ONLY
    errors: Mapping[str, Any] | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.status}/{self.code}: {self.message}"

    def body(self) -> dict[str, Any]:
        """Return the body of the answer."""
        tree = {} if self.errors is None else {"errors": self.errors}
        return {"message": self.message, "code": self.code, **tree, **self.extra}


no_route = partial(DiscordError, 404, 0, "404: Not Found")
unknown_channel = partial(DiscordError, 404, 10003, "Unknown Channel")
unknown_guild = partial(DiscordError, 404, 10004, "Unknown Guild")
unknown_member = partial(DiscordError, 404, 10007, "Unknown Member")
unknown_message = partial(DiscordError, 404, 10008, "Unknown Message")
unknown_event = partial(DiscordError, 404, 10070, "Unknown Guild Scheduled Event")
unknown_role = partial(DiscordError, 404, 10011, "Unknown Role")
unknown_user = partial(DiscordError, 404, 10013, "Unknown User")
unknown_emoji = partial(DiscordError, 404, 10014, "Unknown Emoji")
unknown_webhook = partial(DiscordError, 404, 10015, "Unknown Webhook")
unknown_interaction = partial(DiscordError, 404, 10062, "Unknown interaction")
already_acknowledged = partial(DiscordError, 400, 40060, "Interaction has already been acknowledged.")
missing_access = partial(DiscordError, 403, 50001, "Missing Access")
other_author = partial(DiscordError, 403, 50005, "Cannot edit a message authored by another user")
empty_message = partial(DiscordError, 400, 50006, "Cannot send an empty message")
missing_permissions = partial(DiscordError, 403, 50013, "Missing Permissions")
invalid_webhook_token = partial(DiscordError, 401, 50027, "Invalid Webhook Token")
not_a_text_channel = partial(DiscordError, 400, 50008, "Cannot send messages in a non-text channel")
wrong_channel = partial(DiscordError, 400, 50024, "Cannot execute action on this channel type")
archived_thread = partial(DiscordError, 400, 50083, "Thread is archived")
thread_exists = partial(DiscordError, 400, 160004, "A thread has already been created for this message")


def invalid_form(faults: Iterable[tuple[Sequence[str | int], str, str]]) -> DiscordError:
    """Return error 50035 with faults, each at its path in the body, with Discord's code and a sentence."""
    tree: dict[str, Any] = {}
    for path, code, message in faults:
        node = tree
        for part in path:
            node = node.setdefault(str(part), {})
        node.setdefault("_errors", []).append({"code": code, "message": message})
    return DiscordError(400, 50035, "Invalid Form Body", errors=tree)
