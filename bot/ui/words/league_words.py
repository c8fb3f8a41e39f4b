"""The rules of a league of game nights in words: how many nights count, and what places are worth."""

from bot.discord.text.texts import Texts
from bot.records.league import Scale
from bot.tables.server_settings import NO_LEAGUE, ServerSettings


def best_words(best: int | None, texts: Texts) -> str:
    if best == NO_LEAGUE:
        return texts.t("no league")
    if best is None:
        return texts.t("every night counts")
    return texts.n("the best {count} night counts", "the best {count} nights count", best)


def scale_words(scale: Scale, texts: Texts) -> str:
    """`10, 8, 6, 5, 4, 3, 2, then 1 by place`."""
    *first, last = scale.points
    return texts.t("{points}, then {last} by place", points=", ".join(map(str, first)), last=last)


def league_words(settings: ServerSettings, texts: Texts) -> str | None:
    """How the league of a server counts; None where it has none."""
    if settings.league_best == NO_LEAGUE:
        return None
    return f"{best_words(settings.league_best, texts)} · {scale_words(settings.league_scale, texts)}"
