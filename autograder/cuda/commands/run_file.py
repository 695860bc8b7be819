"""Implements `autograder run`: one emulated launch of a kernel in any `.cu` file, and its findings."""

from __future__ import annotations

import csv
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from ..backends import emulator
from ..backends.emulation import TRACE_EVENTS
from ..compiler.diagnostics import read_messages
from ..core.device_code import DeviceCode
from ..core.findings import Finding, Kind
from ..core.launch import Dims, Launch, prepare
from ..core.numerics import find_mismatch, tolerance
from ..core.run import TRACE_ACTIONS, Expected, Run
from ..errors import UsageError
from ..nvrtc import compiler as nvrtc
from ..nvrtc.occupancy import GPUS, Gpu, Occupancy, Resources, measure, occupancy
from ..programs.building.nvrtc_source import nvrtc_source
from ..programs.launches.file_kernel import read_kernel
from ..report.compile_errors import in_words
from ..schedules.counterexamples import find_counterexample
from ..source.gather import Gathered
from .arguments import bind, expected, parse_argument


@dataclass(frozen=True)
class FileRun:
    """A launch of a kernel in a file, and all its results. `notes` say what was left out of the file; `outputs` are the
    arrays after the launch, by parameter; `resources` are what the compiler and each requested GPU report about the
    kernel, of the file's `half` that `nvrtc_source.users_half` has returned."""

    file: str
    gathered: Gathered
    half: str
    notes: tuple[str, ...]
    launch: Launch
    seed: int
    run: Run
    seconds: float
    outputs: dict[str, np.ndarray]
    resources: tuple[tuple[Gpu, Resources, Occupancy], ...]

    @property
    def refused(self) -> bool:
        """Whether the text was rejected before a launch."""
        return any(f.kind in (Kind.COMPILE_ERROR, Kind.FORBIDDEN_CODE) for f in self.run.findings)

    def output(self, name: str) -> np.ndarray:
        """Get the array `name` after the launch.

        Raises:
            UsageError: the kernel has no array of that name.
        """
        if name not in self.outputs:
            has = f"use {', '.join(self.outputs)}" if self.outputs else "it has none"
            raise UsageError(f"{self.launch.name} has no array {name}: {has}.")
        return self.outputs[name]


def run_file(
    file: Path,
    kernel: str | None,
    grid: Dims,
    block: Dims,
    arguments: Sequence[str],
    *,
    shared_mem: int = 0,
    seed: int = 0,
    trace: bool = False,
    followed: int | None = None,
    expect: Sequence[str] = (),
    folders: Sequence[Path] = (),
    standard: str = "c++17",
) -> FileRun:
    """Emulate one launch of a kernel in `file`.

    Args:
        kernel: the kernel's name; None for the only one in the file.
        grid, block: an int, or up to three ints.
        arguments: in the notation of `autograder.cuda.commands.arguments`.
        shared_mem: dynamic shared memory in bytes.
        seed: for arrays that are filled at random.
        followed: the block that a debugger follows, as for `emulator.run`.
        expect: what arrays should hold after the launch, in the same notation. A different result is a
            finding; and if there is a race, we look for an order of the threads that makes a result wrong.
        folders: where headers of the file's own are, besides beside it.
        standard: of C++, "c++17".

    Raises:
        UsageError: bad input; the message says what to do.
        GraderFault: the emulator itself failed.
    """
    given = [parse_argument(text) for text in arguments]
    begin = time.perf_counter()
    read = read_kernel(file, kernel, folders, standard)
    refusal = read.code if isinstance(read.code, Finding) else None
    values = [] if refusal else bind(given, read.signature, seed)
    launch = prepare(read.gathered.text, read.signature, grid, block, values, shared_mem, refusal=refusal)
    if isinstance(read.code, DeviceCode):
        launch = replace(launch, code=read.code)
    wanted = {} if refusal else expected(expect, read.signature, values)
    run = emulator.run(launch, trace=trace, followed=followed)
    parameters = enumerate(read.signature.parameters, 1)
    names = [p.name or f"argument {i}" for i, p in parameters if p.is_pointer]
    before = dict(zip(names, launch.arrays, strict=True))
    if wanted:
        close = {name: Expected(want, tolerance(want, before[name].dtype, 1)) for name, want in wanted.items()}
        run = find_counterexample(launch, run, close)
    seconds = time.perf_counter() - begin
    outputs = dict(zip(names, run.outputs, strict=True))
    if run.completed:
        run = replace(run, findings=(*run.findings, *_mismatches(wanted, outputs, before)))
    return FileRun(str(file), read.gathered, read.half, read.notes, launch, seed, run, seconds, outputs, ())


