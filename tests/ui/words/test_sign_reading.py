"""What somebody typed, read as signs, plans and gestures, or refused with a sentence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.discord.api.custom_ids import make_id
from bot.game.actions import MakeGesture
from bot.game.build_view import seat_view
from bot.game.signs import (
    HOUSE_SIGNS,
    GestureKind,
    PlanKind,
    Sign,
    SignPlan,
    combined_sign,
    emoji_sign,
    gesture_makes,
    one_sign,
    spoken_sign,
)
from bot.game.views import SeatView
from bot.records.player import Player
from bot.ui.table.verbs import TableVerb
from bot.ui.words.plan_text import plan_digest
from bot.ui.words.signs import (
    MAX_SAID,
    SignTextError,
    fits_an_id,
    read_gesture,
    read_plan,
    read_sign,
    read_signs,
    shown_sign,
)
from tests.rules.table import Table
from tests.seen import typed
from tests.ui.walk import EN, FR, TABLE_ID


@pytest.mark.parametrize(("written", "normal"), [
    ("🍀", "🍀"),
    (" 🍀 ☕\n", "🍀☕"),
    ("👍🏽", "👍"),
    ("❤️", "❤"),
    ("👨‍👩‍👧", "👨‍👩‍👧"),
    ("🇫🇷", "🇫🇷"),
    ("<:kems:123456789012345678>", "<:123456789012345678>"),
    ("<a:kems:1>🍀", "<:1>🍀"),
    ("🍀" * 5, "🍀" * 5),
])  # fmt: skip
def test_emojis_are_read_as_a_sign(written: str, normal: str) -> None:
    assert read_sign(written, FR).text == normal


@pytest.mark.parametrize("written", ["", "  ", "bonjour", "🍀!", "a🍀", "<@123>", "<:kems:>", "7♠x", "@everyone"])
def test_anything_else_is_refused_with_a_sentence(written: str) -> None:
    with pytest.raises(SignTextError, match="et rien d'autre"):
        read_sign(written, FR)


def test_a_phrase_has_a_maximum_length_and_strange_server_emojis_are_refused() -> None:
    with pytest.raises(SignTextError, match="5 emojis at most"):
        read_sign("🍀" * 6, EN)
    with pytest.raises(SignTextError, match="5 emojis"):
        read_sign("<:kems:12345678901234567890>" * 4, FR)
    assert read_sign("<:kems:12>", FR, usable={12}).text == "<:12>"
    with pytest.raises(SignTextError, match="de ce serveur"):
        read_sign("<:kems:12>", FR, usable={13})


@given(st.text(max_size=200) | st.lists(st.sampled_from(HOUSE_SIGNS), max_size=9).map("".join))
def test_whatever_is_typed_is_a_sign_a_button_can_carry_or_refused(written: str) -> None:
    try:
        sign = read_sign(written, EN)
    except SignTextError:
        return
    assert make_id(TABLE_ID, TableVerb.GESTURE, sign.text)


def test_words_are_a_sign_when_they_may_be_spoken() -> None:
    assert read_sign(" Quel  TEMPS, dis donc ! ", FR, spoken=True) == spoken_sign("quel temps dis donc")
    assert read_sign("🍀", FR, spoken=True) == emoji_sign("🍀")


@pytest.mark.parametrize("written", ["quel temps 🍀", "🍀 quel temps", "<:kems:12> temps", "!!", "", "…"])
def test_a_mixture_of_words_and_emojis_is_no_sign(written: str) -> None:
    with pytest.raises(SignTextError, match="sans mélange"):
        read_sign(written, FR, spoken=True)


def test_spoken_words_have_a_maximum_length() -> None:
    assert read_sign("a" * 60, EN, spoken=True) == spoken_sign("a" * 60)
    with pytest.raises(SignTextError, match="60 characters at most"):
        read_sign("a" * 61, EN, spoken=True)


@pytest.mark.parametrize("written", ["👀, 🍀☕,🎲", "👀\n🍀 ☕\n\n🎲\n", "👀;🍀☕ ;🎲", ",👀、🍀☕，🎲,"])
def test_several_signs_are_separated_by_commas_or_lines(written: str) -> None:
    assert read_signs(written, FR) == tuple(map(emoji_sign, ("👀", "🍀☕", "🎲")))


def test_the_same_sign_twice_is_refused() -> None:
    with pytest.raises(SignTextError, match="deux fois"):
        read_signs("👍🏽, 👍", FR)


def view(table: Table, seat: int = 0) -> SeatView:
    return seat_view(table.state, seat)


def voted(strategies: str = "double intermediate total presign spoken", **options: object) -> SeatView:
    return view(Table.starting(strategies=strategies, **options))  # type: ignore[arg-type]  # of the rules


def signs(*texts: str) -> tuple[Sign, ...]:
    return tuple(spoken_sign(text) if text.isascii() else emoji_sign(text) for text in texts)


@pytest.mark.parametrize(("kind", "written", "plan"), [
    (PlanKind.SINGLE, "👀", one_sign(emoji_sign("👀"))),
    (PlanKind.SINGLE, "Tell me, is it late?", one_sign(spoken_sign("tell me is it late"))),
    (PlanKind.DOUBLE, "👀, quite so", SignPlan(PlanKind.DOUBLE, signs("👀", "quite so"))),
    (PlanKind.INTERMEDIATE, "👀\n🍀\nquite so", SignPlan(PlanKind.INTERMEDIATE, signs("👀", "🍀", "quite so"))),
    (PlanKind.TOTAL, " ", SignPlan(PlanKind.TOTAL)),
])  # fmt: skip
def test_a_plan_is_read_by_its_kind(kind: PlanKind, written: str, plan: SignPlan) -> None:
    assert read_plan(kind, written, voted(), FR) == plan
    assert read_plan(kind, written, voted(), FR, presign=True).presign


@pytest.mark.parametrize(("kind", "written", "sentence"), [
    (PlanKind.SINGLE, "👀, 🍀", "Il faut un seul signe ; vous en avez écrit 2."),
    (PlanKind.DOUBLE, "👀", "Un signe chacun, cela fait 2, séparés par des virgules ; vous en avez écrit 1."),
    (PlanKind.DOUBLE, "👀, 🍀, 🎲", "Un signe chacun, cela fait 2"),
    (PlanKind.INTERMEDIATE, "👀🍀🎲", "Il faut de 3 à 6 signes, séparés par des virgules ; vous en avez écrit 1."),
    (PlanKind.INTERMEDIATE, "👀,🍀,🎲,🦊,🎈,🧦,🍩", "vous en avez écrit 7"),
    (PlanKind.TOTAL, "👀", "laissez ce champ vide"),
])  # fmt: skip
def test_too_many_or_too_few_signs_are_refused_with_their_number(kind: PlanKind, written: str, sentence: str) -> None:
    with pytest.raises(SignTextError, match=sentence.replace(".", "\\.")):
        read_plan(kind, written, voted(), FR)


def test_words_are_refused_when_the_team_may_not_speak() -> None:
    with pytest.raises(SignTextError, match="et rien d'autre"):
        read_plan(PlanKind.DOUBLE, "👀, quite so", voted("double"), FR)


def test_only_the_successor_of_a_found_sign_is_asked_for_in_a_double() -> None:
    table = Table(strategies="double presign", plans={"#1": "presign A 👀 C 🍀"})
    table.do("B guess #1 🍀")
    plan = read_plan(PlanKind.DOUBLE, "🎩", view(table), FR)
    assert plan == SignPlan(PlanKind.DOUBLE, signs("👀", "🎩"), presign=True)
    with pytest.raises(SignTextError, match=r"^1 signe est trouvé : écrivez-en autant"):
        read_plan(PlanKind.DOUBLE, "🎩, 👀", view(table), FR)


def test_emojis_are_posted_and_words_said_when_the_rules_allow_it() -> None:
    speaking, silent = voted("spoken"), voted("double")
    assert read_gesture("🍀 ☕", silent, FR) == MakeGesture(0, GestureKind.POST, "🍀 ☕")
    assert read_gesture("Quel temps 🍀 !", speaking, FR) == MakeGesture(0, GestureKind.SAY, "Quel temps 🍀 !")
    with pytest.raises(SignTextError, match="seuls les emojis comptent comme gestes"):
        read_gesture("Quel temps !", silent, FR)
    with pytest.raises(SignTextError, match="5 emojis"):
        read_gesture("🍀" * 6, speaking, FR)


def test_a_mention_becomes_a_name_and_leaves_no_id() -> None:
    """The log of a match names seats, and outlives an erasure."""
    speaking, silent = voted("spoken"), voted("double")
    players = (Player("Ana", 7), None, Player("Zoé"), Player("Bruno", 12))
    said = read_gesture("ask <@!7>, <@12> or <@99> about  it", speaking, EN, players)
    assert said == MakeGesture(0, GestureKind.SAY, "ask @Ana, @Bruno or about it")
    assert gesture_makes(said.kind, said.text, spoken_sign("Ana Bruno")), "heard as it is read"
    assert read_sign("ask <@7> now", EN, spoken=True) == spoken_sign("ask now")
    assert read_gesture("<@99> 🍀", silent, EN, players) == MakeGesture(0, GestureKind.POST, "🍀")
    with pytest.raises(SignTextError, match="either emojis or words"):
        read_gesture("<@99>", speaking, EN, players)


@given(st.text(alphabet="ab \n", min_size=1, max_size=500).filter(str.strip))
def test_a_spoken_phrase_is_truncated_between_words(said: str) -> None:
    gesture = read_gesture(said, voted("spoken"), EN)
    assert 0 < len(gesture.text) <= MAX_SAID
    words = said.split()
    assert gesture.text.split() == words[: len(gesture.text.split())] or len(words[0]) > MAX_SAID


BOTH_HALVES = combined_sign("👀", "what weather")


@pytest.mark.parametrize("written", ["👀 + what weather", "👀+What  weather"])
def test_a_sign_in_two_halves_is_typed_with_a_plus(written: str) -> None:
    assert read_sign(written, EN, spoken=True) == BOTH_HALVES
    with pytest.raises(SignTextError, match="one emoji or a few"):
        read_sign(written, EN)


@pytest.mark.parametrize("written", ["👀 +", "👀 + 🍀 x", "a + b 🍀"])
def test_halves_that_are_no_sign_are_refused(written: str) -> None:
    with pytest.raises(SignTextError, match="either emojis or words"):
        read_sign(written, EN, spoken=True)


def test_a_combined_sign_is_shown_as_two_and_needs_no_button() -> None:
    assert typed(shown_sign(BOTH_HALVES)) == "👀 + « what weather »"
    assert not fits_an_id(BOTH_HALVES)
    plans = [seat_view(Table("yokai", plans={"#1": words}).state, 0).plan for words in ("👀", "👀+say:what_weather")]
    digests = {plan_digest(plan) for plan in plans if plan is not None}
    assert len(digests) == 2
