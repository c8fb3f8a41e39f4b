"""Emojis on buttons: Discord refuses a whole message for one that it does not know, so that one is shown as text."""

import asyncio
from dataclasses import dataclass, field
from typing import Any, Final

import discord
import pytest
from structlog.testing import capture_logs

from bot.base.background import FIRST_S
from bot.discord.api import components as c
from bot.discord.api.components import Layout
from bot.discord.pictures.custom_emojis import LIST_MS, LIST_S, MOST_NAMES, REFUSED_MS, CustomEmojis
from bot.game.cards import Card
from bot.game.signs import emoji_sign
from bot.records.pictures import Theme
from bot.ui.words.signs import shown_sign, sign_button
from tests.discord.fakes import SetClock, refused
from tests.discord.pictures.test_card_emojis import ALL, synced
from tests.discord.pictures.test_card_emojis import Client as Application
from tests.tables.virtual import in_virtual_time
from tests.ui.walk import EN, FR, words

SEVEN: Final = Card(5, 0)
CLOVER: Final = 77
PARROT: Final = 88
PICTURE: Final = "kems_french_7s_00000000"
INVALID: Final = "Invalid Form Body\nIn {}.emoji.id: Invalid emoji"


@dataclass
class ServerEmoji:
    id: int
    name: str
    is_there: bool = True

    def is_usable(self) -> bool:
        return self.is_there


class Client(Application):
    """A bot in servers with these emojis."""

    def __init__(self, *names: str, servers: tuple[ServerEmoji, ...] = ()) -> None:
        super().__init__(*names)
        self.servers = {emoji.id: emoji for emoji in servers}
        self.loads = 0

    async def fetch_application_emojis(self) -> Any:
        self.loads += 1
        return await super().fetch_application_emojis()

    def get_emoji(self, emoji_id: int) -> ServerEmoji | None:
        return self.servers.get(emoji_id)


async def known(client: Any, clock: SetClock | None = None) -> CustomEmojis:
    emojis = CustomEmojis(client, clock or SetClock())
    await emojis.load()
    return emojis


def buttons(view: Layout) -> list[tuple[str, int | None]]:
    """Label and emoji of each."""
    parts: Any = view[0]["components"]
    found = [one for part in parts if part["type"] == c.ROW for one in part["components"]]
    return [(one.get("label", ""), (one.get("emoji") or {}).get("id")) for one in found]


@dataclass
class Panel:
    """A panel with a card and two signs. Discord refuses these emojis, by their ids, wherever they are on buttons."""

    emojis: CustomEmojis
    refuses: set[int] = field(default_factory=set)
    says_where: bool = True
    sends: list[Layout] = field(default_factory=list)
    is_gone: bool = False

    def draw(self) -> Layout:
        faces = self.emojis.faces(FR, Theme.FRENCH)
        signs = [emoji_sign(f"<:any:{number}>") for number in (CLOVER, PARROT)]
        card = c.button(faces.label(SEVEN), "k1:1:put:7S", emoji=faces.picture(SEVEN))
        gestures = [sign_button([sign], f"k1:1:gesture:{sign.text}") for sign in signs]
        view = c.layout(c.text(faces.text(SEVEN), " ".join(map(shown_sign, signs))), c.row(card, *gestures))
        return self.emojis.fitting(view)

    async def send(self, view: Layout) -> int:
        self.sends.append(view)
        wrong = [place for place, (_, emoji) in enumerate(buttons(view)) if emoji in self.refuses]
        if wrong:
            places = (f"data.components.0.components.1.components.{place}" for place in wrong)
            told = "\n".join(INVALID.format(place) for place in places) if self.says_where else INVALID.format("data")
            raise refused(400, 50035, told)
        return len(self.sends)

    async def deliver(self) -> Layout:
        drawn = self.draw()
        shown, number = await self.emojis.deliver(drawn, self.send, lambda: None if self.is_gone else self.draw())
        assert (number, shown) == (len(self.sends), self.sends[-1])
        return shown


def bot(**changes: Any) -> Client:
    return Client(PICTURE, servers=(ServerEmoji(CLOVER, "clover"), ServerEmoji(PARROT, "parrot")), **changes)


async def test_the_bot_shows_the_pictures_that_discord_has() -> None:
    client: Any = Client("kems_french_7s_00000000", "kems_yokai_7s_nothexxx", "parrot")
    emojis = CustomEmojis(client, SetClock())
    assert emojis.faces(FR, Theme.FRENCH).picture(SEVEN) is None
    with capture_logs() as logs:
        await emojis.load()
    assert emojis.faces(FR, Theme.FRENCH).picture(SEVEN) == c.Emoji("7s", 1)
    assert emojis.faces(FR, Theme.FRENCH) is emojis.faces(FR, Theme.FRENCH), "what is remembered for it is found again"
    assert emojis.faces(EN, Theme.YOKAI).picture(SEVEN) is None
    assert [(entry["event"], entry["missing"]) for entry in logs] == [("card_emojis.missing", ALL - 1)]
    assert "`kems emojis sync`" in logs[0]["hint"]


