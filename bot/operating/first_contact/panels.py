"""Checks of private panels: what reaches them, how long, and what a person sees."""

import asyncio
import statistics
from itertools import count

from bot.operating.first_contact.check import Found, Kind, check
from bot.operating.first_contact.contact import NEW_PARTS, PREFIX, PRIVATE, Contact, blue, said

_QUICK_S = 1.0
_HALF_S = 0.5
_MOST_LOST = 0.05
_CODE = "bot/ui/table/messages/private_panels.py"
_GONE = 10008


@check("An answer to a press is there within a second.", "bot/discord/api/patience.py", Kind.PERSON)
async def latency(contact: Contact) -> Found:
    await contact.panels(3)
    took = sorted(contact.answers_s)
    says = f"{len(took)} answers took {statistics.median(took) * 1000:.0f} ms, the slowest {took[-1] * 1000:.0f} ms."
    return Found(took[-1] < _QUICK_S, says)


@check("A panel that a press has changed is reached as @original of that press.", _CODE, Kind.PERSON)
async def updated(contact: Contact) -> Found:
    await contact.own_panel()
    press = await contact.press("Press the blue button Go of the newest panel.", f"{PREFIX}go")
    changed = await contact.answer(press, 7, said("Changed", blue("Go", f"{PREFIX}go")))
    edited = await contact.tried(*contact.panel_of(press).edit("Changed twice", blue("Go", f"{PREFIX}go")))
    is_same = edited.is_good and press.message is not None and edited.body["id"] == str(press.message.id)
    return Found(
        changed.is_good and is_same, f"The change is answered with {changed}, the edit after it with {edited}."
    )


@check("A first answer that Discord refuses by 400 may be followed by a second one.", _CODE, Kind.PERSON)
async def refused_answer(contact: Contact) -> Found:
    control = f"{PREFIX}refused"
    await contact.post("A refused answer", blue("Answer", control))
    press = await contact.press("Press the blue button Answer.", control)
    refused = await contact.answer(press, 4, said("·" * 4001))
    second = await contact.answer(press, 4, said("The second answer") | {"flags": NEW_PARTS | PRIVATE})
    says = f"The first answer is refused with {refused}, the second one answered with {second}."
    return Found(refused.status == 400 and second.is_good, says)


@check("An edit of a panel that the bot has deleted is answered with 10008.", _CODE, Kind.PERSON)
async def deleted(contact: Contact) -> Found:
    panel = await contact.own_panel()
    await contact.done("DELETE", panel.path)
    edited = await contact.tried(*panel.edit("Still there"))
    return Found(edited.code == _GONE, f"The edit is answered with {edited}.")


@check("An edit of a panel that its owner has dismissed is answered with 10008.", _CODE, Kind.PERSON)
async def dismissed(contact: Contact) -> Found:
    panel = await contact.own_panel()
    await contact.tried(*panel.edit("Dismiss this one"))
    await contact.ask_for('Dismiss the panel that says "Dismiss this one".')
    edited = await contact.tried(*panel.edit("Still there"))
    return Found(edited.code == _GONE, f"The edit is answered with {edited}.")


@check(
    "Of presses on a panel that changes twice a second, one in twenty is lost at most, also where its ids change.",
    _CODE,
    Kind.PERSON,
)
async def presses_during_edits(contact: Contact) -> Found:
    stays = await _red_lines(contact, changes=False)
    changes = await _red_lines(contact, changes=True)
    most = contact.bounds.presses * _MOST_LOST
    says = (
        f"Of {contact.bounds.presses} presses, in a red line end {stays} where ids stay, {changes} where they change."
    )
    return Found(max(stays, changes) <= most, says)


async def _red_lines(contact: Contact, *, changes: bool) -> int:
    """How many presses a person sees fail; Discord tells the bot nothing of these."""
    panel, wanted, control = await contact.own_panel(), contact.bounds.presses, f"{PREFIX}moving"
    name = "Changing" if changes else "Staying"

    async def edit() -> None:
        for number in count():
            own = f"{control}:{number}" if changes else control
            await contact.ask(*panel.edit(f"{name}, edit {number}", blue("Go", own)))
            await asyncio.sleep(_HALF_S)

    async def answer() -> None:
        while True:
            await contact.answer(await contact.pressed(control), 6)

    await contact.tried(*panel.edit(name, blue("Go", control)))
    tasks = [asyncio.create_task(edit()), asyncio.create_task(answer())]
    try:
        await contact.tell(f"Press Go on the panel {name} {wanted} times, quickly.", control, wanted)
        return await contact.counts(f"How many of {wanted} presses on {name} ended in a red line?")
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@check("A restart of the app takes panels away; edits of them still succeed.", _CODE, Kind.RESTART)
async def restarted(contact: Contact) -> Found:
    panel = await contact.own_panel()
    await contact.tried(*panel.edit("Restart the app now"))
    await contact.ask_for("Restart the app (Ctrl-R on a computer).")
    is_seen = await contact.agrees('Do you still see the panel that says "Restart the app now"?')
    edited = await contact.tried(*panel.edit("After the restart"))
    says = f"The panel is {'still' if is_seen else 'no longer'} seen, and its edit is answered with {edited}."
    return Found(not is_seen and edited.is_good, says)
