"""Events and rules come back equal from the text that is stored; what cannot be read is named."""

import dataclasses
import json
import types
import typing
from enum import Enum
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.base.errors import StoreError
from bot.game.events import Event, GestureMade
from bot.game.rules.presets import PRESETS
from bot.game.rules.rules import Rules
from bot.store.schema.codec import KINDS, VERSION, decode_event, decode_rules, encode, encode_event
from tests.examples import examples

pytestmark = pytest.mark.both_databases

BASIC: dict[object, st.SearchStrategy[Any]] = {
    int: st.integers(-(2**63), 2**63 - 1),
    bool: st.booleans(),
    float: st.floats(allow_nan=False, allow_infinity=False),
    str: st.text(st.characters(exclude_categories=["Cs"])),
    type(None): st.none(),
}


def values_of(hint: Any) -> st.SearchStrategy[Any]:
    """Anything that a field with this type may hold and a database may keep."""
    if hint in BASIC:
        return BASIC[hint]
    if isinstance(hint, types.UnionType):
        return st.one_of(*(values_of(part) for part in typing.get_args(hint)))
    if typing.get_origin(hint) is tuple:
        return st.lists(values_of(typing.get_args(hint)[0]), max_size=5).map(tuple)
    if issubclass(hint, Enum):
        return st.sampled_from(hint)
    assert dataclasses.is_dataclass(hint) or issubclass(hint, tuple), hint
    return st.builds(hint, **{name: values_of(part) for name, part in typing.get_type_hints(hint).items()})


@pytest.mark.parametrize("kind", KINDS.values(), ids=str)
def test_every_kind_of_event_comes_back_equal(kind: type[Event]) -> None:
    @settings(max_examples=examples(30))
    @given(values_of(kind))
    def check(event: Event) -> None:
        name, body = encode_event(event)
        back = decode_event(name, VERSION, body)
        assert type(back) is kind
        assert back == event

    check()


def test_no_kind_of_event_is_missing() -> None:
    assert set(KINDS.values()) == set(typing.get_args(Event))
    assert all(len(kind) <= 32 for kind in KINDS)


@given(values_of(Rules))
@settings(max_examples=examples(50))
def test_random_rules_come_back_equal(rules: Rules) -> None:
    assert decode_rules(encode(rules)) == rules


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_presets_come_back_equal_and_whole(rules: Rules) -> None:
    text = encode(rules)
    assert decode_rules(text) == rules
    assert set(msgspec.json.decode(text)) == {field.name for field in dataclasses.fields(Rules)}


@pytest.mark.parametrize(
    ("kind", "version", "body", "sentence"),
    [
        ("HuntOpened", VERSION + 1, "{}", "newer version of the bot"),
        ("HuntClosed", VERSION, "{}", "kind 'HuntClosed' is unknown"),
        ("HuntOpened", VERSION, '{"at": ', "damaged"),
        ("HuntOpened", VERSION, '{"at": "soon"}', "damaged"),
        ("GestureMade", VERSION, '{"at": 1, "seat": 0, "kind": "dance", "text": "x"}', "damaged"),
    ],
)
def test_an_unreadable_event_is_reported(kind: str, version: int, body: str, sentence: str) -> None:
    with pytest.raises(StoreError, match=sentence):
        decode_event(kind, version, body)


NEW = [
    *("take_limit", "sweep_by", "stock_out", "max_sweeps", "counter_accused", "false_counter_all"),
    *("false_double_counter_own", "sign_change", "guess_wrong_own", "guess_wrong_all"),
]


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_an_axis_that_older_rules_lack_has_the_value_of_all_presets(rules: Rules) -> None:
    stored = json.loads(encode(rules))
    gone = [part.pop(axis) for part in stored.values() if isinstance(part, dict) for axis in NEW if axis in part]
    assert len(gone) == len(NEW)
    assert decode_rules(json.dumps(stored)) == rules


def test_text_stays_readable() -> None:
    _, body = encode_event(GestureMade(1, 0, "react", "👀"))  # type: ignore[arg-type]  # as the enum's value
    assert body == '{"at":1,"seat":0,"kind":"react","text":"👀"}'
