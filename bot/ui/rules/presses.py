"""Presses on the editor of a table's rules, and for help. Each change is saved to the lobby at once.

The host and members who may manage messages edit; all others read.
"""

from typing import Final

import discord

from bot.game.rules.house_rules import AXES, RulesError, changes, choices, override, roomy, settled
from bot.game.rules.presets import CLASSIC
from bot.game.rules.rules import PLAYERS, Rules
from bot.tables.directory import TableDirectory
from bot.tables.lobbies import LobbyChange
from bot.tables.lobby.lobby import Lobby, LobbyCode, LobbyRefusal, Status
from bot.tables.rule_book import MAX_SETS, RuleBook
from bot.ui.admission.admission import or_later
from bot.ui.admission.rights import manages_server, may_decide
from bot.ui.kit.custom_ids import Press, number_of
from bot.ui.kit.edits import PreparedView
from bot.ui.kit.forms import typed
from bot.ui.kit.interactions import first_chosen, reader, say, say_outdated, show
from bot.ui.kit.names import clean, defuse
from bot.ui.kit.texts import Texts
from bot.ui.live.presenter import Presenter
from bot.ui.rules.editor import SAVED, line_form, name_form, number_form, rules_editor
from bot.ui.rules.panels import help_panel, rules_panel
from bot.ui.rules.verbs import RulesVerb
from bot.ui.words.refusals import RefusedError, lobby_refusal_text, rules_error_text
from bot.ui.words.rule_names import label

_FORMS: Final = frozenset({RulesVerb.RULES_NUMBER, RulesVerb.RULES_TEXT, RulesVerb.RULES_SAVE})
_MAX_NAME_TYPED: Final = 100


class RulesPresses:
    """Answers every press on the editor, the button that opens it, and the button for help on any message."""

    verbs = frozenset[str](RulesVerb) - {RulesVerb.RULES_DELETE}

    def __init__(self, directory: TableDirectory, book: RuleBook, presenter: Presenter, back: str) -> None:
        """`back` is the verb of the settings from which the editor is opened."""
        self._back = back
        self._directory = directory
        self._book = book
        self._presenter = presenter

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        texts = reader(interaction)
        lobby = self._directory.lobby(press.table_id)
        if press.verb == RulesVerb.HELP:
            rules = self._book.preset(CLASSIC.preset) if lobby is None else lobby.rules
            view = PreparedView(help_panel(rules, texts))
            await interaction.response.send_message(view=view, ephemeral=True)
        elif lobby is None:
            await say(interaction, lobby_refusal_text(LobbyRefusal(LobbyCode.UNKNOWN_TABLE), texts))
        elif (refusal := _refusal(interaction, lobby)) is not None:
            notice = None if press.verb == RulesVerb.RULES else lobby_refusal_text(refusal, texts)
            await show(interaction, rules_panel(lobby.rules, texts, lobby.rule_set, notice))
        elif press.verb in _FORMS:
            await self._ask(interaction, press, lobby, texts)
        else:
            await self._show(interaction, press, lobby, texts)

    async def _ask(self, interaction: discord.Interaction, press: Press, lobby: Lobby, texts: Texts) -> None:
        if press.verb == RulesVerb.RULES_TEXT:
            await interaction.response.send_modal(line_form(lobby, self._book.write(lobby.rules), texts))
        elif press.verb == RulesVerb.RULES_SAVE:
            _check_may_save(interaction, texts)
            await interaction.response.send_modal(name_form(lobby, texts))
        elif press.arg in AXES and not choices(press.arg):
            await interaction.response.send_modal(number_form(lobby, press.arg, texts))
        else:
            await say_outdated(interaction)

    async def _show(self, interaction: discord.Interaction, press: Press, lobby: Lobby, texts: Texts) -> None:
        page = _page(interaction, press)
        try:
            lobby, notice = await self._done(interaction, press, lobby, texts)
        except RulesError as error:
            notice = rules_error_text(error, texts)
        sets = await or_later(self._book.sets(lobby.place.guild_id)) if page == SAVED else ()
        line = self._book.write(lobby.rules)
        view = rules_editor(lobby, line, texts, page=page, notice=notice, back=self._back, sets=sets)
        await show(interaction, view)

    async def _done(
        self, interaction: discord.Interaction, press: Press, lobby: Lobby, texts: Texts
    ) -> tuple[Lobby, str | None]:
        """The lobby after the press, and what its presser has to know. Raises RulesError and StoreError."""
        if press.verb == RulesVerb.RULES_NAME:
            return await self._save(interaction, lobby, texts)
        change = await self._change(interaction, press, lobby)
        if change is None:
            return lobby, None
        update = self._directory.lobbies.update(
            lobby.id, lambda present: _refusal(interaction, present) or change(present)
        )
        changed = await or_later(update)
        if isinstance(changed, LobbyRefusal):
            return lobby, lobby_refusal_text(changed, texts)
        return changed, _taken_back(lobby, changed, press, texts)

    async def _change(self, interaction: discord.Interaction, press: Press, lobby: Lobby) -> LobbyChange | None:
        chosen = first_chosen(interaction)
        match press.verb:
            case RulesVerb.RULES_PRESET:
                return _with_rules(self._book.preset(chosen))
            case RulesVerb.RULES_RESET:
                return _with_rules(self._book.preset(lobby.rules.preset))
            case RulesVerb.RULES_LINE:
                read = self._book.read(typed(interaction))
                return lambda present: present.play_by(read)
            case RulesVerb.RULES_SAVED:
                return _with_rules(*await or_later(self._book.find(lobby.place.guild_id, chosen)))
            case RulesVerb.RULES_SET if press.arg == PLAYERS:
                size = number_of(chosen)
                return None if size is None else lambda present: present.resize(size)
            case RulesVerb.RULES_SET:
                return _with_value(press.arg, chosen or typed(interaction).strip().replace(",", "."))
            case _:
                return None

    async def _save(self, interaction: discord.Interaction, lobby: Lobby, texts: Texts) -> tuple[Lobby, str | None]:
        t = texts.t
        _check_may_save(interaction, texts)
        kept = await or_later(
            self._book.save(lobby.place.guild_id, clean(typed(interaction), _MAX_NAME_TYPED), lobby.rules)
        )
        if kept is None:
            return lobby, t("This server keeps {most} sets of rules already: delete one first.", most=MAX_SETS)
        changed = await self._directory.lobbies.update(
            lobby.id, lambda present: present.play_by(present.rules, kept.name) if present == lobby else present
        )
        saved = t("Saved as “{name}”.", name=defuse(kept.name, _MAX_NAME_TYPED))
        return changed if isinstance(changed, Lobby) else lobby, saved


