"""A long file in portions is the same file, and no portion is long."""

import json
import pickle
from typing import Any

import pytest

from bot.records.file_batches import SIZE, identity, json_document


def doubled(number: int) -> dict[str, Any]:
    return {"twice": [2 * number], "é": None}


@pytest.mark.parametrize("count", [0, 1, SIZE, 2 * SIZE + 1])
@pytest.mark.parametrize("is_last", [False, True])
def test_a_document_in_portions_equals_what_json_writes(count: int, *, is_last: bool) -> None:
    about = ("about", identity, {"name": "Été", "empty": {}})
    sections: list[Any] = [("id", str, 7), ("list", doubled, (1000,) * count), about]
    if is_last:
        sections = [*sections[::2], sections[1]]
    portions = list(json_document(sections))
    whole = {"id": "7", "list": [doubled(number) for number in [1000] * count], "about": about[2]}
    written = b"".join(part() for part in portions)
    assert json.loads(written) == whole
    in_order = {name: whole[name] for name, _, _ in sections}
    assert written.decode() == json.dumps(in_order, ensure_ascii=False, indent=1)
    largest = max(len(pickle.dumps(part)) for part in portions)
    assert largest <= max(len(pickle.dumps(part)) for part in json_document([("list", doubled, (1000,) * SIZE)]))