async def test_nothing_is_logged_when_no_picture_is_missing_and_the_newer_drawing_wins() -> None:
    client = Client()
    await synced(client)
    client.emojis.insert(0, type(client.emojis[0])(client, "kems_french_7s_ffffffff", 9999))
    with capture_logs() as logs:
        emojis = await known(client)
    assert logs == []
    assert emojis.faces(EN, Theme.FRENCH).picture(SEVEN) == c.Emoji("7s", 9999)


async def test_cards_are_text_when_discord_does_not_list_its_emojis() -> None:
    client = Client(PICTURE)
    client.is_away = True
    with capture_logs() as logs:
        emojis = await known(client)
    assert logs[0]["event"] == "card_emojis.unknown"
    assert emojis.faces(FR, Theme.FRENCH).text(SEVEN) == "7♠\ufe0e"


async def test_an_emoji_that_discord_knows_is_shown_as_it_is() -> None:
    panel = Panel(await known(bot()))
    assert buttons(await panel.deliver()) == [("7♠\ufe0e", 1), ("", CLOVER), ("", PARROT)]
    assert len(panel.sends) == 1


async def test_a_deleted_server_emoji_is_replaced_by_its_name_without_an_attempt() -> None:
    client = bot()
    panel = Panel(await known(client), refuses={CLOVER})
    panel.draw()
    del client.servers[CLOVER]
    client.servers[PARROT].is_there = False
    shown = await panel.deliver()
    assert buttons(shown) == [("7♠\ufe0e", 1), (":clover:", None), (":parrot:", None)]
    assert ":clover: :parrot:" in words(shown)
    assert len(panel.sends) == 1
    client.servers[PARROT].is_there = True
    assert buttons(await panel.deliver())[2] == ("", PARROT), "it has come back"


async def test_an_unknown_emoji_has_the_name_from_the_message() -> None:
    client = bot()
    client.servers.clear()
    assert buttons(Panel(await known(client)).draw())[1] == (":sign:", None)


async def test_text_shows_a_buttons_emoji_before_its_label() -> None:
    emojis = await known(Client())
    accept = sign_button([emoji_sign("<:any:5>☕")], "k1:1:accept:x", label="Accept")
    assert buttons(emojis.fitting(c.layout(c.row(accept)))) == [(":sign: Accept ☕", None)]


async def test_only_the_refused_emoji_becomes_text_after_one_refusal() -> None:
    """Discord names the button; the cache of servers' emojis says that the emoji is there."""
    clock = SetClock()
    panel = Panel(await known(bot(), clock), refuses={CLOVER})
    with capture_logs() as logs:
        shown = await panel.deliver()
    assert buttons(shown) == [("7♠\ufe0e", 1), (":clover:", None), ("", PARROT)]
    assert len(panel.sends) == 2
    assert [(entry["event"], entry["emojis"]) for entry in logs] == [("emojis.refused", [CLOVER])]
    clock.at = REFUSED_MS - 1
    assert panel.draw() == shown, "so that nothing is sent for nothing"
    await panel.deliver()
    assert len(panel.sends) == 3, "it was not tried again"
    clock.at = REFUSED_MS
    panel.refuses.clear()
    assert buttons(await panel.deliver())[1] == ("", CLOVER), "it was refused now and then"


async def test_a_picture_that_is_refused_once_stays_a_picture() -> None:
    client, clock = bot(), SetClock()
    panel = Panel(await known(client, clock), refuses={1})
    send, clock.at = panel.send, LIST_MS

    async def send_with_luck(view: Layout) -> int:
        try:
            return await send(view)
        finally:
            panel.refuses.clear()

    drawn = panel.draw()
    shown, _ = await panel.emojis.deliver(drawn, send_with_luck, panel.draw)
    assert shown == drawn == panel.draw()
    assert (len(panel.sends), client.loads) == (2, 1)


