"""Checks of private panels, what people do there, and what grows old: tokens, messages and panels, up to an hour."""

import asyncio
import statistics
from itertools import count

from bot.discord.api.components import button, row, user_menu
from bot.discord.api.modals import TEXT, Form, filled
from bot.operating.first_contact.check import Found, Kind, check
from bot.operating.first_contact.contact import NEW_PARTS, OLD, PREFIX, PRIVATE, Contact, blue, said

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


_MINUTE_S = 60.0
_HOUR_S = 61 * _MINUTE_S
_EXPIRED, _TOO_OFTEN = 50027, 30046


@check("A token is good for 14 min 30 s, and no longer at 15 min 30 s.", _CODE, Kind.LONG)
async def tokens(contact: Contact) -> Found:
    _, panel = await contact.grow_old(14.5 * _MINUTE_S)
    young = await contact.tried(*panel.edit("Half a minute left", blue("Old", OLD)))
    await contact.grow_old(15.5 * _MINUTE_S)
    old = await contact.tried(*panel.edit("Too late"))
    return Found(young.is_good and old.code == _EXPIRED, f"The edits are answered with {young} and {old}.")


@check("A panel older than an hour takes edits as a young one; the bot replaces it.", _CODE, Kind.LONG)
async def old_panel(contact: Contact) -> Found:
    await contact.grow_old(_HOUR_S)
    press = await contact.press("Press the blue button Old of the oldest panel.", OLD)
    first = await contact.answer(press, 7, said("Old", blue("Old", OLD)))
    panel = contact.panel_of(press)
    answers = [first, *[await contact.ask(*panel.edit(f"Old, edit {number}")) for number in range(4)]]
    return Found(
        all(answer.is_good for answer in answers), f"The edits are answered with {', '.join(map(str, answers))}."
    )


@check(
    "Messages older than an hour take 3 edits in 6 s, then 30046.", "bot/discord/rate_limits/bot_requests.py", Kind.LONG
)
async def old_message(contact: Contact) -> Found:
    message, _ = await contact.grow_old(_HOUR_S)
    path = f"{contact.channel}/messages/{message['id']}"
    answers = [await contact.ask("PATCH", path, said(f"Old, edit {number}")) for number in range(4)]
    is_assumed = [answer.is_good for answer in answers] == [True, True, True, False] and answers[3].code == _TOO_OFTEN
    return Found(is_assumed, f"Four edits are answered with {', '.join(map(str, answers))}.")


_HEART, _FE0F = "❤", "\ufe0f"


@check("A reaction comes as its emoji, with or without FE0F.", "bot/game/signs.py", Kind.PERSON)
async def reaction(contact: Contact) -> Found:
    await contact.post("React to this message with ❤️.")
    await contact.tell("React to the newest message with ❤️.")
    return _heart(await contact.comes("reaction"))


@check(
    "A reply comes with its text, without the privileged intent.",
    "bot/ui/table/commands.py",
    Kind.PERSON,
)
async def reply(contact: Contact) -> Found:
    await contact.post("Reply ❤️ to this message.")
    await contact.tell("Reply ❤️ to the newest message.")
    return _heart(await contact.comes("reply"))


def _heart(came: str) -> Found:
    with_it = "with" if _FE0F in came else "without"
    points = " ".join(f"U+{ord(char):04X}" for char in came[:4])
    return Found(came.strip().replace(_FE0F, "") == _HEART, f"It is {points or 'empty'}, {with_it} FE0F.")


@check("A form comes back with what was typed.", "bot/discord/api/modals.py", Kind.PERSON)
async def form(contact: Contact) -> Found:
    control = f"{PREFIX}form"
    await contact.post("A form", blue("Form", control))
    press = await contact.press('Press the blue button Form, type "kems" and send it.', control)
    asked = await contact.answer(press, 9, Form("First contact", f"{control}:sent").ask('Type "kems"').to_dict())
    if not asked.is_good:
        return Found(False, f"The form is answered with {asked}.")
    sent = await contact.pressed(f"{control}:sent")
    await contact.answer(sent, 4, said("Received") | {"flags": NEW_PARTS | PRIVATE})
    is_whole = filled(sent).get(TEXT, "").strip().lower() == "kems"
    return Found(is_whole, f"The form is answered with {asked}, and comes back {'whole' if is_whole else 'otherwise'}.")


@check("A menu with a new custom id is empty, and takes the same choice again.", "bot/ui/lobby/verbs.py", Kind.PERSON)
async def menu_twice(contact: Contact) -> Found:
    control = f"{PREFIX}members"
    await contact.post("A menu", user_menu(f"{control}:1", "Choose yourself", most=1))
    first = await contact.press("Choose yourself in the newest menu.", f"{control}:1")
    await contact.answer(first, 7, said("The menu again", user_menu(f"{control}:2", "Choose yourself again", most=1)))
    is_empty = await contact.agrees("Is the menu empty again?")
    second = await contact.arrives("Choose yourself again.", f"{control}:2")
    if second is not None:
        await contact.answer(second, 6)
    says = (
        f"The menu is {'empty' if is_empty else 'not empty'}; the second choice {'arrives' if second else 'is lost'}."
    )
    return Found(is_empty and second is not None, says)


@check("Four buttons with cards stand in one row on a phone.", "bot/discord/api/components.py", Kind.PERSON)
async def four_buttons(contact: Contact) -> Found:
    cards = row(*(button(card, f"{PREFIX}{card}") for card in ("7♠", "10♥", "V♦", "D♣")))
    await contact.post("Four buttons", cards)
    is_one = await contact.agrees("Photograph the newest message on Android and on iOS. Is it one row on both?")
    return Found(is_one, f"The four buttons stand in {'one row' if is_one else 'more rows'}.")
