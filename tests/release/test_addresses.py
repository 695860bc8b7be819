"""Does every address that follows from the repository's own lead somewhere once that is set?

The repository is published on this machine, in place of GitHub: its files, a clone that a web server serves, its book.
`tests/test_colab.py` installs the archive that a notebook names.
"""

from __future__ import annotations

import http.server
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from browsing import Quiet
from make_release import ROOT, git

from autograder.classroom.commands.course import make_book
from autograder.exercises.authoring.repository import NOT_SET

pytestmark = pytest.mark.rare

ON_GITHUB = "https://github.com/the-owner/cooperating-threads"
PAGES = "https://the-owner.github.io/cooperating-threads"
#: What GitHub has for each repository, besides its files.
GITHUB_HAS = (
    r"(/archive/refs/heads/main\.zip|/issues|/security/advisories/new"
    r"|/releases/tag/v[\d.]+|/compare/v[\d.]+\.\.\.HEAD)?"
)


def publish(folder: Path, address: str) -> Path:
    """A copy of this repository's files as they are now, with `address` set as its README says."""
    for name in git(ROOT, "ls-files").splitlines():
        if (ROOT / name).exists():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes((ROOT / name).read_bytes())
    config = folder / "_config.yml"
    text = config.read_text()
    config.write_text(re.sub(r"^  url: \S+$", f"  url: {address}", text, flags=re.MULTILINE))
    subprocess.run([sys.executable, "-m", "autograder", "release"], cwd=folder, check=True, capture_output=True)
    return folder


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return publish(tmp_path_factory.mktemp("published"), ON_GITHUB)


def texts(folder: Path, pattern: str) -> Iterator[tuple[str, str]]:
    for path in sorted(folder.rglob(pattern)):
        if path.is_file() and path.suffix not in (".png", ".svg", ".zip", ".gz"):
            yield str(path.relative_to(folder)), path.read_bytes().decode(errors="replace")


def test_each_address_in_the_files_leads_somewhere(published: Path) -> None:
    found = 0
    for name, text in texts(published, "*"):
        assert f"/{NOT_SET}" not in text, name
        for rest in re.findall(rf"{ON_GITHUB}([\w/.#-]*[\w/])?", text):
            found += 1
            if rest.startswith("/blob/HEAD/"):
                assert (published / rest.removeprefix("/blob/HEAD/")).is_file(), (name, rest)
            else:
                assert re.fullmatch(GITHUB_HAS, rest), (name, rest)
    assert found > len(list(published.glob("exercises/*/*.ipynb")))


def test_each_address_in_the_book_leads_somewhere(published: Path) -> None:
    html = make_book(published)
    pages = dict(texts(html, "*.html"))
    for name, text in pages.items():
        assert f"/{NOT_SET}" not in text, name
        for rest, place in re.findall(rf"{PAGES}(?:/([\w/.-]*)(#[\w-]+)?)?", text):
            assert not rest or (html / rest).is_file(), (name, rest)
            assert not place or f'id="{place[1:]}"' in pages[rest], (name, rest, place)
    for notebook in published.glob("exercises/*/*.ipynb"):
        path = notebook.relative_to(published)
        page = pages[str(path.with_suffix(".html"))]
        colab = f"https://colab.research.google.com/github/the-owner/cooperating-threads/blob/main/{path}"
        assert f'href="{colab}"' in page and f'href="{ON_GITHUB}"' in page


def test_pip_installs_from_the_repository(tmp_path: Path) -> None:
    served = tmp_path / "served"
    served.mkdir()
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(served))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/the-owner/cooperating-threads"
        source = publish(tmp_path / "source", address)
        who = ("-c", "user.name=someone", "-c", "user.email=someone@example.org")
        git(source, "init", "--quiet", "--initial-branch", "main")
        git(source, "add", "--all")
        git(source, *who, "commit", "--quiet", "--message", "all")
        git(tmp_path, "clone", "--quiet", "--bare", "source", "served/the-owner/cooperating-threads")
        git(served / "the-owner" / "cooperating-threads", "update-server-info")
        options = ("--no-deps", "--no-build-isolation", "--target", tmp_path / "site")  # nothing but the repository
        pip = (sys.executable, "-m", "pip", "install")
        subprocess.run([*pip, *options, f"git+{address}"], check=True, capture_output=True, timeout=300)
        server.shutdown()
    (metadata,) = (tmp_path / "site").glob("*.dist-info/METADATA")
    assert f"Project-URL: Repository, {address}\n" in metadata.read_text()
    env = os.environ | {"PYTHONPATH": str(tmp_path / "site")}
    command = [sys.executable, "-c", "import autograder; print(autograder.__file__)"]
    where = subprocess.run(command, cwd=tmp_path, env=env, check=True, capture_output=True, text=True).stdout
    assert where.strip() == str(tmp_path / "site" / "autograder" / "__init__.py")
