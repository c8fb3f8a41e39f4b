"""Settings from the environment and `.env`: defaults, spellings, and a sentence for each that cannot be used."""

import re
from pathlib import Path

import pytest
from pydantic import ValidationError

from bot.base.settings import Settings, SettingsError, load

TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4OQ.GabcDe.abcdefghijklmnopqrstuvwxyz0123456789AB"


def test_no_setting_is_needed_to_start() -> None:
    settings = load(env_file=None)
    assert settings.database_url == "sqlite:///kems.db"
    assert (settings.auto_open, settings.auto_next, settings.sign_deadline) == (20, 45, 90)
    assert (settings.message_content, settings.table_threads) == (False, True)
    assert (settings.sandbox_port, settings.dev_guild_id) == (8137, None)


def test_the_environment_overrides_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / ".env"
    file.write_text("AUTO_OPEN=5\nAUTO_NEXT=6\nSOMETHING_ELSE=1\nLOG_FORMAT=\n", encoding="utf-8")
    monkeypatch.setenv("AUTO_NEXT", "7")
    settings = load(file)
    assert (settings.auto_open, settings.auto_next, settings.log_format) == (5, 7, "console")


@pytest.mark.parametrize(
    ("lang", "line", "language"),
    [
        ("de_DE.UTF-8", "", "de"),
        ("es", "DEFAULT_LOCALE=\n", "es"),
        ("de_DE.UTF-8", "DEFAULT_LOCALE=fr\n", "fr"),
        ("C.UTF-8", "DEFAULT_LOCALE=fr\n", "fr"),
        *((lang, "", None) for lang in ("C.UTF-8", "C", "POSIX", "", "ja_JP.UTF-8")),
    ],
)
def test_a_language_is_chosen_by_the_setting_or_else_by_the_machine(
    lang: str, line: str, language: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANG", lang)
    file = tmp_path / ".env"
    file.write_text(line, encoding="utf-8")
    assert load(file).chosen_locale == language


def test_the_example_file_sets_only_defaults() -> None:
    assert load(Path(".env.example")) == load(env_file=None)


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("DATABASE_URL", "mysql://u:hunter2@db/kems", "sqlite:/// or postgresql://"),
        ("DATABASE_URL", "kems.db", "sqlite:/// or postgresql://"),
        ("DATABASE_URL", "sqlite://kems-hunter2.db", "three slashes"),
        ("DATABASE_URL", "postgresql://u:hunter2@db", "name a database"),
        ("DATABASE_URL", "postgresql://u:hunter2:x@[db/kems", "host or port cannot be read"),
        *(
            ("DATABASE_URL", f"postgresql://u:x{character}hunter2@db/kems", f"{escaped} for {character}")
            for character, escaped in {"@": "%40", "#": "%23", "/": "%2F", "?": "%3F"}.items()
        ),
        ("DATABASE_URL", "postgresql://u:hunter2@db/ke#ms", "%23 for #"),
        ("DATABASE_URL", "sqlite:///:memory:", "in memory is lost at the end: name a file"),
        ("DATABASE_URL", "sqlite:///", "name a file"),
        ("DATABASE_URL", f"sqlite:///{'hunter2' * 40}.db", "too long: choose a shorter one"),
        ("DATABASE_URL", "sqlite:///kems.db?mode=ro", "has no parameters: leave out the ?"),
        ("DATABASE_URL", "postgresql://u@db:hunter2/kems", "host or port cannot be read"),
        ("DISCORD_TOKEN", "hunter2", "three parts joined by dots"),
        ("DISCORD_TOKEN", f"Bot {TOKEN}", "three parts joined by dots"),
        ("LOG_LEVEL", "hunter2", "DEBUG, INFO, WARNING or ERROR, perhaps followed by rooms"),
        ("LOG_LEVEL", "INFO,tables", "DEBUG, INFO, WARNING or ERROR"),
        ("LOG_LEVEL", "tables=DEBUG", "DEBUG, INFO, WARNING or ERROR"),
        ("LOG_LEVEL", "INFO,hunter2=DEBUG", "a room is a folder or a module of bot/"),
        *(("LOG_LEVEL", f"INFO,{room}=DEBUG", "a room is a folder") for room in ("..tests", "..", "ui.", "ui.night.")),
        ("LOG_FORMAT", "hunter2", "'console' or 'json'"),
        ("DEFAULT_LOCALE", "hunter2", "de, es, fr, en"),
        ("MESSAGE_CONTENT", "hunter2", "boolean"),
        ("TABLE_THREADS", "hunter2", "boolean"),
        ("AUTO_OPEN", "-1", "greater than or equal to 0"),
        ("AUTO_NEXT", "soon", "valid integer"),
        ("SIGN_DEADLINE", "9", "greater than or equal to 10"),
        ("SANDBOX_PORT", "65536", "less than or equal to 65535"),
        ("STATUS_ADDRESS", "9464", "an address and a port, as in 127.0.0.1:9464"),
        ("STATUS_ADDRESS", "localhost:99999", "an address and a port"),
        ("UPDATE_CHECK", "1", "the address of a feed, as in https://"),
        ("DEV_GUILD_ID", "my server", "valid integer"),
    ],
)
def test_a_wrong_value_is_reported_and_explained_without_quoting_it(
    name: str, value: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError) as caught:
        load(env_file=None)
    sentence = str(caught.value)
    assert re.fullmatch(f"{name} cannot be used: .*Change it in .env or the environment.", sentence), "one line"
    assert words in sentence
    assert not any(secret in sentence for secret in ("hunter2", TOKEN))


