"""Agreeing on a sign, in private, and saying what another team's is. It shows the own team's secrets alone."""

from collections.abc import Sequence
from random import Random

from bot.game.actions import AcceptSign, AccuseTeam, KeepSign
from bot.game.phase import Phase
from bot.game.rules import Guess
from bot.game.sign_cards import family
from bot.game.sign_plans import PlanKind
from bot.game.signs import Sign, Strategy, emoji_sign
from bot.game.views import SeatView
from bot.records.player import Player
from bot.ui.kit.components import IN_ROW, PRIMARY, SUCCESS, Button, Layout, Part, button, layout, rows, text
from bot.ui.kit.custom_ids import Ids
from bot.ui.kit.palette import PURPLE
from bot.ui.kit.texts import Texts
from bot.ui.table.result import result_lines
from bot.ui.table.verbs import TableVerb
from bot.ui.words.card_faces import Faces
from bot.ui.words.sign_emojis import fits_an_id, sign_button
from bot.ui.words.sign_plans import card_line, losses, member_names, own_plan, plan_digest, plan_words, trouble
from bot.ui.words.table_text import TableText, countdown


def sign_panel(
    view: SeatView,
    people: Sequence[Player],
    table_id: int,
    faces: Faces,
    notice: str | None = None,
    *,
    order_seed: int,
) -> Layout:
    """The team's sign: proposal, acceptance, a choice of four; between rounds also the next round."""
    ids, table_text = Ids(table_id, view.table.round), TableText(view.table, people, faces)
    result = result_lines(table_text) if view.table.phase is Phase.OVER else ()
    return layout(
        text(notice, *result, *_lines(view, table_text)),
        *rows(_choices(view, ids, order_seed)),
        *rows(_answers(view, ids, faces.texts)),
        *_opponents(view, table_text, ids),
        colour=PURPLE,
    )


def _lines(view: SeatView, table_text: TableText) -> list[str | None]:
    t = table_text.texts.t
    lines: list[str | None] = ["**" + t("Your team's sign") + "**"]
    if view.partners:
        partners = table_text.names(view.partners)
        lines.append(
            t("Your team: you and {partners}. Everybody will see the sign; only you know it.", partners=partners)
        )
    if view.sign_card is not None:
        lines.append(card_line(view.sign_card, table_text.texts))
    if view.plan is not None:
        lines.append(own_plan(view, table_text))
    lines += (trouble(view, table_text), losses(view, table_text.texts))
    if view.plan is None and view.table.ends_at is not None and view.table.phase in (Phase.SIGNS, Phase.OVER):
        lines.append(t("Without one, chance draws it {when}.", when=countdown(view.table.ends_at)))
    return [*lines, _proposal(view, table_text)]


def _proposal(view: SeatView, table_text: TableText) -> str | None:
    t, proposal = table_text.texts.t, view.proposal
    if proposal is None:
        return t("Choose one, or type your own.") if view.may_change_sign else None
    awaited = [seat for seat in (view.seat, *view.partners) if seat not in proposal.accepted]
    names = table_text.listed([t("you") if seat == view.seat else table_text.name(seat) for seat in awaited])
    plan = plan_words(proposal.plan, member_names(view, table_text), table_text.texts)
    if proposal.seat == view.seat:
        return t("You propose {sign}. Awaited: {names}.", sign=plan, names=names)
    name = table_text.name(proposal.seat)
    return t("{name} proposes {sign}. Awaited: {names}.", name=name, sign=plan, names=names)


def _choices(view: SeatView, ids: Ids, order_seed: int) -> list[Button]:
    """Four emojis to propose, drawn by the seed; where several signs were found, as many on each button."""
    present = frozenset() if view.plan is None else frozenset(view.plan.signs)
    fresh = [sign for sign in map(emoji_sign, family(view.sign_card)) if sign not in view.spent | present]
    Random(order_seed).shuffle(fresh)  # noqa: S311 - a choice of suggestions, no secret
    size = len(view.spent & present) if view.is_half_found else 1
    choices = [fresh[start : start + size] for start in range(0, size * IN_ROW, size)]
    return [_choice(signs, ids, is_enabled=view.may_change_sign) for signs in choices if len(signs) == size]


def _choice(signs: Sequence[Sign], ids: Ids, *, is_enabled: bool) -> Button:
    custom_id = ids(TableVerb.PROPOSE, ",".join(sign.text for sign in signs))
    return sign_button(signs, custom_id, is_enabled=is_enabled)


def _answers(view: SeatView, ids: Ids, texts: Texts) -> list[Button]:
    t = texts.t
    buttons = [
        _accept(view, ids, texts),
        button(t("Other…"), ids(TableVerb.OTHER), is_enabled=view.may_change_sign),
    ]
    if KeepSign(view.seat) in view.legal:
        label = t("Go on with one, openly") if view.is_half_found else t("Keep the sign")
        buttons.append(button(label, ids(TableVerb.KEEP)))
    if view.table.phase is Phase.OVER:
        buttons.append(button(t("Next round"), ids(TableVerb.NEXT), style=PRIMARY))
    elif view.table.phase is not Phase.SIGNS:
        buttons.append(button(t("🂠 My hand"), ids(TableVerb.HAND), style=PRIMARY))
    return buttons


def _accept(view: SeatView, ids: Ids, texts: Texts) -> Button:
    """The id names the plan shortly, so that a changed proposal is not accepted by mistake."""
    label, proposal = texts.t("Accept"), view.proposal
    if proposal is None or AcceptSign(view.seat, proposal.plan) not in view.legal:
        return button(label, ids(TableVerb.EMPTY, "accept"), is_enabled=False)
    plan, custom_id = proposal.plan, ids(TableVerb.ACCEPT, plan_digest(proposal.plan))
    if plan.kind is PlanKind.SINGLE and not plan.presign and fits_an_id(plan.signs[0]):
        return sign_button(plan.signs, custom_id, style=SUCCESS, label=label)
    return button(label, custom_id, style=SUCCESS)


def _opponents(view: SeatView, table_text: TableText, ids: Ids) -> list[Part]:
    """Naming the opponents' signs and strategies, while a round runs and where the rules and the vote play it."""
    t, table = table_text.texts.t, view.table
    if table.phase is Phase.SIGNS:
        return []
    parts: list[Part] = []
    for team in range(table.teams):
        if team != view.team:
            parts += rows(_about(view, team, table_text, ids))
    question = (
        t("Do the opponents play pre-sign?") if table.phase is Phase.OVER else t("Do you know the opponents' sign?")
    )
    return [text(question), *parts] if parts else []


def _about(view: SeatView, team: int, table_text: TableText, ids: Ids) -> list[Button]:
    t, table, name = table_text.texts.t, view.table, table_text.team(team)
    buttons = []
    is_over = table.phase is Phase.OVER  # when a team may still be asked to stop pre-sign
    if not is_over and table.rules.signs.guess is not Guess.NOT_PLAYED:
        buttons.append(button(t("Sign of {team}…", team=name), ids(TableVerb.GUESS, str(team))))
    for strategy, verb, label in (
        (Strategy.TOTAL, TableVerb.DECLARE_TOTAL, t("{team}: total!", team=name)),
        (Strategy.PRESIGN, TableVerb.STOP_PRESIGN, t("{team}: stop pre-sign", team=name)),
    ):
        if strategy in table.strategies and (strategy is Strategy.PRESIGN or not is_over):
            is_enabled = AccuseTeam(view.seat, team, strategy) in view.legal
            buttons.append(button(label, ids(verb, str(team)), is_enabled=is_enabled))
    return buttons
