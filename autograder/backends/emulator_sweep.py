"""Runs many small launches of one kernel, for their results alone: most of what such a launch costs is its process."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from ..compiler.emulator_runtime import build_runtime
from ..compiler.engine import Engine, engine
from ..compiler.toolchain import Module
from ..core.launch import Launch
from ..core.protocol import Status
from ..core.run import Run
from ..errors import GraderFault, UsageError
from . import emulator, emulator_process
from .emulator_request import place, request

#: Most launches.
MAX_LAUNCHES = 320
#: Most threads of a launch, and of all of them, which is what else they cost.
MAX_THREADS_EACH, MAX_THREADS = 1024, 40_000
#: In WebAssembly, where each launch has an instance of its own.
MAX_LAUNCHES_ONE_BY_ONE = 24
#: Processor time of all launches together.
CPU_SECONDS = 2.0
#: Arrays begin at multiples of so many bytes.
_ALIGNMENT = 256


@dataclass
class _Filed:
    """A launch, and where in the file of all each of its arrays lies."""

    launch: Launch
    at: list[int]
    status: int = Status["untried"]


def run_each(launches: Iterable[Launch]) -> list[Run | None]:
    """Run `launches`, all of one kernel that compiles, as many as the limits allow: none is made beyond that. Whatever
    ends one ends no other.

    Returns:
        For each that was made, a run that tells whether it ran to its end, and if so, its arrays; no finding says what
        stopped it (`emulator.run` does). None: it is too large, or no time was left for it.

    Raises:
        MachineFault: this machine can't run the emulator. GraderFault: it failed.
    """
    wasm = engine() is Engine.WEBASSEMBLY
    made, size, threads = [], _ALIGNMENT, 0
    for launch in islice(launches, MAX_LAUNCHES_ONE_BY_ONE if wasm else MAX_LAUNCHES):
        own = math.prod(launch.grid) * math.prod(launch.block)
        filed = _Filed(launch, [])
        made.append(filed)
        if own > MAX_THREADS_EACH:
            continue
        threads += own
        if threads > MAX_THREADS:
            break
        filed.status = Status["precise"]
        for array in launch.arrays:
            filed.at.append(size)
            size += -(-array.nbytes // _ALIGNMENT) * _ALIGNMENT
    chosen = [one for one in made if one.status == Status["precise"]]
    if wasm:
        return [_run_alone(one.launch) if one in chosen else None for one in made]
    with emulator_process.File("arrays", size) as file:
        _run(chosen, file, precisely=False)
        _run([one for one in chosen if one.status == Status["precise"]], file, precisely=True)
        return [_read(one, file) for one in made]


def _run(filed: Sequence[_Filed], file: emulator_process.File, *, precisely: bool) -> None:
    """Run these launches, and note how each ends."""
    if not filed:
        return
    module = emulator.compile_for(filed[0].launch)
    if not isinstance(module, Module):
        raise GraderFault(f"{filed[0].launch.name} does not compile, and so has no launches.")
    asked, requests = [], []
    for one in filed:
        launch = one.launch
        try:
            emulator.check_fit(launch, module.info)
            arrays, size = place(launch, module.info)
            where = {array.start: at for array, at in zip(arrays, one.at, strict=False)}
            workers = 0 if precisely else emulator.workers_for(module.info, launch, False, "forward")
            limits = emulator.limits_of(launch, CPU_SECONDS)
            how = (False, "forward", limits, None, 0, {}, "zeros", where, size)
            requests.append(request(launch, module.info, arrays, min(workers, 1), *how))
        except UsageError:
            one.status = Status["refused"]
            continue
        asked.append(one)
        for at, array in zip(one.at, launch.arrays, strict=True):
            file.write(at, array.tobytes())
    program = (str(build_runtime().runner),)
    statuses = emulator_process.ask_for_each(program, module.path, requests, file) if asked else b""
    for one, status in zip(asked, statuses, strict=True):
        one.status = status


def _read(one: _Filed, file: emulator_process.File) -> Run | None:
    if one.status == Status["untried"]:
        return None
    outputs = tuple(
        np.frombuffer(file.read(at, array.nbytes), array.dtype).reshape(array.shape)
        for at, array in zip(one.at, one.launch.arrays, strict=True)
    )
    return Run(outputs=outputs, completed=one.status == Status["sent"])


def _run_alone(launch: Launch) -> Run:
    try:
        return emulator.run(launch, checks=False, cpu_seconds=CPU_SECONDS)
    except UsageError:
        return Run(outputs=launch.arrays, completed=False)
