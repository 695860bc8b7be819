"""Runs a launch on the CPU emulator, in a sandboxed process of its own."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Sequence

import numpy as np

from ..compiler.emulator_runtime import build_runtime
from ..compiler.engine import Engine, engine, host_command
from ..compiler.machine_code import Build
from ..compiler.messages import forbidden
from ..compiler.module_info import ModuleInfo
from ..compiler.toolchain import Module, compile_kernel
from ..compiler.webassembly.runtime import build_runtime_module
from ..core.child_launches import ChildUses
from ..core.findings import Finding
from ..core.launch import IN_SERIES, MAX_SHARED, Launch
from ..core.protocol import CONSTANTS, AnswerError, Record, broken_answer, dtype
from ..core.refusal import Refusal
from ..core.run import Counts, Run
from ..errors import GraderFault, UsageError
from . import emulator_process, node_process
from .answer_check import check_answer
from .child_reader import read_child_races, read_children
from .emulator_process import BEGUN, Watch
from .emulator_reader import Reader
from .emulator_request import check_cluster, granules, kept, place, request, uses
from .processor_time import seconds_left
from .source_map import SourceMap

#: Most accesses of one thread between two barriers; the course's longest kernel makes a few thousand.
MAX_THREAD_STEPS = 10_000_000
#: Most accesses of a whole block while no barrier opens and no thread ends; and how often its threads may wait at
#: barriers.
MAX_BLOCK_STEPS = 20_000_000
#: The latter in a check (`Launch.once`), whose cases are small: a loop that waits and never ends, a common mistake, is
#: then stopped soon, and at the same place on every machine.
MAX_BLOCK_WAITS_ONCE = 1_000_000
#: Processor time of a launch, unless its caller is less patient. After that, we assume that the kernel never ends.
CPU_SECONDS = 60.0
#: Processor time in which no thread ends. After that, too.
IDLE_SECONDS = 8.0
#: Bytes that the runtime may take for what a launch does, above all for fences and asynchronous copies. A constant, so
#: that a launch stops at the same place on every machine.
MEMORY = 1 << 30
TRACE_EVENTS = 2_000_000
#: Times as many steps may be made for a debugger, since accesses of variables are steps, too.
_TIMES_DEBUGGED = 8
#: Bytes of what a launch records, to be replayed: what threads find later is not.
RECORD = 1 << 25
#: We optimize kernels of launches with at least this many threads: below that, compiling costs more than it saves. In
#: a check (`Launch.once`) it always does: few launches share its cost.
OPTIMIZE_THREADS = 4096

_EVENT = dtype("TraceEvent")
# Of what is told of a granule, that it held a value before; and how the launch uses it.
_HAS_VALUE, _EARLY, _USED, _PLAINLY = CONSTANTS["HAS_VALUE"], CONSTANTS["EARLY"], 3, CONSTANTS["PLAINLY"]
# Calls that order threads by other means than barriers; the screening run doesn't follow these.
_ORDERING = re.compile(
    r"emu_(fence|warp_barrier|warpgroup_|named_|grid_|cluster_|async_|bulk_|mbarrier_|release|acquire|relaxed|spin|launch)"
)
# Calls by which what one thread does orders another's accesses, or does not, by who comes first.
_FENCES = re.compile(r"emu_(fence|release|acquire|mbarrier_|bulk_)")
# Calls that need more than processes that share nothing but the arrays.
_TOGETHER = re.compile(r"emu_(atomic|print)")


def run(
    launch: Launch,
    *,
    trace: bool = False,
    schedule: str = "forward",
    max_steps: int | None = None,
    trace_block: int | None = None,
    followed: int | None = None,
    checks: bool = True,
    cpu_seconds: float = CPU_SECONDS,
    memory: int = MEMORY,
    blocks: Sequence[int] = (),
    max_work: int = 0,
    watch: Watch | None = None,
    child_uses: Sequence[ChildUses] = (),
) -> Run:
    """Emulate `launch`.

    First, a screening run spreads the blocks over the cores and only tells whether the launch is clean. If
    it isn't, or might not be, we discard its results, and the precise run makes the findings.

    Args:
        schedule: the order in which threads and blocks get their time slices: "forward", "backward", "warps"
            (the last warp first), "lockstep" (each thread of a block makes one access in turn), "turns" (and each
            block, too), "random:<seed>", or "series" and "series-backward" (as "forward" and "backward", but a block
            begins only when the one before has ended). It may end in a schedule constraint, "; hold
            <block>:<thread>:<access> until <block>:<thread>:<access>": the first thread waits before that access until
            the second one has made its access. All numbers count from 0: the launch's blocks, a block's threads, and
            a thread's reads, writes, and atomics as in a trace. Or it may end in "; copies land at once": asynchronous
            copies land when they start, not when something waits for them.
        max_steps: most accesses of one thread between two barriers, and of a block while no barrier opens and
            no thread ends, before the launch is stopped; None for `MAX_THREAD_STEPS`, `MAX_BLOCK_STEPS`.
        trace_block: the linear number of the only block whose events to trace; None for all blocks.
        followed: the linear number of a block of which the trace also has what a debugger shows: lines, calls and
            variables. The kernel then has a build of its own, whose steps are more.
        checks: look for races and uninitialized reads; if False, findings only say what stopped the launch.
        cpu_seconds: processor time of each run of the launch; after that, we assume that the kernel never ends. Of
            more than `CPU_SECONDS`, as large a part may pass as usual before a thread ends.
        memory: bytes that the runtime may take for what the launch does.
        blocks: linear numbers of the blocks that run, while the others do not; all run if there are none.
        max_work: accesses after which the launch is not run any further; 0 for no such limit. One process runs it then.
        child_uses: what the children of the launch use, if it has run before, to find what races with that.
        watch: gets the file whose first 8 bytes say how many blocks have begun while the launch runs, and of how many.

    Raises:
        UsageError: the launch doesn't fit this kernel or this machine.
        GraderFault: the emulator itself failed.
    """
    module = compile_for(launch, checks, debugged=followed is not None)
    if isinstance(module, Finding):
        return Run(outputs=launch.arrays, findings=(module,), completed=False)
    check_fit(launch, module.info)
    wasm = engine() is Engine.WEBASSEMBLY
    runtime = build_runtime()
    program = (*host_command(), str(build_runtime_module(runtime))) if wasm else (str(runtime.runner),)
    process = node_process if wasm else emulator_process
    patience = max(1.0, cpu_seconds / CPU_SECONDS)
    arrays, size = place(launch, module.info)
    variables = kept(launch, arrays, size)
    room = TRACE_EVENTS * _EVENT.itemsize if trace else RECORD if launch.replayed else BEGUN if watch else 0
    with process.File("arena", size) as arena, process.File("trace", room) as events:
        if watch:
            watch(events, len(blocks) or math.prod(launch.grid))
        outputs = list(zip(arrays, launch.arrays, strict=False))
        substitute = "replayed" if launch.replayed else "earlier" if launch.mixed_up else "zeros"

        def run_once(
            workers: int, trace: bool, undefined: int = 0, substitute: str = substitute, schedule: str = schedule
        ) -> tuple[Record | None, list[bytearray]]:
            given = launch.replayed if substitute == "recorded" else launch.arrays
            for at, array in zip(arrays, given, strict=False):
                # A program's memory is large, so it is not copied once more.
                arena.write(at.start, array.tobytes() if launch.areas is None else array.view(np.uint8).data)
            for (_, told), area in zip(uses(launch, arrays), launch.areas or (), strict=True):
                if isinstance(area.written, np.ndarray):
                    arena.write(told, area.written.view(np.uint8) * np.uint8(_HAS_VALUE))
            for name in variables.keys() & launch.symbols.keys():
                arena.write(variables[name], launch.symbols[name])
            # WebAssembly has only the clock: a screening run that is in doubt must not take as long again.
            idle = IDLE_SECONDS * patience / 4 if wasm and workers else IDLE_SECONDS * patience
            most = max_steps if followed is None else _TIMES_DEBUGGED * (max_steps or MAX_BLOCK_STEPS)
            limits = limits_of(launch, cpu_seconds, idle, memory, most)
            limits["trace_capacity"] = TRACE_EVENTS if trace else 0
            limits |= {"max_work": max_work, "watched": watch is not None}
            how = (limits, trace_block, undefined, variables, substitute)
            asked = request(
                launch,
                module.info,
                arrays,
                workers,
                checks,
                schedule,
                *how,
                blocks=blocks,
                followed=followed,
                child_uses=child_uses,
            )
            try:
                answer = process.ask(program, module.path, asked, arena, events, patience)
                if answer:
                    check_answer(answer, _events(events, answer.traced), launch, module.info, len(arrays))
            except AnswerError:  # whatever a kernel does to its process, it's that kernel's crash
                answer = broken_answer()
            return answer, [arena.read(at.start, array.nbytes) for at, array in outputs]

        def run_precisely(trace: bool, undefined: int = 0) -> tuple[Record, list[bytearray]]:
            answer, after = run_once(0, trace, undefined)
            return answer or broken_answer(), after

        if launch.replayed:
            run_once(0, False, substitute="recorded")
        workers = workers_for(module.info, launch, trace, schedule)
        workers = min(workers, 1) if max_work else workers
        answer, after = run_once(workers, trace) if workers else (None, [])
        if answer is None:
            answer, after = run_precisely(trace)
        # A value that a shuffle leaves undefined matters if another value changes what the launch does.
        seen = [answer.stop, answer.printed, after]
        values = range(1, CONSTANTS["UNDEFINED_VALUES"] if answer.no_values else 1)
        others = (run_precisely(False, undefined) for undefined in values)
        used = any([other.stop, other.printed, left] != seen for other, left in others)
        reader = Reader(launch, module.info, arrays)
        recorded = reader.trace(_events(events, answer.traced)) if trace else None
        sizes = {array.symbol: array.bytes for array in arrays}
        symbols = {name: bytes(arena.read(start, sizes[name])) for name, start in variables.items()}
        told = [arena.read(start, granules(array)) for array, start in uses(launch, arrays)]
        findings = tuple(reader.findings(answer, checks=checks, undefined_used=used))
        if checks and not findings and not trace and any(map(_FENCES.match, module.info.calls)):
            # The first to take a lock needs no fence behind that, which only another order tells.
            other, _ = run_once(0, False, schedule="forward" if schedule == "backward" else "backward")
            findings = tuple(reader.races(other.races)) if other else ()
    return Run(
        outputs=tuple(
            np.frombuffer(left, array.dtype).reshape(array.shape)
            for left, array in zip(after, launch.arrays, strict=True)
        ),
        findings=findings,
        counts=Counts(**vars(answer.counts)),
        completed=answer.stop is None,
        blocks=answer.ended if max_work and answer.enough else len(blocks) or math.prod(launch.grid),
        printed=answer.printed,
        trace=recorded,
        maximum_work=reader.maximum_work(answer.maximum_work) if answer.maximum_work else None,
        traffic=reader.traffic(answer.traffic),
        symbols=symbols,
        uses=tuple(np.frombuffer(each, np.uint8) & (_USED | _PLAINLY) for each in told),
        early_uses=tuple(_early(np.frombuffer(each, np.uint8)) for each in told) if launch.programmatic else (),
        lets_begin=answer.lets_begin,
        children=read_children(answer, reader.access),
        child_races=read_child_races(answer, reader.access),
        writes_held=answer.writes_held,
        static_shared=module.info.static_shared,
        warnings=module.info.warnings,
        sync_calls=module.info.sync_calls,
        saw_leftovers=answer.saw_leftovers or bool(answer.local_reads),
        touched_shared=reader.touched_shared(answer.touched_shared) if checks else None,
    )


def compile_for(launch: Launch, checks: bool = True, *, debugged: bool = False) -> Module | Finding:
    """The module that `run` loads for `launch`, or why it doesn't compile. Raises what `compile_kernel` raises."""
    if launch.refusal:
        return launch.refusal
    many = not launch.once and launch.threads >= OPTIMIZE_THREADS
    build = Build.PLAIN if not many else Build.OPTIMIZED if checks else Build.COUNTING
    if debugged:
        build = Build.DEBUG
    if engine() is Engine.WEBASSEMBLY:
        build = Build.DEBUG_WEBASSEMBLY if debugged else Build.WEBASSEMBLY
    module = compile_kernel(launch.source, launch.name, build, launch.code)
    # Only a whole program has a heap, which lasts from one launch to the next.
    if launch.areas is None and isinstance(module, Module) and "emu_allocate" in module.info.calls:
        return forbidden("new" if "new" in launch.source else "malloc", Refusal.NO_HEAP, launch.source)
    # And it alone runs what its kernels launch.
    if launch.areas is None and isinstance(module, Module) and "emu_launch" in module.info.calls:
        return forbidden("<<<", Refusal.LAUNCH, launch.source)
    return module


