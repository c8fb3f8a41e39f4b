"""The editor of a table's rules: one private message of menus and its forms. It keeps nothing beside the lobby.

A page is a part of the rules, an axis, the number of players, or the server's saved sets; custom ids name it.
"""

from collections.abc import Sequence
from typing import Final

from bot.game.rules import house_rules
from bot.game.rules.house_rules import AXES
from bot.game.rules.line import MAX_LINE, MAX_NAME
from bot.game.rules.rules import PLAYERS, unmet
from bot.tables.lobby.lobby import Lobby
from bot.tables.rule_book import RuleSet
from bot.ui.kit.components import GREEN, PRIMARY, Layout, Part, button, choice, layout, menu, row, rows, text
from bot.ui.kit.custom_ids import make_id
from bot.ui.kit.forms import Form
from bot.ui.kit.names import clean
from bot.ui.kit.texts import Texts
from bot.ui.rules.rule_choices import preset_options
from bot.ui.rules.verbs import RulesVerb
from bot.ui.words.rule_names import PARTS, label, lobby_line, value_words
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
    back: str,
    sets: Sequence[RuleSet] = (),
) -> Layout:
    """The editor. `line` are the rules as text; `sets` the server's, for their page alone; `back` is the verb of the
    settings from which the editor was opened.

    `notice` stands below the menus, where the press was: a page may be longer than a phone.
    """
    t, part = texts.t, part_of(page)
    presets = preset_options([lobby.rules.preset], texts)
    names = {key: t(name) for key, name in PARTS.items()}
    parts: list[Part] = [
        text("## " + t("Rules of the table"), "-# " + lobby_line(lobby, texts)),
        menu(make_id(lobby.id, RulesVerb.RULES_PRESET), t("Preset"), presets),
        choice(make_id(lobby.id, RulesVerb.RULES_PAGE, "part"), t("Change a part of the rules…"), names, part),
    ]
    if part:
        if told := explain_part(lobby.rules, part, texts):
            parts.append(text(*told))
        parts += [_axes(lobby, part, page, texts), *_values(lobby, page, texts)]
    elif page == SAVED:
        parts.append(_saved(lobby, sets, texts) if sets else text(t("This server keeps no rules yet.")))
    else:
        parts.append(text(f"`{line}`"))
    if notice:
        parts.append(text(notice))
    buttons = (
        button(t("← Settings"), make_id(lobby.id, back)),
        button(t("Back to preset"), make_id(lobby.id, RulesVerb.RULES_RESET)),
        button(t("As text…"), make_id(lobby.id, RulesVerb.RULES_TEXT)),
        button(t("Save as…"), make_id(lobby.id, RulesVerb.RULES_SAVE)),
        button(t("Load…"), make_id(lobby.id, RulesVerb.RULES_LOAD)),
    )
    return layout(*parts, *rows(buttons), colour=GREEN)


def part_of(page: str) -> str:
    """The part of the rules that a page belongs to; "" for the first page, the saved sets, and anything else."""
    if page in AXES:
        return AXES[page].part
    return page if page in PARTS else ""


def number_form(lobby: Lobby, axis: str, texts: Texts) -> Form:
    """A number for an axis. Its custom id is `k1:<table>:rules_set:<axis>`."""
    least, most = house_rules.limits(axis)
    question = texts.t("From {least} to {most}", least=least, most=most)
    present = house_rules.text(house_rules.value_of(lobby.rules, axis))
    form = Form(label(axis, texts), make_id(lobby.id, RulesVerb.RULES_SET, axis))
    return form.ask(question, written=present, most=12)


def line_form(lobby: Lobby, line: str, texts: Texts) -> Form:
    """The rules as one line. Its custom id is `k1:<table>:rules_line`."""
    form = Form(texts.t("The rules as text"), make_id(lobby.id, RulesVerb.RULES_LINE))
    return form.ask(texts.t("A preset, then what is different"), written=line, most=MAX_LINE, is_long=True)


def name_form(lobby: Lobby, texts: Texts) -> Form:
    """A name to save the rules under. Its custom id is `k1:<table>:rules_name`."""
    form = Form(texts.t("Save these rules"), make_id(lobby.id, RulesVerb.RULES_NAME))
    return form.ask(texts.t("Name, for this server"), written=lobby.rule_set, most=MAX_NAME)


def _axes(lobby: Lobby, part: str, page: str, texts: Texts) -> Part:
    labels = {name: label(name, texts) for name, axis in AXES.items() if axis.part == part}
    present = {name: clean(_present_words(lobby, name, texts), _MAX_DESCRIPTION) for name in labels}
    return choice(make_id(lobby.id, RulesVerb.RULES_PAGE, "axis"), texts.t("Which rule…"), labels, page, present)


def _present_words(lobby: Lobby, axis: str, texts: Texts) -> str:
    words = value_words(axis, _present(lobby, axis), texts)
    return words if unmet(lobby.rules, axis) is None else texts.t("{value} (no effect now)", value=words)


def _present(lobby: Lobby, axis: str) -> str:
    return str(lobby.size) if axis == PLAYERS else house_rules.text(house_rules.value_of(lobby.rules, axis))


def _values(lobby: Lobby, page: str, texts: Texts) -> list[Part]:
    if page not in AXES:
        return []
    present = _present(lobby, page)
    values = house_rules.choices(page)
    if not values:
        change = texts.t("Change: {value}…", value=value_words(page, present, texts))
        return [row(button(change, make_id(lobby.id, RulesVerb.RULES_NUMBER, page), style=PRIMARY))]
    words = {value: value_words(page, value, texts) for value in values}
    return [choice(make_id(lobby.id, RulesVerb.RULES_SET, page), label(page, texts), words, present)]


def _saved(lobby: Lobby, sets: Sequence[RuleSet], texts: Texts) -> Part:
    names = {kept.name: clean(kept.name, MAX_NAME) for kept in sets}
    lines = {kept.name: clean(kept.line, _MAX_DESCRIPTION) for kept in sets}
    return choice(make_id(lobby.id, RulesVerb.RULES_SAVED), texts.t("Saved rules…"), names, lobby.rule_set, lines)
