"""Runs one grid of a program on the emulator: what it gets of the program's memory, what it leaves there, and what that
means for the program. The host launches it, or a kernel does."""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from ...backends.emulator_request import cluster_fault
from ...compiler.toolchain import Module
from ...core.child_launches import Child
from ...core.findings import Crash, Finding, Kind, PartlyWritten, UninitializedRead, WildAccess
from ...core.host_findings import NOWHERE, HostKind, Place
from ...core.launch import MAX_BLOCK, MAX_GRID, MAX_THREADS, Area, ProgramLaunch
from ...core.run import Run
from ...core.signature import Parameter
from ...errors import UsageError
from ...nvrtc.occupancy import MOST_REGISTERS, most_threads, occupancy
from ..memory.access_spans import WRITTEN, Uses, changes, joined, used_by_launch
from ..memory.heap import ADDRESS, Allocation, in_heap
from ..memory.initialized import with_words
from ..memory.memory import CREATE_OBJECTS, add_operation, find_peer, find_use
from ..memory.memory_writes import arriving
from ..memory.symbols import contents, find_partly_copied, forget_held, held, keep
from ..state import State, errors
from ..timeline import Operation
from .kernels import KernelText, Launched, Launcher, argument, compute_launch

#: Dynamic shared memory that a kernel gets without asking for more by cudaFuncSetAttribute.
SHARED = 48 * 1024
#: The first compute capability with clusters of blocks, times ten.
_CLUSTERS = 90
#: The head of the kernels' heap, and where its first block is: see cuda/emulator/hooks/device_heap.h.
_HEAP_HEAD, _FIRST_BLOCK = struct.Struct("<QQQ"), 32
#: Address space of the kernels' heap, as a multiple of what may be allocated at once: what was freed stays unused for a
#: while.
_HEAP_TIMES = 2
#: Registers that each kernel takes where nobody says how many it really does: that is NVRTC, which machines may lack,
#: and whose word no verdict on a stranger's program is to depend on.
_REGISTERS = 32


class UncompiledError(Exception):
    """A program cannot go on: its kernel does not compile."""

    def __init__(self, kernel: KernelText, finding: Finding, place: Place) -> None:
        super().__init__(kernel, finding, place)
        self.kernel, self.finding, self.place = kernel, finding, place

    def as_launch(self) -> Launched:
        """The launch that was not made."""
        launch = ProgramLaunch(self.kernel.source, self.kernel.signature, (1, 1, 1), (1, 1, 1), ())
        return Launched(self.kernel, self.place, launch, Run((), (self.finding,), completed=False), 0)


@dataclass(frozen=True)
class Grid:
    """A grid to run: a kernel that compiles, with the bytes of all arguments, in a stream, launched at `place`. It may
    begin early if it is `programmatic` (`Timeline.add`). `by` is the kernel that launches it; None: the host does."""

    kernel: KernelText
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    arguments: bytes
    shared: int
    stream: int
    place: Place
    programmatic: bool = False
    by: Launcher | None = None


@dataclass(frozen=True)
class Done:
    """A grid that has run: its operation, its launch, and what its threads have launched, `children`. If all of it was
    checked, `used` is known, and `before` is the memory that it has found, for the launch as it was `requested`."""

    operation: Operation
    launched: Launched
    children: tuple[Child, ...]
    used: Uses
    requested: ProgramLaunch
    before: Sequence[Area]


