"""Choose which tests run: all of them nightly, and otherwise those whose result may have changed.

`rare` marks what is slow and seldom breaks alone: `make test-all` runs it, `make test` does not. In a module that is
rare as a whole, `smoke` marks the tests that `make test` runs all the same, so that no part goes untested at a push.

A test that has passed is left out until something changes that its result depends on: any file of the repository that
git does not ignore, this Python, its packages, or this kind of machine. `cached(*inputs)` marks a test that depends on
fewer: on the files that match `inputs` (patterns below the repository's root), those among its parameters, its own
module and the tests' helpers. Of a Python file among them, what it compiles to counts: a change of comments or layout
runs nothing again. The cells of a notebook are left out together, since each needs those above it.

pytest's own cache keeps what has passed, so a fresh clone runs everything, as `make test-all` always does.

A test's own mark counts instead of its module's.
"""

from __future__ import annotations

import hashlib
import platform
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import cache
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType

import pytest

ROOT = Path(__file__).parents[1]
PASSED = "course/passed"
_PROPERTY = "cached"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all", action="store_true", help="run every test, rare ones and those that have passed before")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "rare: slow, and seldom breaks alone; runs with --all")
    config.addinivalue_line("markers", "smoke: runs without --all though its module is rare")
    config.addinivalue_line("markers", "cached(*inputs): left out while these files are as when it passed")
    if not hasattr(config, "workerinput"):  # the process that sees the results of all tests
        config.pluginmanager.register(_Passes(config), "course-passes")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what need not run. (All workers of pytest-xdist decide alike: the cache is written last.)"""
    if config.getoption("--all"):
        return
    cache = getattr(config, "cache", None)
    before: dict[str, str] = cache.get(PASSED, {}) if cache else {}
    together: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        together[str(item.path) if item.path.suffix == ".ipynb" else item.nodeid].append(item)
    left_out: list[pytest.Item] = []
    for group in together.values():
        keys = [_key(item) for item in group]
        for item, key in zip(group, keys, strict=True):
            item.user_properties.append((_PROPERTY, key))
        if is_rare(group[0]) or all(before.get(item.nodeid) == key for item, key in zip(group, keys, strict=True)):
            left_out += group
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        gone = set(left_out)
        items[:] = [item for item in items if item not in gone]


def is_rare(item: pytest.Item) -> bool:
    """Return whether the test runs with --all only."""
    return item.get_closest_marker("rare") is not None and item.get_closest_marker("smoke") is None


class _Passes:
    """Records what has passed, for the next run."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._passed: dict[str, str] = {}
        self._failed: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        key = dict(report.user_properties).get(_PROPERTY)
        if report.outcome != "passed":
            self._failed.add(report.nodeid)
        elif key and report.when == "teardown":
            self._passed[report.nodeid] = str(key)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        cache = getattr(self._config, "cache", None)  # none: -p no:cacheprovider
        if cache is None:
            return
        before = cache.get(PASSED, {})
        passed = {name: key for name, key in (before | self._passed).items() if name not in self._failed}
        cache.set(PASSED, passed)
        everything = passed and not self._config.getoption("keyword")
        if everything and session.exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED:
            session.exitstatus = pytest.ExitCode.OK  # all have passed before


def _key(item: pytest.Item) -> str:
    """A digest of what the result of a test depends on."""
    mark = item.get_closest_marker("cached")
    if mark is None:
        return _digest_of_everything()
    parameters = getattr(getattr(item, "callspec", None), "params", {}).values()
    given = [path for path in parameters if isinstance(path, Path) and path.is_file()]
    parts = [_digest_of(frozenset(mark.args)), _common(), *(_digest_built(path) for path in [item.path, *given])]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:32]


@cache
def _digest_of_everything() -> str:
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
    files = {ROOT / name for name in names if name}
    return _joined(_digest, (path for path in files if path.is_file()), *_system())[:32]


@cache
def _common() -> str:
    """What every test depends on: its helpers, the pinned libraries, and the system."""
    helpers = [path for path in (ROOT / "tests").rglob("*.py") if not path.name.startswith("test_")]
    files = [*helpers, ROOT / "requirements.txt", ROOT / "pyproject.toml"]
    return _joined(_digest_built, files, *_system())


@cache
def _system() -> tuple[str, ...]:
    """This Python, its packages (not always the pinned ones: CuPy and NVRTC may be of another CUDA), and this kind of
    machine."""
    packages = {path.name for folder in sys.path for path in Path(folder).glob("*.dist-info")}
    return platform.python_version(), platform.platform(), *sorted(packages)


@cache
def _digest_of(patterns: frozenset[str]) -> str:
    found = frozenset[Path]().union(*map(_matching, patterns))
    if not found:
        raise pytest.UsageError(f"no file matches {', '.join(sorted(patterns))}: a cached test needs its inputs")
    return _joined(_digest_built, found)


@cache
def _matching(pattern: str) -> frozenset[Path]:
    found = ROOT.glob(pattern)
    return frozenset(path for path in found if "__pycache__" not in path.parts and path.is_file())


def _joined(digest: Callable[[Path], str], paths: Iterable[Path], *words: str) -> str:
    lines = sorted(f"{path.relative_to(ROOT)} {digest(path)}" for path in paths)
    return hashlib.sha256("\n".join([*lines, *words]).encode()).hexdigest()


@cache
def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


@cache
def _digest_built(path: Path) -> str:
    """Return a digest of the code that a Python file compiles to, and of the content of any other file."""
    if path.suffix != ".py":
        return _digest(path)
    code = SourceFileLoader(path.stem, str(path)).get_code(path.stem)  # from the cached bytecode, if it is up to date
    return hashlib.sha256(repr(_without_lines(code)).encode()).hexdigest()


def _without_lines(value: object) -> object:
    """Return a constant of compiled code without the positions of the code's lines, equal in each process."""
    if isinstance(value, CodeType):
        names = (value.co_name, value.co_names, value.co_varnames, value.co_cellvars, value.co_freevars)
        counts = (value.co_argcount, value.co_posonlyargcount, value.co_kwonlyargcount, value.co_flags)
        return value.co_code, value.co_exceptiontable, names, counts, _without_lines(value.co_consts)
    if isinstance(value, tuple):
        return tuple(map(_without_lines, value))
    return sorted(map(repr, value)) if isinstance(value, frozenset) else value
