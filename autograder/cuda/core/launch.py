"""A validated launch: a kernel's text and name, with grid, block, shared memory, and arguments."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np

from ..errors import UsageError
from .device_code import DeviceCode
from .findings import Dim3, Finding
from .signature import Signature

MAX_BLOCK: Dim3 = (1024, 1024, 64)
MAX_THREADS = 1024
MAX_GRID: Dim3 = (2**31 - 1, 65535, 65535)
#: Most dynamic shared memory on any GPU in this course: 227 KB per block (Hopper,
#: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability").
MAX_SHARED = 227 * 1024

#: Most blocks of a cluster on every GPU that has clusters (CUDA C++ Programming Guide, "Thread Block Clusters").
MAX_CLUSTER = 8

#: Bytes of stack that a thread has for recursion, unless the host sets a limit (cudaLimitStackSize); and at most.
STACK_LIMIT, MAX_STACK = 1024, 512 * 1024

#: The schedules in which a block begins only when the one before has ended: from the first to the last, and back.
IN_SERIES = ("series", "series-backward")

Dims = int | Sequence[int]


@dataclass(frozen=True)
class Area:
    """Memory on the GPU that a launch can use: `values`, which begin `start` bytes after the begin of the emulator's
    arena, so that a pointer of a program means the same in each launch. `name` is what findings call it. `written` says
    whether it holds values, or which of its 4-byte words do, bool of (words,). `is_object`: it describes a texture or
    surface. `is_heap`: kernels allocate there. `read_only`: no thread may write it."""

    name: str
    start: int
    values: np.ndarray
    written: bool | np.ndarray
    is_object: bool = False
    is_heap: bool = False
    read_only: bool = False


@dataclass(frozen=True)
class Experiment:
    """How the emulator changes a launch, to see which results depend on the difference.

    `ablation` is what it suppresses (`core.protocol.Ablation`): threads that read it find zeros or, if `mixed_up`, the
    value that was read so before; or, with `replayed`, other contents of the arrays, what they found in a launch with
    those. `uninitialized_fill` chooses the bytes of memory that nobody has written: 0 for all bits set, and otherwise
    others. `leave_early` lets barriers of a block open without the threads that have ended, as on a GPU. `ignored` are
    lines whose synchronization calls do nothing, as if they were deleted.
    """

    ablation: str = "nothing"
    mixed_up: bool = False
    replayed: tuple[np.ndarray, ...] = ()
    uninitialized_fill: int = 0
    leave_early: bool = False
    ignored: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Launch:
    """A checked launch. `args` are C-contiguous numpy arrays and numpy scalars, one for each of the
    kernel's parameters; arrays are never modified. `empty` names the arrays that hold no values yet.
    `once` says that the text is launched only a few times, as in a check, so a slower build that
    runs faster doesn't pay. `refusal` says why the text does not compile; then nobody knows its parameters, and `args`
    are the arrays given. The kernel is that of `code`, if there is one, and otherwise the one that the text names.
    `symbols` are the contents of variables on the GPU, each by its name with those of its namespaces; the others hold
    what the text says. With `keeps_symbols`, the run returns what the variables marked `__device__` hold afterwards, a
    megabyte at most. Threads may wait for the whole grid if the launch is `cooperative`. With `same_rounds`, they wait
    for each other in vain at a barrier in different rounds of a loop.
    """

    source: str
    signature: Signature
    grid: Dim3
    block: Dim3
    args: tuple[np.ndarray | np.generic, ...]
    shared_mem: int = 0
    empty: frozenset[str] = frozenset()
    once: bool = False
    refusal: Finding | None = None
    code: DeviceCode | None = None
    symbols: Mapping[str, bytes] = field(default_factory=dict)
    keeps_symbols: bool = False
    cooperative: bool = True
    same_rounds: bool = False
    experiment: Experiment = Experiment()

    def with_experiment(self, **changes: Any) -> Self:
        """Return this launch with these changes of its `experiment`, by the names of its fields."""
        return replace(self, experiment=replace(self.experiment, **changes))

    @property
    def threads(self) -> int:
        """How many threads it has in all."""
        return math.prod(self.grid) * math.prod(self.block)

    @property
    def name(self) -> str:
        return self.signature.name

    @property
    def arrays(self) -> tuple[np.ndarray, ...]:
        return tuple(a for a in self.args if isinstance(a, np.ndarray))

    @property
    def array_names(self) -> tuple[str, ...]:
        """The names of the parameters that `arrays` are the arguments for."""
        pairs = zip(self.signature.parameters, self.args, strict=True)
        return tuple(parameter.name for parameter, arg in pairs if isinstance(arg, np.ndarray))


@dataclass(frozen=True)
class ProgramLaunch(Launch):
    """A launch by a program: `args` are bytes, pointers too, and `areas` is all the memory that the program has
    allocated on the GPU. The run returns what the program's variables on the GPU hold afterwards.

    `held` are the variables of which the host has filled only the beginning, with the number of bytes. A `programmatic`
    launch may begin before the launch before it is over: its run reports separately what it uses before it waits for
    that. `stack` is what a thread has for recursion on a GPU, in bytes. The launch is nested in `depth` others, its
    threads may make `most_launches`, and the streams that they create get the numbers after `streams`.
    """

    areas: tuple[Area, ...] = ()
    held: Mapping[str, int] = field(default_factory=dict)
    programmatic: bool = False
    stack: int = STACK_LIMIT
    depth: int = 0
    most_launches: int = 0
    streams: int = 0

    @property
    def arrays(self) -> tuple[np.ndarray, ...]:
        return tuple(area.values for area in self.areas)


@dataclass(frozen=True)
class Series:
    """Launches to time, of one kernel with one grid, block, and shared memory: only the arguments differ.

    With `cublas`, cuBLAS stands in for the kernel: it computes C = A B with the first three arguments, A, B, and C,
    in float32.
    """

    launches: Sequence[Launch]
    cublas: bool = False


def check_shape(grid: Dims, block: Dims, shared_mem: int) -> tuple[Dim3, Dim3]:
    """The grid and the block of a launch that some GPU can start, whatever the kernel.

    Raises:
        UsageError: none can; the message says why, and what to do.
    """
    grid3, block3 = dims("grid", grid, MAX_GRID), dims("block", block, MAX_BLOCK)
    threads = math.prod(block3)
    if threads > MAX_THREADS:
        raise UsageError(
            f"block={block!r} has {threads} threads, but a block holds at most {MAX_THREADS}: "
            "use a smaller block and a larger grid."
        )
    if isinstance(shared_mem, bool) or not isinstance(shared_mem, int | np.integer) or shared_mem < 0:
        raise UsageError(f"shared_mem={shared_mem!r} must be a number of bytes, 0 or more.")
    if shared_mem > MAX_SHARED:
        raise UsageError(
            f"shared_mem={shared_mem} bytes is more than the {MAX_SHARED} bytes that a block can "
            "have on any GPU: use smaller tiles."
        )
    return grid3, block3


def prepare(
    source: str,
    signature: Signature,
    grid: Dims,
    block: Dims,
    args: Sequence[object],
    shared_mem: int = 0,
    empty: Collection[str] = (),
    refusal: Finding | None = None,
) -> Launch:
    """Validate everything about a launch that is known before it runs: with a `refusal`, not the arguments.

    Raises:
        UsageError: something doesn't fit; the message says what, and what to do.
    """
    grid3, block3 = check_shape(grid, block, shared_mem)
    threads = math.prod(block3)
    if signature.most_threads is not None and threads > signature.most_threads:
        raise UsageError(
            f"block={block!r} has {threads} threads, but {signature.name} promises by __launch_bounds__ to have at "
            f"most {signature.most_threads}, so a GPU refuses the launch: keep the promise, or make another."
        )
    if refusal:
        arrays_given = tuple(arg for arg in args if isinstance(arg, np.ndarray))
        return Launch(source, signature, grid3, block3, arrays_given, int(shared_mem), refusal=refusal)
    arrays = {p.name for p in signature.parameters if p.is_pointer}
    for word in empty:
        if word not in arrays:
            has = ", ".join(sorted(arrays))
            raise UsageError(f"empty={word!r} is no array argument of {signature.name}, which has {has}.")
    return Launch(source, signature, grid3, block3, _fit(signature, args), int(shared_mem), frozenset(empty))


def dims(what: str, value: Dims, limits: Dim3) -> Dim3:
    """Convert `value` (an int, or one to three ints) to (x, y, z).

    Raises:
        UsageError: not ints, none or too many of them, below 1, or above `limits`.
    """
    values = [value] if isinstance(value, int | np.integer) else value
    if isinstance(values, float) or (isinstance(values, Sequence) and any(isinstance(v, float) for v in values)):
        raise UsageError(f"{what}={value!r} is not whole: / gives fractions, so write // or ceil_div() instead.")
    if (
        isinstance(values, str)
        or not isinstance(values, Sequence | np.ndarray)
        or not 1 <= len(values) <= 3
        or not all(isinstance(v, int | np.integer) and not isinstance(v, bool) for v in values)
    ):
        raise UsageError(f"{what}={value!r} must be an int or up to three ints, such as {what}=(4, 2).")
    out = tuple(int(v) for v in values) + (1,) * (3 - len(values))
    for axis, size, limit in zip("xyz", out, limits, strict=True):
        if not 1 <= size <= limit:
            raise UsageError(f"{what}={value!r}: its {axis} size is {size}, and must be from 1 to {limit}.")
    return out[0], out[1], out[2]


def _fit(signature: Signature, args: Sequence[object]) -> tuple[np.ndarray | np.generic, ...]:
    if not isinstance(args, Sequence) or isinstance(args, str):
        raise UsageError(
            f"{signature.name}: args must be a list of one array or number for each parameter, "
            f"but got one {type(args).__name__}."
        )
    names = ", ".join(p.declaration for p in signature.parameters)
    if len(args) != len(signature.parameters):
        raise UsageError(
            f"{signature.name} takes {len(signature.parameters)} arguments ({names}), but {len(args)} were given."
        )
    return tuple(p.fit(arg, signature.name) for p, arg in zip(signature.parameters, args, strict=True))
