"""The panel and the modals of a team's sign, and of guesses at another team's. They show only the own team's secrets.

The names of the modals' fields stand here.
"""

from collections.abc import Sequence
from random import Random
from typing import Final

from bot.discord.api import components as c
from bot.discord.api.custom_ids import RoundCustomIds, make_id
from bot.discord.api.modals import MAX_HINT, TEXT, Modal
from bot.discord.text.names import clean
from bot.discord.text.texts import Texts, mark
from bot.game.actions import AcceptSign, AccuseTeam, KeepSign
from bot.game.events import Phase
from bot.game.rules.rules import Guess
from bot.game.signs import FEWEST_SIGNS, MOST_SIGNS, PlanKind, Sign, SignPlan, Strategy, unused_signs
from bot.game.views import SeatView, TableView
from bot.records.player import HelpLevel
from bot.tables.lobby.help import Coaching
from bot.ui.table.pages.board import resume_button
from bot.ui.table.pages.panel_state import PanelPage, PanelView
from bot.ui.table.pages.round_end import own_result
from bot.ui.table.verbs import TableVerb
from bot.ui.words.plan_text import card_line, losses, own_plan, plan_digest, plan_words, trouble
from bot.ui.words.signs import fits_an_id, sign_button
from bot.ui.words.table_text import TableText, countdown

SIGNS: Final = TEXT
KIND: Final = "kind"
PRESIGN: Final = "presign"
YES: Final = "yes"
_NO: Final = "no"
_MOST_TYPED: Final = 300
_EXAMPLE: Final = "🍀☕"
LEVEL_LINES: Final = {
    HelpLevel.GUIDED: mark("🧭 Kem's turns green when your partner makes your sign."),
    HelpLevel.NORMAL: mark("⚖️ Your partner's gestures all look alike: you find the sign."),
    HelpLevel.BARE: mark("👁️ Nothing is marked. Win ten whole matches like this for a badge."),
}
"""What each level of help does."""


def sign_panel(seen: PanelView) -> c.Layout:
    """Return the team's sign and a way to change it, or a choice of signs if there is none; and the level of help.

    After a round, its result comes first and replaces the levels on the page of the hand.
    """
    view, faces = seen.view, seen.faces
    ids, table_text = RoundCustomIds(seen.table_id, view.table.round), TableText(view.table, seen.people, faces)
    is_over, is_choosing = view.table.phase is Phase.OVER, seen.page is PanelPage.CHOICE
    chooses = view.may_change_sign and (is_choosing or view.plan is None or view.is_half_found)
    result: Sequence[str] = ()
    if is_over and not is_choosing:
        result = own_result(TableText(view.table, seen.played or seen.people, faces), view, is_new=seen.is_new)
    t, is_told = faces.texts.t, seen.is_ranked and view.table.phase is Phase.SIGNS
    has_levels = seen.has_free_level and view.table.pause is None and not (is_over and seen.page is PanelPage.HAND)
    return c.layout(
        c.text(
            seen.notice,
            *result,
            *_lines(seen, table_text, chooses=chooses),
            t("Ranked match: nothing lights up, watch for the sign.") if is_told else None,
        ),
        *c.rows(_choices(view, ids, seen.order_seed, faces.texts) if chooses else []),
        *c.rows(_ways_on(view, ids, seen.order_seed, faces.texts, chooses=chooses)),
        *(_levels(seen.level, ids, faces.texts) if has_levels else []),
        *_proposal(view, table_text, ids, is_inherited=seen.is_inherited),
        *([] if is_choosing else _opponents(view, table_text, ids)),
        colour=c.PURPLE,
    )


def sign_form(view: SeatView, table_text: TableText, table_id: int) -> Modal:
    """Return the modal for the team's signs; if there is a choice, it asks for the kind of plan and for pre-signs."""
    texts, options = table_text.texts, view.options
    form = Modal(texts.t("Another sign"), make_id(table_id, TableVerb.SIGN_TEXT))
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
        form.add_menu(texts.t("How many signs"), KIND, kinds, chosen.value)
    question, hint = _signs(view, table_text)
    is_required = PlanKind.TOTAL not in options.kinds
    form.add_text_input(question, hint=hint, example=_EXAMPLE, most=_MOST_TYPED, is_required=is_required)
    if options.presign and not view.is_half_found:
        answers = [(_NO, texts.t("No")), (YES, texts.t("Yes"))]
        is_on = view.plan is not None and view.plan.presign
        form.add_menu(texts.t("Pre-sign: at three of a kind"), PRESIGN, answers, YES if is_on else _NO)
    return form


