"""`/kems-admin ladder void`: a form asks for the reason and says what it costs."""

from typing import Final

import discord
from discord.app_commands import Range

from bot.records.history import History
from bot.records.seasons import Recount, VoidCode
from bot.tables.clock import Clock
from bot.ui.admission.rights import manages_server
from bot.ui.admission.time_limit import or_later
from bot.ui.feature import Subgroup, command
from bot.ui.kit.custom_ids import NO_TABLE, Press, make_id, read_number
from bot.ui.kit.forms import Form, typed
from bot.ui.kit.interactions import guild_of, reader, say, say_outdated
from bot.ui.kit.names import clean
from bot.ui.kit.texts import Texts, mark
from bot.ui.ladder.verbs import LadderVerb
from bot.ui.words.refusals import RefusedError, not_managing_text

_ANSWERS: Final = {
    VoidCode.VOIDED: mark("Match {number} is void: it counts as never played."),
    VoidCode.NO_MATCH: mark("There is no finished match of that number here: see `/kems history`."),
    VoidCode.ALREADY_VOID: mark("Match {number} is void already."),
}
_MOST_TABLES: Final = 2**53 - 1  # Discord's limit for a number
_MAX_REASON: Final = 200


class VoidCommands(Subgroup):
    """`/kems-admin ladder …`, and the form that declares a match void."""

    verbs = frozenset[str]({LadderVerb.VOID})

    def __init__(self, clock: Clock, recount: Recount, history: History) -> None:
        super().__init__(mark("ladder"), mark("The ladder of this server"))
        self._clock = clock
        self._recount = recount
        self._history = history

    @command(
        mark("void"),
        mark("Declare a match void"),
        options={"number": (mark("table"), mark("Its number, as in the history"))},
    )
    async def void(self, interaction: discord.Interaction, number: Range[int, 1, _MOST_TABLES]) -> None:
        """Ask for the reason."""
        texts, match = reader(interaction), await or_later(self._history.match(number))
        if match is None or match.result is None or match.guild_id != guild_of(interaction):
            await say(interaction, texts.t(_ANSWERS[VoidCode.NO_MATCH]))
        elif match.void is not None:
            await say(interaction, texts.t(_ANSWERS[VoidCode.ALREADY_VOID], number=number))
        else:
            await interaction.response.send_modal(void_form(number, texts))

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        """Count everything again as if the match had never been played."""
        texts, number = reader(interaction), read_number(press.arg)
        if not manages_server(interaction):
            raise RefusedError(not_managing_text(texts))
        if number is None:
            await say_outdated(interaction)
            return
        reason, guild_id, by_id = clean(typed(interaction), _MAX_REASON), guild_of(interaction), interaction.user.id
        await interaction.response.defer(ephemeral=True, thinking=True)  # a large server takes a while
        code = await self._recount.void(guild_id, number, by_id=by_id, reason=reason, at=self._clock.now())
        await say(interaction, texts.t(_ANSWERS[code], number=number))


def void_form(number: int, texts: Texts) -> Form:
    t = texts.t
    form = Form(t("Declare match {number} void", number=number), make_id(NO_TABLE, LadderVerb.VOID, str(number)))
    cost = t("All figures and ratings are counted again without it. This cannot be undone.")
    return form.ask(t("Reason, for everybody to read"), hint=cost, most=_MAX_REASON)
