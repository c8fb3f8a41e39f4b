"""The lobby's message: the seats and the rules; also the first message to a newcomer."""

from collections.abc import Sequence
from functools import partial
from typing import Final

import discord

from bot.discord.api import components as c
from bot.discord.api.components import GREEN, GREY
from bot.discord.api.custom_ids import NO_TABLE, make_id
from bot.discord.api.interactions import made_at, texts_of
from bot.discord.interactions.setting import controls, custom_ids_for
from bot.discord.places.members import candidate
from bot.discord.text.names import disambiguate_players, display_name
from bot.discord.text.texts import Texts, mark
from bot.game.rules.house_rules import preset
from bot.ladder.seasons import Eligibility
from bot.records.player import Player
from bot.tables.lobby.lobby import Lobby, Status
from bot.tables.lobby.strategy_vote import NO_VOTE
from bot.tables.lobby.table_channel import TableChannel
from bot.ui.lobby.settings import ON_BOARD, LobbyState, length_of
from bot.ui.lobby.verbs import FILL, LobbyVerb, SettingsVerb
from bot.ui.rules.verbs import RulesVerb
from bot.ui.table.messages.table_screen import lobby_title
from bot.ui.table.pages.match_end import call_me_button, play_button
from bot.ui.table.verbs import DAILY, TableVerb
from bot.ui.words.entry_text import asked_words, lacked_line
from bot.ui.words.rule_names import lobby_line, rules_about
from bot.ui.words.signs import outcome_text
from bot.ui.words.table_text import EMPTY_SLOT, countdown, join_words, levels_line, team_mark

_NOT_OPEN: Final = {
    Status.PLAYING: mark("The match has begun."),
    Status.OVER: mark("The match is over."),
    Status.CANCELLED: mark("This table was closed before the match was over."),
    Status.EXPIRED: mark("Nobody has started this table for a long time, so it was closed."),
}


def lobby_board(lobby: Lobby, texts: Texts) -> c.Layout:
    """Return the lobby message; after a cancellation or the start of the match, its closed form."""
    if lobby.is_quick_start:
        return _quick_start_board(lobby, texts)
    is_open = lobby.status is Status.OPEN
    parts: list[c.Part] = [
        c.text(
            f"### {lobby_title(lobby, texts)}",
            "-# " + lobby_line(lobby, texts),
            _about(lobby, texts),
            _ranked_entry(lobby, texts),
        ),
        c.text(
            _people(lobby),
            levels_line(lobby, texts) if is_open else None,
            _vote_line(lobby, texts),
            _status(lobby, texts),
        ),
    ]
    if is_open:
        parts += _controls(lobby, texts)
    elif lobby.status is Status.EXPIRED:
        parts.append(c.row(c.button(texts.t("Open it again"), make_id(lobby.id, LobbyVerb.REOPEN), style=c.PRIMARY)))
    return c.layout(*parts, colour=GREEN if is_open else GREY)


def _quick_start_board(lobby: Lobby, texts: Texts) -> c.Layout:
    """Return who wants to play, how many are missing, and when the match starts by itself."""
    t = texts.t
    ids = partial(make_id, lobby.id)
    people = [player for player in disambiguate_players(lobby.players) if player]
    names = join_words([display_name(player) for player in people], texts)
    values = {"names": names, "when": countdown(lobby.starts_at or 0)}
    free = lobby.players.count(None)
    missing = t("one person is missing") if free == 1 else ""
    if free > 1:
        missing = texts.n("{count} person is missing", "{count} people are missing", free)
    if free and lobby.mentions_role:
        missing = t("🔔 {role}: {missing}", role=f"<@&{lobby.players_role}>", missing=missing)
    title = texts.n("♠ {names} wants to play · {when}", "♠ {names} want to play · {when}", len(people), **values)
    return c.layout(
        c.text(
            f"### {title}",
            "-# " + lobby_line(lobby, texts),
            _ranked_entry(lobby, texts),
            missing[:1].upper() + missing[1:],
            "-# " + t("robots take the free seats then"),
        ),
        c.row(
            c.button(t("I'm in"), ids(LobbyVerb.JOIN), style=c.SUCCESS),
            c.button(t("Don't wait"), ids(LobbyVerb.START, FILL), style=c.PRIMARY),
            c.button(t("Leave"), ids(LobbyVerb.LEAVE)),
            *([] if lobby.players_role is None else [call_me_button(texts)]),
        ),
        colour=GREEN,
    )


