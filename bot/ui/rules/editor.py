"""The editor of a table's rules: an ephemeral message of menus, its modals, and the answers to their presses.

It has no state beside the lobby, to which each change is saved at once. The host and members who may manage messages
edit; all others read. A page is a part of the rules, an axis, the number of players, or the server's saved sets; custom
ids name it. Commands offer the same rules.
"""

from dataclasses import replace
from typing import Final

import discord
import structlog
from discord.app_commands import Choice

from bot.base.errors import StoreError
from bot.discord.api import components as c
from bot.discord.api.custom_ids import Press, make_id
from bot.discord.api.interactions import RefusedError, first_chosen_value, guild_id_of, texts_of
from bot.discord.api.modals import Modal, submitted_text
from bot.discord.api.patience import continue_when_slow
from bot.discord.api.responses import open_modal, reply, reply_new_panel, reply_outdated, reply_panel
from bot.discord.interactions.admission.allowances import Verb
from bot.discord.interactions.admission.rights import manages_server, may_decide
from bot.discord.interactions.feature import MAX_CHOICE, matching_choices
from bot.discord.interactions.setting import FORM, Setting, TextSetting, controls, custom_ids_for, find_setting
from bot.discord.text.names import clean, escape_markdown
from bot.discord.text.texts import Texts
from bot.game.rules import house_rules
from bot.game.rules.presets import CLASSIC, PRESETS
from bot.game.rules.rules import AXES, Rules, unmet
from bot.tables.directory import TableDirectory
from bot.tables.lobbies import LobbyChange
from bot.tables.lobby.lobby import Lobby, Status
from bot.tables.lobby.refusals import LobbyCode, LobbyRefusal
from bot.tables.servers.settings import MAX_SETS, RuleBook
from bot.ui.rules.panels import help_panel, rules_panel
from bot.ui.rules.rule_settings import (
    MAX_DESCRIPTION,
    PRESET,
    SAVED,
    SETTINGS,
    RulesState,
    lobby_change,
    present,
    taken_back,
)
from bot.ui.rules.verbs import RulesVerb
from bot.ui.words.refusals import lobby_refusal_text, rules_error_text
from bot.ui.words.rule_names import PARTS, label, lobby_line, preset_about, preset_meant, preset_name, value_words
from bot.ui.words.rules_text import explain_part

_log = structlog.get_logger(__name__)

_MAX_NAME_TYPED: Final = 100


async def offer_rules(book: RuleBook, interaction: discord.Interaction, current: str) -> list[Choice[str]]:
    """Return the presets and the server's sets whose names contain the typed text."""
    texts = texts_of(interaction)
    presets = [(f"{preset_name(each, texts)} — {preset_about(each, texts)}", each) for each in PRESETS]
    return matching_choices([*presets, *await _sets(book, interaction)], current, house_rules.name_key)


async def find_rules(book: RuleBook, interaction: discord.Interaction, written: str) -> tuple[Rules, str | None]:
    """Return the rules that a person typed, and the name of the server's set if the text is one.

    `written`: a preset's name in any language, a set's name, or a line of rules.

    Raises:
        RulesError: There are no such rules, or they contradict each other.
        StoreError: The sets cannot be read.
    """
    return await continue_when_slow(book.find(guild_id_of(interaction), preset_meant(written)))


async def offer_sets(book: RuleBook, interaction: discord.Interaction, current: str) -> list[Choice[str]]:
    """Return the server's sets whose names contain the typed text."""
    return matching_choices(await _sets(book, interaction), current, house_rules.name_key)


async def _sets(book: RuleBook, interaction: discord.Interaction) -> list[tuple[str, str]]:
    try:
        kept = await continue_when_slow(book.sets(guild_id_of(interaction)))
    except StoreError as error:
        _log.warning("choices.not_read", problem=str(error))
        return []
    return [(clean(f"{each.name} — {each.line}", MAX_CHOICE), each.name) for each in kept]


