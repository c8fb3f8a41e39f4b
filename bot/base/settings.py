"""The settings of the bot: environment variables and `.env`, read once into a frozen `Settings`.

It knows no other part of the project and opens no connection: the store reports an unreachable database.
"""

import os
import re
from collections.abc import Mapping
from difflib import get_close_matches
from importlib import resources
from os import EX_CONFIG
from pathlib import Path
from typing import Annotated, Any, Final, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr, ValidationError, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from bot.base import health
from bot.base.errors import KemsError

ENV_FILE: Final = Path(".env")
LOGIN_REFUSED: Final = (
    "Discord refused DISCORD_TOKEN: copy the token again from the developer portal, Bot > Reset Token."
)

# Three parts of base64, the first being the bot's user id: the developer portal's own format.
_TOKEN: Final = re.compile(r"[\w-]+\.[\w-]+\.[\w-]+", re.ASCII)
_TO_ESCAPE: Final = (
    "some characters of a password need another form, such as %40 for @, %23 for #, %2F for /, %3A for : and %3F for ?"
)
_SECRET_FILES: Final = {"discord_token": "discord_token_file", "database_url": "database_url_file"}
_LONGEST_NAME: Final = 240
"""Bytes of a file name, with room for the suffixes of the files that belong to a database."""
_MOST_OF_SECRET: Final = 4096
"""Bytes."""
_IN_CONTAINER: Final = {
    "database_url": "sqlite:////data/kems.db", "log_format": "json", "status_address": health.DEFAULT
}  # fmt: skip
"""Defaults of the image: `docker run --env-file .env` would overwrite its variables with the file's empty values."""

_NAME: Final = re.compile(r"^\s*(?:export\s+)?(\w+)\s*=", re.ASCII | re.MULTILINE)


class SettingsError(KemsError):
    """Settings that cannot be used: one line for each, none of which repeats a value, which may be secret."""

    status = EX_CONFIG


def database_address(url: str) -> str:
    """Return the address of a database if it is well-formed.

    Raises:
        ValueError: It is not; the message repeats nothing of the address.
    """
    kind, separator, rest = url.partition("://")
    if not separator or kind.partition("+")[0] not in ("sqlite", "postgresql", "postgres"):
        raise ValueError("it must begin with sqlite:/// or postgresql://")
    if kind.startswith("sqlite"):
        if not rest.startswith("/"):
            raise ValueError("an SQLite address has three slashes, or four before an absolute path")
        if "?" in rest:
            raise ValueError("an SQLite address has no parameters: leave out the ? and what follows it")
        if rest.strip("/") in ("", ":memory:"):
            raise ValueError("a database in memory is lost at the end: name a file, as in sqlite:///kems.db")
        if any(len(part.encode()) > _LONGEST_NAME for part in rest.split("/")):
            raise ValueError("a name in it is too long: choose a shorter one")
        return url
    before_parameters = rest.partition("?")[0]
    authority, _, database = before_parameters.partition("/")
    ends_early = "@" in rest and "@" not in before_parameters and not database
    if "#" in rest or authority.count("@") > 1 or "@" in database or ends_early:
        raise ValueError(_TO_ESCAPE)
    try:
        parts = urlsplit(url)
        has_database = parts.path.strip("/") != "" and (parts.port is None or parts.port > 0)
    except ValueError:  # urlsplit's own text may quote a password
        raise ValueError(f"its host or port cannot be read; {_TO_ESCAPE}") from None
    if not has_database:
        raise ValueError("it must name a database, as in postgresql://user:password@host/database")
    return url


def _plausible_token(token: SecretStr) -> SecretStr:
    if not _TOKEN.fullmatch(token.get_secret_value()):
        raise ValueError("this is not a bot token, which has three parts joined by dots")
    return token


def _web_address(url: str) -> str:
    if not re.fullmatch(r"https?://[\w.-]+(:\d+)?/?|https?://\[[\da-fA-F:]+\](:\d+)?/?", url):
        raise ValueError("it must be http:// or https:// and a host, perhaps with a port, and nothing else")
    return url.rstrip("/")


def languages() -> tuple[str, ...]:
    """Return the codes of the languages that the bot speaks: English, and each that has a catalogue."""
    folders = resources.files("bot").joinpath("locales").iterdir()
    return (*sorted(each.name for each in folders if each.is_dir()), "en")


def _spoken(code: str) -> str:
    known = languages()
    if code not in known:
        raise ValueError(f"it must be one of {', '.join(known)}")
    return code


def _levels(value: str) -> str:
    first, *of_rooms = (each.strip() for each in value.split(","))
    pairs = [
        (room.strip().lower(), level.strip().upper()) for room, _, level in (part.partition("=") for part in of_rooms)
    ]
    if not {first.upper(), *(level for _, level in pairs)} <= {"DEBUG", "INFO", "WARNING", "ERROR"}:
        raise ValueError("it must be DEBUG, INFO, WARNING or ERROR, perhaps followed by rooms, as in INFO,tables=DEBUG")
    for room, _ in pairs:
        source = Path(__file__).parents[1].joinpath(*room.split("."))
        if not (
            re.fullmatch(r"[a-z_]+(\.[a-z_]+)*", room) and (source.is_dir() or source.with_suffix(".py").is_file())
        ):
            raise ValueError("a room is a folder or a module of bot/, as in INFO,tables=DEBUG,discord.messages=DEBUG")
    return ",".join([first.upper(), *map("=".join, pairs)])


