"""Make, check and describe the release of the commit that is checked out: `make release`. Uploads nothing.

It writes to dist/: the source archive, the wheel, the book, the release notes (this version's section of CHANGELOG.md)
and SHA256SUMS. All files are made from the commit alone. The source archive and the wheel have its date, so anybody who
builds them again gets the same bytes.
"""

from __future__ import annotations

import functools
import hashlib
import http.server
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import threading
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import yaml

from autograder.classroom.commands.course import make_book
from autograder.cuda.errors import UsageError
from autograder.exercises.authoring.repository import course_address, owner_problem

ROOT = Path(__file__).resolve().parents[2]
NAME = "cooperating-threads"
#: Where `make release` installs `build` and `twine`.
TOOLS = ROOT / ".venv-release" / "bin" / "python"
SMOKE = Path("tests", "release", "smoke.py")
BARE_MACHINE = Path("tests", "bare", "bare_machine.py")
#: Debian releases whose Python is the oldest, a middle and the newest one that the course supports.
SUITES = ("bookworm", "trixie", "forky")
NO_MACHINE = 125


class Refused(Exception):
    """Why this commit cannot be released, in one sentence that says what to do."""


def main() -> int:
    try:
        version = check_commit(ROOT)
        dist = make(ROOT, version)
        smoke_tests = try_it(ROOT, dist, version)
    except (Refused, UsageError) as why:
        print(f"No release was made: {why}", file=sys.stderr)
        return 1
    write_sums(dist)
    print(f"\n{describe(ROOT, dist, version, smoke_tests)}")
    return 0


def check_commit(root: Path) -> str:
    """Return the version that the checked-out commit of `root` releases.

    Raises:
        Refused: files differ from the commit, changes have no version yet, versions differ from each other, or a tag
            belongs to another version or commit.
    """
    if changed := git(root, "status", "--porcelain").splitlines():
        raise Refused(f"the files differ from the commit ({changed[0].strip()}): commit or remove what differs.")
    if first := unreleased_changes(root).partition("\n")[0]:
        raise Refused(f"CHANGELOG.md lists unreleased changes ({first}): give them a version and a date.")
    version = agreed_version(root)
    tag = f"v{version}"
    here = set(git(root, "tag", "--points-at", "HEAD", "--list", "v*").split())
    if git(root, "tag", "--list", tag) and tag not in here:
        raise Refused(f"{tag} is the tag of another commit: raise the version.")
    for other in sorted(here - {tag}):
        raise Refused(f"the commit has the tag {other}, but its version is {version}: make them agree.")
    return version


def agreed_version(root: Path) -> str:
    """Return the version in pyproject.toml.

    Raises:
        Refused: another file has another version.
    """
    version: str = tomllib.loads((root / "pyproject.toml").read_text())["project"]["version"]
    others = {
        "CITATION.cff": yaml.safe_load((root / "CITATION.cff").read_text())["version"],
        "_config.yml": yaml.safe_load((root / "_config.yml").read_text())["sphinx"]["config"]["version"],
        "CHANGELOG.md": newest_section(root)[0],
    }
    for name, other in others.items():
        if other != version:
            raise Refused(f"pyproject.toml has version {version}, but {name} has {other}: make them agree.")
    return version


def unreleased_changes(root: Path) -> str:
    """What CHANGELOG.md lists above its newest release."""
    above = re.split(r"^## \[\d", (root / "CHANGELOG.md").read_text(), maxsplit=1, flags=re.MULTILINE)[0]
    return above.partition("## [Unreleased]\n")[2].strip()


