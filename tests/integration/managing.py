"""What a manager of the server does in two steps: a question or a form, and the answer to it."""

from __future__ import annotations

from tests.integration.harness import Member


async def end_season(member: Member) -> None:
    """Ask for the end of the running season, and confirm it."""
    await member.slash("kems-admin season end")
    question = member.last(ephemeral=True)
    (confirmed,) = (control.plain_id for control in question.controls)
    await member.click(confirmed, question)


async def void(member: Member, number: int, reason: str) -> None:
    """Declare a match void, with the reason that the form asks for."""
    form = await member.slash("kems-admin ladder void", table=number)
    await member.submit(form, reason)
