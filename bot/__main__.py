"""`kems`, and `python -m bot`.

A bot that runs for years does not load what reads the command line (`bot.operating.cli`).
"""

import os
import signal
import sys

from bot.base.errors import KemsError
from bot.operating import run as running


def main() -> None:
    """Runs the command that the process was started with; a `KemsError` becomes its sentence and exit status.

    What no repetition mends ends with status 78, after which systemd starts no process again. Docker knows no status:
    in a container a bot waits then, unhealthy, until a signal stops it.
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
