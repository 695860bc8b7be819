"""A launch as a request to the runner: where its arrays lie, in which order its threads run, and its limits."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np

from ..compiler.module_info import ArrayInfo, ModuleInfo
from ..core.child_launches import ChildUses
from ..core.findings import Dim3
from ..core.launch import IN_SERIES, MAX_CLUSTER, Area, Launch
from ..core.protocol import Schedule, Space, Substitute, Withheld, pack_request
from ..core.signature import TEXTURES
from ..errors import UsageError

#: The precise run takes 30 times the arrays' memory. (For a program's memory, see cuda/programs/memory/heap.py.)
MAX_BYTES = 1 << 28
#: Most threads in all blocks on the GPU at once; the operating system keeps two areas of memory for each.
MAX_RESIDENT_THREADS = 16384
#: Most blocks at once of a kernel with clusters: the shared memory of each takes room of its own.
MAX_CLUSTERED = 512

#: Most bytes of variables that a launch of its own keeps: a check's trials hold them as long as the notebook runs.
_MAX_KEPT = 1 << 20

#: Behind the last of a program's arrays, and what is kept there.
_GAP = 1 << 16

_ACCESS = r"(\d{1,10}):(\d{1,4}):(\d{1,9})"
_CONSTRAINT = re.compile(rf"hold {_ACCESS} until {_ACCESS}")
_AT_ONCE = "copies land at once"
#: Calls that may order threads of different warps, or of different blocks, where no barrier of theirs does.
_FENCES = re.compile(r"emu_(fence|release|acquire|cluster_|bulk_|mbarrier_|warpgroup_|named_)")


def check_cluster(launch: Launch, info: ModuleInfo) -> None:
    """Raise `UsageError` if the kernel's clusters don't fit the launch, or a GPU."""
    blocks = cluster_fault(info.cluster, launch.grid)
    if not blocks:
        return
    named = f"__cluster_dims__({', '.join(map(str, info.cluster or ()))}) of {launch.name}"
    if blocks > MAX_CLUSTER:
        raise UsageError(f"{named} makes clusters of {blocks} blocks, and a cluster has at most {MAX_CLUSTER}.")
    raise UsageError(
        f"grid={launch.grid!r} cannot be parted into the clusters of {named}: along each axis, the grid must have a "
        "multiple of the cluster's blocks."
    )


def cluster_fault(cluster: Dim3 | None, grid: Sequence[int]) -> int:
    """How many blocks a cluster has, if a GPU refuses a launch for it; else 0."""
    if cluster is None:
        return 0
    blocks = math.prod(cluster)
    fits = blocks <= MAX_CLUSTER and not any(n % size for n, size in zip(grid, cluster, strict=True))
    return 0 if fits else blocks


def place(launch: Launch, info: ModuleInfo) -> tuple[list[ArrayInfo], int]:
    """Place the arrays of the launch, and then the module's own arrays, in the arena; also return the arena's
    size. The gaps are wide, so a wrong index falls into a gap and not into another array."""
    total = sum(a.nbytes for a in launch.arrays)
    if total > MAX_BYTES and launch.areas is None:
        raise UsageError(
            f"The arrays take {total} bytes, more than the {MAX_BYTES} that the emulator can watch: use smaller ones."
        )
    if launch.areas is not None:
        return _place_areas(launch, launch.areas, info)
    pairs = [(p, a) for p, a in zip(launch.signature.parameters, launch.args, strict=True) if isinstance(a, np.ndarray)]
    gap = min(64 << 20, (1 << 30) // (len(pairs) + 1)) & ~4095
    out, at = [], gap
    for parameter, array in pairs:
        dtype = parameter.dtype if parameter.is_pointer and parameter.dtype is not None else array.dtype
        number = dtype.str if dtype.kind in "biuf" else ""
        shape = (array.nbytes // dtype.itemsize,)
        out.append(ArrayInfo(parameter.name, at, array.nbytes, shape, dtype.itemsize, "global", dtype=number))
        at = (at + array.nbytes + gap + 4095) & ~4095
    own = _own(launch, info)
    return out + own, at + _kept_room(launch, own)


def _place_areas(launch: Launch, areas: Sequence[Area], info: ModuleInfo) -> tuple[list[ArrayInfo], int]:
    out = []
    for area in areas:
        item, number = area.values.itemsize, area.values.dtype
        kind = number.str if number.kind in "biuf" else ""
        out.append(ArrayInfo(area.name, area.start, area.values.nbytes, area.values.shape, item, "global", dtype=kind))
    own = _own(launch, info)
    size = max([_GAP, *(start + granules(array) for array, start in uses(launch, out))]) + _GAP
    return out + own, size + _kept_room(launch, own) + _GAP


def uses(launch: Launch, arrays: Sequence[ArrayInfo]) -> Iterator[tuple[ArrayInfo, int]]:
    """Where in the arena the launch tells how it uses each array of a program's memory: `granules` bytes."""
    areas = [array for array in arrays if array.space == "global"] if launch.areas is not None else []
    at = max((array.start + array.bytes for array in areas), default=0) + _GAP
    for array in areas:
        yield array, at
        at += granules(array)


