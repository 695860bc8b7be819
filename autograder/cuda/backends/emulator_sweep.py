"""Runs many small launches of one kernel, for their results alone: most of what such a launch costs is its process."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

import numpy as np

from ..compiler.emulator_runtime import build_runtime
from ..compiler.engine import Engine, engine
from ..compiler.toolchain import Module
from ..core.enumerations import Status
from ..core.launch import Launch
from ..core.run import Run
from ..errors import GraderFault, UsageError
from . import emulator, emulator_process
from .emulator_request import Settings, place, request

#: Most launches.
MAX_LAUNCHES = 240
#: Most threads of all launches, which is what else they cost: of a kernel whose threads have arrays of their own, each
#: access of which is watched; of one in which threads wait for each other, so that each has its stacks; of any other.
MAX_WITH_ARRAYS, MAX_WAITING, MAX_THREADS = 6_000, 24_000, 40_000
#: In WebAssembly, where each launch has an instance of its own.
MAX_LAUNCHES_ONE_BY_ONE = 24
#: Processor time of a launch; all together may take `SEVERAL_LAUNCHES` times as much. So little may stop one that is
#: fine, on a busy machine: whoever wants to know why launches it again.
CPU_SECONDS = 0.2
#: Calls in which threads wait for each other.
_WAITS = re.compile(r"emu_(barrier|warp_|cluster_barrier|grid_barrier)")
#: Calls of a thread that has such arrays.
_LOCAL_ARRAYS = re.compile(r"emu_local_begin")
#: Arrays begin at multiples of this many bytes.
_ALIGNMENT = 256


@dataclass
class _Filed:
    """A launch, and where in the file of all each of its arrays lies."""

    launch: Launch
    at: list[int] = field(default_factory=list)
    status: int = Status["untried"]


def run_each(launches: Iterable[Launch]) -> list[Run | None]:
    """Run `launches`, all of one kernel that compiles: the first `MAX_LAUNCHES`, and of these the ones with the fewest
    threads, as many as the limits allow. Whatever ends one ends no other.

    Returns:
        For each that was made, a run that tells whether it ran to its end, and if so, its arrays; no finding says what
        stopped it (`emulator.run` does). None: there were too many threads, or no time was left for it.

    Raises:
        MachineFault: this machine can't run the emulator. GraderFault: it failed.
    """
    wasm = engine() is Engine.WEBASSEMBLY
    made = [_Filed(launch) for launch in islice(launches, MAX_LAUNCHES_ONE_BY_ONE if wasm else MAX_LAUNCHES)]
    if not made:
        return []
    module = emulator.compile_for(made[0].launch)
    if not isinstance(module, Module):
        raise GraderFault(f"{made[0].launch.name} does not compile, and so has no launches.")
    left = MAX_THREADS
    for calls, most in ((_WAITS, MAX_WAITING), (_LOCAL_ARRAYS, MAX_WITH_ARRAYS)):
        if any(map(calls.match, module.info.calls)):
            left = most
    size = _ALIGNMENT
    for entry in sorted(made, key=lambda entry: entry.launch.threads):
        left -= entry.launch.threads
        if left < 0:
            break
        entry.status = Status["full_check"]
        for array in entry.launch.arrays:
            entry.at.append(size)
            size += -(-array.nbytes // _ALIGNMENT) * _ALIGNMENT
    if wasm:
        return [_run_alone(entry.launch) if entry.status == Status["full_check"] else None for entry in made]
    with emulator_process.File("arrays", size) as file:
        for fully in (False, True):
            undone = [entry for entry in made if entry.status == Status["full_check"]]
            _run(undone, module, file, fully=fully)
        return [_read(entry, file) for entry in made]


def _run(filed: Sequence[_Filed], module: Module, file: emulator_process.File, *, fully: bool) -> None:
    """Run these launches, and note how each ends."""
    prepared, requests = [], []
    for entry in filed:
        launch = entry.launch
        try:
            emulator.check_fit(launch, module.info)
            placement = place(launch, module.info)
            workers = 0 if fully else min(emulator.workers_for(module.info, launch, False, "forward"), 1)
            settings = Settings(emulator.limits_of(launch, CPU_SECONDS), workers=workers)
            filed_at = {array.start: at for array, at in zip(placement.arrays, entry.at, strict=False)}
            requests.append(request(launch, module.info, replace(placement, variables={}), settings, filed_at))
        except UsageError:
            entry.status = Status["refused"]
            continue
        prepared.append(entry)
        for at, array in zip(entry.at, launch.arrays, strict=True):
            file.write(at, array.tobytes())
    program = (str(build_runtime().runner),)
    statuses = emulator_process.exchange_each(program, module.path, requests, file) if prepared else b""
    for entry, status in zip(prepared, statuses, strict=True):
        entry.status = status


def _read(filed: _Filed, file: emulator_process.File) -> Run | None:
    if filed.status == Status["untried"]:
        return None
    outputs = tuple(
        np.frombuffer(file.read(at, array.nbytes), array.dtype).reshape(array.shape)
        for at, array in zip(filed.at, filed.launch.arrays, strict=True)
    )
    return Run(outputs=outputs, completed=filed.status == Status["sent"])


def _run_alone(launch: Launch) -> Run:
    try:
        return emulator.run(launch, checks=False, cpu_seconds=CPU_SECONDS)
    except UsageError:
        return Run(outputs=launch.arrays, completed=False)
