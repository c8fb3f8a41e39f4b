"""The lobby: who sits where by which rules, until the match starts; and the first words to a newcomer."""

from collections.abc import Mapping
from typing import Final

from bot.game.cards import Card
from bot.game.decks import DECKS
from bot.game.house_rules import house_rules, options_taken
from bot.game.rules import EndsAt, Rules
from bot.game.rules_line import MAX_NAME
from bot.ladder.eligibility import Eligibility
from bot.records.player import Player
from bot.tables.lobby import Lobby, Status
from bot.tables.strategy_vote import NO_VOTE
from bot.ui.kit.components import (
    DANGER,
    PRIMARY,
    SUCCESS,
    Button,
    Layout,
    Part,
    Row,
    button,
    layout,
    menu,
    option,
    row,
    rows,
    text,
)
from bot.ui.kit.custom_ids import Verb, make_id
from bot.ui.kit.names import defuse, display_name
from bot.ui.kit.palette import GREEN, GREY
from bot.ui.kit.texts import Texts
from bot.ui.words.card_faces import THEME_NAMES, Faces
from bot.ui.words.strategies import outcome_text
from bot.ui.words.table_text import countdown, double_name, team_mark

MAX_RULES: Final = 200  # characters of house rules that are shown
_SAMPLES: Final = (Card(12, 0), Card(11, 1), Card(10, 2), Card(9, 3))
_OWN_WORDS: Final = frozenset({"deck", "target", "rounds", "ends_at"})  # said in words already


def lobby_board(lobby: Lobby, texts: Texts) -> Layout:
    """The lobby message; where it was cancelled or the match has started, its closed form."""
    is_open = lobby.status is Status.OPEN
    parts: list[Part] = [
        text(_title(lobby, texts), "-# " + lobby_line(lobby, texts)),
        text(*_people(lobby, texts), _vote_line(lobby, texts), _status(lobby, texts)),
    ]
    if is_open:
        parts += [
            row(*_seat_buttons(lobby, texts)),
            row(*_robot_buttons(lobby, texts)),
            *rows(_team_buttons(lobby, texts)),
            row(*_vote_buttons(lobby, texts)),
            _faces_menu(lobby, texts),
            row(*_host_buttons(lobby, texts)),
        ]
    elif lobby.status is Status.EXPIRED:
        parts.append(row(button(texts.t("Open it anew"), make_id(lobby.id, Verb.REOPEN), style=PRIMARY)))
    return layout(*parts, colour=GREEN if is_open else GREY)


def damaged_board(texts: Texts, *, is_closed: bool) -> Layout:
    """In place of a table that cannot be read any more; nothing can be pressed there."""
    t = texts.t
    if is_closed:
        return layout(text(t("This table was damaged, and is closed.")), colour=GREY)
    return layout(
        text(
            "⚠️ **" + t("This table cannot be continued: what was kept of it is damaged.") + "**",
            t("The host or a moderator closes it with `/kems end`; `/kems start` opens another."),
            t("Whoever runs the bot finds the reason with `kems doctor`, and may restore a backup."),
        ),
        colour=GREY,
    )


def welcome_board(texts: Texts) -> Layout:
    """The sandbox's first message: play at once (`k1:0:quick`)."""
    t = texts.t
    return layout(
        text(
            "## " + t("♠ Kem's"),
            t("Collect four alike, tell your partner by a secret sign, and have it called before anybody notices."),
            t("Or open a table with `/kems start`."),
        ),
        row(
            button(t("Play now with three robots"), make_id(0, Verb.QUICK), style=SUCCESS),
            button(t("❔ Help"), make_id(0, Verb.HELP)),
        ),
        colour=GREEN,
    )


def help_panel(rules: Rules, texts: Texts) -> Layout:
    """How to play, by these rules."""
    t, double = texts.t, double_name(rules, texts)
    return layout(
        text("## " + t("How to play Kem's"), "-# " + rules_line(rules, texts)),
        text(
            t("**Aim.** One of your team holds four alike, and a partner says Kem's! before an opponent counters."),
            t("**Sign.** Your team agrees on a secret sign: an emoji or a few. Make it when you hold four alike:")
            + " "
            + t("react to the table message, use `/kems sign`, or tap it in your hand. Bluffs are welcome."),
            t("**Exchange.** No turns: put cards down, then take as many from the middle; first come, first served."),
            t("**Sweep.** When nobody wants a card, ask for a sweep: if all agree, four new cards are turned up."),
            t(
                "**Calls.** Kem's: your partner holds four alike. {double}: so do you.",
                double=double[:1].upper() + double[1:],
            )
            + " "
            + t("Counter: an opponent holds them."),
        ),
        colour=GREEN,
    )


