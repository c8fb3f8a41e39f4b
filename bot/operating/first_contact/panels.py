"""Checks of ephemeral panels: presses, expired tokens, messages of an hour, and how often panels may be edited.

A check under load ends at the first 429 of scope `global`.
"""

import asyncio
import statistics
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from itertools import count, cycle, islice

from bot.discord.api.components import Emoji, button, row, user_menu
from bot.discord.api.modals import TEXT, Modal, submitted_fields
from bot.operating.first_contact.check import CheckKind, CheckResult, check
from bot.operating.first_contact.contact import (
    NEW_PARTS,
    OLD,
    PREFIX,
    PRIVATE,
    Contact,
    TestPanel,
    blue,
    message_body,
)
from bot.operating.first_contact.requests import ApiAnswer, Request, UnclearError

_QUICK_S = 1.0
_HALF_S = 0.5
_MOST_LOST = 0.05
_CODE = "bot/ui/table/messages/ephemeral_panels.py"
_GONE = 10008


@check("An answer to a press is there within a second.", "bot/discord/api/patience.py", CheckKind.PERSON)
async def latency(contact: Contact) -> CheckResult:
    await contact.panels(3)
    took = sorted(contact.answers_s)
    says = f"{len(took)} answers took {statistics.median(took) * 1000:.0f} ms, the slowest {took[-1] * 1000:.0f} ms."
    return CheckResult(took[-1] < _QUICK_S, says)


@check("A panel that a press has changed is reached as @original of that press.", _CODE, CheckKind.PERSON)
async def updated(contact: Contact) -> CheckResult:
    await contact.own_panel()
    press = await contact.press("Press the blue button Go of the newest panel.", f"{PREFIX}go")
    changed = await contact.answer(press, 7, message_body("Changed", blue("Go", f"{PREFIX}go")))
    edited = await contact.tried(*contact.panel_of(press).edit("Changed twice", blue("Go", f"{PREFIX}go")))
    is_same = edited.is_good and press.message is not None and edited.body["id"] == str(press.message.id)
    return CheckResult(
        changed.is_good and is_same, f"The change is answered with {changed}, the edit after it with {edited}."
    )


@check("A first answer that Discord refuses by 400 may be followed by a second one.", _CODE, CheckKind.PERSON)
async def refused_answer(contact: Contact) -> CheckResult:
    control = f"{PREFIX}refused"
    await contact.post("A refused answer", blue("Answer", control))
    press = await contact.press("Press the blue button Answer.", control)
    refused = await contact.answer(press, 4, message_body("·" * 4001))
    second = await contact.answer(press, 4, message_body("The second answer") | {"flags": NEW_PARTS | PRIVATE})
    says = f"The first answer is refused with {refused}, the second one answered with {second}."
    return CheckResult(refused.status == 400 and second.is_good, says)


@check("An edit of a panel that the bot has deleted is answered with 10008.", _CODE, CheckKind.PERSON)
async def deleted(contact: Contact) -> CheckResult:
    panel = await contact.own_panel()
    await contact.done("DELETE", panel.path)
    edited = await contact.tried(*panel.edit("Still there"))
    return CheckResult(edited.code == _GONE, f"The edit is answered with {edited}.")


@check("An edit of a panel that its owner has dismissed is answered with 10008.", _CODE, CheckKind.PERSON)
async def dismissed(contact: Contact) -> CheckResult:
    panel = await contact.own_panel()
    await contact.tried(*panel.edit("Dismiss this one"))
    await contact.ask_for('Dismiss the panel that says "Dismiss this one".')
    edited = await contact.tried(*panel.edit("Still there"))
    return CheckResult(edited.code == _GONE, f"The edit is answered with {edited}.")


@check(
    "Of presses on a panel that changes twice a second, one in twenty is lost at most, also where its ids change.",
    _CODE,
    CheckKind.PERSON,
)
async def presses_during_edits(contact: Contact) -> CheckResult:
    stays = await _red_lines(contact, changes=False)
    changes = await _red_lines(contact, changes=True)
    most = contact.bounds.presses * _MOST_LOST
    says = (
        f"Of {contact.bounds.presses} presses, in a red line end {stays} where ids stay, {changes} where they change."
    )
    return CheckResult(max(stays, changes) <= most, says)


