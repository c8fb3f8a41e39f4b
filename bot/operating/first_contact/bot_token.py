"""Checks of requests with the bot's token: application, connection, commands, messages, threads."""

import base64
import time
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Any

import aiohttp
import discord
from discord.app_commands import CommandTree

from bot.compose import build_client
from bot.discord.api.components import (
    GALLERY,
    MAX_LABEL,
    MAX_PARTS,
    MAX_TEXT,
    Emoji,
    button,
    gallery,
    menu,
    option,
    row,
)
from bot.discord.api.error_codes import ErrorCode
from bot.discord.api.requests import UNREACHED
from bot.discord.gateway.command_tree import CatalogueTranslator, has_all
from bot.discord.places.permissions import IN_THREAD, INVITED, missing_permissions, permission_names
from bot.discord.text.texts import texts_for
from bot.operating.doctor import endpoint, invitation, message_content
from bot.operating.first_contact.check import CheckKind, CheckResult, check
from bot.operating.first_contact.contact import (
    DOT,
    NEW_PARTS,
    PREFIX,
    Contact,
    blue,
    message_body,
)
from bot.operating.first_contact.requests import ApiAnswer, Json, UnclearError

_STARTS = 1000
_CLOCK_S = 5.0
_RECONNECT = 4000
_RESUME_S = 60.0
_TRIES = 3
_EVENT_S = 10.0
_PUBLIC, _PRIVATE, _TOLD = 11, 12, 18
_SILENT = 1 << 12
_SLOW_S = 5.0
_CODE = "bot/ui/table/messages/table_message.py"
_ARCHIVED, _WRONG_CHANNEL = 50083, 50024


@check(
    "Presses come over the connection; message content is granted if MESSAGE_CONTENT is 1.",
    "bot/discord/gateway/client.py",
)
async def application(contact: Contact) -> CheckResult:
    info = await contact.client.application_info()
    if not (finding := endpoint(info)).is_good:
        return CheckResult(False, finding.sentence)
    finding = message_content(contact.settings, info.flags)
    return CheckResult(finding.is_good, finding.sentence, {} if finding.is_good else {"MESSAGE_CONTENT": "0"})


@check("Add App installs the bot with what the invitation asks for.", "bot/discord/places/permissions.py")
async def install(contact: Contact) -> CheckResult:
    finding = invitation(await contact.client.application_info())
    return CheckResult(finding.is_good, finding.sentence)


@check(f"The bot may connect {_STARTS} times a day.", "bot/discord/gateway/shard_keeper.py")
async def sessions(contact: Contact) -> CheckResult:
    gateway = await contact.done("GET", "/gateway/bot")
    limit = gateway["session_start_limit"]
    says = f"{limit['remaining']} of {limit['total']} connections are left, {limit['max_concurrency']} at once"
    return CheckResult(limit["total"] >= _STARTS, f"{says}; shards: {gateway['shards']}.")


@check("A connection that was cut is resumed, without a new one.", "bot/discord/gateway/shard_keeper.py")
async def resume(contact: Contact) -> CheckResult:
    while not contact.client.heard.empty():
        contact.client.heard.get_nowait()
    await contact.client.ws.close(code=_RECONNECT)
    came = await contact.comes("connection", _RESUME_S)
    return CheckResult(came == "resumed", f"After the cut, the connection is {came}.")


@check("Discord lists commands as they were registered, but for what is empty.", "bot/discord/gateway/command_tree.py")
async def commands(contact: Contact) -> CheckResult:
    bot = build_client(contact.settings)
    tree, translator = CommandTree(contact.client), CatalogueTranslator()
    wanted = [await group.get_translated_payload(tree, translator) for group in bot.groups]
    path = f"{contact.app}/commands"
    if not await contact.done("GET", path):
        contact.later("PUT", path, [])
        await contact.done("PUT", path, wanted)
    listed = await contact.done("GET", f"{path}?with_localizations=true")
    says = f"Listed: {', '.join(sorted(command['name'] for command in listed)) or 'nothing'}"
    return CheckResult(
        has_all(listed, wanted), f"{says}; wanted: {', '.join(sorted(command['name'] for command in wanted))}."
    )


