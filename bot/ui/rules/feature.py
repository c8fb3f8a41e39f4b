"""Reading and editing the rules: of presets, of tables, and of those that a server keeps."""

from bot.tables.directory import TableDirectory
from bot.tables.rule_book import RuleBook
from bot.ui.feature import Feature
from bot.ui.messages.presenter import Presenter
from bot.ui.rules.commands import RulesCommands, RuleSetCommands
from bot.ui.rules.presses import RulesPresses


def rules_feature(directory: TableDirectory, book: RuleBook, presenter: Presenter, *, back: str) -> Feature:
    """The rules, of which `book` knows the sets of all servers; `back` is the verb of the settings of a table."""
    sets = RuleSetCommands(directory, book)
    return Feature(
        presses=(RulesPresses(directory, book, presenter, back), sets),
        commands=RulesCommands(directory, book).commands,
        manager_commands=(sets,),
    )