def newest_section(root: Path) -> tuple[str, str]:
    """Version and text of the newest release in CHANGELOG.md.

    Raises:
        Refused: it has none.
    """
    text = re.sub(r"^\[[^]]+\]: \S+\n", "", (root / "CHANGELOG.md").read_text(), flags=re.MULTILINE)  # targets of links
    found = re.search(r"^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d\d-\d\d\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    if found is None:
        raise Refused("CHANGELOG.md has no section such as `## [1.0.0] - 2026-12-31`: write it.")
    return found[1], found[2].strip() + "\n"


def make(root: Path, version: str) -> Path:
    """Fill dist/ from the checked-out commit of `root` and return it.

    Raises:
        Refused: a second build differs from the first, or a step fails.
        UsageError: the book cannot be built.
    """
    dist = root / "dist"
    shutil.rmtree(dist, ignore_errors=True)
    with tempfile.TemporaryDirectory() as folder:
        first, second = (export(root, Path(folder) / name) for name in ("first", "second"))
        for source in (first, second):
            epoch = str(time_of(root))
            run(source, TOOLS, "-m", "build", "--no-isolation", SOURCE_DATE_EPOCH=epoch)
        for path in sorted((first / "dist").iterdir()):
            if path.read_bytes() != (second / "dist" / path.name).read_bytes():
                raise Refused(f"two builds of {path.name} differ: compare them, for instance with diffoscope.")
        shutil.copytree(first / "dist", dist)
        run(root, TOOLS, "-m", "twine", "check", "--strict", *sorted(dist.iterdir()))
        print("Building the book: some minutes.", flush=True)
        pack(make_book(second), dist / f"{NAME}-{version}-book.tar.gz")
    (dist / "release-notes.md").write_text(newest_section(root)[1])
    return dist


def export(root: Path, folder: Path) -> Path:
    """Write the files of the checked-out commit to `folder` and return it."""
    folder.mkdir()
    archive = subprocess.run(["git", "archive", "HEAD"], cwd=root, check=True, capture_output=True).stdout
    subprocess.run(["tar", "-x", "-C", folder], input=archive, check=True)
    return folder


def pack(folder: Path, archive: Path) -> None:
    with tarfile.open(archive, "w:gz") as tar:
        tar.add(folder, archive.name.removesuffix(".tar.gz"))


def try_it(root: Path, dist: Path, version: str) -> list[str]:
    """Install the release from a package index on this machine and on bare ones; return a line for each.

    Raises:
        Refused: it does not work on one of them.
    """
    lines = []
    with serve_index(dist) as index:
        smoke = (str(SMOKE), index, version)
        run(root, sys.executable, *smoke)
        lines.append(f"this machine: works, with Python {sys.version.split()[0]}")
        for suite in SUITES:
            done = subprocess.run([root / BARE_MACHINE, suite, "python3", *smoke], cwd=root)
            if done.returncode not in (0, NO_MACHINE):
                raise Refused(f"the smoke test failed on a bare machine with {suite}, as printed above.")
            lines.append(f"{suite}: {'works' if done.returncode == 0 else 'not tried, for the reason printed above'}")
    return lines


@contextmanager
def serve_index(dist: Path) -> Iterator[str]:
    """A package index (PEP 503) on this machine that holds the archives of `dist`; its address."""
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder) / "simple" / NAME
        project.mkdir(parents=True)
        for path in (*dist.glob("*.whl"), *dist.glob(f"{NAME.replace('-', '_')}*.tar.gz")):
            shutil.copy(path, project)
        handler = functools.partial(_Quiet, directory=folder)  # lists a folder as the links that pip looks for
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            yield f"http://127.0.0.1:{server.server_port}/simple/"
            server.shutdown()


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


def write_sums(dist: Path) -> None:
    """Write SHA256SUMS, which `sha256sum -c` checks."""
    files = sorted(dist.iterdir())
    sums = (f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files)
    (dist / "SHA256SUMS").write_text("".join(sums))


def describe(root: Path, dist: Path, version: str, smoke_tests: list[str]) -> str:
    """What was made, where it was tried, and what is left to do for whoever may upload it."""
    files = [f"  {path.stat().st_size / 1e6:7.2f} MB  dist/{path.name}" for path in sorted(dist.iterdir())]
    if problem := owner_problem(root):
        steps = [f"{problem} Commit that, and run `make release` again."]
    else:
        repository = course_address(root).removeprefix("https://github.com/")
        about = f"--repo {repository} --title {version} --notes-file dist/release-notes.md"
        steps = [
            f"git tag -a v{version} -m {version} && git push origin v{version}",
            'approve the upload to PyPI in the workflow "Release", or run `make upload`',
            f"gh release create v{version} {about} dist/*.whl dist/*.tar.gz dist/SHA256SUMS",
        ]
    return "\n".join(
        (
            f"Version {version}, of commit {git(root, 'log', '-1', '--format=%h %s').strip()}:",
            *files,
            "Smoke test:",
            *(f"  {line}" for line in smoke_tests),
            "Left to do, by the owner of the repository:",
            *(f"  {line}" for line in steps),
        )
    )


def time_of(root: Path) -> int:
    """The time of the checked-out commit, in seconds since 1970."""
    return int(git(root, "log", "-1", "--format=%ct"))


def git(root: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True, text=True).stdout


def run(folder: Path, *command: str | Path, **environment: str) -> None:
    """
    Raises:
        Refused: the command fails. It has printed why.
    """
    if subprocess.run(command, cwd=folder, env=os.environ | environment).returncode:
        raise Refused(f"`{' '.join(map(str, command))}` failed, as printed above.")


if __name__ == "__main__":
    sys.exit(main())
