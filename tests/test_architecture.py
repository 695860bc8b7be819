"""Do imports point one way? They are read from the text of every module, so nothing is imported here."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import import_graph
import pytest

PACKAGE = Path(__file__).parents[1] / "autograder"
#: From the ground up: a module imports from its own room and those below it, not from those beside it. First the three
#: rooms of the package, then the rooms in each.
LAYERS = {
    "": ["cuda", "exercises", "classroom", "cli __init__", "__main__"],
    "cuda": [
        "errors",
        "plugins",
        "source",
        "core",
        "compiler debugger",
        "nvrtc",
        "backends",
        "schedules report",
        "kernel",
        "performance programs",
        "commands",
    ],
    "exercises": [
        "files findings values_problem",
        "result report",
        "declarations",
        "answers",
        "checks",
        "notebook",
        "authoring commands",
    ],
    "classroom": [
        "names tables attacks submission",
        "classroom execution lms",
        "collecting",
        "students results",
        "checking grade",
        "places",
        "publishing",
        "commands",
    ],
}
RANK = {
    f"{above}/{name}".lstrip("/"): rank
    for above, layers in LAYERS.items()
    for rank, layer in enumerate(layers)
    for name in layer.split()
}


def rooms(path: Path) -> list[str]:
    """The rooms that the module at `path` is in, from the outside: "cuda", "cuda/compiler". A package's own file is in
    the package alone."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return [name for name in ("/".join(parts[:n]) for n in (1, 2)) if name in RANK]


def imports(path: Path) -> Iterator[list[str]]:
    """The package's modules that the module at `path` imports, anywhere in its text: the path to each name, from
    "autograder" on."""
    return (name for name in import_graph.imports(path, PACKAGE.parent) if name[0] == "autograder")


def imported(path: Path) -> set[str]:
    """The rooms that the module at `path` imports from."""
    return {room for other in imported_modules(path) for room in rooms(other)}


def imported_modules(path: Path) -> set[Path]:
    """The modules that the module at `path` imports, or imports names of."""
    ways = [PACKAGE.joinpath(*name[1:]) for name in imports(path)]
    files = ([way.with_suffix(".py"), way / "__init__.py", way.parent.with_suffix(".py")] for way in ways)
    return {
        next((f for f in at if f.exists()), way.parent / "__init__.py") for way, at in zip(ways, files, strict=True)
    }


MODULES = sorted(PACKAGE.rglob("*.py"))


def test_each_module_imports_only_from_its_own_room_and_those_below() -> None:
    for path in MODULES:
        own, module = rooms(path), path.relative_to(PACKAGE)
        placed = len(own) == 2 or path.name == "__init__.py" or path.parent == PACKAGE
        assert placed, f"{module}: a new room needs its layer above"
        for name in imported(path) - set(own):
            above = name.rpartition("/")[0]
            if here := next((room for room in own if room.rpartition("/")[0] == above), ""):
                assert RANK[name] < RANK[here], f"{module} is in {here} and imports {name}"


def test_no_module_imports_itself_by_way_of_others() -> None:
    left = {path: imported_modules(path) for path in MODULES}
    while ready := {path for path, others in left.items() if not others}:
        left = {path: others - ready for path, others in left.items() if path not in ready}
    assert not left, f"some of these go round: {sorted(str(path.relative_to(PACKAGE)) for path in left)}"


def test_each_room_says_what_it_is_for_and_what_it_imports() -> None:
    for path in (path for path in MODULES if path.name == "__init__.py"):
        docstring = ast.get_docstring(import_graph.tree(path))
        assert docstring and ("Imports " in docstring or str(path.parent.relative_to(PACKAGE)) not in RANK), path


def test_the_reader_of_imports_sees_every_spelling(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "autograder"
    monkeypatch.setattr(sys.modules[__name__], "PACKAGE", package)
    for name in ("core/run", "report/__init__", "backends/gpu", "errors", "kernel", "schedules/x", "schedules/writers"):
        path = package / "cuda" / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    path = package / "cuda" / "schedules" / "x.py"
    path.write_text(
        "import autograder.cuda.core.run\nfrom .. import report, errors\nfrom ..backends.gpu import problem\n"
        "from . import writers\ndef f():\n    from ..kernel import Kernel\nimport numpy\n"
    )
    named = {"core", "report", "errors", "backends", "schedules", "kernel"}
    assert imported(path) == {"cuda", *(f"cuda/{name}" for name in named)}


def test_importing_the_package_needs_neither_a_notebook_nor_a_gpu() -> None:
    heavy = ["IPython", "cupy", "nbformat", "nbgrader", "rich", "typer", "traitlets"]
    code = f"import autograder, sys; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=PACKAGE.parent)
    assert done.stdout.strip() == "[]"


def test_the_package_says_what_it_offers() -> None:
    code = "import autograder; print([n for n in autograder.__all__ if not hasattr(autograder, n)])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=PACKAGE.parent)
    assert done.stdout.strip() == "[]"
