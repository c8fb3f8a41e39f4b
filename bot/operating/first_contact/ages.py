"""Checks of what grows old: the tokens of presses, messages and panels. They wait up to an hour."""

from bot.operating.first_contact.check import Found, Kind, check
from bot.operating.first_contact.contact import OLD, Contact, blue, said

_MINUTE_S = 60.0
_HOUR_S = 61 * _MINUTE_S
_EXPIRED, _TOO_OFTEN = 50027, 30046
_CODE = "bot/ui/table/messages/private_panels.py"


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
