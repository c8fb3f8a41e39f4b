"""The end of a match as one message: who won, the highlights, the last round, the ratings, and what comes next.

The picture of the match goes under the heading (`bot.discord.api.components.with_picture`).
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from bot.base.times import MINUTE_MS
from bot.daily.attempt import MOST_BETTER, Challenge, write_key
from bot.discord.api import components as c
from bot.discord.api.custom_ids import NO_TABLE, RoundCustomIds, make_id
from bot.discord.pictures.card_faces import Faces
from bot.discord.pictures.illustrations import PictureLine
from bot.discord.text.names import display_name, label_name
from bot.discord.text.texts import Texts
from bot.game.views import TableView
from bot.ladder.columns import COLUMNS, SeatTally
from bot.ladder.tally import NO_HIGHLIGHTS, Highlights
from bot.records.history import RatingChange
from bot.records.pictures import PictureFile
from bot.records.player import Player
from bot.tables.match.table import Away, Table
from bot.ui.table.pages.board import log_line
from bot.ui.table.pages.round_end import ending_words, last_round_lines, round_details
from bot.ui.table.verbs import CHALLENGE_TRY, DAILY, TableVerb
from bot.ui.words.table_text import TableText, clock, elide, signed_points

_MOST_NAMED: Final = MOST_BETTER - 1  # names of people who did better than the player of a challenge
_MOST_BEST: Final = 2  # if more players are level, none is named best
_SECOND_MS: Final = 1000


@dataclass(frozen=True, slots=True)
class MatchEnd:
    """What is known about a finished match beyond its last round.

    - `alt`: describes the picture.
    - `margin`: by how many milliseconds the closest call won; None if none was close.
    - `offers_role`: members may take the server's role for players.
    - `is_filmed`: the film of its best moment follows.
    """

    highlights: Highlights = NO_HIGHLIGHTS
    ratings: tuple[RatingChange, ...] = ()
    picture: PictureFile | None = None
    alt: str = ""
    margin: int | None = None
    challenges: tuple[Challenge, ...] = ()
    offers_role: bool = False
    is_filmed: bool = False


NOTHING_KNOWN: Final = MatchEnd()


class MatchEnds(Protocol):
    """Reads what is known about finished matches. Whatever cannot be read or drawn is left out."""

    async def read(self, table: Table) -> MatchEnd:
        """Return what is known about a match that has just ended. Its film follows."""

    async def challenges(self, table: Table) -> tuple[Challenge, ...]:
        """Return the current challenges of a match.

        Raises:
            StoreError: They could not be read.
        """

    async def film(self, table: Table) -> PictureLine | None:
        """Return the best moment of a match that `is_filmed`, as an animation."""


def match_end_board(
    view: TableView,
    people: Sequence[Player],
    table_id: int,
    faces: Faces,
    *,
    log: Sequence[TableView] = (),
    end: MatchEnd = NOTHING_KNOWN,
    ready: Collection[int] = (),
    away: Mapping[int, Away] | None = None,
    is_first: bool = False,
) -> c.Layout:
    """Return the result of a match.

    - `log`: the rounds before the last one.
    - `ready`: the user ids of players who have pressed *Rematch*.
    - `away`: players who cannot take part in a rematch.
    - `is_first`: the match has taught its host.
    """
    table_text, t, ids = TableText(view, people, faces), faces.texts.t, RoundCustomIds(table_id, view.round)
    time_called = "-# " + t("⏳ Time was called.") if view.is_time_called and not is_first else None
    summary = [
        *highlight_lines(end.highlights, table_text),
        _ratings(end.ratings, table_text),
        log_line(log, faces.texts),
        rematch_line(people, ready, away or {}, table_text),
    ]
    next_ones = (
        c.row(
            c.button(t("🔁 Rematch"), ids(TableVerb.REMATCH), style=c.SUCCESS),
            c.button(t("🎲 Shuffle"), ids(TableVerb.SHUFFLE)),
            play_button(t("♠ Play"), style=c.PRIMARY),
            *([call_me_button(faces.texts)] if end.offers_role else []),
        ),
        c.row(
            c.button(t("🎬 Step by step"), ids(TableVerb.WATCH)),
            c.button(t("🔎 My mistakes"), ids(TableVerb.REVIEW)),
            c.button(t("📤 Share"), ids(TableVerb.SHARE)),
        ),
    )
    return c.layout(
        c.text(f"## {ending_words(table_text)}", table_text.score(), margin_line(end, faces.texts), time_called),
        c.text(*last_round_lines(table_text), *round_details(table_text, log)),
        *([c.text(*summary)] if any(summary) else []),
        *((after_first_match(faces.texts),) if is_first else next_ones),
        *challenge_parts(end.challenges, people, faces.texts),
        colour=c.GOLD,
    )


def margin_line(end: MatchEnd, texts: Texts) -> str | None:
    """Return the lead of the closest call of the match, such as `38 ms!`; None if no calls competed."""
    return None if end.margin is None else texts.t("**{milliseconds} ms!**", milliseconds=end.margin)


def challenge_parts(challenges: Sequence[Challenge], people: Sequence[Player], texts: Texts) -> list[c.Part]:
    """Return the challenges of a match: each with its outcome, and the button to try it."""
    if not challenges:
        return []
    t, lines, buttons = texts.t, list[str](), list[c.Button]()
    for challenge in challenges:
        player = people[challenge.key.seat]
        sentence = (
            texts.n("{count} try", "{count} tries", challenge.tried) if challenge.tried else t("nobody has tried yet")
        )
        better = [f"<@{user_id}>" for user_id in challenge.better[:_MOST_NAMED]]
        if len(challenge.better) > len(better):
            better.append("…")
        did_better = f"✅ {', '.join(better)}" if better else None
        lines.append(" · ".join(filter(None, (f"🎯 {display_name(player)}", sentence, did_better))))
        name = label_name(player)
        label = elide(t("▶ Do better than {player}", player=name), name, texts)
        buttons.append(c.button(label, make_id(NO_TABLE, CHALLENGE_TRY, write_key(challenge.key)), style=c.SUCCESS))
    about = "-# " + t("Ten seconds of a match, the same hand, one try. You read what came of it afterwards.")
    return [c.text(*lines, about), *c.rows(buttons)]


def after_first_match(texts: Texts) -> c.Row:
    """Return buttons for the next steps of a player who has just learnt the game."""
    return c.row(
        play_button(texts.t("▶ Short match to 5")),
        c.button(texts.t("👥 Invite"), make_id(NO_TABLE, TableVerb.FRIENDS)),
        c.button(texts.t("📅 Deal of the day"), make_id(NO_TABLE, DAILY)),
    )


def call_me_button(texts: Texts) -> c.Button:
    """Return the button that gives its presser the role that *Play* mentions, or takes it away."""
    return c.button(texts.t("🔔 Call me"), make_id(NO_TABLE, TableVerb.CALL_ME))


def play_button(label: str, style: c.Style = c.SUCCESS) -> c.Button:
    """Return the button *Play*: all people who press it in a channel get seats at a match that begins soon."""
    return c.button(label, make_id(NO_TABLE, TableVerb.PLAY), style=style)


def highlight_lines(found: Highlights, table_text: TableText) -> list[str]:
    """Return the best player, the longest bluff and the quickest Kem's, a line each."""
    t, lines = table_text.texts.t, []
    if len(found.best) == 1 and found.tally is not None:
        name = table_text.name(found.best[0])
        lines.append(t("⭐ Best player: {name} · {feats}", name=name, feats=_feats(found.tally, table_text.texts)))
    elif 1 < len(found.best) <= _MOST_BEST:
        lines.append(t("⭐ Best players: {names}", names=table_text.names(found.best)))
    if found.bluff is not None:
        bluffer, time = table_text.name(found.bluff.seat), clock(found.bluff.milliseconds)
        gestures = table_text.texts.n("{count} gesture", "{count} gestures", found.bluff.count)
        lines.append(t("🎭 Longest bluff: {name} · {time} · {gestures}", name=bluffer, time=time, gestures=gestures))
    if found.quickest is not None:
        caller, time = table_text.name(found.quickest.seat), _time(found.quickest.milliseconds, table_text.texts)
        lines.append(t("⚡ Quickest Kem's: {name} · {time}", name=caller, time=time))
    return lines


