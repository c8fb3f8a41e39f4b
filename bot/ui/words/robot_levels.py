"""The levels of robots in words."""

from typing import Final

from bot.robots.level import RobotLevel
from bot.ui.kit.texts import mark

LEVEL_NAMES: Final = {
    RobotLevel.BEGINNER: mark("beginner"),
    RobotLevel.REGULAR: mark("regular"),
    RobotLevel.STRONG: mark("strong"),
    RobotLevel.MASTER: mark("master"),
}
LEVEL_MANNERS: Final = {
    RobotLevel.BEGINNER: mark("Slow, overlooks much, rarely counters"),
    RobotLevel.REGULAR: mark("Plays like somebody who knows the game"),
    RobotLevel.STRONG: mark("Watches everybody, blocks and bluffs"),
    RobotLevel.MASTER: mark("Quick, and forgets nothing"),
}
