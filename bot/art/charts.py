"""Draws leaderboards, podiums, the ends of game nights, ratings over time and the score history of a match."""

from collections.abc import Sequence
from typing import Final

from PIL import Image

from bot.art.canvas import CREAM, FELT, FELT_DARK, FELT_LIGHT, GOLD, MEDAL_INK, MEDALS, SAGE, TEAMS
from bot.art.card_layout import MARGIN, ROOM, SUBTITLE, WIDTH, CardLayout, beside_portrait, head, line_height, wrapped
from bot.records.pictures import BoardPicture, BoardRow, Curve, MatchPicture, TeamColumn

_PLOT: Final = 220.0
CURVE: Final = _PLOT + 44
"""The height of a curve with its dates."""
_AXIS: Final = 52.0
_GUTTER: Final = 40.0  # right of the lines, for the teams' numbers
_VALUE: Final = 68.0  # and for the last value of a single line
_HEADLINE: Final = 20.0
_TEAM_ROW: Final = 62.0
_MEMBER: Final = 32.0
_PORTRAITS: Final = 3  # of a team in a row
_NOTE: Final = 28.0
_SIGN: Final = 28.0
_ROUNDS: Final = 36.0
_MOST_NUMBERS: Final = 16  # of rounds that stand beside each other
_MOST_ENDS: Final = 19
_STEPS: Final = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2500, 5000, 10000)
_LINES: Final = 4

MOST_ROWS: Final = 20
_ROW: Final = 50.0
_PLACE: Final = 44.0
_ROW_VALUE: Final = 100.0
_STEP_HEIGHTS: Final = {1: 150.0, 2: 116.0, 3: 92.0}  # heights by place, so that level rows stand level
_STEP_WIDTH: Final = 140.0
_STEP_GAP: Final = 6.0
_STEP_NOTE: Final = 13.0
_PODIUM_HEIGHT: Final = 384.0
_ON_STEPS: Final = 3
_GAP: Final = 12.0


def draw_curve(layout: CardLayout, curve: Curve, top: float) -> None:
    """Draw values over time with their scale and dates, `CURVE` high; the last value is written at the curve's end."""
    spots = _plot(layout, top, (curve.values,), (GOLD,), _VALUE)
    bottom = top + _PLOT + 24
    layout.text(curve.first, (MARGIN, bottom), 15, SAGE)
    layout.text(curve.last, (WIDTH - MARGIN, bottom), 15, SAGE, anchor="r")
    if spots[0]:
        x, y = spots[0][-1]
        layout.text(str(curve.values[-1]), (x + 12, y), 21, CREAM, bold=True, room=_VALUE)


def draw_match(picture: MatchPicture) -> Image.Image:
    """Draw a match: its best moment on at most two lines, its teams, the curves of their scores, and the notes."""
    teams = picture.teams
    is_duel, has_plot = len(teams) == 2, len(teams[0].scores) > 1
    most = max(len(team.members) for team in teams)
    sign_height = _SIGN if any(team.sign for team in teams) else 0
    teams_height = 102 + _MEMBER * most + sign_height if is_duel else _TEAM_ROW * len(teams)
    headline = wrapped(picture.headline, _HEADLINE, ROOM, 2, bold=True)
    headline_top = head(picture.subtitle)
    top = headline_top + (line_height(_HEADLINE) * len(headline) + 8 if headline else 0)
    plot_top = top + teams_height + 14
    notes_top = plot_top + (_PLOT + 26 + _ROUNDS if has_plot else 0)
    layout = CardLayout(notes_top + _NOTE * len(picture.notes) + (10 if picture.notes else 0))
    layout.heading(picture.title, picture.subtitle)
    layout.paragraph(headline, (MARGIN, headline_top + line_height(_HEADLINE) / 2), _HEADLINE, CREAM, bold=True)
    if is_duel:
        _duel(layout, teams, top, teams_height)
    else:
        for number, team in enumerate(teams):
            _team(layout, team, number, top + _TEAM_ROW * number)
    if has_plot:
        spots = _plot(layout, plot_top, [(0, *team.scores) for team in teams], TEAMS, _GUTTER)
        _marks(layout, spots)
        _rounds(layout, picture, [x for x, _ in spots[0]], plot_top + _PLOT + 8)
    for number, note in enumerate(picture.notes):
        layout.text(note, (MARGIN, notes_top + _NOTE * (number + 0.5)), 16, room=WIDTH - 2 * MARGIN, least=13)
    return layout.image


