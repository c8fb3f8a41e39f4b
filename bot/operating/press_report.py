"""`kems why`: report what became of a person's presses around a time, without naming a card."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from bot.base.errors import KemsError
from bot.base.times import HOUR_MS, MINUTE_MS
from bot.discord.text.texts import texts_for
from bot.game.checks.refusals import Code
from bot.records.press_notes import KEPT_MS, PressNote, PressNoteStore
from bot.tables.match.table_actions import TableRefusalCode
from bot.ui.words.refusals import refusal_text

_FORMS: Final = ("%H:%M", "%H:%M:%S", "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S")
_OUTCOMES: Final = {
    "answered": "answered",
    "refused": "refused",
    "late": "turned away: it reached the bot more than three seconds after the press",
    "too_fast": "turned away: too many presses of this person in a few seconds",
    "taken_over": "not answered: the bot had lost touch with its database, and another process was to take over",
    "while_leaving": "turned away: the bot was being stopped",
    "outdated": "outdated: the button belongs to something that is over",
    "too_long": "what was asked took too long to compute and was stopped",
    "store_slow": "not answered in time: the database was slow, the move may have come later",
    "not_saved": "not done: the database could not save it",
    "discord_refused": "Discord refused the answer: the log says why, look for the press's number",
    "answered_elsewhere": "answered by another process with the bot's token, which has to be stopped",
    "unreached": "the connection to Discord was cut while it was answered",
    "failed": "an error of the bot: the log has it, look for the press's number",
}
_REASONS: Final = {
    "crossed": "the table had changed between the look and the press",
    "sign_text": "what was written cannot be a sign",
}


def instants(text: str, now: datetime) -> Sequence[datetime]:
    """Return the moment that a text such as "21:03" names in this machine's time zone.

    A time without a date is the most recent one that has passed. The moments are two if the clock showed the time
    twice, as it does when summer time ends.

    Raises:
        KemsError: The text is no time, the time has not come yet, or its presses are no longer kept.
    """
    for form in _FORMS:
        try:
            read = datetime.strptime(text.strip(), form)  # noqa: DTZ007 - it gets the zone below
            days = [read] if "%Y" in form else [datetime.combine(now - timedelta(ago), read.time()) for ago in (0, 1)]
            over = [at for day in days for at in _by_this_clock(day) if at <= now]
        except (ValueError, OverflowError):
            continue
        if not over:
            raise KemsError(f"{text} is to come. Give a time that is over.")
        if now - over[0] > timedelta(milliseconds=KEPT_MS):
            raise KemsError(f"{text} is too long ago: presses are kept for {KEPT_MS // HOUR_MS} hours.")
        return [at for at in over if over[0].date() == at.date()]
    raise KemsError(f'"{text}" is no time. Write 21:03, or "2026-11-23 21:03".')


def _by_this_clock(local: datetime) -> Sequence[datetime]:
    return sorted({local.replace(fold=fold).astimezone() for fold in (0, 1)})


async def report(store: PressNoteStore, user_id: int, at: datetime, minutes: int, now: datetime) -> str:
    """Return a report on a person's presses from `minutes` before the moment `at` until `minutes` after it.

    Raises:
        StoreError: The presses cannot be read.
    """
    middle = round(at.timestamp() * 1000)
    since, until = middle - minutes * MINUTE_MS, middle + minutes * MINUTE_MS
    notes, others = await store.between(since, until, user_id)
    zone = at.tzinfo
    first, last = (datetime.fromtimestamp(ms / 1000, zone) for ms in (since, until))
    head = f"User {user_id}, {first:%Y-%m-%d %H:%M} to {last:%H:%M} ({at:%Z}). Presses: {len(notes)}."
    lines = [head, *(_line(note, datetime.fromtimestamp(note.at / 1000, zone)) for note in notes)]
    if not notes:
        lines.append(
            f"No press of this person reached the bot, or they have deleted their data. Presses of others: {others}."
            if others
            else "No press of anybody reached the bot: it was down, cut off from Discord, or nobody played."
        )
    if since < now.timestamp() * 1000 - KEPT_MS:
        lines.append(f"Presses are kept for {KEPT_MS // HOUR_MS} hours: those before are gone.")
    return "\n".join(lines)


def _line(note: PressNote, at: datetime) -> str:
    table = f" at table {note.table_id}" if note.table_id else ""
    reason = f": {_reason(note.reason)}" if note.reason else ""
    came_to = _OUTCOMES.get(note.outcome, note.outcome)
    milliseconds = f"{note.at % 1000:03}"
    return (
        f"{at:%H:%M:%S}.{milliseconds} {note.action}{table}: {came_to}{reason} ({note.duration_ms} ms, {note.press_id})"
    )


def _reason(reason: str) -> str:
    """Return a refusal's code with its sentence; for any other reason its meaning, or the reason itself."""
    for code in (*Code, *TableRefusalCode):
        if code.value == reason:
            return f"{reason}, {refusal_text(code, texts_for('en'))}"
    return _REASONS.get(reason, reason)