async def _red_lines(contact: Contact, *, changes: bool) -> int:
    """Ask the person to press a panel during edits, and return how many presses failed for them.

    Discord tells the bot nothing of such presses.

    Args:
        contact: Of the check.
        changes: Whether each edit changes the button's custom id.
    """
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
        await contact.person.instruct(f"Press Go on the panel {name} {wanted} times, quickly.", control, wanted)
        return await contact.person.counts(f"How many of {wanted} presses on {name} ended in a red line?")
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@check("A restart of the app takes panels away; edits of them still succeed.", _CODE, CheckKind.RESTART)
async def restarted(contact: Contact) -> CheckResult:
    panel = await contact.own_panel()
    await contact.tried(*panel.edit("Restart the app now"))
    await contact.ask_for("Restart the app (Ctrl-R on a computer).")
    is_seen = await contact.person.agrees('Do you still see the panel that says "Restart the app now"?')
    edited = await contact.tried(*panel.edit("After the restart"))
    says = f"The panel is {'still' if is_seen else 'no longer'} seen, and its edit is answered with {edited}."
    return CheckResult(not is_seen and edited.is_good, says)


_MINUTE_S = 60.0
_HOUR_S = 61 * _MINUTE_S
_EXPIRED, _TOO_OFTEN = 50027, 30046


@check("A token is good for 14 min 30 s, and no longer at 15 min 30 s.", _CODE, CheckKind.LONG)
async def tokens(contact: Contact) -> CheckResult:
    _, panel = await contact.grow_old(14.5 * _MINUTE_S)
    young = await contact.tried(*panel.edit("Half a minute left", blue("Old", OLD)))
    await contact.grow_old(15.5 * _MINUTE_S)
    old = await contact.tried(*panel.edit("Too late"))
    return CheckResult(young.is_good and old.code == _EXPIRED, f"The edits are answered with {young} and {old}.")


@check("A panel older than an hour takes edits as a young one; the bot replaces it.", _CODE, CheckKind.LONG)
async def old_panel(contact: Contact) -> CheckResult:
    await contact.grow_old(_HOUR_S)
    press = await contact.press("Press the blue button Old of the oldest panel.", OLD)
    first = await contact.answer(press, 7, message_body("Old", blue("Old", OLD)))
    panel = contact.panel_of(press)
    answers = [first, *[await contact.ask(*panel.edit(f"Old, edit {number}")) for number in range(4)]]
    return CheckResult(
        all(answer.is_good for answer in answers), f"The edits are answered with {', '.join(map(str, answers))}."
    )


@check(
    "Messages older than an hour take 3 edits in 6 s, then 30046.",
    "bot/discord/rate_limits/bot_requests.py",
    CheckKind.LONG,
)
async def old_message(contact: Contact) -> CheckResult:
    message, _ = await contact.grow_old(_HOUR_S)
    path = f"{contact.channel}/messages/{message['id']}"
    answers = [await contact.ask("PATCH", path, message_body(f"Old, edit {number}")) for number in range(4)]
    is_assumed = [answer.is_good for answer in answers] == [True, True, True, False] and answers[3].code == _TOO_OFTEN
    return CheckResult(is_assumed, f"Four edits are answered with {', '.join(map(str, answers))}.")


_HEART, _FE0F = "❤", "\ufe0f"


@check("A reaction comes as its emoji, with or without FE0F.", "bot/game/signs.py", CheckKind.PERSON)
async def reaction(contact: Contact) -> CheckResult:
    await contact.post("React to this message with ❤️.")
    await contact.person.instruct("React to the newest message with ❤️.")
    return _heart(await contact.comes("reaction"))


@check(
    "A reply comes with its text, without the privileged intent.",
    "bot/ui/table/commands.py",
    CheckKind.PERSON,
)
async def reply(contact: Contact) -> CheckResult:
    await contact.post("Reply ❤️ to this message.")
    await contact.person.instruct("Reply ❤️ to the newest message.")
    return _heart(await contact.comes("reply"))


def _heart(came: str) -> CheckResult:
    with_it = "with" if _FE0F in came else "without"
    points = " ".join(f"U+{ord(char):04X}" for char in came[:4])
    return CheckResult(came.strip().replace(_FE0F, "") == _HEART, f"It is {points or 'empty'}, {with_it} FE0F.")


