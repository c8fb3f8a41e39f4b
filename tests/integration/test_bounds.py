"""Whatever people write, how long it may be is said where they write it. Every field is listed here."""

import ast
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from discord import AppCommandOptionType, app_commands

import bot
from bot.discord.api.modals import Modal, submitted_text
from bot.discord.pictures.card_faces import Faces
from bot.game.build_view import seat_view
from bot.game.rules.house_rules import MAX_LINE, preset, write_rules
from bot.game.rules.rules import AXES
from bot.game.signs import Strategy
from bot.ladder.seasons import LadderSetup
from bot.nights.planning.draft import NightDraft
from bot.tables.lobby.lobby import Lobby
from bot.tables.lobby.table_channel import TableChannel
from bot.tables.servers.settings import ServerSettings
from bot.ui.ladder.commands import void_form
from bot.ui.night.host.host_panel import ban_form, letter_form, reason_form, result_form
from bot.ui.night.host.host_presses import MOST_WRITTEN
from bot.ui.night.plan.settings import MAX_WHEN, plan_form
from bot.ui.night.words import MAX_REASON, MAX_TITLE
from bot.ui.rules.editor import line_form, name_form
from bot.ui.server.feature import SETTING_IDS
from bot.ui.server.settings import ZONE, ConfigState
from bot.ui.table.pages.sign_panel import guess_form, sign_form
from bot.ui.words.table_text import TableText
from tests.integration.harness import Harness
from tests.rules.table import Table
from tests.ui.night.samples import running
from tests.ui.walk import FR, TABLE_ID, people

OPTIONS = {
    "kems start rules": 1500,
    "kems sign text": 120,
    "kems rules name": 1500,
    "kems-admin rules save name": 32,
    "kems-admin rules save line": 1500,
    "kems-admin rules delete name": 32,
    "kems-admin ban reason": 200,
    "kems-admin season start name": 40,
    "kems-admin season rename name": 40,
    "kems-admin season schedule zone": 64,
}
FIELDS = {
    "line_form": [1500],
    "name_form": [32],
    "form": [64],
    "void_form": [200],
    "sign_form": [300],
    "guess_form": [300],
    "plan_form": [MAX_TITLE, MAX_WHEN, MAX_WHEN, 3],
    "result_form": [20],
    "reason_form": [MAX_REASON],
    "ban_form": [MAX_REASON],
    "letter_form": [MOST_WRITTEN],
}


async def test_every_option_that_takes_words_has_a_bound(harness: Harness) -> None:
    commands = [one for one in harness.bot.tree.walk_commands() if isinstance(one, app_commands.Command)]
    written = {
        f"{command.qualified_name} {option.name}": (option.min_value, option.max_value)
        for command in commands
        for option in command.parameters
        if option.type is AppCommandOptionType.string and not option.choices
    }
    assert written == {name: (1, most) for name, most in OPTIONS.items()}


def forms() -> dict[str, Modal]:
    """Each form there is, with every field that it can have."""
    lobby = Lobby(TABLE_ID, TableChannel(1, 2), 1000, preset("classic"), 4, people(), True, "fr", 0, rule_set="x" * 32)
    table = Table(strategies=" ".join(Strategy))
    view = seat_view(table.state, 0)
    night = running(8)
    return {
        "line_form": line_form(lobby, "classic", FR),
        "name_form": name_form(lobby, FR),
        "form": ZONE.form(ConfigState(ServerSettings(), LadderSetup(), "en", 90, frozenset()), SETTING_IDS, FR),
        "void_form": void_form(str(2**53 - 1), FR),
        "sign_form": sign_form(view, TableText(view.table, people(), Faces(FR)), TABLE_ID),
        "guess_form": guess_form(view.table, TABLE_ID, 1, FR),
        "plan_form": plan_form(NightDraft("Europe/Paris", night.plan), FR),
        "result_form": result_form(night, night.rounds[-1].tables[0], FR),
        "reason_form": reason_form(night, "all", "0", FR),
        "ban_form": ban_form(night, "1", FR),
        "letter_form": letter_form(night, FR),
    }


def test_every_field_of_a_form_has_a_bound() -> None:
    found = {name: list(_bounds(form.to_dict()["components"])) for name, form in forms().items()}
    assert found == FIELDS


def test_every_form_has_a_case() -> None:
    made = set()
    rooms = (Path(bot.__path__[0], room) for room in ("discord", "ui"))
    sources = (file.read_text("utf-8") for room in rooms for file in room.rglob("*.py"))
    for source in sources:
        for node in ast.walk(ast.parse(source)) if "Modal" in source else ():
            if isinstance(node, ast.ClassDef) and "Modal" in {ast.unparse(base) for base in node.bases}:
                made.add(node.name)
            if isinstance(node, ast.FunctionDef) and ast.unparse(node.returns or ast.Constant(None)) == "Modal":
                made.add(node.name)
    assert made == FIELDS.keys()


def test_words_of_a_tampered_client_are_truncated() -> None:
    field = {"type": 4, "custom_id": "text", "value": "x" * 9999}
    sent = SimpleNamespace(data={"components": [{"type": 18, "component": field}]})
    assert len(submitted_text(sent)) == 4000  # type: ignore[arg-type]  # of an interaction its data alone is read


def test_a_line_has_room_for_every_rule() -> None:
    longest = {axis: max(AXES[axis].values or ["99999"], key=len) for axis in AXES}
    line = " ".join(["linternaute", *(f"{axis}={value}" for axis, value in longest.items())])
    assert len(line) <= MAX_LINE
    assert len(write_rules(preset("linternaute"))) < len(line)


def _bounds(parts: list[dict[str, Any]]) -> list[int | None]:
    texts = [part["component"] for part in parts if part["component"]["type"] == 4]
    return [text.get("max_length") for text in texts]
