"""Takes a thread out of Discord's archive. It knows no game."""

import discord
import structlog

_log = structlog.get_logger(__name__)


async def reopen(client: discord.Client, thread_id: int) -> bool:
    """Take a thread out of the archive; False where Discord refuses that, as it does if the thread is locked."""
    try:
        thread = await client.fetch_channel(thread_id)
        if isinstance(thread, discord.Thread):
            await thread.edit(archived=False)
    except discord.HTTPException as error:
        _log.info("thread.closed", thread=thread_id, status=error.status, code=error.code)
        return False
    return True
