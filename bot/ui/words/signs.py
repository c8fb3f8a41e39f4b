"""How signs and gestures are shown and parsed. The normal form of a sign (`bot.game.signs`) is only for comparison.

A player types emojis, phrases of them, and words if they are allowed.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from functools import cache, lru_cache
from typing import Final

from bot.discord.api.components import MAX_LABEL, SECONDARY, Button, Emoji, Style, button
from bot.discord.api.custom_ids import MAX_ARG
from bot.discord.api.interactions import RefusedError
from bot.discord.pictures.custom_emojis import CUSTOM_EMOJI
from bot.discord.text.names import escape_markdown
from bot.discord.text.text_width import graphemes, truncate
from bot.discord.text.texts import Texts, mark
from bot.game import signs as s
from bot.game.actions import MakeGesture
from bot.game.rules.rules import Rules
from bot.game.views import SeatView
from bot.records.player import Player

_MENTION: Final = re.compile(r"<@!?(\d+)>")
_TONE: Final = re.compile("[\U0001f3fb-\U0001f3ff]")
_NAME: Final = "sign"  # Discord finds a server emoji by its id, whatever name stands before it
MAX_WORDS: Final = 40  # characters of what was said, in a list of gestures
_MAX_SIGN: Final = 80  # code points of a sign or of emojis posted; none that the bot accepts has more

_EXPLAINED: Final = {
    s.Strategy.DOUBLE: mark("**Double sign**: each partner has a sign of their own."),
    s.Strategy.INTERMEDIATE: mark("**3 to 6 signs**: the team alternates, until one of them is found."),
    s.Strategy.TOTAL: mark("**Total multi-sign**: no sign at all, any gesture counts, until an opponent says so."),
    s.Strategy.PRESIGN: mark("**Pre-sign**: the sign at three of a kind, until an opponent asks you to stop."),
    s.Strategy.SPOKEN: mark("**Spoken signs**: a word agreed on, said in the chat; never about the cards."),
}
_FOUND_OUT: Final = {
    s.Strategy.DOUBLE: mark("One found: replaced in silence, or a single sign openly. All named: one single new sign."),
    s.Strategy.INTERMEDIATE: mark("One found, whichever it is: a single sign for the rest of the match."),
    s.Strategy.TOTAL: mark("No guess is ever right; once it is declared: a single sign for the rest of the match."),
    s.Strategy.PRESIGN: mark("If an opponent is right, the team stops for good and keeps its sign."),
    s.Strategy.SPOKEN: mark("Say it with {/sign}, or in a reply with its ping on. It can be found like any sign."),
}
_EXAMPLES: Final = 8  # emojis of a card's family that the rules show

MAX_EMOJIS: Final = 5
MAX_SPOKEN: Final = 60  # characters of words that are a sign
MAX_SAID: Final = 200  # characters of a message in which such words may be
_BETWEEN: Final = re.compile(r"[,;\n\u060c\u3001\uff0c]")


def fits_an_id(sign: s.Sign) -> bool:
    """Return whether a sign can be the argument of a custom id: it is short and needs no words."""
    return 0 < len(sign.text) <= MAX_ARG and not sign.needs_speech


def shown_sign(sign: s.Sign) -> str:
    """Return a sign as Discord shows it: emojis, words in quotation marks, or both."""
    if sign.words:
        return " + ".join(map(shown_sign, sign.halves))
    return f"«\u00a0{escape_markdown(sign.text, _MAX_SIGN)}\u00a0»" if sign.is_spoken else _shown_emojis(sign.text)


def shown_gesture(kind: s.GestureKind, text: str) -> str:
    """Return a gesture as Discord shows it: emojis, or words in quotation marks."""
    return f"«\u00a0{escape_markdown(text, MAX_WORDS)}\u00a0»" if kind is s.GestureKind.SAY else _shown_emojis(text)


def sign_button(
    signs: Sequence[s.Sign], custom_id: str, *, style: Style = SECONDARY, label: str = "", is_enabled: bool = True
) -> Button:
    """Return a button that shows emoji signs: the first server emoji as its picture, the others in its label."""
    picture_text = " ".join([sign.text for sign in signs])
    custom = CUSTOM_EMOJI.search(picture_text)
    picture = None if custom is None else Emoji(_NAME, int(custom[3]))
    plain = CUSTOM_EMOJI.sub("•", picture_text if custom is None else picture_text.replace(custom[0], "", 1))
    words = truncate(f"{label} {with_variation_selectors(plain)}".strip(), MAX_LABEL)
    return button(words or None, custom_id, style=style, emoji=picture, is_enabled=is_enabled)


def with_variation_selectors(text: str) -> str:
    """Return a sign's normal form with variation selectors, so that every emoji is shown as a picture."""
    import emoji  # noqa: PLC0415 - tests/test_late_imports.py

    forms = _qualified_forms()
    return "".join(forms.get(token.chars, token.chars) for token in emoji.analyze(text, non_emoji=True))


