"""How the ladder works here: the formula, what makes a match ranked, and which matches were declared void."""

from collections.abc import Sequence
from typing import Final

from bot.ladder.formula import FORMULA, Formula
from bot.ladder.seasons import Every, Schedule, Season
from bot.ladder.setup import Setup
from bot.records.history import VoidRecord
from bot.ui.kit.components import Layout, layout, text
from bot.ui.kit.names import defuse
from bot.ui.kit.palette import GOLD
from bot.ui.kit.texts import Texts, mark
from bot.ui.ladder.leaderboard import season_name
from bot.ui.words.preset_names import preset_name

VOIDS_TOLD: Final = 8
_REASON: Final = 100  # characters of a reason
_ZONE: Final = 40
_SCHEDULES: Final = {
    Every.MONTH: mark("a season every month, time zone {zone}"),
    Every.QUARTER: mark("a season every quarter, time zone {zone}"),
    Every.HAND: mark("seasons by hand"),
}


def about_panel(
    setup: Setup, season: Season | None, voids: Sequence[VoidRecord], texts: Texts, formula: Formula = FORMULA
) -> Layout:
    t = texts.t
    when = t("between seasons") if season is None else season_name(season, texts)
    return layout(
        text("## 🪜 " + t("The ladder"), f"-# {when} · {schedule_words(setup.schedule, texts)}"),
        text("**" + t("Ranked") + "**", *_gates(setup, texts)),
        text("**" + t("Rating") + "**", *_formula(formula, texts)),
        text("**" + t("Void matches") + "**", *_voids(voids, texts)),
        colour=GOLD,
    )


def schedule_words(schedule: Schedule, texts: Texts) -> str:
    """When seasons begin."""
    return texts.t(_SCHEDULES[schedule.every], zone=defuse(schedule.zone, _ZONE))


def no_zone(written: str, near: Sequence[str], texts: Texts) -> str:
    """A refusal of a time zone's name, with the names that are near it."""
    t, zone = texts.t, defuse(written, _ZONE)
    if not near:
        return t("There is no time zone “{zone}”: write one such as Europe/Paris.", zone=zone)
    return t("There is no time zone “{zone}”: did you mean {near}?", zone=zone, near=", ".join(near))


def _gates(setup: Setup, texts: Texts) -> list[str]:
    t, gates = texts.t, setup.gates
    presets = ", ".join(preset_name(name, texts) for name in gates.presets) or t("none")
    only_after, anyway = t("a Kem's counts only once its sign was made"), t("a Kem's counts without its sign, too")
    lines = (
        t("Rules: {presets}, with nothing changed but a deck of 32 or 52 cards and the clocks.", presets=presets),
        t("Signs: {sign}.", sign=only_after if gates.sign_required else anyway),
        t("People: no robots, everybody has a partner, and a season is running when the match starts and ends."),
    )
    return [f"- {line}" for line in lines]


def _formula(f: Formula, texts: Texts) -> list[str]:
    t = texts.t
    lines = [
        t(
            "OpenSkill (Plackett-Luce) estimates your strength μ and how unsure that is, σ, from who won each match."
            " Newcomers: μ = {mu}, σ = {sigma}; luck in a match: β = {beta}, growth of σ a match: τ = {tau}.",
            mu=texts.decimal(f.mu, 2),
            sigma=texts.decimal(f.sigma, 2),
            beta=texts.decimal(f.beta, 2),
            tau=texts.decimal(f.tau, 2),
        ),
        t("Shown: {base} + {scale} × (μ − 3σ), which grows as the uncertainty falls.", base=f.base, scale=f.scale),
        t(
            "Provisional before {matches} ranked matches with {partners} different partners.",
            matches=f.sure_matches,
            partners=f.sure_partners,
        ),
        t("Boards and podiums list settled ratings with at least one win."),
        t(
            "After {days} idle days σ² grows by {drift} a week. In a new season μ stays, and σ² grows by {widening}.",
            days=f.rest_days,
            drift=texts.decimal(f.drift**2, 2),
            widening=texts.decimal(f.widening**2, 2),
        ),
        t("A player who leaves a match loses it; partners who stay lose no rating by it."),
        t(
            "A player who ends a match loses it alone, as if to a team of equal strength; so do players whose absence"
            " ends it."
        ),
        t(
            "Only a moderator who does not play in it may remove players from a match, or end it for nobody. A match"
            " without the removed player counts for nobody, unless the moderator charges that player with the loss."
        ),
        t(
            "The same people again within {days} days: each match weighs {percent} % of the one before,"
            " {least} % at least.",
            days=f.repeat_days,
            percent=round(100 * f.repeat),
            least=round(100 * f.least_weight),
        ),
    ]
    return [f"- {line}" for line in lines]


def _voids(voids: Sequence[VoidRecord], texts: Texts) -> list[str]:
    t = texts.t
    lines = [
        t(
            "#{number} <t:{at}:d>, by {moderator}: {reason}",
            number=void.table_id,
            at=void.at // 1000,
            moderator=f"<@{void.by_id}>" if void.by_id else t("(forgotten)"),
            reason=defuse(void.reason, _REASON) or "—",
        )
        for void in voids[:VOIDS_TOLD]
    ]
    return [f"- {line}" for line in lines] or [t("None.")]