@check("The bot may do in this channel what the invitation asks for.", "bot/discord/places/permissions.py")
async def permissions(contact: Contact) -> CheckResult:
    channel = contact.client.get_channel(contact.channel_id)
    assert isinstance(channel, discord.abc.GuildChannel), "the runner has looked"
    lacking = missing_permissions(channel.permissions_for(contact.guild.me), INVITED)
    if not lacking:
        return CheckResult(True, "Nothing is missing.")
    settings = {"TABLE_THREADS": "0"} if {*IN_THREAD} & {*lacking} else {}
    return CheckResult(False, f"Missing: {permission_names(lacking, texts_for('en'))}.", settings)


@check(
    "Answers of the API tell the time of now; those of the CDN may be old.",
    "bot/discord/interactions/admission/discord_clock.py",
)
async def clocks(contact: Contact) -> CheckResult:
    posted = await contact.posted({}, file=("clock.png", DOT))
    posted.require("a picture")
    ahead, is_fresh = _ahead(posted.headers.get("Date", "")), "Age" not in posted.headers
    of_cdn = "was not reached"
    with suppress(*UNREACHED, ValueError):
        timeout = aiohttp.ClientTimeout(total=_CLOCK_S)
        async with contact.session.get(posted.body["attachments"][0]["url"], timeout=timeout) as answer:
            of_cdn = f"{_ahead(answer.headers.get('Date', '')):+.0f} s, Age {answer.headers.get('Age', 'none')}"
    says = f"API: {ahead:+.0f} s from this machine's clock{'' if is_fresh else ', with an Age'}; CDN: {of_cdn}."
    return CheckResult(is_fresh and abs(ahead) <= _CLOCK_S, says)


def _ahead(date: str) -> float:
    """Return by how many seconds the date of an HTTP header is ahead of this machine's clock.

    Raises:
        ValueError: It is no date.
    """
    return parsedate_to_datetime(date).timestamp() - time.time()


@check(
    "A picture can be uploaded as an emoji of the application, and shown at once.",
    "bot/discord/pictures/custom_emojis.py",
)
async def emoji(contact: Contact) -> CheckResult:
    image = f"data:image/png;base64,{base64.b64encode(DOT).decode()}"
    body = {"name": contact.name.replace(" ", "_"), "image": image}
    made = await contact.tried("POST", f"{contact.app}/emojis", body)
    if not made.is_good:
        return CheckResult(False, f"The upload is answered with {made}.")
    contact.later("DELETE", f"{contact.app}/emojis/{made.body['id']}")
    control = button("Emoji", f"{PREFIX}emoji", emoji=Emoji(made.body["name"], int(made.body["id"])))
    answer = await contact.posted(message_body("An emoji", row(control)))
    return CheckResult(answer.is_good, f"The upload is answered with {made}, a button with it with {answer}.")


@check("Create Events is enough to plan an event of the server and to change it.", "bot/discord/places/events.py")
async def event(contact: Contact) -> CheckResult:
    starts, path = datetime.now(UTC) + timedelta(days=1), f"/guilds/{contact.guild.id}/scheduled-events"
    body = {
        "name": contact.name,
        "privacy_level": 2,
        "entity_type": 3,
        "entity_metadata": {"location": "Discord"},
        "scheduled_start_time": starts.isoformat(),
        "scheduled_end_time": (starts + timedelta(hours=1)).isoformat(),
    }
    permissions = contact.guild.me.guild_permissions
    if not permissions.create_events:
        raise UnclearError("The bot has no Create Events here.")
    made = await contact.tried("POST", path, body)
    if not made.is_good:
        return CheckResult(False, f"The event is answered with {made}.")
    contact.later("DELETE", f"{path}/{made.body['id']}")
    changed = await contact.tried("PATCH", f"{path}/{made.body['id']}", {"description": "changed"})
    with_it = "With" if permissions.manage_events else "Without"
    return CheckResult(changed.is_good, f"{with_it} Manage Events, a change of the event is answered with {changed}.")


