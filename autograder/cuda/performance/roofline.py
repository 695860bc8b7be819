"""Counts how much a launch computes and moves, with the emulator, and estimates each part of a GPU's time for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from ..core.launch import Launch
from ..core.run import Run
from ..errors import GraderFault, UsageError
from ..kernel import Kernel

#: The parts of a GPU that can limit a launch, as a `%%values` cell names them.
LIMITS: Mapping[str, int] = {"memory": 1, "shared": 2, "arithmetic": 3}
#: Bytes that shared memory moves in one wavefront: 32 banks of 4 bytes.
_WAVEFRONT = 128
# Every operation on this type is one atomic operation on global memory, which the emulator counts.
_COUNTED = """
__device__ unsigned int operations;
struct Counted {
    float value;
    Counted() = default;
    __device__ Counted(float v) : value(v) {}
    __device__ friend Counted operator+(Counted a, Counted b) { atomicAdd(&operations, 1u); return a.value + b.value; }
    __device__ friend Counted operator-(Counted a, Counted b) { atomicAdd(&operations, 1u); return a.value - b.value; }
    __device__ friend Counted operator*(Counted a, Counted b) { atomicAdd(&operations, 1u); return a.value * b.value; }
    __device__ friend Counted operator/(Counted a, Counted b) { atomicAdd(&operations, 1u); return a.value / b.value; }
    __device__ Counted& operator+=(Counted b) { return *this = *this + b; }
    __device__ Counted& operator-=(Counted b) { return *this = *this - b; }
    __device__ Counted& operator*=(Counted b) { return *this = *this * b; }
    __device__ Counted& operator/=(Counted b) { return *this = *this / b; }
};
#define float Counted
"""


@dataclass(frozen=True)
class Workload:
    """What one launch does: floating-point operations (a multiply-add is two), bytes that its threads load from and
    store to global memory, bytes that shared memory moves for them, 128 per wavefront, and waits at barriers."""

    operations: int
    bytes: int
    shared_bytes: int
    waits: int

    @property
    def intensity(self) -> float:
        """Operations per byte of global memory."""
        return self.operations / self.bytes


@dataclass(frozen=True)
class Machine:
    """A GPU's ceilings: bytes per second of global and of shared memory, and float operations per second."""

    name: str
    memory: float
    shared: float
    arithmetic: float

    def times(self, work: Workload) -> dict[str, float]:
        """Seconds that each part alone needs for `work`, by its name in `LIMITS`."""
        return {
            "memory": work.bytes / self.memory,
            "shared": work.shared_bytes / self.shared,
            "arithmetic": work.operations / self.arithmetic,
        }

    def limit(self, work: Workload) -> str:
        """Return the part that needs the most time for `work`."""
        times = self.times(work)
        return max(times, key=lambda part: times[part])


def count_work(launch: Launch, emulate: Callable[[Launch], Run]) -> Workload:
    """Measure what `launch` does with two emulated launches: one as is, and one with a type that counts instead of
    `float`. For kernels whose arrays hold single floats and whose other arguments are integers.

    Raises:
        GraderFault: a launch did not complete, or the text does more with its floats than arithmetic.
    """
    plain = emulate(launch)
    try:
        counted = Kernel(_COUNTED + launch.source, launch.name)
        twin = counted.prepare(launch.grid, launch.block, launch.args, launch.shared_mem)
    except UsageError as error:
        raise GraderFault(f"The work of {launch.name} cannot be counted: {error}") from error
    counting = emulate(replace(twin, empty=launch.empty))
    if plain.counts is None or counting.counts is None or not (plain.completed and counting.completed):
        raise GraderFault(f"The work of {launch.name} cannot be counted: a launch of it did not complete.")
    counts = plain.counts
    return Workload(
        operations=counting.counts.global_atomics - counts.global_atomics,
        bytes=4 * (counts.global_loads + counts.global_stores),
        shared_bytes=_WAVEFRONT * (counts.shared_load_wavefronts + counts.shared_store_wavefronts),
        waits=counts.barriers,
    )
