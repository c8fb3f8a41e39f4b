"""Checks of messages and threads: how much a message holds, how often one changes; where a thread opens."""

from typing import Any

from bot.discord.api.components import GALLERY, MAX_LABEL, MAX_PARTS, MAX_TEXT, button, gallery, menu, option, row
from bot.operating.first_contact.check import Found, Kind, check
from bot.operating.first_contact.contact import DOT, NEW_PARTS, PREFIX, Answer, Contact, Json, UnclearError, blue, said

_TRIES = 3


async def _holds(contact: Contact, fits: Json, too_much: Json) -> Found:
    """Whether Discord takes the one message and refuses the other one."""
    answers = [await contact.posted(body) for body in (fits, too_much)]
    return Found(
        answers[0].is_good and answers[1].status == 400,
        f"What should fit is answered with {answers[0]}, what is too much with {answers[1]}.",
    )


@check(f"A message has {MAX_PARTS} components at most.", "bot/discord/api/components.py")
async def components(contact: Contact) -> Found:
    return await _holds(contact, said(*["·"] * MAX_PARTS), said(*["·"] * (MAX_PARTS + 1)))


@check(f"A message has {MAX_TEXT:,} characters at most.", "bot/discord/api/components.py")
async def characters(contact: Contact) -> Found:
    return await _holds(contact, said("·" * MAX_TEXT), said("·" * (MAX_TEXT + 1)))


@check(f"A label has {MAX_LABEL} characters at most, and 🂡 is one.", "bot/discord/api/components.py")
async def labels(contact: Contact) -> Found:
    control = f"{PREFIX}label"
    return await _holds(contact, said(blue("🂡" * MAX_LABEL, control)), said(blue("🂡" * (MAX_LABEL + 1), control)))


@check("A menu has 25 options at most.", "bot/discord/api/components.py")
async def menus(contact: Contact) -> Found:
    options = [option(str(number), str(number)) for number in range(26)]
    control = f"{PREFIX}menu"
    return await _holds(contact, said(menu(control, "Menu", options[:25])), said(menu(control, "Menu", options)))


@check("A message in which two buttons have one custom id is refused.", "bot/discord/api/custom_ids.py")
async def doubled_ids(contact: Contact) -> Found:
    first, second = button("A", f"{PREFIX}a"), button("B", f"{PREFIX}b")
    return await _holds(contact, said(row(first, second)), said(row(first, first)))


@check("A second post with the nonce of the first gives the first one.", "bot/discord/messages/posted_message.py")
async def nonce(contact: Contact) -> Found:
    number = str(contact.client.application_id)
    first, second = [await contact.post("Once", nonce=number, enforce_nonce=True) for _ in range(2)]
    is_one = first["id"] == second["id"]
    return Found(is_one, f"Two posts with one nonce are {'one message' if is_one else 'two messages'}.")


@check("Posts and edits of a channel share a bucket, 5 in 5 s.", "bot/discord/rate_limits/bot_requests.py")
async def one_bucket(contact: Contact) -> Found:
    """Two posts and an edit: what remains tells whether they are counted together; the name of a bucket does not."""
    says, remains = "", list[float]()
    for _ in range(_TRIES):
        first, second = [await contact.posted(said(f"Bucket {number}")) for number in range(2)]
        if not second.is_good:
            raise UnclearError(f"Discord answers a message with {second}.")
        path = f"{contact.channel}/messages/{second.body['id']}"
        edited = await contact.tried("PATCH", path, said("Bucket, edited"))
        counts = [_number(answer, "X-RateLimit-Remaining") for answer in (first, second, edited)]
        if counts[1] != counts[0] - 1:  # they are not of one window
            continue
        posts, edits = (_number(answer, "X-RateLimit-Limit") for answer in (second, edited))
        says, remains = f"{posts:.0f} posts, {edits:.0f} edits. After two posts and an edit remain", counts[1:]
        if remains[1] == remains[0] - 1:
            return Found(posts == edits == 5, f"One bucket: {says} {remains}.")
    if not says:
        raise UnclearError("No two posts are counted together.")
    return Found(False, f"Two buckets: {says} {remains}.")  # each time: else a new window may have begun in between


def _number(answer: Answer, header: str) -> float:
    """Raises UnclearError: the header is missing."""
    if header not in answer.headers:
        raise UnclearError("The answers have no headers of limits.")
    return float(answer.headers[header])


@check("An edit replaces the picture of a message.", "bot/ui/table/messages/table_message.py")
async def picture(contact: Contact) -> Found:
    first, second = "first.png", "second.png"
    posted = await contact.post(gallery(first, "A point"), file=(first, DOT))
    body = said(gallery(second, "A point")) | {"attachments": [{"id": "0", "filename": second}]}
    edited = await contact.tried("PATCH", f"{contact.channel}/messages/{posted['id']}", body, file=(second, DOT))
    media = [item["media"]["url"] for item in edited.body["components"][0]["items"]] if edited.is_good else []
    is_replaced = len(media) == 1 and second in media[0]
    return Found(
        is_replaced, f"The edit is answered with {edited}, and the picture is {'new' if is_replaced else 'old'}."
    )


@check(
    "An edit keeps the picture that it names by its id, and shows it without an upload.",
    "bot/discord/pictures/kept_files.py",
)
async def kept_picture(contact: Contact) -> Found:
    shown = gallery("kept.png", "A point")
    posted = await contact.post("First", shown, file=("kept.png", DOT))
    (former,) = _shown_files(posted)
    body = said("Second", shown) | {"attachments": [{"id": former}]}
    edited = await contact.tried("PATCH", f"{contact.channel}/messages/{posted['id']}", body)
    is_kept = former is not None and edited.is_good and _shown_files(edited.body) == [former]
    return Found(is_kept, f"The edit is answered with {edited}, and the picture is {'there' if is_kept else 'gone'}.")


def _shown_files(message: Json) -> list[str | None]:
    """The ids of the files that the galleries of a message show, as far as Discord tells them."""
    parts = [part for part in message["components"] if part["type"] == GALLERY]
    return [item["media"].get("attachment_id") for part in parts for item in part["items"]]


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
    "bot/discord/places/threads.py",
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
