"""`/kems privacy export`, `delete`, `boards` and `avatar`, and the press that confirms a deletion."""

import asyncio
from dataclasses import dataclass
from typing import Final

import discord
import structlog

from bot.base.errors import StoreError
from bot.base.worker_process import join_batches
from bot.discord.api.components import confirmation, danger, layout, text
from bot.discord.api.custom_ids import NO_TABLE, Press, make_id
from bot.discord.api.interactions import guild_id_of, texts_of
from bot.discord.api.patience import continue_when_slow, progress_line, with_progress
from bot.discord.api.responses import (
    attached,
    defer,
    reply,
    reply_outdated,
    reply_panel,
    reply_with_files,
    update_message,
)
from bot.discord.interactions.admission.allowances import DELETIONS, EXPORTS, FREE, Verb
from bot.discord.interactions.admission.press_notes import record_refusal
from bot.discord.interactions.feature import CommandSet, Feature, command
from bot.discord.interactions.rooms import Rooms
from bot.discord.text.texts import Texts, mark
from bot.records.file_batches import Progress
from bot.records.personal_data import PersonalData, as_file
from bot.tables.erasure import Erasure

_STEM: Final = "kems-privacy"

_log = structlog.get_logger(__name__)


class PrivacyVerb(Verb):
    """The verbs of the buttons about personal data; all have table 0."""

    FORGET = "forget", DELETIONS  # everything about the presser


def feature(rooms: Rooms) -> Feature:
    """Return the commands about personal data as a feature."""
    commands = PrivacyCommands(rooms.store.personal_data, rooms.erasure)
    return Feature(presses=(commands,), commands=commands.commands)


@dataclass(eq=False, repr=False)
class PrivacyCommands(CommandSet):
    """`/kems privacy …`, and the button under `/kems privacy delete`."""

    verbs = frozenset[Verb]({PrivacyVerb.FORGET})

    _personal_data: PersonalData
    _erasure: Erasure

    @command("privacy_export", mark("Get your data as a file"), allowance=EXPORTS)
    async def export(self, interaction: discord.Interaction) -> None:
        """Send the presser's data of all servers as files."""
        await defer(interaction)  # a lot of data takes a while
        t, progress = texts_of(interaction).t, Progress()
        exported = self._personal_data.export(interaction.user.id, progress)
        batches = await with_progress(interaction, exported, lambda: progress_line(progress, t))
        written = {f"{_STEM}.json": await join_batches(as_file(batches))}
        files = await asyncio.to_thread(attached, written, _STEM, interaction.filesize_limit)
        await reply_with_files(interaction, t("Your data from all servers. Only you can see this message."), files)

    @command("privacy_delete", mark("Delete your data"), allowance=FREE)
    async def delete(self, interaction: discord.Interaction) -> None:
        """Ask the presser to confirm the deletion of their data."""
        texts = texts_of(interaction)
        t, seats = texts.t, await continue_when_slow(self._personal_data.tables_of(interaction.user.id))
        lines = [
            t(
                "Your name and user id are removed from all matches in all servers, your figures are deleted."
                " The matches stay, without you. This cannot be undone."
            ),
            t(
                "You leave all tables: matches still being played are lost for you. A robot takes your seat, or the"
                " match ends."
            ),
        ]
        if seats:
            lines.append(texts.n("⚠️ You sit at {count} table now.", "⚠️ You sit at {count} tables now.", seats))
        forget = danger(t("Delete everything"), make_id(NO_TABLE, PrivacyVerb.FORGET))
        await reply_panel(interaction, confirmation(t("Delete your data?"), lines, forget))

    @command(
        "privacy_boards",
        mark("Choose whether leaderboards show you"),
        allowance=FREE,
        options={"is_shown": (mark("shown"), mark("Show me on leaderboards"))},
    )
    async def boards(self, interaction: discord.Interaction, is_shown: bool) -> None:
        """Show the presser on the server's leaderboards, or hide them."""
        t, user = texts_of(interaction).t, interaction.user
        hiding = self._personal_data.hide(guild_id_of(interaction), user.id, user.display_name, is_hidden=not is_shown)
        await continue_when_slow(hiding)
        line = t("The leaderboards here show you.") if is_shown else t("The leaderboards here do not show you.")
        await reply(interaction, line)

    @command(
        "privacy_avatar",
        mark("Your picture on the bot's pictures, or your initials"),
        allowance=FREE,
        options={"is_shown": (mark("shown"), mark("Show your picture, in every server"))},
    )
    async def avatar(self, interaction: discord.Interaction, is_shown: bool) -> None:
        """Show the presser's avatar or their initials on pictures, in all servers."""
        t, user = texts_of(interaction).t, interaction.user
        await continue_when_slow(
            self._personal_data.show_avatar(guild_id_of(interaction), user.id, user.display_name, is_shown=is_shown)
        )
        line = (
            t("Pictures show your avatar from now on.") if is_shown else t("Pictures show your initials from now on.")
        )
        await reply(interaction, line)

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        """Delete all data about the presser; answer at once, and again when it is done."""
        texts = texts_of(interaction)
        if press.arg:
            await reply_outdated(interaction)
            return
        await update_message(interaction, layout(text(texts.t("Your data is being deleted…"))))
        answer = await self._forget(interaction.user.id, texts)
        await reply_panel(interaction, layout(text(answer)))

    async def _forget(self, user_id: int, texts: Texts) -> str:
        """Erase a person. Return the answer."""
        t = texts.t
        try:
            if not await self._erasure.erase(user_id):
                record_refusal("seated")
                return t("You have just joined a table: leave it with {/leave}, then ask again.")
        except StoreError as error:
            _log.warning("forget.not_done", problem=str(error))
            record_refusal("not_saved")
            return t("Not everything is deleted yet: ask again in an hour.")
        return t("Your data is deleted.")
