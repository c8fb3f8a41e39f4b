"""One door for all presses and filled-in forms: custom id -> whoever answers it. Nothing gets past it unanswered.

It must not know rules. What is forged, unknown or out of date is answered with one line; errors are logged.
"""

import discord

from bot.live.house import House
from bot.live.lobby import LobbyCode, LobbyRefusal
from bot.ui.answers import answered, field_of, reader, say
from bot.ui.ids import Press, Verb, parse_id
from bot.ui.lateness import Lateness
from bot.ui.lobby_presses import LobbyPresses
from bot.ui.panels import Page
from bot.ui.past_matches import REPLAY_VERBS, PastMatches
from bot.ui.people_presses import PEOPLE_VERBS, PeoplePresses
from bot.ui.record_presses import RECORD_VERBS, RecordPresses
from bot.ui.rules_presses import RULES_VERBS, RulesPresses
from bot.ui.sentences import late_text, lobby_refusal_text
from bot.ui.table_presses import TablePresses
from bot.ui.vote_presses import VotePresses

_ROUTED = (discord.InteractionType.component, discord.InteractionType.modal_submit)
_LOBBY_VERBS = frozenset(
    {
        Verb.JOIN,
        Verb.LEAVE,
        Verb.ADD_ROBOT,
        Verb.REMOVE_ROBOT,
        Verb.TEAMS,
        Verb.SIT,
        Verb.START,
        Verb.CANCEL,
        Verb.NO_VOTE,
        Verb.FACES,
    }
)
_VOTE_VERBS = frozenset({Verb.VOTE, Verb.BALLOT, Verb.BALLOT_NO})


class Router:
    """Give it every interaction; it answers those that it owns and never raises."""

    def __init__(
        self,
        house: House,
        lateness: Lateness,
        lobbies: LobbyPresses,
        rules: RulesPresses,
        votes: VotePresses,
        tables: TablePresses,
        people: PeoplePresses,
        records: RecordPresses,
        past: PastMatches,
    ) -> None:
        self._house = house
        self._lateness = lateness
        self._lobbies = lobbies
        self._rules = rules
        self._votes = votes
        self._tables = tables
        self._people = people
        self._records = records
        self._past = past

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Answer a press or a form; commands are the command tree's."""
        if interaction.type not in _ROUTED:
            return
        is_late = self._lateness.is_late(interaction)
        press = parse_id(str(field_of(interaction, "custom_id")))
        async with answered(interaction):
            if is_late:
                await say(interaction, late_text(reader(interaction)))
            elif press is None:
                line = reader(interaction).t("This button is no longer in use: press one on the newest message.")
                await say(interaction, line)
            else:
                await self._route(interaction, press)

    async def _route(self, interaction: discord.Interaction, press: Press) -> None:
        if press.verb is Verb.HELP:
            await self._lobbies.help(interaction, press.table_id)
        elif press.verb is Verb.QUICK:
            started = await self._lobbies.quick_start(interaction)
            seat = None if started is None else started.seat_of(interaction.user.id)
            if started is not None and seat is not None:
                await self._tables.open_panel(interaction, started, seat, Page.SIGN)
        elif press.verb in _LOBBY_VERBS:
            await self._lobbies.press(interaction, press)
        elif press.verb in RECORD_VERBS:
            await self._records.press(interaction, press)
        elif press.verb in RULES_VERBS:
            await self._rules.press(interaction, press)
        elif press.verb in _VOTE_VERBS:
            await self._votes.press(interaction, press)
        elif press.verb in REPLAY_VERBS:
            await self._past.press(interaction, press)
        elif press.verb is Verb.REMATCH:
            await self._lobbies.rematch(interaction, press.table_id)
        elif press.verb is Verb.REOPEN:
            await self._lobbies.reopen(interaction, press.table_id)
        elif (table := self._house.table(press.table_id)) is None:
            await say(interaction, lobby_refusal_text(LobbyRefusal(LobbyCode.UNKNOWN_TABLE), reader(interaction)))
        elif press.verb in PEOPLE_VERBS:
            await self._people.press(interaction, press, table)
        else:
            await self._tables.press(interaction, press, table)