def _feed(address: str) -> str:
    if not re.fullmatch(r"https?://[^/\s]+/\S+", address):
        raise ValueError("it must be the address of a feed, as in https://host/repos/owner/name/releases/latest")
    return address


def _host_and_port(address: str) -> str:
    host, _, port = address.rpartition(":")
    if not host or not port.isascii() or not port.isdigit() or int(port) > 65535:
        raise ValueError("it must be an address and a port, as in 127.0.0.1:9464")
    return address


_Lower: Final = BeforeValidator(lambda value: value.lower() if isinstance(value, str) else value)


class Settings(BaseSettings):
    """All settings, by the names of their environment variables in lower case; errors show the descriptions."""

    model_config = SettingsConfigDict(frozen=True, extra="ignore", env_ignore_empty=True, str_strip_whitespace=True)

    discord_token: Annotated[SecretStr, AfterValidator(_plausible_token)] | None = Field(
        None, description="the bot's token from the developer portal, Bot > Reset Token"
    )
    discord_token_file: Path | None = Field(None, description="a file that holds the bot's token, instead of it")
    database_url: Annotated[str, AfterValidator(database_address)] = Field(
        "sqlite:///kems.db",
        repr=False,  # it may hold a password
        description="where everything is kept: sqlite:///FILE or postgresql://USER:PASSWORD@HOST/DATABASE",
    )
    database_url_file: Path | None = Field(None, description="a file that holds DATABASE_URL, instead of it")
    log_level: Annotated[str, AfterValidator(_levels)] = Field(
        "INFO", description="the least serious messages to log, perhaps with a room's own, as in INFO,tables=DEBUG"
    )
    log_format: Annotated[Literal["console", "json"], _Lower] = Field(
        "console", description="console for people, json for machines"
    )
    default_locale: Annotated[str, _Lower, AfterValidator(_spoken)] = Field(
        "fr", description="the language of public messages where nobody has chosen one"
    )
    message_content: bool = Field(
        False, description="1 to take ordinary chat messages for gestures; the portal must grant the intent"
    )
    table_threads: bool = Field(True, description="1 for a thread of its own per table, 0 to play in the channel")
    auto_open: int = Field(20, ge=0, le=3600, description="seconds until a hunt opens by itself, 0 for never")
    auto_next: int = Field(45, ge=0, le=3600, description="seconds until the next round is dealt, 0 for never")
    sign_deadline: int = Field(90, ge=10, le=3600, description="seconds a team has to agree on its sign")
    lobby_minutes: int = Field(
        60, ge=0, le=10080, description="minutes until a table that is not started is closed, 0 for never"
    )
    paused_days: int = Field(
        7, ge=0, le=365, description="days until a match that stays paused or without a move is closed, 0 for never"
    )
    afk_seconds: int = Field(
        90, ge=0, le=3600, description="seconds after which a player who does nothing is called, 0 for never"
    )
    photo_finish_ms: int = Field(
        200, ge=0, le=1000, description="milliseconds a call waits for others made before it, 0 for not at all"
    )
    sure_matches: int = Field(
        10, ge=0, le=1000, description="ranked matches before which a rating is provisional, 0 for none"
    )
    sure_partners: int = Field(
        3, ge=0, le=50, description="different partners before whom a rating is provisional, 0 for none"
    )
    table_pictures: int = Field(
        5, ge=0, le=1000, description="so many running matches may be shown as pictures, while more run none is"
    )
    panel_rate: int = Field(
        0,
        ge=0,
        le=1000,
        description="the most edits a second of all hand panels together, 0 for as many as Discord takes",
    )
    address_name: str = Field(
        "",
        max_length=64,
        description="a name for the IP address from which this process sends; processes with one name share its limits",
    )
    discord_api: Annotated[str, AfterValidator(_web_address)] | None = Field(
        None, description="the address of a proxy that keeps Discord's limits for several bots, as http://proxy:8080"
    )
    status_address: Annotated[str, AfterValidator(_host_and_port)] | None = Field(
        None, description="HOST:PORT for metrics, health and readiness, such as 127.0.0.1:9464"
    )
    update_check: Annotated[str, AfterValidator(_feed)] | None = Field(
        None, repr=False, description="the address of the project's latest release as JSON, asked once a day"
    )
    sandbox_port: int = Field(8137, ge=0, le=65535, description="the port of `kems play` on this machine, 0 for any")
    dev_guild_id: int | None = Field(
        None, ge=1, description="a server's id: commands appear there at once, for developers"
    )

    @model_validator(mode="before")
    @classmethod
    def _complete(cls, values: dict[str, Any]) -> dict[str, Any]:
        """Read secrets from the files that are named: container engines and systemd pass them so."""
        read = {name: _secret(name, values) for name, file in _SECRET_FILES.items() if values.get(file)}
        return (_IN_CONTAINER if "KEMS_CONTAINER" in os.environ else {}) | values | read

    @property
    def chosen_locale(self) -> str | None:
        """`default_locale` if set, else the language of LANG; None if the bot does not speak it."""
        language = re.split("[_.@]", os.environ.get("LANG", ""))[0]
        if "default_locale" in self.model_fields_set:
            language = self.default_locale
        return language if language in languages() else None

    @property
    def house_rules(self) -> dict[str, str]:
        """The house rules of every table that does not set others, by axis."""
        return {name: str(getattr(self, name)) for name in ("auto_open", "auto_next", "sign_deadline")}

    @property
    def table_times(self) -> dict[str, int]:
        """How long tables wait, by the keyword arguments of `bot.tables.directory`."""
        names = ("lobby_minutes", "paused_days", "photo_finish_ms", "afk_seconds")
        return {name: getattr(self, name) for name in names}

    def require_token(self) -> str:
        """Return the bot's token in clear text.

        Raises:
            SettingsError: The token is not set.
        """
        if self.discord_token is None:
            raise SettingsError(
                "DISCORD_TOKEN is missing: give the bot's token (developer portal, Bot > Reset Token) to `kems setup`,"
                " or put it into .env. `kems play` needs none."
            )
        return self.discord_token.get_secret_value()


