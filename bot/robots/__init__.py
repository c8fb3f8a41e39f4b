"""Players that are given a seat's view and nothing else.

A robot knows what a person in its seat could know: no state, no stock, no other hand, no user.
"""

from bot.robots.level import LEVELS, REGULAR, Level, RobotLevel, Skill
from bot.robots.reasons import Reason, Why
from bot.robots.robot import Robot
from bot.robots.timing import Intent, Timing

__all__ = ["LEVELS", "REGULAR", "Intent", "Level", "Reason", "Robot", "RobotLevel", "Skill", "Timing", "Why"]