def run(state: State, given: Grid) -> Done:
    """Run a grid that a GPU does not refuse."""
    kernel, grid, place = given.kernel, given.grid, given.place
    arguments, at = [], 0
    for size in kernel.sizes:
        arguments.append(argument(given.arguments[at : at + size]))
        at += size
    pointers = []
    for i, parameter in enumerate(kernel.signature.parameters):
        if parameter.is_pointer and arguments[i].nbytes == 8:
            address = state.on_gpu(int.from_bytes(arguments[i].tobytes(), "little"))
            if not parameter.name and not in_heap(address):
                continue
            arguments[i] = argument(address.to_bytes(8, "little"))
            pointers.append((parameter, address))
    if kernel.allocates and state.here.heap is None:
        state.here.heap = _new_heap(state)
    live = [memory for memory in state.heap.live() if state.reaches(state.device, memory)]
    areas = [_area(state, allocation, pointers) for allocation in live]
    holder = state.kernels.holder(kernel.unit)
    symbols = contents(state, holder)
    requested = ProgramLaunch(
        kernel.source,
        kernel.signature,
        grid,
        given.block,
        tuple(arguments),
        given.shared,
        symbols=symbols,
        code=kernel.code,
        held=held(state, holder),
        stack=state.here.stack_limit,
        depth=given.by.depth if given.by else 0,
        most_launches=state.here.launch_limit,
        streams=state.new_streams(),
    )
    assert isinstance(kernel.compiled, Module)
    if given.programmatic and "emu_grid_wait" in kernel.compiled.info.calls:
        requested = replace(requested, programmatic=True)
    used: list[Uses] = []
    early: list[Uses] = []
    before: Sequence[Area] = ()
    if state.take:
        state.take(kernel, place, replace(requested, areas=tuple(areas)))
    if state.progress:
        state.progress.begin(kernel.name, place, len(state.launches) + 1)
    run = state.budget.check(kernel, requested, areas)
    blocks = run.blocks if run else 0
    found = run.findings if run else ()
    found = tuple(f for f in found if not find_partly_copied(state, kernel, requested.held, f))
    if not (run and blocks == math.prod(grid)) or run.writes_held:
        forget_held(state, kernel)
    found = tuple(_explained(kernel, finding, areas, live) for finding in found)
    if run and blocks == math.prod(grid):
        run = replace(run, findings=found)
        if run.children:
            before = [replace(area, values=area.values.copy()) for area in areas]
        for allocation, new, words in zip(live, run.outputs, run.uses, strict=True):
            used += _arrive(state, allocation, new, words)
        early = _early_uses(requested, live, run)
    elif run and not run.completed:  # it has stopped before the other blocks
        run = replace(run, findings=found, symbols=symbols)
    else:
        if run:
            of_sample = zip(live, run.uses, strict=True)
            used += [used_by_launch(a.address, a.size, words, a.dtype.itemsize) for a, words in of_sample]
            early = _early_uses(requested, live, run)
        watch = state.progress.compute if state.progress else None
        compute = partial(compute_launch, requested, areas, state.heap.file, watch)
        run = state.repeats.compute(kernel, requested, areas, compute)
        run = replace(run, findings=(*found, *run.findings))
        for allocation in live:  # any of them: nobody saw what it wrote
            allocation.written = not allocation.is_heap
    if state.progress:
        state.progress.end()
    used.append(keep(state, holder, symbols, run.symbols))
    if given.programmatic and not requested.programmatic:  # it never waits
        early = used
    operation = add_operation(
        state,
        given.stream,
        kernel.name,
        place,
        joined(used),
        kernel=True,
        early=joined(early),
        lets_begin=run.lets_begin,
    )
    if run.printed:
        state.prints(operation, run.printed)
    if not run.completed:
        state.crashes(operation, _error_of(run.findings[-1]))
        if _explain(state, kernel, run.findings[-1], pointers, areas, place):
            run = replace(run, findings=run.findings[:-1])
    children = run.children if run.completed else ()
    without_data = replace(run, outputs=(), symbols={}, uses=(), children=())
    launched = Launched(kernel, place, replace(requested, symbols={}), without_data, blocks, given.by)
    state.launches.append(launched)
    return Done(operation, launched, children, operation.uses, requested, before)


def _early_uses(launch: ProgramLaunch, live: Sequence[Allocation], run: Run) -> list[Uses]:
    """What a programmatic launch uses before its threads know that the launch before is over."""
    each = zip(live, run.early_uses, strict=launch.programmatic)
    return [used_by_launch(a.address, a.size, words, a.dtype.itemsize) for a, words in each]


def _new_heap(state: State) -> Allocation:
    """The kernels' heap, see cuda/emulator/hooks/device_heap.h."""
    made = state.heap.allocate(_HEAP_TIMES * state.here.heap_limit, "device", NOWHERE, "", "heap")
    if made is None:
        raise UsageError(
            f"The kernels' heap (cudaLimitMallocHeapSize) has {state.here.heap_limit:,} bytes, and the emulated GPU "
            "has no room for it."
        )
    made.is_variable = made.is_heap = True
    state.heap.view(made)[: _HEAP_HEAD.size] = np.frombuffer(
        _HEAP_HEAD.pack(state.here.heap_limit, 0, _FIRST_BLOCK), np.uint8
    )
    return made