@cache
def _qualified_forms() -> dict[str, str]:
    import emoji  # noqa: PLC0415 - tests/test_late_imports.py

    status = emoji.STATUS["fully_qualified"]
    whole = [form for form, data in emoji.EMOJI_DATA.items() if data["status"] == status]
    return {s.fold_emojis(form): form for form in whole if "\ufe0f" in form and not _TONE.search(form)}


@lru_cache(4096)  # buys 10 of the 68 us of a panel, as much of each gesture on a table's message (tests.bench.caches)
def _shown_emojis(text: str) -> str:
    """Return a text with its server emojis, and everything around them escaped."""
    parts: list[str] = []
    end = 0
    for found in CUSTOM_EMOJI.finditer(text):
        parts += (_defused(text[end : found.start()]), f"<{found[1]}:{found[2] or _NAME}:{found[3]}>")
        end = found.end()
    return "".join([*parts, _defused(text[end:])])


def _defused(text: str) -> str:
    return escape_markdown(with_variation_selectors(text), _MAX_SIGN)


def strategy_name(strategy: s.Strategy, texts: Texts) -> str:
    """Return the name of a signing strategy."""
    return texts.t(strategy.words)


def strategy_names(strategies: Collection[s.Strategy], texts: Texts) -> str:
    """Return the names of signing strategies, separated by commas."""
    return ", ".join(strategy_name(strategy, texts) for strategy in s.Strategy if strategy in strategies)


def strategy_explained(strategy: s.Strategy, texts: Texts) -> str:
    """Return a sentence that explains a signing strategy."""
    return texts.t(_EXPLAINED[strategy])


def outcome_text(outcome: Collection[s.Strategy], texts: Texts) -> str:
    """Return a line with the signing strategies that a vote has allowed."""
    t = texts.t
    names = strategy_names(outcome, texts)
    return t("Advanced signs: {allowed}", allowed=names) if names else t("Advanced signs: none, by vote")


def sign_groups(
    rules: Rules, strategies: Collection[s.Strategy], texts: Texts, *, is_voted: bool
) -> list[tuple[str, list[str]]]:
    """Return the rules about more than one sign a team, as groups of sentences with titles.

    `strategies`: those that a vote has allowed if it `is_voted`, else those that it may allow.
    """
    t = texts.t
    groups = []
    if rules.signs.sign_cards:
        groups.append((t("The six sign cards"), [_card(card, texts) for card in s.SignCard]))
    if strategies:
        title = t("Advanced signs, by vote") if is_voted else t("Advanced signs, if all vote for them")
        known = [strategy for strategy in s.Strategy if strategy in strategies]
        groups.append((title, [f"{strategy_explained(each, texts)} {t(_FOUND_OUT[each])}" for each in known]))
    return groups


