"""Runs a launch on the CPU emulator, in a sandboxed process."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Sequence
from dataclasses import replace
from types import ModuleType

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
from ..core.launch import IN_SERIES, MAX_SHARED, Launch, ProgramLaunch
from ..core.protocol import CONSTANTS
from ..core.refusal import Refusal
from ..core.run import Run
from ..errors import GraderFault, UsageError
from . import emulator_process, node_process
from .child_reader import read_child_races, read_children
from .emulation import EVENT, TRACE_EVENTS, Emulation, Outcome
from .emulator_process import BEGUN, Watch
from .emulator_request import Settings, check_cluster, place
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
#: Times as many steps may be made for a debugger, since accesses of variables are steps, too.
_TIMES_DEBUGGED = 8
#: Bytes of what a launch records, to be replayed: what threads find later is not.
RECORD = 1 << 25
#: We optimize kernels of launches with at least this many threads: below that, compiling costs more than it saves. In
#: a check (`Launch.once`) it always does: few launches share its cost.
OPTIMIZE_THREADS = 4096

# In the uses of a shadow word: how the launch uses it.
_EARLY, _USED, _PLAINLY = CONSTANTS["EARLY"], 3, CONSTANTS["PLAINLY"]
# Calls that order threads by other means than barriers; the fast path doesn't follow these.
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

    First, the fast path spreads the blocks over the cores and only decides whether the launch is clean. If it isn't, or
    might not be, its results are discarded, and the full check makes the findings.

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
    patience = max(1.0, cpu_seconds / CPU_SECONDS)
    most = max_steps if followed is None else _TIMES_DEBUGGED * (max_steps or MAX_BLOCK_STEPS)
    settings = Settings(
        limits_of(launch, cpu_seconds, IDLE_SECONDS * patience, memory, most, max_work, watched=watch is not None),
        checks,
        schedule,
        trace_capacity=TRACE_EVENTS if trace else 0,
        trace_block=trace_block,
        followed=followed,
        blocks=blocks,
        child_uses=child_uses,
    )
    placement = place(launch, module.info)
    replays = bool(launch.experiment.replayed)
    room = TRACE_EVENTS * EVENT.itemsize if trace else RECORD if replays else BEGUN if watch else 0
    process, program = _runner()
    with process.File("arena", placement.size) as arena, process.File("trace", room) as events:
        if watch:
            watch(events, _blocks_of(launch, settings))
        emulation = Emulation(launch, module, placement, process, program, arena, events, patience)
        return _read(emulation, settings, _observe(emulation, settings))


def _runner() -> tuple[ModuleType, tuple[str, ...]]:
    """The module that starts the runner, and its command."""
    runtime = build_runtime()
    if engine() is Engine.WEBASSEMBLY:
        return node_process, (*host_command(), str(build_runtime_module(runtime)))
    return emulator_process, (str(runtime.runner),)


def _observe(emulation: Emulation, settings: Settings) -> tuple[Outcome, tuple[Finding, ...]]:
    """Run the launch as often as it takes to know what it does; the first run's outcome, and all findings."""
    launch, info = emulation.launch, emulation.module.info
    experiment, traces = launch.experiment, bool(settings.trace_capacity)
    silent = replace(settings, trace_capacity=0)
    if experiment.replayed:
        emulation.run(replace(silent, substitute="recorded"))
        settings, silent = (replace(each, substitute="replayed") for each in (settings, silent))
    elif experiment.mixed_up:
        settings, silent = (replace(each, substitute="earlier") for each in (settings, silent))
    workers = workers_for(info, launch, traces, settings.schedule)
    workers = min(workers, 1) if settings.limits["max_work"] else workers
    outcome = emulation.run(_on_fast_path(settings, workers)) if workers else None
    outcome = outcome or emulation.check_fully(settings)
    # A value that a shuffle leaves undefined matters if another value changes what the launch does.
    values = range(1, CONSTANTS["UNDEFINED_VALUES"] if outcome.answer.no_values else 1)
    matters = any(outcome.differs(emulation.check_fully(replace(silent, undefined=value))) for value in values)
    reader = emulation.reader()
    checks = settings.checks
    findings = tuple(reader.findings(outcome.answer, checks=checks, undefined_used=matters))
    if checks and not findings and not traces and any(map(_FENCES.match, info.calls)):
        # The first to take a lock needs no fence after that, which only another order shows.
        order = "forward" if settings.schedule == "backward" else "backward"
        other = emulation.run(replace(silent, schedule=order))
        findings = tuple(reader.races(other.answer.races)) if other else ()
    return outcome, findings


def _on_fast_path(settings: Settings, workers: int) -> Settings:
    # WebAssembly has only the clock: a launch that is in doubt must not take as long again.
    limits = dict(settings.limits)
    if engine() is Engine.WEBASSEMBLY:
        limits["idle_ms"] //= 4
    return replace(settings, workers=workers, limits=limits)


