"""Plays Kem's as its members do: every card and every score is read from what a member sees, every move is a press.

Used by the integration tests; it knows Discord's messages and custom ids, and nothing of the bot's insides.
"""

import asyncio
import random
import re
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import Any

from bot import compose
from bot.base.settings import Settings
from bot.discord.gateway.client import KemsClient
from bot.discord.interactions.admission.admission import PressRate
from bot.discord.text.texts import language_of
from bot.game.actions import AcceptSign, ProposeSign
from bot.game.signs import PlanKind, Sign, SignPlan, Strategy
from bot.records.player import Player
from bot.tables.lobby.lobby import Lobby
from bot.tables.lobby.refusals import LobbyRefusal
from bot.ui.table.feature import TableFeature
from bot.ui.table.messages.table_messages import TableMessages
from tests.databases import migrated
from tests.integration import simcord_patches
from tests.integration.harness import PEOPLE, Harness, Member, Seen, running

JOKER = "X"
_MANY = 10**9
_LOOKS, _SOON_S = 100, 0.01
_FACE = re.compile("(10|[2-9AVDRJQK])([♠♥♦♣])")
_RANKS = {"10": "T", "V": "J", "D": "Q", "R": "K"}
_SUITS = dict(zip("♠♥♦♣", "SHDC", strict=True))


class HarnessClock:
    """The bot's clock, which is the simulated Discord's."""

    def __init__(self, harness: Harness) -> None:
        self.now = harness.milliseconds


def settings_for(folder: Path, **changes: object) -> Settings:
    """A database of one's own; rounds follow only when asked for, and nobody is missed."""
    address = {"database_url": f"sqlite:///{folder / 'kems.db'}"} if "database_url" not in changes else {}
    return _settings(**changes).model_copy(update=address)


@cache
def _settings(**changes: object) -> Settings:
    values: dict[str, object] = {
        "table_threads": False,
        "auto_open": 0,
        "auto_next": 0,
        "afk_seconds": 0,
        "sure_matches": 0,  # boards and podiums list settled ratings
        "sure_partners": 0,
        "table_pictures": 0,  # tables are read as text; what pictures show has tests of its own
    }
    values["photo_finish_ms"] = 0  # calls are answered at once; what the window does has tests of its own
    return Settings(_env_file=None, **{**values, **changes})  # type: ignore[arg-type]  # pydantic checks them


@asynccontextmanager
async def kems(
    folder: Path,
    *,
    seed: int = 7,
    locale: str = "fr",
    pace: PressRate | None = None,
    has_allowances: bool = True,
    server: Mapping[str, Any] | None = None,
    **changes: object,
) -> AsyncIterator[Harness]:
    """The whole bot in a simulated Discord; `locale` is everybody's, and the default of the bot's host.

    `server` has options of `Harness`, about the server's own language.

    People press as often as they like at one instant, unless there is a `pace`.
    """
    migrated(folder)
    settings = settings_for(folder, **{"default_locale": language_of(locale)} | changes)
    made: list[KemsClient] = []

    def make_bot(harness: Harness) -> KemsClient:
        clock, rng, calm = HarnessClock(harness), random.Random(seed), pace or PressRate(burst=_MANY)
        made.append(compose.build_client(settings, clock=clock, rng=rng, pace=calm, has_allowances=has_allowances))
        return made[-1]

    try:
        async with running(make_bot, locale=locale, **server or {}) as harness:
            yield harness
    finally:
        for bot in made:  # a crashed one leaves its connection to the database behind, and so does a failed test
            await bot.rooms.close()


def messages_of(bot: KemsClient) -> TableMessages:
    return next(feature.messages for feature in bot.features if isinstance(feature, TableFeature))


