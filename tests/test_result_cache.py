"""Is a test that has passed left out exactly until something changes that its result depends on?"""

from __future__ import annotations

import os
import re
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
ROOT = Path(__file__).parents[1]

@pytest.mark.cached("src/*")
def test_source():
    assert "right" in (ROOT / "src" / "a.py").read_text()

@pytest.mark.cached("others/*")
class TestOwnMark:
    @pytest.mark.cached("src/*")
    @pytest.mark.parametrize("path", sorted((ROOT / "data").glob("*")), ids=lambda path: path.name)
    def test_data(self, path):
        assert path.read_text()

@pytest.mark.rare
def test_rare():
    pass

def test_everything():
    assert not (ROOT / "docs" / "wrong").exists()
"""

pytestmark = pytest.mark.cached("tests/result_cache.py")

#: Stands for nbval, which starts a kernel for each notebook.
CELLS = """
import pytest

class Notebook(pytest.File):
    def collect(self):
        for name in self.path.read_text().split():
            yield Cell.from_parent(self, name=name)

class Cell(pytest.Item):
    def runtest(self):
        assert self.name != "wrong"

def pytest_collect_file(file_path, parent):
    return Notebook.from_parent(parent, path=file_path) if file_path.suffix == ".ipynb" else None
"""

#: Without the plugins that are installed here, which take longer to load than the tests to run.
PLAIN = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}

Run = Callable[..., tuple[int, int]]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    for name, text in {
        "src/a.py": "right",
        "data/one": "1",
        "data/two": "2",
        "tests/test_it.py": TEST,
        ".gitignore": "__pycache__/\n.pytest_cache/\n_build/\n",
        "requirements.txt": "",
        "pyproject.toml": "",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    shutil.copy(HERE / "result_cache.py", tmp_path / "tests" / "conftest.py")
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    return tmp_path


@pytest.fixture
def run(repository: Path) -> Run:
    def run(*options: str) -> tuple[int, int]:
        """How many tests passed, and how many failed."""
        command = [sys.executable, "-m", "pytest", *options, "tests"]
        done = subprocess.run(command, cwd=repository, env=PLAIN, capture_output=True, text=True)
        passed, failed = (re.search(rf"(\d+) {word}", done.stdout) for word in ("passed", "failed"))
        assert (done.returncode == 0) == (failed is None), done.stdout
        return int(passed[1]) if passed else 0, int(failed[1]) if failed else 0

    return run


def test_what_has_passed_runs_again_only_after_a_change(repository: Path, run: Run) -> None:
    assert (run(), run()) == ((4, 0), (0, 0))
    runs = {"data/two": 2, "others/one": 1, "docs/new": 1, "_build/page": 0}
    runs |= dict.fromkeys(("src/b.py", "requirements.txt", "tests/helper.py", "tests/test_it.py"), 4)
    for changed, expected in runs.items():
        (repository / changed).parent.mkdir(exist_ok=True)
        with (repository / changed).open("a") as file:
            file.write("added = 1\n")
        assert run() == (expected, 0), changed


def test_a_comment_in_python_runs_again_only_what_depends_on_every_byte(repository: Path, run: Run) -> None:
    source = repository / "src" / "a.py"
    source.write_text("right = {'one', 'two'}\n")
    assert run() == (4, 0)
    source.write_text("# right\n\nright  = {'one', 'two'}\n")
    assert run() == (1, 0)
    source.write_text("right = {'one', 'three'}\n")
    assert run() == (4, 0)


def test_another_version_of_a_package_is_a_change(
    repository: Path, run: Run, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after `make newer-cuda`: which NVRTC compiles what passed decides some results."""
    folder = tmp_path_factory.mktemp("packages")
    installed = folder / "nvrtc-12.9.dist-info"
    installed.mkdir()
    monkeypatch.setitem(PLAIN, "PYTHONPATH", str(folder))
    assert (run(), run()) == ((4, 0), (0, 0))
    installed.rename(folder / "nvrtc-13.0.dist-info")
    assert (run(), run()) == ((4, 0), (0, 0))


def test_workers_agree_and_all_means_all(run: Run) -> None:
    two = ("-p", "xdist.plugin", "-n", "2")
    assert (run(*two), run(*two), run(*two, "--all")) == ((4, 0), (0, 0), (5, 0))


def test_of_a_rare_module_the_smoke_tests_run(repository: Path, run: Run) -> None:
    rare = "import pytest\npytestmark = pytest.mark.rare\ndef test_one(): pass\n"
    (repository / "tests" / "test_rare.py").write_text(f"{rare}@pytest.mark.smoke\ndef test_two(): pass\n")
    assert (run(), run("--all")) == ((5, 0), (7, 0))


def test_what_fails_runs_until_it_passes(repository: Path, run: Run) -> None:
    source = repository / "src" / "a.py"
    source.write_text("wrong_now")
    assert run() == (3, 1)
    assert run() == (0, 1)
    source.write_text("right")
    assert run() == (4, 0)
    source.write_text("wrong_now")
    assert run() == (3, 1)


@pytest.mark.rare
def test_the_cells_of_a_notebook_run_together(repository: Path, run: Run) -> None:
    with (repository / "tests" / "conftest.py").open("a") as file:
        file.write(CELLS)
    notebook = repository / "tests" / "it.ipynb"
    notebook.write_text("one wrong three")
    assert run() == (6, 1)
    assert run() == (2, 1)
    notebook.write_text("one two three")
    assert run() == (4, 0)  # and the test that depends on everything
    assert run() == (0, 0)


def test_inputs_that_are_not_there_are_an_error(repository: Path, run: Run) -> None:
    shutil.rmtree(repository / "src")
    with pytest.raises(AssertionError, match="no file matches src"):
        run()


def test_no_test_by_that_name_is_an_error(run: Run) -> None:
    run()
    with pytest.raises(AssertionError, match="deselected"):
        run("-k", "nothing")
