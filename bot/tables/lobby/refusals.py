"""Why a change of a lobby, or of a match's people, is refused."""

from dataclasses import dataclass

from bot.game.value import Sentence
from bot.records.player import Player
from bot.tables.lobby.table_channel import TableChannel


class LobbyCode(Sentence):
    """Why a change of the lobby is refused, as a sentence that the user interface translates."""

    NOT_OPEN = "This table no longer takes changes: open a new one with {/start}."
    ALREADY_SEATED = "You are already at this table."
    NOT_SEATED = "You are not at this table: join it first."
    TABLE_FULL = "The table is full."
    UNKNOWN_SEAT = "There is no such seat any more."
    NO_ROBOT = "There is no robot at this table."
    SEATS_FREE = "Seats are still free: wait for players, or add robots."
    SEATS_TAKEN = "More people than that sit here: somebody must leave first."
    NOT_HOST = "Only the host and moderators can do that."
    HOST_STARTS = "The host starts the match."
    UNKNOWN_TABLE = "This table is gone: open a new one with {/start}."
    NOT_OVER = "The match is still on: a rematch comes after it."
    NOT_BEGUN = "That match has not begun yet."
    MATCH_OVER = "That match is over."
    SEAT_TAKEN = "That seat is not open: somebody plays there."
    OTHER_TEAM = "You played in another team of this match: you know its sign."
    SENT_AWAY = "You were removed from this table."
    NOT_RANKED = "This match is ranked, and you lack what ranked matches ask for: {/ladder_about} says what."
    NOT_NEUTRAL = "In a ranked match only a moderator who does not play in it may do that."
    NOT_MISSED = "In a ranked match the host may open a seat only while its player is missing."
    VOTE_RUNNING = "The secret vote is still on; the host can go on without it."
    VOTE_OVER = "The vote is over: for another one, the host withdraws it first."
    NO_VOTE = "This table plays without advanced signs: the host can put them to the vote."
    ONE_LEVEL = "In this match the level of help is the same for all."
    CHANGED_MEANWHILE = "That has changed meanwhile: this is how it is now."
    TOO_MANY = "Too many of your tables wait for players: start one, or close one with {/end}."
    TOO_MANY_MATCHES = "Too many of your matches still go on: finish one, or close one with {/end}."


@dataclass(frozen=True, slots=True)
class LobbyRefusal:
    """A refused change.

    - `awaited`: the players whose votes are needed first.
    - `places`: the channels of the host's other tables.
    - `until`: from when on the change may be requested (Unix milliseconds).
    """

    code: LobbyCode
    awaited: tuple[Player, ...] = ()
    places: tuple[TableChannel, ...] = ()
    until: int | None = None
