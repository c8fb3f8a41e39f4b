"""A table as a value: seats, rules, place, options. Each change returns a new `Lobby`."""

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from enum import StrEnum
from random import Random

from bot.game.rules.house_rules import changes, check_table, for_players, teams_for, with_own_deck, with_room
from bot.game.rules.rules import Guess, Rules
from bot.game.signs import Strategy
from bot.game.value import Worded
from bot.ladder.seasons import Eligibility, RankedRules, eligibility
from bot.records.pictures import Theme
from bot.records.player import HelpLevel, Player
from bot.robots.level import RobotLevel, unused_name
from bot.tables.lobby.help import Coaching, Help
from bot.tables.lobby.refusals import LobbyCode, LobbyRefusal
from bot.tables.lobby.strategy_vote import NO_VOTE, PROPOSED, StrategyVote
from bot.tables.lobby.table_channel import TableChannel


class Absence(Worded):
    """What happens to the seat of a missing player, as the host has chosen."""

    ROBOT = "robot", "a robot plays until they are back"
    SUBSTITUTE = "substitute", "somebody else may take the seat"
    WAIT = "wait", "everybody waits"
    END = "end", "the match ends"


class Status(StrEnum):
    """The state of a table."""

    OPEN = "open"
    PLAYING = "playing"
    OVER = "over"
    CANCELLED = "cancelled"
    EXPIRED = "expired"


