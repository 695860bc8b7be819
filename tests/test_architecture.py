"""Do imports point one way? Read from the text of every module, so nothing is imported here."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "autograder"
#: From the ground up; a module may import from its own layer and from those below.
LAYERS = [
    "errors findings parameters source forbidden signature values launch run divergence answer compile_cache arguments "
    "device_part measurements",
    "compiler nvrtc occupancy backends checks report",
    "counterexamples",
    "kernel exercise",
    "trial rival timing work",
    "launches",
    "judge",
    "checker",
    "prediction",
    "session",
    "magic __init__ notebook_run verify grading doctor file_run file_report tune cli __main__",
]
RANK = {name: rank for rank, layer in enumerate(LAYERS) for name in layer.split()}
#: Layers of their own beside each other: none of these imports another one.
STRANGERS = [{"checks", "backends"}, {"checks", "compiler"}, {"report", "backends"}, {"report", "checks"}]


def room(path):
    """The top-level module or package that `path` belongs to."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported(path):
    """The rooms that the module at `path` imports from, wherever in its text."""
    package = ["autograder", *path.relative_to(PACKAGE).parent.parts]
    for node in ast.walk(ast.parse(path.read_text())):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name.split(".") for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            start = package[: len(package) - node.level + 1] if node.level else []
            module = start + (node.module.split(".") if node.module else [])
            names = [[*module, alias.name] for alias in node.names] if module == ["autograder"] else [module]
        yield from (name[1] for name in names if name[0] == "autograder" and len(name) > 1 and name[1] in RANK)


MODULES = sorted(PACKAGE.rglob("*.py"))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_imports_only_from_its_own_layer_and_below(path):
    assert room(path) in RANK, "a new room needs its layer above"
    for name in imported(path):
        assert RANK[name] <= RANK[room(path)], f"{room(path)} imports {name}"
        assert {name, room(path)} not in STRANGERS, f"{room(path)} imports {name}"


def test_the_reader_of_imports_sees_every_spelling(tmp_path, monkeypatch):
    monkeypatch.setattr(sys.modules[__name__], "PACKAGE", tmp_path)
    (tmp_path / "checks").mkdir()
    path = tmp_path / "checks" / "x.py"
    path.write_text(
        "import autograder.launch\nfrom .. import run, magic\nfrom ..backends.gpu import problem\n"
        "from . import banks\nfrom autograder.errors import UsageError\n"
        "def f():\n    from ..session import default\nimport numpy\n"
    )
    assert sorted(imported(path)) == sorted(["launch", "run", "magic", "backends", "checks", "errors", "session"])


def test_each_judge_can_be_deleted_alone():
    for path in (PACKAGE / "checks").glob("*.py"):
        assert "checks" not in set(imported(path)), path


def test_importing_the_package_needs_neither_a_notebook_nor_a_gpu():
    heavy = ["IPython", "cupy", "nbformat", "nbgrader", "rich", "typer", "traitlets"]
    code = f"import autograder, sys; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=PACKAGE.parent)
    assert done.stdout.strip() == "[]"


def test_the_package_says_what_it_offers():
    code = "import autograder; print([n for n in autograder.__all__ if not hasattr(autograder, n)])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=PACKAGE.parent)
    assert done.stdout.strip() == "[]"
