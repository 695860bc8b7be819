"""Do imports point one way? They are read from the text of every module; what is imported by name is tried."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import import_graph
import pytest

TESTS = Path(__file__).parent
PACKAGE = TESTS.parent / "autograder"
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
        "checking grade lti",
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
#: The modules that import others by name when they run, each with what makes it do so.
BY_NAME = {
    "cuda/commands/formats/__init__.py": "for name in module.built_in(): module.writer(name)",
    "cuda/plugins.py": "for group in ('checks', 'findings', 'observers', 'lms', 'formats'): module.plugins(group)",
    "cuda/programs/libraries/calls.py": "module._library('cublas')",
    "cuda/report/kinds.py": "module.kinds()",
    "exercises/checks/frame.py": "import autograder.exercises.checks.checker",
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
        mine, module = rooms(path), path.relative_to(PACKAGE)
        placed = len(mine) == 2 or path.name == "__init__.py" or path.parent == PACKAGE
        assert placed, f"{module}: a new room needs its layer above"
        for name in imported(path) - set(mine):
            above = name.rpartition("/")[0]
            if here := next((room for room in mine if room.rpartition("/")[0] == above), ""):
                assert RANK[name] < RANK[here], f"{module} is in {here} and imports {name}"


def imports_by_name(path: Path) -> bool:
    """Whether the module at `path` imports what its text does not name."""
    for node in ast.walk(import_graph.tree(path)):
        if isinstance(node, ast.Call) and not (node.args and isinstance(node.args[0], ast.Constant)):
            name = ast.unparse(node.func).rpartition(".")[2]
            entry_point = name == "load" and not (node.args or node.keywords)
            if name in ("import_module", "__import__", "exec_module", "load_module") or entry_point:
                return True
    return False


def imported_in_a_run(module: str, code: str) -> set[str]:
    """The rooms under `autograder/` whose modules are there after `code` has used `module`."""
    name = "autograder." + module.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    script = f"import sys, importlib\nmodule = importlib.import_module({name!r})\n{code}\n"
    script += "print({name.split('.')[1] for name in sys.modules if name.startswith('autograder.')})"
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=PACKAGE.parent)
    return set(ast.literal_eval(done.stdout))


def test_what_a_module_imports_by_name_is_in_no_room_above() -> None:
    below = [path for path in MODULES if rooms(path)[:1] in (["cuda"], ["exercises"])]
    found = {path.relative_to(PACKAGE).as_posix() for path in below if imports_by_name(path)}
    assert found == set(BY_NAME), "these import by name: BY_NAME must have what makes each of them do so"
    for module, code in BY_NAME.items():
        room = module.partition("/")[0]
        above = {name for name in imported_in_a_run(module, code) if RANK.get(name, 0) > RANK[room]}
        assert not above, f"{module} imports from {above} when it runs: let that room register what it adds"


@pytest.mark.parametrize(
    ("text", "by_name"),
    [
        ("import_module(f'{package}.{file.stem}')", True),
        ("[importlib.import_module(name) for name in names]", True),
        ("point.load()", True),
        ("import_module('cupy')", False),
        ("json.load(file)", False),
    ],
)
def test_the_reader_of_imports_sees_those_by_name(tmp_path: Path, text: str, by_name: bool) -> None:
    path = tmp_path / "module.py"
    path.write_text(text)
    assert imports_by_name(path) is by_name


def test_no_module_imports_itself_by_way_of_others() -> None:
    left = {path: imported_modules(path) for path in MODULES}
    while ready := {path for path, others in left.items() if not others}:
        left = {path: others - ready for path, others in left.items() if path not in ready}
    assert not left, f"some of these go round: {sorted(str(path.relative_to(PACKAGE)) for path in left)}"


def imports_from_above(path: Path) -> dict[str, set[str]]:
    """By helper, the rooms above its own room that the test module at `path` imports, itself or by a helper."""
    room = path.relative_to(TESTS).parts[0]
    helpers, pending = {path}, [path]
    while pending:
        found = {file for file in import_graph.imported(pending.pop()) if TESTS in file.parents} - helpers
        helpers |= found
        pending += found
    files = {file: {name for other in import_graph.imported(file) for name in _room_of(other)} for file in helpers}
    above = {str(file.relative_to(TESTS)): {n for n in names if RANK[n] > RANK[room]} for file, names in files.items()}
    return {file: names for file, names in above.items() if names}


def _room_of(path: Path) -> list[str]:
    """The room of the package, or the room whose tests have a helper, that a file is in."""
    for top in (PACKAGE, TESTS):
        if top in path.parents:
            return [name for name in path.relative_to(top).parts[:1] if name in LAYERS[""][:3]]
    return []


def test_a_test_imports_from_its_own_room_and_those_below() -> None:
    modules = [path for room in LAYERS[""][:3] for path in sorted((TESTS / room).rglob("test_*.py"))]
    found = {path.relative_to(TESTS).as_posix(): imports_from_above(path) for path in modules}
    assert not {path: above for path, above in found.items() if above}, "move these to the tests of the room above"


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
