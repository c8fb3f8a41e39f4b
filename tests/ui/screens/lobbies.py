"""Screens of what comes before a match: lobbies, ballots, the rules and their editor, and the first words."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from bot.conditions import EntryRules
from bot.discord.api.components import GALLERY, ROW, Layout, with_picture
from bot.discord.interactions.setting import TextSetting, custom_ids_for
from bot.discord.text.texts import Texts
from bot.game.rules.house_rules import override, preset, read_rules, with_room, without_idle_changes, write_rules
from bot.game.rules.presets import PRESETS
from bot.game.rules.rules import AXES, PLAYERS, Rules
from bot.game.signs import Strategy
from bot.ladder.seasons import LadderSetup, RankedRules
from bot.records.pictures import Theme
from bot.records.player import HelpLevel, HelpSetting
from bot.robots.level import RobotLevel
from bot.tables.lobby.lobby import Absence, Lobby, Status
from bot.tables.lobby.strategy_vote import PROPOSED
from bot.tables.lobby.table_channel import TableChannel
from bot.tables.servers.settings import RuleSet, ServerSettings
from bot.ui.lobby.lobby_board import (
    lobby_board,
    starting_post,
    table_link,
    welcome_board,
)
from bot.ui.lobby.panels import settings_panel, vote_panel
from bot.ui.lobby.presses import invite_panel
from bot.ui.lobby.verbs import SettingsVerb
from bot.ui.rules.editor import line_form, name_form, rules_editor
from bot.ui.rules.panels import help_panel, rules_panel, rules_panels
from bot.ui.rules.rule_settings import SAVED, SETTINGS, RulesState
from bot.ui.rules.verbs import RulesVerb
from bot.ui.server.feature import SETTING_IDS
from bot.ui.server.settings import ZONE, ConfigState
from bot.ui.table.messages.table_screen import channel_post, damaged_board
from bot.ui.table.pages.panel_pages import left_panel
from bot.ui.words.rule_names import PARTS
from tests.ui.screens.common import AT, HOST, TABLE_ID, TEXTS, Scene, asked, people, sent, without
from tests.ui.screens.matches import ALL
from tests.ui.screens.written import written

_ASKING: Final = RankedRules(entry=EntryRules(77, days=7))
_HOUSE_RULES: Final = (
    *("classic target=5", "classic target=1 deck=52 quiet=3", "classic auto_open=9", "classic sign_required=yes"),
    *("expert target=15 best_of=3", "expert target=15 best_of=3 quiet=3"),
)


def lobby_of(name: str = "classic", size: int = 4, kind: int = 3, **changes: Any) -> Lobby:
    given = {"ranked_rules": RankedRules(), "opened_at": AT, "has_random_teams": False, "locale": "fr", **changes}
    rules = given.pop("rules", None) or with_room(preset(name), size)
    return Lobby(TABLE_ID, TableChannel(1, 2), HOST, rules, size, people(size, kind), **given)


def _voting(lobby: Lobby, *ballots: set[Strategy]) -> Lobby:
    lobby = replace(lobby, vote=PROPOSED)
    for user_id, ballot in enumerate(ballots, HOST):
        changed = lobby.cast(user_id, ballot)
        assert isinstance(changed, Lobby)
        lobby = changed
    return lobby


def lobby_scenes(texts: Texts) -> Iterator[Scene]:
    full = lobby_of()
    some, every = {Strategy.PRESIGN, Strategy.SPOKEN}, set(Strategy)
    lobbies = {
        "full": full,
        "half": replace(full, players=(*full.players[:2], None, None), closes_at=AT + 60_000),
        "random": lobby_of("expert", 8, 0, has_random_teams=True, theme=Theme.YOKAI),
        "many": lobby_of("classic", 12, 1, theme=Theme.RUGBY),
        "hostile": lobby_of("bell", 6, 2, rule_set="*Jeudi* <@1>", theme=Theme.FAMILY),
        "no season": lobby_of("yokai", 4, 3, ranked_rules=None),
        "duel": lobby_of("classic", 2),
        "house rules": replace(full, rules=without_idle_changes(override(full.rules, {"down": "2", "target": "12"}))),
        "first ballot": _voting(full, some),
        "voted for": _voting(full, every, some, every, every),
        "voted against": _voting(full, set(), some, every, every),
        **{f"closed {status}": replace(full, status=status) for status in Status if status is not Status.OPEN},
        "expired while playing": replace(full, status=Status.EXPIRED, is_ranked=True),
        "playing ranked": replace(full, status=Status.PLAYING, is_ranked=True),
        "playing friendly": replace(full, status=Status.PLAYING, is_ranked=False),
        "ranked before a robot followed somebody": lobby_of(kind=0, status=Status.PLAYING, is_ranked=True),
        "playing after the vote": replace(_voting(full, every, some, every, every), status=Status.PLAYING),
        "playing before the vote was over": replace(full, vote=PROPOSED, status=Status.PLAYING),
        "of other ranked rules": replace(full, ranked_rules=RankedRules(("yokai",))),
        "where ranked tables require the sign": replace(full, ranked_rules=RankedRules(sign_required=True)),
        "where ranked matches ask for something": replace(full, ranked_rules=_ASKING),
        "with somebody who lacks it": replace(full, ranked_rules=_ASKING, lacking=frozenset(full.people)),
        "of a set of house rules": replace(full, rules=read_rules("classic target=5"), rule_set="Jeudi"),
        **{f"of {line}": replace(full, rules=read_rules(line)) for line in _HOUSE_RULES},
        **{f"with robots, {level}": lobby_of(kind=0, robot_level=level) for level in RobotLevel},
    }
    lobbies["call of one"] = replace(full, players=(full.players[0], None, None, None), starts_at=AT + 20_000)
    lobbies["call of three"] = replace(full, players=(*full.players[:3], None), starts_at=AT + 20_000)
    lobbies["call of a role"] = replace(lobbies["call of three"], players_role=77, mentions_role=True)
    lobbies["call beside a role"] = replace(lobbies["call of one"], players_role=77)
    lobbies["half random"] = replace(lobbies["half"], has_random_teams=True, theme=Theme.FAMILY, absence=Absence.WAIT)
    levels = {
        player.user_id: HelpSetting(level)
        for player, level in zip(full.players, (*HelpLevel, HelpLevel.BARE), strict=True)
        if player and player.user_id
    }
    lobbies["with levels of help"] = replace(full, ranked_rules=None, players=full.help.with_levels(levels))
    left = _voting(full, some, set()).leave(HOST + 2)
    assert isinstance(left, Lobby)
    lobbies["left by a voter"] = left
    for name, lobby in lobbies.items():
        yield f"lobby {name}", sent(lobby_board(lobby, texts))
    for name in PRESETS:
        yield f"lobby of {name}", sent(lobby_board(lobby_of(name, 4, 0), texts))
        yield f"settings {name}", sent(settings_panel(lobby_of(name, 4, 0), HOST, texts, name))
    for name in ("half", "half random", "random", "many", "hostile", "first ballot", "with robots, strong"):
        yield f"settings of a lobby {name}", sent(settings_panel(lobbies[name], HOST, texts))
        yield f"invitations {name}", sent(invite_panel(lobbies[name], None, [name], texts))
    for name in ("playing ranked", "closed cancelled", "closed expired"):
        yield f"post {name}", sent(channel_post(lobbies[name], None, texts))
    for name, place in {"to a thread": TableChannel(1, 22), "here": None}.items():
        yield f"way {name}", sent(table_link(TABLE_ID, place, texts))
    yield "post starting", sent(starting_post(lobbies["playing ranked"], texts))
    yield "lobby left behind", without(lobby_board(lobbies["playing ranked"], texts), ROW)
    for name in ("full", "duel", "first ballot", "voted for", "voted against", "hostile"):
        yield f"ballot {name}", sent(vote_panel(lobbies[name], HOST, texts))
    yield "ballot by rules without guesses", sent(vote_panel(_voting(lobby_of("escale")), HOST, texts))
    yield "ballot of who says no", sent(vote_panel(lobbies["left by a voter"], HOST + 1, texts))
    yield "ballot of another", sent(vote_panel(lobbies["first ballot"], HOST + 1, texts, "Noté."))
    for is_closed in (False, True):
        yield f"damaged {is_closed}", sent(damaged_board(texts, is_closed=is_closed))
    yield "welcome", sent(welcome_board(texts))
    yield "left", sent(left_panel(texts))
    illustrated = with_picture(welcome_board(texts), "cards.png", "Quatre rois")
    yield "with a picture", sent(illustrated)
    yield "without its picture", without(illustrated, GALLERY)


def rules_scenes(texts: Texts) -> Iterator[Scene]:
    saved = [RuleSet(f"{name} {number}", f"{name} target=12") for number, name in enumerate((*PRESETS, "*<@1>*"))]
    for name, rules in PRESETS.items():
        yield f"help {name}", sent(help_panel(rules, texts))
        yield f"rules {name}", sent(rules_panel(rules, texts))
        for is_voted in (False, True):
            panels = rules_panels(rules, texts, "Jeudi", ALL, is_voted=is_voted)
            yield f"rules {name} with signs {is_voted}", [sent(panel) for panel in panels]
        yield f"editor {name}", sent(_editor(lobby_of(name), texts, page=""))
    extreme = override(preset("classic"), {axis: (AXES[axis].values or ("9",))[-1] for axis in AXES})
    for name, rules in {"house": _directory(), "classic": preset("classic"), "extreme": extreme}.items():
        for strategies in ((), ALL):
            panels = rules_panels(rules, texts, strategies=strategies)
            yield f"rules {name} in full {len(strategies)}", [sent(panel) for panel in panels]
    told = set(_rules_lines(preset("classic"), texts))
    for axis in AXES:
        values = {value: override(preset("classic"), {axis: value}) for value in AXES[axis].values or ("1", "9")}
        lines = {value: _rules_lines(rules, texts) for value, rules in values.items()}
        yield f"rules by {axis}", {value: [line for line in lines[value] if line not in told] for value in lines}
    yield "rules with a notice", sent(rules_panel(_directory(), texts, "*Jeudi*", "Noté."))
    lobby = replace(lobby_of(), rules=_directory(), rule_set=saved[0].name)
    for page in (*PARTS, SAVED, *AXES):
        if page not in AXES or texts is TEXTS[len(page) % len(TEXTS)]:
            yield f"editor page {page}", sent(_editor(lobby, texts, page=page, sets=saved, notice=page[:3]))
    others = {
        "of house rules": lobby,
        "of a new pace": replace(lobby_of(), rules=read_rules("classic auto_open=5")),
        "for six": lobby_of(size=6),
        "of rules for four": lobby_of("yokai"),
    }
    for name, shown in others.items():
        yield f"editor {name}", [sent(_editor(shown, texts, page=page)) for page in ("", PLAYERS)]
    yield "editor without sets", sent(_editor(lobby, texts, page=SAVED))
    numbers = [one for one in SETTINGS.values() if isinstance(one, TextSetting)]
    forms = [
        line_form(lobby, write_rules(lobby.rules), texts),
        name_form(lobby, texts),
        ZONE.form(ConfigState(ServerSettings(), LadderSetup(), "en", 90, frozenset()), SETTING_IDS, texts),
    ]
    yield "forms of the rules", [asked(form) for form in forms]
    yield (
        "forms of numbers",
        [asked(one.form(RulesState(lobby), custom_ids_for(lobby.id, RulesVerb.RULES_SET), texts)) for one in numbers],
    )


def _rules_lines(rules: Rules, texts: Texts) -> list[str]:
    return written(sent(rules_panel(rules, texts))).replace("| ", "").split("\n")


def _directory() -> Rules:
    return override(preset("classic"), {"deck": "52", "down": "2", "target": "15", "best_of": "3", "guess": "points"})


def _editor(lobby: Lobby, texts: Texts, sets: Sequence[RuleSet] = (), **options: Any) -> Layout:
    return rules_editor(RulesState(lobby, sets), write_rules(lobby.rules), texts, back=SettingsVerb.SETTINGS, **options)
