"""The question before old matches are kept for a shorter time: what is deleted, from when on, and what stays."""

from bot.tables.server_settings import NOTICE_MS
from bot.ui.kit.components import Layout, button
from bot.ui.kit.confirmation import confirmation, danger
from bot.ui.kit.custom_ids import NO_TABLE, make_id
from bot.ui.kit.texts import Texts
from bot.ui.server.config_panel import years_or_days
from bot.ui.server.verbs import ServerVerb


def retention_question(days: int, old: int, now: int, texts: Texts) -> Layout:
    """`old` matches are older than `days` already; `now` in milliseconds."""
    t = texts.t
    costs = (
        t(
            "From <t:{at}:D> on I delete for good the moves, rounds and names of matches that ended more than {time}"
            " ago.",
            at=(now + NOTICE_MS) // 1000,
            time=years_or_days(days, texts),
        ),
        texts.n("{count} match is that old today.", "{count} matches are that old today.", old),
        t("Nobody can watch or export them any more. Results and standings stay."),
        t("Until then you can choose a longer time here."),
    )
    return confirmation(
        "🗑️ " + t("Delete old matches?"),
        [f"- {cost}" for cost in costs],
        danger(t("Delete old matches"), make_id(NO_TABLE, ServerVerb.RETENTION_NOW, str(days))),
        no=button(t("No, go back"), make_id(NO_TABLE, ServerVerb.CONFIG_BACK)),
    )
