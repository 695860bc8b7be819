"""A launch as a request to the runner: where its arrays lie, in which order its threads run, and its limits."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import Any

import numpy as np

from ..compiler.module_info import ArrayInfo, ModuleInfo
from ..core.launch import Launch
from ..core.protocol import Schedule, Space, Withheld, pack_request
from ..errors import UsageError

#: The precise run takes 30 times the arrays' memory.
MAX_BYTES = 1 << 28
#: Most threads in all blocks on the GPU at once; the operating system keeps two areas of memory for each.
MAX_RESIDENT_THREADS = 16384

_ACCESS = r"(\d{1,10}):(\d{1,4}):(\d{1,9})"
_CONSTRAINT = re.compile(rf"hold {_ACCESS} until {_ACCESS}")
_AT_ONCE = "copies land at once"


def place(launch: Launch, info: ModuleInfo) -> tuple[list[ArrayInfo], int]:
    """Place the arrays of the launch, and then the module's own arrays, in the arena; also return the arena's
    size. The gaps are wide, so a wrong index falls into a gap and not into another array."""
    total = sum(a.nbytes for a in launch.arrays)
    if total > MAX_BYTES:
        raise UsageError(
            f"The arrays take {total} bytes, more than the {MAX_BYTES} that the emulator can watch: use smaller ones."
        )
    pairs = [(p, a) for p, a in zip(launch.signature.parameters, launch.args, strict=True) if isinstance(a, np.ndarray)]
    gap = min(64 << 20, (1 << 30) // (len(pairs) + 1)) & ~4095
    out, at = [], gap
    for parameter, array in pairs:
        dtype = parameter.dtype if parameter.dtype is not None else array.dtype
        number = dtype.str if dtype.kind in "biuf" else ""
        shape = (array.nbytes // dtype.itemsize,)
        out.append(ArrayInfo(parameter.name, at, array.nbytes, shape, dtype.itemsize, "global", dtype=number))
        at = (at + array.nbytes + gap + 4095) & ~4095
    size = launch.shared_mem
    own = [replace(a, bytes=size, shape=(size // a.item,)) if a.dynamic else a for a in info.arrays]
    return out + own, at


def request(
    launch: Launch,
    info: ModuleInfo,
    arrays: list[ArrayInfo],
    workers: int,
    checks: bool,
    schedule: str,
    limits: dict[str, int],
    trace_block: int | None,
    undefined: int,
) -> bytes:
    """The launch as a request to the runner, see emulator/protocol.json."""
    arguments, blob, next_array = [], b"", 0
    for arg in launch.args:
        blob += bytes(-len(blob) % 16)
        pointer = isinstance(arg, np.ndarray)
        data = bytes(8) if pointer else arg.tobytes()
        arguments.append({"offset": len(blob), "bytes": len(data), "variable": next_array if pointer else -1})
        next_array += pointer
        blob += data
    head = {
        "grid": launch.grid,
        "block": launch.block,
        "shared_mem": launch.shared_mem,
        **limits,
        "trace_block": -1 if trace_block is None else trace_block,
        "screening": workers > 0,
        "only_counts": workers > 0 and not checks,
        "workers": workers,
        **_schedule(schedule),
        "undefined": undefined,
        "withheld": Withheld[launch.withheld],
        "module_data": info.data,
        "module_constants": info.constants,
        "module_image": info.image,
        "residents": 1 if workers else _residents(info, launch),
    }
    return pack_request(head, [_variable(launch, array) for array in arrays], arguments, blob)


def _variable(launch: Launch, array: ArrayInfo) -> dict[str, int]:
    """What the runner needs to know about an array."""
    given = array.space == "global"
    const = next(p.is_const for p in launch.signature.parameters if p.name == array.name) if given else array.const
    return {
        "start": array.start,
        "bytes": array.bytes,
        "space": Space[array.space],
        "read_only": const or array.space == "constant",
        "without_values": given and array.name in launch.empty,
    }


def _residents(info: ModuleInfo, launch: Launch) -> int:
    """How many blocks to run at once: all, if they fit and threads of one can wait for another."""
    blocks, threads = math.prod(launch.grid), math.prod(launch.block)
    fit = max(1, MAX_RESIDENT_THREADS // threads)
    if "emu_grid_barrier" in info.calls and blocks > fit:
        raise UsageError(
            f"All {blocks} blocks of a kernel that synchronizes its whole grid must be on the GPU at once, and the "
            f"emulator has room for {fit} blocks of {threads} threads: use a smaller grid."
        )
    return min(blocks, fit)


def _schedule(text: str) -> dict[str, Any]:
    """The request's fields for the order in which threads and blocks get their time slices."""
    order, semicolon, suffix = text.partition("; ")
    kind, _, seed = order.partition(":")
    constraint, at_once = _CONSTRAINT.fullmatch(suffix), suffix == _AT_ONCE
    if (
        kind not in Schedule.__members__
        or (kind == "random") != seed.isdecimal()
        or bool(semicolon) != bool(constraint or at_once)
    ):
        raise UsageError(
            f"There is no schedule {text!r}: take forward, backward, warps, lockstep or random:<seed>, "
            f"and behind it perhaps '; hold 0:0:1 until 0:32:0' or '; {_AT_ONCE}'."
        )
    numbers = list(map(int, constraint.groups())) if constraint else [0] * 6
    delayed, awaited = (dict(zip(("block", "thread", "access"), n, strict=True)) for n in (numbers[:3], numbers[3:]))
    return {
        "schedule": Schedule[kind],
        "seed": int(seed or 0),
        "constrained": bool(constraint),
        "delayed": delayed,
        "awaited": awaited,
        "copies_at_once": at_once,
    }
