"""What headers of answers say of limits."""

from __future__ import annotations

import pytest

from bot.ui.messages.limits.told_limits import ToldLimit, told_by


@pytest.mark.parametrize(
    ("status", "headers", "told"),
    [
        (200, {}, ToldLimit()),
        (200, {"X-RateLimit-Remaining": "1", "X-RateLimit-Reset-After": "2.5"}, ToldLimit()),
        (200, {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset-After": "2.5"}, ToldLimit(2.5)),
        (200, {"X-RateLimit-Remaining": "0"}, ToldLimit()),
        (429, {"Retry-After": "3", "X-RateLimit-Scope": "user"}, ToldLimit(3.0, is_refused=True)),
        (429, {"Retry-After": "3", "X-RateLimit-Scope": "shared"}, ToldLimit(3.0, is_refused=True, is_shared=True)),
        (429, {"Retry-After": "3", "X-RateLimit-Scope": "global"}, ToldLimit(3.0, is_refused=True, is_global=True)),
        (429, {"Retry-After": "3", "X-RateLimit-Global": "true"}, ToldLimit(3.0, is_refused=True, is_global=True)),
        (429, {"Retry-After": "soon"}, ToldLimit(0.0, is_refused=True)),
    ],
)
def test_headers(status: int, headers: dict[str, str], told: ToldLimit) -> None:
    assert told_by(status, headers) == told
