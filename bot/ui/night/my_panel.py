"""What one person sees of a night, in private: where they play, how they stand, and with whom they play."""

from collections.abc import Sequence
from typing import Final

from bot.nights.night import Night, NightStatus
from bot.nights.rounds import Entrant, Presence
from bot.nights.standings import Standing
from bot.ui.kit import components as c
from bot.ui.kit.texts import Texts
from bot.ui.night.public.lists import own_line
from bot.ui.night.verbs import PlayerVerb, button, night_id
from bot.ui.night.words import MOST_OFFERED, how_line, label_of, name_at, name_of, names_of, on_day, title_of
from bot.ui.words.table_text import countdown

MOST_ASKING: Final = 4


def my_panel(
    night: Night, user_id: int, standings: Sequence[Standing], texts: Texts, notice: str | None = None
) -> c.Layout:
    """`notice` says what the press before changed, or why it changed nothing."""
    own = night.entrant_of(user_id)
    own = None if own is None or own.presence is Presence.OUT else own
    starts_at = night.plan.starts_at
    when = [on_day(starts_at), countdown(starts_at)] if night.status is NightStatus.PLANNED else []
    how = "-# " + how_line(night.plan, texts)
    parts: list[c.Part] = [c.text(notice, f"**🌙 {title_of(night.plan)}**", *when, how)]
    if own is None:
        parts.append(c.text(texts.t("You are not signed up.")))
    else:
        parts.append(c.text(*_state(night, own, texts), own_line(night, own.number, standings, texts)))
        if night.plan.format.has_pairs and not night.is_finished:
            parts += _partner(night, own, texts)
    return c.layout(*parts, *_buttons(night, own, texts), colour=c.PURPLE)


def _state(night: Night, own: Entrant, texts: Texts) -> list[str]:
    t = texts.t
    if own.presence is Presence.WAITING:
        ahead = [entrant.number for entrant in night.waiting].index(own.number)
        return [t("You are on the waiting list, place {place}.", place=ahead + 1)]
    if own.presence is Presence.ABSENT:
        return [t("**You are marked absent.** Press *I am here* to play the next round.")]
    if night.status is NightStatus.PLANNED:
        return [t("✅ You are signed up.")]
    table = night.table_of(own.number)
    if table is None:
        if night.status is NightStatus.OVER:
            return []
        return [t("You have no table right now: the next round seats you.")]
    mine = table.team_of(own.number) or 0
    mates = [member for member in table.members(mine) if member != own.number]
    others = [names_of(night, table.members(team)) for team in range(table.teams) if team != mine]
    place = t("Table {number}", number=table.number)
    link = "" if table.thread_id is None else f" · <#{table.thread_id}>"
    with_whom = t("you and {partner} against {others}", partner=names_of(night, mates), others=", ".join(others))
    return [f"**{place}**{link}", with_whom]


def _partner(night: Night, own: Entrant, texts: Texts) -> list[c.Part]:
    """The partner, or who asks, whom one has asked, and whom one may ask."""
    t, parts = texts.t, list[c.Part]()
    if own.partner is not None:
        parts.append(c.text(t("Your partner: **{name}**", name=name_at(night, own.partner))))
        if night.status is NightStatus.PLANNED:
            parts.append(c.row(button(t("Split up"), PlayerVerb.PART, night.id)))
        return parts
    for one in [one for one in night.entrants if one.asks == own.number][:MOST_ASKING]:
        parts += (
            c.text(t("**{name}** asks you to be their partner.", name=name_of(one))),
            c.row(
                button(t("Accept"), PlayerVerb.ACCEPT, night.id, one.number, style=c.SUCCESS),
                button(t("No, thank you"), PlayerVerb.DECLINE, night.id, one.number),
            ),
        )
    if own.asks is None:
        return [*parts, *_choices(night, own, texts)]
    asked = t("**{name}** has your question, and answers by the button *Partner…*.", name=name_at(night, own.asks))
    return [*parts, c.text(asked), c.row(button(t("Take it back"), PlayerVerb.DECLINE, night.id, own.number))]


def _choices(night: Night, own: Entrant, texts: Texts) -> list[c.Part]:
    t = texts.t
    free = [one for one in night.entrants if one.partner is None and one.presence in (Presence.IN, Presence.WAITING)]
    offered = sorted((one for one in free if one.number != own.number), key=lambda one: not one.seeks_partner)
    parts: list[c.Part] = [c.text(t("You have no partner yet. At the start, people without one are put together."))]
    if offered:
        looking = t("is looking for a partner")
        options = [
            c.option(label_of(one), str(one.number), description=looking if one.seeks_partner else "")
            for one in offered[:MOST_OFFERED]
        ]
        parts.append(c.menu(night_id(PlayerVerb.ASK, night.id), t("Ask somebody to be your partner…"), options))
    label = t("I look no more") if own.seeks_partner else t("I am looking for a partner")
    return [*parts, c.row(button(label, PlayerVerb.SEEK, night.id, "off" if own.seeks_partner else "on"))]


def _buttons(night: Night, own: Entrant | None, texts: Texts) -> list[c.Row]:
    if night.is_finished:
        return []
    t, buttons = texts.t, list[c.Button]()
    if own is None or own.presence is Presence.ABSENT:
        label = t("Join") if own is None else t("I am here")
        buttons.append(button(label, PlayerVerb.JOIN, night.id, style=c.SUCCESS))
    if own is not None:
        buttons.append(button(t("Leave the night"), PlayerVerb.LEAVE, night.id))
    if night.status is NightStatus.PLANNED:
        buttons.append(button("📅 " + t("Calendar"), PlayerVerb.CALENDAR, night.id))
    return [c.row(*buttons)]


def leave_costs(night: Night, own: Entrant, texts: Texts) -> list[str]:
    """What leaving costs, for the question before it; nothing where it costs nothing."""
    t, costs = texts.t, list[str]()
    if own.partner is not None:
        costs.append(t("{name} loses their partner.", name=name_at(night, own.partner)))
    if night.status is NightStatus.RUNNING:
        if night.table_of(own.number) is not None:
            costs.append(t("Your match goes on: `/kems leave` in its thread gives your seat away as well."))
        costs.append(t("The next rounds are drawn without you; what you have scored stays."))
    return costs
