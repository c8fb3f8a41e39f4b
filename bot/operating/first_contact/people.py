"""Checks of what people do: reactions, replies, forms, menus, and what only eyes can tell."""

from bot.discord.api.components import button, row, user_menu
from bot.discord.api.modals import TEXT, Form, filled
from bot.operating.first_contact.check import Found, Kind, check
from bot.operating.first_contact.contact import NEW_PARTS, PREFIX, PRIVATE, Contact, blue, said

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
