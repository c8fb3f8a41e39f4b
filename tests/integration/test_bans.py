"""A person who is banned comes in by no door: tables, nights, what follows on a match; also with their data deleted."""

from collections.abc import Awaitable, Callable

from bot.base.times import DAY_MS
from bot.tables.servers.bans import MOST_DAYS, Ban
from tests.integration.evening import EIGHT, MINUTE, Evening, part_id
from tests.integration.harness import BRUNO, CHLOE, DORA, EVERYBODY, LEA, Harness
from tests.integration.table import Table, hunting, lobby

EMILE = EVERYBODY[4]
CLOSED = "Les tables et les soirées de ce serveur vous sont fermées jusqu'au <t:"


async def ban(harness: Harness, name: str = BRUNO, **more: object) -> str:
    return await harness[LEA].ask("kems-admin ban", member=harness[name].actor, **more)


def sits(harness: Harness, name: str = BRUNO) -> bool:
    user_id = harness[name].id
    return any(table.seat_of(user_id) is not None for table in harness.bot.rooms.directory.alive_of(user_id))


def by_command(command: str) -> Callable[[Harness], Awaitable[str]]:
    return lambda harness: harness[BRUNO].ask(f"kems {command}")


async def by_joining(harness: Harness) -> str:
    harness.enter("plus-tard")
    return await (await lobby(harness, host=EMILE)).press(BRUNO, "join")


async def by_quick_start(harness: Harness) -> str:
    harness.enter("plus-tard")
    await harness[EMILE].slash("kems start")
    return await harness[BRUNO].forge("k1:0:play", harness[EMILE].last())


async def by_opening_again(harness: Harness) -> str:
    harness.enter("plus-tard")
    table = await lobby(harness, host=EMILE)
    await harness.advance(60 * MINUTE)
    return await table.forge(BRUNO, f"k1:{table.id}:reopen")


async def by_stepping_in(harness: Harness) -> str:
    harness.enter("plus-tard")
    table = Table(harness, (LEA, EMILE, CHLOE, DORA))
    await table.open()
    await harness[DORA].agree("kems leave")
    await harness.advance(3)
    await harness[BRUNO].click("🪑 Remplacer", table.message())
    return harness[BRUNO].told


DOORS = (
    *(by_command(command) for command in ("play", "start", "practice", "tutorial")),
    *(by_joining, by_quick_start, by_opening_again, by_stepping_in),
)


async def test_a_banned_person_gets_to_no_table_until_the_ban_is_lifted(harness: Harness) -> None:
    assert "fermées à <@" in await ban(harness, reason="triche *encore*")
    for door in DOORS:
        said = await door(harness)
        assert said.startswith(CLOSED)
        assert said.endswith("\nMotif : triche \\*encore\\*")
        assert not sits(harness)
    assert "peut de nouveau jouer ici" in await harness[LEA].ask("kems-admin unban", member=harness[BRUNO].actor)
    assert "n'est pas dans la liste" in await harness[LEA].ask("kems-admin unban", member=harness[BRUNO].actor)
    await harness[BRUNO].slash("kems start")
    assert sits(harness)


async def test_a_banned_person_plays_a_match_to_its_end_but_not_the_rematch(harness: Harness) -> None:
    table = await hunting(harness, target=1)
    await ban(harness)
    await table.press(BRUNO, "kems")
    await table.settle()
    over = table.message()
    assert "🏆" in over.text, "he plays to the end"
    for label in ("🔁 Revanche", "🎲 Mélanger"):
        await harness[BRUNO].click(label, over)
        assert harness[BRUNO].told.startswith(CLOSED)
    for name in (LEA, CHLOE, DORA):
        await harness[name].click("🔁 Revanche", over)
    await table.settle()
    assert "Sans Bruno" in harness[DORA].told
    assert "sans Bruno" in next(seen.text for seen in harness[DORA].messages() if seen.id == over.id)
    opened = next(one for one in harness.bot.rooms.directory.open_lobbies())
    assert {*opened.people} == {harness[name].id for name in (LEA, CHLOE, DORA)}
    await harness[LEA].click("Inviter…")
    invites = part_id(harness[LEA].last(ephemeral=True), "invite_people")
    await harness[LEA].choose(invites, harness[BRUNO].actor)
    assert f"fermées à <@{harness[BRUNO].id}>" in harness[LEA].told


