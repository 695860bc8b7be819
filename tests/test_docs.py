"""Is what CONTRIBUTING.md and docs/ say about the code still true? Names, paths and pictures can go stale."""

from __future__ import annotations

import ast
import re
import subprocess
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

import pytest
import test_runtime_architecture as runtime
from test_architecture import LAYERS, MODULES, PACKAGE, imported, rooms

ROOT = PACKAGE.parent
READMES = [*(ROOT / "autograder").rglob("README.md"), ROOT / "tests" / "README.md"]
PAGES = [ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md", *sorted([*(ROOT / "docs").glob("*.md"), *READMES])]
ARCHITECTURE, EMULATOR = ROOT / "docs" / "architecture.md", ROOT / "docs" / "emulator.md"
#: Each of these is drawn or listed as a room; the others are the package's two entry points.
ROOMS = {
    above: [f"{above}/{name}".lstrip("/") for layer in layers for name in layer.split() if not name.startswith("__")]
    for above, layers in LAYERS.items()
}
TRACKED = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
SOURCES = (".py", ".h", ".cpp", ".cu", ".js", ".css", ".toml", ".yml", "Makefile")

each_page = pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))


@cache
def words() -> set[str]:
    """Every word of the code, and the name of every file."""
    code = "\n".join((ROOT / name).read_text() for name in TRACKED if name.endswith(SOURCES))
    return set(re.findall(r"\w+", code)) | {Path(name).stem for name in TRACKED}


def arrows(below: dict[str, set[str]]) -> list[str]:
    """Rooms, from the ground up, and what each imports, in Mermaid's syntax, without arrows that others imply."""
    reached: dict[str, set[str]] = {}
    lines = []
    for name, others in below.items():
        reached[name] = others.union(*(reached[other] for other in others))
        implied = set().union(*(reached[other] for other in others))
        lines += [f"    {name} --> {other}" for other in below if other in others - implied]
    return [line.replace("/", ".") for line in lines]


def drawn(lines: list[str]) -> str:
    return "\n".join(["```mermaid", "flowchart TD", *lines, "```"])


def package() -> list[str]:
    """The package's rooms as boxes, and what each room imports of those in the same box."""
    lines = []
    for above, names in ROOMS.items():
        below: dict[str, set[str]] = {name: set() for name in names}
        for path in MODULES:
            here = set(rooms(path)) & below.keys()
            for name in here:
                below[name] |= imported(path) & below.keys() - here
        if above:
            lines += [
                f"    subgraph {above}",
                *(f"        {name.replace('/', '.')}[{name.rpartition('/')[2]}]" for name in names),
                "    end",
            ]
        lines += arrows(below)
    return lines


def emulator() -> list[str]:
    """What each room of the emulator includes. (A file generated from protocol.json counts by the name it gets.)"""
    below: dict[str, set[str]] = {name: set() for name in runtime.RANK}
    for path in runtime.FILES:
        here = runtime.room(path)
        below[here] |= {runtime.room(other) for other in runtime.included(path)} - {here}
    return arrows(below)


def table() -> str:
    """The table of rooms, with what each says it is for."""
    lines = ["| room | what it is for |", "|---|---|"]
    for name in [room for above in ROOMS[""] for room in (above, *ROOMS.get(above, ()))]:
        path = PACKAGE / name / "__init__.py"
        text = ast.get_docstring(ast.parse((path if path.exists() else PACKAGE / f"{name}.py").read_text())) or ""
        purpose = " ".join(text.partition("\n\n")[0].split())
        shown = f"`{name}/`" if path.exists() else f"`{name}.py`"
        lines.append(f"| {shown if '/' in name else f'**{shown}**'} | {purpose} |")
    return "\n".join(lines)


def renewed() -> dict[Path, str]:
    """The pages that show the structure, with up-to-date pictures and table."""
    pages = {}
    for path, lines in ((ARCHITECTURE, package()), (EMULATOR, emulator())):
        pages[path] = re.sub(r"```mermaid\n.*?```", drawn(lines), path.read_text(), flags=re.DOTALL)
    rows = re.compile(r"^\| room \|.*?(?=\n\n)", re.DOTALL | re.MULTILINE)
    pages[ARCHITECTURE] = rows.sub(lambda _: table(), pages[ARCHITECTURE])
    return pages


def test_the_pages_show_the_structure_as_it_is() -> None:
    for path, text in renewed().items():
        assert "```mermaid" in text
        assert path.read_text() == text, "run `.venv/bin/python tests/test_docs.py`, which writes it anew"


@each_page
def test_each_file_and_folder_that_is_named_exists(path: Path) -> None:
    folders = {str(parent) for name in TRACKED for parent in Path(name).parents}
    for token in re.findall(r"`([\w./*<>-]+)`", path.read_text()):
        name = re.sub(r"<\w+>", "*", token)
        if re.search(r"\.(py|h|cpp|md|cu|csv|css|js|json|toml|ya?ml|html|txt|cff)$", name):
            assert any(fnmatch(tracked, name) or fnmatch(tracked, f"*/{name}") for tracked in TRACKED), token
        elif name.endswith("/") and "/" in name[:-1]:
            assert any(fnmatch(tracked, name[:-1]) or fnmatch(tracked, f"*/{name[:-1]}") for tracked in folders), token


@pytest.mark.parametrize("path", [page for page in PAGES if page.stem != "glossary"], ids=str)  # it has retired names
def test_each_name_of_the_code_that_is_named_exists(path: Path) -> None:
    for token in re.findall(r"`((?:\w+\.)*\w*_\w*)(?:\(\.*\))?`", path.read_text()):
        assert token.rpartition(".")[2] in words() or token.endswith("_"), token


@each_page
def test_each_link_leads_somewhere(path: Path) -> None:
    for link in re.findall(r"\]\((?!http)([^)#]+)", path.read_text()):
        assert (path.parent / link).exists(), link


@each_page
def test_each_command_exists(path: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    commands = set(re.findall(r'add_parser\(\s*"(\w+)"', "".join(p.read_text() for p in MODULES)))
    assert set(re.findall(r"`make ([a-z-]+)", path.read_text())) <= targets
    assert set(re.findall(r"`autograder (\w+)", path.read_text())) <= commands


def test_each_wall_of_the_threat_model_has_tests() -> None:
    code = "\n".join(path.read_text() for path in ROOT.glob("tests/**/*.py"))
    tests = set(re.findall(r"^def (test_\w+)", code, re.MULTILINE))
    _, walls = (ROOT / "docs" / "threat-model.md").read_text().split("## The walls")
    rows = [line for line in walls.splitlines() if line.startswith("| ") and not line.startswith("| attack |")]
    assert len(rows) > 20
    for row in rows:
        named = re.findall(r"`(\w+)`", row.rsplit("|", 2)[1])
        assert named and set(named) <= tests, row


def test_what_a_contributor_must_read_fits_two_pages() -> None:
    assert len((ROOT / "CONTRIBUTING.md").read_text().split()) <= 1100


if __name__ == "__main__":
    for path, text in renewed().items():
        path.write_text(text)
