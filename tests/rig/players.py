"""Scripted players: each looks at the messages it sees and presses what is enabled there, as a person would.

They know the custom ids' shape and nothing of the rules: what they may do is what they are offered.
"""

import asyncio
import itertools
import random
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from bot.discord.api.custom_ids import Press, parse_id
from bot.game.cards import HAND_SIZE
from bot.sandbox.discord.people import Refused
from bot.ui.lobby.verbs import FILL, LobbyVerb
from bot.ui.table.verbs import TableVerb
from tests.rig.remote import Outcome, Remote
from tests.seen import Seen

_PATIENCE_S = 3.0
"""So soon a table is there that is to come at all."""


@dataclass(frozen=True, slots=True)
class Offer:
    """An enabled control of a message."""

    message: Seen
    press: Press
    custom_id: str
    values: tuple[str, ...] = ()


def offers(message: Seen | None, table_id: int) -> dict[str, list[Offer]]:
    found: dict[str, list[Offer]] = {}
    for control in () if message is None else message.controls:
        press = parse_id(control.custom_id)
        if press is not None and press.table_id == table_id and not control.disabled:
            offer = Offer(message, press, control.custom_id, control.values)  # type: ignore[arg-type]  # not None here
            found.setdefault(press.verb, []).append(offer)
    return found


def table_ids(message: Seen) -> set[int]:
    read = (parse_id(control.custom_id) for control in message.controls)
    return {press.table_id for press in read if press is not None and press.table_id > 0}


@dataclass(eq=False)
class Group:
    """People who play together, the host first, match after match. ``table_id`` is their present table, 0 for none.

    ``channel`` is where they open tables, 0 for the first one.
    """

    remote: Remote
    members: "list[Player]"
    options: dict[str, str] = field(default_factory=dict)
    table_id: int = 0
    channel: int = 0

    @property
    def host(self) -> "Player":
        return self.members[0]

    def board(self) -> Seen | None:
        """The public message of the present table."""
        newest = (m for m in reversed(self.remote.messages.values()) if m.viewer_id is None)
        return next((m for m in newest if self.table_id in table_ids(m)), None)

    def look_around(self) -> None:
        """Notice the newest table that names the host: a lobby, or the match of a rematch."""
        for message in self.remote.messages.values():
            if message.viewer_id is None and self.host.name in message.text:
                self.table_id = max(self.table_id, *table_ids(message), 0)

    async def sit_down(self) -> None:
        while self.board() is None:
            await self.remote.slash(self.host.user, "kems start", self.channel, **self.options)
            with suppress(AssertionError):  # a busy bot may have asked to press again
                await self.remote.until(self._is_open, "a table", _PATIENCE_S)
        while LobbyVerb.START in offers(self.board(), self.table_id) or not self.is_full():
            for member in self.members:
                await member.step()
            await asyncio.sleep(0.05)

    def _is_open(self) -> bool:
        self.look_around()
        return self.board() is not None

    async def play_until(self, verb: str) -> Offer:
        """Play as they do until the table's message offers something."""
        async with asyncio.timeout(60):
            for member in itertools.cycle(self.members):
                offered = offers(self.board(), self.table_id).get(verb)
                if offered:
                    return offered[0]
                await member.step()
                await asyncio.sleep(0.01)
        raise AssertionError("a cycle does not end")

    def is_full(self) -> bool:
        board = self.board()
        starts = offers(board, self.table_id).get(LobbyVerb.START, [])
        return board is not None and all(start.press.arg != FILL for start in starts)


