"""Teams and scores in one line. A number of points never touches the number of a team."""

from collections.abc import Sequence
from typing import Final

from bot.ui.kit.texts import Texts, unbroken

_TEAM_MARKS: Final = "①②③④⑤⑥⑦⑧⑨⑩⑪⑫"


def team_mark(team: int) -> str:
    """A short mark that ties a player to a team without any colour."""
    return _TEAM_MARKS[team]


def team_name(team: int, texts: Texts) -> str:
    return texts.t("Team {number}", number=team + 1)


def signed(points: int, *, plus: bool = False) -> str:
    """A number of points with a true minus sign."""
    return (f"{points:+}" if plus else str(points)).replace("-", "−")


def score_line(scores: Sequence[int], texts: Texts) -> str:
    """The points of all teams: `Team 1 · **4 — 2** · Team 2`; of three teams or more `Team 1 · **4** | …`.

    No line breaks within the score of two teams.
    """
    line = scored([team_name(team, texts) for team in range(len(scores))], scores)
    return unbroken(line) if len(scores) == 2 else line


def scored(teams: Sequence[str], scores: Sequence[int]) -> str:
    """The same for teams that are called otherwise, by their players for example."""
    if len(scores) == 2:
        first, second = map(signed, scores)
        return f"{teams[0]} · **{first} — {second}** · {teams[1]}"
    return " | ".join(f"{team} · **{signed(points)}**" for team, points in zip(teams, scores, strict=True))