def rematch_line(
    people: Sequence[Player], ready: Collection[int], away: Mapping[int, Away], table_text: TableText
) -> str | None:
    """Return a line on who has pressed *Rematch*, who has not yet, and who cannot come; None before the first press."""
    t = table_text.texts.t

    def names(is_meant: Callable[[int], bool]) -> str:
        user_ids = [player.user_id for player in people]
        return table_text.names(
            [seat for seat, user_id in enumerate(user_ids) if user_id is not None and is_meant(user_id)]
        )

    if not ready:
        return None
    lines = [
        (t("🔁 Rematch: {names} ✓"), names(lambda user_id: user_id in ready and user_id not in away)),
        (t("waiting for {names}"), names(lambda user_id: user_id not in ready and user_id not in away)),
        (t("waiting for {names}, in another match"), names(lambda user_id: away.get(user_id) is Away.ELSEWHERE)),
        (t("without {names}"), names(lambda user_id: away.get(user_id) is Away.GONE)),
    ]
    return " · ".join(line.format(names=who) for line, who in lines if who)


def _ratings(changes: Sequence[RatingChange], table_text: TableText) -> str | None:
    """Return `Ratings: Léa 1512 (+12) · Bruno 1488 (−12)`, in seating order."""
    t, by_user = table_text.texts.t, {change.user_id: change for change in changes}
    lines = []
    for seat, player in enumerate(table_text.people):
        change = None if player.user_id is None else by_user.get(player.user_id)
        if change is not None:
            by = t("new") if change.before is None else signed_points(change.after - change.before, plus=True)
            lines.append(f"{table_text.name(seat)}\u00a0{change.after}\u00a0({by})")
    return t("📈 Ratings: {ratings}", ratings=" · ".join(lines)) if lines else None


def _feats(tally: SeatTally, texts: Texts) -> str:
    feats = [
        texts.n(column.feat[0], column.feat[1], count)
        for column in COLUMNS
        if column.feat and (count := column.value(tally))
    ]
    return ", ".join(feats)


def _time(milliseconds: int, texts: Texts) -> str:
    """Return seconds with a tenth below a minute, otherwise minutes and seconds."""
    if milliseconds >= MINUTE_MS:
        return clock(milliseconds)
    return texts.t("{seconds} s", seconds=texts.decimal(milliseconds / _SECOND_MS, 1))
