"""Agreeing on a sign, in private, and reading what a player types as one. It knows the own team's secrets alone."""

from collections.abc import Collection, Sequence
from random import Random
from typing import Final

import emoji

from bot.game.actions import AcceptSign, KeepSign
from bot.game.phase import Phase
from bot.game.rules import Guess
from bot.game.signs import HOUSE_SIGNS, Sign, emoji_sign
from bot.game.views import SeatView
from bot.live.people import Player
from bot.ui.emojis import CUSTOM_EMOJI, fits_an_id, shown_sign, sign_button
from bot.ui.faces import Faces
from bot.ui.forms import Form
from bot.ui.ids import Verb, make_id
from bot.ui.parts import IN_ROW, PRIMARY, SUCCESS, Button, Layout, Part, button, layout, rows, text
from bot.ui.result import result_lines
from bot.ui.teller import Teller, countdown
from bot.ui.texts import Texts

MAX_EMOJIS: Final = 5
PURPLE: Final = 0x7A5AA6
_EXAMPLE: Final = "🍀☕"


class SignTextError(ValueError):
    """The text is no sign; the message is a sentence in the reader's language."""


def read_sign(written: str, texts: Texts, usable: Collection[int] | None = None) -> Sign:
    """The sign that a player typed: one emoji or a phrase of up to five, server emojis (`<:name:id>`) among them.

    `usable` are the ids of the server emojis that the bot can show, None for all.

    Raises:
        SignTextError: no emoji, something else besides, too long, or a server emoji the bot cannot show.
    """
    phrase = "".join(written.split())
    plain = CUSTOM_EMOJI.sub("", phrase)
    if not phrase or (plain and not emoji.purely_emoji(plain)):
        raise SignTextError(texts.t("A sign is one emoji or a few of them, and nothing else: 🍀 or 🍀☕."))
    customs = [int(found[3]) for found in CUSTOM_EMOJI.finditer(phrase)]
    sign = emoji_sign(phrase)
    if emoji.emoji_count(plain) + len(customs) > MAX_EMOJIS or not fits_an_id(sign):
        raise SignTextError(texts.t("That is too long for a sign: {most} emojis at most.", most=MAX_EMOJIS))
    if usable is not None and not set(customs) <= set(usable):
        raise SignTextError(texts.t("I cannot show that emoji: choose one of this server, or an ordinary one."))
    return sign


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
    teller = Teller(view.table, people, faces)
    result = result_lines(teller) if view.table.phase is Phase.OVER else ()
    return layout(
        text(notice, *result, *_lines(view, teller)),
        *rows(_choices(view, table_id, order_seed)),
        *rows(_answers(view, table_id, faces.texts)),
        *_guesses(view, teller, table_id),
        colour=PURPLE,
    )


class SignModal(Form):
    """Type a sign. Its custom id is `k1:<table>:sign_text`."""

    def __init__(self, table_id: int, texts: Texts) -> None:
        question = texts.t("One emoji, or a phrase of them")
        super().__init__(texts.t("Another sign"), make_id(table_id, Verb.SIGN_TEXT), question, example=_EXAMPLE)


class GuessModal(Form):
    """Type what the opponents' sign might be. Its custom id is `k1:<table>:guess_text:<team>`."""

    def __init__(self, table_id: int, team: int, texts: Texts) -> None:
        title = texts.t("The sign of team {number}", number=team + 1)
        question = texts.t("One emoji, or a phrase of them")
        super().__init__(title, make_id(table_id, Verb.GUESS_TEXT, str(team)), question, example=_EXAMPLE)


def _lines(view: SeatView, teller: Teller) -> list[str]:
    t = teller.texts.t
    lines = ["**" + t("Your team's sign") + "**"]
    if view.partners:
        partners = teller.names(view.partners)
        lines.append(
            t("Your team: you and {partners}. Everybody will see the sign; only you know it.", partners=partners)
        )
    if view.signs:
        lines.append(t("Your sign: {sign}", sign=" ".join(map(shown_sign, view.signs))))
    elif view.table.ends_at is not None:
        lines.append(t("Without one, chance draws it {when}.", when=countdown(view.table.ends_at)))
    proposal = view.proposal
    if proposal is not None:
        awaited = [seat for seat in (view.seat, *view.partners) if seat not in proposal.accepted]
        names = teller.listed([t("you") if seat == view.seat else teller.name(seat) for seat in awaited])
        shown = " ".join(map(shown_sign, proposal.plan.signs))
        if proposal.seat == view.seat:
            lines.append(t("You propose {sign}. Awaited: {names}.", sign=shown, names=names))
        else:
            name = teller.name(proposal.seat)
            lines.append(t("{name} proposes {sign}. Awaited: {names}.", name=name, sign=shown, names=names))
    elif view.may_change_sign:
        lines.append(t("Choose one, or type your own."))
    return lines


def _choices(view: SeatView, table_id: int, order_seed: int) -> list[Button]:
    """Four emojis to propose, drawn by the seed."""
    house = [emoji_sign(shown) for shown in HOUSE_SIGNS]
    Random(order_seed).shuffle(house)  # noqa: S311 - a choice of suggestions, no secret
    buttons = [sign_button(sign, table_id, Verb.PROPOSE) for sign in house if sign not in view.signs][:IN_ROW]
    for item in buttons:
        item.disabled = not view.may_change_sign
    return buttons


def _answers(view: SeatView, table_id: int, texts: Texts) -> list[Button]:
    t, proposal = texts.t, view.proposal
    if (
        proposal is not None
        and AcceptSign(view.seat, proposal.plan) in view.legal
        and fits_an_id(proposal.plan.signs[0])
    ):
        accept = sign_button(proposal.plan.signs[0], table_id, Verb.ACCEPT, style=SUCCESS, label=t("Accept"))
    else:
        accept = button(t("Accept"), make_id(table_id, Verb.EMPTY, "accept"), is_enabled=False)
    buttons = [accept, button(t("Other…"), make_id(table_id, Verb.OTHER), is_enabled=view.may_change_sign)]
    if KeepSign(view.seat) in view.legal:
        buttons.append(button(t("Keep the sign"), make_id(table_id, Verb.KEEP)))
    if view.table.phase is Phase.OVER:
        buttons.append(button(t("Next round"), make_id(table_id, Verb.NEXT), style=PRIMARY))
    elif view.table.phase is not Phase.SIGNS:
        buttons.append(button(t("🂠 My hand"), make_id(table_id, Verb.HAND), style=PRIMARY))
    return buttons


def _guesses(view: SeatView, teller: Teller, table_id: int) -> list[Part]:
    """Naming the opponents' sign, while a round runs and where the rules play it."""
    t, table = teller.texts.t, view.table
    if table.rules.signs.guess is Guess.NOT_PLAYED or table.phase in (Phase.SIGNS, Phase.OVER):
        return []
    buttons = [
        button(t("Sign of {team}…", team=teller.team(team)), make_id(table_id, Verb.GUESS, str(team)))
        for team in range(table.teams)
        if team != view.team
    ]
    return [text(t("Do you know the opponents' sign?")), *rows(buttons)]
