"""What every press, form, command and typed letter passes first: not too late, not too fast, not while the bot stops.

It must not know what is asked for. What it does not let in is answered here, with a line or without a word.
"""

from collections.abc import Callable

import discord
import structlog

from bot.ui.admission.lateness import Lateness
from bot.ui.admission.press_rate import PressRate, RateVerdict
from bot.ui.admission.under_way import UnderWay
from bot.ui.kit.failures import FAILED, facts
from bot.ui.kit.interactions import made_at, reader, say
from bot.ui.kit.texts import Texts

_BY_COMMAND = discord.InteractionType.application_command
_WHILE_TYPING = discord.InteractionType.autocomplete

_log = structlog.get_logger(__name__)


class Admission:
    """Ask it once for each interaction."""

    def __init__(self, now: Callable[[], int], rate: PressRate) -> None:
        """`now` gives milliseconds."""
        self._lateness = Lateness(now)
        self._rate = rate
        self._under_way = UnderWay()

    async def lets_in(self, interaction: discord.Interaction) -> bool:
        """Whether an interaction may act, in the present task; if not, it is answered."""
        lag = self._lateness.lag(interaction)
        is_late = self._lateness.is_late(lag)
        verdict = self._rate.judge(interaction.user.id, made_at(interaction))
        is_closed = not self.lets_begin()
        if verdict is RateVerdict.ADMITTED and not (is_late or is_closed):
            return True
        await self._turn_away(interaction, verdict, is_closed=is_closed)
        if is_late and interaction.response.is_done():
            self._lateness.was_in_time(lag)
        return False

    def lets_begin(self) -> bool:
        """Whether the present task may begin with something that asks for no answer; then it is waited for."""
        return self._under_way.begin()

    async def close(self) -> None:
        """The bot is leaving: nothing begins any more, and what has begun gets a moment to end."""
        await self._under_way.close()

    async def _turn_away(self, interaction: discord.Interaction, verdict: RateVerdict, *, is_closed: bool) -> None:
        texts = reader(interaction)
        try:
            if interaction.type is _WHILE_TYPING:
                await interaction.response.autocomplete([])
            elif is_closed:
                await say(interaction, leaving_text(texts))
            elif verdict is RateVerdict.ADMITTED:
                await say(interaction, late_text(texts))
            elif verdict is RateVerdict.TOLD or interaction.type is _BY_COMMAND:  # a command has no silent answer
                await say(interaction, too_fast_text(texts))
            else:
                await interaction.response.defer()
        except FAILED as error:
            _log.warning("answer.failed", **facts(error))


def late_text(texts: Texts) -> str:
    """The press came too late to be answered."""
    return texts.t("That took too long to reach me, so nothing has happened: press again.")


def too_fast_text(texts: Texts) -> str:
    """Somebody does more than anybody can mean."""
    return texts.t("Not so fast, this was not counted: wait a moment, then go on.")


def leaving_text(texts: Texts) -> str:
    """The bot is stopping, and begins with nothing any more."""
    return texts.t("The bot is just being restarted, so nothing has happened: try again in a moment.")
