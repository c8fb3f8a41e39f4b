"""Checks of threads: where they can be opened, who is in them, and what is left of them in the archive."""

from typing import Any

from bot.operating.first_contact.check import Found, Kind, check
from bot.operating.first_contact.contact import NEW_PARTS, PREFIX, Answer, Contact, UnclearError, blue, said

_PUBLIC, _PRIVATE, _TOLD = 11, 12, 18
_SILENT = 1 << 12
_SLOW_S = 5.0
_CODE = "bot/ui/table/messages/table_message.py"
_ARCHIVED, _WRONG_CHANNEL = 50083, 50024


async def _open(contact: Contact, channel: str, kind: int) -> Answer:
    """Open a thread; it is deleted at the end, or put into the archive where the bot may not delete it."""
    answer = await contact.tried("POST", f"{channel}/threads", {"name": contact.name, "type": kind})
    if answer.is_good:
        contact.later("PATCH", f"/channels/{answer.body['id']}", {"archived": True})
        contact.later("DELETE", f"/channels/{answer.body['id']}")
    return answer


async def _thread(contact: Contact) -> str:
    """The path of a new public thread. Raises UnclearError."""
    answer = await _open(contact, contact.channel, _PUBLIC)
    if not answer.is_good:
        raise UnclearError(f"Discord answers a thread with {answer}.")
    contact.later("DELETE", await _telling(contact))
    return f"/channels/{answer.body['id']}"


async def _telling(contact: Contact) -> str:
    """The path of the message that tells of the newest thread. Raises UnclearError."""
    messages = await contact.done("GET", f"{contact.channel}/messages?limit=5")
    told = next((one["id"] for one in messages if one["type"] == _TOLD), None)
    if told is None:
        raise UnclearError("No message tells of the thread.")
    return f"{contact.channel}/messages/{told}"


@check("A public thread is opened within five seconds; the message that tells of it can be deleted.", _CODE)
async def public_thread(contact: Contact) -> Found:
    answer = await _open(contact, contact.channel, _PUBLIC)
    if not answer.is_good:
        return Found(False, f"The thread is answered with {answer}.", {"TABLE_THREADS": "0"})
    deleted = await contact.tried("DELETE", await _telling(contact))
    says = f"The thread took {answer.took_s:.1f} s; the deletion of its message is answered with {deleted}."
    return Found(answer.took_s < _SLOW_S and deleted.is_good, says)


@check("A private thread can be opened.", "bot/ui/lobby/places.py")
async def private_thread(contact: Contact) -> Found:
    answer = await _open(contact, contact.channel, _PRIVATE)
    return Found(answer.is_good and answer.took_s < _SLOW_S, f"Answered with {answer} in {answer.took_s:.1f} s.")


@check("A thread under a message has the number of the message.", _CODE)
async def thread_under_message(contact: Contact) -> Found:
    message = await contact.post("A thread is under this message.")
    answer = await _open(contact, f"{contact.channel}/messages/{message['id']}", _PUBLIC)
    is_same = answer.is_good and answer.body["id"] == message["id"]
    return Found(is_same, f"Answered with {answer}; {'the same number' if is_same else 'no such thread'}.")


@check("An announcement channel refuses a public thread by 50024.", "bot/discord/places/permissions.py")
async def thread_of_news(contact: Contact) -> Found:
    news = next((one for one in contact.guild.text_channels if one.is_news()), None)
    if news is None:
        raise UnclearError("The server has no announcement channel.")
    answer = await _open(contact, f"/channels/{news.id}", _PUBLIC)
    return Found(answer.code == _WRONG_CHANNEL, f"Answered with {answer}.")


@check("A silent mention makes somebody a member of a thread.", _CODE, Kind.PERSON)
async def member_by_mention(contact: Contact) -> Found:
    await contact.panels(1)
    thread = await _thread(contact)
    await _mention(contact, thread)
    answer = await contact.tried("GET", f"{thread}/thread-members/{contact.presser}")
    return Found(answer.is_good, f"The question for the member is answered with {answer}.")


@check("A member of an archived thread can press a button in it on a phone.", _CODE, Kind.PERSON)
async def archived_thread(contact: Contact) -> Found:
    await contact.ask_for("Take a phone with Discord.")
    await contact.panels(1)
    thread, control = await _thread(contact), f"{PREFIX}archived"
    await _mention(contact, thread, blue("Archived", control))
    await contact.done("PATCH", thread, {"archived": True})
    press = await contact.arrives('On the phone, press Archived in the thread "first contact".', control)
    if press is None:
        return Found(False, "The press has not arrived.")
    await contact.answer(press, 6)
    return Found(True, "The press has arrived.")


@check(
    "A message in a thread that is locked and closed cannot be edited: 50083.",
    "bot/discord/places/outage.py",
    Kind.PERSON,
)
async def locked_thread(contact: Contact) -> Found:
    thread = await _thread(contact)
    message = await contact.post("Lock and close this thread.", thread=thread)
    await contact.ask_for('Lock and close the newest thread "first contact".')
    edited = await contact.tried("PATCH", f"{thread}/messages/{message['id']}", said("Edited"))
    return Found(edited.code == _ARCHIVED, f"The edit is answered with {edited}.")


async def _mention(contact: Contact, thread: str, *parts: Any) -> None:
    """Mention who has pressed last, without a sound."""
    mentions = {"users": [str(contact.presser)]}
    await contact.post(
        f"<@{contact.presser}>", *parts, thread=thread, allowed_mentions=mentions, flags=NEW_PARTS | _SILENT
    )