@check(
    "The bot gives roles below its own; a server with two-factor answers 60003.",
    "bot/discord/places/members.py",
)
async def role(contact: Contact) -> CheckResult:
    me = contact.guild.me
    given = next((role for role in contact.guild.roles if role.is_assignable() and role not in me.roles), None)
    if given is None or not me.guild_permissions.manage_roles:
        raise UnclearError("The bot needs Manage Roles, and below its own a role that it does not have.")
    path = f"/guilds/{contact.guild.id}/members/{me.id}/roles/{given.id}"
    contact.later("DELETE", path)  # before the change: no list shows that a run has left a role behind
    answer = await contact.tried("PUT", path)
    if not answer.is_good:
        contact.never_mind()
    has_two_factor = contact.guild.mfa_level is discord.MFALevel.require_2fa
    is_assumed = answer.code == ErrorCode.TWO_FACTOR if has_two_factor else answer.is_good
    says = f"On a server {'with' if has_two_factor else 'without'} two-factor, a role is answered with {answer}."
    return CheckResult(is_assumed, says)


async def _holds(contact: Contact, fits: Json, too_much: Json) -> CheckResult:
    """Check that Discord accepts one message and refuses the other with 400."""
    answers = [await contact.posted(body) for body in (fits, too_much)]
    return CheckResult(
        answers[0].is_good and answers[1].status == 400,
        f"What should fit is answered with {answers[0]}, what is too much with {answers[1]}.",
    )


@check(f"A message has {MAX_PARTS} components at most.", "bot/discord/api/components.py")
async def components(contact: Contact) -> CheckResult:
    return await _holds(contact, message_body(*["·"] * MAX_PARTS), message_body(*["·"] * (MAX_PARTS + 1)))


@check(f"A message has {MAX_TEXT:,} characters at most.", "bot/discord/api/components.py")
async def characters(contact: Contact) -> CheckResult:
    return await _holds(contact, message_body("·" * MAX_TEXT), message_body("·" * (MAX_TEXT + 1)))


@check(f"A label has {MAX_LABEL} characters at most, and 🂡 is one.", "bot/discord/api/components.py")
async def labels(contact: Contact) -> CheckResult:
    control = f"{PREFIX}label"
    return await _holds(
        contact, message_body(blue("🂡" * MAX_LABEL, control)), message_body(blue("🂡" * (MAX_LABEL + 1), control))
    )


@check("A menu has 25 options at most.", "bot/discord/api/components.py")
async def menus(contact: Contact) -> CheckResult:
    options = [option(str(number), str(number)) for number in range(26)]
    control = f"{PREFIX}menu"
    return await _holds(
        contact, message_body(menu(control, "Menu", options[:25])), message_body(menu(control, "Menu", options))
    )


@check("A message in which two buttons have one custom id is refused.", "bot/discord/api/custom_ids.py")
async def doubled_ids(contact: Contact) -> CheckResult:
    first, second = button("A", f"{PREFIX}a"), button("B", f"{PREFIX}b")
    return await _holds(contact, message_body(row(first, second)), message_body(row(first, first)))


@check("A second post with the nonce of the first gives the first one.", "bot/discord/messages/posted_message.py")
async def nonce(contact: Contact) -> CheckResult:
    number = str(contact.client.application_id)
    first, second = [await contact.post("Once", nonce=number, enforce_nonce=True) for _ in range(2)]
    is_one = first["id"] == second["id"]
    return CheckResult(is_one, f"Two posts with one nonce are {'one message' if is_one else 'two messages'}.")


@check("The event of a post tells its nonce.", "bot/discord/messages/rivals.py")
async def told_nonce(contact: Contact) -> CheckResult:
    number = f"told{contact.client.application_id}"
    posted = await contact.post("Heard", nonce=number)
    event = ""
    while not event.startswith(posted["id"]):
        event = await contact.comes("post", _EVENT_S)
    is_told = event.endswith(number)
    return CheckResult(is_told, f"The event of a post comes {'with' if is_told else 'without'} its nonce.")


