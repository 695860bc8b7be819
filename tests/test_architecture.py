"""Do imports point one way? They are read from the text of every module, so nothing is imported here."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import import_graph
import pytest

PACKAGE = Path(__file__).parents[1] / "autograder"
#: From the ground up: a room imports from itself and from those below it, not from those beside it.
LAYERS = [
    "errors",
    "source",
    "core",
    "report",
    "compiler checks debugger",
    "nvrtc",
    "backends",
    "schedules",
    "kernel",
    "performance host",
    "exercise",
    "notebook",
    "grading",
    "authoring",
    "commands",
    "cli __init__",
    "__main__",
]
RANK = {name: rank for rank, layer in enumerate(LAYERS) for name in layer.split()}


def room(path: Path) -> str:
    """The top-level module or package that `path` belongs to."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports(path: Path) -> Iterator[list[str]]:
    """The package's modules that the module at `path` imports, anywhere in its text: the path to each name, from
    "autograder" on."""
    return (name for name in import_graph.imports(path, PACKAGE.parent) if name[0] == "autograder")


def imported(path: Path) -> set[str]:
    """The rooms that the module at `path` imports from."""
    return {name[1] for name in imports(path) if len(name) > 1 and name[1] in RANK}


def imported_modules(path: Path) -> set[Path]:
    """The modules that the module at `path` imports, or imports names of."""
    ways = [PACKAGE.joinpath(*name[1:]) for name in imports(path)]
    files = ([way.with_suffix(".py"), way / "__init__.py", way.parent.with_suffix(".py")] for way in ways)
    return {
        next((f for f in at if f.exists()), way.parent / "__init__.py") for way, at in zip(ways, files, strict=True)
    }


MODULES = sorted(PACKAGE.rglob("*.py"))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_imports_only_from_its_own_room_and_those_below(path: Path) -> None:
    assert room(path) in RANK, "a new room needs its layer above"
    for name in imported(path):
        assert name == room(path) or RANK[name] < RANK[room(path)], f"{room(path)} imports {name}"


def test_no_module_imports_itself_by_way_of_others() -> None:
    left = {path: imported_modules(path) for path in MODULES}
    while ready := {path for path, others in left.items() if not others}:
        left = {path: others - ready for path, others in left.items() if path not in ready}
    assert not left, f"some of these go round: {sorted(str(path.relative_to(PACKAGE)) for path in left)}"


@pytest.mark.parametrize("name", [path.parent.name for path in PACKAGE.glob("*/__init__.py")])
def test_a_room_says_what_it_is_for_and_what_it_imports(name: str) -> None:
    said = ast.get_docstring(ast.parse((PACKAGE / name / "__init__.py").read_text()))
    assert said and "Imports " in said, name


def test_the_reader_of_imports_sees_every_spelling(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "autograder"
    monkeypatch.setattr(sys.modules[__name__], "PACKAGE", package)
    (package / "checks").mkdir(parents=True)
    path = package / "checks" / "x.py"
    path.write_text(
        "import autograder.core\nfrom .. import report, cli\nfrom ..backends.gpu import problem\n"
        "from . import banks\nfrom autograder.errors import UsageError\n"
        "def f():\n    from ..kernel import Kernel\nimport numpy\n"
    )
    assert sorted(imported(path)) == sorted(["core", "report", "cli", "backends", "checks", "errors", "kernel"])


def test_each_check_can_be_deleted_alone() -> None:
    for path in (PACKAGE / "checks").glob("*.py"):
        assert "checks" not in set(imported(path)), path


def test_importing_the_package_needs_neither_a_notebook_nor_a_gpu() -> None:
    heavy = ["IPython", "cupy", "nbformat", "nbgrader", "rich", "typer", "traitlets"]
    code = f"import autograder, sys; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=PACKAGE.parent)
    assert done.stdout.strip() == "[]"


def test_the_package_says_what_it_offers() -> None:
    code = "import autograder; print([n for n in autograder.__all__ if not hasattr(autograder, n)])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=PACKAGE.parent)
    assert done.stdout.strip() == "[]"
