"""Runs a launch on the CPU emulator: one sandboxed process for each launch."""

from __future__ import annotations

import math
import mmap
import os
import re
from dataclasses import replace
from typing import Any

import numpy as np

from ..compiler.emulator_runtime import build_runtime
from ..compiler.module_info import ArrayInfo, ModuleInfo
from ..compiler.toolchain import Build, Module, compile_kernel
from ..core.findings import Finding
from ..core.launch import MAX_SHARED, Launch
from ..core.protocol import CONSTANTS, Record, Schedule, Space, dtype, pack_request
from ..core.run import Counts, Run
from ..errors import GraderFault, UsageError
from .emulator_process import File, ask
from .emulator_reader import Reader
from .source_map import SourceMap

#: Accesses of one thread between two barriers; the course's longest kernel makes some thousands.
MAX_THREAD_STEPS = 10_000_000
#: Accesses of a whole block while no barrier opens and no thread ends.
MAX_BLOCK_STEPS = 20_000_000
#: Processor time of a launch. Beyond it the kernel is taken to be endless.
CPU_SECONDS = 60
TRACE_EVENTS = 2_000_000
MAX_BYTES = 1 << 30
#: Threads of all the blocks that are on the GPU at once; the kernel keeps two areas of memory for each.
MAX_RESIDENT_THREADS = 16384
#: Threads of a launch from which on its kernel is optimized: only there that spares more than it costs the compiler.
OPTIMIZE_THREADS = 4096
#: The same, where few launches share what the compiler has cost (`Launch.once`).
OPTIMIZE_THREADS_ONCE = 16384

_EVENT = dtype("TraceEvent")
_PLACE = r"(\d{1,10}):(\d{1,4}):(\d{1,9})"
_HOLD = re.compile(rf"hold {_PLACE} until {_PLACE}")
_AT_ONCE = "copies land at once"
# What orders threads in other ways than barriers; the screening run does not follow it.
_ORDERING = re.compile(r"emu_(fence|warp_barrier|grid_|async_|release|acquire|spin)")
# What processes that share nothing but the arrays cannot do together.
_TOGETHER = re.compile(r"emu_(atomic|printf)")


def run(
    launch: Launch,
    *,
    trace: bool = False,
    schedule: str = "forward",
    max_steps: int | None = None,
    trace_block: int | None = None,
    checks: bool = True,
) -> Run:
    """Emulate `launch`.

    A first, screening run spreads the blocks over the cores and only tells whether all is well. If
    something is not, or might not be, what it did is dropped, and the precise run says what.

    Args:
        schedule: in which order threads and blocks get their turns: "forward", "backward", "warps"
            (the last warp first), "lockstep" (one access of each thread of a block in turn) or
            "random:<seed>". Behind it may stand "; hold <block>:<thread>:<access> until
            <block>:<thread>:<access>": the one thread waits before its access of that number until the
            other has made its own. Numbers count from 0, along the launch's blocks, a block's threads and a
            thread's reads, writes and atomics as they stand in a trace. Or "; copies land at once": where
            they are started, and not where they are waited for.
        max_steps: accesses of one thread between two barriers, and of a block while no barrier opens and
            no thread ends, after which the launch is stopped; None for `MAX_THREAD_STEPS`, `MAX_BLOCK_STEPS`.
        trace_block: the one block, by its linear number, whose events the trace holds; None for all.
        checks: look for races and reads of what has no value; without, the findings are what stopped the launch.

    Raises:
        UsageError: the launch does not fit this kernel or this machine.
        GraderFault: the emulator itself failed.
    """
    module = compile_for(launch, checks)
    if isinstance(module, Finding):
        return Run(outputs=launch.arrays, findings=(module,), completed=False)
    if module.info.static_shared + launch.shared_mem > MAX_SHARED:
        raise UsageError(
            f"The kernel's arrays ({module.info.static_shared} bytes) and shared_mem={launch.shared_mem} are "
            f"more than the {MAX_SHARED} bytes of shared memory that a block can have: use smaller tiles."
        )
    arrays, size = _place(launch, module.info)
    with File("arena", size) as arena, File("trace", TRACE_EVENTS * _EVENT.itemsize if trace else 0) as events:
        with mmap.mmap(arena.fd, size) as memory:
            outputs = list(zip(arrays, launch.arrays, strict=False))

            def run_once(workers: int, trace: bool, undefined: int = 0) -> tuple[Record | None, list[bytes]]:
                for at, array in outputs:
                    memory[at.start : at.start + array.nbytes] = array.tobytes()
                request = _request(
                    launch, module.info, arrays, trace, workers, checks, schedule, max_steps, trace_block, undefined
                )
                answer = ask(build_runtime().runner, module.path, request, arena.fd, events.fd)
                return answer, [memory[at.start : at.start + array.nbytes] for at, array in outputs]

            def run_precisely(trace: bool, undefined: int = 0) -> tuple[Record, list[bytes]]:
                answer, after = run_once(0, trace, undefined)
                if answer is None:
                    raise GraderFault("The emulator's precise run gave up: this is a fault of the emulator.")
                return answer, after

            workers = _workers(module.info, launch, trace, schedule)
            answer, after = run_once(workers, trace) if workers else (None, [])
            if answer is None:
                answer, after = run_precisely(trace)
            # A value that a shuffle does not define matters where the launch does something else with another one.
            seen = [answer.stop, answer.printed, after]
            values = range(1, CONSTANTS["UNDEFINED_VALUES"] if answer.no_values else 1)
            others = (run_precisely(False, undefined) for undefined in values)
            used = any([other.stop, other.printed, left] != seen for other, left in others)
        reader = Reader(launch, module.info, arrays)
        stops = [reader.stop(answer.stop)] if answer.stop else []
        recorded = None
        if trace:
            raw = os.pread(events.fd, answer.traced * _EVENT.itemsize, 0)
            recorded = reader.trace(np.frombuffer(raw, _EVENT))
    if used:
        stops = [*reader.no_values(answer.no_values), *stops]
    unread = [*reader.uninitialized(answer.uninitialized), *reader.local_reads(answer.local_reads)]
    findings = [*reader.races(answer.races), *unread, *stops] if checks else stops
    return Run(
        outputs=tuple(
            np.frombuffer(left, array.dtype).reshape(array.shape).copy()
            for left, array in zip(after, launch.arrays, strict=True)
        ),
        findings=tuple(findings),
        counts=Counts(**vars(answer.counts)),
        completed=answer.stop is None,
        printed=answer.printed,
        trace=recorded,
        busiest=reader.busiest(answer.busiest) if answer.busiest else None,
        traffic=reader.traffic(answer.traffic),
        static_shared=module.info.static_shared,
    )


