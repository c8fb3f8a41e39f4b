"""A night before it begins: its public message, the questions to its entrants, and their lists."""

from collections.abc import Sequence
from typing import Final

from bot.discord.api import components as c
from bot.discord.text.texts import Texts
from bot.nights.night import Night, NightStatus
from bot.nights.planning.length import expected_people, ways_to_reduce_byes
from bot.nights.rounds import Entrant, Presence
from bot.ui.night import words as w
from bot.ui.night.board import paginate
from bot.ui.night.verbs import HostVerb, PlanVerb, PlayerVerb, button, night_id, seen
from bot.ui.words.table_text import countdown

MOST_NAMES: Final = 60
WAITING: Final = "waiting"
"""The post that asks for more people once a night should have begun."""
_FEW: Final = MOST_NAMES // 3


def sign_up_screen(night: Night, texts: Texts) -> c.Layout:
    """Return the message of a night before it begins: what is planned, who comes, and the buttons to sign up."""
    t, plan, heading = texts.t, night.plan, f"## 🌙 {w.title_of(night.plan)}"
    if night.status is NightStatus.CANCELLED:
        sentence = t("This night is cancelled.")
        return c.layout(
            c.text(heading, f"~~{w.on_day(plan.starts_at)}~~ · {sentence}", w.reason_of(night)), colour=c.GREY
        )
    joining = [
        button(t("Join"), PlayerVerb.JOIN, night.id, style=c.SUCCESS),
        button(t("I am not coming"), PlayerVerb.LEAVE, night.id),
    ]
    if night.chooses_partners:
        joining.append(button(t("Partner…"), PlayerVerb.MINE, night.id, style=c.PRIMARY))
    return c.layout(
        c.text(
            heading,
            f"**{w.on_day(plan.starts_at)}**",
            f"{_begins(night, texts)} · {w.sign_up_words(plan, texts)}",
            w.how_line(plan, texts, expected_people(plan, len(night.present))),
            w.night_rules_line(plan, texts),
            w.entry_line(plan, texts),
            w.rests_line(plan, len(night.present), texts),
            _notes(night, texts),
        ),
        c.text(*sign_up_lines(night, texts)),
        c.row(*joining),
        c.row(
            button("📅 " + t("Calendar"), PlayerVerb.CALENDAR, night.id), button(t("Host…"), HostVerb.HOST, night.id)
        ),
        colour=c.GREEN,
    )


def begun_screen(night: Night, texts: Texts) -> c.Layout:
    """Return the sign-up message once the board is posted below it."""
    link = c.link_to(night.guild_id, night.plan.post_channel, night.message_id)
    sentence = texts.t("This night has begun: {link}", link=link)
    return c.layout(c.text(f"## 🌙 {w.title_of(night.plan)}", sentence), colour=c.GREY)


def check_in_screen(night: Night, texts: Texts, most: int) -> c.Layout:
    """Return the check-in; it mentions up to `most` people who have not answered."""
    t, present = texts.t, night.present
    silent = [entrant for entrant in present if entrant.is_silent]
    ready, declined = len(present) - len(silent), len(night.declined)
    counted = texts.n("**{count} ready** of {all}", "**{count} ready** of {all}", ready, all=len(present))
    if declined:
        counted += " · " + texts.n("{count} not coming", "{count} not coming", declined)
    return c.layout(
        c.text(
            waiting_line(night, texts) or w.begins_line(night.plan, texts),
            w.how_line(night.plan, texts),
            w.mentions(silent[:most]),
            counted,
            w.rests_line(night.plan, len(present), texts),
            "-# " + t("Without an answer you are seated last and called sooner."),
        ),
        c.row(
            button("✅ " + t("I am coming"), PlayerVerb.READY, night.id, night.changed or 0, style=c.SUCCESS),
            button(t("I am not coming"), PlayerVerb.LEAVE, night.id),
        ),
        colour=c.GREEN,
    )  # fmt: skip


