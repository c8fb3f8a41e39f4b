"""A gesture stands in every open hand panel within a second, whichever way it is made."""

import json

import pytest

from tests.integration.harness import PEOPLE, Harness
from tests.integration.table import Table, hunting

GATE = (("quiet", ("button", "reply")), ("lively", ("reaction", "command")))
REST = (("lively", ("button", "reply")), ("quiet", ("reaction", "command")))


async def gesture(table: Table, name: str, way: str) -> str:
    """Somebody makes a gesture; the emoji."""
    member, emoji = table.member(name), "🍩"
    match way:
        case "button":
            emoji = table.offered(name, "gesture")[0]
            await table.press(name, f"gesture:{emoji}")
        case "reaction":
            await member.react(emoji, table.message())
        case "reply":
            await member.say(emoji, reply_to=table.message())
        case _:
            await member.slash("kems sign", gesture=emoji)
    return emoji


def panels_edited(harness: Harness, words: str) -> int:
    """How many private messages were edited to contain these words."""
    patched = (one for one in harness.env.http_requests if one.method == "PATCH" and one.path.startswith("/webhooks/"))
    edits = {one.path for one in patched if words in json.dumps(one.json, ensure_ascii=False)}
    return len(edits)


@pytest.mark.parametrize(("pace", "ways"), [*GATE, *(pytest.param(*each, marks=pytest.mark.long) for each in REST)])
async def test_a_gesture_is_in_every_open_panel_within_a_second(
    pace: str, ways: tuple[str, str], harness: Harness
) -> None:
    table = await hunting(harness, rules="classic", players=4)
    for name, way in zip(("Chloé", "Dora"), ways, strict=True):
        await harness.advance(3)
        if pace == "lively":  # all panels and the table have just been edited
            await table.press("Bruno", f"put:{table.hand('Bruno')[0]}")
            await harness.advance(0.05)
        harness.env.http_requests.clear()
        emoji = await gesture(table, name, way)
        await harness.advance(1)
        others = [other for other in PEOPLE if other != name]
        assert panels_edited(harness, f"{name} {emoji}") >= len(others)
        for other in others:
            told = [line for line in table.panel(other).text.splitlines() if name in line and emoji in line]
            assert len(told) == 1, table.panel(other).text
            assert told[0].startswith("🤝") is (PEOPLE.index(other) % 2 == PEOPLE.index(name) % 2), other


async def test_many_gestures_at_once_need_few_edits_and_refused_ones_are_answered(harness: Harness) -> None:
    table = await hunting(harness, rules="classic", players=4)
    await harness.advance(3)
    harness.env.http_requests.clear()
    for name in ("Bruno", "Chloé", "Dora"):
        await harness[name].react("🎲", table.message())
    await harness.advance(1)
    panel = table.panel("Léa").text
    assert all(f"{name} 🎲" in panel for name in ("Bruno", "Chloé", "Dora"))
    edits = [one for one in harness.env.http_requests if one.path.startswith("/webhooks/")]
    assert len(edits) <= 3 * len(PEOPLE), "a panel is edited twice a second at most"
    await harness["Léa"].slash("kems table pause")
    await table.after(harness["Dora"].react("🍩", table.message()))
    assert "En pause : " in table.panel("Dora").text
    assert "l'hôte ou un modérateur" in table.panel("Dora").text
    assert "l'hôte ou un modérateur" not in table.panel("Bruno").text
