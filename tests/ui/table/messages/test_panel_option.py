"""What a view-only button has set stays on its owner's panel, and on no other."""

from types import SimpleNamespace
from typing import Any

from bot.base.clock import WallClock
from bot.discord.api.components import Layout, layout, text
from bot.discord.messages.panel_memory import PanelMemory
from bot.discord.pictures.card_faces import Faces
from bot.ui.table.messages.ephemeral_panels import EphemeralPanels
from bot.ui.table.pages.panel_state import PanelPage, PanelState
from tests.ui.walk import EN, words


class Emojis:
    """No picture is known, and every message arrives."""

    def faces(self, *_: object) -> Faces:
        return Faces(EN)

    def fitting(self, made: Layout) -> Layout:
        return made

    async def deliver(self, made: Layout, send: Any, _again: object) -> tuple[Layout, int]:
        return made, await send(made)


def page(state: PanelState, _faces: Faces, _told: str | None, _now: int) -> Layout:
    return layout(text(f"{state.page} {state.option}".strip()))


async def test_an_option_stays_until_it_is_set_again_or_a_round_begins() -> None:
    sent: list[str] = []

    async def send_message(*, view: Any, ephemeral: bool) -> SimpleNamespace:
        sent.append(words(view.to_components()))
        return SimpleNamespace(message_id=len(sent))

    table: Any = SimpleNamespace(
        id=7, is_over=True, lobby=SimpleNamespace(theme=None, place=SimpleNamespace(channel_id=1))
    )
    no: Any = None
    emojis: Any = Emojis()
    requests: Any = SimpleNamespace(edit_interval=lambda _channel: 0.0, permit=lambda *_: no)
    panels = EphemeralPanels(
        no, PanelMemory(None, WallClock()), requests, emojis, lambda *_: None, id, page, lambda *_: None
    )

    async def press(user: int, page_name: str, option: str | None = None) -> None:
        response = SimpleNamespace(send_message=send_message, is_done=bool)
        pressed: Any = SimpleNamespace(
            user=SimpleNamespace(id=user), message=None, response=response, token="t", id=user << 22, channel_id=1
        )
        await panels.answer(pressed, table, 0, EN, PanelPage(page_name), None, option=option)

    await press(1, "hand")
    await press(1, "hand", "by_suit")
    await press(1, "sign")
    await press(2, "hand")
    await press(1, "hand", "")
    await press(1, "hand", "by_suit")
    panels.changed(table, turn_page=True)
    await press(1, "hand")
    panels.stop()
    assert sent == ["hand", "hand by_suit", "sign by_suit", "hand", "hand", "hand by_suit", "hand"]
