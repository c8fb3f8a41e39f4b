"""The panel of a server's settings fits a message, in both languages, however much was chosen."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.discord.api.components import MAX_PARTS, MAX_TEXT, text_length
from bot.discord.text.texts import LANGUAGES, texts_for
from bot.game.rules.presets import PRESETS
from bot.ladder.seasons import LadderSetup, RankedRules, Schedule, SeasonLength
from bot.tables.erasure import MOST_COUNTED
from bot.tables.lobby.lobby import Absence
from bot.tables.servers.settings import NOTICE_MS, ServerSettings
from bot.ui.server.config_checks import MOST_PLACES, check_server, check_tables
from bot.ui.server.feature import MOST_TROUBLES, SETTING_IDS, config_panel, more_panel, retention_question
from bot.ui.server.settings import MAX_CHANNELS, MAX_ZONE, RETENTION_DAYS, SETTINGS, ConfigState, retention_words
from tests.ui.walk import walk, words

NOW, DAY_MS = 1_800_000_000_000, 24 * 3600 * 1000
CHANNELS = tuple(range(10, 10 + MAX_CHANNELS))
FULL = ServerSettings("fr", CHANNELS, 8, 9, Absence.SUBSTITUTE, 0).with_retention(730, NOW)
SETUP = LadderSetup(RankedRules(tuple(PRESETS), sign_required=True), Schedule(SeasonLength.QUARTER, "x" * MAX_ZONE))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("known", [frozenset({*CHANNELS, 8, 9}), frozenset[int]()])
def test_the_config_panel_fits_a_message(language: str, known: frozenset[int]) -> None:
    checks = ["❌ " + "x" * 130] * 3 * MOST_PLACES
    troubles = ["⚠️ " + "x" * 270] * MOST_TROUBLES
    full = ConfigState(FULL, SETUP, "en", 3600, known, [*checks[:14], *troubles])
    view = config_panel(full, texts_for(language), "x" * 150)
    assert len(list(walk(view))) <= MAX_PARTS
    assert text_length(view) <= MAX_TEXT
    assert ("config_forget" in str(view)) is (not known)


def test_every_setting_stands_on_a_page_under_a_name_of_its_own() -> None:
    state, texts = ConfigState(ServerSettings(), LadderSetup(), "en", 90, frozenset()), texts_for("en")
    shown = str([config_panel(state, texts), more_panel(state, texts)])
    for name, setting in SETTINGS.items():
        assert SETTING_IDS(name) in shown
        assert setting.with_value(state, setting.value(state)) == state, "its path leads to a field"


def test_a_setting_that_is_not_chosen_says_what_applies() -> None:
    shown = str(config_panel(ConfigState(ServerSettings(), LadderSetup(), "en", 90, frozenset()), texts_for("en")))
    for said in ("As Discord has it: English", "Everywhere", "As the bot is set: called after 90 s", "Kept for ever"):
        assert said in shown
    assert "config_forget" not in shown


def test_deletion_is_announced_a_week_before_the_first() -> None:
    texts = texts_for("en")
    assert retention_words(ServerSettings(), texts).startswith("kept for ever")
    chosen = ServerSettings().with_retention(365, NOW)
    assert chosen.retained_until == NOW + NOTICE_MS == NOW + 7 * DAY_MS
    assert f"<t:{(NOW + NOTICE_MS) // 1000}:D>" in retention_words(chosen, texts)
    assert "more than 1 year ago" in retention_words(chosen, texts)


def test_the_privacy_policy_tells_how_long_a_server_may_choose() -> None:
    policy = (Path(__file__).parents[3] / "docs" / "privacy.md").read_text(encoding="utf-8")
    assert (min(RETENTION_DAYS), max(RETENTION_DAYS)) == (30, 2 * 365)
    assert "30 days to 2 years" in policy
    assert "30 jours à 2 ans" in policy


@pytest.mark.parametrize("days", RETENTION_DAYS)
def test_only_a_shorter_time_is_announced_anew(days: int) -> None:
    chosen = ServerSettings().with_retention(180, NOW).with_retention(days, NOW + DAY_MS)
    is_shorter = days < 180
    assert chosen.retained_until == NOW + NOTICE_MS + (DAY_MS if is_shorter else 0)
    assert chosen.with_retention(None, NOW) == ServerSettings()


@pytest.mark.parametrize("is_restricted", [True, False])
def test_an_age_restricted_channel_for_tables_is_warned_of(is_restricted: bool) -> None:
    channel = SimpleNamespace(
        mention="#salon", nsfw=is_restricted, permissions_for=lambda _me: discord.Permissions.all(), type=None
    )
    guild: Any = SimpleNamespace(get_channel=lambda _id: channel, me=None)
    here: Any = None
    lines = [*check_tables(guild, here, [1], "", texts_for("en"))]
    assert any(line.startswith("⚠️ #salon is age-restricted") for line in lines) is is_restricted


def test_all_that_a_server_lacks_is_listed() -> None:
    """Besides what channels decide: https://discord.com/developers/docs/topics/permissions."""
    me = SimpleNamespace(guild_permissions=discord.Permissions.all_channel())
    guild: Any = SimpleNamespace(name="Club", me=me)
    assert [*check_server(guild, texts_for("en"))] == ["❌ Club — events of nights: I lack Create Events"]
    me.guild_permissions = discord.Permissions.all()
    assert [*check_server(guild, texts_for("en"))] == ["✅ Club — events of nights"]


def test_the_count_of_old_matches_stops_at_its_bound() -> None:
    counted, more = (words(retention_question(90, MOST_COUNTED + n, NOW, texts_for("en"))) for n in (0, 1))
    assert "1000 matches are that old today." in counted
    assert "More than 1000 matches are that old today." in more