class Table:
    """Members at a table in the harness's channel, in teams that are chosen: seats are taken in order of joining."""

    def __init__(self, harness: Harness, people: Sequence[str] = PEOPLE, teams: int = 2) -> None:
        self.harness = harness
        self.people = tuple(people)
        self.teams = [self.people[team::teams] for team in range(teams)]
        self.id = 0

    # ------------------------------------------------------------------ before the hunt

    async def open(self, *, vote: Collection[Strategy] = (), **options: object) -> None:
        """`/kems start`, everybody votes for these sign strategies if there are any, and the match starts.

        The others sit down without a press, and so do the teams stay as people sit.
        """
        host, *others = (self.harness[name] for name in self.people)
        known = {message.id for message in host.messages()}
        await host.slash("kems start", **{"rules": "classic"} | options)
        await self._until(lambda: host.last().id not in known and ":join" in str(host.last()))
        self.id = int(re.findall(r"k1:(\d+):join", str(host.last()))[0])
        await self.seat(*others)
        if vote:
            await host.click("Réglages…")
            await self.act(self.people[0], "set:vote:on")
        for name in self.people if vote else ():
            await self.press(name, "vote")
            await self.member(name).choose(f"k1:{self.id}:ballot:yes", *(strategy.value for strategy in vote))
        shown = (self.message().control(f"k1:{self.id}:{verb}") for verb in ("start", "start:fill"))
        await host.click(next(control.custom_id for control in shown if control is not None))
        if self.message().control(f"k1:{self.id}:sign_panel") is None:
            await self.settle()  # the table is posted in a thread of its own

    async def seat(self, *members: Member) -> None:
        """These take their seats in the lobby without a press; the teams are as people sit."""
        backend = self.harness.env.backend
        nicks = {user_id: one.nick for user_id, one in backend.get_guild(self.harness.guild.id).members.items()}

        def seated(lobby: Lobby) -> Lobby | LobbyRefusal:
            for member in members:
                name = nicks[member.id] or backend.users[member.id].global_name
                joined = lobby.join(Player(str(name), member.id))
                assert isinstance(joined, Lobby), joined
                lobby = joined
            return replace(lobby, has_random_teams=False)

        with simcord_patches.as_bot(self.harness.env):
            await self.harness.bot.rooms.directory.lobbies.update(self.id, seated)

    async def agree(self, signs: Iterable[str] = ("👀", "🍀")) -> None:
        """Each team settles its sign: one types it, the partner accepts. The first round is dealt."""
        for (proposer, partner), sign in zip(self.teams, signs, strict=True):
            await self.propose(proposer, sign)
            await self.accept(partner)
        await self.settle()

    async def agree_at_once(self) -> None:
        """Each team of two settles its sign without a press. The first round is dealt."""
        match = self.harness.bot.rooms.directory.table(self.id)
        with simcord_patches.as_bot(self.harness.env):
            for team, sign in enumerate("👀🍀"):
                plan = SignPlan(PlanKind.SINGLE, (Sign(sign),))
                await match.submit(ProposeSign(team, plan))
                await match.submit(AcceptSign(team + 2, plan))
        await self.settle()

    async def agree_on_what_is_offered(self) -> list[str]:
        """Each team takes the first sign that its panel offers. The first round is dealt; the signs, by team."""
        signs = []
        for proposer, *partners in self.teams:
            await self.press(proposer, "sign_panel")
            sign = self._codes(self.panel(proposer), "propose")[0]
            signs.append(sign)
            await self.press(proposer, f"propose:{sign}")
            for partner in partners:
                await self.accept(partner)
        await self.settle()
        return signs

    async def propose(self, name: str, *fields: str) -> None:
        """A member fills in the form of the team's sign panel, whose fields are these."""
        await self.look_at_signs(name)
        if self.panel(name).control(f"k1:{self.id}:other") is None:
            await self.press(name, "choose")  # something is settled or proposed already
        form = await self.member(name).click("Autre…", self.panel(name))
        await self.member(name).submit(form, *fields)

    async def guess(self, name: str, team: int, signs: str) -> None:
        """A member names the signs of a team, which is numbered from 1."""
        await self.look_at_signs(name)
        form = await self.member(name).click(f"k1:{self.id}:guess:{team - 1}")
        await self.member(name).submit(form, signs)
        await self.settle()

    async def accept(self, name: str) -> None:
        """A member accepts what the team's sign panel shows as proposed."""
        await self.look_at_signs(name)
        await self.press(name, f"accept:{self.offered(name, 'accept')[0]}")

    async def look_at_signs(self, name: str) -> None:
        """A member's panel shows the team's signs; from the table's message if there is none yet."""
        panel = next((m for m in self.member(name).newest(ephemeral=True) if m.controls), None)
        if panel is None or not any(panel.control(f"k1:{self.id}:{verb}") for verb in ("other", "choose")):
            await self.press(name, "sign_panel")

    def offered(self, name: str, verb: str) -> list[str]:
        """The arguments of the buttons of that verb on a member's panel."""
        return self._codes(self.panel(name), verb)

    async def open_hunt(self) -> None:
        """Everybody looks at their hand, the dealer opens the hunt."""
        for name in self.people:
            await self.press(name, "hand")
        dealer = next(name for name in self.people if f"{name} distribue" in self.board())
        await self.press(dealer, "open")
        await self.settle()

    async def next_round(self, name: str) -> None:
        """Somebody asks for the next round, and its hunt is opened."""
        await self.press(name, "next")
        await self.settle()
        await self.open_hunt()

    # ------------------------------------------------------------------ looking

    def message(self) -> Seen:
        """The newest public message of the bot that is not a call to somebody who is missed."""
        return next(m for m in self.harness.newest_posted() if not m.text.startswith("<@"))

    def board(self) -> str:
        """Its text, none if it was deleted."""
        return next((m.text for m in self.harness.newest_posted() if not m.text.startswith("<@")), "")

    def panel(self, name: str) -> Seen:
        """A member's own panel: the newest private message that is more than a line."""
        return next(m for m in self.harness[name].newest(ephemeral=True) if m.controls)

    def hand(self, name: str) -> list[str]:
        """A member's cards, by code, from the buttons of their own panel."""
        return self._codes(self.panel(name), "put")

    def pool(self) -> list[str]:
        """The open cards, by code: as the public table says, or the first hand panel that is open."""
        lines = self.board().replace("\ufe0e", "").splitlines()
        first = next((line for line in lines if _FACE.search(line) or "🃏" in line), "")
        start = lines.index(first) if first else 0
        told = takewhile(lambda line: _FACE.search(line) or line.startswith("#"), lines[start:])
        if first and "🃏" not in first:
            return [_RANKS.get(rank, rank) + _SUITS[suit] for line in told for rank, suit in _FACE.findall(line)]
        own = (m for name in self.people for m in self.harness[name].newest(ephemeral=True))
        return next((cards for message in own if (cards := self._codes(message, "take"))), [])

    def can_press(self, name: str, what: str) -> bool:
        """Whether a button is there and enabled on the member's own panel."""
        control = self.panel(name).control(f"k1:{self.id}:{what}")
        return control is not None and not control.disabled

    def score(self) -> tuple[int, ...]:
        """The points that the newest public message shows, by team."""
        board = self.board().replace("−", "-")  # a minus sign, as numbers should have
        two = re.search(r"Équipe 1 · \**(-?\d+) — (-?\d+)\** · Équipe 2", board)
        found = list(two.groups()) if two else re.findall(r"Équipe \d+ · \*\*(-?\d+)\*\*", board)[: len(self.teams)]
        assert len(found) == len(self.teams), board
        return tuple(map(int, found))

    def _codes(self, message: Seen, verb: str) -> list[str]:
        start = f"k1:{self.id}:{verb}:"
        return [c.plain_id.removeprefix(start) for c in message.controls if c.plain_id.startswith(start)]

    # ------------------------------------------------------------------ acting

    async def press(self, name: str, what: str) -> str:
        """Press the newest button of that verb (and argument) that the member sees; what they read in private then."""
        member, button = self.member(name), f"k1:{self.id}:{what}"
        await self._until(lambda: any(message.control(button) is not None for message in member.newest()))
        await member.click(button)
        return member.told

    async def act(self, name: str, what: str) -> str:
        """Press; what the table shows then."""
        return await self.after(self.press(name, what))

    async def after(self, act: Awaitable[object]) -> str:
        """What the table shows once this is done."""
        await act
        return await self.settle()

    async def _until(self, is_so: Callable[[], bool]) -> None:
        """Wait for a message: on PostgreSQL it may come after the answer, and a channel takes 5 posts in 5 seconds."""
        for look in range(1, _LOOKS):
            if is_so():
                return
            await asyncio.sleep(_SOON_S)
            await (self.harness.settle() if look % 10 else self.settle())

    def member(self, name: str) -> Member:
        """Somebody at the table."""
        return self.harness[name]

    async def forge(self, name: str, custom_id: str, **fields: object) -> str:
        """Press a button that is on no message, as only a tampered client can; gives the answer that is seen."""
        return await self.member(name).forge(custom_id, self.message(), **fields)

    async def delete(self, message: Seen) -> None:
        """The guild's owner deletes a message."""
        stored = simcord_patches.stored_messages(self.harness.env, message.channel_id, self.harness["Léa"].id)
        one = next(m for m in stored if m.id == message.id)
        await self.harness["Léa"].actor.delete(simcord_patches.handle(self.harness.env, one))

    async def settle(self) -> str:
        """Let the coalesced edits arrive: a post and an edit take two turns of a message's pace."""
        return await self.later(2.6)

    async def later(self, seconds: float) -> str:
        """What the table shows so many seconds later."""
        await self.harness.advance(seconds)
        return self.board()

    async def swap(self, name: str, down: str, up: str) -> None:
        """One exchange from the member's own panel."""
        await self.press(name, f"put:{down}")
        await self.press(name, f"take:{up}")

    async def exchange_anything(self, name: str) -> None:
        """One exchange that changes the hand and ends nothing."""
        await self.swap(name, self.spare(name), self.pool()[0])
        await self.settle()

    async def counter(self, name: str, target: str) -> None:
        """One tap where two opponents sit; else counter, then whom."""
        if self.panel(name).control(f"k1:{self.id}:counter_at:{self.people.index(target)}") is None:
            await self.press(name, "counter")
        await self.press(name, f"counter_at:{self.people.index(target)}")

    async def show(self, name: str) -> None:
        """Two taps: the request in the member's panel, then the first choice of cards."""
        await self.press(name, "showing")
        await self.press(name, f"show:{self.offered(name, 'show')[0]}")

    async def sweep(self) -> None:
        """After the quiet time somebody asks, all agree."""
        await self.harness.advance(6)
        asker = next(name for name in self.people if self.can_press(name, "sweep"))
        await self.press(asker, "sweep")
        for name in self.people:
            if name != asker:
                await self.press(name, "yes")
        await self.settle()

    async def gather(self, *holders: str, jokers: int = 0) -> None:
        """Play until each of the holders has four alike, some of them jokers, sweeping in between."""
        wanted: dict[str, str] = {}
        for _ in range(16):
            for holder in holders:
                wanted[holder] = wanted.get(holder) or self._best_rank(holder, set(wanted.values()))
                await self._collect(holder, wanted[holder], wanted)
            if all(self._counts(name)[rank] + jokers >= 4 for name, rank in wanted.items()):
                return
            await self.sweep()
        raise AssertionError(f"no Kem's came together: {wanted}, hands {[self.hand(n) for n in self.people]}")

    def _counts(self, name: str) -> Counter[str]:
        return Counter(card[0] for card in self.hand(name))

    def _best_rank(self, holder: str, taken: set[str]) -> str:
        visible = Counter(card[0] for name in self.people for card in self.hand(name)) + Counter(
            card[0] for card in self.pool()
        )
        own = self._counts(holder)
        return max(
            (rank for rank in visible if rank not in taken and rank != JOKER),
            key=lambda rank: (visible[rank], own[rank], rank),
        )

    async def _collect(self, holder: str, rank: str, wanted: dict[str, str]) -> None:
        """Bring every visible card of the rank into the holder's hand, the others giving theirs away."""
        while missing := [card for card in self._elsewhere(holder) if card[0] == rank and self._spares(holder, rank)]:
            card = missing[0]
            giver = next((name for name in self.people if card in self.hand(name)), None)
            if giver is not None:
                await self.press(giver, f"put:{card}")
                await self.settle()
            await self.swap(holder, self.spare(holder, rank), card)
            await self.settle()
            if giver is not None:
                await self.press(giver, f"take:{self._best_take(wanted.get(giver), wanted.values())}")
                await self.settle()

    def _best_take(self, own: str | None, wanted: Collection[str]) -> str:
        """A card of the rank that one collects oneself, else one that nobody does."""
        return min(self.pool(), key=lambda card: (card[0] != own, card[0] in wanted, card))

    def _elsewhere(self, holder: str) -> list[str]:
        return [*self.pool(), *(card for name in self.people if name != holder for card in self.hand(name))]

    def _spares(self, holder: str, rank: str) -> list[str]:
        return [card for card in self.hand(holder) if card[0] not in (rank, JOKER)]

    def spare(self, holder: str, rank: str = "") -> str:
        """A card to put down that does not leave three alike in the pool."""
        pool = Counter(card[0] for card in self.pool())
        return min(self._spares(holder, rank), key=lambda card: (pool[card[0]], card))