def compile_for(launch: Launch, checks: bool = True) -> Module | Finding:
    """The module that `run` loads for `launch`; or why it does not compile. Raises: as `compile_kernel`."""
    threshold = OPTIMIZE_THREADS_ONCE if launch.once else OPTIMIZE_THREADS
    many = math.prod(launch.grid) * math.prod(launch.block) >= threshold
    build = Build.PLAIN if not many else Build.OPTIMIZED if checks else Build.COUNTING
    return compile_kernel(launch.source, launch.name, build)


def source_map(launch: Launch) -> SourceMap:
    """What tells of the events in a trace of `launch` which lines and elements they are.

    Raises:
        GraderFault: the kernel does not compile, so there is no trace of it.
    """
    module = compile_for(launch)
    if isinstance(module, Finding):
        raise GraderFault(f"There is no trace of {launch.name}, which does not compile.")
    return SourceMap(launch, module.info, _place(launch, module.info)[0])


# ---- asking the runner --------------------------------------------------------------------------------


def _place(launch: Launch, info: ModuleInfo) -> tuple[list[ArrayInfo], int]:
    """Where each array of the launch goes in the arena, followed by the module's own arrays; and the
    arena's size. The gaps are wide, so that a wrong index falls into one and not into another array."""
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


def _workers(info: ModuleInfo, launch: Launch, trace: bool, schedule: str) -> int:
    """How many processes share the blocks of a screening run; 0: there is none."""
    if trace or schedule != "forward" or any(_ORDERING.match(call) for call in info.calls):
        return 0
    blocks = math.prod(launch.grid)
    # A process costs about as much as some thousand threads.
    alone = blocks * math.prod(launch.block) < 4096 or any(_TOGETHER.match(call) for call in info.calls)
    return 1 if alone else min(blocks, len(os.sched_getaffinity(0)), CONSTANTS["MAX_WORKERS"])


def _request(
    launch: Launch,
    info: ModuleInfo,
    arrays: list[ArrayInfo],
    trace: bool,
    workers: int,
    checks: bool,
    schedule: str,
    max_steps: int | None,
    trace_block: int | None,
    undefined: int,
) -> bytes:
    """The launch as the runner's request, see emulator/protocol.json."""
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
        "max_thread_steps": max_steps or MAX_THREAD_STEPS,
        "max_block_steps": max_steps or MAX_BLOCK_STEPS,
        "cpu_ms": CPU_SECONDS * 1000,
        "trace_capacity": TRACE_EVENTS if trace else 0,
        "trace_block": -1 if trace_block is None else trace_block,
        "screening": workers > 0,
        "only_counts": workers > 0 and not checks,
        "workers": workers,
        **_schedule(schedule),
        "undefined": undefined,
        "module_data": info.data,
        "module_image": info.image,
        "residents": 1 if workers else _residents(info, launch),
    }
    return pack_request(head, [_variable(launch, array) for array in arrays], arguments, blob)


def _variable(launch: Launch, array: ArrayInfo) -> dict[str, int]:
    """What the runner has to know of an array."""
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
    """How many blocks may be alive at once: all, if they fit, where threads of one can wait for another."""
    blocks, threads = math.prod(launch.grid), math.prod(launch.block)
    fit = max(1, MAX_RESIDENT_THREADS // threads)
    if "emu_grid_barrier" in info.calls and blocks > fit:
        raise UsageError(
            f"All {blocks} blocks of a kernel that synchronizes its whole grid must be on the GPU at once, and the "
            f"emulator has room for {fit} blocks of {threads} threads: use a smaller grid."
        )
    return min(blocks, fit)


def _schedule(text: str) -> dict[str, Any]:
    """The fields of the request that say in which order threads and blocks get their turns."""
    order, semicolon, held = text.partition("; ")
    kind, _, seed = order.partition(":")
    hold, at_once = _HOLD.fullmatch(held), held == _AT_ONCE
    if (
        kind not in Schedule.__members__
        or (kind == "random") != seed.isdecimal()
        or bool(semicolon) != bool(hold or at_once)
    ):
        raise UsageError(
            f"There is no schedule {text!r}: take forward, backward, warps, lockstep or random:<seed>, "
            f"and behind it perhaps '; hold 0:0:1 until 0:32:0' or '; {_AT_ONCE}'."
        )
    places = list(map(int, hold.groups())) if hold else [0] * 6
    before, until = (dict(zip(("block", "thread", "access"), place, strict=True)) for place in (places[:3], places[3:]))
    return {
        "schedule": Schedule[kind],
        "seed": int(seed or 0),
        "holds": bool(hold),
        "hold": before,
        "until": until,
        "copies_at_once": at_once,
    }
