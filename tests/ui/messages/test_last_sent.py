"""What the bot believes a message shows, when requests fail or overtake each other."""

from __future__ import annotations

import pytest

from bot.ui.kit.components import Layout, layout, text
from bot.ui.messages.coalescer import LastSent

OLD: Layout = layout(text("old"))
NEW: Layout = layout(text("new"))


def sent(shown: LastSent, content: Layout) -> None:
    with shown.sending() as done:
        done(content)


def test_what_was_taken_is_shown() -> None:
    shown = LastSent()
    assert not shown.is_now(OLD)
    sent(shown, OLD)
    assert shown.is_now(OLD)
    sent(shown, NEW)
    assert not shown.is_now(OLD)
    assert shown.is_now(NEW)


def test_a_request_that_failed_may_have_been_carried_out() -> None:
    shown = LastSent()
    sent(shown, OLD)
    with pytest.raises(OSError, match="reset"), shown.sending():
        raise OSError("connection reset")
    assert not shown.is_now(OLD)


@pytest.mark.parametrize("edit_ends_last", [False, True])
def test_of_two_at_once_nobody_knows_which_came_last(edit_ends_last: bool) -> None:
    shown = LastSent()
    edit, answer = shown.sending(), shown.sending()
    edited = edit.__enter__()
    answered = answer.__enter__()
    edited(OLD)
    answered(NEW)
    for request in (answer, edit) if edit_ends_last else (edit, answer):
        request.__exit__(None, None, None)
    assert not shown.is_now(NEW)
    assert not shown.is_now(OLD)
    sent(shown, NEW)
    assert shown.is_now(NEW)
