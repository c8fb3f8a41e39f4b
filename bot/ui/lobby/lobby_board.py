"""The lobby: who sits where by which rules, until the match starts; and the first words to a newcomer."""

from typing import Final

from bot.game.cards import Card
from bot.records.player import Player
from bot.tables.lobby import Lobby, Status
from bot.tables.strategy_vote import NO_VOTE
from bot.ui.kit.components import (
    DANGER,
    PRIMARY,
    SUCCESS,
    Button,
    Layout,
    Part,
    Row,
    button,
    layout,
    menu,
    option,
    row,
    rows,
    text,
)
from bot.ui.kit.custom_ids import make_id
from bot.ui.kit.names import display_name
from bot.ui.kit.palette import GREEN, GREY
from bot.ui.kit.texts import Texts
from bot.ui.lobby.verbs import LobbyVerb
from bot.ui.rules.verbs import RulesVerb
from bot.ui.words.card_faces import THEME_NAMES, Faces
from bot.ui.words.rules_line import lobby_line
from bot.ui.words.strategies import outcome_text
from bot.ui.words.table_text import countdown, team_mark

_SAMPLES: Final = (Card(12, 0), Card(11, 1), Card(10, 2), Card(9, 3))


def lobby_board(lobby: Lobby, texts: Texts) -> Layout:
    """The lobby message; where it was cancelled or the match has started, its closed form."""
    is_open = lobby.status is Status.OPEN
    parts: list[Part] = [
        text(_title(lobby, texts), "-# " + lobby_line(lobby, texts)),
        text(*_people(lobby, texts), _vote_line(lobby, texts), _status(lobby, texts)),
    ]
    if is_open:
        parts += [
            row(*_seat_buttons(lobby, texts)),
            row(*_robot_buttons(lobby, texts)),
            *rows(_team_buttons(lobby, texts)),
            row(*_vote_buttons(lobby, texts)),
            _faces_menu(lobby, texts),
            row(*_host_buttons(lobby, texts)),
        ]
    elif lobby.status is Status.EXPIRED:
        parts.append(row(button(texts.t("Open it anew"), make_id(lobby.id, LobbyVerb.REOPEN), style=PRIMARY)))
    return layout(*parts, colour=GREEN if is_open else GREY)


def damaged_board(texts: Texts, *, is_closed: bool) -> Layout:
    """In place of a table that cannot be read any more; nothing can be pressed there."""
    t = texts.t
    if is_closed:
        return layout(text(t("This table was damaged, and is closed.")), colour=GREY)
    return layout(
        text(
            "⚠️ **" + t("This table cannot be continued: what was kept of it is damaged.") + "**",
            t("The host or a moderator closes it with `/kems end`; `/kems start` opens another."),
            t("Whoever runs the bot finds the reason with `kems doctor`, and may restore a backup."),
        ),
        colour=GREY,
    )


def welcome_board(texts: Texts) -> Layout:
    """The sandbox's first message: play at once (`k1:0:quick`)."""
    t = texts.t
    return layout(
        text(
            "## " + t("♠ Kem's"),
            t("Collect four alike, tell your partner by a secret sign, and have it called before anybody notices."),
            t("Or open a table with `/kems start`."),
        ),
        row(
            button(t("Play now with three robots"), make_id(0, LobbyVerb.QUICK), style=SUCCESS),
            button(t("❔ Help"), make_id(0, RulesVerb.HELP)),
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
    match lobby.status:
        case Status.OPEN:
            opened = t("Opened {when}", when=countdown(lobby.opened_at))
            closes = None if lobby.closes_at is None else t("closes {when}", when=countdown(lobby.closes_at))
            return "-# " + " · ".join(filter(None, (opened, closes)))
        case Status.PLAYING:
            return t("The match has begun.")
        case Status.OVER:
            return t("The match is over.")
        case Status.CANCELLED:
            return t("This table was closed before the match was over.")
        case Status.EXPIRED if lobby.is_ranked is not None:
            return t("The match was paused for a long time, so this table was closed.")
        case Status.EXPIRED:
            return t("Nobody has started this table for a long time, so it was closed.")


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


def _vote_buttons(lobby: Lobby, texts: Texts) -> list[Button]:
    t = texts.t
    return [
        button(t("Advanced signs…"), make_id(lobby.id, LobbyVerb.VOTE)),
        button(t("Without advanced signs"), make_id(lobby.id, LobbyVerb.NO_VOTE), is_enabled=lobby.vote != NO_VOTE),
    ]


def _faces_menu(lobby: Lobby, texts: Texts) -> Row:
    """Which faces the cards have, each choice with a few of them."""
    options = [
        option(
            texts.t(name),
            theme.value,
            description=Faces(texts, theme).labels(_SAMPLES),
            is_default=theme is lobby.theme,
        )
        for theme, name in THEME_NAMES.items()
    ]
    return menu(make_id(lobby.id, LobbyVerb.FACES), "", options)


def _seat_buttons(lobby: Lobby, texts: Texts) -> list[Button]:
    t, has_room = texts.t, not lobby.is_full
    return [
        button(t("Join"), make_id(lobby.id, LobbyVerb.JOIN), style=PRIMARY, is_enabled=has_room),
        button(t("Leave"), make_id(lobby.id, LobbyVerb.LEAVE)),
    ]


def _robot_buttons(lobby: Lobby, texts: Texts) -> list[Button]:
    t, has_room = texts.t, not lobby.is_full
    return [
        button(t("🤖 Add"), make_id(lobby.id, LobbyVerb.ADD_ROBOT), is_enabled=has_room),
        button(t("🤖 Remove"), make_id(lobby.id, LobbyVerb.REMOVE_ROBOT), is_enabled=bool(lobby.robot_seats())),
    ]


def _team_buttons(lobby: Lobby, texts: Texts) -> list[Button]:
    """By which rules, how teams are made, and where they are chosen, into which one to change."""
    t = texts.t
    if lobby.random_teams:
        how = button(t("Teams: at random"), make_id(lobby.id, LobbyVerb.TEAMS, "chosen"))
    else:
        how = button(t("Teams: chosen"), make_id(lobby.id, LobbyVerb.TEAMS, "random"))
    into = [
        button(
            f"{team_mark(team)} " + t("Team {number}", number=team + 1),
            make_id(lobby.id, LobbyVerb.SIT, str(team)),
            is_enabled=not lobby.random_teams,
        )
        for team in range(lobby.teams)
    ]
    rules = button(t("Rules of the table…"), make_id(lobby.id, RulesVerb.RULES))
    return [rules, how, *into]


def _host_buttons(lobby: Lobby, texts: Texts) -> list[Button]:
    t = texts.t
    return [
        button(t("Start"), make_id(lobby.id, LobbyVerb.START), style=SUCCESS, is_enabled=lobby.is_full),
        button(t("Cancel"), make_id(lobby.id, LobbyVerb.CANCEL), style=DANGER),
        button(t("❔ Help"), make_id(lobby.id, RulesVerb.HELP)),
    ]
