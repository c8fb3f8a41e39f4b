"""The process of `kems setup`, unmodified but for cards that are drawn in no time and uploads without pauses."""

from functools import partial

from bot.__main__ import main
from bot.art import cards
from bot.operating import operations
from bot.setup import steps
from tests.rig.test_emoji_upload import a_drawing

if __name__ == "__main__":
    cards.card_file = a_drawing
    operations.sync_emojis = partial(operations.sync_emojis, pause=0)
    steps._LOOK_AGAIN_S = 0.05
    main()