def guess_form(table: TableView, table_id: int, team: int, texts: Texts) -> Modal:
    """Return the modal to guess the opponents' sign, or all their signs if the vote allowed several."""
    title = texts.t("The sign of team {number}", number=team + 1)
    form = Modal(title, make_id(table_id, TableVerb.GUESS_TEXT, str(team)))
    is_double_possible = Strategy.DOUBLE in table.strategies
    hint = texts.t("Do you think they have one each? Then name them all, with commas between them.")
    question = _question(texts, spoken=words_possible(table))
    form.add_text_input(question, hint=hint if is_double_possible else "", example=_EXAMPLE, most=_MOST_TYPED)
    return form


def words_possible(table: TableView) -> bool:
    """Return whether a team may have a spoken sign: by the vote, or by its sign card, which is secret."""
    signs = table.rules.signs
    return Strategy.SPOKEN in table.strategies or signs.sign_cards or signs.oral_signs


def _lines(seen: PanelView, table_text: TableText, *, chooses: bool) -> list[str | None]:
    """Return what to choose, for whom, and until when; or only the sign. In lessons the robots wait."""
    t, view = table_text.texts.t, seen.view
    lines: list[str | None] = [] if view.plan is None else [f"**{own_plan(view, table_text)}**"]
    if chooses and view.plan is None:
        if view.partners:
            lines.append(t("Your team: you and {partners}.", partners=table_text.names(view.partners)))
        lines.append(t("Choose a sign that everybody will see… without understanding it."))
    if chooses and view.sign_card is not None:
        lines.append(card_line(view.sign_card, table_text.texts))
    until = None if seen.coaching is Coaching.LESSONS else _deadline(view, table_text)
    return [*lines, trouble(view, table_text), losses(view, table_text.texts), until]


def _deadline(view: SeatView, table_text: TableText) -> str | None:
    table = view.table
    if view.plan is not None or table.ends_at is None or table.phase not in (Phase.SIGNS, Phase.OVER):
        return None
    return table_text.texts.t("-# Without one, it is picked at random {when}.", when=countdown(table.ends_at))


def _proposal(view: SeatView, table_text: TableText, ids: RoundCustomIds, *, is_inherited: bool) -> list[c.Part]:
    """Return what is proposed, and the button to accept it: below all that was there before, so that nothing moves."""
    t, proposal = table_text.texts.t, view.proposal
    if proposal is None:
        return []
    sign = plan_words(proposal.plan, view, table_text)
    if proposal.seat == view.seat and is_inherited:
        line = t("{sign} was proposed in your place.", sign=sign)
    elif proposal.seat == view.seat:
        line = t("You propose {sign}.", sign=sign)
    else:
        line = t("{name} proposes {sign}.", name=table_text.name(proposal.seat), sign=sign)
    if view.seat not in proposal.accepted:
        yours = t("Your turn to answer.")
        return [c.text(f"{line} {yours}"), c.row(_accept(view, proposal.plan, ids, table_text.texts))]
    awaited = [seat for seat in view.partners if seat not in proposal.accepted]
    return [c.text(f"{line} {table_text.awaited(awaited)}")]


def _choices(view: SeatView, ids: RoundCustomIds, order_seed: int, texts: Texts) -> list[c.Button]:
    """Return four emojis to propose, then the button for another sign; as many on each as signs were found."""
    fresh = _fresh(view, order_seed)
    size = 1 if view.plan is None or not view.is_half_found else len(view.spent.intersection(view.plan.signs))
    buttons = []
    for start in range(0, size * c.IN_ROW, size):
        if len(signs := fresh[start : start + size]) == size:
            propose = ids(TableVerb.PROPOSE, ",".join(sign.text for sign in signs))
            buttons.append(sign_button(signs, propose, is_enabled=view.may_change_sign))
    return [*buttons, c.button(texts.t("Other…"), ids(TableVerb.OTHER))]


def _fresh(view: SeatView, order_seed: int) -> list[Sign]:
    """Return the signs to suggest, in an order drawn by the seed: none that the team has, or that may not come back."""
    known = view.spent.union(() if view.plan is None else view.plan.signs)
    fresh = unused_signs(view.sign_card, known)
    Random(order_seed).shuffle(fresh)  # noqa: S311 - a choice of suggestions, no secret
    return fresh


