"""`/kems privacy export | delete | boards`: what is stored on a person, and how to erase it."""

import asyncio
import json
from typing import Any, Final

import discord

from bot.records.personal_data import PersonalData
from bot.tables.erasure import Erasure
from bot.ui.admission.time_limit import or_later
from bot.ui.feature import Subgroup, command
from bot.ui.kit.attachments import attached
from bot.ui.kit.components import DANGER, button, layout, row, text
from bot.ui.kit.custom_ids import make_id
from bot.ui.kit.interactions import guild_of, reader, say
from bot.ui.kit.palette import RED
from bot.ui.kit.prepared_view import PreparedView
from bot.ui.kit.texts import mark
from bot.ui.privacy.verbs import PrivacyVerb

_STEM: Final = "kems-privacy"


class PrivacyCommands(Subgroup):
    """`/kems privacy …`."""

    def __init__(self, personal_data: PersonalData, erasure: Erasure) -> None:
        super().__init__(mark("privacy"), mark("What is stored on you"))
        self._personal_data = personal_data
        self._erasure = erasure

    @command(mark("export"), mark("Get all that is stored on you"))
    async def export(self, interaction: discord.Interaction) -> None:
        """Give everything as a JSON file, to the person alone."""
        await interaction.response.defer(ephemeral=True, thinking=True)  # much that is stored takes a while
        t, told = reader(interaction).t, await self._personal_data.export(interaction.user.id)
        files = await asyncio.to_thread(_files, told, interaction.filesize_limit)
        if not files:
            await say(interaction, t("The files are too large for Discord: ask the person who runs the bot for them."))
        else:
            line = t("All that is stored on you, in every server. Nobody else can see this message.")
            await interaction.edit_original_response(content=line, attachments=files)

    @command(mark("delete"), mark("Have everything on you deleted"))
    async def delete(self, interaction: discord.Interaction) -> None:
        """Ask whether it is meant."""
        texts = reader(interaction)
        t, seats = texts.t, len(self._erasure.tables_of(interaction.user.id))
        lines = [
            "## " + t("Delete everything on you?"),
            t(
                "Your name and number disappear from all matches in every server, your ratings and standings"
                " are deleted. The matches stay, without you. This cannot be undone."
            ),
            t(
                "You leave every table you sit at, in every server: a match that is running is lost for you, and a"
                " robot plays on; or the match ends, if its host chose so or nobody else is left."
            ),
        ]
        if seats:
            lines.append(texts.n("⚠️ You sit at {count} table now.", "⚠️ You sit at {count} tables now.", seats))
        panel = layout(
            text(*lines), row(button(t("Delete everything"), make_id(0, PrivacyVerb.FORGET), style=DANGER)), colour=RED
        )
        await interaction.response.send_message(view=PreparedView(panel), ephemeral=True)

    @command(
        mark("boards"),
        mark("Be on the leaderboards, or not"),
        options={"shown": (mark("shown"), mark("Whether leaderboards of this server show you"))},
    )
    async def boards(self, interaction: discord.Interaction, shown: bool) -> None:
        """Opt out of the boards of a server, or in again."""
        t, user = reader(interaction).t, interaction.user
        hiding = self._personal_data.hide(guild_of(interaction), user.id, user.display_name, is_hidden=not shown)
        await or_later(hiding)
        line = t("The leaderboards here show you.") if shown else t("The leaderboards here leave you out.")
        await say(interaction, line)


def _files(told: dict[str, Any], limit: int) -> list[discord.File]:
    return attached({f"{_STEM}.json": json.dumps(told, ensure_ascii=False, indent=1).encode()}, _STEM, limit)
