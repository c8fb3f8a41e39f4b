"""Robots: players that are given a seat's view and nothing else.

A robot knows what a person in its seat could know: no state, no stock, no other hand, no user.
"""

from bot.robots.level import LEVELS, REGULAR, Intent, Level, RobotLevel, Skill, Timing
from bot.robots.reasons import Motive, MoveReason
from bot.robots.robot import Robot

__all__ = [
    "LEVELS",
    "REGULAR",
    "Intent",
    "Level",
    "Motive",
    "MoveReason",
    "Robot",
    "RobotLevel",
    "Skill",
    "Timing",
]
