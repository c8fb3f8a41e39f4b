"""What a night posts beside its own message: when each post is wanted, and when it is another one."""

from dataclasses import replace

import pytest

from bot.conditions import EntryRules
from bot.discord.pictures.illustrations import Illustrated
from bot.nights.changes import Duty
from bot.nights.formats import EXPRESS, ROTATION
from bot.nights.night import Night, NightStatus
from bot.nights.people import sign_up
from bot.nights.people.sign_up import mark_read
from bot.nights.posts import HonourKind, NightPost
from bot.nights.results.recap import feat
from bot.nights.rounds import News, Presence
from bot.ui.night.messages.night_posts import is_complete
from bot.ui.night.messages.posts import (
    CALL_ROLE_MS,
    CHANGED,
    CHECK_IN,
    DESERTED,
    END,
    LOST_ROLE,
    NEWS,
    NEWS_MS,
    POSTS,
    REMIND_MS,
    ROLE,
    STILL,
    Post,
    PostContext,
)
from bot.ui.night.sign_up import WAITING, sign_up_screen
from tests.nights.evenings import MINUTE, STARTS_AT, begun, planned
from tests.ui.night.samples import over
from tests.ui.walk import FR


def post_of(kind: str) -> Post:
    return next(post for post in POSTS if post.kind == kind)


def due(night: Night) -> dict[str, int]:
    """The posts that are wanted and do not stand, with the instant from which on each is."""
    found = ((post.kind, post.due(night)) for post in POSTS if night.post(post.kind) is None)
    return {kind: at for kind, at in found if at is not None}


def is_another(night: Night, kind: str, now: int = 0) -> bool:
    standing, key = night.post(kind), post_of(kind).key(night, now)
    assert standing is not None
    return key is not None and str(key) != standing.key


def stood(night: Night, kind: str, now: int = 0) -> Night:
    """The night in which a post stands."""
    post = post_of(kind)
    notified = () if post.recipients is None else tuple(post.recipients(night))
    return post.then(night, notified, now).with_post(NightPost(kind, str(post.key(night, now)), (7,)))


def test_a_night_has_its_posts_before_it_begins() -> None:
    night = planned(4, calls_role=True)
    assert due(night) == {ROLE: STARTS_AT - CALL_ROLE_MS, CHECK_IN: STARTS_AT - REMIND_MS}
    asked = stood(night, CHECK_IN)
    assert all(one.is_silent for one in asked.present)
    assert not due(begun(asked)), "what stands is deleted, and nothing else comes"
    assert post_of(CHECK_IN).due(begun(asked)) is None


def test_only_people_who_signed_up_before_the_check_in_are_asked() -> None:
    soon = sign_up.join(planned(0), 100, "P0", STARTS_AT - REMIND_MS)
    assert due(soon) == {WAITING: STARTS_AT}
    asked = sign_up.join(soon, 101, "P1", STARTS_AT - REMIND_MS - 1)
    assert due(asked) == {CHECK_IN: STARTS_AT - REMIND_MS, WAITING: STARTS_AT}


def test_a_night_without_people_calls_for_people_from_its_start_on() -> None:
    few, enough = planned(3), planned(4)
    assert (due(few).get(WAITING), due(enough).get(WAITING)) == (STARTS_AT, None)
    line = str(sign_up_screen(few, FR))
    assert f"<t:{STARTS_AT // 1000}:R>" in line
    late = str(sign_up_screen(stood(few, WAITING), FR))
    assert f"<t:{STARTS_AT // 1000}:R>" not in late
    assert "on attend du monde" in late


@pytest.mark.parametrize("later", [0, 9 * MINUTE])
def test_people_are_asked_again_once_when_the_plan_changes(later: int) -> None:
    night = stood(stood(planned(4, calls_role=True), ROLE), CHECK_IN)
    changed = replace(night.replan(replace(night.plan, title="Other", starts_at=STARTS_AT + later)), version=1)
    assert not any(one.is_silent for one in changed.entrants)
    assert is_another(changed, CHECK_IN)
    assert is_another(changed, ROLE) is bool(later), "a night that is moved calls the role again"
    changed = changed.without_post(CHECK_IN)
    assert due(changed) == {CHANGED: 0, CHECK_IN: STARTS_AT + later - REMIND_MS}
    told = stood(changed, CHANGED)
    assert not is_another(told, CHANGED)
    assert CHANGED not in due(stood(changed, CHECK_IN)), "the check-in tells it, too"
    assert post_of(CHANGED).due(stood(told, CHECK_IN)) is None, "the check-in takes its place"
    assert CHANGED not in due(planned(0).replan(changed.plan)), "nobody is to be told"


