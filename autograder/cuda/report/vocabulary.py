"""The vocabulary of reports: CUDA coordinates, elements, counts, and the case line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ..core.findings import Access, Dim3
from ..core.launch import Launch
from ..core.setting import Setting
from .parts import Part, Row
from .rule import NO_RULE, Rule

SPACES = {
    "shared": "shared memory",
    "global": "global memory",
    "device": "the module's memory",
    "constant": "constant memory",
    "local": "a thread's own memory",
}

VERBS = {"read": "reads", "write": "writes", "atomic": "updates (atomic)", None: "uses"}


@dataclass(frozen=True)
class Explanation:
    """A finding in words: what happened, and the rule that it breaks."""

    parts: tuple[Part, ...]
    rule: Rule = NO_RULE


#: In what order the threads took their turns, or what else was different.
_ORDERS = {
    "backward": "the last thread first",
    "lockstep": "all threads in step",
    "turns": "all threads of all blocks in step",
    "random:1": "the threads in a random order",
    "series": "one block after the other",
    "series-backward": "one block after the other, the last one first",
    "second": "the second launch in a row",
    "third": "the third launch in a row",
    "fourth": "the fourth launch in a row",
    "fill": "with other values in memory that nobody had written",
}


def case_line(setting: Setting) -> str:
    """Where a finding was made, as a report's second line."""
    launched = {"grid", "block"} if setting.grid is not None else set()  # said below, as launched
    words = [f"{word}={value}" for word, value in setting.size.items() if word not in launched]
    if setting.grid is not None:
        words.append(f"grid={dims(setting.grid)}")
    if setting.block is not None:
        words.append(f"block={dims(setting.block)}")
    if setting.shared_mem:
        words.append(f"shared_mem={setting.shared_mem}")
    words.append(f"on the {setting.backend}")
    if setting.order:
        words.append(_ORDERS[setting.order])
    return f"case {', '.join(words)}"


def thread_of(access: Access, launch: Launch) -> str:
    """A thread as `Names.both` spells it."""
    return Names((access,), Setting({}, launch.grid, launch.block)).both(access)