@dataclass(frozen=True, slots=True)
class Lobby:
    """A table: who sits where, by which rules, and what is chosen for it. Times are in Unix milliseconds.

    - `place`: where the table is shown.
    - `players`: by seat, None where it is free; seat i belongs to team i mod `teams`.
    - `rule_set`: the name under which the server has saved these rules; None for rules without a name.
    - `has_random_teams`: the seats are shuffled at the start.
    - `rematch_of`: the id of the table in whose place it was opened.
    - `closes_at`: when an open lobby that is neither changed nor started expires; None for never.
    - `starts_at`: when a quick start begins by itself, with robots on free seats; None for other lobbies.
    - `players_role`: the role that people may take at a quick start; `mentions_role`: its post mentions that role.
    - `wants_thread`: the match gets a thread of its own, if the channel can have one.
    - `vote`: which sign strategies the match allows.
    - `theme`: the faces of the cards.
    - `absence`: what happens to absent players, who are called after `afk_seconds` without a move (0 for never, None
      for the bot's default).
    - `robot_level`: how well robots play, except those on a seat with a level of its own.
    - `coaching`: whether people have a coach; lessons teach the host. A ranked match has none.
    - `robots_stay`: watchers cannot replace robots.
    - `invited`: the user ids of people who were invited while it is open.
    - `wants_rematch`: the user ids of players who have requested a rematch of this finished match.
    - `left`: the user ids of people who stood up, once for each time, as far as this process knows.
    - `ranked_rules`: the server's rules for ranked matches, loaded when this lobby is opened, when people sit down and
      when it starts; None between seasons.
    - `lacking`: the user ids of people who do not meet the server's entry rules.
    - `is_ranked`: None until the match starts; it may become False when a player is removed.

    Most methods are for open lobbies: `Lobbies.update` and `TableDirectory.start` refuse to change others.
    """

    id: int
    place: TableChannel
    host_id: int
    rules: Rules
    size: int
    players: tuple[Player | None, ...]
    has_random_teams: bool
    locale: str
    opened_at: int
    status: Status = Status.OPEN
    rematch_of: int | None = None
    wants_thread: bool = False
    rule_set: str | None = None
    vote: StrategyVote = NO_VOTE
    closes_at: int | None = None
    starts_at: int | None = None
    theme: Theme = Theme.FRENCH
    absence: Absence = Absence.ROBOT
    afk_seconds: int | None = None
    ranked_rules: RankedRules | None = field(default=None, compare=False)
    lacking: frozenset[int] = field(default=frozenset(), compare=False)
    is_ranked: bool | None = None
    robot_level: RobotLevel = RobotLevel.REGULAR
    coaching: Coaching = Coaching.NONE
    robots_stay: bool = False
    players_role: int | None = None
    mentions_role: bool = False
    invited: frozenset[int] = frozenset()
    wants_rematch: frozenset[int] = frozenset()
    left: tuple[int, ...] = field(default=(), compare=False)

    @property
    def eligibility(self) -> Eligibility:
        """Whether a match of these players would be ranked, or why not; a quick start counts free seats as robots."""
        robots = len(self.robot_seats()) + (self.players.count(None) if self.is_quick_start else 0)
        is_met = self.lacking.isdisjoint(self.people)
        return eligibility(self.ranked_rules, self.rules, size=self.size, robots=robots, is_entry_met=is_met)

    @property
    def teams(self) -> int:
        """The number of teams."""
        return teams_for(self.rules, self.size)

    @property
    def is_full(self) -> bool:
        """Whether no seat is free."""
        return None not in self.players

    @property
    def is_quick_start(self) -> bool:
        """Whether this is a quick start, which begins by itself."""
        return self.status is Status.OPEN and self.starts_at is not None

    @property
    def votable(self) -> tuple[Strategy, ...]:
        """The strategies that may be voted on; only spoken words remain if signs are not guessed (sheet 001)."""
        if self.rules.signs.guess is Guess.NOT_PLAYED:
            return (Strategy.SPOKEN,)
        are_alone = self.teams == self.size
        return tuple(strategy for strategy in Strategy if not (are_alone and strategy is Strategy.DOUBLE))

    @property
    def strategies(self) -> frozenset[Strategy]:
        """The strategies that the match allows beyond one sign per team; none without a vote."""
        return self.vote.outcome or frozenset()

    @property
    def awaited(self) -> tuple[Player, ...]:
        """The players that have not voted yet in a running vote, by seat."""
        return self.vote.awaited(self.players) if self.vote.is_running else ()

    def seat_of(self, user_id: int) -> int | None:
        """Return the seat of a user; None if they have none."""
        for seat, player in enumerate(self.players):  # quicker than a generator, with each panel
            if player is not None and player.user_id == user_id:
                return seat
        return None

    def members(self, team: int) -> range:
        """Return the seats of a team."""
        return range(team, self.size, self.teams)

    @property
    def people(self) -> dict[int, int]:
        """The seats of people, by user id, except people for whom a robot plays."""
        seats = enumerate(self.players)
        return {player.user_id: seat for seat, player in seats if player and player.user_id and not player.is_away}

    def robot_seats(self) -> tuple[int, ...]:
        """Return the seats of robots."""
        return tuple(seat for seat, player in enumerate(self.players) if player and player.is_robot)

    def join(self, player: Player) -> "Lobby | LobbyRefusal":
        """Return the lobby with a player on its first free seat."""
        if player.user_id is not None and self.seat_of(player.user_id) is not None:
            return LobbyRefusal(LobbyCode.ALREADY_SEATED)
        if self.is_full:
            return LobbyRefusal(LobbyCode.TABLE_FULL)
        return self._seated(self.players.index(None), player)

    def leave(self, user_id: int) -> "Lobby | LobbyRefusal":
        """Return the lobby without a player. The next person becomes the host; without people, it is cancelled."""
        seat = self.seat_of(user_id)
        if seat is None:
            return LobbyRefusal(LobbyCode.NOT_SEATED)
        left = replace(self._seated(seat, None), left=(*self.left, user_id))
        people = [player.user_id for player in left.players if player and player.user_id is not None]
        if not people:
            return left.closed(Status.CANCELLED)
        return left if self.host_id != user_id else replace(left, host_id=people[0])

    def hosted_by(self, user_id: int, former: int, *, has_left: bool) -> "Lobby | LobbyRefusal":
        """Return the lobby with another person at the table as host, if `former` is the current host.

        With `has_left`, the former host also loses the seat.
        """
        left = self.leave(former) if has_left and self.seat_of(former) is not None else self
        if isinstance(left, LobbyRefusal) or self.host_id != former or left.seat_of(user_id) is None:
            return left
        return replace(left, host_id=user_id)

    def set_robot_level(self, level: RobotLevel) -> "Lobby":
        """Return the lobby with this level for all robots, even those that had their own."""
        players = tuple(player and replace(player, robot_level=None) for player in self.players)
        return replace(self, robot_level=level, players=players)

    def level_of(self, seat: int) -> RobotLevel:
        """Return the level of the robot on a seat."""
        player = self.players[seat]
        return self.robot_level if player is None or player.robot_level is None else player.robot_level

    @property
    def help(self) -> Help:
        """How much the panels of the players mark."""
        return Help(self.players, self.coaching, bool(self.is_ranked))

    @property
    def is_to_be_ranked(self) -> bool:
        """Whether the match is ranked or, before its start, would be."""
        return self.eligibility is Eligibility.RANKED if self.is_ranked is None else self.is_ranked

    def choose_level(self, user_id: int, level: HelpLevel) -> "Lobby | LobbyRefusal":
        """Return the lobby with another level of help for a player."""
        seat = self.seat_of(user_id)
        player = None if seat is None else self.players[seat]
        if seat is None or player is None:
            return LobbyRefusal(LobbyCode.NOT_SEATED)
        if not self.help.is_chosen:
            return LobbyRefusal(LobbyCode.ONE_LEVEL)
        return self._seated(
            seat, replace(player, help_level=level, has_no_marks=player.has_no_marks and level is HelpLevel.BARE)
        )

    def filled(self, rng: Random) -> "Lobby":
        """Return the lobby with robots on all free seats."""
        lobby = self
        while not lobby.is_full:
            lobby = lobby._seated(lobby.players.index(None), Player(lobby.robot_name(rng)))
        return lobby

    def robot_name(self, rng: Random) -> str:
        """Return a robot's name that nobody at the table has."""
        return unused_name([player.name for player in self.players if player is not None], rng)

    def remove_robot(self) -> "Lobby | LobbyRefusal":
        """Return the lobby without its last robot."""
        robots = self.robot_seats()
        return self._seated(robots[-1], None) if robots else LobbyRefusal(LobbyCode.NO_ROBOT)

    def swap(self, seat: int, other: int) -> "Lobby | LobbyRefusal":
        """Return the lobby with two seats exchanged; its teams are no longer random."""
        if not {seat, other} <= {*range(self.size)}:
            return LobbyRefusal(LobbyCode.UNKNOWN_SEAT)
        players = list(self.players)
        players[seat], players[other] = players[other], players[seat]
        return replace(self, players=tuple(players), has_random_teams=False)

    def sit_beside(self, seat: int, other: int) -> "Lobby | LobbyRefusal":
        """Return the lobby with the player of seat `other` in the team of `seat`; its teams are no longer random.

        The player gets a free seat of the team if there is one, else exchanges seats with a robot of the team, else
        with a person.
        """
        if not {seat, other} <= {*range(self.size)}:
            return LobbyRefusal(LobbyCode.UNKNOWN_SEAT)
        mates = [mate for mate in self.members(seat % self.teams) if mate != seat]
        if not mates or other in mates:
            return replace(self, has_random_teams=False)
        robots = self.robot_seats()
        return self.swap(min(mates, key=lambda mate: (self.players[mate] is not None, mate not in robots)), other)

    def play_by(self, rules: Rules, rule_set: str | None = None) -> "Lobby | LobbyRefusal":
        """Return the lobby with other rules. If they are for a single number of players, the number of seats follows.

        Raises:
            RulesError: These rules do not allow so many players.
        """
        sizes = rules.seating.players
        is_told = "players" in changes(rules) and len(sizes) == 1
        return self._arranged(rules, sizes[0] if is_told else self.size, rule_set)

    def resize(self, size: int) -> "Lobby | LobbyRefusal":
        """Return the lobby with another number of seats; players keep their teams as far as the teams have seats.

        A number of players that the preset does not have becomes a house rule. Unless a deck was chosen, the deck grows
        and shrinks with the table.

        Raises:
            RulesError: The rules do not allow so many players.
        """
        of_preset = with_own_deck(self.rules)
        is_chosen = with_room(of_preset, self.size) != self.rules
        rules = for_players(self.rules if is_chosen else with_room(of_preset, size), size)
        return self._arranged(rules, size, self.rule_set if rules == self.rules else None)

    def propose_vote(self) -> "Lobby":
        """Return the lobby with a vote; a running or finished vote stays."""
        return replace(self, vote=PROPOSED) if self.vote == NO_VOTE else self

    def cast(self, user_id: int, yes: Collection[Strategy]) -> "Lobby | LobbyRefusal":
        """Return the lobby with a player's ballot: yes to these strategies, no to all others."""
        if self.seat_of(user_id) is None:
            return LobbyRefusal(LobbyCode.NOT_SEATED)
        if self.vote.outcome is not None:
            return LobbyRefusal(LobbyCode.VOTE_OVER)
        if not self.vote.is_running:
            return LobbyRefusal(LobbyCode.NO_VOTE)
        return replace(self, vote=self.vote.cast(user_id, frozenset(yes).intersection(self.votable), self.players))

    def withdraw_vote(self) -> "Lobby | LobbyRefusal":
        """Return the lobby without its vote, whether running or finished."""
        return LobbyRefusal(LobbyCode.NO_VOTE) if self.vote == NO_VOTE else replace(self, vote=NO_VOTE)

    def invite(self, user_ids: Collection[int]) -> "Lobby":
        """Return the lobby after these people were invited to it."""
        return replace(self, invited=self.invited.union(user_ids))

    def uninvite(self, user_ids: Collection[int]) -> "Lobby":
        """Return the lobby with the invitations of these people removed."""
        return replace(self, invited=self.invited.difference(user_ids))

    def start(self, *, is_friendly: bool = False) -> "Lobby | LobbyRefusal":
        """Return the lobby at the start of its match, ranked or not; `TableDirectory.start` draws random teams.

        With `is_friendly` the match is not ranked, even if it could be.
        """
        if not self.is_full:
            return LobbyRefusal(LobbyCode.SEATS_FREE)
        if self.awaited:
            return LobbyRefusal(LobbyCode.VOTE_RUNNING, self.awaited)
        is_ranked = not is_friendly and self.eligibility is Eligibility.RANKED
        coaching = Coaching.NONE if is_ranked else self.coaching
        begun = replace(
            self,
            status=Status.PLAYING,
            is_ranked=is_ranked,
            coaching=coaching,
            invited=frozenset(),
            starts_at=None,
        )
        return replace(begun, players=begun.help.at_start())

    def first_dealer(self, rng: Random) -> int:
        """Return the seat that deals first: the learner's in lessons, else a random one."""
        learner = self.seat_of(self.host_id) if self.coaching is Coaching.LESSONS else None
        return rng.randrange(self.size) if learner is None else learner

    def rematch(self) -> "Lobby | LobbyRefusal":
        """Return a new lobby for the people of a finished match; the seats of erased players are free."""
        if self.status is not Status.OVER:
            return LobbyRefusal(LobbyCode.NOT_OVER)
        again = self._again()
        again = replace(again, players=tuple(player if player and player.name else None for player in again.players))
        people = again.people
        if not people:
            return LobbyRefusal(LobbyCode.UNKNOWN_TABLE)
        return again if self.host_id in people else replace(again, host_id=next(iter(people)))

    def reopen(self, host: Player) -> "Lobby | LobbyRefusal":
        """Return a new lobby like one that expired, with the host as its only player."""
        if self.status is not Status.EXPIRED or host.user_id is None:
            return LobbyRefusal(LobbyCode.NOT_OPEN)
        return replace(self._again(), host_id=host.user_id, players=(host, *(None,) * (self.size - 1)))

    def closed(self, status: Status) -> "Lobby":
        """Return the lobby with this final status, and without what only open lobbies have."""
        return replace(self, status=status, vote=NO_VOTE, invited=frozenset(), starts_at=None)

    def _again(self) -> "Lobby":
        """Return a copy to be opened as a new lobby: without an id, a message or a vote."""
        coaching = Coaching.AWAY if self.coaching is Coaching.LESSONS else self.coaching
        again = replace(
            self.closed(Status.OPEN), id=0, rematch_of=self.id, is_ranked=None, wants_rematch=frozenset(), left=()
        )
        players = tuple(
            player and Player(player.name, player.user_id, robot_level=player.robot_level) for player in self.players
        )
        place = TableChannel(self.place.guild_id, self.place.channel_id)
        return replace(again, place=place, players=players, coaching=coaching)

    def _arranged(self, rules: Rules, size: int, rule_set: str | None) -> "Lobby | LobbyRefusal":
        check_table(rules, size)
        if sum(player is not None for player in self.players) > size:
            return LobbyRefusal(LobbyCode.SEATS_TAKEN)
        teams = teams_for(rules, size)
        players = self.players if (size, teams) == (self.size, self.teams) else self._spread(size, teams)
        arranged = replace(self, rules=rules, rule_set=rule_set, size=size, players=players)
        if arranged.votable != self.votable:
            return replace(arranged, vote=NO_VOTE)
        return arranged if size == self.size else replace(arranged, vote=self.vote.with_players(players))

    def _spread(self, size: int, teams: int) -> tuple[Player | None, ...]:
        """Return the players on another number of seats, in their order, and in their teams if these have seats."""
        seats: list[Player | None] = [None] * size
        unplaced: list[Player] = []
        for seat, player in enumerate(self.players):
            own = range(seat % self.teams, size, teams) if seat % self.teams < teams else range(0)
            free = next((other for other in own if seats[other] is None), None)
            if free is not None:
                seats[free] = player
            elif player is not None:
                unplaced.append(player)
        for player in unplaced:
            seats[seats.index(None)] = player
        return tuple(seats)

    def _seated(self, seat: int, player: Player | None) -> "Lobby":
        """Return the lobby with another player on a seat; None frees it."""
        players = (*self.players[:seat], player, *self.players[seat + 1 :])
        return replace(self, players=players, vote=self.vote.with_players(players))


def new_lobby(*, place: TableChannel, host: Player, rules: Rules, size: int, locale: str) -> Lobby:
    """Return a lobby that is not saved yet, with random teams and the host on the first seat.

    Raises:
        ValueError: The host is a robot.
    """
    if host.user_id is None:
        raise ValueError("a robot cannot be the host of a table")
    players = (host, *(None,) * (size - 1))
    return Lobby(0, place, host.user_id, rules, size, players, True, locale, opened_at=0)