@check("Posts and edits of a channel share a bucket, 5 in 5 s.", "bot/discord/rate_limits/bot_requests.py")
async def one_bucket(contact: Contact) -> CheckResult:
    # The remaining requests after two posts and an edit tell whether they are counted together; bucket names do not.
    says, remains = "", list[float]()
    for _ in range(_TRIES):
        first, second = [await contact.posted(message_body(f"Bucket {number}")) for number in range(2)]
        second.require("a message")
        path = f"{contact.channel}/messages/{second.body['id']}"
        edited = await contact.tried("PATCH", path, message_body("Bucket, edited"))
        counts = [_number(answer, "X-RateLimit-Remaining") for answer in (first, second, edited)]
        if counts[1] != counts[0] - 1:  # they are of different windows
            continue
        posts, edits = (_number(answer, "X-RateLimit-Limit") for answer in (second, edited))
        says, remains = f"{posts:.0f} posts, {edits:.0f} edits. After two posts and an edit remain", counts[1:]
        if remains[1] == remains[0] - 1:
            return CheckResult(posts == edits == 5, f"One bucket: {says} {remains}.")
    if not says:
        raise UnclearError("No two posts are counted together.")
    # so each time: after a single try, a new window might have begun in between
    return CheckResult(False, f"Two buckets: {says} {remains}.")


def _number(answer: ApiAnswer, header: str) -> float:
    """Return the number in a header.

    Raises:
        UnclearError: The header is missing.
    """
    if header not in answer.headers:
        raise UnclearError("The answers have no headers of limits.")
    return float(answer.headers[header])


@check("An edit replaces the picture of a message.", "bot/ui/table/messages/table_message.py")
async def picture(contact: Contact) -> CheckResult:
    first, second = "first.png", "second.png"
    posted = await contact.post(gallery(first, "A point"), file=(first, DOT))
    body = message_body(gallery(second, "A point")) | {"attachments": [{"id": "0", "filename": second}]}
    edited = await contact.tried("PATCH", f"{contact.channel}/messages/{posted['id']}", body, file=(second, DOT))
    media = [item["media"]["url"] for item in edited.body["components"][0]["items"]] if edited.is_good else []
    is_replaced = len(media) == 1 and second in media[0]
    return CheckResult(
        is_replaced, f"The edit is answered with {edited}, and the picture is {'new' if is_replaced else 'old'}."
    )


@check(
    "An edit keeps the picture that it names by its id, and shows it without an upload.",
    "bot/discord/pictures/kept_files.py",
)
async def kept_picture(contact: Contact) -> CheckResult:
    picture = gallery("kept.png", "A point")
    posted = await contact.post("First", picture, file=("kept.png", DOT))
    (former,) = _shown_files(posted)
    body = message_body("Second", picture) | {"attachments": [{"id": former}]}
    edited = await contact.tried("PATCH", f"{contact.channel}/messages/{posted['id']}", body)
    is_kept = former is not None and edited.is_good and _shown_files(edited.body) == [former]
    return CheckResult(
        is_kept, f"The edit is answered with {edited}, and the picture is {'there' if is_kept else 'gone'}."
    )


def _shown_files(message: Json) -> list[str | None]:
    """Return the attachment ids of the pictures in a message's galleries; None for each that Discord does not name."""
    parts = [part for part in message["components"] if part["type"] == GALLERY]
    return [item["media"].get("attachment_id") for part in parts for item in part["items"]]


async def _open(contact: Contact, channel: str, kind: int) -> ApiAnswer:
    """Open a thread. At the end it is deleted, or archived if the bot may not delete it."""
    answer = await contact.tried("POST", f"{channel}/threads", {"name": contact.name, "type": kind})
    if answer.is_good:
        contact.later("PATCH", f"/channels/{answer.body['id']}", {"archived": True})
        contact.later("DELETE", f"/channels/{answer.body['id']}")
    return answer


async def _thread(contact: Contact) -> str:
    """Open a public thread and return its path.

    Raises:
        UnclearError: Discord refuses it.
    """
    thread = (await _open(contact, contact.channel, _PUBLIC)).require("a thread")
    contact.later("DELETE", await _telling(contact))
    return f"/channels/{thread['id']}"


