"""The commands of `kems` and their options; `bot.operating.run` is all that a running bot loads of them."""

import logging
import sys
from collections.abc import Coroutine
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer

from bot.base.errors import KemsError
from bot.operating.run import loading, prepare, run, run_until_stopped

_LARGEST = 2**63 - 1
"""The largest number that a database holds."""

app = typer.Typer(
    help="Kem's, the card game of secret signs, on Discord.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # --help in a third of the time
    context_settings={"max_content_width": 120},
)
emojis = typer.Typer(
    help="Manage the card pictures on Discord. They are the application's emojis.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.add_typer(emojis, name="emojis")


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(version("kems-bot"))
        raise typer.Exit


def _spoken(language: str | None) -> str | None:
    from bot.base import settings

    known = settings.languages()
    if language is not None and language not in known:
        raise typer.BadParameter(f"choose one of {', '.join(known)}")
    return language


def _discord_id(text: str) -> int:
    """Return an id of Discord that was typed as an option.

    Raises:
        typer.BadParameter: The text is no id.
    """
    if text.isascii() and text.isdigit() and 0 < int(text) <= _LARGEST:
        return int(text)
    raise typer.BadParameter(
        f"{text!r} is no id. In Discord, switch on Developer Mode (Settings > Advanced), click the name with the right"
        " button and choose Copy ID: a number of 17 to 19 digits."
    )


@app.callback()
def kems(
    _version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Kem's, the card game of secret signs, on Discord."""


@app.command()
def setup() -> None:
    """Set the bot up, step by step. Asks for its token and what else is missing, tries it, and writes .env."""
    prepare(speaks_alone=True)
    from bot.operating.setup import set_up

    set_up()


app.command()(run)


@app.command()
def play(
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="Default: SANDBOX_PORT; 0 for any free port.")
    ] = None,
    viewers: Annotated[int, typer.Option(min=1, max=12, help="How many people have a page of their own.")] = 4,
    locale: Annotated[
        str | None,
        typer.Option(callback=_spoken, metavar="LANGUAGE", help="Default: DEFAULT_LOCALE, LANG, the first browser."),
    ] = None,
) -> None:
    """Play in the browser, without Discord. The server is simulated on this machine, with robots."""
    chosen = prepare(speaks_alone=True)
    logging.getLogger("discord").setLevel(max(logging.ERROR, logging.getLogger().level))
    with loading():
        from bot.operating import operations

    run_until_stopped(
        operations.play_sandbox(
            chosen,
            port=chosen.sandbox_port if port is None else port,
            viewers=viewers,
            locale=locale or chosen.chosen_locale,
        )
    )


@app.command()
def replay(files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Matches in KGN.")]) -> None:
    """Check recorded matches against the rules. Reports every line that breaks them."""
    from bot.game.notation.replay import replay_text

    has_failed = False
    for file in files:
        try:
            failures = replay_text(str(file), _read(file))
        except KemsError as error:
            failures = [str(error)]
        for line in failures or [f"ok {file}"]:
            typer.echo(line)
        has_failed = has_failed or bool(failures)
    if has_failed:
        raise typer.Exit(1)


@app.command()
def simulate(
    rules: Annotated[
        list[str] | None, typer.Argument(metavar="[PRESET] [AXIS=VALUE]...", help="Default: classic.")
    ] = None,
    matches: Annotated[int, typer.Option(min=1, help="How many matches are played.")] = 200,
    levels: Annotated[
        str,
        typer.Option(
            help="The robots' level, or one for each team: beginner, regular, strong, master; random for random moves."
        ),
    ] = "regular",
    players: Annotated[int, typer.Option(min=2, max=12)] = 4,
    seed: Annotated[int, typer.Option(help="Another seed gives other matches.")] = 1,
    jobs: Annotated[int | None, typer.Option(min=1, help="Default: one process for each core.")] = None,
    json: Annotated[Path | None, typer.Option(metavar="FILE", help="Write all figures.")] = None,
) -> None:
    """Let robots play many matches, for statistics. Compares house rules with their preset."""
    from bot.simulation.command import simulate as play_matches

    chosen = levels.replace(" ", "").split(",")
    line = " ".join(rules or ["classic"])
    play_matches(line, chosen, matches=matches, players=players, seed=seed, jobs=jobs, file=json)


@app.command()
def migrate(
    keeps_copy: Annotated[
        bool, typer.Option("--backup/--no-backup", help="Copy the database before it changes.")
    ] = True,
) -> None:
    """Migrate the database to this version."""
    chosen = prepare()
    from bot.operating import operations

    _report(operations.migrate(chosen, keeps_copy=keeps_copy))


@app.command()
def rebuild_standings() -> None:
    """Recompute standings from all finished matches. Also pairs and ratings; stop the bot first."""
    chosen = prepare()
    from bot.operating import operations

    _report(operations.rebuild_standings(chosen))


@app.command()
def backup(
    target: Annotated[
        Path, typer.Argument(metavar="FILE", help="The copy, a new file; with --keep, the folder of the copies.")
    ] = Path("kems-backup.db"),
    keep: Annotated[
        int | None,
        typer.Option(min=1, help="Name the copy by the time, and keep so many of such copies in the folder."),
    ] = None,
) -> None:
    """Copy the database into a file. The bot may be running."""
    chosen = prepare()
    from bot.operating import operations

    _report(operations.back_up(chosen, target, keep))


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(help="A copy that `kems backup` made.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    keeps_copy: Annotated[
        bool, typer.Option("--backup/--no-backup", help="First copy what the backup replaces.")
    ] = True,
) -> None:
    """Replace the database with a backup. Keeps a copy of what it replaces; stop the bot first."""
    chosen = prepare()
    from bot.operating import operations

    question = operations.question_of_restore(chosen, file)
    if not yes:
        if not sys.stdin.isatty():
            raise KemsError(f"{question} Nobody is here to say yes: add --yes.")
        if not typer.confirm(question):
            raise KemsError("Nothing was changed.")
    _report(operations.restore(chosen, file, keeps_copy=keeps_copy))


