"""docs/privacy.md says what the database holds on people: all of it, in each of its languages, and nothing else."""

import re
from collections import Counter
from pathlib import Path

from sqlalchemy import BigInteger, String

from bot.store.schema import Base

PEOPLE = {
    *(
        "tables.host_id",
        "seats.user_id",
        "seats.heir_id",
        "departures.user_id",
        "panels.user_id",
        "players.user_id",
        "plays.user_id",
    ),
    *(
        "standings.user_id",
        "pairs.low_id",
        "pairs.high_id",
        "players.partners",
        "players.mates",
        "voids.by_id",
        "champions.user_id",
    ),
    *("nights.host_id", "entrants.user_id", "night_steps.by_id", "night_drafts.user_id"),
    *("erasures.user_id", "to_erase.user_id"),
    "invitations.user_id",
    "streaks.user_id",
    *("bans.user_id", "bans.by_id"),
    "presses.user_id",
    "scene_tries.user_id",
}
"""Columns with the ids of people, which `bot.store.privacy` removes."""
NAMES = {"seats.name", "seats.heir_name", "departures.name", "players.name", "entrants.name"}
WORDS = {
    *("events.body", "events.press_id", "seats.ballot", "panels.token", "voids.reason", "presses.reason"),
    "to_erase.stand_in",
    *("nights.title", "nights.reason", "nights.body", "night_steps.body", "night_drafts.title", "night_drafts.body"),
    *("bans.digest", "bans.reason"),
    *("scene_tries.scene", "scene_tries.moves", "scene_tries.token"),
}
"""What people did, wrote or were given, and what leads to them."""

IDS = {
    *("id", "table_id", "night_id", "guild_id", "channel_id", "message_id", "former_channel_id", "former_message_id"),
    *("post_channel_id", "post_message_id", "open_channel_id", "log_messages", "winner_role"),
    *("podium_channel", "table_channels", "role_id", "players_role", "hosts_role", "log_channel", "application_id"),
    "daily_channel",
}
INSTANTS = {
    *("at", "due_at", "until", "made_at", "rated_at", "fresh_until", "retained_until", "kems_ms", "opened_at"),
    *("closes_at", "started_at", "purged_at", "starts_at", "ends_at", "ended_at", "expires_at", "free_at"),
    *("players_called_at", "refused_at", "handed_over", "pressed_at", "kept_at"),
}
OTHERS = {
    *("status", "locale", "language", "rules", "theme", "rematch_of", "rule_set", "strategies", "holder", "absence"),
    *("process", "unreadable", "press_id", "what", "turn"),
    *("robot_level", "coaching", "help_level"),
    *("kind", "page", "outcome", "points", "rival_call", "scores", "games", "ranked_presets", "season_every", "zone"),
    *("champion_role", "key", "line", "digest", "shows", "address", "rate"),
    "secret",
    "league_scale",
}
OF_SERVERS = {"rule_sets.name", "seasons.name"}


def columns() -> dict[str, str]:
    """The names of all columns that could hold a person's id, or words; each with its name alone."""
    return {
        f"{table.name}.{column.name}": column.name
        for table in Base.metadata.sorted_tables
        for column in table.columns
        if isinstance(column.type, BigInteger | String) or column.name == "id"
    }


def test_every_column_was_judged() -> None:
    """A new column belongs in one of the sets above; one about people also in `bot.store.privacy`."""
    judged = PEOPLE | NAMES | WORDS | OF_SERVERS
    found = columns()
    assert judged <= found.keys()
    harmless = {column for column, name in found.items() if name in IDS | INSTANTS | OTHERS}
    assert found.keys() - judged - harmless == set()


def test_the_policy_names_every_column_with_something_personal_in_every_language() -> None:
    policy = (Path(__file__).parents[3] / "docs" / "privacy.md").read_text(encoding="utf-8")
    told = Counter(re.findall(r"`(\w+\.\w+)`", policy))
    assert told == dict.fromkeys(PEOPLE | NAMES | WORDS, len(policy.split("\n---\n")))
