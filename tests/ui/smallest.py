"""The smallest objects that Discord's published schema allows, and the same with what it may add.

`python -m tests.ui.smallest openapi.json` makes `smallest.json` from the file of that name in
https://github.com/discord/discord-api-spec.
"""

import copy
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

FILE: Final = Path(__file__).with_suffix(".json")
ANSWERS: Final = (
    "GET /applications/{application_id}/commands",
    "PUT /applications/{application_id}/commands",
    "GET /applications/{application_id}/emojis",
    "POST /applications/{application_id}/emojis",
    "GET /channels/{channel_id}",
    "GET /channels/{channel_id}/messages",
    "POST /channels/{channel_id}/messages",
    "PATCH /channels/{channel_id}/messages/{message_id}",
    "POST /channels/{channel_id}/messages/{message_id}/threads",
    "GET /channels/{channel_id}/thread-members/{user_id}",
    "POST /channels/{channel_id}/threads",
    "GET /gateway/bot",
    "GET /guilds/{guild_id}/members/{user_id}",
    "POST /guilds/{guild_id}/scheduled-events",
    "PATCH /guilds/{guild_id}/scheduled-events/{guild_scheduled_event_id}",
    "GET /guilds/{guild_id}/scheduled-events/{guild_scheduled_event_id}",
    "POST /interactions/{interaction_id}/{interaction_token}/callback",
    "GET /oauth2/applications/@me",
    "GET /users/@me",
    "GET /users/@me/guilds",
    "GET /users/{user_id}",
    "GET /webhooks/{webhook_id}/{webhook_token}/messages/@original",
    "POST /webhooks/{webhook_id}/{webhook_token}",
    "PATCH /webhooks/{webhook_id}/{webhook_token}/messages/@original",
)
OBJECTS: Final = ("GuildChannelResponse", "GuildResponse", "GuildRoleResponse")
"""What only events of the gateway carry; the schema has no events."""

_UNKNOWN: Final = {"integer": 9999, "string": "brand_new"}
_STRINGS: Final = {"date-time": "2026-01-01T00:00:00+00:00", "snowflake": "1"}


def smallest(name: str) -> list[Any]:
    """Each kind of such an object or answer: the least, then unknown values, more fields, full lists."""
    found: list[Any] = copy.deepcopy(_MADE[name])
    return found


class _Schema:
    def __init__(self, published: Any) -> None:
        self._schemas, self._paths = published["components"]["schemas"], published["paths"]

    def of_answer(self, request: str) -> list[Any]:
        method, path = request.split()
        told = self._paths[path][method.lower()]["responses"]
        described = [content["application/json"]["schema"] for status, answer in told.items()
                     if status.startswith("2") and (content := answer.get("content"))]  # fmt: skip
        return [made for is_new in (False, True) for made in self._answers(described[0], is_new)]

    def of_object(self, name: str) -> list[Any]:
        return [made for is_new in (False, True) for made in self._made(self._schemas[name], is_new)]

    def _answers(self, schema: Any, is_new: bool) -> Iterator[Any]:
        """An answer that lists things: nothing, and one of each kind."""
        types = schema.get("type", ())
        if "array" not in types:
            yield from self._made(schema, is_new)
            return
        if not is_new:
            yield from [None, []] if "null" in types else [[]]
        yield from ([one] for one in self._made(schema["items"], is_new))

    def _made(self, schema: Any, is_new: bool) -> list[Any]:
        if "$ref" in schema:
            return self._made(self._schemas[schema["$ref"].rpartition("/")[2]], is_new)
        kind = schema.get("type")
        kinds = schema.get("oneOf") or schema.get("anyOf") or ()
        if "null" in (kind if isinstance(kind, list) else ()) or any(one.get("type") == "null" for one in kinds):
            return [None]
        if kinds and kind is None:
            return [made for one in kinds for made in self._made(one, is_new)]
        if "enum" in schema or kinds:
            known = schema.get("enum") or [one["const"] for one in kinds]
            return [_UNKNOWN[kind]] if is_new else known
        match kind:
            case "object":
                fields, needed = schema.get("properties", {}), schema.get("required", ())
                made = {name: self._made(fields[name], is_new)[0] for name in needed}
                if "permissions" in made:
                    made["permissions"] = "0"  # bits as a number, which the schema does not say
                return self._each_kind(fields, made, is_new)
            case "array":
                return [self._made(schema["items"], is_new)[:1] if is_new else []]
            case "string":
                return [_STRINGS.get(schema.get("format"), "x" * schema.get("minLength", 0))]
            case "integer" | "number":
                return [max(0, schema.get("minimum", 0))]
            case "boolean":
                return [False]
            case None if "allOf" in schema:
                return self._made(schema["allOf"][0], is_new)
        raise ValueError(schema)

    @staticmethod
    def _each_kind(fields: Any, made: dict[str, Any], is_new: bool) -> list[Any]:
        """The object with each value that its type may have."""
        if is_new:
            return [made | {"brand_new": {"id": "1", "type": 1}}]
        if "type" in made and "enum" in fields["type"]:
            return [made | {"type": kind} for kind in fields["type"]["enum"]]
        return [made]


_MADE: Final[dict[str, list[Any]]] = json.loads(FILE.read_text()) if FILE.exists() else {}

if __name__ == "__main__":
    schema = _Schema(json.loads(Path(sys.argv[1]).read_text()))
    objects = {name: schema.of_answer(name) for name in ANSWERS} | {name: schema.of_object(name) for name in OBJECTS}
    rows = (
        f'"{name}": [\n  ' + ",\n  ".join(json.dumps(one) for one in each) + "\n]" for name, each in objects.items()
    )
    FILE.write_text("{\n" + ",\n".join(rows) + "\n}\n")