def closed_panel(lobby: Lobby, texts: Texts) -> c.Layout:
    """Return the panel that replaces an ephemeral one of a closed lobby: why it is closed, and where the table is."""
    place = lobby.place
    link = c.link_to(place.guild_id, place.channel_id, place.message_id)
    return c.layout(c.text(f"{texts.t(_NOT_OPEN[lobby.status])} {link}"), colour=GREY)


def starting_post(lobby: Lobby, texts: Texts) -> c.Layout:
    """Return the content that replaces the lobby's message while the match moves to its thread."""
    begins = texts.t("the match begins…")
    return c.layout(c.text(f"{lobby_title(lobby, texts)} · {begins}"), colour=GREY)


def table_link(table_id: int, place: TableChannel | None, texts: Texts) -> c.Layout:
    """Return the message for each player at the start: a link to a table elsewhere, or a button to the panel."""
    label = texts.t("▶ Go to the table")
    if place is not None:
        link = c.link_button(label, c.link_to(place.guild_id, place.channel_id))
    else:
        link = c.button(label, make_id(table_id, TableVerb.SIGN_PANEL), style=c.SUCCESS)
    return c.layout(c.text(texts.t("The match begins: agree on your team's sign.")), c.row(link), colour=GREEN)


def welcome_board(texts: Texts) -> c.Layout:
    """Return the sandbox's first message; its first button starts a match at once (`k1:0:play`)."""
    t = texts.t
    return c.layout(
        c.text(
            "## " + t("♠ Kem's"),
            t(
                "Collect four of a kind, tell your partner by a secret sign, and let them call it before the others"
                " catch on."
            ),
        ),
        c.row(
            play_button(t("♠ Play")),
            c.button(t("📅 Deal of the day"), make_id(NO_TABLE, DAILY)),
            c.button(t("❔ Help"), make_id(NO_TABLE, RulesVerb.HELP)),
        ),
        c.text(t("Or open a table with {/start}.")),
        colour=GREEN,
    )


def _about(lobby: Lobby, texts: Texts) -> str | None:
    """Return the description of the preset if it holds; else the number of players, or the weight of a short match."""
    t, rules, whole = texts.t, lobby.rules, preset(lobby.rules.preset)
    if lobby.status is not Status.OPEN:
        return None
    if lobby.size not in whole.seating.players:
        players = ", ".join(map(str, whole.seating.players))
        return "-# " + t("these rules are meant for {players} players: a friendly match", players=players)
    if length_of(rules) == length_of(whole):
        about = rules_about(rules, texts)
        return None if about is None else f"-# {about}"
    if lobby.eligibility is not Eligibility.RANKED:
        return None
    points = {"points": rules.end.target, "whole": whole.end.target}
    return "-# " + t("a short match counts {points}/{whole} in the ratings", **points)


def _ranked_entry(lobby: Lobby, texts: Texts) -> str | None:
    """Return the requirements of ranked matches, if only the people decide whether this one is ranked."""
    by_people = (Eligibility.RANKED, Eligibility.ENTRY, Eligibility.ROBOTS)
    if lobby.status is not Status.OPEN or lobby.ranked_rules is None or lobby.eligibility not in by_people:
        return None
    requirements = asked_words(lobby.ranked_rules.entry, texts)
    return "-# " + texts.t("Ranked: {conditions}", conditions=requirements) if requirements else None