async def test_a_picture_refused_twice_is_text_only_in_that_message() -> None:
    client, clock = bot(), SetClock(LIST_MS)
    panel = Panel(await known(client, clock), refuses={1})
    assert "<:7s:1>" in words(panel.draw())
    for at, loads in ((2 * LIST_MS - 1, 1), (2 * LIST_MS, 2), (3 * LIST_MS - 1, 2)):
        clock.at = at
        shown = await panel.deliver()
        assert buttons(shown)[0] == ("7♠\ufe0e", None)
        assert "7s" not in words(shown)
        await asyncio.sleep(0)
        assert client.loads == loads
        assert buttons(panel.draw())[0] == ("7♠\ufe0e", 1)
    clock.at, client.emojis = 3 * LIST_MS, []
    await panel.deliver()
    await asyncio.sleep(0)
    assert buttons(panel.draw())[0] == ("7♠\ufe0e", None)


async def test_a_replaced_picture_is_shown_in_its_new_version() -> None:
    client, clock = bot(), SetClock()
    panel = Panel(await known(client, clock), refuses={1})
    client.emojis = [type(client.emojis[0])(client, "kems_french_7s_11111111", 5)]
    clock.at = LIST_MS
    await panel.deliver()
    await asyncio.sleep(0)
    assert buttons(await panel.deliver())[0] == ("7♠\ufe0e", 5)
    assert len(panel.sends) == 4


@in_virtual_time
async def test_the_list_of_pictures_is_requested_again_when_discord_is_slow_and_no_message_waits() -> None:
    client = bot()
    answers: list[Any] = [refused(500, 0), 10 * LIST_S, 0, 10 * LIST_S]
    listed = client.fetch_application_emojis

    async def fetch() -> Any:
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        await asyncio.sleep(answer)
        return await listed()

    client.fetch_application_emojis = fetch  # type: ignore[method-assign]
    clock = SetClock()
    panel = Panel(await known(client, clock))
    await asyncio.sleep(FIRST_S + 1)
    assert buttons(panel.draw())[0] == ("7♠\ufe0e", None)
    await asyncio.sleep(LIST_S + 2 * FIRST_S)
    assert buttons(panel.draw())[0] == ("7♠\ufe0e", 1)
    clock.at, panel.refuses, now = LIST_MS, {1}, asyncio.get_running_loop().time()
    await panel.deliver()
    assert asyncio.get_running_loop().time() == now


@pytest.mark.parametrize("is_gone", [False, True])
async def test_all_emojis_are_text_when_discord_does_not_say_which_it_refused(is_gone: bool) -> None:
    panel = Panel(await known(bot()), refuses={CLOVER}, says_where=False, is_gone=is_gone)
    shown = await panel.deliver()
    assert [emoji for _, emoji in buttons(shown)] == [None] * 3
    assert len(panel.sends) == 3


async def test_all_emojis_are_text_after_a_second_refusal() -> None:
    panel = Panel(await known(bot()), refuses={CLOVER})
    send = panel.send

    async def send_and_lose(view: Layout) -> int:
        try:
            return await send(view)
        finally:
            panel.refuses.add(PARROT)

    shown, _ = await panel.emojis.deliver(panel.draw(), send_and_lose, panel.draw)
    assert [emoji for _, emoji in buttons(shown)] == [None] * 3
    assert len(panel.sends) == 3


@pytest.mark.parametrize(
    "error", [refused(400, 50035, "Invalid Form Body\nIn content: too long"), refused(403, 50013, "no emoji for you")]
)
async def test_a_refusal_for_another_reason_is_passed_on(error: discord.HTTPException) -> None:
    panel = Panel(await known(bot()))

    async def send(_view: Layout) -> int:
        raise error

    with pytest.raises(discord.HTTPException) as caught:
        await panel.emojis.deliver(panel.draw(), send, panel.draw)
    assert caught.value is error
    assert buttons(panel.draw()) == [("7♠\ufe0e", 1), ("", CLOVER), ("", PARROT)]


async def test_a_refusal_of_a_message_without_our_emojis_is_passed_on() -> None:
    emojis = await known(Client())
    plain = c.layout(c.row(c.button("🍀", "k1:1:gesture:🍀")))

    async def send(_view: Layout) -> int:
        raise refused(400, 50035, INVALID.format("components.0.components.0.components.0"))

    with pytest.raises(discord.HTTPException):
        await emojis.deliver(plain, send, lambda: plain)


async def test_names_are_cached_only_for_the_latest_emojis() -> None:
    servers = tuple(ServerEmoji(number, f"e{number}") for number in range(1, MOST_NAMES + 2))
    client = Client(servers=servers)
    emojis = await known(client)

    def shown(number: int) -> str:
        return words(emojis.fitting(c.layout(c.text(f"<:sign:{number}>"))))

    for emoji in servers:
        shown(emoji.id)
    client.servers.clear()
    assert (shown(1), shown(2)) == (":sign:", ":e2:")
