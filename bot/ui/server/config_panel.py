"""The panel of a server's settings: one private message of menus, whose presses `ConfigCommands` answers."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from discord import ChannelType

from bot.ladder.eligibility import Setup
from bot.ladder.seasons import Every
from bot.tables.server_settings import NOTICE_MS, ServerSettings
from bot.ui.kit import components as c
from bot.ui.kit.custom_ids import NO_TABLE, make_id
from bot.ui.kit.forms import Form
from bot.ui.kit.layouts import confirmation, danger
from bot.ui.kit.names import clean
from bot.ui.kit.texts import LANGUAGES, Texts
from bot.ui.rules.rule_choices import preset_options
from bot.ui.words.rule_names import ABSENCE_NAMES

MAX_CHANNELS: Final = 25  # Discord's limit for a menu
MAX_ZONE: Final = 64
AFK_SECONDS: Final = (30, 60, 90, 120, 180, 300, 600, 0)
"""Choices for when absent people are called; 0: never."""
RETENTION_DAYS: Final = (30, 90, 180, 365, 730)
NONE: Final = "none"  # the value of an option that unsets a field
TABLE_KINDS: Final = (ChannelType.text, ChannelType.news, ChannelType.voice, ChannelType.stage_voice, ChannelType.forum)
PODIUM_KINDS: Final = (ChannelType.text, ChannelType.news)
_DAYS_A_YEAR: Final = 365


class ServerVerb(StrEnum):
    """What a press on the settings of a server asks for, on table 0; a comment names its argument."""

    CONFIG = "config"  # a field; a menu of its values, or a form
    CONFIG_ZONE = "config_zone"  # opens the form whose id is CONFIG
    CONFIG_BACK = "config_back"  # from a question to the settings
    RETENTION_NOW = "retention_now"  # days: the answer to the question


class Field(StrEnum):
    """What there is to choose; the argument of a custom id."""

    LANGUAGE = "language"
    TABLES = "tables"
    ABSENCE = "absence"
    AFK = "afk"
    PRESETS = "presets"
    SIGN_REQUIRED = "sign_required"  # two buttons, of which one is shown
    SIGN_FREE = "sign_free"
    SEASONS = "seasons"
    ZONE = "zone"
    PODIUM = "podium"
    ROLE = "role"
    PLAYERS_ROLE = "players"
    RETENTION = "retention"
    GONE = "gone"  # forget channels and roles that are gone


@dataclass(frozen=True, slots=True)
class Configured:
    """What a server has chosen, and the defaults: its own language, and the bot's `afk_seconds`.

    Chosen channels and roles outside `known` are gone. `checks` are lines about the bot's rights.
    """

    settings: ServerSettings
    setup: Setup
    own_language: str
    afk_seconds: int
    known: frozenset[int]
    checks: Sequence[str] = ()


def config_panel(configured: Configured, texts: Texts, notice: str | None = None) -> c.Layout:
    t, settings, setup = texts.t, configured.settings, configured.setup
    languages = {None: t("as Discord has it: {language}", language=texts.language_name(configured.own_language))}
    seasons = (t("a season every month"), t("a season every quarter"), t("seasons by hand"))
    kept = {days: t("kept for {time}", time=years_or_days(days, texts)) for days in RETENTION_DAYS}
    presets = preset_options(setup.gates.presets, texts)
    return c.layout(
        c.text("## ⚙️ " + t("Kem's on this server"), "-# " + t("Changes apply immediately.")),
        _caption(t("Language"), t("of public messages")),
        _choice(
            Field.LANGUAGE,
            t("Language"),
            languages | {code: texts.language_name(code) for code in LANGUAGES},
            settings.language,
        ),
        _caption(t("Channels"), t("where tables may be opened, threads included; none: everywhere")),
        _channels(Field.TABLES, settings.table_channels, t("Everywhere"), configured),
        _caption(t("Absent people"), t("what happens at new tables, and after how long they are called")),
        _choice(
            Field.ABSENCE, t("Absent people"), {one: t(name) for one, name in ABSENCE_NAMES.items()}, settings.absence
        ),
        _choice(Field.AFK, t("Absent people"), _patience(configured, texts), settings.afk_seconds),
        _caption(t("Ranked"), t("the rules that count for the ladder")),
        c.menu(_id(Field.PRESETS), t("None: every match is friendly"), presets, least=0, most=len(presets)),
        _caption(t("Seasons"), t("the running one goes on to the next boundary")),
        _choice(Field.SEASONS, t("Seasons"), dict(zip(Every, seasons, strict=True)), setup.schedule.every),
        _buttons(configured, texts),
        _caption(t("Podium"), t("where it is posted at the end of a season")),
        _channels(Field.PODIUM, [settings.podium_channel], t("Only where a season is ended by hand"), configured),
        _caption(t("Champion's role"), t("for the best of the season")),
        _role(Field.ROLE, settings.champion_role, configured, texts),
        _caption(t("Players' role"), t("whom *Invite…* may call to a table")),
        _role(Field.PLAYERS_ROLE, settings.players_role, configured, texts),
        _caption(t("Old matches"), retention_words(settings, texts)),
        _choice(Field.RETENTION, t("Old matches"), {None: t("kept for ever"), **kept}, settings.retention_days),
        c.text("**" + t("What I may do") + "**", *configured.checks),
        *([c.text(notice)] if notice else []),
        colour=c.GREEN,
    )


def zone_form(zone: str, texts: Texts) -> Form:
    """A time zone. Its custom id is `k1:0:config:zone`."""
    form = Form(texts.t("Time zone"), _id(Field.ZONE))
    return form.ask(texts.t("A city or a name, such as Europe/Paris"), written=zone, most=MAX_ZONE)


def retention_words(settings: ServerSettings, texts: Texts) -> str:
    t = texts.t
    if settings.retention_days is None or settings.retained_until is None:
        return t(
            "kept for ever, unless you choose when their moves, rounds and names are deleted; results and standings"
            " always stay"
        )
    return t(
        "from <t:{at}:D> on I delete the moves, rounds and names of those that ended more than {time} ago, for good;"
        " results and standings stay",
        at=settings.retained_until // 1000,
        time=years_or_days(settings.retention_days, texts),
    )


def retention_question(days: int, old: int, now: int, texts: Texts) -> c.Layout:
    """The question before old matches are kept for a shorter time: what is deleted, from when on, and what stays.

    `old` matches are older than `days` already; `now` in milliseconds.
    """
    t = texts.t
    costs = (
        t(
            "From <t:{at}:D> on I delete for good the moves, rounds and names of matches that ended more than {time}"
            " ago.",
            at=(now + NOTICE_MS) // 1000,
            time=years_or_days(days, texts),
        ),
        texts.n("{count} match is that old today.", "{count} matches are that old today.", old),
        t("Nobody can watch or export them any more. Results and standings stay."),
        t("Until then you can choose a longer time here."),
    )
    return confirmation(
        "🗑️ " + t("Delete old matches?"),
        [f"- {cost}" for cost in costs],
        danger(t("Delete old matches"), make_id(NO_TABLE, ServerVerb.RETENTION_NOW, str(days))),
        no=c.button(t("No, go back"), make_id(NO_TABLE, ServerVerb.CONFIG_BACK)),
    )


def years_or_days(days: int, texts: Texts) -> str:
    """A number of days in words; in years where those are whole."""
    years, rest = divmod(days, _DAYS_A_YEAR)
    return texts.n("{count} day", "{count} days", days) if rest else texts.n("{count} year", "{count} years", years)


def _id(field: Field) -> str:
    return make_id(NO_TABLE, ServerVerb.CONFIG, field)


def _caption(title: str, words: str) -> c.Part:
    return c.text(f"**{title}** — {words}")


def _choice(field: Field, placeholder: str, words: Mapping[Any, str], chosen: object) -> c.Part:
    """A menu of values, None as `NONE`; the words of each begin with a capital letter."""
    named = {NONE if value is None else value: label[:1].upper() + label[1:] for value, label in words.items()}
    return c.choice(_id(field), placeholder, named, NONE if chosen is None else chosen)


def _channels(field: Field, chosen: Iterable[int | None], placeholder: str, configured: Configured) -> c.Part:
    is_podium = field is Field.PODIUM
    return c.channel_menu(
        _id(field),
        placeholder,
        [kind.value for kind in (PODIUM_KINDS if is_podium else TABLE_KINDS)],
        most=1 if is_podium else MAX_CHANNELS,
        chosen=[one for one in chosen if one is not None and one in configured.known],
    )


def _role(field: Field, chosen: int | None, configured: Configured, texts: Texts) -> c.Part:
    return c.role_menu(_id(field), texts.t("No role"), chosen=configured.known & {chosen})


def _patience(configured: Configured, texts: Texts) -> dict[int | None, str]:
    t = texts.t

    def words(seconds: int) -> str:
        return t("called after {seconds} s", seconds=seconds) if seconds else t("never called")

    own = t("as the bot is set: {patience}", patience=words(configured.afk_seconds))
    return {None: own, **{seconds: words(seconds) for seconds in AFK_SECONDS}}


def _buttons(configured: Configured, texts: Texts) -> c.Part:
    t, setup = texts.t, configured.setup
    is_required = setup.gates.sign_required
    sign = t("Sign required: yes") if is_required else t("Sign required: no")
    zone = t("Time zone: {zone}…", zone=setup.schedule.zone)
    buttons = [
        c.button(sign, _id(Field.SIGN_FREE if is_required else Field.SIGN_REQUIRED)),
        c.button(clean(zone, c.MAX_LABEL), make_id(NO_TABLE, ServerVerb.CONFIG_ZONE)),
    ]
    if not configured.settings.places <= configured.known:
        buttons.append(c.button(t("Forget what is gone"), _id(Field.GONE)))
    return c.row(*buttons)
