"""Players that are given a seat's view and nothing else.

A robot knows what a person in its seat could know: no state, no stock, no other hand, no user.
"""

from bot.robots.robot import Robot
from bot.robots.timing import Intent, Skill, Timing

__all__ = ["Intent", "Robot", "Skill", "Timing"]