@check("A form comes back with what was typed.", "bot/discord/api/modals.py", CheckKind.PERSON)
async def form(contact: Contact) -> CheckResult:
    control = f"{PREFIX}form"
    await contact.post("A form", blue("Form", control))
    press = await contact.press('Press the blue button Form, type "kems" and send it.', control)
    answer = await contact.answer(
        press, 9, Modal("First contact", f"{control}:sent").add_text_input('Type "kems"').to_dict()
    )
    if not answer.is_good:
        return CheckResult(False, f"The form is answered with {answer}.")
    sent = await contact.pressed(f"{control}:sent")
    await contact.answer(sent, 4, message_body("Received") | {"flags": NEW_PARTS | PRIVATE})
    is_whole = submitted_fields(sent).get(TEXT, "").strip().lower() == "kems"
    return CheckResult(
        is_whole, f"The form is answered with {answer}, and comes back {'whole' if is_whole else 'otherwise'}."
    )


@check(
    "A menu with a new custom id is empty, and takes the same choice again.", "bot/ui/lobby/verbs.py", CheckKind.PERSON
)
async def menu_twice(contact: Contact) -> CheckResult:
    control = f"{PREFIX}members"
    await contact.post("A menu", user_menu(f"{control}:1", "Choose yourself", most=1))
    first = await contact.press("Choose yourself in the newest menu.", f"{control}:1")
    await contact.answer(
        first, 7, message_body("The menu again", user_menu(f"{control}:2", "Choose yourself again", most=1))
    )
    is_empty = await contact.person.agrees("Is the menu empty again?")
    second = await contact.arrives("Choose yourself again.", f"{control}:2")
    if second is not None:
        await contact.answer(second, 6)
    says = (
        f"The menu is {'empty' if is_empty else 'not empty'}; the second choice {'arrives' if second else 'is lost'}."
    )
    return CheckResult(is_empty and second is not None, says)


@check("Four buttons with cards stand in one row on a phone.", "bot/discord/api/components.py", CheckKind.PERSON)
async def four_buttons(contact: Contact) -> CheckResult:
    cards = row(*(button(card, f"{PREFIX}{card}") for card in ("7♠", "10♥", "V♦", "D♣")))
    await contact.post("Four buttons", cards)
    is_one = await contact.person.agrees("Photograph the newest message on Android and on iOS. Is it one row on both?")
    return CheckResult(is_one, f"The four buttons stand in {'one row' if is_one else 'more rows'}.")


_LIMITS = "bot/discord/rate_limits/panel_requests.py"
_A_PANEL = 2
"""Edits of one panel a second."""
_ADVISED = "40"
"""Edits a second of all panels: less than 50."""
_MANY, _RATE = 24, 60
"""Panels, and edits a second of them all: Discord accepts five edits in two seconds of each panel."""
_ON_EMOJIS = 12
"""Emojis on a hand panel."""
_NEARLY = 48
_FEW = 10
"""Refusals after which it is clear that there is a limit."""


def _edits(panels: Sequence[TestPanel], count: float) -> Iterator[Request]:
    for number, panel in enumerate(islice(cycle(panels), int(count))):
        yield panel.edit(f"Edit {number}")


def _counted(answers: Sequence[ApiAnswer]) -> str:
    limits = [answer.limit for answer in answers]
    refused = [limit for limit in limits if limit.is_refused]
    scopes = (
        f"{sum(answer.is_global for answer in refused)} global",
        f"{sum(answer.is_shared for answer in refused)} shared",
    )
    slow = max(answer.took_s for answer in answers)
    says = f"{len(answers)} requests, {len(refused)} refused ({', '.join(scopes)})"
    return f"{says}; {_busiest(answers)} passed in the busiest second; the slowest took {slow:.1f} s."


def _busiest(answers: Sequence[ApiAnswer]) -> int:
    """Return the highest number of requests that began within one second and were accepted."""
    at = sorted(answer.at for answer in answers if not answer.limit.is_refused)
    return max((bisect_left(at, first + 1.0) - number for number, first in enumerate(at)), default=0)


def _found_free(
    answers: Sequence[ApiAnswer], contact: Contact, settings: Mapping[str, str] | None = None
) -> CheckResult:
    """Return whether no rate limit covers all these requests together; if one does, advise `settings`.

    The result is not known if no second had as many requests as the limit to look for (`Bounds.full`).
    """
    if not _is_local(answers):
        return CheckResult(False, _counted(answers), settings or {})
    if _busiest(answers) < contact.bounds.full:
        return CheckResult(None, f"A limit of {contact.bounds.full} a second would not be seen: {_counted(answers)}")
    return CheckResult(True, _counted(answers))


def _is_free(answers: Sequence[ApiAnswer]) -> bool:
    return not any(answer.limit.is_refused for answer in answers)


def _is_local(answers: Sequence[ApiAnswer]) -> bool:
    return not any(answer.limit.is_global for answer in answers)


