"""What each process of the rig is forked with: all of the bot's modules, and its catalogues, read once."""

import gc

from bot.discord.text.texts import LANGUAGES, texts_for
from tests.rig import bot_process

__all__ = ["bot_process"]

for _language in LANGUAGES:
    texts_for(_language)
gc.collect()
gc.freeze()