def why_friendly(lobby: Lobby | None, interaction: discord.Interaction) -> str | None:
    """Return the private explanation for a person because of whom the match is friendly; None for others."""
    person, texts = interaction.user, texts_of(interaction)
    if lobby is None or lobby.ranked_rules is None or lobby.eligibility is not Eligibility.ENTRY:
        return None
    lacked = lacked_line(
        lobby.ranked_rules.entry, candidate(person, lobby.ranked_rules.entry, made_at(interaction)), texts
    )
    return texts.t("With you the match is friendly. {lacked}", lacked=lacked) if person.id in lobby.lacking else None


def _people(lobby: Lobby) -> str:
    """Return the people in one line, by teams if these are known; a free seat is a dash."""
    people = disambiguate_players(lobby.players)
    if lobby.status is Status.OPEN and lobby.has_random_teams:
        return _names(people)
    seated = {team: [people[seat] for seat in lobby.members(team)] for team in range(lobby.teams)}
    return "\u2003".join(f"{team_mark(team)} {_names(players)}" for team, players in seated.items())


def _name(player: Player | None) -> str:
    return EMPTY_SLOT if player is None else display_name(player)


def _names(players: Sequence[Player | None]) -> str:
    return " · ".join(map(_name, players))


def _status(lobby: Lobby, texts: Texts) -> str:
    t = texts.t
    if lobby.status is Status.EXPIRED and lobby.is_ranked is not None:
        return t("Nobody has played this match for a long time, so this table was closed.")
    if lobby.status is not Status.OPEN:
        return t(_NOT_OPEN[lobby.status])
    free = lobby.players.count(None)
    facts = (
        texts.n("{count} seat free", "{count} seats free", free) if free else t("the table is full"),
        None if lobby.closes_at is None else t("closes {when}", when=countdown(lobby.closes_at)),
    )
    lines = [" · ".join(filter(None, facts))]  # as much as a phone's line holds
    if lobby.has_random_teams:
        lines.append(t("teams are drawn at the start"))
    return "\n".join(f"-# {line}" for line in lines)


def _vote_line(lobby: Lobby, texts: Texts) -> str | None:
    """Return what the vote is waiting for or its outcome, but nobody's ballot."""
    vote = lobby.vote
    if vote.outcome is not None:
        return "-# " + outcome_text(vote.outcome, texts)
    if lobby.status is not Status.OPEN or vote == NO_VOTE:
        return None
    awaited = [display_name(player) for player in lobby.awaited]
    if not lobby.is_full:
        awaited.append(texts.t("the free seats"))
    return "-# " + texts.t("Advanced signs: secret vote. Awaited: {names}", names=" · ".join(awaited))


def _controls(lobby: Lobby, texts: Texts) -> list[c.Part]:
    """Return the controls that change the table. A press that is not possible now is answered with the reason."""
    t, ids = texts.t, partial(make_id, lobby.id)
    if lobby.is_full:
        start = c.button(t("Start"), ids(LobbyVerb.START), style=c.SUCCESS)
    else:
        start = c.button(t("🤖 Fill and start"), ids(LobbyVerb.START, FILL), style=c.SUCCESS)
    buttons = [
        c.button(t("Invite…"), ids(LobbyVerb.INVITE)),
        c.button(t("Settings…"), ids(SettingsVerb.SETTINGS)),
        c.button(t("❔ Help"), ids(RulesVerb.HELP)),
    ]
    if lobby.vote != NO_VOTE:
        buttons.append(c.button(t("🗳️ Vote"), ids(LobbyVerb.VOTE), style=c.PRIMARY))
    return [
        *controls(ON_BOARD, LobbyState(lobby), custom_ids_for(lobby.id, LobbyVerb.ARRANGE), texts),
        c.row(
            c.button(t("Join"), ids(LobbyVerb.JOIN), style=c.PRIMARY),
            c.button(t("Leave"), ids(LobbyVerb.LEAVE)),
            start,
        ),
        c.row(*buttons),
    ]
