"""The question who comes: right before a night, or after a change of its plan."""

from dataclasses import replace
from typing import Final

from bot.nights.changes import Duty
from bot.nights.night import Night, NightStatus
from bot.tables.nights.live_nights import LiveNights
from bot.times import MINUTE_MS
from bot.ui.kit.texts import texts_for
from bot.ui.live.illustrations import Illustrated
from bot.ui.live.live_message import LiveContext, Spot
from bot.ui.live.live_messages import Notice
from bot.ui.live.pace import Slot
from bot.ui.night.sign_up import changed_screen, check_in_screen

IN_ONE_POST: Final = 80
"""People mentioned in one message at most."""


class CheckIn(Notice):
    """Asks who comes: right before the night (`REMIND`), or after a change. It is deleted when the night begins, is
    changed, or asks again.
    """

    def __init__(self, context: LiveContext, nights: LiveNights, night: Night, duty: Duty) -> None:
        spot = Spot(night.guild_id, night.plan.channel_id, night.check_in_id)
        nonce = f"n{night.id}.{duty[:1]}{night.changed}.{night.plan.starts_at // MINUTE_MS}"
        super().__init__(context, {"night": night.id}, texts_for(night.locale), spot, self._screen, nonce, users=True)
        self.night = night.did(duty)
        self.duty = duty
        self.is_replaced = False
        self._plan = night.plan
        self._nights = nights

    def show(self, night: Night) -> None:
        self.night = night
        self.ask()

    async def note(self, message_id: int, *, is_found: bool) -> None:
        await super().note(message_id, is_found=is_found)
        await self._nights.update(self.night.id, lambda now: replace(now.did(self.duty), check_in_id=message_id))

    async def _show(self, slot: Slot) -> None:
        await super()._show(slot)
        own = self.spot.message_id
        if self.is_over and own is not None:
            await self._nights.update(
                self.night.id, lambda now: replace(now, check_in_id=None) if now.check_in_id == own else now
            )

    def _screen(self) -> Illustrated | None:
        is_planned = self.night.status is NightStatus.PLANNED and self.night.plan == self._plan
        screen = check_in_screen if self.duty is Duty.REMIND else changed_screen
        is_asking = is_planned and not self.is_replaced
        return Illustrated(screen(self.night, self.texts, IN_ONE_POST)) if is_asking else None
