"""Every verb that a custom id can name, of all features together."""

import bot.compose  # noqa: F401 - loads every feature
from bot.discord.interactions.admission.allowances import Verb

VERBS: tuple[Verb, ...] = tuple(verb for each in Verb.__subclasses__() for verb in each)
