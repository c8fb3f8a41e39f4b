"""The public table, made from the public view alone: no hidden card can be on it.

The same rows stand in the same places in every phase of a round; what is not possible now is disabled.
"""

from collections.abc import Collection, Sequence

from bot.game.phase import Phase
from bot.game.views import TableView
from bot.records.player import Player
from bot.ui.kit import components as c
from bot.ui.kit.custom_ids import Ids, ids_of
from bot.ui.kit.palette import GREEN
from bot.ui.kit.texts import Texts
from bot.ui.rules.verbs import RulesVerb
from bot.ui.table.public.match_end import match_end_board
from bot.ui.table.public.result import people_buttons, result_board
from bot.ui.table.public.story_log import log_line
from bot.ui.table.rows import call_buttons
from bot.ui.table.verbs import TableVerb
from bot.ui.words.card_faces import Faces
from bot.ui.words.table_text import TableText, known_single, reports, vote_outcome


def table_board(
    view: TableView,
    people: Sequence[Player],
    table_id: int,
    faces: Faces,
    opened_hands: Collection[int],
    log: Sequence[TableView] = (),
) -> c.Layout:
    """The table message in every phase of a round; once that is over, its result (`bot.ui.table.public.result`).

    `people` by seat; `opened_hands` are the seats whose panel is open; `log` are the rounds before this one.
    """
    if view.phase is Phase.MATCH_OVER:
        return match_end_board(view, people, table_id, faces, log=log)
    if view.phase is Phase.OVER:
        return result_board(view, people, table_id, faces, log)
    ids, texts, table_text = ids_of(table_id, view.round), faces.texts, TableText(view, people, faces)
    is_before = view.phase is Phase.SIGNS  # there are no cards yet, and no gesture is of this round
    return c.layout(
        c.text(table_text.heading(), log_line(log, texts)),
        *([] if is_before else [c.text(table_text.pool())]),
        c.text(
            table_text.state(),
            table_text.duties(),
            table_text.seats(None if is_before else opened_hands),
            None if is_before else table_text.ticker(),
            *reports(table_text),
            known_single(table_text),
            vote_outcome(table_text),
        ),
        *c.rows([*_buttons(view, ids, texts), *people_buttons(view, people, ids, texts)]),
        colour=GREEN,
    )


def _buttons(view: TableView, ids: Ids, texts: Texts) -> list[c.Button]:
    """One row, the same in every phase: cards, sweeps and doubles are for the hand panel."""
    if view.phase is Phase.SIGNS:
        own = c.button(texts.t("🤫 My team's sign"), ids(TableVerb.SIGN_PANEL), style=c.PRIMARY)
    else:
        own = c.button(texts.t("🂠 My hand"), ids(TableVerb.HAND), style=c.PRIMARY)
    kems, _, counter = call_buttons(view, view.offers, ids, texts)
    return [own, kems, counter, c.button(texts.t("❔ Help"), ids(RulesVerb.HELP))]