def _check_may_save(interaction: discord.Interaction, texts: Texts) -> None:
    if not manages_server(interaction):
        raise RefusedError(texts.t("Saving rules for the server needs the permission to manage it."))


def _page(interaction: discord.Interaction, press: Press) -> str:
    match press.verb:
        case RulesVerb.RULES_PAGE:
            return first_chosen(interaction)
        case RulesVerb.RULES_SET:
            return press.arg
        case RulesVerb.RULES_LOAD | RulesVerb.RULES_SAVED:
            return SAVED
        case _:
            return ""


def _with_rules(rules: Rules, rule_set: str | None = None) -> LobbyChange:
    """Other rules, with a deck that is large enough for the table; with another deck they lose the set's name."""

    def change(lobby: Lobby) -> Lobby | LobbyRefusal:
        fitting = roomy(rules, lobby.size)
        return lobby.play_by(fitting, rule_set if fitting == rules else None)

    return change


def _with_value(axis: str, value: str) -> LobbyChange:
    """One axis changed, and with it all that has no effect any more."""

    def change(lobby: Lobby) -> Lobby | LobbyRefusal:
        rules = settled(override(lobby.rules, {axis: value}), keep=axis)
        return lobby if rules == lobby.rules else lobby.play_by(rules)

    return change


def _taken_back(before: Lobby, after: Lobby, press: Press, texts: Texts) -> str | None:
    if press.verb != RulesVerb.RULES_SET:
        return None
    gone = changes(before.rules).keys() - changes(after.rules).keys() - {press.arg}
    names = ", ".join(label(axis, texts) for axis in AXES if axis in gone)
    if not names:
        return None
    return texts.t("These have no effect any more, and are as in the preset again: {rules}.", rules=names)


def _refusal(interaction: discord.Interaction, lobby: Lobby) -> LobbyRefusal | None:
    """Why the presser may only read these rules."""
    if lobby.status is not Status.OPEN:
        return LobbyRefusal(LobbyCode.NOT_OPEN)
    return None if may_decide(interaction, lobby) else LobbyRefusal(LobbyCode.NOT_HOST)
