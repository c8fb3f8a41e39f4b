"""The rule book: what people may name as rules, and the sets a server keeps."""

from dataclasses import dataclass, field

import pytest

from bot.game.rules import house_rules
from bot.game.rules.house_rules import RuleProblem, RulesError, name_key
from bot.game.rules.presets import CLASSIC
from bot.tables.servers.settings import MAX_SETS, RuleBook, RuleSet

PACE = {"auto_open": "20", "sign_deadline": "60"}


@dataclass
class MemorySets:
    """The port over a dict."""

    kept: dict[int, dict[str, RuleSet]] = field(default_factory=dict)

    async def save(self, guild_id: int, rule_set: RuleSet, *, most: int) -> bool:
        own = self.kept.setdefault(guild_id, {})
        if len(own.keys() - {name_key(rule_set.name)}) >= most:
            return False
        own[name_key(rule_set.name)] = rule_set
        return True

    async def delete(self, guild_id: int, rule_set: RuleSet) -> bool:
        own, key = self.kept.get(guild_id, {}), name_key(rule_set.name)
        return key in own and own[key].line == rule_set.line and own.pop(key) is not None

    async def all(self, guild_id: int) -> tuple[RuleSet, ...]:
        own = self.kept.get(guild_id, {})
        return tuple(own[key] for key in sorted(own))


@pytest.fixture
def book() -> RuleBook:
    return RuleBook(MemorySets(), PACE)


async def test_presets_lines_and_sets_are_found(book: RuleBook) -> None:
    jeudi = book.read("classic target=12")
    assert await book.save(1, " Soirée  du jeudi", jeudi) == RuleSet("Soirée du jeudi", "classic target=12")
    assert await book.find(1, "soirée du JEUDI ") == (jeudi, "Soirée du jeudi")
    assert await book.find(1, "Classic") == (book.preset("classic"), None)
    assert await book.find(1, "yokai target=3") == (book.read("yokai target=3"), None)
    with pytest.raises(RulesError) as refused:
        await book.find(2, "soirée")
    assert refused.value.problem is RuleProblem.UNKNOWN_PRESET


async def test_a_servers_time_limits_apply_to_rules_and_are_left_out_of_their_line(book: RuleBook) -> None:
    assert house_rules.changes(book.preset("classic")) == PACE
    assert book.write(book.preset("expert")) == "expert"
    assert house_rules.changes(book.read("classic auto_open=3")) == {**PACE, "auto_open": "3"}
    assert book.write(CLASSIC) == "classic sign_deadline=90 auto_open=0"
    rule_set = await book.save(1, "Jeudi", book.read("classic auto_open=3"))
    assert rule_set == RuleSet("Jeudi", "classic auto_open=3")


async def test_bad_names_and_senseless_rules_are_not_saved(book: RuleBook) -> None:
    for name, rules in (("yokai", CLASSIC), ("", CLASSIC), ("Jeudi", house_rules.override(CLASSIC, {"chain": "4"}))):
        with pytest.raises(RulesError):
            await book.save(1, name, rules)
    assert await book.sets(1) == ()


async def test_a_server_may_save_as_many_rule_sets_as_fit_in_a_menu(book: RuleBook) -> None:
    for number in range(MAX_SETS):
        assert await book.save(1, f"set {number}", CLASSIC) is not None
    assert await book.save(1, "one more", CLASSIC) is None
    assert await book.save(1, "SET 3", book.read("bell")) is not None
    (fourth,) = (kept for kept in await book.sets(1) if kept.name == "set 4")
    assert await book.delete(1, fourth)
    assert not await book.delete(1, fourth)
    assert await book.save(1, "one more", CLASSIC) is not None
    assert len(await book.sets(1)) == MAX_SETS


async def test_a_set_that_cannot_be_read_any_more_names_the_word(book: RuleBook) -> None:
    sets = MemorySets()
    await sets.save(1, RuleSet("Vieux", "classic gone=1"), most=1)
    with pytest.raises(RulesError, match="no rule named “gone”"):
        await RuleBook(sets, PACE).find(1, "vieux")