def rules_line(rules: Rules, texts: Texts, rule_set: str | None = None, rank: str | None = None) -> str:
    """The rules in short: `classic · 32 cards · 10 points · ranked`, and whether they are anything but the preset.

    `rule_set` is the name under which the server keeps them.
    """
    end = rules.end
    words = [defuse(rules.preset), texts.n("{count} card", "{count} cards", len(DECKS[rules.deal.deck]))]
    if end.ends_at is EndsAt.ROUNDS:
        words.append(texts.n("{count} round", "{count} rounds", end.rounds))
    else:
        words.append(texts.n("{count} point", "{count} points", end.target))
    if rank is not None:
        words.append(rank)
    if rule_set is not None:
        words.append(texts.t("“{name}”", name=defuse(rule_set, MAX_NAME)))
    if chosen := _told(options_taken(rules)):
        words.append(texts.t("options: {rules}", rules=defuse(chosen, MAX_RULES)))
    if changed := house_rules(rules):
        directory = _told(changed)
        told = (
            texts.t("house rules: {rules}", rules=defuse(directory, MAX_RULES)) if directory else texts.t("house rules")
        )
        words.append(told)
    return " · ".join(words)


def _told(changed: Mapping[str, str]) -> str:
    """Changes of the rules in their notation, but those that the line says in words already."""
    return ", ".join(f"{name}={value}" for name, value in changed.items() if name not in _OWN_WORDS)


def lobby_line(lobby: Lobby, texts: Texts) -> str:
    """The same of a table, with whether its match is ranked, and as long as that may change, why not."""
    if lobby.is_ranked is None:
        rank = rank_words(lobby.eligibility, texts)
    else:
        rank = texts.t("ranked") if lobby.is_ranked else texts.t("friendly")
    return rules_line(lobby.rules, texts, lobby.rule_set, rank)


def rank_words(eligibility: Eligibility, texts: Texts) -> str:
    """Whether a match is ranked, or why it is not, in the middle of a line."""
    t = texts.t
    match eligibility:
        case Eligibility.RANKED:
            return t("ranked")
        case Eligibility.NO_SEASON:
            return t("friendly (between seasons)")
        case Eligibility.PRESET:
            return t("friendly (these rules are not ranked here)")
        case Eligibility.HOUSE_RULES:
            return t("friendly")  # the house rules stand beside it
        case Eligibility.OPTIONS:
            return t("friendly (ranked tables play without options)")
        case Eligibility.SIGN_NOT_REQUIRED:
            return t("friendly (ranked tables require the sign)")
        case Eligibility.SIGN_REQUIRED:
            return t("friendly (ranked tables do not require the sign)")
        case Eligibility.NO_PARTNERS:
            return t("friendly (nobody has a partner)")
        case Eligibility.ROBOTS:
            return t("friendly (with robots)")


def _title(lobby: Lobby, texts: Texts) -> str:
    host = next((player for player in lobby.players if player and player.user_id == lobby.host_id), None)
    title = texts.t("♠ Kem's table")
    return f"## {title} — {display_name(host)}" if host is not None else f"## {title}"


def _people(lobby: Lobby, texts: Texts) -> list[str]:
    if lobby.status is Status.OPEN and lobby.random_teams:
        return [" · ".join(_who(player, texts) for player in lobby.players), texts.t("Teams are drawn at the start.")]
    lines = []
    for team in range(lobby.teams):
        names = " · ".join(_who(lobby.players[seat], texts) for seat in lobby.members(team))
        lines.append(texts.t("**Team {number}** {names}", number=team + 1, names=names))
    return lines


def _who(player: Player | None, texts: Texts) -> str:
    return texts.t("(free)") if player is None else display_name(player)