@app.command()
def copy_db(
    source: Annotated[str, typer.Argument(metavar="FROM", help="An address as in DATABASE_URL.")],
    target: Annotated[str, typer.Argument(metavar="TO", help="The address of an empty database.")],
) -> None:
    """Copy all data between SQLite and PostgreSQL. Compares every row; stop the bot first."""
    prepare()
    for name, address in {"FROM": source, "TO": target}.items():
        _require_address(name, address)
    from bot.operating import operations

    _report(operations.copy_db(source, target))


@app.command()
def site(
    folder: Annotated[Path, typer.Argument(help="A new or an empty folder, or one that `kems site` wrote.")],
    server: Annotated[
        int | None, typer.Option(metavar="ID", parser=_discord_id, help="Needed if the bot plays on several.")
    ] = None,
    title: Annotated[str, typer.Option(help="What the pages are called, such as the server's name.")] = "Kem's",
    language: Annotated[
        str | None, typer.Option(callback=_spoken, help="Default: the one that the server chose, or DEFAULT_LOCALE.")
    ] = None,
    matches: Annotated[
        int,
        typer.Option(min=0, max=_LARGEST, help="So many of the latest matches and of the latest nights have a page."),
    ] = 200,
) -> None:
    """Write a server's records as web pages.

    Any web server can serve these seasons, nights, boards and replays. The bot may be running.
    """
    chosen = prepare(speaks_alone=True)
    from bot.operating import operations

    _report(operations.write_site(chosen, folder, server=server, title=title, language=language, most=matches))


@emojis.command("sync")
def sync_emojis() -> None:
    """Upload the card pictures. Replaces those that have changed."""
    chosen = prepare()
    chosen.require_token()
    from bot.operating import operations

    _report(operations.sync_emojis(chosen))


@app.command()
def doctor(
    live: Annotated[
        bool, typer.Option("--live", help="Try on Discord what the bot assumes of it, in a test server.")
    ] = False,
    channel: Annotated[int | None, typer.Option(metavar="ID", parser=_discord_id, help="With --live: where.")] = None,
    long: Annotated[bool, typer.Option("--long", help="With --live: also what takes an hour.")] = False,
    only: Annotated[str, typer.Option(metavar="CHECK,...", help="With --live: these checks alone.")] = "",
    apply: Annotated[bool, typer.Option("--apply", help="With --live: offer to change .env.")] = False,
) -> None:
    """Check the installation, and say what to do.

    Checks settings, database, disk, token, intents and permissions.
    """
    chosen = prepare(speaks_alone=True)
    options = {"--channel": channel, "--long": long, "--only": only, "--apply": apply}
    if not live and (given := [name for name, value in options.items() if value]):
        raise KemsError(f"{', '.join(given)} needs --live: add it to try what the bot assumes of Discord.")
    if live:
        if channel is None:
            raise KemsError("--live needs --channel ID: a text channel of a test server.")
        from bot.operating.first_contact.runner import meet

        if not meet(chosen, channel, only.replace(",", " ").split(), is_long=long, applies=apply):
            raise typer.Exit(1)
        return
    import asyncio

    from bot.operating.doctor import examine

    async def report() -> bool:
        is_well = True
        async for finding in examine(chosen):
            typer.echo(finding)
            is_well = is_well and finding.is_good
        return is_well

    if not asyncio.run(report()):
        raise typer.Exit(1)


@app.command()
def why(
    user: Annotated[int, typer.Option(metavar="ID", parser=_discord_id, help="The player's id on Discord.")],
    at: Annotated[str, typer.Option(metavar="TIME", help="21:03, or a date before it; this machine's time zone.")],
    minutes: Annotated[int, typer.Option(min=1, max=120, help="How long before and after it.")] = 3,
) -> None:
    """Explain what became of a player's presses. The bot may be running."""
    chosen = prepare(speaks_alone=True)
    from bot.operating import operations

    _report(operations.explain_presses(chosen, user, at, minutes))


def _require_address(name: str, address: str) -> None:
    from bot.base.settings import database_address

    try:
        database_address(address)
    except ValueError as error:
        raise KemsError(f"{name} cannot be used: {error}. It is an address as in DATABASE_URL.") from None


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise KemsError(f"{file} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise KemsError(f"{file} is not UTF-8 text: save it as UTF-8 and try again.") from error


def _report(work: Coroutine[None, None, str]) -> None:
    async def say() -> None:
        typer.echo(await work)

    run_until_stopped(say())
