"""The panel and the forms of a team's sign, and of guesses at another team's. They show the own team's secrets alone.

A form's custom id is a press's; what was filled in is in the fields that are named here.
"""

from collections.abc import Sequence
from random import Random
from typing import Final

from bot.game.actions import AcceptSign, AccuseTeam, KeepSign
from bot.game.phase import Phase
from bot.game.rules.rules import Guess
from bot.game.signs import FEWEST_SIGNS, MOST_SIGNS, PlanKind, Strategy, emoji_sign, family
from bot.game.views import SeatView, TableView
from bot.records.player import Player
from bot.ui.kit import components as c
from bot.ui.kit.custom_ids import Ids, make_id
from bot.ui.kit.forms import TEXT, Form
from bot.ui.kit.texts import Texts
from bot.ui.table.board import result_lines
from bot.ui.table.verbs import TableVerb
from bot.ui.words.card_faces import Faces
from bot.ui.words.sign_plans import card_line, losses, member_names, own_plan, plan_digest, plan_words, trouble
from bot.ui.words.signs import fits_an_id, sign_button
from bot.ui.words.table_text import TableText, countdown

SIGNS: Final = TEXT
KIND: Final = "kind"
PRESIGN: Final = "presign"
YES: Final = "yes"
_NO: Final = "no"
_MOST_TYPED: Final = 300
_EXAMPLE: Final = "🍀☕"


def sign_panel(
    view: SeatView,
    people: Sequence[Player],
    table_id: int,
    faces: Faces,
    notice: str | None = None,
    *,
    order_seed: int,
    is_choosing: bool = False,
) -> c.Layout:
    """The team's sign: a choice while there is none, then the sign with a way to change it.

    `is_choosing`: the reader has asked for another choice. After a round its result comes first.
    """
    ids, table_text = Ids(table_id, view.table.round), TableText(view.table, people, faces)
    is_open = view.proposal is None and (view.plan is None or view.is_half_found)
    chooses = view.may_change_sign and (is_choosing or is_open)
    result = result_lines(table_text) if view.table.phase is Phase.OVER and not is_choosing else ()
    return c.layout(
        c.text(notice, *result, *_lines(view, table_text, chooses=chooses)),
        *c.rows(_choices(view, ids, order_seed) if chooses else []),
        *c.rows(_answers(view, ids, faces.texts, chooses=chooses)),
        *([] if is_choosing else _opponents(view, table_text, ids)),
        colour=c.PURPLE,
    )


def sign_form(view: SeatView, table_text: TableText, table_id: int) -> Form:
    """Type how the team shall signal; kinds of plans and pre-sign are asked for where there is a choice."""
    texts, options = table_text.texts, view.options
    form = Form(texts.t("Another sign"), make_id(table_id, TableVerb.SIGN_TEXT))
    if len(options.kinds) > 1:
        present = PlanKind.SINGLE if view.plan is None else view.plan.kind
        chosen = present if present in options.kinds else options.kinds[0]
        names = {
            PlanKind.SINGLE: texts.t("One sign for all"),
            PlanKind.DOUBLE: texts.t("One sign each"),
            PlanKind.INTERMEDIATE: texts.t("{fewest} to {most} signs", fewest=FEWEST_SIGNS, most=MOST_SIGNS),
            PlanKind.TOTAL: texts.t("None: any gesture counts"),
        }
        kinds = [(kind.value, names[kind]) for kind in options.kinds]
        form.choose(texts.t("How many signs"), KIND, kinds, chosen.value)
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


def _lines(view: SeatView, table_text: TableText, *, chooses: bool) -> list[str | None]:
    """What to choose, for whom, and until when; or the sign, or what is proposed, and no more."""
    t, phase = table_text.texts.t, view.table.phase
    lines: list[str | None] = [] if view.plan is None else [f"**{own_plan(view, table_text)}**"]
    if chooses and view.plan is None:
        if view.partners:
            lines.append(t("Your team: you and {partners}.", partners=table_text.names(view.partners)))
        lines.append(t("Choose a sign: everybody will see it, only you know it."))
    if chooses and view.sign_card is not None:
        lines.append(card_line(view.sign_card, table_text.texts))
    lines += (trouble(view, table_text), losses(view, table_text.texts), _proposal(view, table_text))
    if chooses or phase is Phase.SIGNS:
        lines.append(table_text.duties() if view.plan is not None and not chooses else _deadline(view, table_text))
    if view.plan is not None and not chooses and phase is not Phase.OVER:
        lines.append(
            t("-# To make it: a reaction on the table, a tap in your hand, `/kems sign`, or a reply with its ping on.")
        )
    return lines


def _deadline(view: SeatView, table_text: TableText) -> str | None:
    table = view.table
    if view.plan is not None or table.ends_at is None or table.phase not in (Phase.SIGNS, Phase.OVER):
        return None
    return table_text.texts.t("-# Without one, it is picked at random {when}.", when=countdown(table.ends_at))


