"""A draft is read from its panel as it was written into it, whatever is in it."""

from __future__ import annotations

import json
import re
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from bot.game.rules.presets import PRESETS
from bot.ladder.eligibility import Eligibility
from bot.nights.plan import Format
from bot.ui.kit.custom_ids import MAX_ID, MOST
from bot.ui.kit.names import clean
from bot.ui.kit.texts import texts_for
from bot.ui.night.plan.draft import MINUTES, ROUNDS, SIZES, NightDraft
from bot.ui.night.plan.draft_ids import SWITCHES, read_draft, rules_name
from bot.ui.night.plan.plan_panel import plan_panel
from bot.ui.night.words import MAX_TITLE
from tests.ui.night.samples import plan_of

SECONDS = st.integers(1_600_000_000, 4_000_000_000).map(lambda second: second * 1000)
TITLES = st.text(max_size=80).map(lambda text: clean(text, MAX_TITLE)).filter(bool)


def ids_of(draft: NightDraft) -> list[str]:
    panel = plan_panel(draft, [], [], Eligibility.RANKED, texts_for("fr"))
    found = re.findall(r'"custom_id": ("(?:[^"\\]|\\.)*")', json.dumps(panel))
    return [json.loads(custom_id) for custom_id in found]


@given(
    title=TITLES, starts_at=SECONDS, until=st.none() | SECONDS, most=st.none() | st.integers(4, 999),
    kind=st.sampled_from(Format), rounds=st.sampled_from(ROUNDS), minutes=st.sampled_from(MINUTES),
    size=st.sampled_from(SIZES), preset=st.sampled_from(sorted(PRESETS)),
    rule_set=st.none() | st.text(st.characters(codec="utf-8", categories=["L", "N"]), min_size=1, max_size=32),
    channel=st.integers(0, MOST), switches=st.lists(st.booleans(), min_size=len(SWITCHES), max_size=len(SWITCHES)),
    night_id=st.none() | st.integers(1, 10**8),
)  # fmt: skip
def test_what_is_written_is_read(
    title: str, starts_at: int, until: int | None, most: int | None, kind: Format, rounds: int, minutes: int,
    size: int, preset: str, rule_set: str | None, channel: int, switches: list[bool], night_id: int | None,
) -> None:  # fmt: skip
    plan = replace(
        plan_of(kind), title=title, starts_at=starts_at, most=most, rounds=rounds, round_minutes=minutes, size=size,
        rules=PRESETS[preset], rule_set=rule_set, channel_id=channel, **dict(zip(SWITCHES, switches, strict=True)),
    )  # fmt: skip
    draft = NightDraft(1, 2, "Europe/Paris", plan, until, night_id)
    ids = ids_of(draft)
    assert max(map(len, ids)) <= MAX_ID
    assert len(set(ids)) == len(ids)
    read = read_draft(ids)
    assert read is not None
    assert (read.until, read.night_id, read.rules) == (until, night_id, rules_name(plan))
    own = {"rules": read.plan.rules, "rule_set": read.plan.rule_set, "sign_up_until": read.plan.sign_up_until}
    assert replace(plan, recap_at=None, break_minutes=3, **own) == read.plan


def test_other_messages_hold_no_draft() -> None:
    draft = NightDraft(1, 2, "Europe/Paris", plan_of())
    ids = ids_of(draft)
    assert read_draft([]) is None
    assert read_draft(["k1:0:night_join:1", "k1:0:night_publish:0:Soirée", "other"]) is None
    for verb in ("night_text", "night_publish", ":rules:"):
        assert read_draft(custom_id for custom_id in ids if verb not in custom_id) is None
    assert read_draft(re.sub("rotation", "waltz", custom_id) for custom_id in ids) is None