def granules(array: ArrayInfo) -> int:
    """How often the array's bytes hold 4, the last of them perhaps fewer."""
    return -(-array.bytes // 4)


def kept(launch: Launch, arrays: Sequence[ArrayInfo], size: int) -> dict[str, int]:
    """Where in the arena of `size` bytes the variables on the GPU are kept, by their symbols: at its end."""
    out = {}
    for array in _to_keep(launch, arrays):
        size -= _room(array)
        out[array.symbol] = size & ~255
    return out


def _kept_room(launch: Launch, arrays: Sequence[ArrayInfo]) -> int:
    return sum(map(_room, _to_keep(launch, arrays)))


def _room(array: ArrayInfo) -> int:
    return array.bytes + 256


def _to_keep(launch: Launch, arrays: Sequence[ArrayInfo]) -> list[ArrayInfo]:
    """The variables whose contents the run tells: those of a program; those of a launch that keeps them, without
    its constants, which no kernel changes."""
    if launch.areas is not None:
        return [array for array in arrays if array.space in ("device", "constant")]
    own = [array for array in arrays if array.space == "device"] if launch.keeps_symbols else []
    if sum(array.bytes for array in own) > _MAX_KEPT:
        raise UsageError(
            f"The kernel's variables marked __device__ hold more than {_MAX_KEPT} bytes: make them smaller. What one "
            "launch leaves there the next one finds, and that is tried, too."
        )
    return own


def _own(launch: Launch, info: ModuleInfo) -> list[ArrayInfo]:
    size = launch.shared_mem
    return [replace(a, bytes=size, shape=(size // a.item,)) if a.dynamic else a for a in info.arrays]


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
    kept: Mapping[str, int],
    substitute: str,
    filed: Mapping[int, int] = MappingProxyType({}),
    arena: int = 0,
    blocks: Sequence[int] = (),
    followed: int | None = None,
    child_uses: Sequence[ChildUses] = (),
) -> bytes:
    """The launch as a request to the runner, see emulator/protocol.json. One of several has an `arena` of its own, of
    that many bytes, and `filed` says where in their file it finds each array, by where that starts. `blocks` are those
    that run; none: all do. `followed` is the block of which a debugger's trace says all. `child_uses` are what
    the launch's children use, if it has run before."""
    arguments, blob, next_array = [], b"", 0
    for parameter, arg in zip(launch.signature.parameters, launch.args, strict=True):
        blob += bytes(-len(blob) % 16)
        is_array = isinstance(arg, np.ndarray)  # a tensor map begins with what the kernel gets
        data = bytes(8) if is_array and parameter.is_pointer else arg.tobytes()[: parameter.bytes]
        arguments.append({"offset": len(blob), "bytes": len(data), "variable": next_array if is_array else -1})
        next_array += is_array
        blob += data
    head = {
        "grid": launch.grid,
        "block": launch.block,
        "cluster": info.cluster or (1, 1, 1),
        "clustered": info.is_clustered,
        "shared_mem": launch.shared_mem,
        "stack": launch.stack,
        **limits,
        "trace_block": -1 if trace_block is None else trace_block,
        "followed": -1 if followed is None else followed,
        "screening": workers > 0,
        "only_counts": workers > 0 and not checks,
        "workers": workers,
        "read_only_loads": "emu_load_read_only" in info.calls,
        "fences": any(_FENCES.match(call) for call in info.calls),
        **_schedule(schedule),
        "undefined": undefined,
        "leftovers": launch.leftovers,
        "withheld": Withheld[launch.withheld],
        "same_rounds": launch.same_rounds,
        "cooperative": launch.cooperative,
        "depth": launch.depth,
        "most_launches": launch.most_launches,
        "streams": launch.streams,
        "programmatic": launch.programmatic,
        "leave_early": launch.leave_early,
        "substitute": Substitute[substitute],
        "module_data": info.data,
        "module_constants": info.constants,
        "module_image": info.image,
        "residents": 1 if workers else _residents(info, launch, schedule),
        "arena": arena,
    }
    told = {array.start: start for array, start in uses(launch, arrays)}
    variables = [_variable(launch, array, kept, told, filed) for array in arrays]
    ignored = [dict(zip(("first", "end"), code, strict=True)) for code in info.code_of(launch.ignored)]
    used = [
        {"launch": u.number, "start": u.start, "bytes": u.bytes, "writes": u.writes, "atomic": u.atomic}
        for u in child_uses
    ]
    return pack_request(head, variables, ignored, blocks, arguments, blob, used)


def _variable(
    launch: Launch, array: ArrayInfo, kept: Mapping[str, int], told: Mapping[int, int], filed: Mapping[int, int]
) -> dict[str, int]:
    """What the runner needs to know about an array."""
    given = array.space == "global"
    const = array.const
    if given and launch.areas is None:
        const = next(p.is_const for p in launch.signature.parameters if p.name == array.name)
    return {
        "start": array.start,
        "bytes": array.bytes,
        "space": Space[array.space],
        "read_only": const or array.space == "constant",
        "without_values": _without_values(launch, array) if given else 0,
        "kept": filed.get(array.start, 0) if given else kept.get(array.symbol, 0),
        "filled": array.start in filed if given else array.symbol in launch.symbols,
        "held": 0 if given else launch.held.get(array.symbol, 0),
        "uses": told.get(array.start, 0) if given else 0,
        "object": given and _is_object(launch, array),
        "heap": given and any(area.is_heap for area in launch.areas or () if area.start == array.start),
    }


def _without_values(launch: Launch, array: ArrayInfo) -> int:
    """1: what nobody wrote has no value; 2: and something had been written."""
    if launch.areas is None:
        return array.name in launch.empty
    written = next(area.written for area in launch.areas if area.start == array.start)
    return not written if isinstance(written, bool) else 2


def _is_object(launch: Launch, array: ArrayInfo) -> bool:
    if launch.areas is None:
        return any(p.type in TEXTURES for p in launch.signature.parameters if p.name == array.name)
    return any(area.is_object for area in launch.areas if area.start == array.start)


def _residents(info: ModuleInfo, launch: Launch, schedule: str) -> int:
    """How many blocks to run at once: all, if they fit and threads of one can wait for another."""
    blocks, threads = math.prod(launch.grid), math.prod(launch.block)
    together = math.prod(info.cluster or (1, 1, 1)) if info.is_clustered else 1
    fit = max(1, MAX_RESIDENT_THREADS // threads // together) * together
    if info.is_clustered:
        fit = min(fit, MAX_CLUSTERED)
    if "emu_grid_barrier" not in info.calls:
        return together if schedule in IN_SERIES else min(blocks, fit)
    if blocks > fit:
        raise UsageError(
            f"All {blocks} blocks of a kernel that synchronizes its whole grid must be on the GPU at once, and the "
            f"emulator has room for {fit} blocks of {threads} threads: use a smaller grid."
        )
    return min(blocks, fit)


def _schedule(text: str) -> dict[str, Any]:
    """The request's fields for the order in which threads and blocks get their time slices."""
    order, semicolon, suffix = text.partition("; ")
    kind, _, seed = dict(zip(IN_SERIES, ("forward", "backward"), strict=True)).get(order, order).partition(":")
    constraint, at_once = _CONSTRAINT.fullmatch(suffix), suffix == _AT_ONCE
    if (
        kind not in Schedule.__members__
        or (kind == "random") != seed.isdecimal()
        or bool(semicolon) != bool(constraint or at_once)
    ):
        raise UsageError(
            f"There is no schedule {text!r}: take forward, backward, series, series-backward, warps, lockstep, turns "
            f"or random:<seed>, and after it perhaps '; hold 0:0:1 until 0:32:0' or '; {_AT_ONCE}'."
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
