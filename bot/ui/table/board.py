"""The public table, made from the public view alone: no hidden card can be on it.

The same rows stand in the same places in every phase of a round; what is not possible now is disabled.
"""

from collections.abc import Collection, Sequence
from typing import Final

from bot.game.phase import Phase
from bot.game.views import TableView
from bot.records.player import Player
from bot.ui.kit import components as c
from bot.ui.kit.custom_ids import Ids, ids_of
from bot.ui.kit.palette import GREEN
from bot.ui.kit.texts import Texts
from bot.ui.rules.verbs import RulesVerb
from bot.ui.table.result import people_buttons, result_board
from bot.ui.table.rows import answer_buttons, call_buttons, sweep_button
from bot.ui.table.verbs import TableVerb
from bot.ui.words.card_faces import Faces
from bot.ui.words.table_text import TableText, known_single, reports, vote_outcome

_OVER: Final = frozenset({"over", "match_over"})


def table_board(
    view: TableView, people: Sequence[Player], table_id: int, faces: Faces, opened_hands: Collection[int]
) -> c.Layout:
    """The table message in every phase; once the round is over, its result (`bot.ui.table.result`).

    `people` by seat; `opened_hands` are the seats whose panel is open.
    """
    if view.phase in _OVER:
        return result_board(view, people, table_id, faces)
    ids, texts, table_text = ids_of(table_id, view.round), faces.texts, TableText(view, people, faces)
    answers = answer_buttons(ids, texts, view, is_asked=view.sweep_asker is not None, may_answer=view.offers.may_answer)
    helping = c.button(texts.t("❔ Help"), ids(RulesVerb.HELP))
    return c.layout(
        c.text(table_text.heading()),
        c.text(table_text.pool()),
        c.text(
            table_text.state(),
            table_text.duties(),
            table_text.seats(opened_hands),
            table_text.ticker(),
            *reports(table_text),
            known_single(table_text),
            vote_outcome(table_text),
        ),
        *c.rows(_table_buttons(view, ids, texts)),
        *c.rows(call_buttons(view, view.offers, ids, texts)),
        *c.rows([*answers, helping, *people_buttons(view, people, ids, texts)]),
        colour=GREEN,
    )


def _table_buttons(view: TableView, ids: Ids, texts: Texts) -> list[c.Button]:
    if view.phase is Phase.SIGNS:
        own = c.button(texts.t("🤫 My team's sign"), ids(TableVerb.SIGN_PANEL), style=c.PRIMARY)
    else:
        own = c.button(texts.t("🂠 My hand"), ids(TableVerb.HAND), style=c.PRIMARY)
    return [own, sweep_button(view, view.offers, ids, texts)]