def _read(emulation: Emulation, settings: Settings, observed: tuple[Outcome, tuple[Finding, ...]]) -> Run:
    """The run that these observations describe."""
    outcome, findings = observed
    launch, info, answer = emulation.launch, emulation.module.info, outcome.answer
    reader = emulation.reader()
    uses = [np.frombuffer(each, np.uint8) for each in outcome.uses]
    is_programmatic = isinstance(launch, ProgramLaunch) and launch.programmatic
    return Run(
        outputs=tuple(
            np.frombuffer(left, array.dtype).reshape(array.shape)
            for left, array in zip(outcome.arrays, launch.arrays, strict=True)
        ),
        findings=findings,
        counts=answer.counts,
        completed=answer.stop is None,
        blocks=answer.ended if settings.limits["max_work"] and answer.enough else _blocks_of(launch, settings),
        printed=answer.printed,
        trace=reader.trace(outcome.events) if settings.trace_capacity else None,
        maximum_work=reader.maximum_work(answer.maximum_work) if answer.maximum_work else None,
        traffic=reader.traffic(answer.traffic),
        symbols=outcome.symbols,
        uses=tuple(each & (_USED | _PLAINLY) for each in uses),
        early_uses=tuple(map(_early, uses)) if is_programmatic else (),
        lets_begin=answer.lets_begin,
        children=read_children(answer, reader.access),
        child_races=read_child_races(answer, reader.access),
        writes_held=answer.writes_held,
        static_shared=info.static_shared,
        warnings=info.warnings,
        sync_calls=info.sync_calls,
        saw_uninitialized=answer.saw_uninitialized or bool(answer.local_reads),
        touched_shared=reader.touched_shared(answer.touched_shared) if settings.checks else None,
        observations=reader.observations(answer.observations) if settings.checks else (),
    )


def _blocks_of(launch: Launch, settings: Settings) -> int:
    """The number of blocks that run."""
    return len(settings.blocks) or math.prod(launch.grid)


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
    if isinstance(module, Finding) or isinstance(launch, ProgramLaunch):
        return module
    # Only a whole program has a heap, which lasts from one launch to the next.
    if "emu_allocate" in module.info.calls:
        return forbidden("new" if "new" in launch.source else "malloc", Refusal.NO_HEAP, launch.source)
    # And it alone runs what its kernels launch.
    if "emu_launch" in module.info.calls:
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
    max_work: int = 0,
    *,
    watched: bool = False,
) -> dict[str, int]:
    """The limits of a launch, as a request has them."""
    block_steps = max_steps or MAX_BLOCK_STEPS
    return {
        "max_thread_steps": max_steps or MAX_THREAD_STEPS,
        "max_block_steps": block_steps,
        "max_block_waits": min(block_steps, MAX_BLOCK_WAITS_ONCE) if launch.once else block_steps,
        "cpu_ms": round(min(cpu_seconds, seconds_left()) * 1000),
        "idle_ms": round(idle_seconds * 1000),
        "memory": memory,
        "max_work": max_work,
        "watched": watched,
    }


def source_map(launch: Launch) -> SourceMap:
    """Maps the events in a trace of `launch` to source lines and elements.

    Raises:
        GraderFault: the kernel doesn't compile, so it has no trace.
    """
    module = compile_for(launch)
    if isinstance(module, Finding):
        raise GraderFault(f"There is no trace of {launch.name}, which does not compile.")
    return SourceMap(launch, module.info, place(launch, module.info).arrays)


def workers_for(info: ModuleInfo, launch: Launch, trace: bool, schedule: str) -> int:
    """The number of processes that share the blocks on the fast path; 0 for the full check alone."""
    experiment = launch.experiment
    if (
        trace
        or schedule not in ("forward", IN_SERIES[0])
        or experiment.ablation != "nothing"
        or experiment.uninitialized_fill
        or experiment.ignored  # nearly always there is something to find
        or any(_ORDERING.match(call) for call in info.calls)
    ):
        return 0
    if isinstance(launch, ProgramLaunch) and (
        launch.programmatic
        or launch.depth  # its uses by atomics have to be distinguished
        or any(area.is_heap for area in launch.areas)
    ):
        return 0
    blocks = math.prod(launch.grid)
    # Starting a process costs about as much as running a few thousand threads.
    alone = launch.threads < 4096 or any(_TOGETHER.match(call) for call in info.calls)
    if alone or schedule in IN_SERIES or engine() is Engine.WEBASSEMBLY:
        return 1
    return min(blocks, len(os.sched_getaffinity(0)), CONSTANTS["MAX_WORKERS"])


def _early(uses: np.ndarray) -> np.ndarray:
    """The uses as in `Run.early_uses`: all as if they were not by atomics."""
    used: np.ndarray = uses // _EARLY & _USED
    return used | (used > 0) * np.uint8(_PLAINLY)