def waiting_screen(night: Night, texts: Texts) -> c.Layout:
    """Return the request for more people, shown at the night's start if too few have come."""
    ready = button(texts.t("I am here"), PlayerVerb.READY, night.id, night.changed or 0, style=c.SUCCESS)
    return c.layout(c.text(waiting_line(night, texts, is_due=True)), c.row(ready), colour=c.GREEN)


def waiting_line(night: Night, texts: Texts, *, is_due: bool = False) -> str | None:
    """Return a line that the night waits for people; None before its start, or if enough have come."""
    sentence = texts.t("⏳ The night “{title}” is waiting for people.", title=w.title_of(night.plan))
    return sentence if is_due or night.post(WAITING) is not None else None


def _begins(night: Night, texts: Texts) -> str:
    """Return a countdown that does not go below zero."""
    return texts.t("waiting for people") if night.post(WAITING) is not None else countdown(night.plan.starts_at)


def spare_buttons(night: Night, texts: Texts) -> list[c.Button]:
    """Return a button for each change that would reduce the byes of a night."""
    size, by_robots = ways_to_reduce_byes(night.plan, len(night.present))
    found, now = list[c.Button](), seen(HostVerb.SPARE, night)
    if size is not None:
        label = texts.t("Tables of {size}", size=size)
        found.append(button(label, HostVerb.SPARE, night.id, size, now))
    if by_robots:
        found.append(button(texts.t("🤖 Robots in free seats"), HostVerb.SPARE, night.id, "robots", now))
    return found


def rests_screen(night: Night, texts: Texts, host: str | None) -> c.Layout:
    """Return the message to the host that some entrants would have a bye each round."""
    heading = c.text(host, w.begins_line(night.plan, texts), w.rests_line(night.plan, len(night.present), texts))
    return c.layout(heading, *c.rows(spare_buttons(night, texts), 2), colour=c.GREY)


def lost_role_screen(night: Night, texts: Texts, host: str | None) -> c.Layout:
    """Return the message to the host that the role required for the night was deleted."""
    heading = c.text(
        host, w.begins_line(night.plan, texts), lost_role_line(night, texts), w.entry_line(night.plan, texts)
    )
    return c.layout(heading, c.row(button(texts.t("Edit…"), PlanVerb.EDIT, night.id)), colour=c.GREY)


def lost_role_line(night: Night, texts: Texts) -> str | None:
    """Return a line that the role required for the night was deleted; None if it was not."""
    lost = texts.t("⚠︎ The role that it asked for was deleted: it asks for no role any more.")
    return lost if night.has_lost_role else None


def changed_screen(night: Night, texts: Texts, most: int) -> c.Layout:
    """Return the question to entrants whether the changed plan suits them; it mentions the first `most`."""
    return c.layout(
        c.text(
            w.changed_line(night.plan, texts), w.entry_line(night.plan, texts), w.mentions(night.unconfirmed[:most])
        ),
        c.row(
            button(texts.t("I stay"), PlayerVerb.READY, night.id, night.changed or 0, style=c.SUCCESS),
            button(texts.t("I can't come any more"), PlayerVerb.LEAVE, night.id),
        ),
        colour=c.GREEN,
    )


def news_screen(night: Night, people: Sequence[Entrant], texts: Texts) -> c.Layout:
    """Return a message that tells people that there is news for them; the news itself is on their own panel."""
    sentence = texts.t("Something is new for you: “{title}”.", title=w.title_of(night.plan))
    mine = button(texts.t("My night"), PlayerVerb.MINE, night.id, style=c.PRIMARY)
    return c.layout(c.text(f"🔔 {w.mentions(people)}", sentence), c.row(mine), colour=c.GREEN)


def _notes(night: Night, texts: Texts) -> str | None:
    t, plan = texts.t, night.plan
    notes = [] if night.host_id is None else [t("host: {name}", name=f"<@{night.host_id}>")]
    if plan.fills_with_robots:
        notes.append(t("robots fill free seats"))
    if plan.is_weekly:
        notes.append(t("every week"))
    return "-# " + " · ".join(notes) if notes else None