@dataclass(eq=False)
class Player:
    """One member. ``boldness`` is the share of turns with something else than an exchange."""

    name: str
    user: int
    remote: Remote
    rng: random.Random
    opens_hunts: bool = True
    boldness: float = 0.1
    exchanges: bool = True
    group: Group = field(init=False)

    @property
    def table_id(self) -> int:
        return self.group.table_id

    def panel(self) -> Seen | None:
        """One's own private message of the present table; lines of text are none."""
        newest = (m for m in reversed(self.remote.messages.values()) if m.viewer_id == self.user)
        return next((m for m in newest if self.table_id in table_ids(m)), None)

    async def play(self, pause: tuple[float, float]) -> None:
        """Play for ever, with pauses of so many seconds; stop it by cancelling."""
        while True:
            await self.step()
            await asyncio.sleep(self.rng.uniform(*pause))

    async def step(self) -> Outcome | None:
        self.group.look_around()
        chosen = self._choose()
        return None if chosen is None else await self.press(chosen)

    async def press(self, offer: Offer) -> Outcome | None:
        """Press something; None when it has just gone."""
        values = [self.rng.choice(offer.values)] if offer.values else []
        try:
            return await self.remote.press(self.user, offer.message, offer.custom_id, values)
        except Refused:
            return None

    async def open_hand(self) -> Outcome | None:
        return await self.press_on(self.group.board(), TableVerb.HAND)

    async def press_on(self, message: Seen | None, verb: str) -> Outcome | None:
        """Press the first button of a verb on a message; None where it has none."""
        offered = offers(message, self.table_id).get(verb)
        return await self.press(offered[0]) if offered else None

    async def press_first(self, verb: str) -> Outcome | None:
        return await self.press(offers(self.panel(), self.table_id)[verb][0])

    def _choose(self) -> Offer | None:
        board, panel = (offers(m, self.table_id) for m in (self.group.board(), self.panel()))
        for choice in (self._before_the_match(board), self._about_signs(board, panel), self._in_a_round(board, panel)):
            if choice is not None:
                return choice
        return None

    def _before_the_match(self, board: dict[str, list[Offer]]) -> Offer | None:
        if LobbyVerb.JOIN in board and self.name not in board[LobbyVerb.JOIN][0].message.text:
            return board[LobbyVerb.JOIN][0]
        if LobbyVerb.START in board:
            return board[LobbyVerb.START][0] if self is self.group.host and self.group.is_full() else None
        return board[TableVerb.REMATCH][0] if TableVerb.REMATCH in board and self._now_and_then() else None

    def _about_signs(self, board: dict[str, list[Offer]], panel: dict[str, list[Offer]]) -> Offer | None:
        if TableVerb.HAND in board or TableVerb.SIGN_PANEL not in board:
            return None
        if TableVerb.ACCEPT in panel:
            return panel[TableVerb.ACCEPT][0]
        if TableVerb.PROPOSE in panel:
            return self.rng.choice(panel[TableVerb.PROPOSE]) if self._now_and_then() else None
        return board[TableVerb.SIGN_PANEL][0] if TableVerb.NEXT not in board and self._now_and_then() else None

    def _in_a_round(self, board: dict[str, list[Offer]], panel: dict[str, list[Offer]]) -> Offer | None:
        if TableVerb.NEXT in board:
            return board[TableVerb.NEXT][0] if self._now_and_then() else None
        asked_whom = [TableVerb.COUNTER_AT] if TableVerb.HAND in panel else []  # on a page of its own
        for verb in (TableVerb.SHOW, TableVerb.SHOWING, *asked_whom):
            if verb in panel:
                return self.rng.choice(panel[verb])
        if not panel.keys() & {
            TableVerb.PUT,
            TableVerb.TAKE,
            TableVerb.KEMS,
            TableVerb.GESTURE,
            TableVerb.YES,
            TableVerb.OPEN,
        }:
            return board[TableVerb.HAND][0] if TableVerb.HAND in board and self._now_and_then() else None
        if TableVerb.OPEN in panel:
            return panel[TableVerb.OPEN][0] if self.opens_hunts else None
        if TableVerb.YES in panel:
            return self.rng.choice([*panel[TableVerb.YES] * 4, *panel.get(TableVerb.NO, [])])
        if not self.exchanges:
            return None
        if TableVerb.TAKE in panel and len(panel.get(TableVerb.PUT, [])) < HAND_SIZE:
            return self.rng.choice(panel[TableVerb.TAKE])
        bold = [offer for verb in _BOLD for offer in panel.get(verb, [])]
        if bold and self.rng.random() < self.boldness:
            return self.rng.choice(bold)
        return self.rng.choice(panel[TableVerb.PUT]) if TableVerb.PUT in panel else None

    def _now_and_then(self) -> bool:
        return self.rng.random() < 0.6


_BOLD: Sequence[str] = (TableVerb.GESTURE, TableVerb.SWEEP, TableVerb.KEMS, TableVerb.COUNTER, TableVerb.COUNTER_AT)


@asynccontextmanager
async def playing(those: Iterable[Group], pause: tuple[float, float]) -> AsyncIterator[list[asyncio.Task[None]]]:
    """Everybody plays meanwhile; presses that are under way at the end are left to their fate."""
    tasks = [asyncio.create_task(player.play(pause)) for group in those for player in group.members]
    try:
        yield tasks
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def groups(remote: Remote, sizes: Sequence[int], seed: int, kind: type[Group] = Group, **options: str) -> list[Group]:
    """The Discord's members as groups of these sizes; every second group leaves the hunt to open by itself."""
    people = iter(remote.users.items())
    made = []
    for number, size in enumerate(sizes):
        members = [
            Player(name, user, remote, random.Random(f"{seed} {name}"), opens_hunts=number % 2 == 0)
            for _, (name, user) in zip(range(size), people, strict=False)
        ]
        group = kind(remote, members, {"players": str(size), **options})
        for member in members:
            member.group = group
        made.append(group)
    return made


async def one_in_each_channel(remote: Remote, seed: int = 1) -> list[Group]:
    """Four people in each channel, with their hunt open."""
    made = groups(remote, [4] * len(remote.channels), seed)
    for group, channel in zip(made, remote.channels.values(), strict=True):
        group.channel = channel
    await asyncio.gather(*(group.sit_down() for group in made))
    for group in made:
        await group.play_until(TableVerb.HAND)
    return made