async def test_nights_remove_a_banned_person_and_do_not_take_them_back(evening: Evening) -> None:
    harness, bruno = evening.harness, evening.harness[BRUNO]
    await evening.published(format="swiss", weekly="on")
    await evening.join(*EIGHT[:5])
    own = await evening.press("night_mine", evening.message(), BRUNO)
    await evening.press("night_weekly", own, BRUNO)
    await evening.host.choose(part_id(own := await evening.press("night_mine", evening.message()), "night_ask"),
                              bruno.actor, message=own)  # fmt: skip
    await ban(harness)
    assert bruno.id not in evening.night().people
    assert not any(entrant.comes_weekly for entrant in evening.night().entrants)
    assert evening.night().entrants[0].asks is None
    for press in ("night_join:1", "night_ready:1:0"):
        assert (await bruno.forge(f"k1:0:{press}", evening.message())).startswith(CLOSED)
    own = await evening.press("night_mine", evening.message())
    await evening.host.choose(part_id(own, "night_ask"), bruno.actor, message=own)
    assert "n'est pas inscrite" in evening.panel().text
    panel = await evening.press("night_host", evening.message())
    await evening.host.choose(part_id(panel, "night_add"), bruno.actor, harness[EVERYBODY[6]].actor, message=panel)
    assert evening.panel().text.startswith(f"✅ Inscrits : {EVERYBODY[6]}\nLes tables et les soirées sont fermées")
    await harness.advance(60 * MINUTE + 20)
    assert evening.night().round is not None
    assert bruno.id not in evening.night().people


async def test_a_ban_outlives_the_deletion_of_the_persons_data_and_ends(harness: Harness) -> None:
    bruno, lea = harness[BRUNO], harness[LEA]
    await ban(harness, time=MOST_DAYS, reason="Bruno triche")
    await ban(harness, EMILE, time=1)
    listed = await lea.ask("kems-admin bans")
    assert f"<@{bruno.id}>, jusqu'au <t:" in listed
    assert "Bruno triche" in listed
    await bruno.slash("kems privacy delete")
    await bruno.click("k1:0:forget")
    listed = await lea.ask("kems-admin bans")
    assert "Une personne aux données effacées, jusqu'au <t:" in listed
    assert "Bruno" not in listed
    await harness.restart()
    said = await bruno.ask("kems start")
    assert said.startswith(CLOSED)
    assert "Motif" not in said
    await harness.advance(DAY_MS // 1000 + 1)
    await harness[EMILE].slash("kems start")
    assert sits(harness, EMILE), "his ban is over"
    assert "peut de nouveau" in await lea.ask("kems-admin unban", member=bruno.actor)
    assert "Personne." in await lea.ask("kems-admin bans")


async def test_a_person_is_removed_from_the_night_and_from_their_table_and_banned(evening: Evening) -> None:
    harness, bruno = evening.harness, evening.harness[BRUNO]
    await evening.begun()
    panel = await evening.press("night_host", evening.message())
    await evening.host.choose(part_id(panel, "night_people"), bruno.actor, message=panel)
    question = evening.panel()
    assert [control.label for control in question.controls] == [
        "De la soirée", "De la soirée et de sa table", "Pour 30 jours…", "Retour",
    ]  # fmt: skip
    await evening.host.click("De la soirée et de sa table", question)
    await harness.advance(3)
    table = next(table for table in evening.night().all_tables if evening.night().entrants[1].number in table.seats)
    live = harness.bot.rooms.directory.table(table.table_id or 0)
    assert live is not None
    assert live.lobby.seat_of(bruno.id) is None
    mine = await evening.press("night_mine", evening.message(), BRUNO)
    assert "L'hôte vous a fait quitter cette soirée" in mine.text
    assert not [control for control in mine.controls if "night_join" in control.custom_id]
    await evening.host.click(part_id(evening.panel(), "night_undo"), evening.panel())
    assert bruno.id in evening.night().people
    panel = await evening.press("night_host", evening.message())
    await evening.host.choose(part_id(panel, "night_people"), bruno.actor, message=panel)
    form = await evening.host.click("Pour 30 jours…", evening.panel())
    await evening.host.submit(form, "insultes")
    assert "fermées à <@" in evening.panel().text
    assert bruno.id not in evening.night().people
    said = await bruno.ask("kems start")
    assert said.startswith(CLOSED)
    assert "insultes" in said


async def test_the_host_may_sign_up_a_removed_person_but_not_a_banned_one(evening: Evening) -> None:
    """The ban comes from another process, which had the night."""
    harness, bruno = evening.harness, evening.harness[BRUNO]
    await evening.published()
    await evening.join(BRUNO)
    for part, press in (("night_people", "night_step"), ("night_add", None)):
        panel = await evening.press("night_host", evening.message())
        await evening.host.choose(part_id(panel, part), bruno.actor, message=panel)
        if press is not None:
            await evening.press(press, evening.panel())
            assert (await bruno.forge("k1:0:night_join:1", evening.message())).startswith("L'hôte vous a fait quitter")
    assert bruno.id in evening.night().people
    assert not evening.night().entrants[0].is_removed
    await harness.bot.rooms.directory.bans._store.put(
        harness.guild.id, bruno.id, Ban(bruno.id, harness.milliseconds() + DAY_MS)
    )
    assert (await bruno.forge("k1:0:night_ready:1:0", evening.message())).startswith(CLOSED)
