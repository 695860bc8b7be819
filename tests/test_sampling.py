"""Does `make test` run some cases of each group, the same ones each time, and those whose files were just changed?"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

HERE = Path(__file__).parent
TEST = """
from pathlib import Path
import pytest
FILES = sorted((Path(__file__).parents[1] / "data").glob("*"))

@pytest.mark.sampled(among="way")
@pytest.mark.parametrize("way", ["plain", "fast", "odd"])
@pytest.mark.parametrize("number", range(5))
def test_ways(number, way): pass

@pytest.mark.sampled(by=lambda path: path.name[0], one_in=4)
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_files(path): pass

@pytest.mark.sampled()
@pytest.mark.parametrize("number", range(9))
def test_any(number): pass

def test_alone(): pass
"""

pytestmark = pytest.mark.cached("tests/result_cache.py", "tests/sampling.py")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    for name in ("tests", "data"):
        (tmp_path / name).mkdir()
    for name in (*(f"a{number}" for number in range(12)), "b"):
        (tmp_path / "data" / name).write_text("1")
    (tmp_path / "tests" / "test_it.py").write_text(TEST)
    (tmp_path / "tests" / "conftest.py").write_text('pytest_plugins = ["result_cache", "sampling"]')
    for name in ("pyproject.toml", "requirements.txt"):
        (tmp_path / name).write_text("")
    for name in ("sampling.py", "result_cache.py"):
        shutil.copy(HERE / name, tmp_path / "tests")
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    commit(tmp_path)
    return tmp_path


def commit(repository: Path) -> None:
    for command in ("add -A", "-c user.name=a -c user.email=a@b commit -q --allow-empty -m all"):
        subprocess.run(["git", *command.split()], cwd=repository, check=True)


@pytest.fixture
def runs(repository: Path) -> Callable[..., set[str]]:
    def runs(*options: str) -> set[str]:
        """The names of the cases that would run."""
        command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", *options, "tests"]
        env = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": "tests"}
        done = subprocess.run(command, cwd=repository, env=env, capture_output=True, text=True)
        return {line.partition("::")[2] for line in done.stdout.splitlines() if "::" in line}

    return runs


def test_each_group_is_seen_and_everything_with_all(repository: Path, runs: Callable[..., set[str]]) -> None:
    chosen = runs()
    names = [name.partition("[")[0] for name in chosen]
    assert {name: names.count(name) for name in names} == dict(test_ways=5, test_files=4, test_any=1, test_alone=1)
    assert {name[10:12] for name in chosen if name.startswith("test_ways")} == {f"{number}-" for number in range(5)}
    assert "test_files[b]" in chosen
    assert len(runs("--all")) == 15 + 13 + 9 + 1

    left_out = next(path for path in (repository / "data").iterdir() if f"test_files[{path.name}]" not in chosen)
    left_out.write_text("2")
    (repository / "data" / "c").write_text("new")
    with_changed = chosen | {f"test_files[{left_out.name}]", "test_files[c]"}
    assert runs() == with_changed
    commit(repository)
    assert runs() == with_changed
    commit(repository)
    assert runs() == chosen | {"test_files[c]"}  # alone in its group


def test_a_change_of_very_many_files_adds_nothing(repository: Path, runs: Callable[..., set[str]]) -> None:
    for number in range(90):
        (repository / "data" / f"c{number}").write_text("1")
    commit(repository)
    assert len({name for name in runs() if name.startswith("test_files[c")}) == 90
    for number in range(151):
        (repository / "data" / f"c{number}").write_text("2")
    commit(repository)
    assert len({name for name in runs() if name.startswith("test_files[c")}) == 38


def test_what_is_rare_stands_for_nothing(repository: Path, runs: Callable[..., set[str]]) -> None:
    (chosen,) = (name for name in runs() if name.startswith("test_any"))
    test, number = repository / "tests" / "test_it.py", chosen[9:-1]
    rare = f"[pytest.param({number}, marks=pytest.mark.rare), *({{*range(9)}} - {{{number}}})]"
    test.write_text(TEST.replace("range(9)", rare))
    assert len(found := {name for name in runs() if name.startswith("test_any")}) == 1 and chosen not in found
