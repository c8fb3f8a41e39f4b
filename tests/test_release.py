"""`make release` on a copy of the project, without its gate: what it makes and refuses; and what `make audit` says."""

import os
import re
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
WITHOUT_IMAGE = 3
RELEASE = ROOT / ".github" / "workflows" / "release.yml"
NOBODY = {
    **dict.fromkeys(("GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"), "Nobody"),
    **dict.fromkeys(("GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"), "nobody@example.org"),
}


def git(copy: Path, *words: str) -> str:
    environment = {**os.environ, **NOBODY}
    command = ["/usr/bin/env", "git", *words]
    done = subprocess.run(command, cwd=copy, env=environment, check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project's files as the first commit of a repository of its own."""
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("this is no checkout")
    folder = tmp_path_factory.mktemp("project")
    for name in git(ROOT, "ls-files", "--cached", "--others", "--exclude-standard").splitlines():
        if not name.startswith("tests/") and (ROOT / name).exists():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    git(folder, "init", "--quiet")
    commit(folder, "Begin")
    return folder


@pytest.fixture
def copy(project: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(project, tmp_path / "copy"))


def commit(copy: Path, message: str) -> None:
    git(copy, "add", "--all")
    git(copy, "commit", "--quiet", "--message", message)


def release(copy: Path, gate: str = "true") -> subprocess.CompletedProcess[str]:
    """Where git is the only program, so there is no container engine."""
    programs, git_here = copy.parent / "bin", shutil.which("git")
    if not programs.exists():
        programs.mkdir()
        (programs / "git").symlink_to(git_here)
    environment = {**os.environ, **NOBODY, "PATH": str(programs)}
    command = [sys.executable, ROOT / ".ci" / "release.py", "--gate", gate]
    return subprocess.run(command, cwd=copy, env=environment, check=False, capture_output=True, text=True, timeout=120)


def raise_version(copy: Path, old: str, new: str) -> None:
    project = copy / "pyproject.toml"
    project.write_text(project.read_text().replace(f'version = "{old}"', f'version = "{new}"', 1))
    changelog = copy / "CHANGELOG.md"
    changelog.write_text(changelog.read_text().replace("## [Unreleased]\n", "## [Unreleased]\n\n- News.\n", 1))
    commit(copy, f"Begin {new}")


def test_a_release_is_dated_tagged_and_built(copy: Path) -> None:
    done = release(copy)
    assert done.returncode == WITHOUT_IMAGE, done.stderr
    assert git(copy, "tag") == "v0.1.0"
    assert git(copy, "log", "-1", "--format=%s") == "Release 0.1.0"
    assert git(copy, "status", "--porcelain") == ""
    heading = f"## [Unreleased]\n\n## [0.1.0] - {datetime.now(UTC):%Y-%m-%d}\n"
    assert heading in (copy / "CHANGELOG.md").read_text(encoding="utf-8")
    assert "### To play" in git(copy, "tag", "--list", "--format=%(contents)")
    assert [wheel.name for wheel in (copy / "dist").iterdir()] == ["kems_bot-0.1.0-py3-none-any.whl"]
    assert "Not done: the image, for no container engine answers here." in done.stdout
    again = release(copy)
    assert again.returncode == 1
    assert "v0.1.0 is released already" in again.stderr


def test_nothing_is_released_when_the_tree_is_not_clean_or_not_green(copy: Path) -> None:
    before = git(copy, "rev-parse", "HEAD")
    red = release(copy, gate="exit 3")
    assert (red.returncode, "nothing was released" in red.stderr) == (1, True)
    (copy / "stray.txt").write_text("")
    dirty = release(copy)
    assert (dirty.returncode, "stray.txt" in dirty.stderr) == (1, True)
    assert (git(copy, "tag"), git(copy, "rev-parse", "HEAD")) == ("", before)


def test_a_released_schema_stays_and_a_patch_release_adds_no_revision(copy: Path) -> None:
    assert release(copy).returncode == WITHOUT_IMAGE
    first, second = (copy / "migrations/versions" / name for name in ("0001_initial.py", "0002_more.py"))
    text = first.read_text(encoding="utf-8")

    first.write_text(text + "\n")
    raise_version(copy, "0.1.0", "0.2.0")
    edited = release(copy)
    assert (edited.returncode, "0001_initial.py" in edited.stderr) == (1, True)

    first.write_text(text)
    second.write_text('"""More."""\n')
    raise_version(copy, "0.2.0", "0.1.1")
    patch = release(copy)
    assert (patch.returncode, "make it a minor release" in patch.stderr) == (1, True)

    raise_version(copy, "0.1.1", "0.2.0")
    assert release(copy).returncode == WITHOUT_IMAGE
    assert git(copy, "tag").split() == ["v0.1.0", "v0.2.0"]


OFFLINE = "Traceback (most recent call last):\n  File x\nrequests.exceptions.ProxyError: Max retries exceeded"


UNREACHED = "The list of known vulnerabilities cannot be reached"


@pytest.mark.parametrize(
    ("found", "said", "status", "told"),
    [
        ("", "No known vulnerabilities found", 0, "No known vulnerabilities found"),
        ("aiohttp 3.0 CVE-1", "Found 1 known vulnerability", 1, "Found 1 known vulnerability"),
        ("", OFFLINE, 1, f"{UNREACHED}: is this machine online? Nothing has been checked."),
    ],
    ids=["none", "one", "offline"],
)
def test_the_audit_names_vulnerable_packages(tmp_path: Path, found: str, said: str, status: int, told: str) -> None:
    tool = tmp_path / "pip-audit"
    tool.write_text(f"#!/bin/sh\necho '{found}'\ncat >&2 <<'EOF'\n{said}\nEOF\nexit {status}\n")
    tool.chmod(0o755)
    done = subprocess.run(["/bin/sh", ".ci/audit.sh", tmp_path], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == (f"{found}\n", f"{told}\n")
    assert done.returncode == (2 if said == OFFLINE else status)


def test_a_missing_wheel_is_reported_with_its_machine_and_python(tmp_path: Path) -> None:
    tool = tmp_path / "uv"
    tool.write_text('#!/bin/sh\ncase "$*" in *aarch64*3.14*) exit 1 ;; esac\n')
    tool.chmod(0o755)
    done = subprocess.run(["/bin/sh", ".ci/wheels.sh", tmp_path], cwd=ROOT, capture_output=True, text=True, check=False)
    lines = done.stdout.splitlines()
    assert (done.returncode, len(lines)) == (1, 8)
    assert [line for line in lines if not line.startswith("ok ")] == [
        "!!  aarch64, Python 3.14: a wheel is missing, see above"
    ]


def test_the_published_notes_are_those_of_the_tag(copy: Path, tmp_path: Path) -> None:
    """Where the checkout has left a tag without them: https://github.com/actions/checkout/issues/290."""
    git(copy, "tag", "--annotate", "v0.1.0", "--message", "What is new")
    there = tmp_path / "there"
    git(tmp_path, "clone", "--quiet", "--no-tags", str(copy), str(there))
    git(there, "tag", "v0.1.0", git(there, "rev-parse", "HEAD"))
    tool = tmp_path / "gh"
    tool.write_text('#!/bin/sh\necho "$1 $2 $3"; git tag --list --format="%(contents)" "$3"\n')
    tool.chmod(0o755)
    (steps,) = re.findall(r"- name: Publish\n.*?run: \|.*?\n(.*?)(?=\n {6}- )", RELEASE.read_text("utf-8"), re.DOTALL)
    told = {
        **os.environ,
        "PATH": f"{tmp_path}:{os.environ['PATH']}",
        "GITHUB_REF": "refs/tags/v0.1.0",
        "GITHUB_REF_NAME": "v0.1.0",
    }
    done = subprocess.run(["/bin/sh", "-ec", steps], cwd=there, env=told, check=True, capture_output=True, text=True)
    assert done.stdout == "release create v0.1.0\nWhat is new\n\n"


def test_no_job_with_write_permission_runs_downloaded_or_built_code() -> None:
    """Foreign code runs while wheels and images are built; what publishes them runs the tools of the runner alone."""
    jobs = re.split(r"\n  (?=\w+:)", RELEASE.read_text("utf-8").partition("\njobs:")[2])
    writing = [job for job in jobs if ": write" in job]
    assert len(writing) == 1
    assert not re.search(r"\bmake\b|docker (?:build|run)|hatchling|pip|python|\.venv", writing[0])
    building = next(job for job in jobs if job.startswith("build:"))
    assert "persist-credentials: false" in building


def test_workflows_pin_actions_to_commits() -> None:
    files = (ROOT / ".github" / "workflows").glob("*.yml")
    used = [line for file in files for line in re.findall(r"uses: (.+)", file.read_text(encoding="utf-8"))]
    assert used
    assert [name for name in used if not re.fullmatch(r"\./[\w./-]+|[\w/-]+@[\da-f]{40}  # v[\d.]+", name)] == []
