"""Which role members may take by themselves: none that something else on the server asks for or gives."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.conditions import EntryRules
from bot.ladder.seasons import LadderSetup, RankedRules
from bot.tables.servers.settings import ServerSettings
from bot.ui.lobby.players_role import entry_roles, why_not_open
from tests.ui.night.samples import night_of, plan_of
from tests.ui.walk import EN

ROLE = 70


def server(*, grants: bool = False) -> Any:
    nothing = discord.Permissions.none()
    everyone = SimpleNamespace(permissions=nothing)
    role = SimpleNamespace(id=ROLE, mention="@players", is_assignable=lambda: True, is_default=lambda: False)
    role.permissions = discord.Permissions(manage_messages=True) if grants else nothing
    me = SimpleNamespace(guild_permissions=discord.Permissions(manage_roles=True))
    guild = SimpleNamespace(id=1, get_role={ROLE: role}.get, default_role=everyone, channels=[], me=me)
    role.guild = guild
    return guild


def test_members_may_take_a_role_without_another_use() -> None:
    assert why_not_open(server(), ROLE, ServerSettings(), (), EN) is None


@pytest.mark.parametrize("use", ["hosts_role", "champion_role", "winner_role"])
def test_members_may_not_take_a_role_with_another_use(use: str) -> None:
    why = why_not_open(server(), ROLE, replace(ServerSettings(), **{use: ROLE}), (), EN)
    assert why is not None
    assert "has another use here" in why


@pytest.mark.parametrize(
    ("guild", "role_id", "entries", "said"),
    [
        (server(), None, (), "No players' role is chosen."),
        (server(), ROLE + 1, (), "No players' role is chosen."),
        (server(), ROLE, (ROLE,), "has another use here"),
        (server(grants=True), ROLE, (), "may do more than everybody"),
    ],
)
def test_members_may_not_take_a_role_with_permissions(
    guild: Any, role_id: int | None, entries: tuple[int, ...], said: str
) -> None:
    assert said in (why_not_open(guild, role_id, ServerSettings(), entries, EN) or "")


def test_ranked_matches_and_nights_require_roles() -> None:
    nights: Any = SimpleNamespace(
        nights_in=lambda _guild_id: [
            replace(night_of(0), plan=plan_of(entry=EntryRules(role_id))) for role_id in (7, None)
        ]
    )
    assert entry_roles(nights, 1, LadderSetup(RankedRules(entry=EntryRules(8)))) == {7, 8}
    assert entry_roles(nights, 1, LadderSetup()) == {7}
