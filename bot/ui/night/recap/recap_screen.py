"""What stood out in a night, in words and as a picture: the best table, bluff, Kem's and climb."""

from collections.abc import Sequence
from typing import Final

from bot.nights.honours import Honour, HonourKind
from bot.nights.night import Night
from bot.nights.standings import Standing, standings
from bot.records.pictures import FeatRow, RecapPicture
from bot.ui.kit import components as c
from bot.ui.kit.custom_ids import make_id
from bot.ui.kit.names import clean
from bot.ui.kit.palette import GOLD
from bot.ui.kit.picture_words import alt, day
from bot.ui.kit.texts import Texts, mark
from bot.ui.messages.illustrations import Illustrated
from bot.ui.night.public.standings_screen import standing_lines
from bot.ui.night.verbs import NightVerb, night_id
from bot.ui.night.words import MAX_TITLE, label_of, names_of, title_of
from bot.ui.table.verbs import TableVerb
from bot.ui.words.table_text import clock

LEADERS: Final = 3
SIGNS: Final = {
    HonourKind.BEST_TABLE: "🥇",
    HonourKind.BEST_BLUFF: "🎭",
    HonourKind.QUICKEST_KEMS: "⚡",
    HonourKind.BIGGEST_CLIMB: "📈",
}
_LABELS: Final = {
    HonourKind.BEST_TABLE: mark("Clearest win"),
    HonourKind.BEST_BLUFF: mark("Longest bluff"),
    HonourKind.QUICKEST_KEMS: mark("Quickest Kem's"),
    HonourKind.BIGGEST_CLIMB: mark("Biggest climb"),
}


def recap(night: Night, found: Sequence[Honour], next_at: int | None, zone: str, texts: Texts) -> Illustrated | None:
    """The recap with its picture; None where nobody has played."""
    lines = standings(night)
    if not any(line.tables for line in lines):
        return None
    layout, picture = recap_screen(night, lines, found, next_at, texts), recap_picture(night, found, zone, texts)
    return Illustrated(layout) if picture is None else Illustrated(layout, picture, recap_words(picture))


def recap_screen(
    night: Night, lines: Sequence[Standing], found: Sequence[Honour], next_at: int | None, texts: Texts
) -> c.Layout:
    """`next_at` is when the next night begins that is planned already (milliseconds)."""
    t = texts.t
    feats = [
        f"{SIGNS[one.kind]} **{t(_LABELS[one.kind])}** {names_of(night, one.entrants)} · {_value(one, texts)}"
        for one in found
    ]
    leaders = standing_lines(night, lines[:LEADERS], texts)
    coming = None if next_at is None else t("The next night: {when}", when=f"<t:{next_at // 1000}:F>")
    buttons = [c.button("🏅 " + t("Standings"), night_id(NightVerb.STANDINGS, night.id, 0))]
    buttons += [_replay(night, honour) for honour in found if _table_id(night, honour) is not None]
    parts: list[c.Part] = [
        c.text(f"## 🌙 {title_of(night.plan)}", t("The night in review"), *leaders),
        *([c.text(*feats)] if feats else []),
        *([c.text(coming)] if coming else []),
        *c.rows(buttons),
    ]
    return c.layout(*parts, colour=GOLD)


def recap_picture(night: Night, found: Sequence[Honour], zone: str, texts: Texts) -> RecapPicture | None:
    """None where nothing stood out."""
    if not found:
        return None
    feats = tuple(
        FeatRow(
            SIGNS[honour.kind],
            texts.t(_LABELS[honour.kind]),
            " & ".join(label_of(night.entrants[number]) for number in honour.entrants),
            _value(honour, texts),
        )
        for honour in found
    )
    title = clean(night.plan.title, MAX_TITLE) or "Kem's"
    return RecapPicture(texts.t("The night in review"), f"{title} · {day(night.plan.starts_at, zone, texts)}", feats)


def recap_words(picture: RecapPicture) -> str:
    """What the picture shows, for those who do not see it."""
    feats = (f"{feat.label}: {feat.name}, {feat.note}" for feat in picture.feats)
    return alt(f"{picture.title}, {picture.subtitle}. {' · '.join(feats)}")


def _value(honour: Honour, texts: Texts) -> str:
    match honour.kind:
        case HonourKind.BEST_TABLE:
            return texts.n("won by {count} point", "won by {count} points", honour.value)
        case HonourKind.BIGGEST_CLIMB:
            return texts.n("{count} place up since the first round", "{count} places up since the first round",
                           honour.value)  # fmt: skip
        case HonourKind.BEST_BLUFF | HonourKind.QUICKEST_KEMS:
            return clock(honour.value)


def _table_id(night: Night, honour: Honour) -> int | None:
    if honour.round is None or honour.table is None:
        return None
    return night.rounds[honour.round - 1].tables[honour.table - 1].table_id


def _replay(night: Night, honour: Honour) -> c.Button:
    """The replay of the match; the sign keeps two honours of one match apart."""
    table_id = _table_id(night, honour)
    assert table_id is not None, "it was played"
    return c.button(f"{SIGNS[honour.kind]} ▶", make_id(table_id, TableVerb.WATCH, honour.kind))