def _arrive(state: State, allocation: Allocation, new: np.ndarray, words: np.ndarray) -> list[Uses]:
    """Put what a launch has made of an allocation into the memory, and return how it has used that."""
    item, memory = allocation.dtype.itemsize, state.heap.view(allocation)
    uses = [used_by_launch(allocation.address, allocation.size, words, item)]
    if allocation.is_heap:
        memory[:] = new
    if not allocation.is_heap and allocation.written is not True and words.any():
        # (What the launch has read without a value is found, or harmless.)
        allocation.written = with_words(allocation.written, words > 0)
    if not (words & WRITTEN).any():
        return uses
    allocation.filled = None
    now = new.view(np.uint8).reshape(-1)
    if item < 4:
        uses.append(changes(allocation.address, memory, now))
    if state.delivered or state.suppressed:
        written = np.repeat(words & WRITTEN > 0, 4)[: allocation.size]
        now = arriving(memory, now, written, item, state.suppressed, len(state.launches))
        if state.delivered:
            state.delivered.add(f"{allocation.address:016x}", now, written)
    memory[:] = now
    return uses


def _explained(kernel: KernelText, finding: Finding, areas: Sequence[Area], live: Sequence[Allocation]) -> Finding:
    """The finding, with the call that has filled only a part of what is read."""
    if not isinstance(finding, UninitializedRead):
        return finding
    access = finding.accesses[0]
    read = [a for area, a in zip(areas, live, strict=True) if access.space == "global" and area.name == access.array]
    if len(read) != 1 or not (filled := read[0].filled):
        return finding
    row = (filled.place.file, filled.place.line)
    line = kernel.gathered.lines.index(row) + 1 if row in kernel.gathered.lines else 0
    partly = PartlyWritten(filled.function, line, filled.bytes, read[0].size, filled.is_start)
    return replace(finding, partly=partly) if line else finding


def refused(
    state: State,
    kernel: KernelText,
    grid: tuple[int, ...],
    block: tuple[int, ...],
    shared: int,
    cooperative: bool,
) -> tuple[str, str, int] | None:
    """Why a GPU refuses a launch: CUDA's error, the rule, and the number that breaks it."""
    if math.prod(block) > MAX_THREADS:
        return "cudaErrorInvalidConfiguration", "threads", math.prod(block)
    for what, sizes, limits in (("block", block, MAX_BLOCK), ("grid", grid, MAX_GRID)):
        for axis, size, most in zip("xyz", sizes, limits, strict=True):
            if not 1 <= size <= most:
                return "cudaErrorInvalidConfiguration", f"{what} {axis}", size
    assert isinstance(kernel.compiled, Module)
    info = kernel.compiled.info
    if (info.cluster or info.is_clustered) and int(state.gpu.arch.removeprefix("sm_")) < _CLUSTERS:
        # A compiler makes such a kernel for no older GPU.
        return "cudaErrorNoKernelImageForDevice", "no clusters", int(state.gpu.arch.removeprefix("sm_"))
    if fault := cluster_fault(info.cluster, grid):
        return "cudaErrorInvalidClusterSize", "cluster", fault
    # What cudaFuncSetAttribute allows is for the dynamic memory alone.
    if shared > state.here.shared_limits.get(kernel, SHARED - info.static_shared):
        return "cudaErrorInvalidValue", "shared", info.static_shared + shared
    if not cooperative and "emu_grid_barrier" in info.calls:
        return "cudaErrorLaunchFailure", "not cooperative", 0
    # (With bounds, the compiler takes as few as they allow.)
    threads = math.prod(block)
    if threads > most_threads(state.gpu, _may_take(kernel)) and not kernel.signature.most_threads:
        registers, _ = takes(state, kernel)
        if threads > most_threads(state.gpu, registers):
            return "cudaErrorLaunchOutOfResources", "registers", registers
    if cooperative:
        registers, static = takes(state, kernel)
        fits = occupancy(state.gpu, threads, registers, static + shared).blocks_per_sm * state.gpu.multiprocessors
        if math.prod(grid) > fits:
            return "cudaErrorCooperativeLaunchTooLarge", "too many at once", math.prod(grid)
    return None