def _secret(name: str, values: Mapping[str, Any]) -> str:
    """Return the content of the file that is named instead of a setting.

    Raises:
        SettingsError: Both are set, or the file cannot be read or is empty.
    """
    other = _SECRET_FILES[name]
    if values.get(name):
        raise SettingsError(f"{name.upper()} and {other.upper()} are both set: remove one of them.")
    try:
        with Path(values[other]).open("rb") as file:
            read = file.read(_MOST_OF_SECRET + 1)
        if len(read) > _MOST_OF_SECRET:
            raise SettingsError(
                f"{other.upper()} names {values[other]}, which is larger than 4 KiB: name a file of the secret alone."
            )
        content = read.decode().strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = "it is not UTF-8 text" if isinstance(error, UnicodeDecodeError) else error.strerror
        raise SettingsError(
            f"{other.upper()} names {values[other]}, which cannot be read: {reason}."
            " Name a file that the bot's user may read."
        ) from None
    if not content:
        raise SettingsError(f"{other.upper()} names {values[other]}, which is empty: write {name.upper()} into it.")
    return content


_QUOTED: Final = re.compile(r"""(["']).*\1""", re.DOTALL)


def load(env_file: Path | None = ENV_FILE, /, **given: str) -> Settings:
    """Return the settings: `given` first, then the environment, `env_file` if it exists, and the defaults.

    Raises:
        SettingsError: It has a line for each setting that cannot be used.
    """
    if env_file is not None and env_file.is_dir():
        raise SettingsError(f"{env_file.absolute()} is a folder: put a text file in its place, or remove it.")
    if quoted := [
        name for name in map(str.upper, Settings.model_fields) if _QUOTED.fullmatch(os.environ.get(name, ""))
    ]:
        advice = "in the environment, as of Docker's --env-file, quotes are a part of the value: remove them."
        raise SettingsError("\n".join(f"{name} is in quotes: {advice}" for name in quoted))
    try:
        return Settings(_env_file=env_file, **given)  # type: ignore[arg-type]  # pydantic checks them
    except ValidationError as error:
        file = str(env_file.absolute()) if env_file is not None and env_file.exists() else str(ENV_FILE)
        lines = [_sentence(str(each["loc"][0]), each["msg"], file) for each in error.errors(include_input=False)]
        raise SettingsError("\n".join(lines)) from None
    except (OSError, UnicodeDecodeError) as error:
        reason = "it is not UTF-8 text" if isinstance(error, UnicodeDecodeError) else error.strerror
        raise SettingsError(f"{env_file} cannot be read: {reason}. Make it a readable text file.") from None


def unknown_names() -> list[tuple[str, str | None]]:
    """Return the names in `ENV_FILE` that are no settings, each with the setting that it resembles."""
    if not ENV_FILE.is_file():
        return []
    known = [name.upper() for name in Settings.model_fields]
    names = dict.fromkeys(name.upper() for name in _NAME.findall(ENV_FILE.read_text(encoding="utf-8")))
    nearest = {name: get_close_matches(name, known, n=1, cutoff=0.7) for name in names if name not in known}
    return [(name, next(iter(matches), None)) for name, matches in nearest.items()]


def _sentence(field: str, problem: str, file: str) -> str:
    about = Settings.model_fields[field]
    problem = problem.removeprefix("Value error, ")
    problem = problem[0].lower() + problem[1:]
    advice = f"It is {about.description}. Change it in {file} or the environment."
    return f"{field.upper()} cannot be used: {problem}. {advice}"
