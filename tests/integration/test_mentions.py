"""Nothing that leaves the bot mentions anybody, whatever people call themselves, but a call to those who are missed.

Read where it leaves: every request that posts or changes a message says whom it may mention, and nobody is.
"""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from bot.game.signs import Strategy
from tests.integration import simcord_patches
from tests.integration.harness import PEOPLE, Harness
from tests.integration.table import Table, end_season, void

HOSTILE = {
    "Léa": "@everyone <@&1>",
    "Bruno": "<#1></kems:1>",
    "Chloé": "\u202e@here **x**\n# y",
    "Dora": "[x](http://y.z) <@1>",
}
SAID = "@everyone <@1> http://y.z"
MENTION = re.compile(r"<@[!&]?\d+>|<#\d+>|</(?!kems[a-z -]*:\d{15,}>)\w|@everyone|@here|https?://y")
FORM = 9  # the type of an answer; nobody but the presser sees it
NOBODY: dict[str, Any] = {"parse": []}


def messages(harness: Harness) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every message that was posted or changed, by any way there is; and the names of threads."""
    for entry in harness.env.backend.http_requests:
        body = entry.json if isinstance(entry.json, dict) else {}
        message = body.get("data", body)
        if body.get("type") == FORM:
            continue
        if entry.method in ("POST", "PATCH") and {"content", "components", "embeds", "attachments"} & message.keys():
            yield f"{entry.method} {entry.path}", message
        elif entry.path.endswith("/threads"):
            yield entry.path, {"content": body["name"], "allowed_mentions": NOBODY}


def whom(message: dict[str, Any]) -> set[int]:
    """Whom a message may mention; it has to say so."""
    allowed = message["allowed_mentions"]
    assert allowed["parse"] == []
    assert not allowed.get("roles")
    assert not allowed.get("replied_user")
    return {int(user) for user in allowed.get("users", ())}


def rendered(message: dict[str, Any]) -> str:
    """What Discord reads markdown and mentions in; labels and the descriptions of files are shown as they are."""
    parts = simcord_patches.walk_components(message.get("components") or [])
    return "\n".join([message.get("content") or "", *(part.get("content") or "" for part in parts)])


@pytest.mark.kems(table_threads=True, afk_seconds=90, auto_open=5)
async def test_hostile_names_and_words_mention_nobody(harness: Harness) -> None:
    for name, hostile in HOSTILE.items():
        harness.env.backend.users[harness[name].id].global_name = hostile
    lea, dora, table = harness["Léa"], harness["Dora"], Table(harness)
    await lea.slash("kems-admin season start", name=SAID)
    await table.open(target=1, vote=[Strategy.SPOKEN])
    await table.agree(["👀", SAID])
    for name in PEOPLE:
        await table.press(name, "hand")
    await harness.advance(6)
    await lea.slash("kems sign", gesture="👀")
    await harness["Bruno"].slash("kems sign", gesture=SAID)
    await dora.agree("kems table kick", member=lea.actor)
    await lea.slash("kems table substitute", member=dora.actor)
    places = {*harness.places()}  # the thread that a move leaves empty is deleted
    await lea.slash("kems table move")
    await harness.advance(200)
    await lea.slash("kems table resume")
    await table.act("Léa", "kems")
    assert table.message().control("🔁 Revanche") is not None
    await dora.slash("kems records replay", number=table.id)
    await dora.click("📤 Partager")
    for command in (
        "records history",
        "records stats",
        "leaderboard",
        "records export",
        "ladder about",
        "privacy export",
    ):
        await dora.slash(f"kems {command}")
    await dora.slash("kems records match", number=table.id)
    await void(lea, table.id, SAID)
    await lea.slash("kems-admin rules save", name=SAID[:32], text="classic target=3")
    await lea.slash("kems-admin rules delete", name=SAID)
    await lea.slash("kems rules", preset=SAID)
    await table.after(end_season(lea))
    sent = list(messages(harness))
    calls = [(path, message) for path, message in sent if whom(message)]
    assert calls
    for path, message in calls:
        said = set(map(int, re.findall(r"<@(\d+)>", rendered(message))))
        assert said == whom(message) if path.startswith("POST") else said <= whom(message), "who is back is not called"
    places.update(harness.places())
    for path, message in sent:
        told = re.sub("|".join(f"<#{place}>" for place in places), "", rendered(message))
        assert (path, message) in calls or not MENTION.search(told), (path, message)
    ways = {re.sub(r"[0-9]+|@original|(?<=/)[\w=-]{30,}", "…", path) for path, _ in sent}
    assert ways >= {
        "POST /channels/…/messages", "PATCH /channels/…/messages/…", "/channels/…/messages/…/threads",
        "POST /interactions/…/…/callback", "PATCH /webhooks/…/…/messages/…", "POST /webhooks/…/…",
    }  # fmt: skip
