"""Screens of game nights: the plan, the sign-up, the board, what people and hosts see in private, the end."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from itertools import pairwise

from bot.conditions import Candidate, EntryRules
from bot.discord.api import components as c
from bot.discord.text.texts import Texts
from bot.game.rules.house_rules import read_rules
from bot.ladder.columns import Board
from bot.ladder.seasons import Eligibility, Season
from bot.nights.changes import HostStep, NightCode, NightRefusedError, StepKind
from bot.nights.formats import EXPRESS, FORMATS, KNOCKOUT, LOUNGE, SWISS
from bot.nights.night import Night
from bot.nights.people import pairs, sign_up
from bot.nights.planning.draft import NightDraft
from bot.nights.posts import HonourKind
from bot.nights.results.recap import feat, honours
from bot.nights.results.standings import standings
from bot.nights.steps import apply_step, pause_without_channel
from bot.records.history import PageNumber
from bot.records.league import Scale, league, page_of
from bot.tables.servers.settings import RuleSet, ServerSettings
from bot.ui.ladder.leaderboard import leaderboard_panel, league_line
from bot.ui.night.board import (
    LiveTable,
    go_on_screen,
    replays_screen,
    running_screen,
    standings_screen,
    still_screen,
    tables_screen,
    unplaced_screen,
)
from bot.ui.night.commands import nothing_planned
from bot.ui.night.host.host_panel import (
    cancel_question,
    host_panel,
    letter_form,
    result_form,
    round_panel,
    spare_question,
    table_panel,
)
from bot.ui.night.host.host_steps import back, step_question
from bot.ui.night.messages.recap import films, recap_screen, row_screen
from bot.ui.night.messages.table_threads import mention_line, thread_name
from bot.ui.night.plan.settings import PlanState, plan_form, plan_panel
from bot.ui.night.players import my_panel
from bot.ui.night.sign_up import (
    begun_screen,
    changed_screen,
    check_in_screen,
    lost_role_screen,
    news_screen,
    sign_up_screen,
    signed_up_screen,
)
from bot.ui.words.entry_text import lacked_line
from bot.ui.words.rule_names import league_words
from tests.ui.night.samples import MINUTE, begun, ended_tables, night_of, over, plan_of, running
from tests.ui.screens.common import AT, HOST, HOSTILE, Scene, asked, sent

MANY = 100
_lines = cache(standings)
_STEPS = (
    HostStep(StepKind.PAUSE_ALL),
    HostStep(StepKind.RESUME_ALL),
    HostStep(StepKind.PAUSE_TABLE, table=2),
    HostStep(StepKind.RESUME_TABLE, table=2),
    HostStep(StepKind.ADD_TIME, minutes=5),
    HostStep(StepKind.DROP, entrant=3),
    HostStep(StepKind.ENTER_RESULT, table=1, scores=(10, 7)),
    HostStep(StepKind.ENTER_RESULT, round=1, table=1, scores=(10, 7)),
    HostStep(StepKind.RESTART_TABLE, table=1),
    HostStep(StepKind.END_EARLY),
)


def night_scenes(texts: Texts) -> Iterator[Scene]:
    yield from _plans(texts)
    planned = {
        "nobody": night_of(0),
        "few": night_of(5),
        "full": night_of(12, most=9),
        "pairs": _with_questions(night_of(14, SWISS)),
        "crowd": night_of(200, KNOCKOUT),
        "byes": night_of(14, KNOCKOUT, fills_with_robots=True),
        "hostile": night_of(12, names=HOSTILE, title="*Soirée* <@1> # x"),
        "entry": sign_up.ready(replace(night_of(5), plan=plan_of(entry=EntryRules(70, 10))), HOST + 1, Candidate()),
        "lounge": night_of(3, LOUNGE, is_weekly=True, fills_with_robots=True, is_ranked=False),
    }
    for name, night in planned.items():
        yield f"night sign-up {name}", sent(sign_up_screen(night, texts))
        yield f"night host before {name}", sent(host_panel(night, texts))
        yield from _people(f"before {name}", night, texts)
    yield "night sign-up cancelled", sent(sign_up_screen(planned["few"].cancel(AT, "Plus de courant."), texts))
    yield "night without threads", sent(unplaced_screen(_unplaced(), texts, f"<@{HOST}>"))
    yield "night host without threads", sent(host_panel(_unplaced(), texts, "⚠️"))
    fault = f"⚠️ {texts.t('Somebody deleted the event of this night.')}"
    yield "night host without its event", sent(host_panel(planned["few"], texts, event_fault=fault))
    yield "night check-in", sent(check_in_screen(sign_up.ready(planned["few"].open_check_in(), HOST), texts, 80))
    asked_twice = sign_up.decline(sign_up.decline(planned["few"].open_check_in(), HOST + 1, ""), 7, "Zoé")
    yield "night check-in with people who do not come", sent(check_in_screen(asked_twice, texts, 80))
    yield "night host with people who do not come", sent(host_panel(asked_twice, texts))
    yield "night mine of who does not come", sent(my_panel(asked_twice, 7, standings(asked_twice), texts))
    for name, night in (("night changed", planned["few"]), ("night changed entry", planned["entry"])):
        moved = night.replan(replace(night.plan, break_minutes=9))
        yield name, sent(changed_screen(replace(moved, changed=0), texts, 80))
    lost = sign_up.without_role(planned["entry"])
    yield "night that lost its role", [sent(lost_role_screen(lost, texts, f"<@{HOST}>")), sent(host_panel(lost, texts))]
    asked_of = (Candidate((70,), 9), Candidate((70,), 7), Candidate((), 10), Candidate((), 9), Candidate())
    yield "night entry refused", [lacked_line(planned["entry"].plan.entry, one, texts) for one in asked_of]
    steps = (StepKind.DROP, StepKind.PAIR, StepKind.START)
    asking = [step_question(planned["pairs"], HostStep(kind, entrant=0, other=2), texts) for kind in steps]
    yield "night steps before", [*map(sent, asking), asked(letter_form(planned["few"], texts))]
    yield "night to cancel", sent(cancel_question(planned["few"], texts))
    yield "night of a series that goes on", sent(go_on_screen(planned["lounge"], texts, f"<@{HOST}>"))
    yield "night none", sent(nothing_planned(texts))
    yield from _express(texts)
    yield "night of a series to cancel", sent(cancel_question(planned["lounge"], texts))
    yield (
        "night of a series with robots",
        sent(spare_question(planned["lounge"], texts.t("🤖 Robots in free seats"), "robots", "7", texts)),
    )
    yield "night news", sent(news_screen(planned["few"], planned["few"].present[1:3], texts))
    yield "night begun", sent(begun_screen(planned["few"], texts))
    crowd, long = planned["crowd"], _many_tables()
    yield "night signed up", sent(signed_up_screen(crowd, 1, texts, back(crowd, texts)))
    yield "night host long lounge", sent(host_panel(long, texts))
    for night in (running(13), running(8, KNOCKOUT), long):
        past = night.rounds[0]
        panels = round_panel(night, past, 0, texts), table_panel(night, past.tables[0], texts, of=1)
        yield f"night past round {night.plan.format}", [sent(panel) for panel in panels]
    for name, night in _running().items():
        yield from _evening(name, night, texts)
    for name, night in {"small": over(9), "large": over(200), "pairs": over(16, SWISS)}.items():
        yield from _evening(f"over {name}", night, texts)
        found = honours(night, [
            one for one in (
                feat(HonourKind.BEST_BLUFF, 1, night.rounds[0].tables[0], 0, 48_000),
                feat(HonourKind.QUICKEST_KEMS, 2, night.rounds[1].tables[0], 2, 6_000),
            ) if one is not None
        ])  # fmt: skip
        yield f"night recap {name}", sent(recap_screen(night, _lines(night), found, AT + 7 * 86_400_000, texts))
    evenings = [over(9, names=HOSTILE), over(26)]
    found = league(evenings, Scale.EVEN, 1)
    yield "night league line", [league_line(found, 2, texts) or ""]
    season, how = Season(3, AT, None, "*Été*"), league_words(ServerSettings(), texts)
    show = partial(leaderboard_panel, board=Board.LEAGUE, season=season, texts=texts, at=AT, zone="Europe/Paris")
    yield (
        "night league",
        [sent(show(page_of(found, key), own=found[20], how=how)) for key in (PageNumber(1), PageNumber(3))],
    )
    yield "night league empty", [sent(show(page_of(()), how=one)) for one in (how, None)]
    yield "night refusals", [texts.t(code) for code in NightCode]


@cache
def _running() -> dict[str, Night]:
    small = running(13)
    return {
        "small": small,
        "large": running(200),
        "wide": running(30, size=6, rounds=2),
        "pairs": running(16, SWISS),
        "final": running(8, KNOCKOUT),
        "lounge": running(14, LOUNGE, 1),
        "paused": _stepped(small, HostStep(StepKind.PAUSE_ALL)),
        "called": small.call_time(AT + 90 * MINUTE),
        "absent": small.mark_absent(2),
        "hostile": running(13, names=HOSTILE, title="*Soirée* <@1> # x"),
    }


def _express(texts: Texts) -> Iterator[Scene]:
    """The films of a night that ran alone, and its line on Monday."""
    night = over(16, EXPRESS)
    found = [
        feat(kind, 1, night.rounds[0].tables[0], seat, value, match_round=4)
        for kind, seat, value in (
            (HonourKind.BEST_BLUFF, 0, 48_000),
            (HonourKind.QUICKEST_KEMS, 2, 6_000),
            (HonourKind.CLOSEST_CALL, 1, 84),
        )
    ]
    night = replace(night, honours=tuple(one for one in found if one is not None))
    yield "night express films", sent(c.layout(*films(night, texts)))
    yield "night express row", sent(row_screen(night, (8, 11, 16), AT + 7 * 86_400_000, texts))
    yield "night express first row", sent(row_screen(night, (1,), None, texts))


def _unplaced() -> Night:
    """A night whose second table has no thread."""
    night = running(13, rounds=1)
    assert night.round is not None
    bare = replace(night.round.tables[1], thread_id=None, table_id=None, result=None, ended_at=None)
    return pause_without_channel(night.with_table(bare), AT + 40 * MINUTE)


@cache
def _many_tables() -> Night:
    """Open tables for a whole night: more than the host's panel has room for."""
    night = night_of(8, LOUNGE)
    for _ in range(40):
        night = ended_tables(begun(night, AT + 30 * MINUTE), all_of_them=True)
    return begun(night, AT + 90 * MINUTE)