@pytest.mark.parametrize(("name", "value"), [("DISCORD_TOKEN", TOKEN), ("DATABASE_URL", "postgresql://u@db/kems")])
def test_a_secret_is_read_from_the_named_file(
    name: str, value: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = tmp_path / "secret"
    secret.write_text(f"{value}\n", encoding="utf-8")
    monkeypatch.setenv(f"{name}_FILE", str(secret))
    monkeypatch.setenv(name, "")
    settings = load(env_file=None)
    assert value in (settings.database_url, settings.require_token() if settings.discord_token else "")
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError, match=f"^{name} and {name}_FILE are both set: remove one of them.$"):
        load(env_file=None)
    monkeypatch.delenv(name)
    secret.write_text("hunter2", encoding="utf-8")
    with pytest.raises(SettingsError, match=f"^{name} cannot be used: ") as caught:
        load(env_file=None)
    assert "hunter2" not in str(caught.value)
    secret.write_text("\n", encoding="utf-8")
    with pytest.raises(SettingsError, match=f"^{name}_FILE names .*secret, which is empty: write {name} into it.$"):
        load(env_file=None)
    monkeypatch.setenv(f"{name}_FILE", str(tmp_path / "missing"))
    with pytest.raises(SettingsError, match=f"^{name}_FILE names .*missing, which cannot be read: No such file"):
        load(env_file=None)


def test_a_file_larger_than_any_secret_is_not_read_completely(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = tmp_path / "secret"
    secret.write_text(TOKEN.ljust(4096), encoding="utf-8")
    monkeypatch.setenv("DISCORD_TOKEN_FILE", str(secret))
    assert load(env_file=None).require_token() == TOKEN
    for file in (secret, Path("/dev/zero")):
        secret.write_text(TOKEN.ljust(4097), encoding="utf-8")
        monkeypatch.setenv("DISCORD_TOKEN_FILE", str(file))
        with pytest.raises(SettingsError, match=rf"^DISCORD_TOKEN_FILE names {file}, which is larger than 4 KiB: "):
            load(env_file=None)


def test_an_empty_value_is_no_value_in_a_container(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`docker run --env-file .env` hands over all names of the example."""
    monkeypatch.setenv("KEMS_CONTAINER", "1")
    for line in Path(".env.example").read_text(encoding="utf-8").splitlines():
        name, separator, value = line.partition("=")
        if separator and not line.startswith("#"):
            monkeypatch.setenv(name, value)
    settings = load(env_file=None)
    assert (settings.status_address, settings.database_url) == ("127.0.0.1:9464", "sqlite:///kems.db")
    monkeypatch.setenv("DATABASE_URL", "")
    assert load(env_file=None).database_url == "sqlite:////data/kems.db"
    monkeypatch.setenv("STATUS_ADDRESS", "0.0.0.0:9464")
    assert load(env_file=None).status_address == "0.0.0.0:9464"


def test_every_wrong_value_has_a_line_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUTO_OPEN", "soon")
    monkeypatch.setenv("LOG_FORMAT", "xml")
    with pytest.raises(SettingsError) as caught:
        load(env_file=None)
    assert {line.split()[0] for line in str(caught.value).splitlines()} == {"AUTO_OPEN", "LOG_FORMAT"}


@pytest.mark.parametrize("value", ["info,ui.night=debug", "Info, UI.night = Debug", "INFO,ui.night=DEBUG"])
def test_capitals_do_not_matter(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOG_LEVEL", value)
    monkeypatch.setenv("DEFAULT_LOCALE", "EN")
    settings = load(env_file=None)
    assert (settings.log_level, settings.default_locale) == ("INFO,ui.night=DEBUG", "en")


def test_an_env_file_that_cannot_be_read_gets_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_bytes(b"LOG_FORMAT=\xff\xfe")
    with pytest.raises(SettingsError, match="cannot be read: it is not UTF-8 text"):
        load(file)
    file.write_text("AUTO_OPEN=soon\n", encoding="utf-8")
    with pytest.raises(SettingsError, match=f"Change it in {file} or the environment.$"):
        load(file)
    with pytest.raises(SettingsError, match="is a folder: put a text file in its place"):
        load(tmp_path)


def test_the_token_is_only_returned_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SettingsError, match=r"DISCORD_TOKEN is missing: give the bot's token"):
        load(env_file=None).require_token()
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    monkeypatch.setenv("DATABASE_URL", "postgresql://u:hunter2@db/kems")
    settings = load(env_file=None)
    assert TOKEN not in repr(settings)
    assert "hunter2" not in repr(settings)
    assert settings.require_token() == TOKEN


def test_settings_do_not_change() -> None:
    settings: Settings = load(env_file=None)
    with pytest.raises(ValidationError, match="frozen"):
        settings.auto_open = 3


@pytest.mark.parametrize("quote", ["'", '"'])
def test_quotes_in_the_environment_are_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, quote: str) -> None:
    """Docker's `--env-file` keeps them, where a shell and python-dotenv do not."""
    monkeypatch.setenv("DISCORD_TOKEN", f"{quote}{TOKEN}{quote}")
    with pytest.raises(SettingsError, match=r"DISCORD_TOKEN is in quotes: .* remove them") as refused:
        load(None)
    assert TOKEN not in str(refused.value)
    monkeypatch.delenv("DISCORD_TOKEN")
    file = tmp_path / ".env"
    file.write_text(f"DISCORD_TOKEN={quote}{TOKEN}{quote}\n")
    assert load(file).require_token() == TOKEN