def rules_editor(
    state: RulesState, line: str, texts: Texts, *, page: str = "", notice: str | None = None, back: str
) -> c.Layout:
    """Return the editor of a lobby's rules.

    Args:
        state: The lobby and its choices.
        line: The rules as text.
        texts: The reader's texts.
        page: The page to show.
        notice: A sentence below the menus, near the press: a page may be longer than a phone.
        back: The verb of the settings from which the editor was opened.
    """
    t, part, lobby = texts.t, part_of(page), state.lobby
    names = {key: t(name) for key, name in PARTS.items()}

    def setting_controls(*settings: str) -> list[c.Part]:
        return controls(
            [SETTINGS[name] for name in settings], state, custom_ids_for(lobby.id, RulesVerb.RULES_SET), texts
        )

    parts: list[c.Part] = [
        c.text("## " + t("Rules of the table"), "-# " + lobby_line(lobby, texts)),
        *setting_controls(PRESET),
        c.choice(make_id(lobby.id, RulesVerb.RULES_PAGE, "part"), t("Change a part of the rules…"), names, part),
    ]
    if part:
        if sentences := explain_part(lobby.rules, part, texts):
            parts.append(c.text(*sentences))
        parts += [_axes(lobby, part, page, texts), *setting_controls(*({page} & AXES.keys()))]
    elif page == SAVED:
        parts += setting_controls(SAVED) if state.sets else [c.text(t("This server has no saved rules yet."))]
    else:
        parts.append(c.text(f"`{line}`"))
    if notice:
        parts.append(c.text(notice))
    buttons = (
        c.button(t("← Settings"), make_id(lobby.id, back)),
        c.button(t("Back to preset"), make_id(lobby.id, RulesVerb.RULES_RESET)),
        c.button(t("As text…"), make_id(lobby.id, RulesVerb.RULES_TEXT)),
        c.button(t("Save as…"), make_id(lobby.id, RulesVerb.RULES_SAVE)),
        c.button(t("Load…"), make_id(lobby.id, RulesVerb.RULES_LOAD)),
    )
    return c.layout(*parts, *c.rows(buttons), colour=c.GREEN)


def part_of(page: str) -> str:
    """Return the part of the rules that a page belongs to; empty for all other pages."""
    if page in AXES:
        return AXES[page].part
    return page if page in PARTS else ""


def line_form(lobby: Lobby, line: str, texts: Texts) -> Modal:
    """Return the modal for the rules as one line. Its custom id is `k1:<table>:rules_line`."""
    form = Modal(texts.t("The rules as text"), make_id(lobby.id, RulesVerb.RULES_LINE))
    return form.add_text_input(
        texts.t("A preset, then what is different"), written=line, most=house_rules.MAX_LINE, is_long=True
    )


def name_form(lobby: Lobby, texts: Texts) -> Modal:
    """Return the modal for the name of a rule set. Its custom id is `k1:<table>:rules_name`."""
    form = Modal(texts.t("Save these rules"), make_id(lobby.id, RulesVerb.RULES_NAME))
    return form.add_text_input(texts.t("Name, for this server"), written=lobby.rule_set, most=house_rules.MAX_NAME)


def _axes(lobby: Lobby, part: str, page: str, texts: Texts) -> c.Part:
    labels = {name: label(name, texts) for name, axis in AXES.items() if axis.part == part}
    present = {name: clean(_present_words(lobby, name, texts), MAX_DESCRIPTION) for name in labels}
    return c.choice(make_id(lobby.id, RulesVerb.RULES_PAGE, "axis"), texts.t("Which rule…"), labels, page, present)


def _present_words(lobby: Lobby, axis: str, texts: Texts) -> str:
    words = value_words(axis, present(lobby, axis), texts)
    return words if unmet(lobby.rules, axis) is None else texts.t("{value} (no effect now)", value=words)


