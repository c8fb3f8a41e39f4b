"""The help for the people of a table: a coach, and how much each panel marks."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from bot.records.player import HelpLevel, HelpSetting, Player


class Coaching(StrEnum):
    """Whether the people of a table have a coach.

    - `LESSONS`: the match begins with lessons for its host (`bot.lessons`).
    - `AWAY`: the coach was sent away or has taught all its lessons, and can be called back.
    """

    NONE = "none"
    LESSONS = "lessons"
    ON = "on"
    AWAY = "away"


@dataclass(frozen=True, slots=True)
class Help:
    """How much the panels of the players mark.

    In a ranked match all panels mark the same, and in lessons they mark everything; else each player chooses.
    """

    players: tuple[Player | None, ...]
    coaching: Coaching
    is_ranked: bool

    def of(self, seat: int) -> HelpLevel:
        """Return the level of help for a seat."""
        if self.is_ranked:
            return HelpLevel.NORMAL
        player = self.players[seat]
        chosen = None if player is None else player.help_level
        return HelpLevel.GUIDED if chosen is None or self.coaching is Coaching.LESSONS else chosen

    @property
    def is_chosen(self) -> bool:
        """Whether each player chooses how much their panel marks."""
        return not self.is_ranked and self.coaching is not Coaching.LESSONS

    @property
    def unread(self) -> frozenset[int]:
        """The user ids of people whose level of help has not been loaded yet."""
        return frozenset(
            player.user_id
            for player in self.players
            if player is not None and player.user_id is not None and player.help_level is None
        )

    def with_levels(self, levels: Mapping[int, HelpSetting]) -> tuple[Player | None, ...]:
        """Return the players with these levels of help, by user id; at a table with a coach, people start guided."""
        guided = HelpSetting(HelpLevel.GUIDED) if self.coaching in (Coaching.ON, Coaching.LESSONS) else None
        return tuple(
            player
            if player is None or player.user_id is None or (known := levels.get(player.user_id)) is None
            else player.with_help(guided or known)
            for player in self.players
        )

    def is_first_unguided(self, seat: int) -> bool:
        """Return whether this is the player's first match without guidance, in which they may choose their level."""
        player = self.players[seat]
        return player is not None and player.is_first_unguided and self.is_chosen and self.coaching is Coaching.NONE

    def at_start(self) -> tuple[Player | None, ...]:
        """Return the players for the start of a match; `has_no_marks` says that a player's panel marks nothing."""
        return tuple(
            player and replace(player, has_no_marks=self.of(seat) is HelpLevel.BARE)
            for seat, player in enumerate(self.players)
        )