def seeking_line(night: Night, texts: Texts) -> str | None:
    """Return a line with the people who look for a partner; None if nobody does."""
    seeking = [
        w.name_of(night, entrant) for entrant in night.present if entrant.seeks_partner and entrant.partner is None
    ]
    names = w.truncated_list(seeking, _FEW, texts)
    sentence = texts.n("Looking for a partner: {names}", "Looking for a partner: {names}", len(seeking), names=names)
    return sentence if seeking else None


def coming(night: Night) -> list[str]:
    """Return the names of the people who come, pairs together."""
    partners = {entrant.number: entrant.partner if night.chooses_partners else None for entrant in night.present}
    return [
        w.names_of(night, (number,) if partner is None else (number, partner))
        for number, partner in partners.items()
        if partner is None or number < partner
    ]


def signed_up_screen(night: Night, page: int, texts: Texts, back: c.Button) -> c.Layout:
    """Return lists of the people who come, wait or are absent; the host can remove anybody, even after they left."""
    absent = (entrant for entrant in night.entrants if entrant.presence is Presence.ABSENT)
    people = [entrant for entrant in (*night.signed_up, *absent) if entrant.user_id is not None]
    listed, turning = paginate(night.id, HostVerb.SIGNED_UP, people, page, w.MOST_OFFERED)
    marks = {Presence.WAITING: "⏳ ", Presence.ABSENT: "⚑ "}
    options = [
        c.option(marks.get(entrant.presence, "") + w.label_of(night, entrant), str(entrant.user_id))
        for entrant in listed
    ]
    names = [marks.get(entrant.presence, "") + w.name_of(night, entrant) for entrant in listed]
    menu = [c.menu(night_id(HostVerb.PEOPLE, night.id), texts.t("Remove somebody…"), options)] if options else []
    return c.layout(
        c.text(f"**🛠 {w.title_of(night.plan)}**", *(names or [texts.t("Nobody yet: be the first.")])),
        *menu, *turning, c.row(back), colour=c.GREEN,
    )  # fmt: skip


def answer_lines(night: Night, texts: Texts) -> list[str]:
    """Return lines for the host: who does not come, who has not checked in, and who has lost the required role."""
    declined = [w.name_of(night, entrant) for entrant in night.declined]
    silent = [w.name_of(night, entrant) for entrant in night.present if entrant.is_silent]
    lines = list[str]()
    if declined:
        names = w.truncated_list(declined, _FEW, texts)
        lines.append(texts.t("Not coming ({count}): {names}", count=len(declined), names=names))
    if silent:
        lines.append(
            texts.t("No answer yet ({count}): {names}", count=len(silent), names=w.truncated_list(silent, _FEW, texts))
        )
    without = [w.name_of(night, entrant) for entrant in night.signed_up if entrant.lacks_role]
    if without:
        names, role = w.truncated_list(without, _FEW, texts), f"<@&{night.plan.entry.role_id}>"
        lines.append(texts.t("Without {role} ({count}): {names}", role=role, count=len(without), names=names))
    return lines


def sign_up_lines(night: Night, texts: Texts) -> list[str]:
    """Return lines on the sign-up: how many people come, their names, who looks for a partner, and who waits."""
    t, present = texts.t, night.present
    waiting = [w.name_of(night, entrant) for entrant in night.waiting]
    lines = [
        texts.n("**{count} signed up**", "**{count} signed up**", len(present)),
        w.truncated_list(coming(night), MOST_NAMES, texts) or t("Nobody yet: be the first."),
    ]
    if seeking := seeking_line(night, texts):
        lines.append(seeking)
    if waiting:
        lines.append(
            t("Waiting list ({count}): {names}", count=len(waiting), names=w.truncated_list(waiting, _FEW, texts))
        )
    return lines