def check_fit(launch: Launch, info: ModuleInfo) -> None:
    """Raise `UsageError` if the launch doesn't fit a GPU, now that the compiled kernel is known."""
    if info.static_shared + launch.shared_mem > MAX_SHARED:
        raise UsageError(
            f"The kernel's arrays ({info.static_shared} bytes) and shared_mem={launch.shared_mem} are "
            f"more than the {MAX_SHARED} bytes of shared memory that a block can have: use smaller tiles."
        )
    check_cluster(launch, info)


def limits_of(
    launch: Launch,
    cpu_seconds: float = CPU_SECONDS,
    idle_seconds: float = IDLE_SECONDS,
    memory: int = MEMORY,
    max_steps: int | None = None,
) -> dict[str, int]:
    """The limits of a launch, as a request has them, with no room for a trace."""
    block_steps = max_steps or MAX_BLOCK_STEPS
    return {
        "max_thread_steps": max_steps or MAX_THREAD_STEPS,
        "max_block_steps": block_steps,
        "max_block_waits": min(block_steps, MAX_BLOCK_WAITS_ONCE) if launch.once else block_steps,
        "cpu_ms": round(min(cpu_seconds, seconds_left()) * 1000),
        "idle_ms": round(idle_seconds * 1000),
        "memory": memory,
        "trace_capacity": 0,
        "max_work": 0,
        "watched": 0,
    }