def _duel(layout: CardLayout, teams: Sequence[TeamColumn], top: float, height: float) -> None:
    gap = 10.0
    wide = (WIDTH - 2 * (MARGIN - 8) - gap) / 2
    for number, team in enumerate(teams):
        left = MARGIN - 8 + number * (wide + gap)
        line = GOLD if team.is_winner else None
        layout.box((left, top, left + wide, top + height), FELT_LIGHT, 12, line, 2.5 if line else 0)
        _mark(layout, number, left + 24, top + 28)
        name = f"{team.name} 🏆" if team.is_winner else team.name
        layout.text(name, (left + 46, top + 28), 18, CREAM, bold=True, room=wide - 56, least=14)
        layout.text(_score(team), (left + wide / 2, top + 68), 46, line or CREAM, anchor="m", bold=True)
        for place, (member, avatar) in enumerate(team.portraits):
            middle = top + 106 + _MEMBER * place
            layout.portrait(member, avatar, (left + 26, middle), 13, TEAMS[number % len(TEAMS)])
            name_text = beside_portrait(member, avatar)
            layout.text(name_text, (left + 46, middle), 16, CREAM, room=wide - 56, least=13)
        if team.sign:
            layout.text(team.sign, (left + 14, top + height - 20), 17, SAGE, room=wide - 28, least=13)


def _score(team: TeamColumn) -> str:
    return str(team.scores[-1] if team.scores else 0).replace("-", "−")


def _team(layout: CardLayout, team: TeamColumn, number: int, top: float) -> None:
    middle = top + _TEAM_ROW / 2
    line = GOLD if team.is_winner else None
    layout.box((MARGIN - 8, top + 3, WIDTH - MARGIN + 8, top + _TEAM_ROW - 3), FELT_LIGHT, 10, line, 2 if line else 0)
    _mark(layout, number, MARGIN + 14, middle)
    layout.text(_score(team), (WIDTH - MARGIN - 4, middle), 28, GOLD if line else CREAM, anchor="r", bold=True)
    left = MARGIN + 42
    for member, avatar in team.portraits[:_PORTRAITS]:
        layout.portrait(member, avatar, (left + 14, middle), 14, TEAMS[number % len(TEAMS)])
        left += 32
    room = WIDTH - MARGIN - 80 - left
    name = f"{team.name} 🏆" if team.is_winner else team.name
    layout.text(name, (left + 6, middle - 12), 17, CREAM, bold=True, room=room)
    members = ", ".join(beside_portrait(*member) for member in team.portraits)
    line_text = f"{members} · {team.sign}" if team.sign else members
    layout.text(line_text, (left + 6, middle + 12), 14, SAGE, room=room, least=12)


def _mark(layout: CardLayout, number: int, x: float, y: float) -> None:
    layout.disc(x, y, 13, TEAMS[number % len(TEAMS)])
    layout.text(str(number + 1), (x, y), 14, FELT_DARK, anchor="m", bold=True)


def _marks(layout: CardLayout, spots: Sequence[Sequence[tuple[float, float]]]) -> None:
    """Draw the teams' numbers at the ends of their lines, none on top of another."""
    used: list[float] = []
    for number in sorted(range(len(spots)), key=lambda team: spots[team][-1][1]):
        x, y = spots[number][-1]
        while any(abs(y - other) < 24 for other in used):
            y += 4
        used.append(y)
        _mark(layout, number, x + 22, y)


