"""A question is answered with yes once, whoever was asked it, and knows when it was asked."""

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest

from bot.base.errors import StoreError
from bot.discord.api import components as c
from bot.discord.api import patience
from bot.discord.api.components import confirmation, danger, renewed
from bot.discord.api.custom_ids import make_id, parse_id
from bot.discord.api.interactions import RefusedError
from bot.discord.api.patience import SlowStoreError, or_later
from bot.discord.interactions.admission.press_notes import PressOutcome
from bot.discord.interactions.admission.questions import AnsweredQuestions

LEA, CHLOE = 5, 6
FIRST = 1_400_000_000_000_000_000  # the ids of presses grow with time
GUILD = 1


class Server:
    """People who are asked, and press yes; what they ask for is done so many times."""

    def __init__(self) -> None:
        self.questions, self.now, self.done = AnsweredQuestions(), FIRST, 0

    def asked(self, *, is_own: bool = False, arg: str = "3") -> str:
        self.now += 1
        question = confirmation("?", [], danger("Yes", make_id(0, "season_end", arg)), is_own=is_own)
        (button,) = c.parts_of(renewed(question, self.now))[-1]["components"]  # type: ignore[typeddict-item]
        return str(button["custom_id"])

    async def yes(
        self, user_id: int, custom_id: str, *, fails: bool = False, slow: asyncio.Task[None] | None = None
    ) -> None:
        self.now += 1
        press, handling = parse_id(custom_id), PressOutcome("season_end")
        assert press is not None
        user = SimpleNamespace(id=user_id)
        pressed: Any = SimpleNamespace(id=self.now, guild_id=GUILD, user=user, locale=discord.Locale.french)
        async with self.questions.once(cast("discord.Interaction", pressed), press, handling):
            if fails:
                handling.outcome = "refused"
            elif slow is not None:
                await or_later(slow)
            else:
                self.done += 1


async def test_of_two_who_were_asked_the_same_the_second_reads_who_was_first() -> None:
    server = Server()
    first, second = server.asked(), server.asked()
    await server.yes(LEA, first)
    for who, told in ((CHLOE, "<@5> l'a déjà fait"), (LEA, "Vous l'avez déjà fait")):
        with pytest.raises(RefusedError, match=told):
            await server.yes(who, second)
    assert server.done == 1
    await server.yes(CHLOE, server.asked())
    assert server.done == 2, "who is asked after that means it"


async def test_a_yes_that_did_nothing_may_be_said_again() -> None:
    server = Server()
    asked = server.asked()
    await server.yes(LEA, asked, fails=True)
    await server.yes(CHLOE, asked)
    assert server.done == 1


@pytest.mark.parametrize("fails", [False, True])
async def test_a_yes_whose_work_goes_on_is_not_done_a_second_time(
    monkeypatch: pytest.MonkeyPatch, *, fails: bool
) -> None:
    """The store is slow, and the change is still being made; if it fails it can be asked again."""
    monkeypatch.setattr(patience, "PATIENCE_S", 0.01)
    server, is_free = Server(), asyncio.Event()

    async def change() -> None:
        await is_free.wait()
        if fails:
            raise StoreError("the disk is full")
        server.done += 1

    asked, work = server.asked(), asyncio.create_task(change())
    with pytest.raises(SlowStoreError):
        await server.yes(LEA, asked, slow=work)
    with pytest.raises(RefusedError):
        await server.yes(CHLOE, asked)
    is_free.set()
    await asyncio.wait({work})
    await asyncio.sleep(0)
    if fails:
        await server.yes(CHLOE, asked)
    else:
        with pytest.raises(RefusedError):
            await server.yes(CHLOE, asked)
    assert server.done == 1


async def test_questions_about_oneself_or_something_else_are_other_questions() -> None:
    server = Server()
    for who, asked in (
        (LEA, server.asked(is_own=True)),
        (CHLOE, server.asked(is_own=True)),
        (LEA, server.asked(arg="4")),
    ):
        await server.yes(who, asked)
    assert server.done == 3


def test_a_name_with_a_sign_of_questions_is_read_as_it_is() -> None:
    for name in ("Bruno@table", "vite~", "a@b"):
        press = parse_id(make_id(0, "rules_delete", name))
        assert press is not None
        assert (press.arg, press.asked) == (name, None)