def _card(card: s.SignCard, texts: Texts) -> str:
    t, name = texts.t, texts.t(card.words)
    emojis = "".join(map(with_variation_selectors, s.family(card)[:_EXAMPLES]))
    match card:
        case s.SignCard.IDEA:
            return t("**{card}**: any sign.", card=name)
        case s.SignCard.WORD:
            return t("**{card}**: words said, or {emojis}…", card=name, emojis=emojis)
        case _:
            return t("**{card}**: {emojis}…", card=name, emojis=emojis)


class SignTextError(RefusedError):
    """A text that is no sign."""


def is_emojis(written: str) -> bool:
    """Return whether a text consists of emojis, server emojis (`<:name:id>`) included."""
    phrase = "".join(written.split())
    return bool(phrase) and all(map(_is_emoji, graphemes(CUSTOM_EMOJI.sub("", phrase))))


def _is_emoji(character: str) -> bool:
    """Return whether a visible character is an emoji, and more than a skin tone or hair alone."""
    import emoji  # noqa: PLC0415 - tests/test_late_imports.py

    about = emoji.EMOJI_DATA.get(character)
    return about is not None and about["status"] != emoji.STATUS["component"]


def read_sign(written: str, texts: Texts, usable: Collection[int] | None = None, *, spoken: bool = False) -> s.Sign:
    """Return the sign that a player typed.

    Args:
        written: One emoji, or a phrase of up to five.
        texts: The player's texts.
        usable: The ids of the server emojis that the bot can show; None for all.
        spoken: Words and `🍀 + words` are signs, too.

    Raises:
        SignTextError: The text is no such sign.
    """
    if is_emojis(written):
        return _read_emojis("".join(written.split()), texts, usable)
    emojis, both, words = written.partition("+")
    if spoken and both and is_emojis(emojis):
        seen = _read_emojis("".join(emojis.split()), texts, usable)
        return s.combined_sign(seen.text, read_sign(words, texts, spoken=True).text)
    if not spoken:
        raise SignTextError(texts.t("A sign is one emoji or a few of them, and nothing else: 🍀 or 🍀☕."))
    import emoji  # noqa: PLC0415 - tests/test_late_imports.py

    sign = s.spoken_sign(_MENTION.sub("", written))
    if not sign.text or emoji.emoji_count(written) or CUSTOM_EMOJI.search(written):
        raise SignTextError(texts.t("A sign is either emojis or words, not both: 🍀, 🍀☕, or a few words."))
    if len(sign.text) > MAX_SPOKEN:
        raise SignTextError(texts.t("That is too long for a sign: {most} characters at most.", most=MAX_SPOKEN))
    return sign


def read_signs(
    written: str, texts: Texts, usable: Collection[int] | None = None, *, spoken: bool = False
) -> tuple[s.Sign, ...]:
    """Return the signs that a player typed, separated by commas or lines; for the arguments see `read_sign`.

    Raises:
        SignTextError: One is no sign, or is written twice.
    """
    parts = [part for part in _BETWEEN.split(written) if part.strip()] or [""]
    signs = tuple(read_sign(part, texts, usable, spoken=spoken) for part in parts)
    if len(set(signs)) < len(signs):
        raise SignTextError(texts.t("You wrote the same sign twice: each of them once is enough."))
    return signs


def read_gesture(written: str, view: SeatView, texts: Texts, players: Iterable[Player | None] = ()) -> MakeGesture:
    """Return the gesture that a player typed: emojis, or words if those are allowed; long words are truncated.

    A mention becomes the name of one of the `players`, since ids in the log would outlive an erasure.

    Raises:
        SignTextError: The text is no gesture.
    """
    emojis = _MENTION.sub("", written).strip()
    if is_emojis(emojis):
        read_sign(emojis, texts)
        return MakeGesture(view.seat, s.GestureKind.POST, emojis)
    if not view.may_speak:
        raise SignTextError(texts.t("Only emojis count as gestures here: 🍀 or 🍀☕."))
    names = {str(player.user_id): f"@{player.name}" for player in players if player is not None}
    words = " ".join(_MENTION.sub(lambda mention: names.get(mention[1], ""), written).split())
    if not words:
        raise SignTextError(texts.t("A sign is either emojis or words, not both: 🍀, 🍀☕, or a few words."))
    if len(words) > MAX_SAID:
        words = words[:MAX_SAID].rpartition(" ")[0] or truncate(words, MAX_SAID)
    return MakeGesture(view.seat, s.GestureKind.SAY, words)


