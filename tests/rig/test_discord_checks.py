"""The recorder finds what Discord would refuse: planted mistakes, each of another kind."""

from typing import Any

import pytest

from bot.sandbox.discord.objects import COMPONENTS_V2, Upload
from bot.sandbox.discord.recorder import Recorder
from bot.sandbox.discord.routing import Call, shape_of
from bot.sandbox.discord.serving import built

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


POST = ("POST", "/channels/1/messages")
ANSWER = ("POST", "/interactions/1/t/callback")
MISTAKES: dict[str, tuple[tuple[str, str], Any, str]] = {
    "too many components": (POST, screen(*(text("x") for _ in range(41))), "between 0 and 40"),
    "nested components count": (POST, screen(*(row(button(custom_id=str(n))) for n in range(21))), "is 42"),
    "too much text in all": (POST, screen(text("x" * 2500), text("x" * 1600)), "is 4100"),
    "a custom id twice": (POST, screen(row(button(), button(label="y"))), "cannot be duplicated"),
    "a long label": (POST, screen(row(button(label="x" * 81))), "between 1 and 80"),
    "a long custom id": (POST, screen(row(button(custom_id="x" * 101))), "between 1 and 100"),
    "a bare button": (POST, screen(row(button(label=""))), "between 1 and 80"),
    "no label, no emoji": (POST, screen(row({"type": 2, "style": 1, "custom_id": "x"})), "label or an emoji"),
    "six buttons in a row": (POST, screen(row(*(button(custom_id=str(n)) for n in range(6)))), "between 1 and 5"),
    "a menu beside a button": (POST, screen(row(menu(), button())), "one other component"),
    "too many options": (
        POST,
        screen(row(menu(options=[{"label": str(n), "value": str(n)} for n in range(26)]))),
        "between 1 and 25",
    ),
    "an option twice": (POST, screen(row(menu(options=[{"label": "a", "value": "a"}] * 2))), "already used"),
    "more choices than options": (POST, screen(row(menu(max_values=2))), "cannot be chosen"),
    "a long placeholder": (POST, screen(row(menu(placeholder="x" * 151))), "between 0 and 150"),
    "an empty row": (POST, screen(row()), "between 1 and 5"),
    "an empty text": (POST, screen(text("")), "between 1 and 4000"),
    "content beside components": (POST, screen(text("x"), content="x"), "IS_COMPONENTS_V2"),
    "components without the flag": (POST, {"components": [text("x")]}, "cannot stand here"),
    "a container in a container": (
        POST,
        screen({"type": 17, "components": [{"type": 17, "components": [text("x")]}]}),
        "holds none of type 17",
    ),
    "a strange field": (POST, screen({**text("x"), "colour": 1}), "has no field 'colour'"),
    "long content": (POST, {"content": "x" * 2001}, "between 0 and 2000"),
    "a long nonce": (POST, {"content": "x", "nonce": "x" * 26}, "between 0 and 25"),
    "mentions said twice": (
        POST,
        {"content": "x", "allowed_mentions": {"parse": ["users"], "users": ["1"]}},
        "mutually exclusive",
    ),
    "a flag of Discord's own": (POST, {"content": "x", "flags": 1}, "cannot be set"),
    "a form's long title": (
        ANSWER,
        form(field(), title="x" * 46),
        "between 1 and 45",
    ),
    "six fields": (
        ANSWER,
        {
            "type": 9,
            "data": {"custom_id": "f", "title": "x", "components": [field(custom_id=str(n)) for n in range(6)]},
        },
        "between 1 and 5",
    ),
    "a text that does not fit its field": (
        ANSWER,
        form(field(max_length=2, value="xxx")),
        "does not fit",
    ),
    "a button in a form": (
        ANSWER,
        form(row(button())),
        "cannot stand here",
    ),
    "too much offered": (
        ANSWER,
        {"type": 8, "data": {"choices": [{"name": str(n), "value": str(n)} for n in range(26)]}},
        "between 0 and 25",
    ),
    "a command's capital": (("PUT", "/applications/1/commands"), [command(name="Kems")], "name is invalid"),
    "a long description": (
        ("PUT", "/applications/1/commands"),
        [command(description_localizations={"fr": "x" * 101})],
        "between 1 and 100",
    ),
    "a required option last": (
        ("PUT", "/applications/1/commands"),
        [command(options=[command(name="a", type=3), command(name="b", type=3, required=True)])],
        "before non-required",
    ),
    "a thread without a name": (("POST", "/channels/1/messages/2/threads"), {"name": ""}, "between 1 and 100"),
    "an odd archive time": (
        ("POST", "/channels/1/messages/2/threads"),
        {"name": "x", "auto_archive_duration": 7},
        "Must be one of",
    ),
    "an emoji's name": (("PATCH", "/applications/1/emojis/2"), {"name": "a b"}, "letters and digits"),
    "an emoji's size": (
        ("POST", "/applications/1/emojis"),
        {"name": "card", "image": "data:image/png;base64," + "A" * (352 << 10)},
        "between 1 and 262144",
    ),
    "no such route": (("PATCH", "/channels/1/nowhere"), {}, "no such route"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_planted_mistake_is_found(name: str) -> None:
    (method, path), body, expected = MISTAKES[name]
    recorder = Recorder()
    shape, ids = shape_of(path)
    recorder.examine(built(["A"]).world, Call(method, path, shape, ids, body), is_known=name != "no such route")
    assert any(expected in violation for violation in recorder.violations), recorder.violations


def test_too_many_and_too_large_files_are_found() -> None:
    recorder, (shape, ids) = Recorder(), shape_of(POST[1])
    files = [Upload(f"files[{n}]", f"{n}.png", bytes((10 << 20) + 1), "image/png") for n in range(11)]
    recorder.examine(built(["A"]).world, Call(*POST, shape, ids, {"content": "x"}, files))
    assert len(recorder.violations) == 12


def test_what_is_allowed_is_not_found() -> None:
    recorder, world = Recorder(), built(["A"]).world
    container = {"type": 17, "accent_color": 0xFFFFFF, "components": [text("x"), {"type": 14}, row(button())]}
    linked = button(style=5, url="https://example.org")
    del linked["custom_id"]
    good = (
        (POST, screen(container, row(menu(placeholder="x" * 150)), row(linked))),
        (POST, {"content": "x" * 2000, "nonce": 1 << 80, "allowed_mentions": {"parse": []}}),
        (ANSWER, form(text("t"), field(), title="x" * 45)),
        (ANSWER, form(row({"type": 4, "custom_id": "f", "style": 1, "label": "x"}))),
        (ANSWER, {"type": 6}),
        (("PUT", "/applications/1/commands"), [command(options=[command(name="été", type=3)])]),
    )
    for (method, path), body in good:
        shape, ids = shape_of(path)
        assert recorder.examine(world, Call(method, path, shape, ids, body)) == []
    assert recorder.violations == []
