"""`kems emojis sync` on a Discord that takes fifty emojis an hour: it says how long to wait and goes on."""

import pytest

from bot.art import cards
from bot.base.errors import KemsError
from bot.base.settings import Settings
from bot.discord.api.discord_internals import discord_at
from bot.operating import operations
from tests.discord.pictures.test_card_emojis import ALL
from tests.integration.test_card_emojis import a_drawing
from tests.rig.bot_process import TOKEN
from tests.rig.limits import BUCKETS, RateLimits
from tests.rig.remote import built, opened

MOST, HOUR_S = BUCKETS["emoji"]
STEP_S = 0.025
"""What passes for Discord between two looks at its clock: enough for the limit of all requests."""


async def test_an_upload_says_how_long_discord_asks_to_wait_and_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cards, "card_file", a_drawing)
    settings = Settings(_env_file=None, discord_token=TOKEN)
    now = 0.0

    def clock() -> float:
        nonlocal now
        now += STEP_S
        return now

    discord = built(["Léa"])
    async with opened(discord) as remote:
        remote.air.rate_limits = RateLimits(clock)
        emojis = discord.world.application_emojis
        with discord_at(discord.address):
            while ALL - len(emojis) > MOST:
                before = len(emojis)
                with pytest.raises(KemsError, match=rf"wait 1 h before .* What was uploaded stays \({MOST}\)"):
                    await operations.sync_emojis(settings, pause=0)
                assert len(emojis) == before + MOST
                with pytest.raises(KemsError, match=r"wait 1 h before .* What was uploaded stays \(0\)"):
                    await operations.sync_emojis(settings, pause=0)
                now += HOUR_S
            done = await operations.sync_emojis(settings, pause=0)
        left = ALL % MOST
        assert done.startswith(f"Pictures uploaded: {left}, old ones removed: 0, there already: {ALL - left}.")
        assert len({emoji.name for emoji in emojis.values()}) == ALL
        asked_too_early = ALL // MOST
        assert len(remote.air.limited) == asked_too_early, "where it had said that nothing is left nothing was asked"