def _area(state: State, allocation: Allocation, pointers: list[tuple[Parameter, int]]) -> Area:
    """The allocation as a launch sees it: named and typed by the first parameter that points to it."""
    name, dtype = allocation.name, allocation.dtype
    for parameter, address in reversed(pointers):
        if allocation.address <= address < allocation.end and not allocation.is_heap:
            name = parameter.name or name
            dtype = parameter.dtype if parameter.dtype is not None else np.dtype(np.uint8)
    if allocation.size % dtype.itemsize:
        dtype = np.dtype(np.uint8)
    allocation.dtype = dtype
    values = state.heap.view(allocation).view(dtype)
    is_object = allocation.function in CREATE_OBJECTS
    return Area(
        name or "memory", allocation.address - ADDRESS, values, allocation.written, is_object, allocation.is_heap
    )


def _error_of(finding: Finding) -> int:
    """The error of CUDA's that a launch ends with."""
    names: dict[str, str] = {
        Kind.OUT_OF_BOUNDS: "cudaErrorIllegalAddress",
        Kind.MISALIGNED_ACCESS: "cudaErrorMisalignedAddress",
        Kind.STEP_LIMIT: "cudaErrorLaunchTimeout",
    }
    name = names.get(finding.kind, "cudaErrorLaunchFailure")
    if isinstance(finding, Crash) and finding.reason.startswith("assertion failed"):
        name = "cudaErrorAssert"
    if isinstance(finding, Crash) and finding.reason in ("recursion", "stack overflow"):
        name = "cudaErrorIllegalAddress"
    return errors()[name]


def _explain(
    state: State,
    kernel: KernelText,
    finding: Finding,
    pointers: list[tuple[Parameter, int]],
    areas: Sequence[Area],
    place: Place,
) -> bool:
    """Find a mistake of the host's in a stray access of the kernel; False if there is none."""
    if finding.kind is not Kind.OUT_OF_BOUNDS:
        return False
    for parameter, address in pointers:
        known = state.heap.find(address)
        name = parameter.name
        if known and not known.is_live:
            find_use(state, place, known, name=name, function=kernel.name, why="kernel")
            return True
        elif isinstance(finding, WildAccess) and address and not in_heap(address):
            state.find(HostKind.HOST_POINTER, place, name=name, function=kernel.name)
            return True
    for address in _addresses(finding, areas):
        known = state.heap.find(address)
        if known and known.is_live and not state.reaches(state.device, known):
            names = [parameter.name for parameter, start in pointers if known.address <= start < known.end]
            name = [*names, known.name][0]
            find_peer(state, place, known, state.device, name=name, function=kernel.name, why="kernel")
            return True
    if isinstance(finding, WildAccess) and state.is_of_host(finding.address):
        access = finding.accesses[0]
        file, line = kernel.gathered.lines[access.line - 1]
        followed = [("follows it", Place(file, line, access.text))]
        state.find(HostKind.HOST_POINTER, place, followed, name="", function=kernel.name)
        return True
    return False


def _addresses(finding: Finding, areas: Sequence[Area]) -> list[int]:
    """Where a stray access may have gone: a name may be that of several arrays."""
    if isinstance(finding, WildAccess):
        return [finding.address]
    access = finding.accesses[0]
    named = [area for area in areas if access.space == "global" and area.name == access.array]
    return [ADDRESS + area.start + access.index[0] * area.values.itemsize for area in named if access.index]


def takes(state: State, kernel: KernelText) -> tuple[int, int]:
    """Registers of a thread, and static shared memory."""
    static = kernel.compiled.info.static_shared if isinstance(kernel.compiled, Module) else 0
    counted = 0 if state.limited else state.kernels.registers(kernel, state.gpu.arch)
    return counted or _REGISTERS, static


def _may_take(kernel: KernelText) -> int:
    """More registers than a thread nearly ever takes, for NVRTC takes a while to say how many it really does: one for
    each word of its variables, and as many as simple kernels take in all."""
    return min(_REGISTERS + kernel.variable_bytes // 4, MOST_REGISTERS)
