"""The six sign cards of sheet 003 and the emojis that stand for what a player would do at a real table.

The sheet's cards name a part of the body or a manner; here each is a family of emojis, drawn from by choice and by
chance. Texts are in the normal form of `bot.game.signs.sign`.
"""

import re
from enum import StrEnum
from typing import Final

from bot.game.signs.sign import HOUSE_SIGNS, Sign, fold_emojis


class SignCard(StrEnum):
    """What kind of sign a team may use (sheet 003, "Préparation")."""

    HAND = "hand"
    WORD = "word"
    POSTURE = "posture"
    MOUTH = "mouth"
    EYES = "eyes"
    IDEA = "idea"


_EMOJIS: Final = {
    SignCard.HAND: (
        "👋 🤚 ✋ 🖖 👌 🤌 🤏 ✌ 🤞 🤟 🤘 🤙 👈 👉 👆 👇 ☝ 👍 👎 ✊ 👊 🤛 🤜 👏 🙌 🫶 👐 🤲 🤝 🙏 ✍ 💅 💪 🫰"
    ),
    SignCard.WORD: ("💬 🗨 🗯 💭 🗣 📢 📣 📞 📖 📝 🔤 🔠 🆗 🆒 🆕 🆓 🆙 🔝 🔜 🎤 📰 ✉ 💌 🏷"),
    SignCard.POSTURE: ("🧍 🧎 🚶 🏃 💃 🕺 🧘 🤸 🤷 🤦 🙋 🙅 🙆 🙇 💁 🛌 🛋 🪑 🧗 🏇 🏄 🤺 🪩 🦩"),
    SignCard.MOUTH: ("👄 👅 💋 🦷 😛 😜 😝 😗 😘 😮 😬 🤐 🤫 🥱 🤤 😋 😙 😚 🫢 🤭 🗿 🧛 😁 😯"),
    SignCard.EYES: ("👀 👁 😉 🙄 😳 🥺 😌 😑 🤩 😍 😎 🤓 🧐 😴 🥸 😵 🙈 🫣 👓 🕶 🥽 🔍 🔭 🦉"),
}
_FAMILIES: Final = {card: tuple(texts.split()) for card, texts in _EMOJIS.items()}
_ONLY: Final = {
    card: re.compile("(?:" + "|".join(re.escape(fold_emojis(text)) for text in texts) + ")+")
    for card, texts in _FAMILIES.items()
}


def family(card: SignCard | None) -> tuple[str, ...]:
    """Returns the emojis that a team with this card is offered: `HOUSE_SIGNS` without a card, or with the idea."""
    return HOUSE_SIGNS if card is None else _FAMILIES.get(card, HOUSE_SIGNS)


def fits_card(sign: Sign, card: SignCard | None) -> bool:
    """Returns whether the sign is of the card's kind: emojis of its family, or words for the word card."""
    if card is None or card is SignCard.IDEA:
        return True
    if sign.needs_speech:
        return card is SignCard.WORD and not sign.words
    return _ONLY[card].fullmatch(sign.text) is not None