def _swaps(night: Night) -> Iterator[HostStep]:
    """Between two tables, and with a person who has none in this round."""
    last = night.rounds[-1]
    played = [table.people() for table in last.tables if table.result is None and last.called_at is None]
    for one, other in pairwise([*(people[0] for people in played[:2]), *last.byes[:1]]):
        yield HostStep(StepKind.SWAP, entrant=one, other=other)


def _evening(name: str, night: Night, texts: Texts) -> Iterator[Scene]:
    lines = _lines(night)
    tables = () if night.round is None else night.round.tables
    live = {
        table.number: LiveTable(tuple(range(table.teams)), ("Bruno",) if table.number == 2 else ())
        for table in tables
        if table.result is None
    }
    yield f"night board {name}", sent(running_screen(night, lines, live, texts))
    for page in (0, 1, 99) if len(night.entrants) > MANY else (0,):
        yield f"night tables {name} {page}", sent(tables_screen(night, live, page, texts))
        yield f"night standings {name} {page}", sent(standings_screen(night, lines, page, texts))
        yield f"night replays {name} {page}", sent(replays_screen(night, page, texts))
    yield f"night host {name}", sent(host_panel(night, texts, "Noté."))
    yield from _people(name, night, texts)
    if night.is_finished:
        return
    table = tables[0]
    yield f"night table {name}", [sent(table_panel(night, table, texts)), asked(result_form(night, table, texts))]
    steps = [*_STEPS, *_swaps(night)]
    yield f"night steps {name}", [sent(step_question(night, step, texts, may_ban=True)) for step in steps]
    yield (
        f"night still {name}",
        sent(still_screen(night.ask_host({one.number: AT for one in tables[-3:]}), texts, f"<@{HOST}>")),
    )
    yield f"night mention {name}", [thread_name(night, table, texts), mention_line(night, table, texts)]
    stepped = _stepped(night, *_swaps(night), *(step for step in _STEPS if step.kind is not StepKind.RESUME_ALL))
    yield f"night host after steps {name}", sent(host_panel(stepped, texts))


