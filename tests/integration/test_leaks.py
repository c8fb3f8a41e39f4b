"""What a running match tells a watcher and the log: no card in a hand, no sign, no ballot, whatever is asked for.

`tests/ui/test_leaks.py` searches what is drawn, over many rounds; here are answers, commands and log lines.
"""

import io
import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
import structlog

from bot.base.log import configure
from bot.game.cards import parse_card
from bot.game.signs import Strategy
from bot.ui.table.verbs import TableVerb
from tests.integration.fuzzing import STRANGER
from tests.integration.harness import BRUNO, DORA, LEA, PEOPLE, Member
from tests.integration.table import Table, kems, lobby
from tests.integration.test_rights import MATCH
from tests.integration.test_vote import ballot
from tests.ui.walk import FR, faces_of
from tests.verbs import VERBS

SIGNS = ("🦔🗿", "🦩🗿")
MARK = "🗿"  # in no other sign, and in no palette
CODE = re.compile(r"(?<![\w%-])(?:[2-9TJQKA][SHDC]|X[12])(?![\w-])")
FACE = re.compile("(?:10|[2-9AVDRJQK])[♠♥♦♣]")
MINE_ALONE = {TableVerb.PLAY, TableVerb.FRIENDS}  # open a table of the watcher's own
ARGS = ("", "0", "7S")

pytestmark = pytest.mark.usefixtures("logging_restored")


class Watch:
    """What the watcher may know of the cards of this round: those that lay open. The rest must not be shown."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.watcher = table.harness[STRANGER]
        self.start()

    def start(self) -> None:
        """A round begins; what was laid open in the former ones stays in their messages."""
        self.since = max(message.id for message in self.watcher.messages())
        self.open: set[str] = set()

    def look(self, watcher: Member | None = None) -> None:
        """Search all that the watcher sees of this round."""
        watcher = watcher or self.watcher
        self.open |= set(self.table.pool())
        held = {card for name in PEOPLE for card in self.table.hand(name)} - self.open
        hidden = faces_of({parse_card(code) for code in held}, FR)
        for message in watcher.messages():
            shown = "\n".join((message.text, *(c.label + c.custom_id for c in message.controls), *message.pictures))
            assert MARK not in shown
            if message.id > self.since:
                assert not hidden & set(FACE.findall(shown)), message.text
                assert not held & set(CODE.findall(shown)), message.controls
                assert message.pictures == ()


async def press_everything(table: Table, args: Sequence[str]) -> None:
    """The watcher forges every press there is, with these arguments, or with that of its case in `test_rights`."""
    for verb in sorted(set(VERBS) - MINE_ALONE):
        for arg in args or (MATCH[verb].arg if verb in MATCH else "",):
            await table.forge(STRANGER, f"k1:{table.id}:{verb}" + (f":{arg}" if arg else ""))


async def ask_everything(table: Table) -> None:
    """The watcher asks for whatever there is about matches."""
    watcher = table.harness[STRANGER]
    for command in ("records match", "records export", "records replay"):
        await watcher.slash(f"kems {command}", number=table.id)
    for command in (
        *("records history", "records stats", "leaderboard", "hand", "rules"),
        *("ladder about", "table substitute", "privacy export"),
    ):
        await watcher.slash(f"kems {command}")
    await watcher.slash("kems sign", gesture="🍀")


@pytest.mark.parametrize("args", [(), pytest.param(ARGS, marks=pytest.mark.long)], ids=["own", "any"])
async def test_a_watcher_and_the_log_learn_nothing_of_a_running_match(tmp_path: Path, args: Sequence[str]) -> None:
    log = io.StringIO()
    configure("DEBUG", "json", log)
    async with kems(tmp_path) as harness:
        table = await lobby(harness, *PEOPLE[1:])
        await table.press(LEA, "settings")
        await harness[LEA].choose(f"k1:{table.id}:set:teams", "chosen")
        await table.act(LEA, "set:vote:on")
        for name in PEOPLE:
            await ballot(table, name, Strategy.DOUBLE, *((Strategy.SPOKEN,) if name == BRUNO else ()))
        await table.act(LEA, "start")
        assert "parl" not in "".join(m.text for m in harness[STRANGER].messages()), (
            "one ballot said yes to spoken signs"
        )
        for (proposer, partner), sign in zip(table.teams, SIGNS, strict=True):
            await table.propose(proposer, "single", sign)
            await table.accept(partner)
        await table.settle()
        watch = Watch(table)
        for number in range(2):
            await table.next_round(LEA) if number else await table.open_hunt()
            await table.press(BRUNO, "hand")
            watch.look()
            with pytest.raises(AssertionError):
                watch.look(harness[BRUNO])  # who sees a hand: that would be found
            await table.exchange_anything(DORA)
            await table.counter(BRUNO, LEA)
            watch.look()
            if number:
                await press_everything(table, args)
                await ask_everything(table)
                watch.look()
            await table.sweep()
            watch.look()
            await table.act(LEA, "kems")
            watch.start()
        assert FACE.search(table.board()), "the hands are laid open"

    lines = log.getvalue()
    assert told(lines) == []
    structlog.get_logger().debug("leak", hand=["7S"], sign=SIGNS[0])
    assert told(log.getvalue()) == ["7S", MARK], "a line that tells them would be found"


def told(lines: str) -> list[str]:
    """Cards, signs and ballots in the log."""
    found = CODE.findall(lines) + FACE.findall(lines) + re.findall(MARK, lines) + re.findall("spoken", lines)
    assert json.loads(lines.splitlines()[0]), "each line is an object"
    return found
