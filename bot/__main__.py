"""`kems`, and `python -m bot`.

A bot that runs for years does not load what reads the command line (`bot.operating.cli`).
"""

import os
import signal
import sys

from bot.base.errors import KemsError
from bot.operating import run as running


def main() -> None:
    """Run the command of the process's arguments; on a `KemsError`, print its sentence and exit with its status.

    Status 78 (`EX_CONFIG`) stands for what another start would not mend: the systemd unit then starts no process again.
    Docker would restart the bot whatever the status is, so in a container it stays, unhealthy, until a signal stops it.

    Raises:
        OSError: The command failed in a way that it does not explain.
    """
    try:
        if sys.argv[1:] == ["run"]:
            running.run()
        else:
            from bot.operating.cli import app

            app()
    except KemsError as error:
        sys.stderr.write(f"{error}\n")
        if error.status == os.EX_CONFIG and "KEMS_CONTAINER" in os.environ and sys.argv[1:] == ["run"]:
            stops = {signal.SIGTERM, signal.SIGINT}
            signal.pthread_sigmask(signal.SIG_BLOCK, stops)
            signal.sigwait(stops)
        sys.exit(error.status)
    except OSError as error:
        if "--install-completion" not in sys.argv:
            raise
        sys.exit(f"{error.filename} cannot be written: {error.strerror}. Completions go there.")


if __name__ == "__main__":
    main()