def _rounds(layout: CardLayout, picture: MatchPicture, xs: Sequence[float], top: float) -> None:
    """Write the numbers of the rounds under the curve, and how they ended; the best moment has a disc."""
    count = len(xs) - 1
    step = next(step for step in (1, 2, 5, 10, 50, 1000) if count <= step * _MOST_NUMBERS)
    for number, x in enumerate(xs[1:], 1):
        is_best = number == picture.best_round
        if is_best:
            layout.disc(x, top + 12, 10, GOLD)
        if is_best or number % step == 0 or number == 1:
            layout.text(str(number), (x, top + 12), 13, FELT_DARK if is_best else SAGE, anchor="m", bold=is_best)
        if count <= _MOST_ENDS and number <= len(picture.ends):
            layout.text(picture.ends[number - 1], (x, top + 33), 15, CREAM, anchor="m")


def _plot(
    layout: CardLayout, top: float, lines: Sequence[Sequence[int]], colours: Sequence[str], gutter: float
) -> list[list[tuple[float, float]]]:
    """Draw lines over one scale, with a gutter at their right. Return the coordinates of their points."""
    values = [value for line in lines for value in line] or [0]
    step = _step(max(values) - min(values))
    low, high = min(values) // step * step, -(-max(values) // step) * step
    high = max(high, low + step)
    left, right, bottom = MARGIN + _AXIS, WIDTH - MARGIN - gutter, top + _PLOT

    def height(value: float) -> float:
        return bottom - 10 - (value - low) / (high - low) * (_PLOT - 26)

    layout.box((MARGIN - 8, top, WIDTH - MARGIN + 8, bottom + 8), FELT_DARK, 10)
    for value in range(low, high + 1, step):
        layout.line([(left, height(value)), (right, height(value))], FELT_LIGHT, 1)
        layout.text(str(value).replace("-", "−"), (left - 10, height(value)), 14, SAGE, anchor="r")
    found = []
    for line, colour in zip(lines, (colours[number % len(colours)] for number in range(len(lines))), strict=True):
        wide = (right - left) / max(len(line) - 1, 1)
        spots = [(left + wide * index, height(value)) for index, value in enumerate(line)]
        if len(spots) > 1:
            layout.line(spots, colour, 3)
        for x, y in spots if len(spots) <= 40 else spots[-1:]:
            layout.disc(x, y, 4, colour)
        found.append(spots)
    return found