def _proposal(view: SeatView, table_text: TableText) -> str | None:
    t, proposal = table_text.texts.t, view.proposal
    if proposal is None:
        return None
    awaited = [seat for seat in (view.seat, *view.partners) if seat not in proposal.accepted]
    names = table_text.listed([t("you") if seat == view.seat else table_text.name(seat) for seat in awaited])
    plan = plan_words(proposal.plan, view, table_text)
    if proposal.seat == view.seat:
        return t("You propose {sign}. Awaited: {names}.", sign=plan, names=names)
    name = table_text.name(proposal.seat)
    return t("{name} proposes {sign}. Awaited: {names}.", name=name, sign=plan, names=names)


def _choices(view: SeatView, ids: Ids, order_seed: int) -> list[c.Button]:
    """Four emojis to propose, drawn by the seed; where several signs were found, as many on each button."""
    present = frozenset() if view.plan is None else frozenset(view.plan.signs)
    fresh = [sign for sign in map(emoji_sign, family(view.sign_card)) if sign not in view.spent | present]
    Random(order_seed).shuffle(fresh)  # noqa: S311 - a choice of suggestions, no secret
    size = len(view.spent & present) if view.is_half_found else 1
    buttons = []
    for start in range(0, size * c.IN_ROW, size):
        if len(signs := fresh[start : start + size]) == size:
            propose = ids(TableVerb.PROPOSE, ",".join(sign.text for sign in signs))
            buttons.append(sign_button(signs, propose, is_enabled=view.may_change_sign))
    return buttons


def _answers(view: SeatView, ids: Ids, texts: Texts, *, chooses: bool) -> list[c.Button]:
    t, phase = texts.t, view.table.phase
    buttons = [] if view.proposal is None else [_accept(view, ids, texts)]
    if phase is Phase.OVER:
        buttons.append(c.button(t("Next round"), ids(TableVerb.NEXT), style=c.PRIMARY))
    if chooses:
        buttons.append(c.button(t("Other…"), ids(TableVerb.OTHER)))
    elif view.may_change_sign:
        label = t("Something else…") if view.proposal is not None else t("Change the sign")
        buttons.append(c.button(label, ids(TableVerb.CHOOSE)))
    if KeepSign(view.seat) in view.special_moves:
        label = t("Go on with one, openly") if view.is_half_found else t("Keep the sign")
        buttons.append(c.button(label, ids(TableVerb.KEEP)))
    if phase not in (Phase.SIGNS, Phase.OVER):
        buttons.append(c.button(t("🂠 My hand"), ids(TableVerb.HAND), style=c.PRIMARY))
    return buttons


def _accept(view: SeatView, ids: Ids, texts: Texts) -> c.Button:
    """The id names the plan shortly, so that a changed proposal is not accepted by mistake."""
    label, proposal = texts.t("Accept"), view.proposal
    if proposal is None or AcceptSign(view.seat, proposal.plan) not in view.special_moves:
        return c.button(label, ids(TableVerb.EMPTY, "accept"), is_enabled=False)
    plan, custom_id = proposal.plan, ids(TableVerb.ACCEPT, plan_digest(proposal.plan))
    if plan.kind is PlanKind.SINGLE and not plan.presign and fits_an_id(plan.signs[0]):
        return sign_button(plan.signs, custom_id, style=c.SUCCESS, label=label)
    return c.button(label, custom_id, style=c.SUCCESS)


def _opponents(view: SeatView, table_text: TableText, ids: Ids) -> list[c.Part]:
    """Naming the opponents' signs and strategies, while a round runs and where the rules and the vote play it."""
    t, table = table_text.texts.t, view.table
    if table.phase is Phase.SIGNS:
        return []
    parts: list[c.Part] = []
    for team in range(table.teams):
        if team != view.team:
            parts += c.rows(_about(view, team, table_text, ids))
    question = (
        t("Do the opponents play pre-sign?") if table.phase is Phase.OVER else t("Do you know the opponents' sign?")
    )
    return [c.text(question), *parts] if parts else []


def _about(view: SeatView, team: int, table_text: TableText, ids: Ids) -> list[c.Button]:
    t, table, name = table_text.texts.t, view.table, table_text.team(team)
    buttons = []
    is_over = table.phase is Phase.OVER  # when a team may still be asked to stop pre-sign
    if not is_over and table.rules.signs.guess is not Guess.NOT_PLAYED:
        buttons.append(c.button(t("Sign of {team}…", team=name), ids(TableVerb.GUESS, str(team))))
    for strategy, verb, label in (
        (Strategy.TOTAL, TableVerb.DECLARE_TOTAL, t("{team}: total!", team=name)),
        (Strategy.PRESIGN, TableVerb.STOP_PRESIGN, t("{team}: stop pre-sign", team=name)),
    ):
        if strategy in table.strategies and (strategy is Strategy.PRESIGN or not is_over):
            is_enabled = AccuseTeam(view.seat, team, strategy) in view.special_moves
            buttons.append(c.button(label, ids(verb, str(team)), is_enabled=is_enabled))
    return buttons


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
