"""The recorder finds what Discord would refuse: planted mistakes, each of another kind."""

from collections.abc import Sequence
from typing import Any

import pytest

from bot.sandbox.discord.objects import COMPONENTS_V2, Upload
from bot.sandbox.discord.routes.routing import Call, shape_of
from tests.rig.recorder import Recorder
from tests.rig.remote import built

V2 = COMPONENTS_V2


def button(**fields: Any) -> dict[str, Any]:
    return {"type": 2, "style": 1, "label": "x", "custom_id": "x", **fields}


def row(*children: dict[str, Any]) -> dict[str, Any]:
    return {"type": 1, "components": list(children)}


def text(content: str) -> dict[str, Any]:
    return {"type": 10, "content": content}


def menu(**fields: Any) -> dict[str, Any]:
    return {"type": 3, "custom_id": "m", "options": [{"label": "a", "value": "a"}], **fields}


def screen(*components: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"flags": V2, "components": list(components), **fields}


def field(**fields: Any) -> dict[str, Any]:
    return {"type": 18, "label": "a label", "component": {"type": 4, "custom_id": "f", "style": 1, **fields}}


def form(*components: dict[str, Any], title: str = "a form") -> dict[str, Any]:
    return {"type": 9, "data": {"custom_id": "form", "title": title, "components": list(components)}}


def command(**fields: Any) -> dict[str, Any]:
    return {"name": "kems", "description": "plays", "type": 1, **fields}


def container(*children: dict[str, Any]) -> dict[str, Any]:
    return {"type": 17, "accent_color": 0xFFFFFF, "components": list(children)}


def many(*keys: str) -> list[dict[str, str]]:
    """One more than a menu takes."""
    return [dict.fromkeys(keys, str(number)) for number in range(26)]


OPTIONAL = command(name="a", type=3)
LARGE_EMOJI = {"name": "card", "image": "data:image/png;base64," + "A" * (352 << 10)}


