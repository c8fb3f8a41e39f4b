"""The public message of a running match: the board of a round, its buttons, the short log of the rounds before.

It is made from the public view alone, so no hidden card can be on it.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from bot.discord.api import components as c
from bot.discord.api.custom_ids import RoundCustomIds
from bot.discord.pictures.card_faces import Faces
from bot.discord.text.names import clean, escaped_name
from bot.discord.text.texts import Texts, non_breaking
from bot.game.events import CallKind, Phase
from bot.game.views import TableView
from bot.records.player import Player
from bot.ui.rules.verbs import RulesVerb
from bot.ui.table.verbs import TableVerb
from bot.ui.words.table_text import (
    TableText,
    elide,
    exchanges_line,
    known_single,
    reports,
    signed_points,
    team_mark,
    vote_outcome,
)

MOST: Final = 12  # rounds in the log of a table


@dataclass(frozen=True, slots=True)
class OpenRobotSeats:
    """Robots whose seats watchers may take.

    - `free`: the next seat to be had; None for none.
    - `reserved_for`: the names of watchers who get a seat at the next deal, by seat.
    """

    free: int | None = None
    reserved_for: Mapping[int, str] = field(default_factory=dict)


NO_ROBOTS: Final = OpenRobotSeats()


def table_board(
    view: TableView,
    people: Sequence[Player],
    table_id: int,
    faces: Faces,
    opened_hands: Collection[int],
    log: Sequence[TableView] = (),
    levels: str | None = None,
    robots: OpenRobotSeats = NO_ROBOTS,
) -> c.Layout:
    """Return the table's message for every phase of a round until its end.

    Args:
        view: The public view.
        people: The players by seat.
        table_id: The table's id.
        faces: How its cards look.
        opened_hands: The seats whose panel is open.
        log: The rounds before this one.
        levels: A line about the players' levels of help, shown before the first deal.
        robots: The robots' seats that watchers may take.
    """
    ids, texts, table_text = RoundCustomIds(table_id, view.round), faces.texts, TableText(view, people, faces)
    is_before = view.phase is Phase.SIGNS  # there are no cards yet, and no gesture is of this round
    return c.layout(
        c.text(table_text.heading(), log_line(log, texts)),
        *([] if is_before else [c.text(table_text.pool())]),
        c.text(
            table_text.state(),
            table_text.duties(),
            table_text.seats(None if is_before else opened_hands),
            None if is_before else table_text.gestures(),
            exchanges_line(table_text),
            *reports(table_text),
            known_single(table_text),
            vote_outcome(table_text),
            levels if is_before else None,
            *reservation_lines(robots, table_text),
        ),
        *c.rows([*table_buttons(view, ids, texts), *people_buttons(view, people, ids, texts, robots)]),
        colour=c.GREEN,
    )


def table_buttons(view: TableView, ids: RoundCustomIds, texts: Texts) -> list[c.Button]:
    """Return one row of buttons, the same in every phase; cards, sweeps and doubles are on the hand panel."""
    if view.phase is Phase.SIGNS:
        own = c.button(texts.t("🤫 My team's sign"), ids(TableVerb.SIGN_PANEL), style=c.PRIMARY)
    else:
        own = c.button(texts.t("🂠 My hand"), ids(TableVerb.HAND), style=c.PRIMARY)
    kems, counter = call_buttons(view.offers.calls, ids, texts, has_bell=view.rules.calls.bell)
    calls = [kems, counter] if view.rules.calls.counters else [kems]
    return [own, *calls, c.button(texts.t("❔ Help"), ids(RulesVerb.HELP))]


def call_buttons(
    calls: frozenset[CallKind], ids: RoundCustomIds, texts: Texts, *, has_bell: bool
) -> tuple[c.Button, c.Button]:
    """Return the buttons *Kem's* and *Counter*; `calls`: those that the reader, or anybody at the table, may make."""
    kems = texts.t("🛎️ Kem's!") if has_bell else texts.t("🔔 Kem's!")
    can_counter = CallKind.COUNTER in calls or CallKind.DOUBLE_COUNTER in calls
    return (
        c.button(kems, ids(TableVerb.KEMS), style=c.SUCCESS, is_enabled=CallKind.KEMS in calls),
        c.button(texts.t("✋ Counter…"), ids(TableVerb.COUNTER), is_enabled=can_counter),
    )


def resume_button(ids: RoundCustomIds, texts: Texts) -> c.Button:
    """Return the button that resumes a paused match; a player who may not do so yet is told when."""
    return c.button(texts.t("▶ Resume"), ids(TableVerb.RESUME), style=c.SUCCESS)


def people_buttons(
    view: TableView, people: Sequence[Player], ids: RoundCustomIds, texts: Texts, robots: OpenRobotSeats = NO_ROBOTS
) -> list[c.Button]:
    """Return the buttons about seats; at the right end of the last row, so that an added one moves no other."""
    if view.phase is Phase.MATCH_OVER:
        return []
    if view.pause is not None:
        return [resume_button(ids, texts)]
    seat = next((seat for seat, player in enumerate(people) if player.is_open), None)
    if seat is not None:
        return [c.button(texts.t("🪑 Step in"), ids(TableVerb.SUBSTITUTE, str(seat)), style=c.PRIMARY)]
    if robots.free is None:
        return []
    name = clean(people[robots.free].name)
    label = elide(texts.t("🪑 Take the place of {robot} 🤖", robot=name), name, texts)
    return [c.button(label, ids(TableVerb.CLAIM, str(robots.free)))]


def reservation_lines(robots: OpenRobotSeats, table_text: TableText) -> list[str]:
    """Return a line for each watcher who takes the place of a robot at the next deal."""
    texts, lines = table_text.texts, []
    for seat, watcher in robots.reserved_for.items():
        values = {"heir": escaped_name(watcher), "robot": escaped_name(table_text.people[seat].name)}
        line = texts.t("🪑 {heir} takes the place of {robot} at the next deal.", **values)
        lines.append(elide(line, values["robot"], texts))
    return lines


def log_line(log: Sequence[TableView], texts: Texts) -> str | None:
    """Return `Rounds: 1 Kem's ② +1 · 2 counter ① +1 · 3 three alike` in small print; None before the second round."""
    lines = ["…"] * (len(log) > MOST) + [_round(view, texts) for view in log[-MOST:]]
    return "-# " + texts.t("Rounds: {rounds}", rounds=" · ".join(lines)) if log else None


def log_board(table_text: TableText, log: Sequence[TableView]) -> c.Layout:
    """Return the content of a message that a newer one has replaced: the score and the log."""
    texts = table_text.texts
    return c.layout(
        c.text(table_text.score(), log_line(log, texts), "-# " + texts.t("The table goes on further down.")),
        colour=c.SLATE,
    )


def _round(view: TableView, texts: Texts) -> str:
    result = view.result
    if result is None:
        return str(view.round)
    scored = "".join(
        f" {team_mark(team)} {signed_points(count, plus=True)}" for team, count in enumerate(result.points) if count
    )
    return non_breaking(f"{view.round} {texts.t(result.outcome.words)}{scored}")  # a line breaks between rounds