class Names:
    """CUDA coordinates as short as the launch allows: `thread 5`, or `thread (3, 1)`. `source` is the kernel's text."""

    def __init__(self, accesses: Sequence[Access], setting: Setting | None, source: str = "") -> None:
        threads, blocks = [a.thread for a in accesses], [a.block for a in accesses]
        self._thread = _rank(threads, setting.block if setting else None)
        self._block = _rank(blocks, setting.grid if setting else None)
        self._setting, self.source = setting, source

    @property
    def in_program(self) -> bool:
        """Whether a program launches the kernel."""
        return self._setting is not None and self._setting.in_program

    def thread(self, access: Access) -> str:
        return _coordinates(access.thread, self._thread)

    def block(self, access: Access) -> str:
        return _coordinates(access.block, self._block)

    def both(self, access: Access) -> str:
        return f"thread {self.thread(access)} of block {self.block(access)}"

    def at_the_end(self, access: Access) -> bool:
        """Whether the thread is one that a grid may have too many of: in the last block of a dimension,
        but not the first thread there; True if the launch is unknown."""
        if self._setting is None or self._setting.grid is None:
            return True
        dimensions = zip(access.block, access.thread, self._setting.grid, strict=True)
        return any(block == blocks - 1 and block + thread > 0 for block, thread, blocks in dimensions)

    def is_dynamic(self, extent: int) -> bool:
        """Whether an array in shared memory of `extent` elements has the size that the launch gave it."""
        if self._setting is None or self._setting.grid is None:
            return False
        return any(self._setting.shared_mem // size == extent for size in (1, 2, 4, 8, 16))

    def rows(self, accesses: Sequence[Access], *, blocks: bool = False) -> tuple[Row, ...]:
        """One row for each access, its columns aligned."""
        verbs = [VERBS[a.action] for a in accesses]
        across = max(len(self.thread(a)) for a in accesses)
        along = max(len(self.block(a)) for a in accesses)
        rows = []
        for access, verb in zip(accesses, verbs, strict=True):
            who = f"thread {self.thread(access):>{across}} {verb:<{max(map(len, verbs))}}"
            if blocks:
                who = f"block {self.block(access):>{along}}, {who}"
            text = printable(access.text)
            rows.append(Row(who, access.line, text, focus=_use_of(access, text)))
        return tuple(rows)


def _use_of(access: Access, text: str) -> int:
    """The column, from 1, at which `text` uses the element; 0 if it never names it. In `x[i] = x[j];` the first
    use is the one that writes, and the last one reads."""
    uses = [found.start() + 1 for found in re.finditer(rf"\b{re.escape(access.array)}\b", text)] if access.array else []
    return (uses[-1] if access.action == "read" else uses[0]) if uses else 0


def names_array(access: Access) -> bool:
    """Whether the line of `access` names its array."""
    return re.search(rf"\b{re.escape(access.array)}\b", access.text) is not None


def count(number: int, thing: str) -> str:
    """`3 cases`, `1 case`."""
    return f"{number} {thing}{'' if number == 1 else 's'}"


def was(number: int) -> str:
    """The verb that goes with `number`."""
    return "was" if number == 1 else "were"


def join(parts: Sequence[str]) -> str:
    """`a, b and c`."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def start(text: str) -> str:
    """`text` as the beginning of a sentence."""
    return text[:1].upper() + text[1:]


def printable(text: str) -> str:
    """`text` without the characters that a terminal or a browser would act on."""
    return "".join(c if c.isprintable() else " " for c in text)


def indexed(array: str, index: Sequence[int]) -> str:
    """`tile[3][4]`."""
    return array + "".join(f"[{i}]" for i in index)


def element_of(access: Access) -> str:
    """The element that `access` uses, by name and index if it has them, and whose it is, if another block's."""
    if access.array:
        owner = (
            f" of block {_coordinates(access.owner, _rank([access.block, access.owner], None))}" if access.owner else ""
        )
        return indexed(access.array, access.index) + owner
    return f"one element of {SPACES.get(access.space or '', 'memory')}"


def place_of(access: Access) -> str:
    """Where numpy has the element that `access` uses, to follow its name; empty if the index is the same."""
    if len(access.place) == 2:
        return f" (row {access.place[0]}, column {access.place[1]})"
    return f" ({indexed(access.array, access.place)} in numpy)" if access.place else ""


def elements(array: str, shape: Sequence[int]) -> str:
    """How many elements `array` has, as the rest of a sentence."""
    if len(shape) <= 1:
        size = shape[0] if shape else 1
        span = f", {array}[0] to {array}[{size - 1}]" if size > 1 else ""
        return f"{array} has {count(size, 'element')}{span}"
    last = indexed("", [n - 1 for n in shape])
    return f"{array} is {' x '.join(map(str, shape))}, up to {array}{last}"


def dims(values: Dim3) -> str:
    """A grid or block as a launch would write it: `4`, or `(4, 2)`."""
    return _coordinates(values, _rank([values], None, nothing=1))


def place(linear: int, extent: Dim3) -> str:
    """A thread or a block by its linear number, as short as `extent` allows: `5`, or `(1, 0)`."""
    x, y, _ = extent
    return _coordinates((linear % x, linear // x % y, linear // (x * y)), _rank([], extent))


def _rank(coordinates: Sequence[Dim3], extent: Dim3 | None, nothing: int = 0) -> int:
    """How many coordinates are worth showing."""
    if extent is not None:
        return _rank([extent], None, nothing=1)
    return max((3 if z > nothing else 2 if y > nothing else 1 for _, y, z in coordinates), default=1)


def _coordinates(values: Dim3, rank: int) -> str:
    return str(values[0]) if rank == 1 else f"({', '.join(map(str, values[:rank]))})"
