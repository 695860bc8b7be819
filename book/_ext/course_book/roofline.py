"""How fast kernels are, and how fast memory and multiply-adds would let them be.

A kernel that does `intensity` operations for each byte it moves can do at most `intensity` times as many
operations in a second as its memory moves bytes, and never more than the multiprocessors can compute. Both
ceilings were measured (book/data/roofline_<gpu>.csv), and so were the kernels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from . import measured
from .measured_table import select

#: The ceiling of book/data/roofline_<gpu>.csv that is not of a memory.
COMPUTE = "multiply-adds"
#: The columns that identify a kernel's row in two files of one script.
KEYS = ("kernel", "m")

Row = measured.Row


@dataclass(frozen=True)
class Point:
    """A kernel: operations for each byte, and 10^12 operations a second."""

    label: str
    intensity: float
    rate: float


@dataclass(frozen=True)
class Roofline:
    """The ceilings, and the kernels below them. `peak` is in 10^12 operations a second, `bandwidth` in 10^9
    bytes a second; `memory` names what has that bandwidth."""

    memory: str
    bandwidth: float
    peak: float
    points: tuple[Point, ...]

    @property
    def ridge(self) -> float:
        """The intensity from which on memory is not the limit."""
        return 1000 * self.peak / self.bandwidth

    def roof(self, intensity: float) -> float:
        """Return the most that memory and multiply-adds allow, in 10^12 operations a second."""
        return min(self.peak, intensity * self.bandwidth / 1000)

    def share(self, point: Point) -> float:
        """Return the fraction of its roof that a kernel reaches."""
        return point.rate / self.roof(point.intensity)


def from_rows(
    ceilings: Sequence[Row], memory: str, rows: Sequence[Row], label: str, rate: str, intensity: str
) -> Roofline:
    """Return the figure's data.

    Args:
        ceilings: rows of roofline_<gpu>.csv.
        memory: the name of the memory's ceiling among them.
        rows: the kernels.
        label, rate, intensity: their columns: a name, 10^12 operations a second, operations for each byte.

    Raises:
        ValueError: a column or a ceiling is missing, or no row has what a point needs.
    """
    tops = {row["ceiling"]: float(row["rate"]) for row in ceilings}
    for name in (memory, COMPUTE):
        if name not in tops:
            raise ValueError(f"no ceiling is called '{name}'; there are {', '.join(tops)}")
    for column in (label, rate, intensity):
        if column not in rows[0]:
            raise ValueError(f"the kernels have no column '{column}'; they have {', '.join(rows[0])}")
    points = tuple(
        Point(row[label].removeprefix("gemm_"), float(row[intensity]), float(row[rate]))
        for row in rows
        if row[rate] and row[intensity]
    )
    if not points:
        raise ValueError(f"no kernel has both {rate} and {intensity}")
    return Roofline(memory, tops[memory], tops[COMPUTE], points)


def joined(rows: Sequence[Row], file: str, column: str) -> list[Row]:
    """Return the rows that book/data/<file> has, too, by KEYS, each with that file's `column`; in order.

    Raises:
        ValueError: the file has no such column.
    """
    others = select(file, "")
    if others and column not in others[0]:
        raise ValueError(f"book/data/{file} has no column '{column}'; it has {', '.join(others[0])}")
    known = {tuple(row[key] for key in KEYS): row[column] for row in others}
    keys = [tuple(row[key] for key in KEYS) for row in rows]
    return [{**row, column: known[key]} for row, key in zip(rows, keys, strict=True) if key in known]