async def lobby(harness: Harness, *others: str, host: str = "Léa", **options: object) -> Table:
    """A table that the host has just opened, and these have joined."""
    table = Table(harness)
    await harness[host].slash("kems start", **{"rules": "classic"} | options)
    table.id = int(re.findall(r"k1:(\d+):join", str(harness[host].last()))[0])
    for name in others:
        await table.press(name, "join")
    return table


async def begun(harness: Harness, **options: object) -> Table:
    """Four people at a table; their signs are still to be agreed on."""
    table = Table(harness)
    await table.open(**options)
    return table


async def dealt(harness: Harness, **options: object) -> Table:
    """Four people at a table whose signs are settled, without a press: cards are on it."""
    table = await begun(harness, **options)
    await table.agree_at_once()
    return table


async def hunting(harness: Harness, **options: object) -> Table:
    """Four people at a table, cards on it, the hunt is open."""
    table = await dealt(harness, **options)
    await table.open_hunt()
    return table


async def end_season(member: Member) -> None:
    """Ask for the end of the running season, and confirm it."""
    await member.slash("kems-admin season end")
    question = member.last(ephemeral=True)
    (confirmed,) = (control.plain_id for control in question.controls)
    await member.click(confirmed, question)


async def void(member: Member, number: int, reason: str) -> None:
    """Declare a match void, with the reason that the form asks for."""
    form = await member.slash("kems-admin ladder void", number=number)
    await member.submit(form, reason)