class RulesPresses:
    """Answers every press on the editor, the button that opens it, and the button for help on any message."""

    verbs = frozenset[Verb](RulesVerb) - {RulesVerb.RULES_DELETE}

    def __init__(self, directory: TableDirectory, book: RuleBook, back: str) -> None:
        """Prepare the answers; `back` is the verb of the settings from which the editor is opened."""
        self._back = back
        self._directory = directory
        self._book = book

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        """Open a modal, or save the change and show the editor again; people who may not edit see only the rules."""
        texts = texts_of(interaction)
        lobby = self._directory.lobby(press.table_id)
        if press.verb == RulesVerb.HELP:
            rules = self._book.preset(CLASSIC.preset) if lobby is None else lobby.rules
            await reply_new_panel(interaction, help_panel(rules, texts))
        elif lobby is None:
            await reply(interaction, lobby_refusal_text(LobbyRefusal(LobbyCode.UNKNOWN_TABLE), texts))
        elif (refusal := _refusal(interaction, lobby)) is not None:
            notice = None if press.verb == RulesVerb.RULES else lobby_refusal_text(refusal, texts)
            await reply_panel(interaction, rules_panel(lobby.rules, texts, lobby.rule_set, notice))
        elif (form := self._form(interaction, press, lobby, texts)) is not None:
            await open_modal(interaction, form)
        elif press.verb == RulesVerb.RULES_SET and _setting(press)[0] is None:
            await reply_outdated(interaction)
        else:
            await self._show(interaction, press, lobby, texts)

    def _form(self, interaction: discord.Interaction, press: Press, lobby: Lobby, texts: Texts) -> Modal | None:
        """Return the modal that a press opens."""
        if press.verb == RulesVerb.RULES_TEXT:
            return line_form(lobby, self._book.write(lobby.rules), texts)
        if press.verb == RulesVerb.RULES_SAVE:
            _check_may_save(interaction, texts)
            return name_form(lobby, texts)
        setting, argument = _setting(press)
        if isinstance(setting, TextSetting) and argument == FORM:
            return setting.form(RulesState(lobby), custom_ids_for(lobby.id, RulesVerb.RULES_SET), texts)
        return None

    async def _show(self, interaction: discord.Interaction, press: Press, lobby: Lobby, texts: Texts) -> None:
        page = _page(interaction, press)
        sets = await continue_when_slow(self._book.sets(lobby.place.guild_id)) if page == SAVED else ()
        state = RulesState(lobby, sets, self._book.preset, self._book.read)
        try:
            lobby, notice = await self._done(interaction, press, state, texts)
        except house_rules.RulesError as error:
            notice = rules_error_text(error, texts)
        except RefusedError as error:
            notice = str(error)
        state = replace(state, lobby=lobby)
        view = rules_editor(state, self._book.write(lobby.rules), texts, page=page, notice=notice, back=self._back)
        await reply_panel(interaction, view)

    async def _done(
        self, interaction: discord.Interaction, press: Press, state: RulesState, texts: Texts
    ) -> tuple[Lobby, str | None]:
        """Return the lobby after the press, and a sentence for its presser.

        Raises:
            RulesError: The rules contradict each other.
            RefusedError: The press is refused.
            StoreError: The change was not saved.
        """
        lobby = state.lobby
        if press.verb == RulesVerb.RULES_NAME:
            return await self._save(interaction, lobby, texts)
        change = self._change(interaction, press, state)
        if change is None:
            return lobby, None
        update = self._directory.lobbies.update(lobby.id, lambda now: _refusal(interaction, now) or change(now))
        changed = await continue_when_slow(update)
        if isinstance(changed, LobbyRefusal):
            return lobby, lobby_refusal_text(changed, texts)
        setting, _ = _setting(press)
        return changed, None if setting is None else taken_back(setting.name, lobby, changed, texts)

    def _change(self, interaction: discord.Interaction, press: Press, state: RulesState) -> LobbyChange | None:
        setting, argument = _setting(press)
        match press.verb:
            case RulesVerb.RULES_RESET:
                return lobby_change(SETTINGS[PRESET], state, state.lobby.rules.preset)
            case RulesVerb.RULES_LINE:
                read = self._book.read(submitted_text(interaction))
                return lambda present: present.play_by(read)
            case RulesVerb.RULES_SET if setting is not None:
                return lobby_change(setting, state, setting.read(interaction, state, argument))
            case _:
                return None

    async def _save(self, interaction: discord.Interaction, lobby: Lobby, texts: Texts) -> tuple[Lobby, str | None]:
        t = texts.t
        _check_may_save(interaction, texts)
        kept = await continue_when_slow(
            self._book.save(lobby.place.guild_id, clean(submitted_text(interaction), _MAX_NAME_TYPED), lobby.rules)
        )
        if kept is None:
            return lobby, t("This server has {most} sets of saved rules already: delete one first.", most=MAX_SETS)
        changed = await self._directory.lobbies.update(
            lobby.id, lambda present: present.play_by(present.rules, kept.name) if present == lobby else present
        )
        saved = t("Saved as “{name}”.", name=escape_markdown(kept.name, _MAX_NAME_TYPED))
        return changed if isinstance(changed, Lobby) else lobby, saved


def _check_may_save(interaction: discord.Interaction, texts: Texts) -> None:
    if not manages_server(interaction):
        raise RefusedError(texts.t("Saving rules for the server needs the permission to manage it."))


def _setting(press: Press) -> tuple[Setting[RulesState] | None, str]:
    """Return the setting of a press, and the argument of its button."""
    return find_setting(SETTINGS.values(), press.arg) if press.verb == RulesVerb.RULES_SET else (None, "")


def _page(interaction: discord.Interaction, press: Press) -> str:
    setting, _ = _setting(press)
    match press.verb:
        case RulesVerb.RULES_PAGE:
            return first_chosen_value(interaction)
        case RulesVerb.RULES_LOAD:
            return SAVED
        case _:
            return setting.name if setting is not None and setting.name != PRESET else ""


def _refusal(interaction: discord.Interaction, lobby: Lobby) -> LobbyRefusal | None:
    """Return why the presser may only read these rules; None if they may edit."""
    if lobby.status is not Status.OPEN:
        return LobbyRefusal(LobbyCode.NOT_OPEN)
    return None if may_decide(interaction, lobby) else LobbyRefusal(LobbyCode.NOT_HOST)
