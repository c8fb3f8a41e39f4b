"""The verbs of a server's settings."""

from enum import StrEnum


class ServerVerb(StrEnum):
    """What a press on the settings of a server asks for, on table 0; a comment names its argument."""

    CONFIG = "config"  # a field; a menu of its values, or a form
    CONFIG_ZONE = "config_zone"  # opens the form whose id is CONFIG
    CONFIG_BACK = "config_back"  # from a question to the settings
    RETENTION_NOW = "retention_now"  # days: the answer to the question