def _mismatches(
    wanted: Mapping[str, np.ndarray], outputs: Mapping[str, np.ndarray], before: Mapping[str, np.ndarray]
) -> list[Finding]:
    found: list[Finding] = []
    for name, want in wanted.items():
        got = outputs[name]
        found += find_mismatch(name, got, want, tolerance(want, got.dtype, 1), got == before[name])
    return found


def with_resources(done: FileRun, gpus: Sequence[Gpu], standard: str = "c++17") -> FileRun:
    """Add what the kernel takes from each of `gpus` to `done`, compiled by this standard of C++; nothing if its text
    was rejected.

    Raises:
        UsageError: NVRTC rejects the text, though the emulator accepted it.
    """
    if done.refused or not gpus:
        return done
    name = done.launch.name
    whole = nvrtc_source(done.half, name)
    if whole.log:
        errors = in_words(read_messages(whole.cause(whole.log), done.gathered.text))
        why = f": line {done.gathered.place(errors[0].line)}: {errors[0].text}" if errors else ""
        raise UsageError(f"NVRTC cannot compile {name}, which needs more than kernels have there{why}.")
    x, y, z = done.launch.block
    rows = []
    for gpu in gpus:
        taken = measure(whole.text, name, gpu.arch, standard)
        shared = taken.shared_bytes + done.launch.shared_mem
        rows.append((gpu, taken, occupancy(gpu, x * y * z, taken.registers, shared)))
    return replace(done, resources=tuple(rows))


def choose_gpus(names: Sequence[str]) -> list[Gpu]:
    """Find GPUs by name, in upper or lower case; "all" means those that the installed NVRTC compiles for.

    Raises:
        UsageError: a name is unknown, or NVRTC is missing. MachineFault: NVRTC is damaged.
    """
    known = {name.lower(): gpu for name, gpu in GPUS.items()}
    for name in names:
        if name.lower() not in {*known, "all"}:
            raise UsageError(f"--gpu {name} is not known: use {', '.join(GPUS)}, or all.")
    supported = nvrtc.supported_archs() if names else ()
    if "all" in names:
        return [gpu for gpu in GPUS.values() if gpu.arch in supported]
    return [known[name.lower()] for name in names]


def save_array(done: FileRun, name: str, path: Path) -> None:
    """Write the array `name` after the launch as a .npy file.

    Raises:
        UsageError: there is no such array, or the file can't be written.
    """
    array = done.output(name)
    try:
        with path.open("wb") as file:
            np.save(file, array)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}.") from None


def save_trace(done: FileRun, path: Path) -> str:
    """Write every access and barrier as CSV, in the emulator's order; `block` and `thread` are linear,
    `line` is `NAME:LINE` in a header of the file's own,
    `index` is the element's flat index, `offset` and `size` are the accessed bytes of the array,
    `value` is what was read or left there, if it is one number.

    Returns:
        one sentence about what was written.

    Raises:
        UsageError: the file can't be written.
    """
    trace = done.run.trace
    assert trace is not None
    try:
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["step", "block", "thread", "line", "action", "array", "index", "offset", "size", "value"])
            for e in trace.events:
                row = [e["step"], e["block"], e["thread"], done.gathered.place(e["line"]), TRACE_ACTIONS[e["action"]]]
                where: Sequence[Any] = [""] * 5
                if e["array"] >= 0:  # a value that is not a number is None, which becomes an empty field
                    where = (trace.arrays[e["array"]], e["index"], e["offset"], e["size"], trace.value(e))
                writer.writerow([*row, *where])
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}.") from None
    full = ", which is all that a trace holds" if len(trace.events) >= TRACE_EVENTS else ""
    return f"{path} holds {len(trace.events)} events{full}."
