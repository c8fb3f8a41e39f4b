"""The lobby: who sits where by which rules, until the match starts; and the first words to a newcomer."""

from functools import partial
from typing import Final

from bot.game.cards import Card
from bot.records.player import Player
from bot.tables.lobby.lobby import Lobby, Status
from bot.tables.lobby.strategy_vote import NO_VOTE
from bot.ui.kit import components as c
from bot.ui.kit.custom_ids import NO_TABLE, make_id
from bot.ui.kit.names import display_name
from bot.ui.kit.palette import GREEN, GREY
from bot.ui.kit.texts import Texts, mark
from bot.ui.lobby.verbs import LobbyVerb
from bot.ui.rules.verbs import RulesVerb
from bot.ui.words.card_faces import THEME_NAMES, Faces
from bot.ui.words.rules_line import lobby_line
from bot.ui.words.strategies import outcome_text
from bot.ui.words.table_text import countdown, team_mark

_NOT_OPEN: Final = {
    Status.PLAYING: mark("The match has begun."),
    Status.OVER: mark("The match is over."),
    Status.CANCELLED: mark("This table was closed before the match was over."),
    Status.EXPIRED: mark("Nobody has started this table for a long time, so it was closed."),
}
_SAMPLES: Final = (Card(12, 0), Card(11, 1), Card(10, 2), Card(9, 3))


def lobby_board(lobby: Lobby, texts: Texts) -> c.Layout:
    """The lobby message; where it was cancelled or the match has started, its closed form."""
    is_open = lobby.status is Status.OPEN
    parts: list[c.Part] = [
        c.text(_title(lobby, texts), "-# " + lobby_line(lobby, texts)),
        c.text(*_people(lobby, texts), _vote_line(lobby, texts), _status(lobby, texts)),
    ]
    if is_open:
        parts += _controls(lobby, texts)
    elif lobby.status is Status.EXPIRED:
        parts.append(c.row(c.button(texts.t("Open it again"), make_id(lobby.id, LobbyVerb.REOPEN), style=c.PRIMARY)))
    return c.layout(*parts, colour=GREEN if is_open else GREY)


def damaged_board(texts: Texts, *, is_closed: bool) -> c.Layout:
    """In place of a table that cannot be read any more; nothing can be pressed there."""
    t = texts.t
    if is_closed:
        return c.layout(c.text(t("This table was damaged, and is closed.")), colour=GREY)
    return c.layout(
        c.text(
            "⚠️ **" + t("This table cannot be continued: what was kept of it is damaged.") + "**",
            t("The host or a moderator closes it with `/kems end`; `/kems start` opens another."),
            t("`kems doctor` tells the bot's owner the reason; a backup may be restored."),
        ),
        colour=GREY,
    )


def welcome_board(texts: Texts) -> c.Layout:
    """The sandbox's first message: play at once (`k1:0:quick`)."""
    t = texts.t
    return c.layout(
        c.text(
            "## " + t("♠ Kem's"),
            t("Collect four alike, tell your partner by a secret sign, and have it called before anybody notices."),
            t("Or open a table with `/kems start`."),
        ),
        c.row(
            c.button(t("Play now with three robots"), make_id(NO_TABLE, LobbyVerb.QUICK), style=c.SUCCESS),
            c.button(t("❔ Help"), make_id(NO_TABLE, RulesVerb.HELP)),
        ),
        colour=GREEN,
    )


def _title(lobby: Lobby, texts: Texts) -> str:
    host = next((player for player in lobby.players if player and player.user_id == lobby.host_id), None)
    title = texts.t("♠ Kem's table")
    return f"## {title} — {display_name(host)}" if host is not None else f"## {title}"


def _people(lobby: Lobby, texts: Texts) -> list[str]:
    if lobby.status is Status.OPEN and lobby.random_teams:
        return [" · ".join(_who(player, texts) for player in lobby.players), texts.t("Teams are drawn at the start.")]
    lines = []
    for team in range(lobby.teams):
        names = " · ".join(_who(lobby.players[seat], texts) for seat in lobby.members(team))
        lines.append(texts.t("**Team {number}** {names}", number=team + 1, names=names))
    return lines


def _who(player: Player | None, texts: Texts) -> str:
    return texts.t("(free)") if player is None else display_name(player)


def _status(lobby: Lobby, texts: Texts) -> str:
    t = texts.t
    if lobby.status is Status.OPEN:
        opened = t("Opened {when}", when=countdown(lobby.opened_at))
        closes = None if lobby.closes_at is None else t("closes {when}", when=countdown(lobby.closes_at))
        return "-# " + " · ".join(filter(None, (opened, closes)))
    if lobby.status is Status.EXPIRED and lobby.is_ranked is not None:
        return t("Nobody has played this match for a long time, so this table was closed.")
    return t(_NOT_OPEN[lobby.status])


def _vote_line(lobby: Lobby, texts: Texts) -> str | None:
    """What the vote is waiting for or what came of it, and nothing of what anybody said."""
    t, vote = texts.t, lobby.vote
    if vote.outcome is not None:
        return "-# " + outcome_text(vote.outcome, texts)
    if lobby.status is not Status.OPEN:
        return None
    if not vote.is_running:
        return "-# " + t("Advanced signs: no vote asked for")
    awaited = [display_name(player) for player in lobby.awaited]
    if not lobby.is_full:
        awaited.append(t("the free seats"))
    return "-# " + t("Advanced signs: secret vote. Awaited: {names}", names=" · ".join(awaited))


def _controls(lobby: Lobby, texts: Texts) -> list[c.Part]:
    t, ids = texts.t, partial(make_id, lobby.id)
    random_or_chosen = t("Teams: at random") if lobby.random_teams else t("Teams: chosen")
    into = [
        c.button(
            f"{team_mark(team)} " + t("Team {number}", number=team + 1),
            ids(LobbyVerb.SIT, str(team)),
            is_enabled=not lobby.random_teams,
        )
        for team in range(lobby.teams)
    ]
    faces = [
        c.option(
            t(name), theme.value, description=Faces(texts, theme).labels(_SAMPLES), is_default=theme is lobby.theme
        )
        for theme, name in THEME_NAMES.items()
    ]
    return [
        c.row(
            c.button(t("Join"), ids(LobbyVerb.JOIN), style=c.PRIMARY, is_enabled=not lobby.is_full),
            c.button(t("Leave"), ids(LobbyVerb.LEAVE)),
        ),
        c.row(
            c.button(t("🤖 Add"), ids(LobbyVerb.ADD_ROBOT), is_enabled=not lobby.is_full),
            c.button(t("🤖 Remove"), ids(LobbyVerb.REMOVE_ROBOT), is_enabled=bool(lobby.robot_seats())),
        ),
        *c.rows(
            [
                c.button(t("Rules of the table…"), ids(RulesVerb.RULES)),
                c.button(random_or_chosen, ids(LobbyVerb.TEAMS, "chosen" if lobby.random_teams else "random")),
                *into,
            ]
        ),
        c.row(
            c.button(t("Advanced signs…"), ids(LobbyVerb.VOTE)),
            c.button(t("Without advanced signs"), ids(LobbyVerb.NO_VOTE), is_enabled=lobby.vote != NO_VOTE),
        ),
        c.menu(ids(LobbyVerb.FACES), "", faces),
        c.row(
            c.button(t("Start"), ids(LobbyVerb.START), style=c.SUCCESS, is_enabled=lobby.is_full),
            c.button(t("Cancel"), ids(LobbyVerb.CANCEL), style=c.DANGER),
            c.button(t("❔ Help"), ids(RulesVerb.HELP)),
        ),
    ]
