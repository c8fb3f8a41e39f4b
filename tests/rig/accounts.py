"""What people were told has happened, held against the logs: every acknowledged press is there, none counts twice."""

from collections import Counter
from collections.abc import Sequence

from bot.discord.api.custom_ids import parse_id
from bot.discord.interactions.admission.admission import LATE, LATE_MS, TOO_FAST
from bot.discord.text.text_width import truncate_to_width
from bot.discord.text.texts import texts_for
from bot.game import events as e
from bot.game.checks.check_signs import AGAIN_MS
from bot.game.checks.refusals import Code
from bot.tables.lobby.refusals import LobbyCode, LobbyRefusal
from bot.tables.match.logged_match import REPEAT_MS
from bot.tables.match.table_actions import TableRefusalCode
from bot.ui.lobby.verbs import LobbyVerb
from bot.ui.table.verbs import TableVerb
from bot.ui.words.panel_text import SMALL_LINE
from bot.ui.words.refusals import lobby_refusal_text, refusal_text
from tests.rig.evidence import Logged, TableRecord
from tests.rig.players import table_ids
from tests.rig.remote import Outcome, Remote
from tests.seen import Seen, typed

_ONCE_MS: dict[str, int] = {
    TableVerb.GESTURE: AGAIN_MS,
    TableVerb.COUNTER_AT: REPEAT_MS,
    TableVerb.COUNTER_TEAM: REPEAT_MS,
}
"""Equal presses of a round count once within so many milliseconds of play."""
_AROUND_MS = 8_000

_TEXTS = texts_for("fr")
REFUSALS = (
    *(refusal_text(code, _TEXTS) for code in (*Code, *TableRefusalCode)),
    _TEXTS.t(LATE),
    _TEXTS.t(TOO_FAST),
    _TEXTS.t("The hunt has just opened: nothing was done."),
    _TEXTS.t("The hunt is already open."),
    _TEXTS.t("The round has just ended: nothing was done."),
    _TEXTS.t("The hunt is already open."),
    *(lobby_refusal_text(LobbyRefusal(code), _TEXTS) for code in LobbyCode),
)
LEAVES: dict[str, type | None] = {
    TableVerb.PUT: e.CardPutDown,
    TableVerb.TAKE: e.CardTaken,
    TableVerb.OPEN: e.HuntOpened,
    TableVerb.SWEEP: e.SweepAsked,
    TableVerb.YES: e.SweepAgreed,
    TableVerb.NO: e.SweepRefused,
    TableVerb.GESTURE: e.GestureMade,
    TableVerb.NEXT: e.CardsDealt,
    TableVerb.KEMS: None,  # one of several
    TableVerb.DOUBLE: None,
    TableVerb.COUNTER_AT: None,
    TableVerb.COUNTER_TEAM: None,
    TableVerb.PROPOSE: None,
    TableVerb.ACCEPT: None,
    TableVerb.SHOW: None,
}
"""The event that an acknowledged move leaves in the log, under its own press."""


