"""What a person's game nights add up to, in words. Each badge has a shape of its own."""

from collections.abc import Mapping
from typing import Final

from bot.nights.recap import Badge
from bot.ui.kit.texts import Texts, mark

_WORDS: Final = {
    Badge.NEWCOMER: ("🌱", mark("first night")),
    Badge.REGULAR: ("🎟️", mark("five nights")),
    Badge.PILLAR: ("🏛️", mark("twenty nights")),
    Badge.STREAK: ("🔥", mark("five in a row")),
    Badge.WINNER: ("🏆", mark("night won")),
    Badge.CHAMPION: ("👑", mark("three nights won")),
    Badge.PODIUM: ("🎖️", mark("on the podium")),
    Badge.BLUFFER: ("🎭", mark("longest bluff")),
    Badge.LIGHTNING: ("⚡", mark("quickest Kem's")),
    Badge.CLIMBER: ("📈", mark("biggest climb")),
}


def badges_line(earned: Mapping[Badge, int], texts: Texts) -> str | None:
    """`**Badges** 🏆 night won ×2 · ⚡ quickest Kem's`; None without any."""
    told = []
    for badge, times in earned.items():
        shape, name = _WORDS[badge]
        told.append(f"{shape} {texts.t(name)}" + (f" ×{times}" if times > 1 else ""))
    return texts.t("**Badges** {told}", told=" · ".join(told)) if told else None


def attendance_line(nights: int, running: int, longest: int, texts: Texts) -> str | None:
    """`**Nights** 7 attended · 3 in a row · at best 5 in a row`; None without any."""
    if not nights:
        return None
    told = [texts.n("{count} attended", "{count} attended", nights)]
    if running > 1:
        told.append(texts.t("{count} in a row", count=running))
    if longest > max(running, 1):
        told.append(texts.t("at best {count} in a row", count=longest))
    return texts.t("**Nights** {told}", told=" · ".join(told))
