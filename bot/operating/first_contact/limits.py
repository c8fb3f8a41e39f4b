"""Checks under load: how often panels may be edited. Each ends at the first refusal of all requests (`global`)."""

import asyncio
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from itertools import cycle, islice

from bot.discord.api.components import Emoji, button, row
from bot.operating.first_contact.check import Found, Kind, check
from bot.operating.first_contact.contact import PREFIX, Answer, Contact, Panel, UnclearError, blue
from bot.operating.first_contact.diary import Request

_CODE = "bot/discord/rate_limits/panel_requests.py"
_A_PANEL = 2
"""Edits of one panel a second."""
_ADVISED = "40"
"""Edits a second of all panels: less than 50."""
_MANY, _MOST = 24, 60
"""So many panels take 60 edits a second: Discord takes five in two seconds of each."""
_ON_EMOJIS = 12
"""Emojis on a hand panel."""
_NEARLY = 48
_FEW = 10
"""Refusals after which it is clear that there is a limit."""


def _edits(panels: Sequence[Panel], count: float) -> Iterator[Request]:
    for number, panel in enumerate(islice(cycle(panels), int(count))):
        yield panel.edit(f"Edit {number}")


def _counted(answers: Sequence[Answer]) -> str:
    limits = [answer.limit for answer in answers]
    refused = [limit for limit in limits if limit.is_refused]
    scopes = (f"{sum(one.is_global for one in refused)} global", f"{sum(one.is_shared for one in refused)} shared")
    slow = max(answer.took_s for answer in answers)
    says = f"{len(answers)} requests, {len(refused)} refused ({', '.join(scopes)})"
    return f"{says}; {_busiest(answers)} passed in the busiest second; the slowest took {slow:.1f} s."


def _busiest(answers: Sequence[Answer]) -> int:
    """How many requests that were not refused began in one second."""
    at = sorted(answer.at for answer in answers if not answer.limit.is_refused)
    return max((bisect_left(at, first + 1.0) - number for number, first in enumerate(at)), default=0)


def _found_free(answers: Sequence[Answer], contact: Contact, settings: Mapping[str, str] | None = None) -> Found:
    """Whether so many requests go together; it is not known where fewer were made than a limit would take."""
    if not _is_local(answers):
        return Found(False, _counted(answers), settings or {})
    if _busiest(answers) < contact.bounds.full:
        return Found(None, f"A limit of {contact.bounds.full} a second would not be seen: {_counted(answers)}")
    return Found(True, _counted(answers))


def _is_free(answers: Sequence[Answer]) -> bool:
    return not any(answer.limit.is_refused for answer in answers)


def _is_local(answers: Sequence[Answer]) -> bool:
    return not any(answer.limit.is_global for answer in answers)


@check("A panel takes two edits a second.", _CODE, Kind.LOAD)
async def one_panel(contact: Contact) -> Found:
    panels = await contact.panels(1)
    answers = await contact.load(_A_PANEL, _edits(panels, _A_PANEL * contact.bounds.minute_s), _FEW)
    return Found(_is_free(answers), _counted(answers))


@check("Four panels in a channel take two edits a second each.", _CODE, Kind.LOAD)
async def four_panels(contact: Contact) -> Found:
    panels = await contact.panels(4)
    answers = await contact.load(4 * _A_PANEL, _edits(panels, 4 * _A_PANEL * contact.bounds.minute_s), _FEW)
    return Found(_is_free(answers), _counted(answers))


@check("All panels together have no limit: none of 60 edits a second is refused as `global`.", _CODE, Kind.LOAD)
async def many_panels(contact: Contact) -> Found:
    panels = await contact.panels(_MANY)
    answers = await contact.load(_MOST, _edits(panels, _MOST * contact.bounds.burst_s))
    return _found_free(answers, contact, {"PANEL_RATE": _ADVISED})


@check("Edits of panels do not count among the 50 requests of the bot's token.", _CODE, Kind.LOAD)
async def beside_the_bot(contact: Contact) -> Found:
    panels, looks = (
        await contact.panels(_MANY),
        (contact.channel, "/users/@me", "/gateway/bot", contact.app + "/emojis"),
    )

    def both() -> Iterator[Request]:
        look = cycle(looks)
        for number, edit in enumerate(_edits(panels, _MOST * contact.bounds.burst_s)):
            yield edit if number % 3 == 0 else ("GET", next(look), None)

    answers = await contact.load(_MOST, both())
    return _found_free(answers, contact)


@check("Answers to presses count in no limit.", _CODE, Kind.LOAD)
async def answers_count(contact: Contact) -> Found:
    """First answers alone are sure to count, and take presses: they come while edits nearly fill a limit of 50."""
    panels, control, wanted = await contact.panels(_MANY), f"{PREFIX}quickly", contact.bounds.presses
    await contact.post("Answers", blue("Quickly", control))
    answers, given = list[Answer](), list[Answer]()

    began = asyncio.Event()

    async def answer() -> None:
        while True:
            given.append(await contact.answer(await contact.pressed(control), 6))
            began.set()

    async def edit() -> None:
        await began.wait()
        answers.extend(await contact.load(_NEARLY, _edits(panels, 2 * _NEARLY * contact.bounds.burst_s)))

    tasks = [asyncio.create_task(answer()), asyncio.create_task(edit())]
    try:
        await contact.tell(f"Press the blue button Quickly {wanted} times, as quickly as you can.", control, wanted)
        await contact.ask_for(f"Go on until you have pressed {wanted} times.")
        if began.is_set():
            await tasks[1]
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    if not given:
        raise UnclearError("No press has come.")
    found = _found_free([*answers, *given], contact)
    return Found(found.is_assumed, f"Answers to presses: {len(given)}. {found.says}")


@check("Edits with emojis of the application are not refused.", "bot/discord/pictures/custom_emojis.py", Kind.LOAD)
async def emojis(contact: Contact) -> Found:
    listed = (await contact.done("GET", f"{contact.app}/emojis"))["items"]
    if not listed:
        raise UnclearError("The application has no emojis: run `kems emojis sync`.")
    shown = [Emoji(one["name"], int(one["id"])) for one in listed]
    panels = await contact.panels(_MANY)

    def edits() -> Iterator[Request]:
        for number, panel in enumerate(islice(cycle(panels), contact.bounds.edits)):
            controls = [
                button(None, f"{PREFIX}emoji:{number}:{place}", emoji=shown[(number + place) % len(shown)])
                for place in range(_ON_EMOJIS)
            ]
            rows = (row(*controls[first : first + 4]) for first in range(0, _ON_EMOJIS, 4))
            yield panel.edit(f"Edit {number}", *rows)

    answers = await contact.load(_A_PANEL * _MANY, edits())
    refused = sum(answer.status == 400 for answer in answers)
    return Found(not refused, f"{refused} of {len(answers)} edits with emojis are refused by 400. {_counted(answers)}")