def test_news_is_collected_for_one_post() -> None:
    asked = planned(6, format=planned(0).plan.format, most=4)
    freed = sign_up.leave(asked, 100)
    assert due(freed) == {NEWS: 0, CHECK_IN: STARTS_AT - REMIND_MS}
    called = stood(freed, NEWS)
    assert not is_another(called, NEWS, NEWS_MS)
    again = replace(sign_up.leave(called, 101), version=1)
    assert post_of(NEWS).due(again) == NEWS_MS
    assert not is_another(again, NEWS, NEWS_MS - 1), "the next post gathers what is new until then"
    assert is_another(again, NEWS, NEWS_MS)
    assert post_of(NEWS).due(mark_read(mark_read(again, 104, News.MOVED_UP), 105, News.MOVED_UP)) is None


def test_each_question_about_paused_tables_is_a_post_of_its_own() -> None:
    night = replace(begun(planned(4)), version=3)
    asked = stood(night, STILL)
    assert not is_another(replace(asked, version=4), STILL), "it is edited while it stands"
    key = post_of(STILL).key
    assert key(asked.without_post(STILL), 0) != key(replace(night, version=5), 0)


def test_a_series_that_nobody_came_to_twice_asks_whether_it_goes_on() -> None:
    night = planned(4, is_weekly=True)
    assert "ask_on" not in due(replace(night, deserted=DESERTED - 1))
    assert due(replace(night, deserted=DESERTED))["ask_on"] == 0


def test_a_finished_night_is_complete_with_its_last_post() -> None:
    over = replace(begun(planned(4)), status=NightStatus.OVER, ended_at=STARTS_AT)
    assert list(due(over)) == ["end"]
    reviewed = over.mark_done(Duty.RECAP)
    assert list(due(reviewed)) == ["end", "recap"]
    assert not is_complete(stood(reviewed, "end"))
    assert is_complete(stood(stood(reviewed, "end"), "recap"))
    assert list(due(planned(4).cancel(5))) == ["cancelled"]
    assert all(one.presence is Presence.IN for one in over.present)


def test_the_end_of_a_night_without_a_host_has_films_of_its_best_moments() -> None:
    shown = {}
    for form in (EXPRESS, ROTATION):
        night = over(16, form)
        night = night.mark_done(Duty.HONOUR) if form.runs_alone else night
        bluff = feat(HonourKind.BEST_BLUFF, 1, night.rounds[0].tables[0], 0, 48_000, match_round=4)
        assert bluff is not None
        look = post_of(END).look(replace(night, honours=(bluff,)), PostContext(FR, "Europe/Paris"))
        assert isinstance(look, Illustrated)
        shown[form] = str(look.layout)
    assert ".4:film:best_bluff" in shown[EXPRESS]
    assert ":film:" not in shown[ROTATION], "its review has them, the next morning"


def test_the_host_is_mentioned_when_the_required_role_was_deleted() -> None:
    night = planned(4).replan(replace(planned(0).plan, entry=EntryRules(70)))
    assert LOST_ROLE not in due(night)
    lost = sign_up.without_role(night)
    assert due(lost)[LOST_ROLE] == 0
    assert LOST_ROLE not in due(lost.replan(lost.plan))
    assert LOST_ROLE not in due(begun(lost))


def test_nobody_is_asked_to_stay_when_they_signed_up_after_the_change() -> None:
    night = planned(0)
    night = night.replan(replace(night.plan, rounds=4))
    night = sign_up.join(night, 100, "Léa", 5)
    assert CHANGED not in due(night)
    night = sign_up.join(night.replan(replace(night.plan, rounds=5)), 101, "Bruno", 6)
    assert CHANGED in due(night)
    post = post_of(CHANGED)
    assert post.recipients is not None
    assert [one.user_id for one in post.recipients(night)] == [100]
    shown = str(post.look(night, PostContext(FR, "Europe/Paris")))
    assert "<@100>" in shown
    assert "<@101>" not in shown
    back = sign_up.join(sign_up.leave(night, 100), 100, "Léa", 7)
    assert CHANGED not in due(back), "whoever comes back has read the plan of now"
