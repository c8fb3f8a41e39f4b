"""Removes what a run has left that could not clean up."""

from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

from bot.discord.api.interactions import time_of
from bot.operating.first_contact.contact import NAME, Contact, EnoughError, UnclearError
from bot.operating.first_contact.diary import Request, Run


async def clean_former(contact: Contact) -> None:
    """By the diary of the former run, by its names, and by its time in the channel."""
    former = contact.diary.former
    if former is not None:
        contact.tell_that("removing what a former run has left ...")
        await clean(contact, former)


async def clean(contact: Contact, run: Run) -> None:
    """Remove what a run has made that was broken off, perhaps between a request and its answer."""
    for request in [*run.undo[::-1], *[one async for one in _strays(contact, run)]]:
        with suppress(EnoughError, UnclearError):
            await contact.tried(*request)
    contact.refusals = 0


async def _strays(contact: Contact, run: Run) -> AsyncIterator[Request]:
    """What may stand nowhere in the diary: the run ended between a request and its answer."""
    assert contact.client.user is not None, "it is logged in"
    me, channel = str(contact.client.user.id), f"/channels/{run.channel_id}"
    for message in await _listed(contact, f"{channel}/messages?limit=100"):
        if message["author"]["id"] == me and run.began_ms <= time_of(int(message["id"])) <= run.until_ms:
            yield "DELETE", f"{channel}/messages/{message['id']}", None
    guild = f"/guilds/{contact.guild.id}"
    for thread in await _listed(contact, f"{guild}/threads/active", "threads"):
        if thread["name"].startswith(NAME) and thread["owner_id"] == me:
            yield "DELETE", f"/channels/{thread['id']}", None
    for event in await _listed(contact, f"{guild}/scheduled-events"):
        if event["name"].startswith(NAME):
            yield "DELETE", f"{guild}/scheduled-events/{event['id']}", None
    for emoji in await _listed(contact, f"{contact.app}/emojis", "items"):
        if emoji["name"].startswith(NAME.replace(" ", "_")):
            yield "DELETE", f"{contact.app}/emojis/{emoji['id']}", None


async def _listed(contact: Contact, path: str, field: str = "") -> Any:
    """What Discord lists; nothing where it does not."""
    try:
        listed = await contact.done("GET", path)
    except UnclearError:
        return []
    return listed[field] if field else listed
