"""Which threads access which elements of an array: in one picture, or a panel for each interval, time or block."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from .traced import READ, Array, Traced

#: A longer one-dimensional array is drawn in rows of half of this.
_LONGEST_ROW = 64
_MOST_CELLS = 4096
BY = ("thread", "warp", "block")
PANELS = ("intervals", "times", "blocks", "owners")


@dataclass(frozen=True)
class Cell:
    """One element, and the numbers of the threads (or warps, or blocks) that read and that write it.

    An atomic counts as a write.
    """

    index: int
    readers: tuple[int, ...]
    writers: tuple[int, ...]


@dataclass(frozen=True)
class Panel:
    """One picture of `array`; `cells` are the accessed elements, `who` all that accessed any.

    `links` are (from, to, who): the same thread read element `from` and wrote element `to`.
    """

    array: str
    label: str
    cells: tuple[Cell, ...]
    who: tuple[int, ...]
    links: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True)
class Touches:
    """All panels of `arrays`, of one shape, drawn in `rows` of `columns`; `broken` says that it is one-dimensional, in
    rows only to fit the page. `in_turn` says that the panels follow one another in time; those with one label are of
    one time. `where` names the blocks that are shown, and `names` gives the text for each number of `who`: 5, or
    (1, 0)."""

    arrays: tuple[str, ...]
    size: int
    rows: int
    columns: int
    broken: bool
    in_turn: bool
    by: str
    where: str
    panels: tuple[Panel, ...]
    names: dict[int, str]


def from_trace(
    traced: Traced,
    array: str,
    mark: str = "",
    action: str = "",
    block: int | None = None,
    by: str = "thread",
    panels: str = "",
    shape: Sequence[int] = (),
    only: Sequence[int] = (),
    labels: Sequence[str] = (),
) -> Touches:
    """Return who accesses the elements of one array, or of several.

    Args:
        array: its name, or several names with commas between them; such arrays have the same shape.
        mark, action: only at the line with this mark; only "read", "write" or "atomic".
        block: the block to show; by default block 0, or all of them if blocks are distinguished.
        by: what is distinguished, one of BY.
        panels: "intervals" for a panel a barrier interval, "times" for each time the line is executed,
            "blocks" for a panel a block, "owners" for a panel a block whose shared memory it is; "" for one.
        shape: (rows, columns) to draw it in; that of the array by default.
        only: the panels to keep, counted from 1.
        labels: what to call each panel that is shown.

    Raises:
        ValueError: there is no such access; the array does not fit the shape or is too large to draw; several arrays
            differ in shape.
    """
    if block is None and by != "block" and panels not in ("blocks", "owners"):
        block = 0
    if panels == "times" and not mark:
        raise ValueError(f"a panel for each time needs the line whose times are meant: add ':at:' for '{array}'.")
    each = [name.strip() for name in array.split(",")]
    there: list[tuple[int, int, np.ndarray]] = []  # the number of a panel, the place of its array, the accesses
    for place, name in enumerate(each):
        mine = traced.select(name, mark, action, block)
        numbers = _numbers(mine, panels)
        there += [(int(number), place, mine[numbers == number]) for number in np.unique(numbers)]
    there.sort(key=lambda entry: entry[:2])
    what, *others = (traced.arrays[traced.array(name)] for name in each)
    if any(other.shape != what.shape for other in others):
        raise ValueError(f"'{array}' differ in shape, and are drawn in one picture only if they do not.")
    size = int(np.prod(what.shape))
    rows, columns = _grid(what, size, shape)
    if only and not set(only) <= set(range(1, len(there) + 1)):
        raise ValueError(f"'{array}' has {len(there)} panels here: ':only:' takes numbers from 1 to {len(there)}.")
    chosen = [there[nth - 1] for nth in only] if only else there
    if labels and len(labels) != len(chosen):
        raise ValueError(f"'{array}' has {len(chosen)} panels here, and ':labels:' names {len(labels)}: name each.")
    called = labels or [_label(traced, panels, number) for number, _, _ in chosen]
    drawn = tuple(_panel(each[place], label, mine, by) for label, (_, place, mine) in zip(called, chosen, strict=True))
    namers: dict[str, Callable[[int], str]] = {"thread": traced.thread_name, "block": traced.block_name, "warp": str}
    named = namers[by]
    names = {who: named(who) for panel in drawn for who in panel.who}
    where = "all blocks" if block is None else f"block {traced.block_name(block)}"
    broken = len(what.shape) < 2 and not shape
    in_turn = panels in ("intervals", "times")
    return Touches(tuple(each), size, rows, columns, broken, in_turn, by, where, drawn, names)


def _numbers(mine: np.ndarray, panels: str) -> np.ndarray:
    """For each access, the number of its panel."""
    if panels == "intervals":
        return mine["interval"]
    if panels == "times":
        return np.unique(mine[["interval", "turn"]], return_inverse=True)[1].reshape(-1)
    if panels in ("blocks", "owners"):
        return mine["block" if panels == "blocks" else "owner"]
    return np.zeros(len(mine), dtype=np.int64)


def _grid(array: Array, size: int, shape: Sequence[int]) -> tuple[int, int]:
    if size > _MOST_CELLS:
        raise ValueError(
            f"'{array.name}' has {size} elements, and at most {_MOST_CELLS} can be drawn: launch it smaller."
        )
    if shape:
        if len(shape) != 2 or shape[0] * shape[1] != size:
            raise ValueError(f"'{array.name}' has {size} elements: ':shape:' takes rows, columns with that product.")
        return shape[0], shape[1]
    if len(array.shape) >= 2:
        return size // array.shape[-1], array.shape[-1]
    if size <= _LONGEST_ROW:
        return 1, size
    return -(-size // (_LONGEST_ROW // 2)), _LONGEST_ROW // 2


def _label(traced: Traced, panels: str, number: int) -> str:
    match panels:
        case "intervals":
            return f"after {number} barrier{'' if number == 1 else 's'}" if number else "before any barrier"
        case "times":
            return f"{number + 1}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number + 1, 'th') } time"
        case "blocks":
            return f"block {traced.block_name(number)}"
        case "owners":
            return f"in block {traced.block_name(number)}"
        case _:
            return ""


def _panel(array: str, label: str, mine: np.ndarray, by: str) -> Panel:
    reads: dict[int, set[int]] = {}
    writes: dict[int, set[int]] = {}
    threads: dict[tuple[int, int], tuple[set[int], set[int], int]] = {}
    for access in mine:
        index, who = int(access["index"]), int(access[by])
        thread = (int(access["block"]), int(access["thread"]))
        read, written, _ = threads.setdefault(thread, (set(), set(), who))
        (reads if access["action"] == READ else writes).setdefault(index, set()).add(who)
        (read if access["action"] == READ else written).add(index)
    cells = tuple(
        Cell(index, tuple(sorted(reads.get(index, ()))), tuple(sorted(writes.get(index, ()))))
        for index in sorted({*reads, *writes})
    )
    links = sorted((a, b, who) for read, written, who in threads.values() for a in read for b in written)
    return Panel(array, label, cells, tuple(sorted({int(access) for access in mine[by]})), tuple(links))
