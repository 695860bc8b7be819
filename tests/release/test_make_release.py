"""Does `make release` refuse what must not be released, and does pip find what it makes?"""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import make_release
import pytest
from make_release import Refused, check_commit, git, newest_section

ROOT = make_release.ROOT
FILES = {
    "pyproject.toml": '[project]\nversion = "1.2.3"\n',
    "CITATION.cff": "version: 1.2.3\n",
    "_config.yml": "repository: {url: https://github.com/some/one, branch: main}\nsphinx: {config: {version: 1.2.3}}\n",
    "CHANGELOG.md": (
        "# Changelog\n\n## [Unreleased]\n\n## [1.2.3] - 2026-12-31\n\n### Added\n\n- More.\n\n"
        "## [1.2.2] - 2026-12-30\n\n- Less.\n\n[Unreleased]: https://example.org/\n"
    ),
}


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository whose commit can be released."""
    for who in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{who}_NAME", "someone")
        monkeypatch.setenv(f"GIT_{who}_EMAIL", "someone@example.org")
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    git(tmp_path, "init", "--quiet")
    commit(tmp_path)
    return tmp_path


def commit(root: Path) -> None:
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "all")


def change(name: str, old: str, new: str) -> Callable[[Path], None]:
    def work(root: Path) -> None:
        text = (root / name).read_text()
        assert old in text
        (root / name).write_text(text.replace(old, new))
        commit(root)

    return work


def tag_an_earlier_commit(root: Path) -> None:
    git(root, "tag", "v1.2.3")
    change("CHANGELOG.md", "More", "Still more")(root)


def test_a_commit_that_can_be_released_is_not_refused(root: Path) -> None:
    assert check_commit(root) == "1.2.3"
    git(root, "tag", "v1.2.3")
    assert check_commit(root) == "1.2.3"
    assert newest_section(root) == ("1.2.3", "### Added\n\n- More.\n")


@pytest.mark.parametrize(
    ("prepare", "why"),
    [
        (lambda root: (root / "new").touch(), r"the files differ from the commit \(\?\? new\): commit or remove"),
        (change("pyproject.toml", "1.2.3", "1.2.4"), "pyproject.toml has version 1.2.4, but CITATION.cff has 1.2.3"),
        (change("CITATION.cff", "1.2.3", "1.2.4"), "pyproject.toml has version 1.2.3, but CITATION.cff has 1.2.4"),
        (change("_config.yml", "1.2.3", "1.2.4"), "but _config.yml has 1.2.4"),
        (change("CHANGELOG.md", "[1.2.3]", "[1.2.4]"), "but CHANGELOG.md has 1.2.4"),
        (change("CHANGELOG.md", "2026", "undated"), "has no section such as"),
        (change("CHANGELOG.md", "sed]\n", "sed]\n\n- New.\n"), r"lists unreleased changes \(- New\.\)"),
        (tag_an_earlier_commit, "v1.2.3 is the tag of another commit: raise the version"),
        (lambda root: git(root, "tag", "v2.0.0"), "has the tag v2.0.0, but its version is 1.2.3"),
    ],
)
def test_what_cannot_be_released_is_refused(root: Path, prepare: Callable[[Path], object], why: str) -> None:
    prepare(root)
    with pytest.raises(Refused, match=why):
        check_commit(root)


def test_the_version_is_the_same_wherever_it_is_named() -> None:
    make_release.agreed_version(ROOT)


def test_the_changelog_fits_two_pages() -> None:
    assert len((ROOT / "CHANGELOG.md").read_text().split()) <= 1000


def test_pip_finds_the_release_in_the_index(tmp_path: Path) -> None:
    code = "import sys; from flit_core import buildapi; buildapi.build_wheel(sys.argv[1])"
    dist, taken = tmp_path / "dist", tmp_path / "taken"
    dist.mkdir()
    subprocess.run([sys.executable, "-c", code, dist], cwd=ROOT, check=True, capture_output=True)
    with make_release.serve_index(dist) as index:
        command = [sys.executable, "-m", "pip", "download", "--isolated", "--no-deps", "--index-url", index]
        subprocess.run([*command, "--dest", taken, make_release.NAME], check=True, capture_output=True, timeout=60)
    (wheel,) = dist.iterdir()
    assert (taken / wheel.name).read_bytes() == wheel.read_bytes()


def test_the_owner_reads_what_is_left_to_do(root: Path) -> None:
    dist = root / "dist"
    dist.mkdir()
    (dist / "some.whl").write_bytes(b"some")
    make_release.write_sums(dist)
    assert (dist / "SHA256SUMS").read_text() == f"{hashlib.sha256(b'some').hexdigest()}  some.whl\n"
    text = make_release.describe(root, dist, "1.2.3", ["this machine: works"])
    assert "git push origin v1.2.3" in text and "gh release create v1.2.3 --repo some/one " in text
    change("_config.yml", "some/one", "OWNER_NOT_SET/one")(root)
    text = make_release.describe(root, dist, "1.2.3", ["this machine: works"])
    assert "git push" not in text and "names no owner yet" in text
