"""The emulator's counts and those of Nsight Compute, launch by launch.

The GPU's side is book/data/counts_<gpu>.csv, which measure_counts.py writes; the emulator's side is counted again
each time. This module compares them; tests/book/test_counts.py demands that they differ exactly as DIFFERENCES
says.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

from autograder.cuda.core.run import Counts
from autograder.cuda.performance import measurements

from . import cached_runs, kernels
from .measured import DATA, Row

FILE = DATA / "counts_nvidia_h200.csv"
BUILDS = ("debug", "optimized")
GLOBAL_LOADS = ("global_load_requests", "global_load_sectors")
GLOBAL_STORES = ("global_store_requests", "global_store_sectors")
GLOBAL = (*GLOBAL_LOADS, *GLOBAL_STORES)
SHARED_LOADS = ("shared_load_wavefronts", "shared_load_conflicts")
SHARED_STORES = ("shared_store_wavefronts", "shared_store_conflicts")
SHARED = (*SHARED_LOADS, *SHARED_STORES)
GLOBAL_ATOMICS = ("global_atomic_requests", "global_atomic_sectors")
ATOMICS = (*GLOBAL_ATOMICS, "shared_atomic_conflicts")
COLUMNS = (*GLOBAL, *SHARED, *ATOMICS)


@dataclass(frozen=True)
class Difference:
    """Why some kernels differ from builds on the GPU in some columns, in at least one launch each.

    `cause` says who causes it: the "compiler", or the "GPU" whose order of events counts.
    """

    builds: tuple[str, ...]
    kernels: tuple[str, ...]
    columns: tuple[str, ...]
    cause: str
    reason: str


_ROLLED_OUT = (
    "The compiler made copies of the loop's body, {}. Lanes with different numbers of rounds are in different copies "
    "at the same time, and their requests no longer meet."
)
_FLOAT2 = "Without optimization a float2 is copied as two floats: two LD.E, where the optimized code has one LDG.E.64."
_TOGETHER = (
    "All lanes add to one element. The compiler lets the warp add up first, and one lane goes to memory for all."
)
_WIDER = "The compiler reads several neighbors of a row of the tile in one wider access, LDS.128."

DIFFERENCES = (
    Difference(("debug",), ("copy_float2", "shared_float2"), GLOBAL, "compiler", _FLOAT2),
    Difference(("debug",), ("shared_float2",), SHARED, "compiler", _FLOAT2),
    Difference(
        ("debug",),
        ("constant_uniform", "constant_per_lane"),
        GLOBAL_LOADS,
        "compiler",
        "Without optimization constant memory is read by LD.E, the way of global memory. Optimized code has LDC, which "
        "goes through a cache of its own; the emulator counts none of these reads.",
    ),
    Difference(
        ("debug",),
        ("shared_float4_broadcast",),
        ("shared_load_wavefronts",),
        "compiler",
        "Without optimization shared memory is read by LD.E, the way of all memory. Where neighboring lanes read the "
        "same place, LDS.128 of optimized code takes half the passes, and LD.E.128 does not.",
    ),
    Difference(
        ("debug",),
        ("atomic_ticket",),
        ("global_store_sectors",),
        "GPU",
        "Which thread draws which ticket depends on who comes first, and so does where it stores.",
    ),
    Difference(
        ("optimized",),
        ("copy_grid_stride",),
        GLOBAL,
        "compiler",
        _ROLLED_OUT.format("one for the rounds by four and one for the rest"),
    ),
    Difference(
        ("optimized",),
        ("lanes_loop_differently",),
        GLOBAL_LOADS,
        "compiler",
        _ROLLED_OUT.format("for the rounds by four, by two and one by one"),
    ),
    Difference(
        ("optimized",),
        ("csr_rows",),
        GLOBAL_LOADS,
        "compiler",
        "The end of the row is loaded once and not in every round; and the loop is there four times: one by one until "
        "what is left is a multiple of four, and then by sixteen, by eight and by four.",
    ),
    Difference(
        ("optimized",),
        ("loads_merged", "constant_uniform", "either_condition"),
        GLOBAL_LOADS,
        "compiler",
        "The element is loaded once and then kept in a register.",
    ),
    Difference(
        ("optimized",),
        ("function_in_branches",),
        ("global_load_requests", "global_store_requests"),
        "compiler",
        "The branches only choose the address. The loads and the store stand there once, for all lanes together.",
    ),
    Difference(
        ("optimized",),
        ("loop_break",),
        ("global_load_requests",),
        "compiler",
        "The loop is gone: each lane goes to its own element at once, all in one request.",
    ),
    Difference(("optimized",), ("loop_nested",), GLOBAL_LOADS, "compiler", _ROLLED_OUT.format("with 116 loads in all")),
    Difference(
        ("optimized",),
        ("loop_return",),
        (*GLOBAL_LOADS, *GLOBAL_STORES),
        "compiler",
        "The element is loaded once and then kept in a register; and the lanes that return, in whichever round, store "
        "together in one instruction.",
    ),
    Difference(
        ("optimized",),
        ("device_table",),
        GLOBAL_LOADS,
        "compiler",
        "The value that was just stored is still in a register, and is not loaded again.",
    ),
    Difference(
        ("optimized",), ("atomic_one_address", "atomic_ticket"), ("global_atomic_sectors",), "compiler", _TOGETHER
    ),
    Difference(("optimized",), ("atomic_shared_one_address",), ("shared_atomic_conflicts",), "compiler", _TOGETHER),
    Difference(
        ("optimized",),
        ("histogram_shared",),
        ("shared_atomic_conflicts",),
        "compiler",
        "Adding 1 has an instruction of its own, ATOMS.POPC.INC, which serves all lanes of a word at once.",
    ),
    Difference(
        ("optimized",),
        ("gemm_tiled_16", "gemm_tiled_32", "gemm_1x2"),
        ("shared_load_wavefronts",),
        "compiler",
        _WIDER,
    ),
    Difference(("optimized",), ("gemm_tile_transposed", "shared_neighbors_merged"), SHARED_LOADS, "compiler", _WIDER),
    Difference(
        ("optimized",),
        ("scan_blelloch",),
        SHARED,
        "compiler",
        "A thread's two neighbors are moved in one access, LDS.64 and STS.64, and an element that was just read is "
        "not read again.",
    ),
)


@dataclass(frozen=True)
class Compared:
    """One launch: `emulator` counts by column, and the GPU's `rows` by build."""

    kernel: str
    label: str
    emulator: dict[str, int]
    rows: dict[str, Row]

    def gpu(self, build: str, column: str) -> int:
        """Return a count of Nsight Compute, which calls an atomic whose old value is unused a reduction."""
        row = self.rows[build]
        if column in GLOBAL_ATOMICS:
            return int(row[column]) + int(row[column.replace("atomic", "reduction")])
        return int(row[column])

    def unequal(self, build: str) -> set[str]:
        """Return the columns in which the emulator and this build differ."""
        return {column for column in COLUMNS if self.emulator[column] != self.gpu(build, column)}


