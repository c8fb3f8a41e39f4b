"""Every reason why a sign is refused has a sentence of its own, and it is the right one."""

import pytest

from bot.game import actions as a
from bot.game.build_view import seat_view
from bot.game.checks.refusals import Code, Refusal
from bot.game.decide import decide
from bot.game.signs import Strategy
from bot.ui.kit.texts import Texts
from bot.ui.words.refusals import refusal_text, sign_refusal
from tests.rules.table import Table, seat_of
from tests.ui.walk import EN, FR

ALL = " ".join(Strategy)


def refused(table: Table, move: str, texts: Texts = FR) -> str:
    """The sentence that the presser gets."""
    action = table.read(move)
    outcome = decide(table.state, action, table.now, table.rng)
    assert isinstance(outcome, Refusal)
    view = seat_view(table.state, getattr(action, "seat", 0))
    return sign_refusal(outcome.code, action, view, texts) or refusal_text(outcome.code, texts)


def double(*found: str, presign: str = "presign ") -> Table:
    table = Table(strategies=ALL, plans={"#1": f"{presign}A 👀 C 🍀"})
    if found:
        table.do(f"B guess #1 {' '.join(found)}")
    return table


def stopped() -> Table:
    table = Table(strategies=ALL, plans={"#1": "presign 👀"})
    table.do("B accuse #1 presign", "D kems")
    return table


CASES = {
    "kind": (Table.starting, "A 👀 C 🍀", "Cette table n'a pas voté cela : un seul signe par équipe."),
    "pre-sign": (Table.starting, "presign 👀", "Cette table n'a pas voté le pré-signe"),
    "spoken": (Table.starting, "say:quel_temps", "Cette table n'a pas voté les signes parlés"),
    "game": (lambda: Table.starting(strategies=ALL), "say:j'ai_kem's", "Le nom du jeu ne peut pas être un signe"),
    "card": (
        lambda: Table.starting("bell", sign_cards="mouth eyes"), "🎲",
        "🎲 ne va pas avec votre carte signe, la bouche : prenez ses emojis.",
    ),
    "words": (
        lambda: Table.starting("bell", sign_cards="mouth eyes"), "say:quel_temps",
        "« quel temps » ne va pas avec votre carte signe, la bouche : prenez ses emojis.",
    ),
    "word card": (
        lambda: Table.starting("bell", sign_cards="word eyes"), "🎲",
        "🎲 ne va pas avec votre carte signe, la parole : écrivez des mots.",
    ),
    "total": (
        lambda: Table.starting("bell", sign_cards="eyes word", strategies=ALL), "total",
        "Votre carte signe ne va pas avec le total",
    ),
    "spent": (lambda: double("🍀"), "A 👀 C 🍀", "🍀 a été trouvé et ne revient jamais"),
    "again": (lambda: double("🍀", presign=""), "A 👀 C 🍀", "🍀 a été trouvé et ne revient jamais"),
    "half": (lambda: double("🍀"), "🎲", "L'un de vos signes est trouvé : remplacez-le"),
    "both": (lambda: double("🍀"), "A 🎩 C 🎲", "Seul le signe trouvé peut être remplacé"),
    "unmasked": (lambda: double("🍀", "👀"), "A 🎩 C 🎲", "Votre équipe est démasquée : signe unique"),
    "stopped": (stopped, "presign 🎲", "On a demandé à votre équipe d'arrêter le pré-signe"),
    "same": (Table, "👀", "Les règles de cette table ne le permettent pas maintenant."),
}  # fmt: skip


@pytest.mark.parametrize(("table", "plan", "sentence"), CASES.values(), ids=CASES)
def test_a_refused_proposal_says_what_is_wrong(table: object, plan: str, sentence: str) -> None:
    made = table()  # type: ignore[operator]  # a lambda
    assert sentence in refused(made, f"A sign {plan}")
    assert refused(made, f"A sign {plan}", EN) != refused(made, f"A sign {plan}")


def test_what_was_said_aloud_already_is_known() -> None:
    table = Table(strategies=ALL, plans={"#1": "total", "#2": "presign 🍀"})
    table.do("A guess #2 🍀", "A accuse #2 presign", "B accuse #1 total")
    assert refused(table, "C guess #2 🍀") == "Ce signe est déjà trouvé : tout le monde le sait."
    assert "C'est déjà démasqué" in refused(table, "C accuse #2 presign")
    assert "C'est déjà démasqué" in refused(table, "B accuse #1 total")
    assert refused(table, "A guess #2 👀 🎲 🎩") == "Nommez jusqu'à 2 signes, chacun une fois."
    duel = Table(players=2)
    assert refused(duel, "A guess #2 👀 🎲") == "Nommez 1 signe, pas plus."


def test_other_moves_keep_their_general_sentence() -> None:
    view = seat_view(Table().state, seat_of("A"))
    assert sign_refusal(Code.SIGN_FORBIDDEN, a.KeepSign(0), view, FR) is None
    assert sign_refusal(Code.ROUND_OVER, a.CallKems(0), view, FR) is None
