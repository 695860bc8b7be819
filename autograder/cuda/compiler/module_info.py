"""Describes a compiled kernel, its arrays and source lines, as plain data; `module_reader` fills it in."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from ..core.debug_info import DebugInfo
from ..core.diagnostics import Diagnostic, Problem
from ..core.findings import Space
from ..core.run import SyncCall


@dataclass(frozen=True)
class ArrayInfo:
    """An array as findings name it. `start` is relative to the module's base (for an array argument, to the
    arena's), `bytes` is its size, `shape` its extents (empty: a single value), `item` the bytes of one
    element; `dynamic` marks the dynamic shared memory, `const` an array declared const. `dtype` is the
    element type as numpy spells it ("<f4"); empty if elements are not numbers. `symbol` tells variables
    of the module that have one name apart: see `qualified`."""

    name: str
    start: int
    bytes: int
    shape: tuple[int, ...]
    item: int
    space: Space
    dynamic: bool = False
    dtype: str = ""
    const: bool = False
    symbol: str = ""

    def index(self, offset: int) -> tuple[int, ...]:
        """The index of the element at a byte offset; beyond the array, the first number is out of range."""
        if not self.shape:
            return ()
        flat = offset // self.item
        out = []
        for extent in reversed(self.shape[1:]):
            out.append(flat % extent if extent else 0)
            flat //= extent or 1
        return (flat, *reversed(out))


def qualified(symbol: str) -> str:
    """What a program calls the variable of this mangled name: "my::tab" of `_ZN2myL3tabE`. (The same whether it is
    static, as all that is `__constant__` is in the emulator; other names keep what is read no further.)"""
    names, rest = names_of(symbol)
    return "::".join(names) + rest.removesuffix("E")


def names_of(symbol: str) -> tuple[list[str], str]:
    """The names with which a mangled name begins, those of namespaces and classes first, and what follows them."""
    names = list[str]()
    if not symbol.startswith("_Z"):
        return names, symbol
    rest = re.sub(r"^NK?", "", symbol[2:])
    while length := re.match(r"L?(\d+)", rest):
        end = length.end() + int(length[1])
        names.append(rest[length.end() : end].replace("_GLOBAL__N_1", "(anonymous namespace)"))
        rest = rest[end:]
    return names, rest


def is_local(symbol: str) -> bool:
    """Whether a mangled name is of what C++ keeps to its file: static, or of a namespace without a name."""
    names, rest = names_of(symbol)
    # (Only these have more before their names: an L, or what such a namespace is called.)
    plain = "".join(f"{len(name)}{name}" for name in names)
    return symbol.removesuffix(rest) not in ("", f"_Z{plain}", f"_ZN{plain}", f"_ZNK{plain}")


class DynamicArray(NamedTuple):
    """What a text calls its dynamic shared memory; `item` and `dtype` are as in `ArrayInfo`."""

    name: str
    item: int
    dtype: str


@dataclass(frozen=True)
class ModuleInfo:
    """`lines` has (address, line) in order of address; line 0: not the student's text. `data` is the
    range of the writable data, `constants` the range of strings and tables, `image` the module's size,
    `calls` the runtime's functions that the text calls, `static_shared` the bytes of the shared arrays of fixed size
    that the kernel reaches, `cluster` the blocks of a cluster along x, y and z (None: the kernel names no
    `__cluster_dims__`), `warnings` what the text has that compiles and is hardly meant, `sync_calls` the calls of the
    text that do nothing but synchronize. `debug` is what a debugger knows, of a build for one."""

    arrays: tuple[ArrayInfo, ...]
    lines: tuple[tuple[int, int], ...]
    data: tuple[int, int]
    constants: tuple[int, int]
    image: int
    calls: tuple[str, ...]
    static_shared: int = 0
    cluster: tuple[int, int, int] | None = None
    warnings: tuple[Diagnostic, ...] = ()
    sync_calls: tuple[SyncCall, ...] = ()
    debug: DebugInfo | None = None

    @property
    def is_clustered(self) -> bool:
        """Whether the blocks of a cluster wait for each other, or use each other's shared memory; or there are bulk
        copies or products of warpgroups, which go on across barriers of the block."""
        return any(call.startswith(("emu_cluster_", "emu_bulk_", "emu_warpgroup_")) for call in self.calls)

    def line_of(self, site: int) -> int:
        """The source line of a return address (relative to the module's base)."""
        at = bisect_right(self.lines, (site - 1, 1 << 62)) - 1
        return self.lines[at][1] if at >= 0 else 0

    def code_of(self, lines: Collection[int]) -> Iterator[tuple[int, int]]:
        """Ranges of addresses that `line_of` maps to one of `lines`."""
        for (first, line), (end, _) in pairwise((*self.lines, (self.image, 0))):
            if line in lines and first < end:
                yield first, end

    def to_json(self) -> str:
        debug = vars(self.debug) if self.debug else None
        return json.dumps({**vars(self), "arrays": [vars(array) for array in self.arrays], "debug": debug})

    @classmethod
    def from_json(cls, text: str) -> ModuleInfo:
        data = json.loads(text)
        arrays = tuple(ArrayInfo(**{**a, "shape": tuple(a["shape"])}) for a in data["arrays"])
        lines = tuple((a, b) for a, b in data["lines"])
        data |= {name: tuple(data[name]) for name in ("data", "constants", "calls")}
        data["warnings"] = tuple(
            Diagnostic(line, column, text, Problem(problem), tuple(names))
            for line, column, text, problem, names, *_ in data["warnings"]
        )
        data["sync_calls"] = tuple(SyncCall(*call) for call in data["sync_calls"])
        data["debug"] = DebugInfo.from_json(data["debug"]) if data["debug"] else None
        data["cluster"] = tuple(data["cluster"]) if data["cluster"] else None
        return cls(**{**data, "arrays": arrays, "lines": lines})
