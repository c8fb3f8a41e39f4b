"""docs/privacy.md says what the database holds on people: all of it, in each of its languages, and nothing else."""

import re
from collections import Counter
from pathlib import Path

from sqlalchemy import BigInteger, String

from bot.store.personal import OF_OTHER_ROWS, PERSONAL
from bot.store.schema import Base

PERSON = {f"{column.class_.__tablename__}.{column.key}" for each in PERSONAL for column in (each.person, *each.words)}
PERSON |= {f"{column.class_.__tablename__}.{column.key}" for column in OF_OTHER_ROWS}

IDS = {
    *("id", "table_id", "night_id", "guild_id", "channel_id", "message_id", "former_channel_id", "former_message_id"),
    *("post_channel_id", "post_message_id", "open_channel_id", "log_messages", "winner_role"),
    *("podium_channel", "table_channels", "role_id", "players_role", "hosts_role", "log_channel", "application_id"),
    "daily_channel",
}
INSTANTS = {
    *("at", "due_at", "until", "made_at", "rated_at", "fresh_until", "retained_until", "kems_ms", "opened_at"),
    *("closes_at", "started_at", "purged_at", "starts_at", "ends_at", "ended_at", "expires_at", "free_at"),
    *("players_mentioned_at", "refused_at", "handover_times", "pressed_at", "saved_at", "drawn_at", "rival_seen_at"),
}
OTHERS = {
    *("status", "locale", "language", "rules", "theme", "rematch_of", "rule_set", "strategies", "owner", "absence"),
    *("process", "unreadable_ids", "press_id", "action", "attempt", "present", "former"),
    *("robot_level", "coaching", "help_level", "ranked_entry"),
    *("kind", "page", "outcome", "points", "rival_call", "scores", "games", "ranked_presets", "season_length", "zone"),
    *("champion_role", "key", "line", "digest", "podium_digest", "address", "rate"),
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


def test_every_column_is_classified_as_personal_or_not() -> None:
    """A new column about people belongs in `bot.store.personal`, any other in one of the sets above."""
    judged = PERSON | OF_SERVERS
    found = columns()
    assert judged <= found.keys()
    harmless = {column for column, name in found.items() if name in IDS | INSTANTS | OTHERS}
    assert found.keys() - judged - harmless == set()


def test_the_policy_names_every_column_with_something_personal_in_every_language() -> None:
    policy = (Path(__file__).parents[3] / "docs" / "privacy.md").read_text(encoding="utf-8")
    told = Counter(re.findall(r"`(\w+\.\w+)`", policy))
    assert told == dict.fromkeys(PERSON, len(policy.split("\n---\n")))


def test_an_export_shows_all_rows_that_an_erasure_finds() -> None:
    """Seats and nights come with what they are of; that somebody is being erased is there for seconds."""
    otherwise = {each.person.class_.__tablename__ for each in PERSONAL if each.export is None}
    assert otherwise == {"seats", "entrants", "pending_erasures"}


def test_no_name_is_left_in_a_row_that_an_erasure_keeps() -> None:
    named = [each for each in PERSONAL if each.left is not None and any("name" in word.key for word in each.words)]
    assert len(named) > 3
    for each in named:
        assert {word.key for word in each.words if "name" in word.key} <= (each.left or {}).keys()
