"""Checks of the application: its settings, its connection, its commands, its rights in this channel."""

import base64
import time
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

import aiohttp
import discord
from discord.app_commands import CommandTree

from bot.compose import build_client
from bot.discord.api.components import Emoji, button, row
from bot.discord.api.error_codes import ErrorCode
from bot.discord.api.requests import UNREACHED
from bot.discord.gateway.command_tree import CatalogueTranslator, has_all
from bot.discord.places.permissions import IN_THREAD, INVITED, missing, permission_names
from bot.discord.text.texts import texts_for
from bot.operating.doctor import endpoint, invitation, message_content
from bot.operating.first_contact.check import Found, check
from bot.operating.first_contact.contact import DOT, PREFIX, Contact, UnclearError, said

_STARTS = 1000
_CLOCK_S = 5.0
_RECONNECT = 4000
_RESUME_S = 60.0


@check(
    "Presses come over the connection; message content is granted if MESSAGE_CONTENT is 1.",
    "bot/discord/gateway/client.py",
)
async def application(contact: Contact) -> Found:
    info = await contact.client.application_info()
    if not (finding := endpoint(info)).is_good:
        return Found(False, finding.sentence)
    finding = message_content(contact.settings, info.flags)
    return Found(finding.is_good, finding.sentence, {} if finding.is_good else {"MESSAGE_CONTENT": "0"})


@check("Add App installs the bot with what the invitation asks for.", "bot/discord/places/permissions.py")
async def install(contact: Contact) -> Found:
    finding = invitation(await contact.client.application_info())
    return Found(finding.is_good, finding.sentence)


@check(f"The bot may connect {_STARTS} times a day.", "bot/discord/gateway/shard_keeper.py")
async def sessions(contact: Contact) -> Found:
    told = await contact.done("GET", "/gateway/bot")
    limit = told["session_start_limit"]
    says = f"{limit['remaining']} of {limit['total']} connections are left, {limit['max_concurrency']} at once"
    return Found(limit["total"] >= _STARTS, f"{says}; shards: {told['shards']}.")


@check("A connection that was cut is resumed, without a new one.", "bot/discord/gateway/shard_keeper.py")
async def resume(contact: Contact) -> Found:
    while not contact.client.heard.empty():
        contact.client.heard.get_nowait()
    await contact.client.ws.close(code=_RECONNECT)
    came = await contact.comes("connection", _RESUME_S)
    return Found(came == "resumed", f"After the cut, the connection is {came}.")


@check("Discord lists commands as they were registered, but for what is empty.", "bot/discord/gateway/command_tree.py")
async def commands(contact: Contact) -> Found:
    bot = build_client(contact.settings)
    tree, translator = CommandTree(contact.client), CatalogueTranslator()
    wanted = [await group.get_translated_payload(tree, translator) for group in bot.groups]
    path = f"{contact.app}/commands"
    if not await contact.done("GET", path):
        contact.later("PUT", path, [])
        await contact.done("PUT", path, wanted)
    listed = await contact.done("GET", f"{path}?with_localizations=true")
    says = f"Listed: {', '.join(sorted(one['name'] for one in listed)) or 'nothing'}"
    return Found(has_all(listed, wanted), f"{says}; wanted: {', '.join(sorted(one['name'] for one in wanted))}.")


@check("The bot may do in this channel what the invitation asks for.", "bot/discord/places/permissions.py")
async def permissions(contact: Contact) -> Found:
    channel = contact.client.get_channel(contact.channel_id)
    assert isinstance(channel, discord.abc.GuildChannel), "the runner has looked"
    lacking = missing(channel.permissions_for(contact.guild.me), INVITED)
    if not lacking:
        return Found(True, "Nothing is missing.")
    settings = {"TABLE_THREADS": "0"} if {*IN_THREAD} & {*lacking} else {}
    return Found(False, f"Missing: {permission_names(lacking, texts_for('en'))}.", settings)


@check(
    "Answers of the API tell the time of now; those of the CDN may be old.",
    "bot/discord/interactions/admission/discord_clock.py",
)
async def clocks(contact: Contact) -> Found:
    posted = await contact.posted({}, file=("clock.png", DOT))
    if not posted.is_good:
        raise UnclearError(f"Discord answers a picture with {posted}.")
    ahead, is_fresh = _ahead(posted.headers.get("Date", "")), "Age" not in posted.headers
    of_cdn = "was not reached"
    with suppress(*UNREACHED, ValueError):
        timeout = aiohttp.ClientTimeout(total=_CLOCK_S)
        async with contact.session.get(posted.body["attachments"][0]["url"], timeout=timeout) as answer:
            of_cdn = f"{_ahead(answer.headers.get('Date', '')):+.0f} s, Age {answer.headers.get('Age', 'none')}"
    says = f"API: {ahead:+.0f} s from this machine's clock{'' if is_fresh else ', with an Age'}; CDN: {of_cdn}."
    return Found(is_fresh and abs(ahead) <= _CLOCK_S, says)


def _ahead(date: str) -> float:
    """By how many seconds a date is ahead of this machine's clock. Raises ValueError."""
    return parsedate_to_datetime(date).timestamp() - time.time()


@check(
    "A picture can be uploaded as an emoji of the application, and shown at once.",
    "bot/discord/pictures/custom_emojis.py",
)
async def emoji(contact: Contact) -> Found:
    image = f"data:image/png;base64,{base64.b64encode(DOT).decode()}"
    body = {"name": contact.name.replace(" ", "_"), "image": image}
    made = await contact.tried("POST", f"{contact.app}/emojis", body)
    if not made.is_good:
        return Found(False, f"The upload is answered with {made}.")
    contact.later("DELETE", f"{contact.app}/emojis/{made.body['id']}")
    control = button("Emoji", f"{PREFIX}emoji", emoji=Emoji(made.body["name"], int(made.body["id"])))
    shown = await contact.posted(said("An emoji", row(control)))
    return Found(shown.is_good, f"The upload is answered with {made}, a button with it with {shown}.")


@check("Create Events is enough to plan an event of the server and to change it.", "bot/discord/places/events.py")
async def event(contact: Contact) -> Found:
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
        return Found(False, f"The event is answered with {made}.")
    contact.later("DELETE", f"{path}/{made.body['id']}")
    changed = await contact.tried("PATCH", f"{path}/{made.body['id']}", {"description": "changed"})
    with_it = "With" if permissions.manage_events else "Without"
    return Found(changed.is_good, f"{with_it} Manage Events, a change of the event is answered with {changed}.")


@check(
    "The bot gives roles below its own; a server with two-factor answers 60003.",
    "bot/discord/places/members.py",
)
async def role(contact: Contact) -> Found:
    me = contact.guild.me
    given = next((one for one in contact.guild.roles if one.is_assignable() and one not in me.roles), None)
    if given is None or not me.guild_permissions.manage_roles:
        raise UnclearError("The bot needs Manage Roles, and below its own a role that it does not have.")
    path = f"/guilds/{contact.guild.id}/members/{me.id}/roles/{given.id}"
    contact.later("DELETE", path)  # before: a role stands in no list of what a run has left
    answer = await contact.tried("PUT", path)
    if not answer.is_good:
        contact.never_mind()
    has_two_factor = contact.guild.mfa_level is discord.MFALevel.require_2fa
    is_assumed = answer.code == ErrorCode.TWO_FACTOR if has_two_factor else answer.is_good
    says = f"On a server {'with' if has_two_factor else 'without'} two-factor, a role is answered with {answer}."
    return Found(is_assumed, says)
