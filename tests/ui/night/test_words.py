"""Nights in words."""

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from bot.discord.text.texts import texts_for
from bot.nights.changes import HostStep, NightCode, NightRefusedError, StepKind
from bot.nights.formats import FORMATS, KNOCKOUT, ROTATION, SWISS, NightFormat
from bot.nights.night import Night
from bot.nights.people import sign_up
from bot.ui.night.host.host_steps import step_question
from bot.ui.night.players import my_panel
from tests.ui.night.samples import running


@pytest.mark.parametrize("form", FORMATS.values(), ids=str)
def test_a_swap_in_a_night_of_pairs_says_who_gets_the_points(form: NightFormat) -> None:
    night = running(16, form)
    table = next(one for one in night.rounds[-1].tables if one.result is None)
    one, other, *_ = table.people()
    question = json.dumps(step_question(night, HostStep(StepKind.SWAP, entrant=one, other=other), texts_for("en")))
    assert "They change places." in question
    assert ("the points belong to those who play" in question) == form.has_pairs


def test_a_swap_names_the_tables_that_start_again_and_no_others() -> None:
    night = running(18, rounds=1)
    last = night.rounds[-1]
    first, second = [table for table in last.tables if table.result is None][-2:]
    over = next(table for table in last.tables if table.result is not None)

    def asked(one: int, other: int) -> str:
        return json.dumps(step_question(night, HostStep(StepKind.SWAP, entrant=one, other=other), texts_for("en")))

    assert f"Tables {first.number} and {second.number} start again" in asked(first.people()[0], second.people()[0])
    assert f"Table {first.number} starts again" in asked(*first.people()[:2])
    assert f"Table {second.number} starts again" in asked(second.people()[0], last.byes[0])
    with pytest.raises(NightRefusedError, match=NightCode.TABLE_OVER):
        asked(over.people()[0], last.byes[0])
    with pytest.raises(NightRefusedError, match=NightCode.NO_TABLE):
        asked(*last.byes[:2])


@pytest.mark.parametrize("leave", [Night.mark_absent, Night.remove])
@pytest.mark.parametrize("form", [SWISS, KNOCKOUT, ROTATION], ids=str)
def test_a_person_who_missed_a_round_is_told_whether_they_can_return(
    form: NightFormat, leave: Callable[[Night, int], Night]
) -> None:
    night = leave(running(16, form), 3)
    own = night.entrants[3]
    assert own.user_id is not None
    without = tuple(
        replace(one, seats=tuple(None if seat == 3 else seat for seat in one.seats)) for one in night.all_tables
    )
    missed = replace(night, rounds=(*night.rounds[:-1], replace(night.rounds[-1], tables=without)))
    for each in (night, missed):
        panel = json.dumps(my_panel(each, own.user_id, (), texts_for("en")))
        try:
            sign_up.join(each, own.user_id, own.name, each.rounds[-1].began_at)
            code = None
        except NightRefusedError as refused:
            code = refused.code
        assert code is (NightCode.MISSED_ROUND if each is missed and form.is_closed else None)
        assert ("night_join" in panel) == (code is None)
        assert (NightCode.MISSED_ROUND.value in panel) == (code is not None)