def source_map(launch: Launch) -> SourceMap:
    """Maps the events in a trace of `launch` to source lines and elements.

    Raises:
        GraderFault: the kernel doesn't compile, so it has no trace.
    """
    module = compile_for(launch)
    if isinstance(module, Finding):
        raise GraderFault(f"There is no trace of {launch.name}, which does not compile.")
    return SourceMap(launch, module.info, place(launch, module.info)[0])


def workers_for(info: ModuleInfo, launch: Launch, trace: bool, schedule: str) -> int:
    """How many processes share the blocks of a screening run; 0 for no screening run."""
    if (
        trace
        or schedule not in ("forward", IN_SERIES[0])
        or launch.withheld != "nothing"
        or launch.leftovers
        or launch.ignored  # nearly always there is something to find
        or any(area.is_heap for area in launch.areas or ())
        or launch.programmatic
        or launch.depth  # what it uses by atomics has to be told apart
        or any(_ORDERING.match(call) for call in info.calls)
    ):
        return 0
    blocks = math.prod(launch.grid)
    # Starting a process costs about as much as running a few thousand threads.
    alone = launch.threads < 4096 or any(_TOGETHER.match(call) for call in info.calls)
    if alone or schedule in IN_SERIES or engine() is Engine.WEBASSEMBLY:
        return 1
    return min(blocks, len(os.sched_getaffinity(0)), CONSTANTS["MAX_WORKERS"])


def _early(granules: np.ndarray) -> np.ndarray:
    """As in `Run.early_uses`: here, all are as if they were plain."""
    used: np.ndarray = granules // _EARLY & _USED
    return used | (used > 0) * np.uint8(_PLAINLY)


def _events(trace: emulator_process.File | node_process.File, count: int) -> np.ndarray:
    """The first `count` events of a trace, or as many as there are."""
    return np.frombuffer(trace.read(0, min(count, TRACE_EVENTS) * _EVENT.itemsize), _EVENT)
