"""The private choice of whom to counter."""

from collections.abc import Sequence

from bot.game.events import CallKind
from bot.game.rules.parts import Names
from bot.game.views import SeatView
from bot.records.player import Player
from bot.ui.kit import components as c
from bot.ui.kit.custom_ids import ids_of
from bot.ui.kit.names import label_name
from bot.ui.kit.palette import BLUE
from bot.ui.table.verbs import TableVerb
from bot.ui.words.card_faces import Faces
from bot.ui.words.scores import team_mark
from bot.ui.words.table_text import TableText


def counter_panel(view: SeatView, people: Sequence[Player], table_id: int, faces: Faces) -> c.Layout:
    """Whom to counter: a player or a team, whichever the rules name; double counters where they are played."""
    table, texts, table_text = view.table, faces.texts, TableText(view.table, people, faces)
    ids = ids_of(table_id, table.round)
    is_open, is_open_twice = (kind in view.offers.calls for kind in (CallKind.COUNTER, CallKind.DOUBLE_COUNTER))
    calls = table.rules.calls
    opponents = [team for team in range(table.teams) if team != view.team]
    if calls.counter_names is Names.PLAYER:
        targets = [
            (TableVerb.COUNTER_AT, seat.seat, f"{team_mark(seat.team)} {label_name(people[seat.seat])}", is_open)
            for seat in table.seats
            if seat.team != view.team
        ]
    else:
        targets = [(TableVerb.COUNTER_TEAM, team, table_text.team(team), is_open) for team in opponents]
    if calls.double_counters and len(table.seats) > table.teams:
        targets += [
            (TableVerb.COUNTER_TWO, team, texts.t("Double: {team}", team=table_text.team(team)), is_open_twice)
            for team in opponents
        ]
    buttons = [
        c.button(label, ids(verb, str(target)), style=c.DANGER, is_enabled=is_possible)
        for verb, target, label, is_possible in targets
    ]
    back = c.button(texts.t("🂠 My hand"), ids(TableVerb.HAND))
    question = texts.t("**Counter:** who holds a Kem's?")
    return c.layout(
        c.text(question, None if is_open or is_open_twice else table_text.state()),
        *c.rows(buttons),
        c.row(back),
        colour=BLUE,
    )
