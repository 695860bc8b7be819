"""Runs a launch of one's own program on the emulator without any check, in the memory that the program shares: several
times as fast as with checks. (No answer of an exercise runs so.)"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Sequence

import numpy as np

from ..compiler.emulator_runtime import build_runtime, build_unchecked_runner
from ..compiler.machine_code import Build
from ..compiler.module_info import ArrayInfo, ModuleInfo
from ..compiler.toolchain import compile_kernel
from ..core.answer import AnswerError, broken_answer
from ..core.findings import Finding
from ..core.launch import Launch
from ..core.protocol import CONSTANTS, dtype
from ..core.records import Answer
from ..core.run import Run
from . import emulator_process
from .answer_check import check_answer
from .child_reader import read_children
from .emulator import CPU_SECONDS
from .emulator_process import BEGUN, Watch
from .emulator_reader import Reader
from .emulator_request import Settings, place, request

# What threads of several blocks do together, which must share a process; and waits at a barrier in memory, of which a
# process that is one of several may think that nothing ends them.
_TOGETHER = re.compile(r"emu_(allocate|free|launch|atomic|print|fence|grid_|cluster_|mbarrier_|release|acquire|spin)")
#: A launch has no limit of steps, of waits or of memory but what a number can hold.
_ENDLESS = 1 << 60


def compute(launch: Launch, memory: emulator_process.File, cpu_seconds: float, watch: Watch | None = None) -> Run:
    """Compute `launch` in `memory`, which holds its areas; nothing is counted, and nothing found but what stops it.

    Args:
        memory: of at least 64 KB more than the areas and the variables on the GPU.
        cpu_seconds: processor time of each process that runs blocks; after that, the kernel never ends.
        watch: as for `emulator.run`.

    Raises:
        UsageError: the launch doesn't fit this kernel or this machine.
        GraderFault: the emulator itself failed.
    """
    runtime = build_runtime()
    module = compile_kernel(launch.source, launch.name, Build.UNCHECKED, launch.code)
    if isinstance(module, Finding):
        return Run(outputs=(), findings=(module,), completed=False)
    program = (str(build_unchecked_runner(runtime)),)
    placement = place(launch, module.info, memory.size)
    arrays, variables = placement.arrays, placement.variables
    for name in variables.keys() & launch.symbols.keys():
        memory.write(variables[name], launch.symbols[name])
    limits = dict.fromkeys(("max_thread_steps", "max_block_steps", "max_block_waits"), _ENDLESS) | {
        "cpu_ms": round(cpu_seconds * 1000),
        "idle_ms": round(cpu_seconds * 1000),
        "memory": _ENDLESS,
        "max_work": 0,
        "watched": watch is not None,
    }

    def run(workers: int) -> Answer | None:
        packed = request(launch, module.info, placement, Settings(limits, workers=workers))
        with emulator_process.File("trace", BEGUN) as events:
            if watch:
                watch(events, math.prod(launch.grid))
            answer = emulator_process.exchange(
                program, module.path, packed, memory, events, max(1.0, cpu_seconds / CPU_SECONDS)
            )
        if answer:
            check_answer(answer, np.empty(0, dtype("TraceEvent")), launch, module.info, len(arrays))
        return answer

    try:
        answer = run(_workers(module.info, launch, arrays))
        if answer is None:  # something stops it: the only process of another run says what
            answer = run(0)
            answer = answer if answer and answer.stop else broken_answer()
    except AnswerError:
        answer = broken_answer()
    sizes = {array.symbol: array.bytes for array in arrays}
    reader = Reader(launch, module.info, arrays)
    return Run(
        outputs=(),
        findings=tuple(reader.findings(answer, checks=False, undefined_used=False)),
        children=read_children(answer, reader.access),
        completed=answer.stop is None,
        printed=answer.printed,
        symbols={name: bytes(memory.read(start, sizes[name])) for name, start in variables.items()},
    )


def _workers(info: ModuleInfo, launch: Launch, arrays: Sequence[ArrayInfo]) -> int:
    """How many processes share the blocks; 0 for one in which blocks wait for each other."""
    if any(_TOGETHER.match(call) for call in info.calls):
        return 0
    # Each process has its own copy of the variables, and only one of these is kept.
    if any(array.space == "device" and not array.const for array in arrays):
        return 1
    return min(math.prod(launch.grid), len(os.sched_getaffinity(0)), CONSTANTS["MAX_WORKERS"])