def read_plan(
    kind: s.PlanKind,
    written: str,
    view: SeatView,
    texts: Texts,
    usable: Collection[int] | None = None,
    *,
    presign: bool = False,
) -> s.SignPlan:
    """Return the plan that a player typed: its kind, and its signs separated by commas.

    If opponents have found some signs of the team's double sign, the typed signs replace those, and the others stay.

    Args:
        kind: The kind of plan that the player chose.
        written: The signs; empty if any gesture counts.
        view: What the player sees.
        texts: The player's texts.
        usable: The ids of the server emojis that the bot can show; None for all.
        presign: Whether the sign is also made at three of a kind.

    Raises:
        SignTextError: One is no sign, or there are too few or too many.
    """
    spoken = view.options.spoken
    if kind is s.PlanKind.TOTAL:
        if written.strip():
            raise SignTextError(texts.t("A team that plays total has no sign: leave that field empty."))
        return s.SignPlan(kind, (), presign)
    signs = read_signs(written, texts, usable, spoken=spoken)
    if view.is_half_found and kind is s.PlanKind.DOUBLE:
        return successors(view, signs, texts)
    if kind is s.PlanKind.SINGLE and len(signs) > 1 and all(sign.is_spoken for sign in signs):
        return s.one_sign(read_sign(written, texts, spoken=True), presign=presign)  # a phrase with a comma in it
    plan = s.SignPlan(kind, signs, presign)
    members = len(view.member_signs)
    if not plan.has_shape(members):
        raise SignTextError(_how_many(kind, members, len(signs), texts))
    return plan


def successors(view: SeatView, signs: Collection[s.Sign], texts: Texts) -> s.SignPlan:
    """Return the team's double sign with the found signs replaced by new ones.

    Raises:
        SignTextError: There are not as many new signs as found ones.
    """
    assert view.plan is not None, "half of it was found"
    try:
        return view.plan.with_successors(view.spent, signs)
    except ValueError:
        sentence = texts.n(
            "{count} sign was found: write as many new ones.",
            "{count} signs were found: write as many new ones, with commas between them.",
            len(view.spent.intersection(view.plan.signs)),
        )
        raise SignTextError(sentence) from None


def _how_many(kind: s.PlanKind, members: int, count: int, texts: Texts) -> str:
    n = texts.n
    written = n("you wrote {count} sign", "you wrote {count} signs", count)
    values = {"members": members, "fewest": s.FEWEST_SIGNS, "most": s.MOST_SIGNS, "written": written}
    match kind:
        case s.PlanKind.DOUBLE:
            return texts.t("One sign for each of you makes {members}, with commas between them; {written}.", **values)
        case s.PlanKind.INTERMEDIATE:
            return texts.t("That takes {fewest} to {most} signs, with commas between them; {written}.", **values)
        case _:
            return texts.t("That takes one single sign; {written}.", **values)


def _read_emojis(phrase: str, texts: Texts, usable: Collection[int] | None) -> s.Sign:
    import emoji  # noqa: PLC0415 - tests/test_late_imports.py

    customs = [int(found[3]) for found in CUSTOM_EMOJI.finditer(phrase)]
    sign = s.emoji_sign(phrase)
    if emoji.emoji_count(CUSTOM_EMOJI.sub("", phrase)) + len(customs) > MAX_EMOJIS or not fits_an_id(sign):
        raise SignTextError(texts.t("That is too long for a sign: {most} emojis at most.", most=MAX_EMOJIS))
    if usable is not None and not set(customs) <= set(usable):
        raise SignTextError(texts.t("I cannot show that emoji: choose one of this server, or an ordinary one."))
    return sign
