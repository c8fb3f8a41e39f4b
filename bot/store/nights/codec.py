"""Nights as rows, and back."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import msgspec

from bot.errors import StoreError
from bot.nights.host_steps import DoneStep
from bot.nights.night import Night
from bot.nights.timetable import next_at
from bot.store.schema import EntrantRow, NightRow, NightStepRow
from bot.store.schema.columns import NO_NAME


def night_columns(night: Night) -> dict[str, Any]:
    """All columns of a night's row but its id."""
    return {
        "guild_id": night.guild_id,
        "number": night.number,
        "host_id": night.host_id,
        "title": night.plan.title,
        "status": night.status.value,
        "starts_at": night.plan.starts_at,
        "is_live": not night.is_finished or next_at(night) is not None,
        "version": night.version,
        "body": _text(_without_people(night)),
    }


def entrant_columns(night: Night) -> list[dict[str, Any]]:
    """The columns of the night's entrants."""
    return [
        {"night_id": night.id, "number": entrant.number, "user_id": entrant.user_id, "name": entrant.name}
        for entrant in night.entrants
    ]


def step_columns(night: Night) -> list[dict[str, Any]]:
    """The columns of the host's steps."""
    return [
        {"night_id": night.id, "number": number, "by_id": step.by, "body": _text(replace(step, by=None))}
        for number, step in enumerate(night.steps)
    ]


def read_night(row: NightRow, entrants: Sequence[EntrantRow], steps: Sequence[NightStepRow]) -> Night:
    """The night of a row, with its entrants and steps by number. Raises StoreError when it is damaged."""
    try:
        night = msgspec.json.decode(row.body, type=Night)
        log = tuple(replace(msgspec.json.decode(step.body, type=DoneStep), by=step.by_id) for step in steps)
        people = tuple(
            replace(entrant, user_id=person.user_id, name=person.name)
            for entrant, person in zip(night.entrants, entrants, strict=True)
        )
    except (msgspec.MsgspecError, ValueError) as error:
        raise StoreError(f"Night {row.id} cannot be read: {error}.") from error
    return replace(
        night,
        id=row.id,
        guild_id=row.guild_id,
        number=row.number,
        host_id=row.host_id,
        plan=replace(night.plan, title=row.title),
        entrants=people,
        steps=log,
        version=row.version,
    )


def _without_people(night: Night) -> Night:
    entrants = tuple(replace(entrant, user_id=None, name=NO_NAME) for entrant in night.entrants)
    return replace(night, host_id=None, plan=replace(night.plan, title=""), entrants=entrants, steps=())


def _text(value: Night | DoneStep) -> str:
    return msgspec.json.encode(value).decode()
