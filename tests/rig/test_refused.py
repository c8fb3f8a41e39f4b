"""What Discord refuses a night and a table, and what members do to them: over sockets."""

from dataclasses import replace
from pathlib import Path

from bot.base.times import HOUR_MS
from bot.nights.night import Night
from bot.sandbox.discord.state import wall_clock
from bot.store.nights import SqlNightStore
from tests.databases import migrated
from tests.nights.evenings import PLAN
from tests.rig.rig import Rig, running
from tests.rig.small_client import PEOPLE
from tests.rig.test_rig import lobby, press
from tests.seen import Seen
from tests.store.conftest import opened

THREADS = ("POST", "channels/*/messages/*/threads")
SAID = "Maximum number of active threads reached (1000)"
POSTS = ("POST", "channels/*/messages")
EVENTS = ("POST", "guilds/*/scheduled-events")


async def test_members_who_are_renamed_alike_are_numbered(tmp_path: Path) -> None:
    async with lobby(tmp_path) as (rig, group):
        remote = rig.remote
        for name in ("Bruno", "Chloé"):
            remote.moderator.rename(guild=remote.guild_id, user=remote.users[name], nick="Alex")
            assert await press(rig, group, name, "join") == "update"

        def are_apart() -> bool:
            board = group.board()
            return board is not None and "Alex (2)" in board.text

        await remote.until(are_apart, "the second Alex")


async def test_a_table_without_a_thread_says_why_it_stays_in_its_channel(tmp_path: Path) -> None:
    async with lobby(tmp_path, thread="True") as (rig, group):
        remote, lea = rig.remote, rig.remote.users["Léa"]
        remote.moderator.refuse(*THREADS, 400, 160006, SAID)
        assert await press(rig, group, "Bruno", "join") == "update"
        assert await press(rig, group, "Léa", "start:fill") == "update"
        await remote.until(
            lambda: any("autant de fils ouverts" in seen.text for seen in remote.seen_by(lea)), "what Discord says"
        )
        assert not any(place.is_thread for place in remote.discord.world.channels.values())


async def test_a_limit_that_discord_py_would_wait_for_is_reported_at_once(tmp_path: Path) -> None:
    """It would sleep for five minutes, and try again."""
    migrated(tmp_path)
    async with running(tmp_path, PEOPLE) as rig:
        remote, lea = rig.remote, rig.remote.users["Léa"]
        await rig.start()
        remote.moderator.refuse(*POSTS, 429, 20016, "This action cannot be performed due to slowmode rate limit")
        await remote.slash(lea, "kems play")
        await remote.until(lambda: any("mode lent" in seen.text for seen in remote.seen_by(lea)), "why", 5)
        assert not any("Votre partie commence" in seen.text for seen in remote.seen_by(lea))


def asked(rig: Rig, part: str) -> Seen | None:
    """The newest message with a button of that verb."""
    seen = rig.remote.seen_by(rig.remote.users["Léa"])
    return next((one for one in reversed(seen) if part in str(one.controls)), None)


async def test_a_refused_or_deleted_event_is_created_again(tmp_path: Path) -> None:
    migrated(tmp_path)
    async with running(tmp_path, PEOPLE) as rig:
        remote, begins = rig.remote, wall_clock() + HOUR_MS
        lea, events = remote.users["Léa"], remote.discord.guilds[0].events
        times = {"starts_at": begins, "sign_up_until": begins, "wants_event": True, "channel_id": remote.channel_id}
        async with opened(f"sqlite:///{rig.database}") as database:
            night = Night(0, remote.guild_id, 0, lea, "fr", replace(PLAN, title="Soirée", **times), seed=7)
            await SqlNightStore(database).create(night)
        remote.moderator.refuse(*EVENTS, 400, 30038, "Maximum number of uncompleted events reached (100)")
        await rig.start()
        await remote.until(lambda: bool(rig.logged("event.refused")), "the refusal")

        looks = list[str]()

        async def look() -> str:
            message = asked(rig, "night_host")
            assert message is not None
            button = next(control.custom_id for control in message.controls if "night_host" in control.custom_id)
            told = await remote.press(lea, message, button)
            assert told.answer is not None
            looks.append(told.answer.text)
            return looks[-1]

        assert "autant d'événements prévus" in await look()
        remote.moderator.accept(*EVENTS)
        panel = asked(rig, "night_event")
        assert panel is not None
        again = next(control.custom_id for control in panel.controls if "night_event" in control.custom_id)
        await remote.press(lea, panel, again)
        await remote.until(lambda: len(events) == 1, "the event")
        remote.moderator.delete_event(remote.guild_id, next(iter(events)))
        # While the bot still saves the event that it has made, nothing is wrong with it.
        await remote.insist(look, lambda: "Quelqu'un a supprimé l'événement" in looks[-1], "that it is gone")
