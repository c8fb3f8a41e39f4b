"""Matches that are over, for those who may see them: as a file to keep, and step by step.

Whoever asks must be able to see the channel that the match was played in, at every press anew: custom ids are no proof.
"""

import asyncio
from io import BytesIO
from typing import Final

import discord

from bot.game.film import film_of
from bot.live.pictures import Pictures
from bot.live.ports import Archive, PastMatch
from bot.ui.answers import public_locale, reader, say
from bot.ui.card_emojis import CardEmojis
from bot.ui.export import match_file
from bot.ui.ids import Press, Verb
from bot.ui.parts import Layout
from bot.ui.patience import or_later
from bot.ui.replay_picture import film_picture, film_words
from bot.ui.replay_view import replay_panel, step_of
from bot.ui.texts import Language, texts_for
from bot.ui.visibility import may_view

REPLAY_VERBS: Final = frozenset({Verb.REPLAY, Verb.SHARE})


class PastMatches:
    """Answers `/kems export`, `/kems replay` and the presses on replays."""

    def __init__(self, archive: Archive, emojis: CardEmojis, pictures: Pictures, locale: Language) -> None:
        """`locale` is for servers that are set to neither French nor English."""
        self._archive = archive
        self._emojis = emojis
        self._pictures = pictures
        self._locale = locale

    async def export(self, interaction: discord.Interaction, number: int | None) -> None:
        """Give a match as KGN."""
        match = await self._find(interaction, number)
        if match is None:
            return
        file = await asyncio.to_thread(match_file, match)  # a long match takes a while to write
        line = reader(interaction).t(
            "Table {number}, move by move: check it with `kems replay`.", number=match.table_id
        )
        await interaction.response.send_message(line, file=file, ephemeral=True)

    async def replay(self, interaction: discord.Interaction, number: int | None, wanted: int) -> None:
        """Show the first step of a round in private."""
        match = await self._find(interaction, number)
        if match is not None:
            await self._show(interaction, match, wanted, 0, is_new=True)

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        """Turn to the step that a button names, or share the round."""
        match = await self._find(interaction, press.table_id)
        if match is None:
            return
        if press.verb is Verb.SHARE:
            await self._share(interaction, match, press.round or 1)
        else:
            await self._show(interaction, match, press.round or 1, step_of(press.arg) or 0, is_new=False)

    async def _share(self, interaction: discord.Interaction, match: PastMatch, wanted: int) -> None:
        """Post a round as a moving picture, in the server's language."""
        film = await asyncio.to_thread(film_of, match.events, wanted)
        texts = texts_for(public_locale(interaction.guild_locale, self._locale))
        await interaction.response.defer(ephemeral=False, thinking=True)  # drawing takes seconds
        try:
            drawn = await self._pictures.draw(film_picture(match, film, texts))
            name = f"kems-{match.table_id}-{film.number}.{drawn.suffix}"
            file = discord.File(BytesIO(drawn.data), name, description=film_words(match, film, texts))
            await interaction.followup.send(file=file)
        except BaseException:
            await interaction.delete_original_response()  # or it would say for ever that the bot thinks
            raise

    async def _show(
        self, interaction: discord.Interaction, match: PastMatch, wanted: int, step: int, *, is_new: bool
    ) -> None:
        film = await asyncio.to_thread(film_of, match.events, wanted)
        texts = reader(interaction)

        def panel() -> Layout:
            return replay_panel(match, film, step, self._emojis.faces(texts, match.theme))

        async def send(view: discord.ui.LayoutView) -> None:
            if is_new:
                await interaction.response.send_message(view=view, ephemeral=True)
            else:
                await interaction.response.edit_message(view=view)

        await self._emojis.deliver(panel(), send, panel)

    async def _find(self, interaction: discord.Interaction, number: int | None) -> PastMatch | None:
        """The match of that number, or the last one here that the presser may see; without one, that is the answer."""
        assert interaction.guild_id is not None, "the bot is for servers alone"
        found = await or_later(self._archive.finished(interaction.guild_id, interaction.channel_id, number))
        for place in found:
            if await may_view(interaction, place.channel_id):
                return await or_later(self._archive.read(place.table_id))
        t = reader(interaction).t
        if found:
            line = t("That match was played in a channel that you cannot see.")
        else:
            line = t("No finished match here: it can be looked at once it has been played to its end.")
        await say(interaction, line)
        return None