def _ways_on(view: SeatView, ids: RoundCustomIds, order_seed: int, texts: Texts, *, chooses: bool) -> list[c.Button]:
    """Return the buttons for the next round and for another sign.

    A new sign takes one press if the round has shown the team's and nobody proposes one.
    """
    t, phase, buttons = texts.t, view.table.phase, []
    result = view.table.result
    if view.table.pause is not None:
        buttons.append(resume_button(ids, texts))
    elif phase is Phase.OVER and result is not None and not result.is_of_deal:
        buttons.append(c.button(t("Next round"), ids(TableVerb.NEXT), style=c.PRIMARY))
    if view.may_change_sign and not chooses:
        label = t("Change the sign")
        if view.is_sign_shown and view.proposal is None and (fresh := _fresh(view, order_seed)[:1]):
            propose = ids(TableVerb.PROPOSE, fresh[0].text)
            buttons.append(sign_button(fresh, propose, style=c.PRIMARY, label=label))
            label = t("Other…")
        buttons.append(c.button(label, ids(TableVerb.CHOOSE)))
    if KeepSign(view.seat) in view.special_moves:
        label = t("Go on with one, openly") if view.is_half_found else t("Keep the sign")
        buttons.append(c.button(label, ids(TableVerb.KEEP)))
    if phase not in (Phase.SIGNS, Phase.OVER):
        buttons.append(c.button(t("🂠 My hand"), ids(TableVerb.HAND), style=c.PRIMARY))
    return buttons


def _levels(level: HelpLevel, ids: RoundCustomIds, texts: Texts) -> list[c.Part]:
    """Return each level in a line, and the buttons that choose."""
    buttons = [
        c.button(texts.t(each.words), ids(TableVerb.LEVEL, each), style=c.PRIMARY if each is level else c.SECONDARY)
        for each in HelpLevel
    ]
    return [c.text(*(f"-# {texts.t(LEVEL_LINES[each])}" for each in HelpLevel)), c.row(*buttons)]


def _accept(view: SeatView, plan: SignPlan, ids: RoundCustomIds, texts: Texts) -> c.Button:
    """Return the button that accepts. Its id names the plan, so that a changed proposal is not accepted by mistake."""
    is_shown = plan.kind is PlanKind.SINGLE and not plan.presign and fits_an_id(plan.signs[0])
    return sign_button(
        plan.signs if is_shown else (),
        ids(TableVerb.ACCEPT, plan_digest(plan)),
        style=c.SUCCESS,
        label=texts.t("Accept"),
        is_enabled=AcceptSign(view.seat, plan) in view.special_moves,
    )


def _opponents(view: SeatView, table_text: TableText, ids: RoundCustomIds) -> list[c.Part]:
    """Return the buttons to name the opponents' signs and strategies, if the rules and the vote allow it in a round."""
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


def _about(view: SeatView, team: int, table_text: TableText, ids: RoundCustomIds) -> list[c.Button]:
    t, table, name = table_text.texts.t, view.table, table_text.team(team)
    buttons = []
    is_over = table.phase is Phase.OVER  # when a team may still be asked to stop pre-sign
    if not is_over and table.rules.signs.guess is not Guess.NOT_PLAYED:
        guess = ids(TableVerb.GUESS, str(team))
        buttons.append(c.button(t("Sign of {team}…", team=name), guess, is_enabled=view.may_guess))
    for strategy, verb, label in (
        (Strategy.TOTAL, TableVerb.DECLARE_TOTAL, t("{team}: total!", team=name)),
        (Strategy.PRESIGN, TableVerb.STOP_PRESIGN, t("{team}: stop pre-sign", team=name)),
    ):
        if strategy in table.strategies and (strategy is Strategy.PRESIGN or not is_over):
            is_enabled = AccuseTeam(view.seat, team, strategy) in view.special_moves
            buttons.append(c.button(label, ids(verb, str(team)), is_enabled=is_enabled))
    return buttons


def _signs(view: SeatView, table_text: TableText) -> tuple[str, str]:
    """Return what is asked for: one sign, the successors of found ones, or several; and a hint how to write them."""
    texts, options = table_text.texts, view.options
    if set(options.kinds) == {PlanKind.SINGLE}:
        hint = texts.t("For a sign of both halves write the emojis, +, then the words.") if options.combined else ""
        return _question(texts, spoken=options.spoken), hint
    hints = [texts.t("Emojis, or words.")] if options.spoken else []
    if view.plan is not None and view.is_half_found:
        count = len(view.spent.intersection(view.plan.signs))
        return texts.n("The new sign", "The new signs, with commas between them", count), " ".join(hints)
    if PlanKind.DOUBLE in options.kinds:
        order, members = texts.t("One each, in this order: {names}."), view.table.members(view.team)
        room = (MAX_HINT - len(" ".join([*hints, order.format(names="")]))) // len(members) - len(", ")
        names = (texts.t("you") if seat == view.seat else table_text.people[seat].name for seat in members)
        hints.append(order.format(names=", ".join(clean(name, room) for name in names)))
    return texts.t("The signs, with commas between them"), " ".join(hints)


def _question(texts: Texts, *, spoken: bool) -> str:
    return texts.t("An emoji, some emojis, or words") if spoken else texts.t("One emoji, or a phrase of them")