def _step(span: int) -> int:
    """Return the distance between two lines of the scale, so that there are a few of them."""
    return next((step for step in _STEPS if span <= step * _LINES), _STEPS[-1] * max(1, span // _STEPS[-1]))


def draw_board(picture: BoardPicture) -> Image.Image:
    """Draw the rows of a board: the place in a disc, the name with a note below it, the value on the right.

    The first three rows of a podium are drawn as its steps, with the winner in the middle.
    """
    return _with_podium(picture) if picture.has_podium else _plain(picture)


def _plain(picture: BoardPicture) -> Image.Image:
    rows = picture.rows[:MOST_ROWS]
    curve_top = head(picture.subtitle)
    top = curve_top + (CURVE if picture.curve is not None else 0)
    layout = CardLayout(top + _ROW * max(len(rows), 1) + MARGIN - 6)
    layout.heading(picture.title, picture.subtitle)
    if picture.curve is not None:
        draw_curve(layout, picture.curve, curve_top)
    _rows(layout, rows, top)
    return layout.image


def _with_podium(picture: BoardPicture) -> Image.Image:
    rest = picture.rows[_ON_STEPS:MOST_ROWS]
    layout = CardLayout(_PODIUM_HEIGHT + (_ROW * len(rest) + _GAP + MARGIN - 6 if rest else 0))
    _podium(layout, picture)
    if rest:
        layout.box((0, _PODIUM_HEIGHT, WIDTH, layout.height), FELT)
    _rows(layout, rest, _PODIUM_HEIGHT + _GAP)
    return layout.image


def _rows(layout: CardLayout, rows: Sequence[BoardRow], top: float) -> None:
    left, right = MARGIN + _PLACE, WIDTH - MARGIN - 4
    for index, row in enumerate(rows):
        middle = top + _ROW * (index + 0.5)
        if index % 2 == 0:
            layout.box((MARGIN - 10, middle - 24, WIDTH - MARGIN + 10, middle + 24), FELT_LIGHT, 9)
        if row.place:
            _place(layout, row.place, MARGIN + 14, middle, 17)
        else:
            layout.text(row.sign, (MARGIN + 14, middle), 20, GOLD, anchor="m")
        value = layout.text(row.value, (right, middle), 21, CREAM, anchor="r", bold=True, room=_ROW_VALUE, least=13)
        room = right - value - left - 14
        layout.text(row.name, (left, middle - 9 if row.note else middle), 18, CREAM, room=room, least=14)
        layout.text(row.note, (left, middle + 12), 14, SAGE, room=room, least=12)


def _podium(layout: CardLayout, picture: BoardPicture) -> None:
    middle = WIDTH / 2
    layout.text(f"🏆 {picture.title}", (middle, 36), 25, GOLD, anchor="m", bold=True, room=ROOM, least=19)
    layout.text(picture.subtitle, (middle, 68), SUBTITLE, SAGE, anchor="m", room=ROOM, least=13)
    rows = picture.rows[:_ON_STEPS]
    if len(rows) == _ON_STEPS:
        rows = (rows[1], rows[0], rows[2])
    left = middle - (len(rows) * _STEP_WIDTH + (len(rows) - 1) * _STEP_GAP) / 2
    for number, row in enumerate(rows):
        _podium_step(layout, row, left + number * (_STEP_WIDTH + _STEP_GAP))


def _podium_step(layout: CardLayout, row: BoardRow, left: float) -> None:
    """Draw a person on their step: the value on it, the note under the value."""
    height = _STEP_HEIGHTS.get(row.place, _STEP_HEIGHTS[3])
    top, middle, room = _PODIUM_HEIGHT - height, left + _STEP_WIDTH / 2, _STEP_WIDTH - 10
    is_first = row.place == 1
    fill = FELT_LIGHT if is_first else FELT_DARK
    layout.box((left, top, left + _STEP_WIDTH, _PODIUM_HEIGHT + 20), fill, 12)
    layout.box((left + 10, top, left + _STEP_WIDTH - 10, top + 3), MEDALS.get(row.place, SAGE))
    radius = 38.0 if is_first else 33.0
    seat = top - 32 - radius
    layout.portrait(row.name, row.avatar, (middle, seat), radius, MEDALS.get(row.place, SAGE))
    _place(layout, row.place, middle + radius * 0.75, seat + radius * 0.75, 14, rim=True)
    layout.text(row.name, (middle, top - 16), 17, CREAM, anchor="m", bold=True, room=_STEP_WIDTH + 2, least=13)
    layout.text(row.value, (middle, top + 36), 28, GOLD, anchor="m", bold=True, room=room, least=15)
    for number, line in enumerate(wrapped(row.note, _STEP_NOTE, room, 2)):
        place = middle, top + 62 + number * line_height(_STEP_NOTE)
        layout.text(line.rstrip(" ·"), place, _STEP_NOTE, SAGE, anchor="m")


def _place(layout: CardLayout, place: int, x: float, y: float, radius: float, *, rim: bool = False) -> None:
    medal = MEDALS.get(place)
    if rim:
        layout.disc(x, y, radius + 3, FELT_DARK)
    if medal is not None:
        layout.disc(x, y, radius, medal)
    ink = SAGE if medal is None else MEDAL_INK
    layout.text(str(place), (x, y), radius, ink, anchor="m", bold=True, room=2 * radius + 6, least=8)
