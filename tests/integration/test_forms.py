"""A form that lacks its fields, or has others, is answered, and changes nothing. It comes through discord.py."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

from bot.discord.api.modals import TEXT
from bot.ui.rules.verbs import RulesVerb
from bot.ui.server.feature import ServerVerb
from bot.ui.table.pages.sign_panel import SIGNS
from bot.ui.table.verbs import TableVerb
from tests.integration.fuzzing import TIMES, drawn_of_each, no_error_logged, odd, stored_rows, words
from tests.integration.harness import COMPONENT, FORM, Harness
from tests.integration.table import Table

NO_FORMS = ({}, {"custom_id": None}, {"custom_id": ["k1:1:join"]}, {"custom_id": {}}, [], None)
EXAMPLES = 2  # of each form
AT_THE_TABLE = (TableVerb.SIGN_TEXT, f"{TableVerb.GUESS_TEXT}:1")
IN_THE_LOBBY = (RulesVerb.RULES_LINE, RulesVerb.RULES_NAME, f"{RulesVerb.RULES_SET}:target")
OF_THE_SERVER = (f"{ServerVerb.CONFIG}:zone",)
DEEP: Any = {"type": 4, "custom_id": TEXT, "value": "classic target=3"}
for _ in range(50):
    DEEP = {"type": 18, "component": DEEP}

other = words.filter(lambda name: name not in (TEXT, SIGNS))
no_text = odd.filter(lambda value: not isinstance(value, str))
no_kind = odd.filter(lambda kind: not isinstance(kind, int))
known = st.sampled_from([TEXT, SIGNS])
fields = st.one_of(
    odd,
    st.fixed_dictionaries({"type": st.just(4), "custom_id": other, "value": words}),
    st.fixed_dictionaries({"type": st.just(4), "custom_id": known}, optional={"value": no_text}),
    st.fixed_dictionaries({"type": no_kind, "custom_id": known, "value": words}),
    st.just(DEEP),
)
parts = st.one_of(
    st.fixed_dictionaries({"type": st.just(18)}, optional={"component": fields}),
    st.fixed_dictionaries({"type": st.just(1)}, optional={"components": st.lists(fields, max_size=2) | odd}),
    fields,
)
forms = st.one_of(
    st.just({}),
    st.fixed_dictionaries({"components": st.lists(parts, max_size=3) | odd}),
)


@TIMES
async def test_a_form_without_its_fields_is_answered(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, harness: Harness, table: Table, times: int
) -> None:
    harness.enter("lobby")
    await harness["Léa"].slash("kems start", rules="american target=3")
    (lobby,) = harness.bot.rooms.directory.open_lobbies()
    before = stored_rows(tmp_path)
    ids = [f"k1:{table.id}:{verb}" for verb in AT_THE_TABLE]
    ids += [f"k1:{lobby.id}:{verb}" for verb in IN_THE_LOBBY] + [f"k1:0:{verb}" for verb in OF_THE_SERVER]
    for custom_id, values in zip(ids, drawn_of_each([forms] * len(ids), EXAMPLES * times), strict=True):
        for data in ({}, {"components": [DEEP]}, *values):
            with no_error_logged(caplog, (custom_id, data)):
                answer = await harness.send(harness["Léa"].id, FORM, {**data, "custom_id": custom_id})
            assert answer.responded, (custom_id, data)
            assert answer.ephemeral, (custom_id, data)
        assert stored_rows(tmp_path) == before, custom_id


async def test_a_malformed_form_is_answered(caplog: pytest.LogCaptureFixture, harness: Harness) -> None:
    await harness["Léa"].slash("kems start")
    for kind in (COMPONENT, FORM):
        for sent in NO_FORMS:
            with no_error_logged(caplog, sent):
                answer = await harness.send(harness["Bruno"].id, kind, sent)
            assert answer.responded, (kind, sent)
            assert "a été remplacé" in harness["Bruno"].told
