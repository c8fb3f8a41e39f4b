"""The forms about signs: what a team proposes, and what it says of another one's. They ask what may be answered.

A form's custom id is a press's; what was filled in is in the fields that are named here.
"""

from typing import Final

from bot.game.sign_plans import FEWEST_SIGNS, MOST_SIGNS, PlanKind
from bot.game.signs import Strategy
from bot.game.views import SeatView, TableView
from bot.ui.kit.custom_ids import make_id
from bot.ui.kit.forms import TEXT, Form
from bot.ui.kit.texts import Texts
from bot.ui.table.verbs import TableVerb
from bot.ui.words.sign_plans import member_names
from bot.ui.words.table_text import TableText

SIGNS: Final = TEXT
KIND: Final = "kind"
PRESIGN: Final = "presign"
YES: Final = "yes"
_NO: Final = "no"
_MOST_TYPED: Final = 300
_EXAMPLE: Final = "🍀☕"


def sign_form(view: SeatView, table_text: TableText, table_id: int) -> Form:
    """Type how the team shall signal; kinds of plans and pre-sign are asked for where there is a choice."""
    texts, options = table_text.texts, view.options
    form = Form(texts.t("Another sign"), make_id(table_id, TableVerb.SIGN_TEXT))
    if len(options.kinds) > 1:
        present = PlanKind.SINGLE if view.plan is None else view.plan.kind
        chosen = present if present in options.kinds else options.kinds[0]
        form.choose(texts.t("How many signs"), KIND, _kinds(view, texts), chosen.value)
    question, hint = _signs(view, table_text)
    is_required = PlanKind.TOTAL not in options.kinds
    form.ask(question, hint=hint, example=_EXAMPLE, most=_MOST_TYPED, is_required=is_required)
    if options.presign and not view.is_half_found:
        answers = [(_NO, texts.t("No")), (YES, texts.t("Yes"))]
        is_on = view.plan is not None and view.plan.presign
        form.choose(texts.t("Pre-sign: at three alike already"), PRESIGN, answers, YES if is_on else _NO)
    return form


def guess_form(table: TableView, table_id: int, team: int, texts: Texts) -> Form:
    """Type what the opponents' sign might be, or all their signs where the vote allowed several."""
    title = texts.t("The sign of team {number}", number=team + 1)
    form = Form(title, make_id(table_id, TableVerb.GUESS_TEXT, str(team)))
    is_double_possible = Strategy.DOUBLE in table.strategies
    hint = texts.t("Do you think they have one each? Then name them all, with commas between them.")
    question = _question(texts, spoken=words_possible(table))
    form.ask(question, hint=hint if is_double_possible else "", example=_EXAMPLE, most=_MOST_TYPED)
    return form


def words_possible(table: TableView) -> bool:
    """Whether some team of the table may have a spoken sign: by vote, or by its sign card, which is secret."""
    signs = table.rules.signs
    return Strategy.SPOKEN in table.strategies or signs.sign_cards or signs.oral_signs


def _signs(view: SeatView, table_text: TableText) -> tuple[str, str]:
    """What is asked for: one sign, those that replace what was found, or several; and a hint how to write them."""
    texts, options = table_text.texts, view.options
    if set(options.kinds) == {PlanKind.SINGLE}:
        hint = texts.t("For a sign of both halves write the emojis, +, then the words.") if options.combined else ""
        return _question(texts, spoken=options.spoken), hint
    hints = [texts.t("Emojis, or words.")] if options.spoken else []
    if view.plan is not None and view.is_half_found:
        count = len(view.spent.intersection(view.plan.signs))
        return texts.n("The new sign", "The new signs, with commas between them", count), " ".join(hints)
    if PlanKind.DOUBLE in options.kinds:
        hints.append(texts.t("One each, in this order: {names}.", names=", ".join(member_names(view, table_text))))
    return texts.t("The signs, with commas between them"), " ".join(hints)


def _question(texts: Texts, *, spoken: bool) -> str:
    return texts.t("An emoji, some emojis, or words") if spoken else texts.t("One emoji, or a phrase of them")


def _kinds(view: SeatView, texts: Texts) -> list[tuple[str, str]]:
    words = {
        PlanKind.SINGLE: texts.t("One sign for all"),
        PlanKind.DOUBLE: texts.t("One sign each"),
        PlanKind.INTERMEDIATE: texts.t("{fewest} to {most} signs", fewest=FEWEST_SIGNS, most=MOST_SIGNS),
        PlanKind.TOTAL: texts.t("None: any gesture counts"),
    }
    return [(kind.value, words[kind]) for kind in view.options.kinds]
