"""What a person reads of a night, in every state of both: a sentence that holds, and buttons that do what they say."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Final

import pytest

from bot.discord.text.texts import texts_for
from bot.nights.changes import HostStep, StepKind
from bot.nights.formats import EXPRESS, FORMATS, SWISS, format_of
from bot.nights.night import Night, NightStatus
from bot.nights.people import pairs, sign_up
from bot.nights.plan import Format
from bot.nights.results.standings import standings
from bot.nights.steps import apply_step
from bot.ui.night.players import my_panel
from bot.ui.night.verbs import PlayerVerb
from tests.nights.evenings import MINUTE
from tests.ui.night.samples import begun, ended_tables, night_of
from tests.ui.screens.common import AT, HOST

STRANGER: Final = 1
REMOVED, LEFT, DECLINED, ABSENT = HOST + 1, HOST + 2, 3, 0
NEXT: Final = re.compile(r"prochaine ronde|ronde suivante")
_BUTTON: Final = re.compile(r'"custom_id": "k1:0:(night_\w+):7((?::[\w-]+)*)"')


def planned(form: Format, rounds: int = 3) -> Night:
    """Twelve people, of whom two wait for a place; one was removed, one has left, one said that they do not come."""
    night = (
        night_of(12, form, most=10, is_weekly=True)
        if not form.has_set_rounds
        else night_of(12, form, most=10, is_weekly=True, rounds=rounds)
    )
    night = apply_step(night, HostStep(StepKind.DROP, entrant=REMOVED - HOST), HOST, AT - MINUTE)
    night = sign_up.leave(night, LEFT)
    night = sign_up.decline(night, DECLINED, "Nadia")
    return sign_up.join(sign_up.join(night, 50, "Yves", AT - 2), 51, "Zoé", AT - 1)


def states(form: Format) -> Iterator[tuple[str, Night, int]]:
    """Nights with their names, and the instant of each."""
    night, late = planned(form), AT + 20 * MINUTE
    yield "planned", night, AT - MINUTE
    yield "after the sign-up", replace(night, plan=replace(night.plan, sign_up_until=AT - 2 * MINUTE)), AT - MINUTE
    yield "called off", night.cancel(AT, "Panne."), AT
    first = begun(night, AT)
    yield "running", first, late
    absent = first.mark_absent(ABSENT)
    yield "with somebody absent", absent, late
    yield "paused", apply_step(absent, HostStep(StepKind.PAUSE_ALL), HOST, late), late
    closing = apply_step(absent, HostStep(StepKind.END_EARLY), HOST, late)
    yield "closing", closing, late
    yield "broken off", first.cancel(late), late
    ended = ended_tables(absent, all_of_them=True)
    yield "in the break", ended, late
    over = replace(ended_tables(closing, all_of_them=True), is_closing=True)
    over = over.call_time(late) if over.round is not None and over.round.called_at is None else over
    yield "over", over.end(AT + 60 * MINUTE), AT + 60 * MINUTE
    if not form.is_open:
        second = begun(ended, late)
        yield "in the second round", second, late + MINUTE
    if form.has_set_rounds:
        yield "in the last round", begun(planned(form, rounds=1), AT).mark_absent(ABSENT), late


CASES: Final = [
    pytest.param(night, at, id=f"{form}, {name}") for form in FORMATS.values() for name, night, at in states(form)
]


def pressed(night: Night, user_id: int, at: int, verb: str, more: list[str]) -> None:
    """Do what a button says. Raises NightRefusedError."""
    does: Mapping[str, Callable[[], Night]] = {
        PlayerVerb.JOIN: lambda: sign_up.join(night, user_id, "Nadia", at),
        PlayerVerb.LEAVE: lambda: sign_up.decline(night, user_id, "Nadia"),
        PlayerVerb.WEEKLY: lambda: sign_up.comes_weekly(night, user_id, comes=more[0] == "on"),
        PlayerVerb.SEEK: lambda: pairs.seek(night, user_id, seeks=more[0] == "on"),
        PlayerVerb.ROBOT: lambda: pairs.take_robot(night, user_id),
        PlayerVerb.PART: lambda: pairs.part(night, user_id, int(more[0])),
        PlayerVerb.ACCEPT: lambda: pairs.accept(night, user_id, int(more[0])),
        PlayerVerb.DECLINE: lambda: pairs.decline(night, user_id, int(more[0])),
    }
    if verb not in (PlayerVerb.CALENDAR, PlayerVerb.ASK):
        does[verb]()


@pytest.mark.parametrize(("night", "at"), CASES)
def test_each_person_reads_their_state_and_each_button_does_what_it_says(night: Night, at: int) -> None:
    texts, lines = texts_for("fr"), standings(night) if night.rounds else ()
    follows = not night.is_finished and not (night.rounds and format_of(night).is_complete(night))
    for user_id in (STRANGER, DECLINED, *(one.user_id for one in night.entrants)):
        assert user_id is not None
        panel = json.dumps(my_panel(night, user_id, lines, texts, now=at), ensure_ascii=False)
        said = re.findall(r'"content": "(.*?)"', panel)
        assert len(said) > 1, (user_id, "a title is no sentence")
        assert follows or not NEXT.search(panel), (user_id, said)
        buttons = _BUTTON.findall(panel)
        assert not (buttons and night.is_finished), (user_id, buttons)
        for verb, more in buttons:
            pressed(night, user_id, at, verb, more.split(":")[1:])
        if night.status is NightStatus.RUNNING and not follows:
            assert PlayerVerb.JOIN not in {verb for verb, _ in buttons}, user_id


def test_two_people_of_a_night_for_single_players_may_play_together() -> None:
    texts = texts_for("fr")
    night = night_of(2, EXPRESS, fills_with_robots=True)
    asks = json.dumps(my_panel(night, HOST, (), texts), ensure_ascii=False)
    assert "Jouer avec Bruno" in asks
    assert ("night_ask", ":1") in _BUTTON.findall(asks)
    night = pairs.ask(night, HOST, 1)
    asked = json.dumps(my_panel(night, HOST + 1, (), texts), ensure_ascii=False)
    assert {("night_accept", ":0"), ("night_decline", ":0")} <= {*_BUTTON.findall(asked)}
    night = pairs.accept(night, HOST + 1, 0)
    assert "Bruno" in json.dumps(my_panel(night, HOST, (), texts), ensure_ascii=False)
    three = night_of(3, EXPRESS, fills_with_robots=True)
    assert "Jouer avec" not in json.dumps(my_panel(three, HOST, (), texts), ensure_ascii=False)


def test_a_request_is_shown_to_the_person_who_is_asked_alone() -> None:
    night = pairs.ask(night_of(8, SWISS), HOST + 4, 5)
    for number in (4, 5, 6):
        shown = json.dumps(my_panel(night, HOST + number, (), texts_for("fr")))
        assert ("night_accept" in shown) is (number == 5)
