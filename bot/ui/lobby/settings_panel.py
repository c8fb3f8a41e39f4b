"""What the host sets before the match: one private message. Everybody else reads the rules."""

from functools import partial
from typing import Final

from bot.game.cards import Card
from bot.tables.lobby.lobby import Lobby
from bot.tables.lobby.strategy_vote import NO_VOTE
from bot.ui.kit import components as c
from bot.ui.kit.custom_ids import make_id
from bot.ui.kit.names import label_name
from bot.ui.kit.palette import GREEN
from bot.ui.kit.texts import Texts
from bot.ui.lobby.verbs import LobbyVerb
from bot.ui.rules.verbs import RulesVerb
from bot.ui.table.verbs import DepartureVerb
from bot.ui.words.card_faces import THEME_NAMES, Faces
from bot.ui.words.robot_levels import LEVEL_MANNERS, LEVEL_NAMES
from bot.ui.words.rule_names import ABSENCE_NAMES
from bot.ui.words.rules_line import lobby_line
from bot.ui.words.scores import team_mark

_SAMPLES: Final = (Card(12, 0), Card(11, 1), Card(10, 2), Card(9, 3))


def settings_panel(lobby: Lobby, texts: Texts, notice: str | None = None) -> c.Layout:
    """The settings of an open lobby; `notice` says why the press before changed nothing."""
    t, ids = texts.t, partial(make_id, lobby.id)
    is_drawn, has_vote = lobby.random_teams, lobby.vote != NO_VOTE
    return c.layout(
        c.text(notice, "**⚙️ " + t("Settings of the table") + "**", "-# " + lobby_line(lobby, texts)),
        c.row(
            c.button(t("Rules…"), ids(RulesVerb.RULES), style=c.PRIMARY),
            c.button(t("🤖 Add"), ids(LobbyVerb.ADD_ROBOT), is_enabled=not lobby.is_full),
            c.button(t("🤖 Remove"), ids(LobbyVerb.REMOVE_ROBOT), is_enabled=bool(lobby.robot_seats())),
        ),
        c.row(
            c.button(t("🎲 Teams at random"), ids(LobbyVerb.TEAMS, "random"), is_enabled=not is_drawn),
            c.button(t("🪑 Teams as seated"), ids(LobbyVerb.TEAMS, "chosen"), is_enabled=is_drawn),
        ),
        c.menu(ids(LobbyVerb.SWAP), t("Exchange two seats…"), _seats(lobby, texts), least=2, most=2),
        c.menu(ids(LobbyVerb.ROBOTS), t("How well robots play"), _levels(lobby, texts)),
        c.menu(ids(LobbyVerb.FACES), t("Cards"), _faces(lobby, texts)),
        c.menu(ids(LobbyVerb.ABSENCE), t("When a player is absent"), _absences(lobby, texts)),
        c.row(
            c.button(t("Advanced signs: no"), ids(LobbyVerb.NO_VOTE), is_enabled=has_vote),
            c.button(t("Put them to the vote"), ids(LobbyVerb.PROPOSE_VOTE), is_enabled=not has_vote),
        ),
        c.row(c.button(t("Cancel the table…"), ids(DepartureVerb.ASK_END), style=c.DANGER)),
        colour=GREEN,
    )


def _seats(lobby: Lobby, texts: Texts) -> list[c.Option]:
    names = [texts.t("(free)") if player is None else label_name(player) for player in lobby.players]
    return [c.option(f"{team_mark(seat % lobby.teams)} {name}", str(seat)) for seat, name in enumerate(names)]


def _levels(lobby: Lobby, texts: Texts) -> list[c.Option]:
    return [
        c.option(
            texts.t("Robots: {level}", level=texts.t(name)),
            level.value,
            description=texts.t(LEVEL_MANNERS[level]),
            is_default=level is lobby.robot_level,
        )
        for level, name in LEVEL_NAMES.items()
    ]


def _faces(lobby: Lobby, texts: Texts) -> list[c.Option]:
    return [
        c.option(
            texts.t(name),
            theme.value,
            description=Faces(texts, theme).labels(_SAMPLES),
            is_default=theme is lobby.theme,
        )
        for theme, name in THEME_NAMES.items()
    ]


def _absences(lobby: Lobby, texts: Texts) -> list[c.Option]:
    named = ((absence, texts.t(name)) for absence, name in ABSENCE_NAMES.items())
    return [
        c.option(texts.t("Absent: {what}", what=words), absence.value, is_default=absence is lobby.absence)
        for absence, words in named
    ]
