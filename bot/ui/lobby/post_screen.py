"""The message of a lobby whose match is played in a thread: one line that links to it, at the end with the score."""

from bot.game.views import TableView
from bot.tables.lobby.lobby import Lobby, Status
from bot.ui.kit.components import Layout, layout, text
from bot.ui.kit.palette import GREY
from bot.ui.kit.texts import Texts
from bot.ui.lobby.lobby_board import lobby_title, seated_by_team
from bot.ui.words.scores import score_line


def channel_post(lobby: Lobby, view: TableView | None, texts: Texts) -> Layout:
    """`view` is the table of a match that is over, None of every other one."""
    link = f"<#{lobby.place.channel_id}>"
    if view is not None:
        won = view.games if view.rules.end.best_of > 1 else view.scores
        score = f"{score_line(won, texts)} → {link}"
        return layout(text(lobby_title(lobby, texts), score, f"-# {seated_by_team(lobby)}"), colour=GREY)
    if lobby.status is Status.PLAYING:
        said = texts.t("the match is on: {link}", link=link)
    else:
        said = texts.t("closed before the end: {link}", link=link)
    return layout(text(f"{lobby_title(lobby, texts)} · {said}"), colour=GREY)


def starting_post(lobby: Lobby, texts: Texts) -> Layout:
    """The same message for the moment in which the thread is opened."""
    begins = texts.t("the match begins…")
    return layout(text(f"{lobby_title(lobby, texts)} · {begins}"), colour=GREY)
