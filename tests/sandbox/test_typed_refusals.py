"""What a member types wrongly in the sandbox: the page has the sentence in the member's language."""

import json
import re
from importlib.resources import files
from typing import Any, cast

import pytest

from bot.sandbox.discord.people import People, Refused

TEXTS = json.loads((files("bot.sandbox") / "static" / "texts.json").read_text("utf-8"))
OPTIONS = {
    "options": [
        {"name": "target", "type": 4, "min_value": 1, "max_value": 99},
        {"name": "robots", "type": 3, "choices": [{"name": "Master", "value": "master"}]},
        {"name": "thread", "type": 5},
        {"name": "name", "type": 3, "max_length": 3, "required": True},
        {"name": "member", "type": 6},
    ]
}


@pytest.mark.parametrize("language", TEXTS)
@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ({"target": "abc"}, ("target", "abc")),
        ({"target": "100"}, ("target", "1", "99")),
        ({"robots": "weak"}, ("robots", "weak")),
        ({"thread": "perhaps"}, ("thread", "perhaps")),
        ({"name": "long"}, ("name", "3")),
        ({"goal": "1"}, ("goal",)),
        ({}, ("name",)),
    ],
)
def test_a_refusal_is_in_the_language_of_the_member(
    given: dict[str, str], shown: tuple[str, ...], language: str
) -> None:
    people: Any = People(cast("Any", None))
    with pytest.raises(Refused) as refused:
        list(people._options("start", OPTIONS, given, {}, cast("Any", None), ""))
    told = refused.value.told
    said = re.sub(r"\{(\w+)\}", lambda found: told[found[1]], TEXTS[language][refused.value.word])
    assert all(part in said for part in shown)


def test_an_option_is_named_in_the_members_language() -> None:
    spec = {"name": "round", "type": 4, "min_value": 1, "max_value": 9, "name_localizations": {"fr": "manche"}}
    for locale, name in (("fr", "manche"), ("de", "round")):
        people: Any = People(cast("Any", None), locale)
        with pytest.raises(Refused) as refused:
            list(people._options("replay", {"options": [spec]}, {"round": "10"}, {}, cast("Any", None), ""))
        assert refused.value.told == {"option": name, "low": "1", "high": "9"}


def test_every_language_has_every_sentence() -> None:
    fields = [{key: set(re.findall(r"\{\w+\}", said)) for key, said in texts.items()} for texts in TEXTS.values()]
    assert all(one == fields[0] for one in fields)
