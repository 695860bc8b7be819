"""The answer cells of a released notebook: their positions, first lines, and stubs."""

from __future__ import annotations

from dataclasses import dataclass

from nbformat import NotebookNode

from ...cuda.errors import GraderFault

MAGICS = ("%%cuda", "%%values")


@dataclass(frozen=True)
class Slot:
    """One answer cell of a released notebook: its position, first line and stub."""

    index: int
    magic: str
    stub: str
    grade_id: str
    cell_id: str


def slots(released: NotebookNode) -> tuple[Slot, ...]:
    """Return the answer cells of a released notebook that hold code, in order.

    Raises:
        GraderFault: an answer cell that does not begin with `%%cuda name` or `%%values name`, or
            two that begin alike.
    """
    found: list[Slot] = []
    for index, cell in enumerate(released.cells):
        nbgrader = cell.metadata.get("nbgrader", {})
        if not nbgrader.get("solution") or cell.cell_type == "markdown":
            continue
        grade_id = nbgrader.get("grade_id", "")
        magic, _, stub = cell.source.partition("\n")
        words = magic.split()
        if cell.cell_type != "code" or len(words) != 2 or words[0] not in MAGICS:
            raise GraderFault(f"answer cell '{grade_id}' must begin with '%%cuda name' or '%%values name'.")
        slot = Slot(index, " ".join(words), stub, grade_id, cell.get("id", ""))
        if any(other.magic == slot.magic for other in found):
            raise GraderFault(f"two answer cells begin with '{slot.magic}'.")
        found.append(slot)
    return tuple(found)
