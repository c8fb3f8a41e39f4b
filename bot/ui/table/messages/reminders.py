"""Mentions absent players at their table, and posts in another channel why a table's own cannot be used.

A reminder is deleted once nobody is absent any more.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final

from bot.discord.messages.live_messages import LiveMessages
from bot.discord.messages.notices import Notice
from bot.discord.messages.posted_message import MessageAddress, Recipients
from bot.discord.text.names import display_name
from bot.discord.text.texts import Texts, mark, texts_for
from bot.records.player import Player
from bot.tables.lobby.lobby import Absence, Lobby, Status
from bot.tables.match.table import Table
from bot.ui.words.table_text import countdown

EDIT_INTERVAL: Final = 5.0
"""Seconds between two edits of a reminder, which shares its channel's rate limit with the table's message."""

_OTHERWISE: Final = {
    Absence.ROBOT: mark("Otherwise a robot plays for you {when}."),
    Absence.SUBSTITUTE: mark("Otherwise anybody may take your seat {when}."),
    Absence.END: mark("Otherwise the table is closed {when}."),
}


class Reminders:
    """All reminders: `notices` by table. No method waits for Discord."""

    def __init__(self, live: LiveMessages, called: Callable[[int], Mapping[int, int]]) -> None:
        """Prepare reminders.

        `called` returns the seats of a table that are waited for, and until when (milliseconds).
        """
        self._live = live
        self._called = called
        self.notices: dict[int, list[Notice]] = {}

    def call(self, table: Table, seats: Sequence[int], until: int) -> None:
        """Mention the players of these seats at their table. `until`: when they count as absent (milliseconds)."""
        user_ids = [user_id for user_id, seat in table.lobby.people.items() if seat in seats]
        missed = set(user_ids)

        def content() -> str | None:
            lobby, texts, fates = table.lobby, texts_for(table.lobby.locale), dict[int, str]()
            if not table.is_over and lobby.status is Status.PLAYING:
                is_paused = table.table_view().pause is not None
                fates = fates_of(lobby, self._called(table.id), texts, is_paused=is_paused)
            missed.intersection_update(fates)  # a person who comes back and leaves again gets another reminder
            return reminder_text({user_id: fates[user_id] for user_id in user_ids if user_id in missed})

        self._show(table.lobby, table.lobby.place.channel_id, content, user_ids, f"{table.id}-{until}")

    def notify(self, lobby: Lobby, channel_id: int, line: Callable[[], str | None]) -> None:
        """Post the names of a table's people in another channel, with a line about the table while there is one."""
        names = ", ".join(display_name(player) for player in lobby.players if player is not None)

        def content() -> str | None:
            return None if (sentence := line()) is None else f"{names} — {sentence}"

        self._show(lobby, channel_id, content, (), f"{lobby.id}-{lobby.place.channel_id}"[:25])

    def forget(self, table_id: int) -> None:
        """Forget a table without stopping its notices, whose last edits may be due."""
        for notice in self.notices.pop(table_id, ()):
            self._live.drop(notice)

    def _show(
        self, lobby: Lobby, channel_id: int, content: Callable[[], str | None], called: Collection[int], nonce: str
    ) -> None:
        notices = self.notices.setdefault(lobby.id, [])
        for notice in [notice for notice in notices if notice.is_over]:
            notices.remove(notice)
            self._live.drop(notice)
        about, address = {"table": lobby.id}, MessageAddress(lobby.place.guild_id, channel_id)
        texts, recipients = texts_for(lobby.locale), Recipients(called)
        notice = Notice(
            self._live.context, about, texts, address, say=content, nonce=nonce, recipients=recipients,
            interval=EDIT_INTERVAL,
        )  # fmt: skip
        notices.append(notice)
        self._live.add(notice)
        notice.request_update()


def fates_of(lobby: Lobby, called: Mapping[int, int], texts: Texts, *, is_paused: bool) -> dict[int, str]:
    """Return what happens to each absent person, by user id.

    `called`: the seats that the table waits for, and until when (milliseconds).
    """
    fates = {
        player.user_id: _fate(lobby, seat, player, called, texts, is_paused=is_paused)
        for seat, player in enumerate(lobby.players)
        if player is not None and player.user_id is not None
    }
    return {user_id: fate for user_id, fate in fates.items() if fate is not None}


def reminder_text(fates: Mapping[int, str]) -> str | None:
    """Return a line for each fate of absent people; None if there are none."""
    lines: dict[str, list[str]] = {}
    for user_id, fate in fates.items():
        lines.setdefault(fate, []).append(f"<@{user_id}>")
    return "\n".join(f"{' '.join(people)} — {fate}" for fate, people in lines.items()) or None


def _fate(
    lobby: Lobby, seat: int, player: Player, called: Mapping[int, int], texts: Texts, *, is_paused: bool
) -> str | None:
    t = texts.t
    if player.is_away:
        return t("a robot plays for you: press any button of the table to play again yourself.")
    if player.is_open:
        return t("anybody may take your seat: press any button of the table to keep it.")
    if seat not in called:
        return None
    if is_paused:
        return t("the match is paused: it goes on as soon as somebody resumes it.")
    line = t("the table awaits you: press any of its buttons.")
    otherwise = _otherwise(lobby, called, countdown(called[seat]), texts)
    return line if otherwise is None else f"{line} {otherwise}"


def _otherwise(lobby: Lobby, called: Mapping[int, int], when: str, texts: Texts) -> str | None:
    if lobby.absence is not Absence.END and called.keys() >= set(lobby.people.values()):
        return texts.t("If nobody comes, the match pauses {when}.", when=when)
    return None if lobby.absence is Absence.WAIT else texts.t(_OTHERWISE[lobby.absence], when=when)
