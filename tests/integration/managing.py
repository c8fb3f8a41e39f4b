"""What people do in two steps: a command and its private answer, a question or a form and the answer to it."""

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


async def answer_of(member: Member, command: str, /, **options: object) -> str:
    """Use a command; what its member reads in private then."""
    await member.slash(command, **options)
    return member.last(ephemeral=True).text
