"""`make audit` says whether packages are vulnerable, or that nobody could be asked, and never shows a traceback."""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
OFFLINE = "Traceback (most recent call last):\n  File x\nrequests.exceptions.ProxyError: Max retries exceeded"


@pytest.mark.parametrize(
    ("found", "said", "status", "told"),
    [
        ("", "No known vulnerabilities found", 0, "No known vulnerabilities found\n"),
        ("aiohttp 3.0 CVE-1", "Found 1 known vulnerability", 1, "Found 1 known vulnerability\n"),
        (
            "",
            OFFLINE,
            1,
            "The list of known vulnerabilities cannot be reached: is this machine online? Nothing has been checked.\n",
        ),
    ],
    ids=["none", "one", "offline"],
)
def test_what_the_audit_says(tmp_path: Path, found: str, said: str, status: int, told: str) -> None:
    tool = tmp_path / "pip-audit"
    tool.write_text(f"#!/bin/sh\necho '{found}'\ncat >&2 <<'EOF'\n{said}\nEOF\nexit {status}\n")
    tool.chmod(0o755)
    done = subprocess.run(["/bin/sh", ".ci/audit.sh", tmp_path], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == (f"{found}\n", told)
    assert done.returncode == (2 if said == OFFLINE else status)
