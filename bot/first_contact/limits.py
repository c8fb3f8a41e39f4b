"""Checks under load: how often panels may be edited. Each ends at the first refusal of all requests (`global`)."""

from collections.abc import Iterator, Sequence
from itertools import cycle, islice

from bot.first_contact.check import Found, Kind, check
from bot.first_contact.contact import PREFIX, Answer, Contact, Panel, Request, UnclearError
from bot.ui.kit.components import Emoji, button, row
from bot.ui.live.panel_requests import START

_CODE = "bot/ui/live/panel_requests.py"
_A_PANEL = 2
"""Edits of one panel a second."""
_MANY, _MOST = 10, 60
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
    return f"{len(answers)} requests, {len(refused)} refused ({', '.join(scopes)}); the slowest took {slow:.1f} s."


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
    is_free = _is_local(answers)
    return Found(is_free, _counted(answers), {} if is_free else {"PANEL_RATE": f"{START:.0f}"})


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
    return Found(_is_local(answers), _counted(answers))


@check("Answers to presses count in no limit.", _CODE, Kind.LOAD)
async def answers_count(contact: Contact) -> Found:
    panels = await contact.panels(_MANY)

    def both() -> Iterator[Request]:
        for number, edit in enumerate(_edits(panels, _MOST * contact.bounds.burst_s)):
            yield edit if number % 2 else ("POST", panels[number % _MANY].answered, {"type": 6})

    answers = await contact.load(_MOST, both())
    return Found(_is_local(answers), _counted(answers))


@check("Edits with emojis of the application are not refused.", "bot/ui/live/custom_emojis.py", Kind.LOAD)
async def emojis(contact: Contact) -> Found:
    listed = (await contact.done("GET", f"{contact.app}/emojis"))["items"]
    if not listed:
        raise UnclearError("The application has no emojis: run `kems emojis sync`.")
    shown = [Emoji(one["name"], int(one["id"])) for one in listed]
    panels = await contact.panels(_MANY)

    def edits() -> Iterator[Request]:
        for number, panel in enumerate(islice(cycle(panels), contact.bounds.edits)):
            control = button(None, f"{PREFIX}emoji:{number}", emoji=shown[number % len(shown)])
            yield panel.edit(f"Edit {number}", row(control))

    answers = await contact.load(_A_PANEL * _MANY, edits())
    refused = sum(answer.status == 400 for answer in answers)
    return Found(not refused, f"{refused} of {len(answers)} edits with emojis are refused by 400. {_counted(answers)}")