async def _telling(contact: Contact) -> str:
    """Return the path of the system message that announces the newest thread.

    Raises:
        UnclearError: There is none.
    """
    messages = await contact.done("GET", f"{contact.channel}/messages?limit=5")
    message_id = next((message["id"] for message in messages if message["type"] == _TOLD), None)
    if message_id is None:
        raise UnclearError("No message tells of the thread.")
    return f"{contact.channel}/messages/{message_id}"


@check("A public thread is opened within five seconds; the message that tells of it can be deleted.", _CODE)
async def public_thread(contact: Contact) -> CheckResult:
    answer = await _open(contact, contact.channel, _PUBLIC)
    if not answer.is_good:
        return CheckResult(False, f"The thread is answered with {answer}.", {"TABLE_THREADS": "0"})
    deleted = await contact.tried("DELETE", await _telling(contact))
    says = f"The thread took {answer.took_s:.1f} s; the deletion of its message is answered with {deleted}."
    return CheckResult(answer.took_s < _SLOW_S and deleted.is_good, says)


@check("A private thread can be opened.", "bot/ui/lobby/places.py")
async def private_thread(contact: Contact) -> CheckResult:
    answer = await _open(contact, contact.channel, _PRIVATE)
    return CheckResult(answer.is_good and answer.took_s < _SLOW_S, f"Answered with {answer} in {answer.took_s:.1f} s.")


@check("A thread under a message has the number of the message.", _CODE)
async def thread_under_message(contact: Contact) -> CheckResult:
    message = await contact.post("A thread is under this message.")
    answer = await _open(contact, f"{contact.channel}/messages/{message['id']}", _PUBLIC)
    is_same = answer.is_good and answer.body["id"] == message["id"]
    return CheckResult(is_same, f"Answered with {answer}; {'the same number' if is_same else 'no such thread'}.")


@check("An announcement channel refuses a public thread by 50024.", "bot/discord/places/permissions.py")
async def thread_of_news(contact: Contact) -> CheckResult:
    news = next((channel for channel in contact.guild.text_channels if channel.is_news()), None)
    if news is None:
        raise UnclearError("The server has no announcement channel.")
    answer = await _open(contact, f"/channels/{news.id}", _PUBLIC)
    return CheckResult(answer.code == _WRONG_CHANNEL, f"Answered with {answer}.")


@check("A silent mention makes somebody a member of a thread.", _CODE, CheckKind.PERSON)
async def member_by_mention(contact: Contact) -> CheckResult:
    await contact.panels(1)
    thread = await _thread(contact)
    await _mention(contact, thread)
    answer = await contact.tried("GET", f"{thread}/thread-members/{contact.presser}")
    return CheckResult(answer.is_good, f"The question for the member is answered with {answer}.")


@check("A member of an archived thread can press a button in it on a phone.", _CODE, CheckKind.PERSON)
async def archived_thread(contact: Contact) -> CheckResult:
    await contact.ask_for("Take a phone with Discord.")
    await contact.panels(1)
    thread, control = await _thread(contact), f"{PREFIX}archived"
    await _mention(contact, thread, blue("Archived", control))
    await contact.done("PATCH", thread, {"archived": True})
    press = await contact.arrives('On the phone, press Archived in the thread "first contact".', control)
    if press is None:
        return CheckResult(False, "The press has not arrived.")
    await contact.answer(press, 6)
    return CheckResult(True, "The press has arrived.")


@check(
    "A message in a thread that is locked and closed cannot be edited: 50083.",
    "bot/discord/places/threads.py",
    CheckKind.PERSON,
)
async def locked_thread(contact: Contact) -> CheckResult:
    thread = await _thread(contact)
    message = await contact.post("Lock and close this thread.", thread=thread)
    await contact.ask_for('Lock and close the newest thread "first contact".')
    edited = await contact.tried("PATCH", f"{thread}/messages/{message['id']}", message_body("Edited"))
    return CheckResult(edited.code == _ARCHIVED, f"The edit is answered with {edited}.")


async def _mention(contact: Contact, thread: str, *parts: Any) -> None:
    """Mention the person of the last press in a silent message."""
    mentions = {"users": [str(contact.presser)]}
    await contact.post(
        f"<@{contact.presser}>", *parts, thread=thread, allowed_mentions=mentions, flags=NEW_PARTS | _SILENT
    )
