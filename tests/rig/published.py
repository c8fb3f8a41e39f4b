"""Limits that Discord publishes in sentences and that no schema holds, as data with their source.

Lengths are in code points.
"""

from dataclasses import dataclass
from typing import Final

from bot.sandbox.discord.objects import COMPONENTS_V2, EPHEMERAL

_DOCS: Final = "https://discord.com/developers/docs"
COMPONENTS: Final = f"{_DOCS}/components/reference"
MESSAGES: Final = f"{_DOCS}/resources/message#create-message"
ALLOWED_MENTIONS: Final = f"{_DOCS}/resources/message#allowed-mentions-object"
CALLBACKS: Final = f"{_DOCS}/interactions/receiving-and-responding#interaction-response-object"
COMMANDS: Final = f"{_DOCS}/interactions/application-commands#application-command-object"
THREADS: Final = f"{_DOCS}/resources/channel#start-thread-from-message"
EMOJIS: Final = f"{_DOCS}/resources/emoji"
EVENTS: Final = f"{_DOCS}/resources/guild-scheduled-event"
FILES: Final = f"{_DOCS}/reference#uploading-files"
AUDIT_LOG: Final = f"{_DOCS}/resources/audit-log"


@dataclass(frozen=True, slots=True)
class Span:
    """How long a text, or how many of something, may be; both ends included."""

    low: int
    high: int
    source: str

    def holds(self, size: int) -> bool:
        return self.low <= size <= self.high


COMPONENTS_IN_MESSAGE: Final = Span(0, 40, COMPONENTS)  # nested ones count
TEXT_IN_MESSAGE: Final = Span(0, 4000, COMPONENTS)  # of all text displays together
CUSTOM_ID: Final = Span(1, 100, COMPONENTS)
BUTTONS_IN_ROW: Final = Span(1, 5, COMPONENTS)
BUTTON_LABEL: Final = Span(1, 80, COMPONENTS)
BUTTON_URL: Final = Span(1, 512, COMPONENTS)
BUTTON_STYLES: Final = range(1, 6)
MENU_OPTIONS: Final = Span(1, 25, COMPONENTS)
MENU_PLACEHOLDER: Final = Span(0, 150, COMPONENTS)
MENU_MIN: Final = Span(0, 25, COMPONENTS)
MENU_MAX: Final = Span(1, 25, COMPONENTS)
OPTION_TEXT: Final = Span(1, 100, COMPONENTS)  # label, value, description
GALLERY_ITEMS: Final = Span(1, 10, COMPONENTS)
MEDIA_DESCRIPTION: Final = Span(1, 1024, COMPONENTS)
TEXT_DISPLAY: Final = Span(1, 4000, COMPONENTS)
CONTAINER_CHILDREN: Final = Span(1, 40, COMPONENTS)
INPUT_LABEL: Final = Span(1, 45, COMPONENTS)  # a text input's own, and that of a label round a field
INPUT_PLACEHOLDER: Final = Span(0, 100, COMPONENTS)
INPUT_MIN: Final = Span(0, 4000, COMPONENTS)
INPUT_MAX: Final = Span(1, 4000, COMPONENTS)
LABEL_DESCRIPTION: Final = Span(0, 100, COMPONENTS)
FORM_TITLE: Final = Span(1, 45, CALLBACKS)
FORM_FIELDS: Final = Span(1, 5, CALLBACKS)
CHOICES: Final = Span(0, 25, CALLBACKS)
CHOICE_TEXT: Final = Span(1, 100, COMMANDS)
CONTENT: Final = Span(0, 2000, MESSAGES)
NONCE: Final = Span(0, 25, MESSAGES)
MENTIONED: Final = Span(0, 100, ALLOWED_MENTIONS)
FILES_IN_MESSAGE: Final = Span(0, 10, FILES)
FILE_DESCRIPTION: Final = Span(0, 1024, FILES)
FILE_BYTES: Final = Span(0, 10 << 20, FILES)
REASON: Final = Span(0, 512, AUDIT_LOG)
THREAD_NAME: Final = Span(1, 100, THREADS)
ARCHIVE_MINUTES: Final = (60, 1440, 4320, 10080)
EVENT_NAME: Final = Span(1, 100, EVENTS)
EVENT_DESCRIPTION: Final = Span(0, 1000, EVENTS)
EVENT_LOCATION: Final = Span(1, 100, EVENTS)
EMOJI_NAME: Final = Span(2, 32, EMOJIS)
EMOJI_BYTES: Final = Span(1, 256 << 10, EMOJIS)
COMMAND_NAME: Final = Span(1, 32, COMMANDS)
COMMAND_DESCRIPTION: Final = Span(1, 100, COMMANDS)
COMMAND_OPTIONS: Final = Span(0, 25, COMMANDS)
COMMANDS_IN_SCOPE: Final = Span(0, 100, COMMANDS)
COMMAND_CHARACTERS: Final = Span(0, 8000, COMMANDS)  # all names, descriptions, values, in the longest language

SETTABLE_FLAGS: Final = COMPONENTS_V2 | EPHEMERAL | 1 << 2 | 1 << 12 | 1 << 13
"""Also: suppress embeds, suppress notifications, voice message. Source: `MESSAGES`."""

# The fields of each body. Source: the tables of the routes.
MESSAGE_FIELDS: Final = frozenset((
    "content", "nonce", "tts", "allowed_mentions", "message_reference", "components", "attachments", "flags",
    "enforce_nonce",
))  # fmt: skip
EDIT_FIELDS: Final = MESSAGE_FIELDS - {"nonce", "message_reference", "enforce_nonce"}
"""An edit takes no ``tts`` either, but discord.py says it each time, and Discord ignores it."""
FORM_FIELDS_OF_BODY: Final = frozenset(("custom_id", "title", "components"))
_MENU: Final = frozenset(("type", "id", "custom_id", "placeholder", "min_values", "max_values", "required", "disabled"))
COMPONENT_FIELDS: Final[dict[int, frozenset[str]]] = {
    1: frozenset(("type", "id", "components")),
    2: frozenset(("type", "id", "style", "label", "emoji", "custom_id", "sku_id", "url", "disabled")),
    3: _MENU | {"options"},
    4: frozenset(("type", "id", "custom_id", "style", "label", "min_length", "max_length", "required", "value"))
    | {"placeholder"},
    **dict.fromkeys((5, 6), _MENU | {"default_values"}),
    8: _MENU | {"default_values", "channel_types"},
    10: frozenset(("type", "id", "content")),
    12: frozenset(("type", "id", "items")),
    17: frozenset(("type", "id", "components", "accent_color", "spoiler")),
    18: frozenset(("type", "id", "label", "description", "component")),
}
CHILDREN: Final[dict[int, frozenset[int]]] = {
    1: frozenset((2, 3, 4, 5, 6, 8)),
    17: frozenset((1, 10, 12)),
}
"""What may stand in a row and in a container. Source: `COMPONENTS`."""
TOP_LEVEL: Final = frozenset((1, 10, 12, 17))
TOP_LEVEL_OF_FORM: Final = frozenset((1, 10, 18))
IN_LABEL: Final = frozenset((3, 4, 5, 6, 8))
