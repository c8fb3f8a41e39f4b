"""An express night: three short rounds at large tables, with new partners each time. Nobody hosts it.

It fits between two other things: a little more than half an hour, every week at the same time.
"""

from collections.abc import Mapping
from typing import ClassVar, Final

from bot.game.rules.presets import BELL
from bot.nights.clocks import FRIDAY
from bot.nights.formats.rotation import Rotation


class Express(Rotation):
    name = "express"
    title = "Express"
    sentence = "half an hour at the bell, three partners, nobody hosts"
    night_title = "Kem's Friday"
    weekday = FRIDAY
    runs_alone = True
    defaults: ClassVar[Mapping[str, object]] = {
        "rules": BELL, "rule_set": None, "rounds": 3, "round_minutes": 10, "break_minutes": 1, "size": 8,
        "fills_with_robots": True, "is_ranked": False, "is_weekly": True,
        "calls_role": True,
    }  # fmt: skip


EXPRESS: Final = Express()
