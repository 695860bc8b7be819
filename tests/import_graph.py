"""Which files a Python file imports, read from the text alone: nothing is imported here."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
#: Where Python looks for modules in a test, as `pythonpath` in pyproject.toml says, and where it finds the package.
SEARCHED = (
    *(ROOT / name for name in ("book/_ext", "book/data", "tests")),
    *(ROOT / "tests" / name for name in ("exercises/authoring", "cuda/backends", "book", "fuzzing", "classroom")),
    ROOT,
)


def imports(path: Path, top: Path) -> Iterator[list[str]]:
    """The names that the file imports, anywhere in its text: the path to each from `top` on, where Python looks."""
    package = list(path.relative_to(top).parent.parts)
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            start = package[: len(package) - node.level + 1] if node.level else []
            module = start + (node.module.split(".") if node.module else [])
            yield from ([*module, alias.name] for alias in node.names)


def reached(path: Path) -> set[Path]:
    """The files of the repository that the file imports, and those that these import, with itself."""
    found, left = {path}, [path]
    while left:
        for other in imported(left.pop()) - found:
            found.add(other)
            left.append(other)
    return found


@cache
def tree(path: Path) -> ast.Module:
    """The syntax of a Python file."""
    return ast.parse(path.read_text())


@cache
def imported(path: Path) -> frozenset[Path]:
    """The files of the repository that the file itself imports."""
    top = next(folder for folder in SEARCHED if folder in path.parents)
    files = (_file_of(name, top) for name in imports(path, top))
    return frozenset(file for file in files if file is not None)


def _file_of(name: list[str], top: Path) -> Path | None:
    """The file of a module, or of the module that this is a name of. What `autograder` offers is taken to be imported
    from where it is defined, or each test would depend on the whole package."""
    if name[0] == "autograder" and len(name) == 2 and name[1] in _offered():
        return _offered()[name[1]]
    for folder in (top, *SEARCHED):
        for parts in (name, name[:-1]):
            at = folder.joinpath(*parts)
            for file in (at.with_suffix(".py"), at / "__init__.py"):
                if parts and file.is_file():
                    return file
    return None


@cache
def _offered() -> dict[str, Path]:
    """By name in `autograder`, the file that defines it."""
    package = ROOT / "autograder"
    found: dict[str, Path] = {}
    for node in ast.walk(tree(package / "__init__.py")):
        if isinstance(node, ast.ImportFrom) and node.level and node.module:
            file = package.joinpath(*node.module.split(".")).with_suffix(".py")
            found |= {alias.asname or alias.name: file for alias in node.names}
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Attribute):  # check = _session.check
            session = ast.unparse(node.value.value)
            found |= {ast.unparse(target): found[session] for target in node.targets}
    return found
