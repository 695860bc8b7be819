"""Generate what has its source elsewhere: `exercises/` from `solutions/`, the list of chapters from the book, links to
the repository from `_config.yml`. Report differences."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat

from ...cuda.errors import GraderFault, UsageError
from ..notebook.answer_cells import slots
from .chapters import check_chapters, write_chapters
from .nbgrader_app import RELEASED, SOURCE, chapters, nbgrader
from .repository import archive_address, check_links, write_links


def release(root: Path) -> tuple[str, ...]:
    """Generate `exercises/` from `solutions/`, the list of chapters for reports from the book, and links to the
    repository from `_config.yml`; the gradebook is not touched.

    Returns:
        One line for each file that changed.
    """
    renamed = write_chapters(root)  # first, since notebooks name them, too
    with TemporaryDirectory() as folder:
        _generate(root, Path(folder))
        changes = _differences(Path(folder), root / RELEASED)
        shutil.rmtree(root / RELEASED, ignore_errors=True)
        shutil.copytree(folder, root / RELEASED)
    return (*changes, *renamed, *write_links(root))


def check_release(root: Path) -> tuple[str, ...]:
    """One line for each file that `release` would change."""
    with TemporaryDirectory() as folder:
        _generate(root, Path(folder))
        return (*_differences(Path(folder), root / RELEASED), *check_chapters(root), *check_links(root))


def _generate(root: Path, into: Path) -> None:
    """The release of every chapter, by the stock command, below `into`."""
    if not chapters(root):
        raise UsageError(f"There are no notebooks in {root / SOURCE}: run this in the course's folder.")
    archive_address(root)  # otherwise nbgrader would take thirty lines to say what is wrong
    options = ("--force", "--no-db", f"--CourseDirectory.release_directory={into}")
    nbgrader(root, [("generate_assignment", chapter, *options) for chapter in chapters(root)])
    for path in sorted(into.glob("*/*.ipynb")):
        try:
            slots(nbformat.read(path, as_version=4))
        except GraderFault as fault:
            raise UsageError(f"{SOURCE}/{path.relative_to(into)}: {fault}") from None


def _differences(wanted: Path, found: Path) -> tuple[str, ...]:
    lines = []
    for name in sorted(_files(wanted) | _files(found)):
        here, there = wanted / name, found / name
        if not there.exists():
            lines.append(f"{RELEASED}/{name} is missing")
        elif not here.exists():
            lines.append(f"{RELEASED}/{name} has no source in {SOURCE}/")
        elif here.read_bytes() != there.read_bytes():
            lines.append(f"{RELEASED}/{name} differs from what {SOURCE}/{name} gives")
    return tuple(lines)


def _files(folder: Path) -> set[str]:
    """Relative paths of all files except hidden ones (such as Jupyter's checkpoints)."""
    paths = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return {str(path) for path in paths if not any(part.startswith(".") for part in path.parts)}
