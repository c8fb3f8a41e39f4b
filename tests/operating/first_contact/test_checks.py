"""`kems doctor --live` in two worlds: where Discord is as the bot assumes, and where one thing is otherwise."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from operator import attrgetter
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock

import pytest

from bot.operating.first_contact import contact
from bot.operating.first_contact.check import CHECKS
from bot.operating.first_contact.listener import Listener
from bot.operating.first_contact.runner import chosen
from bot.sandbox.discord import errors
from bot.sandbox.discord import permissions as may
from bot.sandbox.discord.routes import answers, application, messages, places
from bot.sandbox.discord.routes.routing import ROUTES, Call
from bot.sandbox.discord.state import wall_clock
from bot.sandbox.discord.world import World
from tests.operating.first_contact.place import BOUNDS, TOKEN, WINDOW_S, Place, messages_of, place
from tests.rig import limits, published, recorder
from tests.rig.air import Weather
from tests.rig.assumptions import PLAIN, Assumptions
from tests.rig.limits import RateLimits, Verdict
from tests.rig.moderator import Moderator
from tests.rig.recorder import Recorder
from tests.rig.rig_gateway import RigSession

ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def _short_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Listener, "before_identify_hook", AsyncMock())
    monkeypatch.setattr(contact, "MOST", ((60, 1.0),))
    monkeypatch.setattr("bot.operating.first_contact.panels._HALF_S", 0.1)
    for kind in ("channel", "deletion"):
        monkeypatch.setitem(limits.BUCKETS, kind, (5, WINDOW_S))


async def test_every_check_passes_when_discord_is_as_assumed(tmp_path: Path) -> None:
    async with place(tmp_path) as stage:
        left = await stage.run(is_long=True)
        wrong = {name: one["found"] for name, one in stage.page.checks.items() if one["verdict"] != "as assumed"}
        assert wrong == {}
        assert [*stage.page.checks] == chosen((), is_long=True)
        assert left == 0
        ours = [one for one in messages_of(stage.world) if one.author_id == stage.world.bot.id]
        assert [one for one in ours if not one.is_ephemeral] == []
        assert not [c for c in stage.world.channels.values() if c.is_thread]
        assert len(stage.world.application_emojis) == 1
        assert not stage.remote.discord.guilds[0].events
        whole = stage.page.file.read_text(encoding="utf-8")
        secrets = (TOKEN, "Léa", stage.remote.discord.guilds[0].name, *stage.world.by_token)
        assert not [secret for secret in secrets if secret in whole]
        assert "X-RateLimit-Remaining" in whole


@dataclass(frozen=True)
class Otherwise:
    """What is changed in a world, or in Léa, and what the check then says."""

    says: str
    change: Callable[[Place, pytest.MonkeyPatch], object] = lambda stage, patch: None
    assumptions: Assumptions = PLAIN


def routed(method: str, shape: str, change: Callable[[World, Call, Callable[..., Any]], Any]) -> Any:
    """Another way to carry out a request; it gets the usual one."""
    usual = ROUTES[method, shape]
    return lambda _, patch: patch.setitem(ROUTES, (method, shape), lambda world, call: change(world, call, usual))


def refused(method: str, shape: str, error: Callable[[], Exception]) -> Any:
    def refuse(*_: object) -> None:
        raise error()

    return routed(method, shape, refuse)


def bounded(name: str, most: int) -> Any:
    """Discord takes less of something than it says."""
    return lambda _, patch: patch.setattr(published, name, replace(getattr(published, name), high=most))


def attribute(owner: object, name: str, value: object) -> Any:
    return lambda _, patch: patch.setattr(owner, name, value)


def of(part: str, name: str, value: object) -> Any:
    return lambda stage, _: setattr(attrgetter(part)(stage), name, value)


def slow(stage: Place, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(answers, "FIRST_ANSWER_MS", 60_000)  # a busy machine would make it too slow
    patch.setattr("bot.operating.first_contact.panels._QUICK_S", 0.2)
    stage.remote.air.change(Weather(rest=(0.25, 0.3), where="callback"))


def takes_one_answer(_: Place, patch: pytest.MonkeyPatch) -> None:
    """A refused answer counts as the answer."""
    usual = Recorder.examine

    def examine(self: Recorder, world: World, call: Call, **more: bool) -> Any:
        faults = usual(self, world, call, **more)
        if faults and call.shape.endswith("callback"):
            world.interactions[call.number(0)].answer_type = 4
        return faults

    patch.setattr(Recorder, "examine", examine)


def counts_panels_with_all(stage: Place, patch: pytest.MonkeyPatch) -> None:
    stage.remote.air.rate_limits._overall.limit = 30
    usual = RateLimits.spend

    def spend(self: RateLimits, method: str, path: str) -> Verdict:
        if path.startswith("/webhooks") and not self._overall.spend(self._now()):
            return limits.refusal(1.0, is_global=True)
        return usual(self, method, path)

    patch.setattr(RateLimits, "spend", spend)


def only_the_token(world: World, call: Call, usual: Callable[..., Any]) -> Any:
    """A token reaches what it has posted, not what it was pressed on."""
    if world.by_token[call.ids[1]].answer_type == answers.UPDATE:
        raise errors.unknown_message()
    return usual(world, call)


def installs_nowhere(world: World, call: Call, usual: Callable[..., Any]) -> Any:
    commands_alone = {"oauth2_install_params": {"scopes": ["applications.commands"], "permissions": "0"}}
    return usual(world, call) | {"integration_types_config": {"0": commands_alone}}


def no_threads(stage: Place, _: object) -> None:
    moderator, here = stage.remote.moderator, stage.remote
    moderator.allow(here.channel_id, moderator.bot_role(here.guild_id), denied=may.CREATE_PUBLIC_THREADS)


def counted_apart(_: Place, patch: pytest.MonkeyPatch) -> None:
    """Posts and edits have one name of a bucket."""
    patch.setattr(limits, "_ROUTES", POSTS_ALONE)
    patch.setitem(limits._HASHES, "deletion", limits._HASHES["channel"])


NO_MEMBERS = attribute(World, "change_thread_member", lambda *_, **__: None)
POSTS_ALONE = [(("POST",), limits._ROUTES[0][1], "channel"), (("PATCH",), limits._ROUTES[0][1], "deletion")]
GONE, NO_RIGHT = errors.unknown_message, errors.missing_permissions
WORLDS = {
    "application": Otherwise("did not grant", of("world", "may_read_content", False)),
    "install": Otherwise("without the bot", routed("GET", "oauth2/applications/*", installs_nowhere)),
    "sessions": Otherwise("of 900", of("remote.discord.gateway", "starts", 900)),
    "resume": Otherwise("is new", attribute(RigSession, "resume", lambda *_: False)),
    "commands": Otherwise("nothing", routed("GET", "applications/*/commands", lambda *_: [])),
    "permissions": Otherwise("Create Public Threads", no_threads),
    "clocks": Otherwise("[+]36|[+]35", of("world", "now", lambda: wall_clock() + 3_600_000)),
    "emoji": Otherwise("400 .30008.", attribute(application, "_MOST_EMOJIS", 0)),
    "event": Otherwise("404 .10008.", refused("POST", "guilds/*/scheduled-events", GONE)),
    "role": Otherwise("404 .10008.", refused("PUT", "guilds/*/members/*/roles/*", GONE)),
    "components": Otherwise("fit is answered with 400", bounded("COMPONENTS_IN_MESSAGE", 39)),
    "characters": Otherwise("fit is answered with 400", bounded("TEXT_IN_MESSAGE", 3999)),
    "labels": Otherwise("too much with 200", bounded("BUTTON_LABEL", 100)),
    "menus": Otherwise("too much with 200", bounded("MENU_OPTIONS", 30)),
    "doubled_ids": Otherwise("too much with 200", attribute(recorder, "component_faults", lambda *_, **__: [])),
    "nonce": Otherwise("two messages", attribute(messages, "_NONCE_MS", -1)),
    "told_nonce": Otherwise("without its nonce", assumptions=Assumptions(hides_nonces=True)),
    "one_bucket": Otherwise("Two buckets", counted_apart),
    "picture": Otherwise("400", refused("PATCH", "channels/*/messages/*", errors.empty_message)),
    "kept_picture": Otherwise("400 .50035.*gone", assumptions=Assumptions(refuses_kept_files=True)),
    "public_thread": Otherwise("404 .10008.", refused("POST", "channels/*/threads", GONE)),
    "private_thread": Otherwise("404 .10008.", refused("POST", "channels/*/threads", GONE)),
    "thread_under_message": Otherwise("160004", refused("POST", "channels/*/messages/*/threads", errors.thread_exists)),
    "thread_of_news": Otherwise("with 200", attribute(places, "require_kind", lambda *_: None)),
    "latency": Otherwise("the slowest", slow),
    "updated": Otherwise("with 404 .10008.", routed("PATCH", "webhooks/*/*/messages/*", only_the_token)),
    "refused_answer": Otherwise("with 400 .40060.", takes_one_answer),
    "deleted": Otherwise("with 200", routed("DELETE", "webhooks/*/*/messages/*", lambda *_: None)),
    "dismissed": Otherwise("with 200", of("lea", "dismisses", False)),
    "restarted": Otherwise("with 404", refused("PATCH", "webhooks/*/*/messages/*", GONE)),
    "presses_during_edits": Otherwise("0 where ids stay, [1-5] where they change", of("lea", "hesitates_s", 0.2)),
    "reaction": Otherwise("U.1F494", of("lea", "heart", "💔")),
    "reply": Otherwise("empty", of("lea", "pings", False)),
    "form": Otherwise("otherwise", of("lea", "word", "")),
    "menu_twice": Otherwise("not empty", of("lea", "no", {"empty"})),
    "four_buttons": Otherwise("more rows", of("lea", "no", {"one row"})),
    "member_by_mention": Otherwise("404 .10007.", NO_MEMBERS),
    "archived_thread": Otherwise("not arrived", NO_MEMBERS, Assumptions(asks_for_members=True)),
    "locked_thread": Otherwise("with 200", attribute(Moderator, "archive", lambda *_, **__: None)),
    "tokens": Otherwise("with 401 .50027. and 401", attribute(answers, "TOKEN_MS", 14 * 60_000)),
    "old_message": Otherwise("200, 200, 200, 200", attribute(limits, "OLD_EDITS", (9, 6.0))),
    "old_panel": Otherwise("429 .30046.", assumptions=Assumptions(limits_old_tokens=True)),
    "one_panel": Otherwise("1 refused", lambda _, patch: patch.setitem(limits.BUCKETS, "token", (1, 2.0))),
    "four_panels": Otherwise("[1-9] shared", assumptions=Assumptions(of_channel=(5, 60.0))),
    "many_panels": Otherwise("[1-9] global", assumptions=Assumptions(of_address=30)),
    "beside_the_bot": Otherwise("[1-9] global", counts_panels_with_all),
    "answers_count": Otherwise("[1-9] global", assumptions=Assumptions(of_address=30, counts_answers=True)),
    "emojis": Otherwise("refused by 400", assumptions=Assumptions(refuses_emojis=0.5)),
}  # fmt: skip


@pytest.mark.parametrize("name", CHECKS)
async def test_a_check_fails_when_its_assumption_is_wrong(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = WORLDS[name]
    async with place(tmp_path, world.assumptions) as stage:
        world.change(stage, monkeypatch)
        await stage.run(name)
        found = stage.page.checks[name]
        assert (found["verdict"], bool(re.search(world.says, found["found"]))) == ("otherwise", True), found


@pytest.mark.parametrize(
    "name", ["many_panels", *(pytest.param(n, marks=pytest.mark.long) for n in ("beside_the_bot", "answers_count"))]
)
async def test_a_load_below_the_limit_is_inconclusive(name: str, tmp_path: Path) -> None:
    async with place(tmp_path) as stage:
        await stage.run(name, bounds=replace(BOUNDS, full=1_000))
        found = stage.page.checks[name]
        assert found["verdict"] == "not checked"
        assert "A limit of 1000 a second would not be seen: " in found["found"]
        assert "passed in the busiest second" in found["found"]


async def test_a_window_that_starts_between_post_and_edit_is_not_taken_for_two_buckets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual, edits = RateLimits.spend, list[str]()

    def spend(self: RateLimits, method: str, path: str) -> Verdict:
        if method == "PATCH" and "/channels/" in path:
            edits.append(path)
            if len(edits) == 1:
                self._buckets.clear()
        return usual(self, method, path)

    async with place(tmp_path) as stage:
        monkeypatch.setattr(RateLimits, "spend", spend)
        await stage.run("one_bucket")
        assert stage.page.checks["one_bucket"]["verdict"] == "as assumed"
        assert len(edits) > 1


RIGHTS = {
    "clocks": ("POST", "channels/*/messages"),
    "nonce": ("POST", "channels/*/messages"),
    "picture": ("PATCH", "channels/*/messages/*"),
    "kept_picture": ("PATCH", "channels/*/messages/*"),
    "event": ("POST", "guilds/*/scheduled-events"),
    "role": ("PUT", "guilds/*/members/*/roles/*"),
    "public_thread": ("POST", "channels/*/threads"),
    "private_thread": ("POST", "channels/*/threads"),
    "locked_thread": ("POST", "channels/*/threads"),
}


@pytest.mark.parametrize("name", RIGHTS)
async def test_a_missing_permission_is_reported_as_such(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with place(tmp_path) as stage:
        refused(*RIGHTS[name], NO_RIGHT)(stage, monkeypatch)
        await stage.run(name)
        found = stage.page.checks[name]
        assert found["verdict"] == "not checked"
        assert re.match(r"The bot lacks a right here: \w+ /.* is answered with 403 \(50013\)\.", found["found"])


async def test_a_refused_form_is_reported_with_paths_and_codes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with place(tmp_path) as stage:
        bounded("TEXT_IN_MESSAGE", 100)(stage, monkeypatch)
        await stage.run("characters")
        assert re.search(r"400 \(50035, \S*components\S* [A-Z_]+", stage.page.checks["characters"]["found"])
        assert "····" not in stage.page.file.read_text(encoding="utf-8")


async def test_the_file_has_no_invitation_and_no_id(tmp_path: Path) -> None:
    async with place(tmp_path) as stage:
        await stage.run("install")
        whole = stage.page.file.read_text(encoding="utf-8")
        assert not re.search(r"https?://|\d{15}", whole)
        assert stage.page.checks["install"]["found"] == "This link invites the bot: (address)"


def test_every_check_names_a_file_and_is_documented() -> None:
    paper = (ROOT / "docs/first-contact.md").read_text(encoding="utf-8")
    assert [name for name in CHECKS if f"`{name}`" not in paper] == []
    assert [one.code for one in CHECKS.values() if not (ROOT / one.code).is_file()] == []
