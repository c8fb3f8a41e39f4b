"""The tables of the first release."""

import sqlalchemy as sa
from alembic import op

revision = "initial"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "bans",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=True),
        sa.Column("by_id", sa.BigInteger(), nullable=True),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "digest", name=op.f("pk_bans")),
    )
    op.create_index(op.f("ix_bans_by_id"), "bans", ["by_id"], unique=False)
    op.create_index(op.f("ix_bans_user_id"), "bans", ["user_id"], unique=False)
    op.create_table(
        "champions",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("is_of_night", sa.Boolean(), nullable=False),
        sa.Column("role_id", sa.BigInteger(), nullable=False),
        sa.Column("season", sa.Integer(), nullable=True),
        sa.Column("is_erased", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "user_id", "is_of_night", name=op.f("pk_champions")),
    )
    op.create_index(
        "ix_champions_erased",
        "champions",
        ["is_erased", "guild_id", "user_id", "is_of_night"],
        unique=False,
        sqlite_where=sa.text("is_erased IS 1"),
        postgresql_where=sa.text("is_erased IS true"),
    )
    op.create_index(op.f("ix_champions_user_id"), "champions", ["user_id"], unique=False)
    op.create_table(
        "daily_secrets",
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("secret", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_daily_secrets")),
    )
    op.create_table(
        "identifies",
        sa.Column("bucket", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("free_at", sa.BigInteger(), nullable=False),
        sa.Column("attempt", sa.String(length=32), nullable=False),
        sa.PrimaryKeyConstraint("bucket", name=op.f("pk_identifies")),
    )
    op.create_table(
        "ladders",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("ranked_presets", sa.Text(), nullable=False),
        sa.Column("sign_required", sa.Boolean(), nullable=False),
        sa.Column("ranked_entry", sa.Text(), nullable=False),
        sa.Column("season_length", sa.String(length=16), nullable=False),
        sa.Column("zone", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", name=op.f("pk_ladders")),
    )
    op.create_table(
        "leases",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("owner", sa.String(length=32), nullable=True),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_leases")),
    )
    op.create_table(
        "night_drafts",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("saved_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "user_id", name=op.f("pk_night_drafts")),
    )
    op.create_index(op.f("ix_night_drafts_user_id"), "night_drafts", ["user_id"], unique=False)
    op.create_table(
        "nights",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("host_id", sa.BigInteger(), nullable=True),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("starts_at", sa.BigInteger(), nullable=False),
        sa.Column("is_live", sa.Boolean(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("purged_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_nights")),
    )
    op.create_index(op.f("ix_nights_guild_id_number"), "nights", ["guild_id", "number"], unique=True)
    op.create_index(op.f("ix_nights_guild_id_starts_at"), "nights", ["guild_id", "starts_at"], unique=False)
    op.create_index(op.f("ix_nights_host_id_id"), "nights", ["host_id", "id"], unique=False)
    op.create_index(
        "ix_nights_live",
        "nights",
        ["id"],
        unique=False,
        sqlite_where=sa.text("is_live IS 1"),
        postgresql_where=sa.text("is_live IS true"),
    )
    op.create_table(
        "nonce_tags",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("present", sa.String(length=4), nullable=False),
        sa.Column("former", sa.String(length=4), nullable=False),
        sa.Column("drawn_at", sa.BigInteger(), nullable=False),
        sa.Column("rival_seen_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_nonce_tags")),
    )
    op.create_table(
        "pairs",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("low_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("high_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("season", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("is_ranked", sa.Boolean(), autoincrement=False, nullable=False),
        sa.Column("together", sa.Integer(), nullable=False),
        sa.Column("together_wins", sa.Integer(), nullable=False),
        sa.Column("against", sa.Integer(), nullable=False),
        sa.Column("low_wins", sa.Integer(), nullable=False),
        sa.Column("high_wins", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "low_id", "high_id", "season", "is_ranked", name=op.f("pk_pairs")),
    )
    op.create_index(
        "ix_board_duos",
        "pairs",
        ["guild_id", "season", "together_wins", "low_id", "high_id"],
        unique=False,
        sqlite_where=sa.text("is_ranked IS 1"),
        postgresql_where=sa.text("is_ranked IS true"),
    )
    op.create_index(op.f("ix_pairs_high_id_guild_id_low_id"), "pairs", ["high_id", "guild_id", "low_id"], unique=False)
    op.create_index(op.f("ix_pairs_low_id_guild_id_high_id"), "pairs", ["low_id", "guild_id", "high_id"], unique=False)
    op.create_table(
        "pending_erasures",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("stand_in", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_pending_erasures")),
    )
    op.create_table(
        "players",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("is_hidden", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("hides_avatar", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("help_level", sa.String(length=16), nullable=True),
        sa.Column("season", sa.Integer(), nullable=True),
        sa.Column("rated_at", sa.BigInteger(), nullable=True),
        sa.Column("matches", sa.Integer(), nullable=True),
        sa.Column("partners", sa.Text(), nullable=True),
        sa.Column("opponents", sa.Integer(), nullable=True),
        sa.Column("day_start_rating", sa.Integer(), nullable=True),
        sa.Column("first_partners", sa.Text(), nullable=True),
        sa.Column("mu", sa.Double(), nullable=True),
        sa.Column("sigma", sa.Double(), nullable=True),
        sa.PrimaryKeyConstraint("guild_id", "user_id", name=op.f("pk_players")),
    )
    op.create_index(op.f("ix_players_user_id"), "players", ["user_id"], unique=False)
    op.create_table(
        "presses",
        sa.Column("press_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("table_id", sa.BigInteger(), nullable=False),
        sa.Column("action", sa.String(length=64), nullable=False),
        sa.Column("outcome", sa.String(length=32), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("duration_ms", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("press_id", name=op.f("pk_presses")),
    )
    op.create_index(op.f("ix_presses_user_id_press_id"), "presses", ["user_id", "press_id"], unique=False)
    op.create_table(
        "processes",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("requests", sa.Integer(), server_default="0", nullable=False),
        sa.Column("is_exclusive", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("address", sa.String(length=64), server_default="", nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_processes")),
    )
    op.create_table(
        "recounts",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("season", sa.Integer(), nullable=False),
        sa.Column("stamp", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", name=op.f("pk_recounts")),
    )
    op.create_table(
        "rule_sets",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("line", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "key", name=op.f("pk_rule_sets")),
    )
    op.create_table(
        "seasons",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("name", sa.Text(), nullable=True),
        sa.Column("starts_at", sa.BigInteger(), nullable=False),
        sa.Column("ends_at", sa.BigInteger(), nullable=True),
        sa.Column("changes", sa.Integer(), server_default="0", nullable=False),
        sa.Column("podium_changes", sa.Integer(), nullable=True),
        sa.Column("channel_id", sa.BigInteger(), nullable=True),
        sa.Column("message_id", sa.BigInteger(), nullable=True),
        sa.Column("podium_digest", sa.String(length=32), nullable=True),
        sa.PrimaryKeyConstraint("guild_id", "number", name=op.f("pk_seasons")),
    )
    op.create_index(
        "ix_seasons_due",
        "seasons",
        ["guild_id", "ends_at"],
        unique=False,
        sqlite_where=sa.text("seasons.podium_changes IS NOT seasons.changes"),
        postgresql_where=sa.text("podium_changes IS DISTINCT FROM changes"),
    )
    op.create_table(
        "servers",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("table_channels", sa.Text(), nullable=False),
        sa.Column("players_mentioned_at", sa.BigInteger(), nullable=True),
        sa.Column("retention_days", sa.Integer(), nullable=True),
        sa.Column("retained_until", sa.BigInteger(), nullable=True),
        sa.Column("daily_channel", sa.BigInteger(), nullable=True),
        sa.Column("daily_hour", sa.Integer(), nullable=True),
        sa.Column("daily_posted_day", sa.Integer(), nullable=False),
        sa.Column("language", sa.String(length=16), nullable=True),
        sa.Column("podium_channel", sa.BigInteger(), nullable=True),
        sa.Column("champion_role", sa.BigInteger(), nullable=True),
        sa.Column("absence", sa.String(length=16), nullable=False),
        sa.Column("afk_seconds", sa.Integer(), nullable=True),
        sa.Column("players_role", sa.BigInteger(), nullable=True),
        sa.Column("is_role_open", sa.Boolean(), nullable=False),
        sa.Column("role_mentions_per_day", sa.Integer(), nullable=False),
        sa.Column("role_mentions_day", sa.Integer(), nullable=False),
        sa.Column("role_mentions_today", sa.Integer(), nullable=False),
        sa.Column("hosts_role", sa.BigInteger(), nullable=True),
        sa.Column("log_channel", sa.BigInteger(), nullable=True),
        sa.Column("winner_role", sa.BigInteger(), nullable=True),
        sa.Column("quick_start_seconds", sa.Integer(), nullable=False),
        sa.Column("has_result_film", sa.Boolean(), nullable=False),
        sa.Column("has_table_picture", sa.Boolean(), nullable=False),
        sa.Column("league_best", sa.Integer(), nullable=True),
        sa.Column("league_scale", sa.String(length=16), nullable=False),
        sa.Column("counts_hidden_nights", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", name=op.f("pk_servers")),
    )
    op.create_table(
        "standings",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("season", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("is_ranked", sa.Boolean(), autoincrement=False, nullable=False),
        sa.Column("matches", sa.Integer(), nullable=False),
        sa.Column("wins", sa.Integer(), nullable=False),
        sa.Column("draws", sa.Integer(), nullable=False),
        sa.Column("win_days", sa.Integer(), nullable=False),
        sa.Column("rated_at", sa.BigInteger(), nullable=True),
        sa.Column("displayed_rating", sa.Integer(), nullable=True),
        sa.Column("is_provisional", sa.Boolean(), nullable=True),
        sa.Column("fresh_until", sa.BigInteger(), nullable=True),
        sa.Column("mu", sa.Double(), nullable=True),
        sa.Column("sigma", sa.Double(), nullable=True),
        sa.Column("kems", sa.Integer(), server_default="0", nullable=False),
        sa.Column("doubles", sa.Integer(), server_default="0", nullable=False),
        sa.Column("kems_ms", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("false_calls", sa.Integer(), server_default="0", nullable=False),
        sa.Column("counters", sa.Integer(), server_default="0", nullable=False),
        sa.Column("false_counters", sa.Integer(), server_default="0", nullable=False),
        sa.Column("caught", sa.Integer(), server_default="0", nullable=False),
        sa.Column("bluffs", sa.Integer(), server_default="0", nullable=False),
        sa.Column("baits", sa.Integer(), server_default="0", nullable=False),
        sa.Column("quick", sa.Integer(), server_default="0", nullable=False),
        sa.Column("read", sa.Integer(), server_default="0", nullable=False),
        sa.Column("wins_without_marks", sa.Integer(), server_default="0", nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "user_id", "season", "is_ranked", name=op.f("pk_standings")),
    )
    op.create_index(
        "ix_board_bluffers",
        "standings",
        ["guild_id", "season", "baits", "user_id"],
        unique=False,
        sqlite_where=sa.text("is_ranked IS 1"),
        postgresql_where=sa.text("is_ranked IS true"),
    )
    op.create_index(
        "ix_board_counters",
        "standings",
        ["guild_id", "season", "counters", "user_id"],
        unique=False,
        sqlite_where=sa.text("is_ranked IS 1"),
        postgresql_where=sa.text("is_ranked IS true"),
    )
    op.create_index(
        "ix_board_fresh",
        "standings",
        ["guild_id", "season", "fresh_until"],
        unique=False,
        sqlite_where=sa.text("is_ranked IS 1"),
        postgresql_where=sa.text("is_ranked IS true"),
    )
    op.create_index(
        "ix_board_friendly",
        "standings",
        ["guild_id", "season", "win_days", "user_id"],
        unique=False,
        sqlite_where=sa.text("is_ranked IS 0"),
        postgresql_where=sa.text("is_ranked IS false"),
    )
    op.create_index(
        "ix_board_kems",
        "standings",
        ["guild_id", "season", "kems", "user_id"],
        unique=False,
        sqlite_where=sa.text("is_ranked IS 1"),
        postgresql_where=sa.text("is_ranked IS true"),
    )
    op.create_index(
        "ix_board_rating",
        "standings",
        ["guild_id", "season", "displayed_rating", "user_id"],
        unique=False,
        sqlite_where=sa.text("is_ranked IS 1"),
        postgresql_where=sa.text("is_ranked IS true"),
    )
    op.create_index(
        "ix_board_wins",
        "standings",
        ["guild_id", "season", "wins", "user_id"],
        unique=False,
        sqlite_where=sa.text("is_ranked IS 1"),
        postgresql_where=sa.text("is_ranked IS true"),
    )
    op.create_index(op.f("ix_standings_user_id"), "standings", ["user_id"], unique=False)
    op.create_table(
        "streaks",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("season", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("running", sa.Integer(), nullable=False),
        sa.Column("best", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "user_id", "season", name=op.f("pk_streaks")),
    )
    op.create_index(op.f("ix_streaks_user_id"), "streaks", ["user_id"], unique=False)
    op.create_table(
        "tables",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("message_id", sa.BigInteger(), nullable=True),
        sa.Column("message_round", sa.Integer(), server_default="0", nullable=False),
        sa.Column("is_message_final", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("former_channel_id", sa.BigInteger(), nullable=True),
        sa.Column("former_message_id", sa.BigInteger(), nullable=True),
        sa.Column("log_messages", sa.Text(), server_default="[]", nullable=False),
        sa.Column("post_channel_id", sa.BigInteger(), nullable=True),
        sa.Column("post_message_id", sa.BigInteger(), nullable=True),
        sa.Column("open_channel_id", sa.BigInteger(), nullable=True),
        sa.Column("host_id", sa.BigInteger(), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("locale", sa.String(length=16), nullable=False),
        sa.Column("rules", sa.Text(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("has_random_teams", sa.Boolean(), nullable=False),
        sa.Column("wants_thread", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("theme", sa.String(length=16), server_default="french", nullable=False),
        sa.Column("rematch_of", sa.BigInteger(), nullable=True),
        sa.Column("rule_set", sa.String(length=32), nullable=True),
        sa.Column("strategies", sa.Text(), nullable=True),
        sa.Column("has_vote", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("opened_at", sa.BigInteger(), nullable=False),
        sa.Column("closes_at", sa.BigInteger(), nullable=True),
        sa.Column("starts_at", sa.BigInteger(), nullable=True),
        sa.Column("started_at", sa.BigInteger(), nullable=True),
        sa.Column("is_ranked", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("absence", sa.String(length=16), server_default="robot", nullable=False),
        sa.Column("robot_level", sa.String(length=16), server_default="regular", nullable=False),
        sa.Column("coaching", sa.String(length=16), server_default="none", nullable=False),
        sa.Column("robots_stay", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("players_role", sa.BigInteger(), nullable=True),
        sa.Column("mentions_role", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("afk_seconds", sa.Integer(), nullable=True),
        sa.Column("purged_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["rematch_of"], ["tables.id"], name=op.f("fk_tables_rematch_of_tables"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tables")),
    )
    op.create_index(op.f("ix_tables_host_id_id"), "tables", ["host_id", "id"], unique=False)
    op.create_index(
        "ix_tables_open",
        "tables",
        ["guild_id", "open_channel_id", "channel_id"],
        unique=False,
        sqlite_where=sa.text("open_channel_id IS NOT NULL"),
        postgresql_where=sa.text("open_channel_id IS NOT NULL"),
    )
    op.create_index(op.f("ix_tables_status_is_message_final"), "tables", ["status", "is_message_final"], unique=False)
    op.create_index(
        "ix_tables_whole",
        "tables",
        ["guild_id", "opened_at"],
        unique=False,
        sqlite_where=sa.text("purged_at IS NULL"),
        postgresql_where=sa.text("purged_at IS NULL"),
    )
    op.create_table(
        "departures",
        sa.Column("table_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("was_removed", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id"], ["tables.id"], name=op.f("fk_departures_table_id_tables"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("table_id", "user_id", name=op.f("pk_departures")),
    )
    op.create_index(op.f("ix_departures_user_id_table_id"), "departures", ["user_id", "table_id"], unique=False)
    op.create_table(
        "entrants",
        sa.Column("night_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["night_id"], ["nights.id"], name=op.f("fk_entrants_night_id_nights"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("night_id", "number", name=op.f("pk_entrants")),
    )
    op.create_index(op.f("ix_entrants_user_id_night_id"), "entrants", ["user_id", "night_id"], unique=False)
    op.create_table(
        "erasures",
        sa.Column("process", sa.String(length=32), nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("unreadable_ids", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["process"], ["processes.id"], name=op.f("fk_erasures_process_processes"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("process", "user_id", name=op.f("pk_erasures")),
    )
    op.create_table(
        "events",
        sa.Column("table_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(length=32), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("press_id", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["table_id"], ["tables.id"], name=op.f("fk_events_table_id_tables"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("table_id", "seq", name=op.f("pk_events")),
    )
    op.create_index(
        "uq_events_press_id",
        "events",
        ["press_id"],
        unique=True,
        sqlite_where=sa.text("press_id IS NOT NULL"),
        postgresql_where=sa.text("press_id IS NOT NULL"),
    )
    op.create_table(
        "invitations",
        sa.Column("table_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id"], ["tables.id"], name=op.f("fk_invitations_table_id_tables"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("table_id", "user_id", name=op.f("pk_invitations")),
    )
    op.create_index(op.f("ix_invitations_user_id"), "invitations", ["user_id"], unique=False)
    op.create_table(
        "logs",
        sa.Column("table_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("packed_events", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_logs_table_id_tables"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("table_id", name=op.f("pk_logs")),
    )
    op.create_table(
        "night_steps",
        sa.Column("night_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("by_id", sa.BigInteger(), nullable=True),
        sa.Column("body", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["night_id"], ["nights.id"], name=op.f("fk_night_steps_night_id_nights"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("night_id", "number", name=op.f("pk_night_steps")),
    )
    op.create_index(
        op.f("ix_night_steps_by_id_night_id_number"), "night_steps", ["by_id", "night_id", "number"], unique=False
    )
    op.create_table(
        "panels",
        sa.Column("table_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("page", sa.String(length=16), nullable=False),
        sa.Column("language", sa.String(length=16), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("message_id", sa.BigInteger(), nullable=False),
        sa.Column("token", sa.Text(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("is_follow_up", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id"], ["tables.id"], name=op.f("fk_panels_table_id_tables"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("table_id", "user_id", name=op.f("pk_panels")),
    )
    op.create_table(
        "plays",
        sa.Column("table_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("season", sa.Integer(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("team", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("outcome", sa.Integer(), nullable=False),
        sa.Column("has_left", sa.Boolean(), nullable=False),
        sa.Column("has_left_early", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("is_ranked", sa.Boolean(), nullable=False),
        sa.Column("is_void", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("displayed_rating", sa.Integer(), nullable=True),
        sa.Column("ranked_number", sa.Integer(), nullable=True),
        sa.Column("opponents", sa.Integer(), nullable=True),
        sa.Column("day_start_rating", sa.Integer(), nullable=True),
        sa.Column("mu", sa.Double(), nullable=True),
        sa.Column("sigma", sa.Double(), nullable=True),
        sa.Column("kems", sa.Integer(), server_default="0", nullable=False),
        sa.Column("doubles", sa.Integer(), server_default="0", nullable=False),
        sa.Column("kems_ms", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("false_calls", sa.Integer(), server_default="0", nullable=False),
        sa.Column("counters", sa.Integer(), server_default="0", nullable=False),
        sa.Column("false_counters", sa.Integer(), server_default="0", nullable=False),
        sa.Column("caught", sa.Integer(), server_default="0", nullable=False),
        sa.Column("bluffs", sa.Integer(), server_default="0", nullable=False),
        sa.Column("baits", sa.Integer(), server_default="0", nullable=False),
        sa.Column("quick", sa.Integer(), server_default="0", nullable=False),
        sa.Column("read", sa.Integer(), server_default="0", nullable=False),
        sa.Column("wins_without_marks", sa.Integer(), server_default="0", nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_plays_table_id_tables"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("table_id", "user_id", name=op.f("pk_plays")),
    )
    op.create_index(
        op.f("ix_plays_guild_id_user_id_ended_at_table_id"),
        "plays",
        ["guild_id", "user_id", "ended_at", "table_id"],
        unique=False,
    )
    op.create_index(
        "ix_plays_ranked_number",
        "plays",
        ["guild_id", "user_id", "ranked_number"],
        unique=False,
        sqlite_where=sa.text("ranked_number IS NOT NULL"),
        postgresql_where=sa.text("ranked_number IS NOT NULL"),
    )
    op.create_index(op.f("ix_plays_user_id_table_id"), "plays", ["user_id", "table_id"], unique=False)
    op.create_table(
        "results",
        sa.Column("table_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("season", sa.Integer(), nullable=False),
        sa.Column("winner", sa.Integer(), nullable=True),
        sa.Column("scores", sa.Text(), nullable=False),
        sa.Column("games", sa.Text(), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id"], ["tables.id"], name=op.f("fk_results_table_id_tables"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("table_id", name=op.f("pk_results")),
    )
    op.create_index(
        op.f("ix_results_guild_id_ended_at_table_id"), "results", ["guild_id", "ended_at", "table_id"], unique=False
    )
    op.create_index(op.f("ix_results_guild_id_number"), "results", ["guild_id", "number"], unique=True)
    op.create_table(
        "scene_attempts",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("scene", sa.String(length=40), nullable=False),
        sa.Column("day", sa.Integer(), nullable=True),
        sa.Column("table_id", sa.BigInteger(), nullable=True),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("started_at", sa.BigInteger(), nullable=False),
        sa.Column("pressed_at", sa.BigInteger(), nullable=False),
        sa.Column("reference", sa.Integer(), nullable=False),
        sa.Column("result", sa.Integer(), nullable=True),
        sa.Column("is_over", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("moves", sa.Text(), nullable=False),
        sa.Column("is_posted", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("sign", sa.String(length=64), server_default="", nullable=False),
        sa.Column("token", sa.Text(), nullable=True),
        sa.Column("language", sa.String(length=16), nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id"], ["tables.id"], name=op.f("fk_scene_attempts_table_id_tables"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", "scene", name=op.f("pk_scene_attempts")),
    )
    op.create_index(op.f("ix_scene_attempts_guild_id_day"), "scene_attempts", ["guild_id", "day"], unique=False)
    op.create_index(
        "ix_scene_attempts_running",
        "scene_attempts",
        ["pressed_at"],
        unique=False,
        sqlite_where=sa.text("is_over IS 0"),
        postgresql_where=sa.text("is_over IS false"),
    )
    op.create_index(op.f("ix_scene_attempts_table_id"), "scene_attempts", ["table_id"], unique=False)
    op.create_table(
        "seats",
        sa.Column("table_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("team", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("is_away", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("is_open", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("robot_level", sa.String(length=16), nullable=True),
        sa.Column("handover_times", sa.Text(), server_default="[]", nullable=False),
        sa.Column("help_level", sa.String(length=16), nullable=True),
        sa.Column("has_no_marks", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("is_first_unguided", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("reserved_for_id", sa.BigInteger(), nullable=True),
        sa.Column("reserved_for_name", sa.Text(), server_default="", nullable=False),
        sa.Column("ballot", sa.Text(), nullable=True),
        sa.Column("wants_rematch", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_seats_table_id_tables"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("table_id", "seat", name=op.f("pk_seats")),
    )
    op.create_index(
        "ix_seats_reserved_for_id",
        "seats",
        ["reserved_for_id"],
        unique=False,
        sqlite_where=sa.text("reserved_for_id IS NOT NULL"),
        postgresql_where=sa.text("reserved_for_id IS NOT NULL"),
    )
    op.create_index(op.f("ix_seats_user_id_table_id"), "seats", ["user_id", "table_id"], unique=False)
    op.create_table(
        "shares",
        sa.Column("table_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("round", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("channel_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("message_id", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id"], ["tables.id"], name=op.f("fk_shares_table_id_tables"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("table_id", "round", "channel_id", name=op.f("pk_shares")),
    )
    op.create_table(
        "voids",
        sa.Column("table_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("by_id", sa.BigInteger(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_voids_table_id_tables"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("table_id", name=op.f("pk_voids")),
    )
    op.create_index(op.f("ix_voids_by_id"), "voids", ["by_id"], unique=False)
    op.create_index(op.f("ix_voids_guild_id_at"), "voids", ["guild_id", "at"], unique=False)


def downgrade() -> None:
    for name in (
        "voids",
        "shares",
        "seats",
        "scene_attempts",
        "results",
        "plays",
        "panels",
        "night_steps",
        "logs",
        "invitations",
        "events",
        "erasures",
        "entrants",
        "departures",
        "tables",
        "streaks",
        "standings",
        "servers",
        "seasons",
        "rule_sets",
        "recounts",
        "processes",
        "presses",
        "players",
        "pending_erasures",
        "pairs",
        "nonce_tags",
        "nights",
        "night_drafts",
        "leases",
        "ladders",
        "identifies",
        "daily_secrets",
        "champions",
        "bans",
    ):
        op.drop_table(name)
