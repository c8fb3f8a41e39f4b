"""Reads nights with their entrants and steps."""

from sqlalchemy import Select, select
from sqlalchemy.ext.asyncio import AsyncSession

from bot.nights.night import Night
from bot.store.nights.codec import read_night
from bot.store.schema import EntrantRow, NightRow, NightStepRow


async def read_nights(session: AsyncSession, query: Select[NightRow]) -> list[Night]:
    """The nights of a query, in its order. Raises StoreError when one is damaged."""
    rows = (await session.scalars(query)).all()
    ids = [row.id for row in rows]
    entrants: dict[int, list[EntrantRow]] = {night_id: [] for night_id in ids}
    steps: dict[int, list[NightStepRow]] = {night_id: [] for night_id in ids}
    of_entrants = (
        select(EntrantRow).where(EntrantRow.night_id.in_(ids)).order_by(EntrantRow.night_id, EntrantRow.number)
    )
    for entrant in await session.scalars(of_entrants):
        entrants[entrant.night_id].append(entrant)
    of_steps = (
        select(NightStepRow).where(NightStepRow.night_id.in_(ids)).order_by(NightStepRow.night_id, NightStepRow.number)
    )
    for step in await session.scalars(of_steps):
        steps[step.night_id].append(step)
    return [read_night(row, entrants[row.id], steps[row.id]) for row in rows]
