"""Routes every press and modal submission to the feature that answers it: custom id -> verb -> feature."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import discord

from bot.discord.api.components import link_from
from bot.discord.api.custom_ids import NO_TABLE, Press, parse_id
from bot.discord.api.interactions import field_of, is_private, texts_of
from bot.discord.api.patience import continue_when_slow
from bot.discord.api.responses import reply, reply_outdated
from bot.discord.interactions.admission.admission import Admission
from bot.discord.interactions.admission.allowances import Allowance
from bot.discord.interactions.admission.rights import may_see
from bot.discord.interactions.admission.spending import spend
from bot.discord.interactions.feature import Feature, answer_errors, owners_of
from bot.tables.directory import TableDirectory
from bot.tables.lobby.table_channel import TableChannel

ROUTED: Final = (discord.InteractionType.component.value, discord.InteractionType.modal_submit.value)
"""The types of interactions that are presses and modal submissions."""


class Router:
    """Lets the features answer presses and modal submissions, and answers forged, unknown and outdated ones itself."""

    def __init__(self, admission: Admission, directory: TableDirectory, features: Sequence[Feature]) -> None:
        """Route to these features.

        Raises:
            ValueError: Two features answer the same verb.
        """
        self._admission = admission
        self._directory = directory
        self._owners = owners_of(features)
        self._allowances: dict[str, Allowance | None] = {
            verb: verb.allowance for feature in features for verb in feature.verbs
        }
        self._past = frozenset(verb for feature in features if feature.is_about_past for verb in feature.verbs)

    @property
    def verbs(self) -> frozenset[str]:
        """The verbs that the features answer."""
        return frozenset(self._owners)

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Answer a press or a modal submission, and never raise. Other interactions are ignored."""
        if interaction.type.value not in ROUTED or not await self._admission.admits(interaction):
            return
        async with answer_errors(interaction) as handling:
            press = self._read(interaction)
            owner = None if press is None else self._owners.get(press.verb)
            if press is None or owner is None:
                await reply_outdated(interaction)
                return
            handling.action, handling.table_id = press.verb, press.table_id
            back = self._directory.record_press(
                press.table_id, interaction.user.id
            )  # any press shows a player is there
            if back is not None:
                await continue_when_slow(back)
            lobby = self._directory.lobby(press.table_id)
            if lobby is not None and press.verb not in self._past and _is_left(interaction, lobby.place):
                await reply(interaction, _left_text(interaction, lobby.place))
            else:
                await spend(interaction, self._allowances[press.verb])
                await owner.press(interaction, press)

    def _read(self, interaction: discord.Interaction) -> Press | None:
        """Parse the custom id; without its table, if the user may not see that. None if it is none of the bot's."""
        press = parse_id(str(field_of(interaction, "custom_id")))
        lobby = None if press is None else self._directory.lobby(press.table_id)
        if press is None or lobby is None or may_see(interaction, lobby):
            return press
        return replace(press, table_id=NO_TABLE)


def _is_left(interaction: discord.Interaction, place: TableChannel) -> bool:
    """Return whether a press was made on a public message from which the table has moved away.

    A younger message in the same channel is the table's next one, whose id is not saved yet.
    """
    message = interaction.message
    if message is None or is_private(message) or place.message_id is None:
        return False
    return interaction.channel_id not in (None, place.channel_id) or message.id < place.message_id


def _left_text(interaction: discord.Interaction, place: TableChannel) -> str:
    """Return the answer to a press on a message from which the table has moved away.

    The bot removes the buttons of such messages, but it may be stopped before, or refused by Discord.
    """
    message = interaction.message
    link = link_from(None if message is None else message.id, place)
    return texts_of(interaction).t("This table goes on in another message: {link}", link=link)
