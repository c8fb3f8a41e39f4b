"""A moment that is played again: its panel, and what came of it beside what came of it in the match."""

import re
from typing import Final

from bot.daily.moment import MomentKey, MomentRun, MomentStart, MomentTry
from bot.records.help_level import HelpLevel
from bot.records.player import Player
from bot.ui.daily.live_scenes import LiveScene
from bot.ui.daily.scene_panel import played_alone
from bot.ui.daily.verbs import MomentVerb
from bot.ui.kit import components as c
from bot.ui.kit.custom_ids import NO_TABLE, make_id
from bot.ui.kit.names import display_name, label_name
from bot.ui.kit.texts import Texts
from bot.ui.table.pages.panel_pages import panel_page
from bot.ui.table.pages.panel_state import PanelView
from bot.ui.table.pages.round_end import headline, story_lines
from bot.ui.table.verbs import TableVerb
from bot.ui.words.card_faces import Faces
from bot.ui.words.table_text import TableText, signed

_KEY: Final = re.compile(r"([1-9][0-9]{0,14})\.([1-9][0-9]{0,3})\.(0|[1-9][0-9]{0,3})(?:\.([0-9]{1,2})|[a-z])?")
_NO_SEAT: Final = -1
"""The seat of a moment whose word names none: that of the presser."""


def write_key(key: MomentKey) -> str:
    return ".".join(map(str, key))


def read_key(word: str) -> MomentKey | None:
    """The moment that a word names, with a seat, a letter or nothing behind it; None for anything else."""
    found = _KEY.fullmatch(word)
    return None if found is None else MomentKey(*(int(number or _NO_SEAT) for number in found.groups()))


def moment_panel(live: LiveScene[MomentTry, MomentRun], faces: Faces, now: int) -> c.Layout:
    """The hand panel of the seat, under a heading that names the round."""
    one, run, t = live.one, live.run, faces.texts.t
    seen = PanelView(
        run.view, run.start.people, NO_TABLE, faces, now, one.table_id + one.round, live.page, live.notice, live.chosen,
        level=HelpLevel.NORMAL,
    )  # fmt: skip
    told = f"🔁 **{t('Round {number}, once more', number=one.round)}**"
    return played_alone(panel_page(seen), run.view, told, f"{MomentVerb.MOVE}:{write_key(one.key)}", faces.texts)


def moment_result(one: MomentTry, run: MomentRun, faces: Faces, challenger: str | None = None) -> c.Layout:
    """How the round ended this time and in the match, and what the seat's team made of it both times.

    `challenger` is the name of who played it in the match, where that was somebody else.
    """
    t, table, start = faces.texts.t, run.view.table, run.start
    lines = [t("90 seconds without a press: this try is over.")] if one.gain is None else []
    if one.gain is not None and table.result is not None:
        text = TableText(table, start.people, faces)
        lines = [f"**{headline(table.result.outcome, text)}**", *story_lines(table.result, text, one.seat)]
    then, buttons = _in_the_match(one, start, faces, challenger), []
    if challenger is None:
        key = write_key(one.key)
        buttons = [
            c.button(t("🔁 Once more"), make_id(NO_TABLE, MomentVerb.AGAIN, key), style=c.SUCCESS),
            c.button(t("📣 Challenge"), make_id(NO_TABLE, MomentVerb.CHALLENGE, key)),
            c.button(t("🔎 Review"), make_id(one.table_id, TableVerb.REVIEW)),
        ]
    return c.layout(c.text(_title(one, faces), *lines), c.text(*then), *c.rows(buttons), colour=c.TEAL)


def challenge_post(key: MomentKey, player: Player, texts: Texts) -> c.Layout:
    """What everybody reads of a challenge: nothing of the moment."""
    t = texts.t
    label = t("▶ Do better than {name}", name=label_name(player))
    play = c.button(label, make_id(NO_TABLE, MomentVerb.TAKE, write_key(key)), style=c.SUCCESS)
    return c.layout(
        c.text("### 🎯 " + t("{name} sets a challenge", name=display_name(player))),
        c.text("-# " + t("Ten seconds of a match, the same hand, one try. What came of it you read afterwards.")),
        c.row(play),
        colour=c.TEAL,
    )


def _title(one: MomentTry, faces: Faces) -> str:
    return "## 🔁 " + faces.texts.t("Round {number}, once more", number=one.round)


def _in_the_match(one: MomentTry, start: MomentStart, faces: Faces, challenger: str | None) -> list[str]:
    """How the round ended then, and both leads."""
    t, then = faces.texts.t, TableText(start.ended, start.people, faces)
    reader = one.seat if challenger is None else None
    lines = [t("In the match:")]
    if start.ended.result is not None:
        lines += [headline(start.ended.result.outcome, then), *story_lines(start.ended.result, then, reader)]
    if one.gain is None:
        return lines
    points = {"now": _points(one.gain), "then": _points(start.gained)}
    lines.append(t("Your team's lead: {now} · in the match: {then}", **points))
    lines.append(_verdict(one.gain - start.gained, faces, challenger))
    return lines


def _verdict(more: int, faces: Faces, challenger: str | None) -> str:
    t = faces.texts.t
    if not more:
        return t("As in the match.")
    if challenger is None:
        return t("✅ Better than in the match.") if more > 0 else t("It went better in the match.")
    return t("✅ Better than {name}.", name=challenger) if more > 0 else t("{name} did better.", name=challenger)


def _points(lead: int) -> str:
    return f"**{signed(lead, plus=True)}**"
