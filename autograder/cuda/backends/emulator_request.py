"""A launch as a request to the runner: where its arrays are, in which order its threads run, and its limits."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..compiler.module_info import ArrayInfo, ModuleInfo
from ..core.child_launches import ChildUses
from ..core.enumerations import Ablation, Schedule, Space, Substitute
from ..core.findings import Dim3
from ..core.launch import IN_SERIES, MAX_CLUSTER, STACK_LIMIT, Area, Launch, ProgramLaunch
from ..core.protocol import pack_request
from ..core.signature import TEXTURES
from ..errors import UsageError

#: The full check takes 30 times the arrays' memory. (For a program's memory, see cuda/programs/memory/heap.py.)
MAX_BYTES = 1 << 28
#: Most threads in all blocks on the GPU at once; the operating system keeps two areas of memory for each.
MAX_RESIDENT_THREADS = 16384
#: Most blocks at once of a kernel with clusters: the shared memory of each takes room of its own.
MAX_CLUSTERED = 512

#: Most bytes of variables that a launch outside a program returns: a check's trials hold them as long as the notebook
#: runs.
_MAX_STORED = 1 << 20

#: After the last array, and after the reports of their uses.
_GAP = 1 << 16

#: Of a launch outside a program.
_ALONE = {"stack": STACK_LIMIT, "depth": 0, "most_launches": 0, "streams": 0, "programmatic": 0}

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


@dataclass(frozen=True)
class Placement:
    """Where everything of a launch is in the arena, of `size` bytes: its own `arrays` and then those of the
    module, which are at other places. `areas` are the contents of the first ones. `variables` are where the module's
    variables on the GPU are stored between launches, by their symbols. `uses` are where the launch reports how it uses
    each array, `shadow_words` bytes, by the array's start; only a program's launch does."""

    arrays: list[ArrayInfo]
    areas: tuple[Area, ...]
    size: int
    variables: Mapping[str, int]
    uses: Mapping[int, int]

    @property
    def given(self) -> Iterator[tuple[Area, ArrayInfo]]:
        return zip(self.areas, self.arrays, strict=False)

    @property
    def of_module(self) -> list[ArrayInfo]:
        return self.arrays[len(self.areas) :]


def place(launch: Launch, info: ModuleInfo, size: int | None = None) -> Placement:
    """Place the arrays of the launch in an arena, of `size` bytes if that is given.

    Raises:
        UsageError: they take more memory than the emulator can watch.
    """
    uses = dict[int, int]()
    if isinstance(launch, ProgramLaunch):
        areas, arrays = launch.areas, [_array(area, area.values.dtype, area.values.shape) for area in launch.areas]
        end = max((array.start + array.bytes for array in arrays), default=0) + _GAP
        for array in arrays:
            uses[array.start] = end
            end += shadow_words(array)
        end += 2 * _GAP
    else:
        areas, arrays, end = _place_arguments(launch)
    in_text = [_sized(launch, array) for array in info.arrays]
    stored = _stored(launch, in_text)
    if size is None:
        size = end + sum(map(_room, stored))
    variables, at = {}, size
    for array in stored:
        at -= _room(array)
        variables[array.symbol] = at & ~255
    return Placement(arrays + in_text, areas, size, variables, uses)


def _place_arguments(launch: Launch) -> tuple[tuple[Area, ...], list[ArrayInfo], int]:
    """The arguments that are arrays, and where the last gap ends. The gaps are wide, so a wrong index falls into a gap
    and not into another array."""
    total = sum(a.nbytes for a in launch.arrays)
    if total > MAX_BYTES:
        raise UsageError(
            f"The arrays take {total} bytes, more than the {MAX_BYTES} that the emulator can watch: use smaller ones."
        )
    gap = at = min(64 << 20, (1 << 30) // (len(launch.arrays) + 1)) & ~4095
    areas, arrays = [], []
    for parameter, values in zip(launch.signature.parameters, launch.args, strict=True):
        if not isinstance(values, np.ndarray):
            continue
        name, is_object = parameter.name, parameter.type in TEXTURES
        area = Area(name, at, values, name not in launch.empty, is_object, read_only=parameter.is_const)
        dtype = parameter.dtype if parameter.is_pointer and parameter.dtype is not None else values.dtype
        areas.append(area)
        arrays.append(_array(area, dtype, (values.nbytes // dtype.itemsize,)))
        at = (at + values.nbytes + gap + 4095) & ~4095
    return tuple(areas), arrays, at


def _array(area: Area, dtype: np.dtype[Any], shape: tuple[int, ...]) -> ArrayInfo:
    """The area as a kernel sees it."""
    number = dtype.str if dtype.kind in "biuf" else ""
    return ArrayInfo(area.name, area.start, area.values.nbytes, shape, dtype.itemsize, "global", dtype=number)


def shadow_words(array: ArrayInfo) -> int:
    """The number of 4-byte words of the array; the last may be incomplete."""
    return -(-array.bytes // 4)


def _sized(launch: Launch, array: ArrayInfo) -> ArrayInfo:
    size = launch.shared_mem
    return replace(array, bytes=size, shape=(size // array.item,)) if array.dynamic else array


def _room(array: ArrayInfo) -> int:
    return array.bytes + 256


def _stored(launch: Launch, arrays: Sequence[ArrayInfo]) -> list[ArrayInfo]:
    """The variables whose contents the run returns: all of a program; of another launch that keeps them, those that a
    kernel can change."""
    if isinstance(launch, ProgramLaunch):
        return [array for array in arrays if array.space in ("device", "constant")]
    stored = [array for array in arrays if array.space == "device"] if launch.keeps_symbols else []
    if sum(array.bytes for array in stored) > _MAX_STORED:
        raise UsageError(
            f"The kernel's variables marked __device__ hold more than {_MAX_STORED} bytes: make them smaller. What one "
            "launch leaves there the next one finds, and that is tried, too."
        )
    return stored


@dataclass(frozen=True)
class Settings:
    """How a launch is run, as `emulator.run` describes it. `limits` are a request's. `workers` processes share the
    blocks on the fast path; 0: the full check. `undefined` numbers the value of a shuffle that has none, and
    `substitute` is what threads find in place of what is suppressed."""

    limits: Mapping[str, int]
    checks: bool = False
    schedule: str = "forward"
    workers: int = 0
    trace_capacity: int = 0
    trace_block: int | None = None
    followed: int | None = None
    blocks: Sequence[int] = ()
    child_uses: Sequence[ChildUses] = ()
    undefined: int = 0
    substitute: str = "zeros"


def request(
    launch: Launch,
    info: ModuleInfo,
    placement: Placement,
    settings: Settings,
    filed: Mapping[int, int] | None = None,
) -> bytes:
    """The launch as a request to the runner, see emulator/protocol.json. For one of several launches, `filed` is where
    each array is in their file, by its start."""
    arguments, blob, next_array = [], b"", 0
    for parameter, arg in zip(launch.signature.parameters, launch.args, strict=True):
        blob += bytes(-len(blob) % 16)
        is_array = isinstance(arg, np.ndarray)  # a tensor map begins with what the kernel gets
        data = bytes(8) if is_array and parameter.is_pointer else arg.tobytes()[: parameter.bytes]
        arguments.append({"offset": len(blob), "bytes": len(data), "variable": next_array if is_array else -1})
        next_array += is_array
        blob += data
    workers, experiment = settings.workers, launch.experiment
    head = {
        "grid": launch.grid,
        "block": launch.block,
        "cluster": info.cluster or (1, 1, 1),
        "clustered": info.is_clustered,
        "shared_mem": launch.shared_mem,
        **settings.limits,
        "trace_capacity": settings.trace_capacity,
        "trace_block": -1 if settings.trace_block is None else settings.trace_block,
        "followed": -1 if settings.followed is None else settings.followed,
        "fast_path": workers > 0,
        "only_counts": workers > 0 and not settings.checks,
        "workers": workers,
        "read_only_loads": "emu_load_read_only" in info.calls,
        "fences": any(_FENCES.match(call) for call in info.calls),
        **_schedule(settings.schedule),
        "undefined": settings.undefined,
        "uninitialized_fill": experiment.uninitialized_fill,
        "ablation": Ablation[experiment.ablation],
        "leave_early": experiment.leave_early,
        "substitute": Substitute[settings.substitute],
        "same_rounds": launch.same_rounds,
        "cooperative": launch.cooperative,
        **_of_program(launch),
        "module_data": info.data,
        "module_constants": info.constants,
        "module_image": info.image,
        "residents": 1 if workers else _residents(info, launch, settings.schedule),
        "arena": 0 if filed is None else placement.size,
    }
    variables = [_given_variable(area, array, placement.uses, filed or {}) for area, array in placement.given]
    variables += [_module_variable(launch, array, placement.variables) for array in placement.of_module]
    ignored = [dict(zip(("first", "end"), code, strict=True)) for code in info.code_of(experiment.ignored)]
    used = [
        {"launch": u.number, "start": u.start, "bytes": u.bytes, "writes": u.writes, "atomic": u.atomic}
        for u in settings.child_uses
    ]
    return pack_request(head, variables, ignored, settings.blocks, arguments, blob, used)


def _of_program(launch: Launch) -> dict[str, int]:
    """The request's fields that only a program's launch chooses."""
    if isinstance(launch, ProgramLaunch):
        return {name: getattr(launch, name) for name in _ALONE}
    return _ALONE


def _given_variable(area: Area, array: ArrayInfo, uses: Mapping[int, int], filed: Mapping[int, int]) -> dict[str, int]:
    """What the runner needs to know about an array of the launch."""
    return {
        "start": array.start,
        "bytes": array.bytes,
        "space": Space["global"],
        "read_only": area.read_only,
        "without_values": not area.written if isinstance(area.written, bool) else 2,
        "saved_at": filed.get(array.start, 0),
        "filled": array.start in filed,
        "held": 0,
        "uses": uses.get(array.start, 0),
        "object": area.is_object,
        "heap": area.is_heap,
    }


def _module_variable(launch: Launch, array: ArrayInfo, variables: Mapping[str, int]) -> dict[str, int]:
    """What the runner needs to know about an array that the module declares."""
    return {
        "start": array.start,
        "bytes": array.bytes,
        "space": Space[array.space],
        "read_only": array.const or array.space == "constant",
        "without_values": 0,
        "saved_at": variables.get(array.symbol, 0),
        "filled": array.symbol in launch.symbols,
        "held": launch.held.get(array.symbol, 0) if isinstance(launch, ProgramLaunch) else 0,
        "uses": 0,
        "object": False,
        "heap": False,
    }


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
