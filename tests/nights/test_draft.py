"""A draft changes of a night what its host has changed in it, and nothing else."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from bot.conditions import EntryRules
from bot.game.rules.house_rules import RulesError
from bot.game.rules.presets import PRESETS
from bot.nights.formats import ROUND_ROBIN
from bot.nights.night import Night
from bot.nights.people import sign_up
from bot.nights.planning.draft import NightDraft
from bot.nights.steps import change_seating
from tests.nights.evenings import MINUTE, STARTS_AT, planned

ZONE = "Europe/Paris"
YOKAI, EXPERT = PRESETS["yokai"], PRESETS["expert"]


def saved(night: Night, draft: NightDraft) -> Night:
    return night.replan(draft.rebase(night).final_plan(with_series=False))


@pytest.mark.parametrize(
    "meanwhile",
    [
        lambda night: saved(night, NightDraft.of(night, ZONE).with_changes(rounds=2)),
        lambda night: change_seating(night, size=6),
        lambda night: night.replan(night.plan.moved_to(STARTS_AT + 90 * MINUTE)),
        lambda night: saved(night, NightDraft.of(night, ZONE).with_changes(rules=YOKAI, rule_set="Nos règles")),
        lambda night: saved(night, replace(NightDraft.of(night, ZONE), until=STARTS_AT - MINUTE)),
        lambda night: sign_up.join(night, 900, "P900", 1),
        lambda night: night,
    ],
)
def test_changes_made_after_the_draft_began_stay(meanwhile: Callable[[Night], Night]) -> None:
    night = planned(9)
    draft = NightDraft.of(night, ZONE).with_changes(title="Le bal")
    changed = meanwhile(night)
    assert saved(changed, draft).plan == replace(saved(changed, NightDraft.of(changed, ZONE)).plan, title="Le bal")


def test_each_condition_of_entry_is_changed_separately() -> None:
    night = planned(9)
    draft = NightDraft.of(night, ZONE).with_changes(entry=EntryRules(matches=5))
    other = NightDraft.of(night, ZONE).with_changes(entry=EntryRules(role_id=70))
    assert saved(saved(night, other), draft).plan.entry == EntryRules(70, 5)


def test_the_later_host_wins_conflicts_and_rules_keep_the_name_of_their_set() -> None:
    night = planned(9)
    draft = NightDraft.of(night, ZONE).with_changes(rules=EXPERT, rounds=5)
    other = NightDraft.of(night, ZONE).with_changes(rules=YOKAI, rule_set="Nos règles", rounds=2, round_minutes=40)
    plan = saved(saved(night, other), draft).plan
    assert (plan.rules, plan.rule_set, plan.rounds, plan.round_minutes) == (EXPERT, None, 5, 40)


def test_a_reopened_draft_remembers_its_own_changes() -> None:
    night = planned(9, format=ROUND_ROBIN)
    draft = replace(NightDraft.of(night, ZONE), until=STARTS_AT - 5 * MINUTE).with_changes(title="Le bal")
    night = sign_up.join(change_seating(night, size=6), 900, "P900", 1)
    draft = draft.rebase(night)
    assert (draft.plan.size, draft.plan.title, draft.signed_up) == (6, "Le bal", 10)
    night = saved(night, NightDraft.of(night, ZONE).with_changes(size=4))
    assert draft.rebase(night) == draft.rebase(night).rebase(night)
    plan = saved(night, draft).plan
    assert (plan.size, plan.title, plan.sign_up_until) == (4, "Le bal", STARTS_AT - 5 * MINUTE)


def test_rules_and_size_of_two_hosts_that_do_not_go_together_are_not_saved() -> None:
    night = planned(9, size=8)
    small = next(rules for rules in PRESETS.values() if 8 not in rules.seating.players)
    draft = NightDraft.of(replace(night, plan=replace(night.plan, size=4)), ZONE).with_changes(rules=small)
    with pytest.raises(RulesError):
        saved(night, draft)
