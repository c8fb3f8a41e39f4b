"""What a system command has done, and disks that have no room left."""

import errno
import shutil
import subprocess
from pathlib import Path


def is_done(*command: str | Path, at_most: int = 0) -> bool:
    return shutil.which(command[0]) is not None and subprocess.run(command, check=False).returncode <= at_most


def fill(file: Path) -> None:
    try:
        with file.open("wb", buffering=0) as filler:
            while True:
                filler.write(bytes(4096))
    except OSError as error:
        assert error.errno == errno.ENOSPC  # noqa: PT017 - the end of the loop