def _people(name: str, night: Night, texts: Texts) -> Iterator[Scene]:
    lines = _lines(night)
    seen = [one.number for one in night.entrants if one.number < 6 or one.seeks_partner]
    panels = [sent(my_panel(night, HOST + number, lines, texts)) for number in seen]
    stranger = sent(my_panel(night, 1, lines, texts, "Noté.", hosts=True))
    yield f"night of each {name}", [*panels, stranger]


def _plans(texts: Texts) -> Iterator[Scene]:
    sets = [RuleSet(f"*Jeudi* {number}", "classic target=12") for number in range(25)]
    templates = [replace(night_of(3), id=number, number=number) for number in range(1, 30)]
    for form in FORMATS.values():
        draft = NightDraft("Europe/Paris", plan_of(form))
        state = PlanState(draft, read_rules, sets, templates, has_role=True)
        pages = [sent(plan_panel(state, Eligibility.RANKED, texts, is_second=page)) for page in (False, True)]
        yield f"night plan {form}", [*pages, asked(plan_form(draft, texts))]
    changing = NightDraft(
        "America/New_York",
        plan_of(most=40, is_weekly=True, entry=EntryRules(70, 10)),
        AT - MINUTE,
        night_id=7,
        id=7,
    )
    panel = plan_panel(PlanState(changing, read_rules, is_hidden=True), Eligibility.ROBOTS, texts, "Noté.")
    asking = (PlanState(changing, read_rules, played=played) for played in ((), (9,) * 14, (9, 10, 9), (9, 10, 11)))
    yield "night plan with an entry", [sent(plan_panel(each, Eligibility.ROBOTS, texts)) for each in asking]
    yield "night plan changed", [sent(panel), asked(plan_form(changing, texts))]


def _with_questions(night: Night) -> Night:
    """One asks for another, one looks for a partner, one waits."""
    night = pairs.ask(night, HOST + 12, 13)
    return pairs.seek(night, HOST + 10)


def _stepped(night: Night, *steps: HostStep) -> Night:
    for step in steps:
        with suppress(NightRefusedError):
            night = apply_step(night, step, HOST, AT + 95 * MINUTE)
    return night
