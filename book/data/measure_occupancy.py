"""How many blocks fit on a multiprocessor, by the driver, for many kernels and launches.

Run it on a machine with an NVIDIA GPU: `python book/data/measure_occupancy.py`. It compiles kernels that
need few or many registers and little or much shared memory, asks
cuOccupancyMaxActiveBlocksPerMultiprocessor about each at several block sizes, and writes
occupancy_<gpu>.csv beside itself. tests/cuda/nvrtc/test_occupancy.py compares the results of
`autograder.cuda.nvrtc.occupancy` with it.
"""

from collections.abc import Iterator

import cupy
from cupy.cuda import driver
from measuring import Row, compiled, machine, write

from autograder.cuda.nvrtc.occupancy import GPUS

#: Every load comes before the barrier, and `out` may be `in`: so a thread holds all of its values at once.
HOLD = """\
template <int VALUES, int STATIC>
__global__ void BOUNDS hold(const float* in, float* out)
{
    __shared__ char room[STATIC ? STATIC : 1];
    float held[VALUES];
#pragma unroll
    for (int i = 0; i < VALUES; ++i)
        held[i] = in[i * blockDim.x + threadIdx.x];
    if (STATIC)
        room[threadIdx.x % STATIC] = threadIdx.x;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < VALUES; ++i)
        out[i * blockDim.x + threadIdx.x] = held[i] * held[VALUES - 1 - i] + (STATIC ? room[0] : 0);
}
"""
VALUES = (1, 6, 10, 16, 20, 24, 32, 40, 56, 80, 120, 230)
BLOCKS = (32, 65, 96, 160, 256, 352, 512, 768, 1024)
#: Bytes of static and of dynamic shared memory.
SHARED = ((0, 1), (100, 0), (1024, 0), (1152, 5000), (0, 12 * 1024), (4096, 40_000), (49152, 0), (0, 227 * 1024))
BOUNDS = ("__launch_bounds__(256, 8)", "__launch_bounds__(384, 3)", "__launch_bounds__(1024)")


def asked() -> Iterator[tuple[int, str, int, int]]:
    """Values, launch bounds, static and dynamic shared memory of each kernel."""
    for values in VALUES:
        yield values, "", 0, 0
    for static, dynamic in SHARED:
        yield 1, "", static, dynamic
        yield 40, "", static, dynamic
    for bounds in BOUNDS:
        yield 120, bounds, 1024, 0


def rows() -> Iterator[Row]:
    for values, bounds, static, dynamic in asked():
        said, kernel = compiled(HOLD.replace("BOUNDS", bounds), f"hold<{values}, {static}>")
        function = kernel.ptr
        registers = driver.funcGetAttribute(driver.CU_FUNC_ATTRIBUTE_NUM_REGS, function)
        local = driver.funcGetAttribute(driver.CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, function)
        taken = driver.funcGetAttribute(driver.CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function)
        # The compiler's numbers without a GPU are those of the GPU.
        assert (registers, local, taken) == (said.registers, said.local, said.static_shared)
        driver.funcSetAttribute(function, driver.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, dynamic)
        most = driver.funcGetAttribute(driver.CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function)
        for block in BLOCKS:
            if bounds and block > most:
                continue  # the launch bounds forbid it
            yield {
                "values": values,
                "launch_bounds": bounds,
                "registers": registers,
                "local_bytes": local,
                "static_shared": taken,
                "shared_mem": dynamic,
                "block": block,
                "blocks_per_sm": driver.occupancyMaxActiveBlocksPerMultiprocessor(function, block, dynamic),
            }


def check_limits(device: str) -> None:
    """The table's limits for this GPU are those that its driver states."""
    known = GPUS[device.split()[-1]]
    stated = cupy.cuda.Device().attributes
    pairs = {
        "MaxThreadsPerMultiProcessor": known.warps * 32,
        "MaxBlocksPerMultiprocessor": known.blocks,
        "MaxRegistersPerMultiprocessor": known.registers,
        "MaxSharedMemoryPerMultiprocessor": known.shared_bytes,
        "MaxSharedMemoryPerBlockOptin": known.shared_bytes - known.reserved_bytes,
        "ReservedSharedMemoryPerBlock": known.reserved_bytes,
    }
    for name, value in pairs.items():
        print(f"{name}: {stated.get(name)} on this GPU, {value} in the table")
        assert stated.get(name) == value


def main() -> None:
    origin = machine()
    write("occupancy", rows(), origin)
    check_limits(origin["device"])


if __name__ == "__main__":
    main()
