"""Computes what a kernel takes from a GPU, and how many of its blocks fit on one multiprocessor (SM) at a time.

Each GPU's limits come from the CUDA C++ Programming Guide, table "Technical Specifications per
Compute Capability". The guide doesn't say how registers and shared memory are allocated (in what units,
and how much is reserved); that is in `cuda_occupancy.h` of the CUDA toolkit (13.0), which NVIDIA's
occupancy calculator uses. tests/cuda/nvrtc/test_occupancy.py compares the result with what a driver reported.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from ..core.launch import MAX_THREADS
from ..errors import GraderFault, UsageError
from . import compiler as nvrtc

_WARP = 32
#: Registers are allocated to a whole warp, in units of this many.
_REGISTER_UNIT = 256
#: An SM has four partitions with their own registers; a warp's registers are all in one of them.
_PARTS = 4


@dataclass(frozen=True)
class Resources:
    """What NVRTC's machine code for `arch` takes.

    `registers` are per thread. `local_bytes` per thread are in local memory, which is slow global memory: they
    are arrays indexed at run time, and values that did not fit in registers. Because of the latter, the code
    writes `spill_stores` bytes and reads `spill_loads` bytes. `shared_bytes` per block are static: they
    exclude the launch's shared_mem.
    """

    arch: str
    registers: int
    local_bytes: int
    spill_stores: int
    spill_loads: int
    shared_bytes: int


@dataclass(frozen=True)
class Gpu:
    """What one SM of a GPU has, and how many `multiprocessors`, or SMs, there are.

    At most `warps` and `blocks` can be on it at a time. `shared_bytes` is the most shared memory that it can
    have; `shared_unit` is the allocation unit in bytes, and `reserved_bytes` is what the system reserves for
    each block. A single block can have all the rest.
    """

    name: str
    arch: str
    warps: int
    blocks: int
    shared_bytes: int
    multiprocessors: int
    shared_unit: int = 128
    reserved_bytes: int = 1024
    registers: int = 64 * 1024


#: Most registers of a thread, on every GPU.
MOST_REGISTERS = 255
_KB = 1024
#: By name; "RTX30" and "RTX40" are any GeForce card of that series: the cards differ only in how many SMs they have,
#: and here have those of an RTX 3090 and 4090. "Orin" is a Jetson Orin Nano: few enough blocks fit on it for the
#: emulator to run a kernel that synchronizes its whole grid, at the size that a program computes from its GPU.
GPUS: Mapping[str, Gpu] = MappingProxyType(
    {
        gpu.name: gpu
        for gpu in (
            Gpu("T4", "sm_75", 32, 16, 64 * _KB, 40, shared_unit=256, reserved_bytes=0),
            Gpu("A100", "sm_80", 64, 32, 164 * _KB, 108),
            Gpu("Orin", "sm_87", 48, 16, 164 * _KB, 8),
            Gpu("RTX30", "sm_86", 48, 16, 100 * _KB, 82),
            Gpu("RTX40", "sm_89", 48, 24, 100 * _KB, 128),
            Gpu("H100", "sm_90", 64, 32, 228 * _KB, 132),
            Gpu("H200", "sm_90", 64, 32, 228 * _KB, 132),
            Gpu("B200", "sm_100", 64, 32, 228 * _KB, 148),
        )
    }
)


@dataclass(frozen=True)
class Occupancy:
    """How many blocks, and how many of their warps, are on one SM at a time; `limit` is the most warps
    that it can hold. `limiters` name what prevents another block: "warps", "blocks", "registers",
    "shared memory"; there are several if relaxing one of them alone wouldn't help. If `blocks_per_sm` is 0,
    not even one block fits.
    """

    blocks_per_sm: int
    warps: int
    limit: int
    limiters: tuple[str, ...]


def occupancy(gpu: Gpu, block: int, registers: int, shared_mem: int) -> Occupancy:
    """The theoretical occupancy of a kernel: how much fits, no matter what the kernel does.

    Args:
        block: threads in a block.
        registers: per thread.
        shared_mem: bytes per block, static and dynamic together.

    Raises:
        UsageError: no GPU has blocks of this size.
    """
    if not 1 <= block <= MAX_THREADS:
        raise UsageError(f"A block has from 1 to {MAX_THREADS} threads, not {block}: use another block.")
    warps = -(-block // _WARP)
    shared = _round_up(shared_mem + gpu.reserved_bytes, gpu.shared_unit)
    fits = {"warps": gpu.warps // warps, "blocks": gpu.blocks, "registers": _by_registers(gpu, warps, registers)}
    if shared:
        fits["shared memory"] = gpu.shared_bytes // shared
    blocks = min(fits.values())
    limiters = tuple(what for what, most in fits.items() if most == blocks)
    return Occupancy(blocks, blocks * warps, gpu.warps, limiters)


def most_threads(gpu: Gpu, registers: int) -> int:
    """Threads of the largest block for which a GPU has registers, if each thread takes `registers`."""
    return min(_by_registers(gpu, 1, registers) * _WARP, MAX_THREADS)


def _by_registers(gpu: Gpu, warps: int, registers: int) -> int:
    """How many blocks of `warps` warps fit in the registers."""
    for_warp = _round_up(max(registers, 1) * _WARP, _REGISTER_UNIT)
    return gpu.registers // _PARTS // for_warp * _PARTS // warps


def _round_up(number: int, unit: int) -> int:
    return -(-number // unit) * unit


def measure(source: str, name: str, arch: str, standard: str = "c++17") -> Resources:
    """Compile kernel `name` of `source` with NVRTC, and return what its code for `arch` takes.

    Args:
        source: CUDA C++ text that has passed the checks that `nvrtc.compile_for` requires.
        name: a kernel in it; may be a template instance, such as "blur<128>".
        arch: an architecture such as "sm_80".
        standard: of C++.

    Raises:
        UsageError: NVRTC is missing, doesn't know `arch`, or rejects the text.
        MachineFault: it is damaged. GraderFault: NVRTC itself failed.
    """
    result = nvrtc.compile_for(source, name, arch, standard)
    if not result.ok:
        line, _, message = result.messages[0]
        raise UsageError(
            f"NVRTC does not compile {name} for {arch}: {f'line {line}: ' if line else ''}{message.rstrip('.')}."
        )
    if not result.registers:  # every kernel uses some
        raise GraderFault(f"NVRTC compiled {name} for {arch} and did not say what it takes.")
    return Resources(
        arch, result.registers, result.local, result.spill_stores, result.spill_loads, result.static_shared
    )
