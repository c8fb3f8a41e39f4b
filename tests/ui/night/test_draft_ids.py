"""A draft is read from its panel as it was written into it, whatever is in it."""

import json
import re
from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from bot.game.rules.presets import PRESETS
from bot.ladder.seasons import Eligibility
from bot.nights.formats import FORMATS
from bot.ui.kit.custom_ids import MAX_ID, MOST
from bot.ui.kit.names import clean
from bot.ui.kit.texts import texts_for
from bot.ui.night.plan.draft import NUMBERS, SWITCHES, NightDraft, read_draft, rules_name
from bot.ui.night.plan.plan_panel import plan_panel
from bot.ui.night.words import MAX_TITLE
from tests.ui.night.samples import plan_of

SECONDS = st.integers(1_600_000_000, 4_000_000_000).map(lambda second: second * 1000)
TITLES = st.text(max_size=80).map(lambda text: clean(text, MAX_TITLE)).filter(bool)


def ids_of(draft: NightDraft) -> list[str]:
    panel = plan_panel(draft, [], [], Eligibility.RANKED, texts_for("fr"))
    found = re.findall(r'"custom_id": ("(?:[^"\\]|\\.)*")', json.dumps(panel))
    return [json.loads(custom_id) for custom_id in found]


CHOSEN = st.fixed_dictionaries(
    {name: st.sampled_from(offered) for name, offered in NUMBERS.values()}
    | {name: st.booleans() for name in SWITCHES.values()}
    | {
        "title": TITLES,
        "starts_at": SECONDS,
        "most": st.none() | st.integers(4, 999),
        "channel_id": st.integers(0, MOST),
        "announce_id": st.none() | st.integers(1, MOST),
    }
    | {"format": st.sampled_from(list(FORMATS.values())), "rules": st.sampled_from(list(PRESETS.values()))}
    | {"rule_set": st.none() | st.text(st.characters(codec="utf-8", categories=["L", "N"]), min_size=1, max_size=32)}
)


@given(chosen=CHOSEN, until=st.none() | SECONDS, night_id=st.none() | st.integers(1, 10**8))
def test_what_is_written_is_read(chosen: dict[str, Any], until: int | None, night_id: int | None) -> None:
    plan = replace(plan_of(), **(chosen if night_id is None else chosen | {"announce_id": None}))
    draft = NightDraft("Europe/Paris", plan, until, night_id)
    ids = ids_of(draft)
    assert max(map(len, ids)) <= MAX_ID
    assert len(set(ids)) == len(ids)
    found = read_draft(ids, draft.zone)
    assert found is not None
    read, name = found
    assert (read.until, read.night_id, name) == (until, night_id, rules_name(plan))
    own = {"rules": read.plan.rules, "rule_set": read.plan.rule_set, "sign_up_until": read.plan.sign_up_until}
    own |= {"zone": draft.zone, "minute_of_day": None}
    assert replace(plan, recap_at=None, break_minutes=3, **own) == read.plan


def test_other_messages_hold_no_draft() -> None:
    draft = NightDraft("Europe/Paris", plan_of())
    ids = ids_of(draft)
    assert read_draft([], "Europe/Paris") is None
    assert read_draft(["k1:0:night_join:1", "k1:0:night_publish:0:Soirée", "other"], "Europe/Paris") is None
    for verb in ("night_text", "night_publish", ":rules:"):
        assert read_draft((custom_id for custom_id in ids if verb not in custom_id), "Europe/Paris") is None
    assert read_draft((re.sub("rotation", "waltz", custom_id) for custom_id in ids), "Europe/Paris") is None
