"""The verbs of a server's settings."""

from enum import StrEnum


class ServerVerb(StrEnum):
    """What a press on the settings of a server asks for, on table 0; a comment names its argument."""

    CONFIG = "config"  # a field; a menu of its values, or a form
    CONFIG_ZONE = "config_zone"  # opens the form whose id is CONFIG