def counted(counts: Counts) -> dict[str, int]:
    """Return the emulator's counts, by COLUMNS. For shared atomics, conflicts are compared: without optimization, the
    GPU's wavefronts include atomics on global memory, too."""
    conflicts = {"shared_atomic_conflicts": counts.shared_atomic_wavefronts - counts.shared_atomic_requests}
    return {column: conflicts[column] if column in conflicts else getattr(counts, column) for column in COLUMNS}


@functools.cache
def compared() -> tuple[Compared, ...]:
    """Return every launch of the CSV, emulated; none if the file is missing. Takes some seconds.

    Raises:
        ValueError: the file holds other launches than book/kernels/access.
    """
    if not FILE.exists():
        return ()
    rows = {(row["kernel"], row["launch"], row["build"]): row for row in measurements.read(FILE)}
    found = []
    for path in sorted((kernels.FOLDER / "access").glob("*.cu")):
        kernel = kernels.read(f"access/{path.name}")
        for label, launch in kernel.launches.items():
            counts = cached_runs.emulate(kernel.source, kernel.name, **launch).counts
            assert counts is not None
            try:
                gpu = {build: rows.pop((kernel.name, label, build)) for build in BUILDS}
            except KeyError:
                raise ValueError(f"{FILE.name} has no row for {kernel.name} {label}: measure anew") from None
            found.append(Compared(kernel.name, label, counted(counts), gpu))
    if rows:
        raise ValueError(f"{FILE.name} has rows for launches that are gone, such as {next(iter(rows))}: measure anew")
    return tuple(found)


def unequal(build: str, columns: tuple[str, ...] = COLUMNS) -> dict[str, set[str]]:
    """Kernel -> those of `columns` in which any of its launches differs from this build."""
    found: dict[str, set[str]] = {}
    for launch in compared():
        if differs := launch.unequal(build) & set(columns):
            found.setdefault(launch.kernel, set()).update(differs)
    return found


def explained(build: str) -> dict[str, set[str]]:
    """Kernel -> the columns in which DIFFERENCES says that it differs from this build."""
    found: dict[str, set[str]] = {}
    for difference in DIFFERENCES:
        for kernel in difference.kernels:
            if build in difference.builds:
                found.setdefault(kernel, set()).update(difference.columns)
    return found
