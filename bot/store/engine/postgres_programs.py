"""Runs PostgreSQL's own programs, `pg_dump` and `pg_restore`."""

import asyncio
import os
import shutil
from typing import Final

from sqlalchemy import URL

from bot.errors import StoreError
from bot.store.engine.address import for_programs

_LONGEST_S: Final = 3600
_WAITS_FOR_LOCKS: Final = "-c lock_timeout=10s"


async def run_program(name: str, *arguments: str, url: URL | None = None, failed: str) -> str:
    """Run a program on a database, if it needs one. Returns what it printed.

    `failed` begins the sentence about a failure.

    Raises:
        StoreError: it is not installed, it failed, or it took longer than an hour.
    """
    program = shutil.which(name)
    if program is None:
        raise StoreError(f"{name} is not installed: install PostgreSQL's client programs, or work on its server.")
    address, secret = ("", {}) if url is None else for_programs(url)
    process = await asyncio.create_subprocess_exec(
        program,
        *([] if url is None else [f"--dbname={address}"]),
        *arguments,
        env={"PGOPTIONS": _WAITS_FOR_LOCKS, **os.environ, **secret},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(_LONGEST_S):
            printed, said = await process.communicate()
    except TimeoutError:
        raise StoreError(f"{failed} within an hour.") from None
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode:
        lines = [line for line in said.decode(errors="replace").splitlines() if line.strip()] or ["it does not say why"]
        first = next((line for line in lines if "error:" in line), lines[-1])
        raise StoreError(f"{failed}: {first.strip().rstrip('.')}.")
    return printed.decode(errors="replace")
