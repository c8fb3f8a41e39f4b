"""`/kems-admin report`: thirty days of a server on one page, in words and as a picture, for its manager alone."""

from dataclasses import dataclass
from datetime import time

import discord
from babel.dates import format_time

from bot.base.clock import Clock
from bot.base.times import DAY_MS
from bot.discord.api import components as c
from bot.discord.api.interactions import guild_of, reader
from bot.discord.api.patience import or_later
from bot.discord.interactions.admission.budgets import PICTURES
from bot.discord.interactions.feature import CommandSet, command
from bot.discord.pictures.illustrations import Illustrated, Illustrator
from bot.discord.text.picture_words import day, days, rows_words
from bot.discord.text.texts import Texts, mark
from bot.records.archive import NightRecords
from bot.records.history import History
from bot.records.pictures import BoardPicture, BoardRow, Curve
from bot.records.report import DAYS, Report, report_of
from bot.records.seasons import SeasonStore


@dataclass(eq=False, repr=False)
class ReportCommand(CommandSet):
    _clock: Clock
    _history: History
    _nights: NightRecords
    _seasons: SeasonStore
    _illustrator: Illustrator

    @command("report", mark("See what happened here in 30 days"), draws=PICTURES)
    async def report(self, interaction: discord.Interaction) -> None:
        guild_id, until = guild_of(interaction), self._clock.now()
        since = until - DAYS * DAY_MS

        async def read() -> tuple[Report, str]:
            zone = (await self._seasons.setup(guild_id)).schedule.zone
            activity = await self._history.activity(guild_id, since)
            nights = await self._nights.between(guild_id, since, until)
            return report_of(activity, nights, until, zone), zone

        await self._illustrator.answer(interaction, report_page(*await or_later(read()), reader(interaction)))


def report_page(report: Report, zone: str, texts: Texts) -> Illustrated:
    t, n = texts.t, texts.n
    rows = [
        BoardRow(0, t("Players"), str(report.players), sign="👥"),
        BoardRow(0, t("Newcomers"), str(report.new), t("their first match here"), sign="✨"),
        BoardRow(0, t("Came back"), str(report.back), t("after {days} days or more", days=DAYS), sign="👋"),
        BoardRow(0, t("Matches"), str(report.matches), sign="🃏"),
        BoardRow(0, t("Nights"), str(report.nights), sign="🌙"),
    ]
    if report.nights:
        came = texts.decimal(report.attendance, 1)
        rows.append(BoardRow(0, t("Mean attendance"), came, t("people a night"), sign="🪑"))
        rows.append(BoardRow(0, t("No-shows"), str(report.missing), t("signed up, and never came"), sign="🚪"))
    if report.hour is not None:
        began = n("{count} match began in that hour", "{count} matches began in that hour", report.matches_then)
        hour = format_time(time(report.hour), "short", locale=texts.locale)
        rows.append(BoardRow(0, t("Best hour"), hour, began, sign="🕘"))
    span, daily = days(report.since, report.until, zone, texts), t("matches a day")
    first, last = (day(at, zone, texts) for at in (report.since, report.until))
    curve = Curve(report.daily, first, last) if report.matches else None
    picture = BoardPicture(t("30 days on this server"), f"{span} · {daily}", tuple(rows), curve=curve)
    lines = (
        f"{row.sign} " + t("{name}: {value}", name=row.name, value=f"**{row.value}**")
        + (f" · {row.note}" if row.note else "")
        for row in rows
    )  # fmt: skip
    heading = (f"## 📊 {picture.title}", f"-# {span} · {zone}")
    files = t("{/season_export} gives the matches and nights of a season as CSV.")
    layout = c.layout(c.text(*heading), c.text(*lines), c.text("-# " + files), colour=c.GREEN)
    return Illustrated(layout, picture, rows_words(picture), replaces=1)