def _status(lobby: Lobby, texts: Texts) -> str:
    t = texts.t
    match lobby.status:
        case Status.OPEN:
            opened = t("Opened {when}", when=countdown(lobby.opened_at))
            closes = None if lobby.closes_at is None else t("closes {when}", when=countdown(lobby.closes_at))
            return "-# " + " · ".join(filter(None, (opened, closes)))
        case Status.PLAYING:
            return t("The match has begun.")
        case Status.OVER:
            return t("The match is over.")
        case Status.CANCELLED:
            return t("This table was closed before the match was over.")
        case Status.EXPIRED if lobby.is_ranked is not None:
            return t("The match was paused for a long time, so this table was closed.")
        case Status.EXPIRED:
            return t("Nobody has started this table for a long time, so it was closed.")


def _vote_line(lobby: Lobby, texts: Texts) -> str | None:
    """What the vote is waiting for or what came of it, and nothing of what anybody said."""
    t, vote = texts.t, lobby.vote
    if vote.outcome is not None:
        return "-# " + outcome_text(vote.outcome, texts)
    if lobby.status is not Status.OPEN:
        return None
    if not vote.is_running:
        return "-# " + t("Advanced signs: no vote asked for")
    awaited = [display_name(player) for player in lobby.awaited]
    if not lobby.is_full:
        awaited.append(t("the free seats"))
    return "-# " + t("Advanced signs: secret vote. Awaited: {names}", names=" · ".join(awaited))


def _vote_buttons(lobby: Lobby, texts: Texts) -> list[Button]:
    t = texts.t
    return [
        button(t("Advanced signs…"), make_id(lobby.id, Verb.VOTE)),
        button(t("Without advanced signs"), make_id(lobby.id, Verb.NO_VOTE), is_enabled=lobby.vote != NO_VOTE),
    ]


def _faces_menu(lobby: Lobby, texts: Texts) -> Row:
    """Which faces the cards have, each choice with a few of them."""
    options = [
        option(
            texts.t(name),
            theme.value,
            description=Faces(texts, theme).labels(_SAMPLES),
            is_default=theme is lobby.theme,
        )
        for theme, name in THEME_NAMES.items()
    ]
    return menu(make_id(lobby.id, Verb.FACES), "", options)


def _seat_buttons(lobby: Lobby, texts: Texts) -> list[Button]:
    t, has_room = texts.t, not lobby.is_full
    return [
        button(t("Join"), make_id(lobby.id, Verb.JOIN), style=PRIMARY, is_enabled=has_room),
        button(t("Leave"), make_id(lobby.id, Verb.LEAVE)),
    ]


def _robot_buttons(lobby: Lobby, texts: Texts) -> list[Button]:
    t, has_room = texts.t, not lobby.is_full
    return [
        button(t("🤖 Add"), make_id(lobby.id, Verb.ADD_ROBOT), is_enabled=has_room),
        button(t("🤖 Remove"), make_id(lobby.id, Verb.REMOVE_ROBOT), is_enabled=bool(lobby.robot_seats())),
    ]


def _team_buttons(lobby: Lobby, texts: Texts) -> list[Button]:
    """By which rules, how teams are made, and where they are chosen, into which one to change."""
    t = texts.t
    if lobby.random_teams:
        how = button(t("Teams: at random"), make_id(lobby.id, Verb.TEAMS, "chosen"))
    else:
        how = button(t("Teams: chosen"), make_id(lobby.id, Verb.TEAMS, "random"))
    into = [
        button(
            f"{team_mark(team)} " + t("Team {number}", number=team + 1),
            make_id(lobby.id, Verb.SIT, str(team)),
            is_enabled=not lobby.random_teams,
        )
        for team in range(lobby.teams)
    ]
    rules = button(t("Rules of the table…"), make_id(lobby.id, Verb.RULES))
    return [rules, how, *into]


def _host_buttons(lobby: Lobby, texts: Texts) -> list[Button]:
    t = texts.t
    return [
        button(t("Start"), make_id(lobby.id, Verb.START), style=SUCCESS, is_enabled=lobby.is_full),
        button(t("Cancel"), make_id(lobby.id, Verb.CANCEL), style=DANGER),
        button(t("❔ Help"), make_id(lobby.id, Verb.HELP)),
    ]
