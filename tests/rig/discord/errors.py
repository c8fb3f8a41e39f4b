"""What Discord answers instead of what was asked: an HTTP status, a code, a sentence.

Source of codes and sentences: https://discord.com/developers/docs/topics/opcodes-and-status-codes#json
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any


class DiscordError(Exception):
    """A refused request. ``errors`` is Discord's tree of what is wrong with a body, ``headers`` go with the answer."""

    def __init__(
        self,
        status: int,
        code: int,
        message: str,
        *,
        errors: dict[str, Any] | None = None,
        headers: dict[str, str] | None = None,
        extra: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(f"{status}/{code}: {message}")
        self.status = status
        self.code = code
        self.message = message
        self.errors = errors
        self.headers = headers or {}
        self.extra = extra or {}

    def body(self) -> dict[str, Any]:
        """The JSON of the answer."""
        tree = {} if self.errors is None else {"errors": self.errors}
        return {"message": self.message, "code": self.code, **tree, **self.extra}


def unauthorized() -> DiscordError:
    return DiscordError(401, 0, "401: Unauthorized")


def no_route() -> DiscordError:
    return DiscordError(404, 0, "404: Not Found")


def unknown_channel() -> DiscordError:
    return DiscordError(404, 10003, "Unknown Channel")


def unknown_guild() -> DiscordError:
    return DiscordError(404, 10004, "Unknown Guild")


def unknown_member() -> DiscordError:
    return DiscordError(404, 10007, "Unknown Member")


def unknown_message() -> DiscordError:
    return DiscordError(404, 10008, "Unknown Message")


def unknown_event() -> DiscordError:
    return DiscordError(404, 10070, "Unknown Guild Scheduled Event")


def unknown_role() -> DiscordError:
    return DiscordError(404, 10011, "Unknown Role")


def unknown_user() -> DiscordError:
    return DiscordError(404, 10013, "Unknown User")


def unknown_emoji() -> DiscordError:
    return DiscordError(404, 10014, "Unknown Emoji")


def unknown_webhook() -> DiscordError:
    return DiscordError(404, 10015, "Unknown Webhook")


def unknown_interaction() -> DiscordError:
    return DiscordError(404, 10062, "Unknown interaction")


def unknown_command() -> DiscordError:
    return DiscordError(404, 10063, "Unknown application command")


def already_acknowledged() -> DiscordError:
    return DiscordError(400, 40060, "Interaction has already been acknowledged.")


def missing_access() -> DiscordError:
    return DiscordError(403, 50001, "Missing Access")


def other_author() -> DiscordError:
    return DiscordError(403, 50005, "Cannot edit a message authored by another user")


def empty_message() -> DiscordError:
    return DiscordError(400, 50006, "Cannot send an empty message")


def missing_permissions() -> DiscordError:
    return DiscordError(403, 50013, "Missing Permissions")


def invalid_webhook_token() -> DiscordError:
    return DiscordError(401, 50027, "Invalid Webhook Token")


def archived_thread() -> DiscordError:
    return DiscordError(400, 50083, "Thread is archived")


def thread_exists() -> DiscordError:
    return DiscordError(400, 160004, "A thread has already been created for this message")


def invalid_form(faults: Iterable[tuple[Sequence[str | int], str, str]]) -> DiscordError:
    """50035 with the faults at their places: a path in the body, Discord's code, a sentence."""
    tree: dict[str, Any] = {}
    for path, code, message in faults:
        node = tree
        for part in path:
            node = node.setdefault(str(part), {})
        node.setdefault("_errors", []).append({"code": code, "message": message})
    return DiscordError(400, 50035, "Invalid Form Body", errors=tree)