class Accounts:
    """The answers of one Discord. ``acknowledged`` counts what was held against the logs, by verb."""

    def __init__(self, remote: Remote) -> None:
        self.acknowledged: Counter[str] = Counter()
        self._remote = remote
        self._outcomes: list[Outcome] = []
        self._settled = 0
        self._shown: set[int] = set()

    def collect(self) -> None:
        """Fetch the answers that people have got. While a bot runs, the tables are to be read after this."""
        self._outcomes = [*self._remote.outcomes]
        self._shown = set().union(*(table_ids(message) for message in self._remote.messages.values()))

    def settle(self, tables: dict[int, TableRecord]) -> None:
        """Hold the answers that were collected since the last call against the stored tables.

        Raises:
            AssertionError: something was acknowledged and is lost, or counts twice.
        """
        new, self._settled = self._outcomes[self._settled :], len(self._outcomes)
        presses = Counter(entry.press_id for table in tables.values() for entry in table.log if entry.press_id)
        assert not [press for press, times in presses.items() if times > 1], "a press counts twice"
        by_press = {entry.press_id: entry for table in tables.values() for entry in table.log if entry.press_id}
        for table_id in self._shown:
            assert table_id in tables, f"table {table_id} was shown and is lost"
        for outcome in new:
            press = parse_id(outcome.what)
            if press is None or not is_acknowledged(outcome):
                continue
            self.acknowledged[press.verb] += 1
            if press.verb in (LobbyVerb.JOIN, LobbyVerb.LEAVE):
                is_there = outcome.user in tables[press.table_id].seats.values()
                is_undone = any(o.id > outcome.id and _moves(o, outcome.user, press.table_id) for o in self._outcomes)
                is_kept = is_undone or is_there is (press.verb == LobbyVerb.JOIN)
                assert is_kept, f"{outcome} was acknowledged and is lost"
            elif press.verb in LEAVES:
                ids = (outcome.id, *self._earlier_attempts(outcome, tables))
                kinds = [type(by_press[key].event) for key in ids if key in by_press]
                assert kinds, f"{outcome} was acknowledged and is not in the log\n{self._around(outcome, tables)}"
                assert LEAVES[press.verb] in (kinds[0], None), f"{outcome} left a {kinds[0].__name__} in the log"

    def _around(self, outcome: Outcome, tables: dict[int, TableRecord]) -> str:
        """What this person pressed before, and the table's log at that time."""
        before = [o for o in self._outcomes if o.user == outcome.user and o.id <= outcome.id][-5:]
        pressed = [f"{o.id} at {o.sent_at}: {o.what}, {o.kind} after {o.took_ms} ms" for o in before]
        log = _log_of(outcome, tables)
        there = [entry for entry in log if abs(entry.event.at - outcome.sent_at) < _AROUND_MS]
        return "\n".join([*pressed, *map(repr, there or log[-12:])])

    def _earlier_attempts(self, outcome: Outcome, tables: dict[int, TableRecord]) -> list[int]:
        """Who saw no answer, or was told that the database is slow, presses again: the first press may have counted.

        Of equal gestures in quick succession, and of equal counters, the first alone is in the log.
        """
        same = [o for o in self._outcomes if (o.user, o.what) == (outcome.user, outcome.what) and o.id < outcome.id]
        attempts = [o.id for o in same if not is_acknowledged(o)]
        press, log = parse_id(outcome.what), _log_of(outcome, tables)
        if press is not None and press.verb in _ONCE_MS:
            since = played_ms(log, outcome.sent_at) - _ONCE_MS[press.verb] - LATE_MS
            attempts += [o.id for o in same if played_ms(log, o.sent_at) > since]
        return attempts


def _moves(outcome: Outcome, user: int, table_id: int) -> bool:
    """Whether somebody perhaps sits down at a table with this press, or leaves it."""
    press = parse_id(outcome.what)
    is_about = press is not None and press.table_id == table_id and press.verb in (LobbyVerb.JOIN, LobbyVerb.LEAVE)
    return is_about and outcome.user == user


def _log_of(outcome: Outcome, tables: dict[int, TableRecord]) -> Sequence[Logged]:
    press = parse_id(outcome.what)
    return () if press is None or press.table_id not in tables else tables[press.table_id].log


def played_ms(log: Sequence[Logged], at: int) -> int:
    """An instant without the pauses before it: an outage between two gestures brings them together."""
    paused, since = 0, None
    for entry in log:
        match entry.event:
            case e.MatchPaused(at=began) if began < at:
                since = began
            case e.MatchResumed(at=ended) if since is not None:
                paused, since = paused + min(ended, at) - since, None
    return at - paused - (0 if since is None else at - since)


def is_acknowledged(outcome: Outcome) -> bool:
    press, answer = parse_id(outcome.what), outcome.answer
    if press is None or answer is None or outcome.kind != "update":
        return False
    held = cards(answer, TableVerb.PUT, "hand")
    if press.verb == TableVerb.PUT and press.arg in held:
        return False
    if press.verb == TableVerb.TAKE and press.arg not in held:
        return False
    if press.verb == TableVerb.SWEEP and "🧹 <t:" in answer.text:  # too early: it is asked for when its time comes
        return False
    return not any(typed(line) in answer.text or typed(_on_a_panel(line)) in answer.text for line in REFUSALS)


def _on_a_panel(refusal: str) -> str:
    """The refusal as a hand panel shows it among its news, in small lines of a phone's width."""
    return f"-# {truncate_to_width(refusal, SMALL_LINE)}"


def cards(message: Seen | None, verb: str, row: str) -> list[str | None]:
    """The codes of the cards that a row of buttons shows, None for an empty slot."""
    read = (parse_id(control.custom_id) for control in (message.controls if message else ()))
    return [
        press.arg if press.verb == verb else None
        for press in read
        if press is not None and (press.verb == verb or (press.verb == TableVerb.EMPTY and press.arg.startswith(row)))
    ]
