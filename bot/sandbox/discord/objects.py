"""The objects of the world: users, guilds, roles, channels, threads, messages, emojis, interactions."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

Json = dict[str, Any]

# Channel types: https://discord.com/developers/docs/resources/channel#channel-object-channel-types
TEXT, VOICE, CATEGORY, NEWS, PUBLIC_THREAD, PRIVATE_THREAD, STAGE, FORUM, MEDIA = 0, 2, 4, 5, 11, 12, 13, 15, 16
SPOKEN = (VOICE, STAGE)
WITHOUT_MESSAGES = (CATEGORY, FORUM, MEDIA)
WITH_PUBLIC_THREADS = (TEXT, FORUM, MEDIA)

# Message flags: https://discord.com/developers/docs/resources/message#message-object-message-flags
HAS_THREAD: Final = 1 << 5
EPHEMERAL: Final = 1 << 6
LOADING: Final = 1 << 7
COMPONENTS_V2: Final = 1 << 15

# Message types: https://discord.com/developers/docs/resources/message#message-object-message-types
DEFAULT, THREAD_CREATED, REPLY, CHAT_INPUT_COMMAND = 0, 18, 19, 20

# Interaction types: https://discord.com/developers/docs/interactions/receiving-and-responding
COMMAND, COMPONENT, AUTOCOMPLETE, MODAL_SUBMIT = 2, 3, 4, 5


@dataclass(slots=True, eq=False)
class User:
    """A person or a bot."""

    id: int
    name: str
    is_bot: bool = False


@dataclass(slots=True, eq=False)
class Role:
    """A role of a guild. `position` orders roles: a member may give those below their own highest one."""

    id: int
    name: str
    permissions: int = 0
    position: int = 1
    is_managed: bool = False
    is_mentionable: bool = False


@dataclass(slots=True, eq=False)
class Member:
    """A user in a guild."""

    user: User
    joined_ms: int
    roles: list[int] = field(default_factory=list)
    nick: str | None = None
    timed_out_ms: int | None = None  # until when a moderator's timeout lasts


@dataclass(slots=True, eq=False)
class Emoji:
    """A custom emoji of a guild, or of the application (`guild_id` 0). `image`: the uploaded data URI."""

    id: int
    name: str
    guild_id: int = 0
    is_available: bool = True
    image: str = ""


@dataclass(slots=True, eq=False)
class Message:
    """A message of a channel.

    - `made_ms`: when it was made; a test may change it, and the id stays.
    - `thread_id`: the thread that a message of type THREAD_CREATED is about.
    - `token`: that of the interaction whose answer or follow-up it is.
    - `interaction_metadata`: the id, type and user of that interaction.
    - `viewer_id`: the one member who sees an ephemeral message.
    """

    id: int
    channel_id: int
    author_id: int
    made_ms: int
    content: str = ""
    components: list[Json] = field(default_factory=list)
    attachments: list[Json] = field(default_factory=list)
    flags: int = 0
    type: int = DEFAULT
    nonce: str | int | None = None
    edited_ms: int | None = None
    reactions: dict[str, list[int]] = field(default_factory=dict)
    mentions: tuple[int, ...] = ()
    role_mentions: tuple[int, ...] = ()
    replied_to: int | None = None
    thread_id: int | None = None
    token: str | None = None
    interaction_metadata: Json | None = None
    viewer_id: int | None = None

    @property
    def is_ephemeral(self) -> bool:
        """Whether only one member sees it."""
        return self.viewer_id is not None

    def is_visible_to(self, user_id: int) -> bool:
        """Return whether a member sees it."""
        return self.viewer_id in (None, user_id)


@dataclass(slots=True, eq=False)
class Channel:
    """A channel or a thread. `overwrites`: the allowed and the denied bits of roles."""

    id: int
    guild_id: int
    name: str
    type: int = TEXT
    parent_id: int | None = None
    owner_id: int = 0
    overwrites: dict[int, tuple[int, int]] = field(default_factory=dict)
    messages: dict[int, Message] = field(default_factory=dict)
    thread_members: dict[int, int] = field(default_factory=dict)  # user -> when joined
    is_archived: bool = False
    is_locked: bool = False
    auto_archive_minutes: int = 1440
    archive_ms: int = 0
    last_message_id: int | None = None

    @property
    def is_thread(self) -> bool:
        """Whether it is a thread."""
        return self.type in (PUBLIC_THREAD, PRIVATE_THREAD)


@dataclass(slots=True, eq=False)
class Guild:
    """A server."""

    id: int
    name: str
    owner_id: int
    joined_ms: int
    locale: str = "en-US"  # only a Community chooses another
    features: list[str] = field(default_factory=list)
    roles: dict[int, Role] = field(default_factory=dict)
    members: dict[int, Member] = field(default_factory=dict)
    channels: dict[int, Channel] = field(default_factory=dict)  # threads, too
    emojis: dict[int, Emoji] = field(default_factory=dict)
    events: dict[int, Json] = field(default_factory=dict)
    now: Callable[[], int] = lambda: 0
    is_unavailable: bool = False


@dataclass(slots=True, eq=False)
class Interaction:
    """What a member has done, and what the bot has answered.

    - `source`: the pressed message, or that of the press that opened the modal.
    - `answer_type`: the type of the callback, once there is one.
    - `original`: the message that `@original` names.
    """

    id: int
    token: str
    type: int
    user_id: int
    guild_id: int
    channel_id: int
    made_ms: int
    source: Message | None = None  # the pressed message, or that of the form's press
    answer_type: int | None = None
    original: Message | None = None
    form: Json | None = None
    is_form_sent: bool = False
    is_loading: bool = False
    command_name: str = ""
    choices: list[Json] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Upload:
    """One file of a multipart request."""

    field: str
    filename: str
    data: bytes
    content_type: str
