"""The editor of a table's rules: one private message of menus. All it shows is the lobby's, so a restart costs nothing.

A page is a part of the rules, an axis, the number of players, or the server's saved sets; its name is in the custom
ids. It decides nothing: `RulesPresses` does.
"""

from collections.abc import Sequence
from typing import Final

from bot.game import house_rules
from bot.game.house_rules import AXES
from bot.game.presets import PRESETS
from bot.game.rule_needs import PLAYERS, unmet
from bot.game.rules import Rules
from bot.game.rules_line import MAX_LINE, MAX_NAME
from bot.tables.lobby import Lobby
from bot.tables.rule_book import RuleSet
from bot.ui.kit.components import PRIMARY, Button, Layout, Part, button, layout, menu, option, row, rows, text
from bot.ui.kit.custom_ids import make_id
from bot.ui.kit.forms import TextForm
from bot.ui.kit.names import clean
from bot.ui.kit.palette import GREEN
from bot.ui.kit.texts import Texts
from bot.ui.rules.verbs import RulesVerb
from bot.ui.words.rule_names import PARTS, label, part_label, value_words
from bot.ui.words.rules_line import lobby_line
from bot.ui.words.rules_text import explain_part

SAVED: Final = "saved"
"""The page of the server's saved sets."""
_MAX_DESCRIPTION: Final = 100  # Discord's limit for the second line of an option


def rules_editor(
    lobby: Lobby,
    line: str,
    texts: Texts,
    *,
    page: str = "",
    notice: str | None = None,
    may_save: bool,
    sets: Sequence[RuleSet] = (),
) -> Layout:
    """The editor. `line` are the rules as text; `sets` the server's, for their page alone.

    `notice` stands below the menus, for a page may be longer than a phone and its end is where it was pressed.
    """
    t = texts.t
    parts: list[Part] = [
        text("## " + t("Rules of the table"), "-# " + lobby_line(lobby, texts)),
        _presets(lobby, texts),
        _parts(lobby, page, texts),
    ]
    if part := part_of(page):
        parts += [*_sentences(lobby.rules, part, texts), _axes(lobby, part, page, texts), *_values(lobby, page, texts)]
    elif page == SAVED:
        parts.append(_saved(lobby, sets, texts) if sets else text(t("This server keeps no rules yet.")))
    else:
        parts.append(text(f"`{line}`"))
    if notice:
        parts.append(text(notice))
    return layout(*parts, *rows(_buttons(lobby, line, texts, may_save=may_save)), colour=GREEN)


def part_of(page: str) -> str:
    """The part of the rules that a page belongs to; "" for the first page, the saved sets, and anything else."""
    if page in AXES:
        return AXES[page].part
    return page if page in PARTS else ""


class NumberForm(TextForm):
    """A number for an axis. Its custom id is `k1:<table>:rules_set:<axis>`."""

    def __init__(self, lobby: Lobby, axis: str, texts: Texts) -> None:
        least, most = house_rules.limits(axis)
        question = texts.t("From {least} to {most}", least=least, most=most)
        present = house_rules.text(house_rules.value_of(lobby.rules, axis))
        super().__init__(
            label(axis, texts), make_id(lobby.id, RulesVerb.RULES_SET, axis), question, written=present, most=12
        )


class LineForm(TextForm):
    """The rules as one line. Its custom id is `k1:<table>:rules_line`."""

    def __init__(self, lobby: Lobby, line: str, texts: Texts) -> None:
        title, question = texts.t("The rules as text"), texts.t("A preset, then what is different")
        custom_id = make_id(lobby.id, RulesVerb.RULES_LINE)
        super().__init__(title, custom_id, question, written=line, most=MAX_LINE, is_long=True)


class NameForm(TextForm):
    """A name to save the rules under. Its custom id is `k1:<table>:rules_name`."""

    def __init__(self, lobby: Lobby, texts: Texts) -> None:
        title, question = texts.t("Save these rules"), texts.t("Name, for this server")
        custom_id = make_id(lobby.id, RulesVerb.RULES_NAME)
        super().__init__(title, custom_id, question, written=lobby.rule_set, most=MAX_NAME)


def _presets(lobby: Lobby, texts: Texts) -> Part:
    options = [option(name, name, is_default=name == lobby.rules.preset) for name in PRESETS]
    return menu(make_id(lobby.id, RulesVerb.RULES_PRESET), texts.t("Preset"), options)


def _parts(lobby: Lobby, page: str, texts: Texts) -> Part:
    present = part_of(page)
    options = [option(part_label(part, texts), part, is_default=part == present) for part in PARTS]
    return menu(make_id(lobby.id, RulesVerb.RULES_PAGE, "part"), texts.t("Change a part of the rules…"), options)


def _sentences(rules: Rules, part: str, texts: Texts) -> list[Part]:
    told = explain_part(rules, part, texts)
    return [text(*told)] if told else []


def _axes(lobby: Lobby, part: str, page: str, texts: Texts) -> Part:
    axes = [name for name, axis in AXES.items() if axis.part == part]
    options = [
        option(
            label(axis, texts),
            axis,
            description=clean(_present_words(lobby, axis, texts), _MAX_DESCRIPTION),
            is_default=axis == page,
        )
        for axis in axes
    ]
    return menu(make_id(lobby.id, RulesVerb.RULES_PAGE, "axis"), texts.t("Which rule…"), options)


def _present_words(lobby: Lobby, axis: str, texts: Texts) -> str:
    words = value_words(axis, _present(lobby, axis), texts)
    return words if unmet(lobby.rules, axis) is None else texts.t("{value} (no effect now)", value=words)


def _present(lobby: Lobby, axis: str) -> str:
    return str(lobby.size) if axis == PLAYERS else house_rules.text(house_rules.value_of(lobby.rules, axis))


def _values(lobby: Lobby, page: str, texts: Texts) -> list[Part]:
    """What the axis of the page may be: a menu, or the way to a form."""
    if page not in AXES:
        return []
    present = _present(lobby, page)
    values = house_rules.choices(page)
    if not values:
        change = texts.t("Change: {value}…", value=value_words(page, present, texts))
        return [row(button(change, make_id(lobby.id, RulesVerb.RULES_NUMBER, page), style=PRIMARY))]
    options = [option(value_words(page, value, texts), value, is_default=value == present) for value in values]
    return [menu(make_id(lobby.id, RulesVerb.RULES_SET, page), label(page, texts), options)]


def _saved(lobby: Lobby, sets: Sequence[RuleSet], texts: Texts) -> Part:
    options = [
        option(
            clean(kept.name, MAX_NAME),
            kept.name,
            description=clean(kept.line, _MAX_DESCRIPTION),
            is_default=kept.name == lobby.rule_set,
        )
        for kept in sets
    ]
    return menu(make_id(lobby.id, RulesVerb.RULES_SAVED), texts.t("Saved rules…"), options)


def _buttons(lobby: Lobby, line: str, texts: Texts, *, may_save: bool) -> list[Button]:
    t = texts.t
    is_changed = line != lobby.rules.preset
    return [
        button(t("Back to preset"), make_id(lobby.id, RulesVerb.RULES_RESET), is_enabled=is_changed),
        button(t("As text…"), make_id(lobby.id, RulesVerb.RULES_TEXT)),
        button(t("Save as…"), make_id(lobby.id, RulesVerb.RULES_SAVE), is_enabled=may_save),
        button(t("Load…"), make_id(lobby.id, RulesVerb.RULES_LOAD)),
    ]
