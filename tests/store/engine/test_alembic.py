"""Contributors run Alembic's own command line in a checkout; it works on the settings' database."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]


def alembic(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "alembic", *arguments],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": f"sqlite:///{folder / 'kems.db'}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_command_line_of_alembic_upgrades_and_checks(tmp_path: Path) -> None:
    alembic(tmp_path, "upgrade", "head")
    assert "(head)" in alembic(tmp_path, "current")
    assert "No new upgrade operations" in alembic(tmp_path, "check")