@check("A panel takes two edits a second.", _LIMITS, CheckKind.LOAD)
async def one_panel(contact: Contact) -> CheckResult:
    panels = await contact.panels(1)
    answers = await contact.load(_A_PANEL, _edits(panels, _A_PANEL * contact.bounds.minute_s), _FEW)
    return CheckResult(_is_free(answers), _counted(answers))


@check("Four panels in a channel take two edits a second each.", _LIMITS, CheckKind.LOAD)
async def four_panels(contact: Contact) -> CheckResult:
    panels = await contact.panels(4)
    answers = await contact.load(4 * _A_PANEL, _edits(panels, 4 * _A_PANEL * contact.bounds.minute_s), _FEW)
    return CheckResult(_is_free(answers), _counted(answers))


@check("All panels together have no limit: none of 60 edits a second is refused as `global`.", _LIMITS, CheckKind.LOAD)
async def many_panels(contact: Contact) -> CheckResult:
    panels = await contact.panels(_MANY)
    answers = await contact.load(_RATE, _edits(panels, _RATE * contact.bounds.burst_s))
    return _found_free(answers, contact, {"PANEL_RATE": _ADVISED})


@check("Edits of panels do not count among the 50 requests of the bot's token.", _LIMITS, CheckKind.LOAD)
async def beside_the_bot(contact: Contact) -> CheckResult:
    panels = await contact.panels(_MANY)
    looks = (contact.channel, "/users/@me", "/gateway/bot", contact.app + "/emojis")

    def both() -> Iterator[Request]:
        look = cycle(looks)
        for number, edit in enumerate(_edits(panels, _RATE * contact.bounds.burst_s)):
            yield edit if number % 3 == 0 else ("GET", next(look), None)

    answers = await contact.load(_RATE, both())
    return _found_free(answers, contact)


@check("Answers to presses count in no limit.", _LIMITS, CheckKind.LOAD)
async def answers_count(contact: Contact) -> CheckResult:
    # Only a first answer to a press is sure to be counted. So edits nearly fill a limit of 50 while a person presses.
    panels, control, wanted = await contact.panels(_MANY), f"{PREFIX}quickly", contact.bounds.presses
    await contact.post("Answers", blue("Quickly", control))
    answers, given = list[ApiAnswer](), list[ApiAnswer]()

    began = asyncio.Event()

    async def answer() -> None:
        while True:
            given.append(await contact.answer(await contact.pressed(control), 6))
            began.set()

    async def edit() -> None:
        await began.wait()
        answers.extend(await contact.load(_NEARLY, _edits(panels, 2 * _NEARLY * contact.bounds.burst_s)))

    tasks = [asyncio.create_task(answer()), asyncio.create_task(edit())]
    try:
        await contact.person.instruct(
            f"Press the blue button Quickly {wanted} times, as quickly as you can.", control, wanted
        )
        await contact.ask_for(f"Go on until you have pressed {wanted} times.")
        if began.is_set():
            await tasks[1]
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    if not given:
        raise UnclearError("No press has come.")
    found = _found_free([*answers, *given], contact)
    return CheckResult(found.is_assumed, f"Answers to presses: {len(given)}. {found.says}")


@check("Edits with emojis of the application are not refused.", "bot/discord/pictures/custom_emojis.py", CheckKind.LOAD)
async def emojis(contact: Contact) -> CheckResult:
    listed = (await contact.done("GET", f"{contact.app}/emojis"))["items"]
    if not listed:
        raise UnclearError("The application has no emojis: run `kems emojis sync`.")
    known_emojis = [Emoji(emoji["name"], int(emoji["id"])) for emoji in listed]
    panels = await contact.panels(_MANY)

    def edits() -> Iterator[Request]:
        for number, panel in enumerate(islice(cycle(panels), contact.bounds.edits)):
            controls = [
                button(
                    None, f"{PREFIX}emoji:{number}:{place}", emoji=known_emojis[(number + place) % len(known_emojis)]
                )
                for place in range(_ON_EMOJIS)
            ]
            rows = (row(*controls[first : first + 4]) for first in range(0, _ON_EMOJIS, 4))
            yield panel.edit(f"Edit {number}", *rows)

    answers = await contact.load(_A_PANEL * _MANY, edits())
    refused = sum(answer.status == 400 for answer in answers)
    return CheckResult(
        not refused, f"{refused} of {len(answers)} edits with emojis are refused by 400. {_counted(answers)}"
    )
