"""The verbs of the rules."""

from bot.discord.interactions.admission.allowances import FREE, Verb


class RulesVerb(Verb):
    """The verbs of the buttons of a table's rules; a comment names the argument."""

    RULES = "rules", FREE
    RULES_PAGE = "rules_page", FREE  # a menu of parts or of axes, which the argument keeps apart
    RULES_SET = "rules_set", FREE  # a setting of `bot.ui.rules.rule_settings`, and what its button asks for
    RULES_RESET = "rules_reset", FREE
    RULES_TEXT = "rules_text", FREE  # opens the form whose id is RULES_LINE
    RULES_LINE = "rules_line", FREE
    RULES_SAVE = "rules_save", FREE  # opens the form whose id is RULES_NAME
    RULES_NAME = "rules_name", FREE
    RULES_LOAD = "rules_load", FREE  # opens the page of the server's sets
    RULES_DELETE = "rules_delete", FREE  # the stamp of the rules of a set, and its name
    HELP = "help", FREE