POST = ("POST", "/channels/1/messages")
ANSWER = ("POST", "/interactions/1/t/callback")
COMMANDS = ("PUT", "/applications/1/commands")
THREADS = ("POST", "/channels/1/messages/2/threads")
IN_MESSAGES = {
    "too many components": (screen(*(text("x") for _ in range(41))), "between 0 and 40"),
    "nested components count": (screen(*(row(button(custom_id=str(n))) for n in range(21))), "is 42"),
    "too much text in all": (screen(text("x" * 2500), text("x" * 1600)), "is 4100"),
    "a custom id twice": (screen(row(button(), button(label="y"))), "cannot be duplicated"),
    "a long label": (screen(row(button(label="x" * 81))), "between 1 and 80"),
    "a long custom id": (screen(row(button(custom_id="x" * 101))), "between 1 and 100"),
    "a bare button": (screen(row(button(label=""))), "between 1 and 80"),
    "no label, no emoji": (screen(row({"type": 2, "style": 1, "custom_id": "x"})), "label or an emoji"),
    "six buttons in a row": (screen(row(*(button(custom_id=str(n)) for n in range(6)))), "between 1 and 5"),
    "a menu beside a button": (screen(row(menu(), button())), "one other component"),
    "too many options": (screen(row(menu(options=many("label", "value")))), "between 1 and 25"),
    "an option twice": (screen(row(menu(options=[{"label": "a", "value": "a"}] * 2))), "already used"),
    "more choices than options": (screen(row(menu(max_values=2))), "cannot be chosen"),
    "a long placeholder": (screen(row(menu(placeholder="x" * 151))), "between 0 and 150"),
    "an empty row": (screen(row()), "between 1 and 5"),
    "an empty text": (screen(text("")), "between 1 and 4000"),
    "content beside components": (screen(text("x"), content="x"), "IS_COMPONENTS_V2"),
    "components without the flag": ({"components": [text("x")]}, "cannot stand here"),
    "a container in a container": (screen(container(container(text("x")))), "holds none of type 17"),
    "a strange field": (screen({**text("x"), "colour": 1}), "has no field 'colour'"),
    "long content": ({"content": "x" * 2001}, "between 0 and 2000"),
    "a long nonce": ({"content": "x", "nonce": "x" * 26}, "between 0 and 25"),
    "mentions said twice": ({"allowed_mentions": {"parse": ["users"], "users": ["1"]}}, "mutually exclusive"),
    "a flag of Discord's own": ({"content": "x", "flags": 1}, "cannot be set"),
}
IN_ANSWERS = {
    "a form's long title": (form(field(), title="x" * 46), "between 1 and 45"),
    "six fields": (form(*(field(custom_id=str(n)) for n in range(6))), "between 1 and 5"),
    "a text that does not fit its field": (form(field(max_length=2, value="xxx")), "does not fit"),
    "a button in a form": (form(row(button())), "cannot stand here"),
    "too much offered": ({"type": 8, "data": {"choices": many("name", "value")}}, "between 0 and 25"),
}
IN_COMMANDS = {
    "a command's capital": ([command(name="Kems")], "name is invalid"),
    "a long description": ([command(description_localizations={"fr": "x" * 101})], "between 1 and 100"),
    "a required option last": ([command(options=[OPTIONAL, OPTIONAL | {"required": True}])], "before non-required"),
}
MISTAKES: dict[str, tuple[tuple[str, str], Any, str]] = {
    **{name: (POST, *mistake) for name, mistake in IN_MESSAGES.items()},
    **{name: (ANSWER, *mistake) for name, mistake in IN_ANSWERS.items()},
    **{name: (COMMANDS, *mistake) for name, mistake in IN_COMMANDS.items()},
    "a thread without a name": (THREADS, {"name": ""}, "between 1 and 100"),
    "an odd archive time": (THREADS, {"name": "x", "auto_archive_duration": 7}, "Must be one of"),
    "an emoji's name": (("PATCH", "/applications/1/emojis/2"), {"name": "a b"}, "letters and digits"),
    "an emoji's size": (("POST", "/applications/1/emojis"), LARGE_EMOJI, "between 1 and 262144"),
    "no such route": (("PATCH", "/channels/1/nowhere"), {}, "no such route"),
}


def recorded(route: tuple[str, str], body: Any, files: Sequence[Upload] = (), *, is_known: bool = True) -> list[str]:
    """What the recorder finds wrong."""
    recorder, (shape, ids) = Recorder(), shape_of(route[1])
    recorder.examine(built(["A"]).world, Call(*route, shape, ids, body, files), is_known=is_known)
    return recorder.violations


@pytest.mark.parametrize("name", MISTAKES)
def test_a_planted_mistake_is_reported(name: str) -> None:
    *asked, expected = MISTAKES[name]
    violations = recorded(*asked, is_known=name != "no such route")
    assert any(expected in violation for violation in violations), violations


def test_too_many_and_too_large_files_are_reported() -> None:
    files = [Upload(f"files[{n}]", f"{n}.png", bytes((10 << 20) + 1), "image/png") for n in range(11)]
    assert len(recorded(POST, {"content": "x"}, files)) == 12


LINKED = {"type": 2, "style": 5, "label": "x", "url": "https://example.org"}
GOOD = [
    (POST, screen(container(text("x"), row(button())), row(menu(placeholder="x" * 150)), row(LINKED))),
    (POST, {"content": "x" * 2000, "nonce": 1 << 80, "allowed_mentions": {"parse": []}}),
    (ANSWER, form(text("t"), field(), title="x" * 45)),
    (ANSWER, form(row({"type": 4, "custom_id": "f", "style": 1, "label": "x"}))),
    (ANSWER, {"type": 6}),
    (COMMANDS, [command(options=[OPTIONAL | {"name": "été"}])]),
]


@pytest.mark.parametrize(("route", "body"), GOOD)
def test_an_allowed_request_is_not_reported(route: tuple[str, str], body: Any) -> None:
    assert recorded(route, body) == []
