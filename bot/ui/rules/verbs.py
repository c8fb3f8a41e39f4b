"""The verbs of the rules."""

from enum import StrEnum


class RulesVerb(StrEnum):
    """What a press on the rules of a table asks for; a comment names its argument."""

    RULES = "rules"
    RULES_PAGE = "rules_page"  # a menu of parts or of axes, which the argument keeps apart
    RULES_SET = "rules_set"  # a setting of `bot.ui.rules.rule_settings`, and what its button asks for
    RULES_RESET = "rules_reset"
    RULES_TEXT = "rules_text"  # opens the form whose id is RULES_LINE
    RULES_LINE = "rules_line"
    RULES_SAVE = "rules_save"  # opens the form whose id is RULES_NAME
    RULES_NAME = "rules_name"
    RULES_LOAD = "rules_load"  # opens the page of the server's sets
    RULES_DELETE = "rules_delete"  # the name of a set
    HELP = "help"
