"""Nsight Compute's numbers on kernels that copy by tensor maps, for measure_tensor_bulk.py.

`ncu` starts this file again, and profiles it while it launches each of them, and cuBLAS, RUNS times on n x n matrices.
Needs `ncu`.
"""

from collections.abc import Callable, Iterator

from measuring import Row
from profiling import CHOSEN, launch, median, profiled
from tensor_bulk import build, call, cublas, factors, result_for
from tensor_kernels import call as call_older
from tensor_kernels import compile_all

SIDES, RUNS = (4096, 8192), 3
TIME, CYCLES = "gpu__time_duration.sum", "sm__cycles_elapsed.avg"
#: How long the tensor cores were busy, of the time of the launch; and what the L2 cache and the memory moved.
TENSOR = "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed"
READ, MOVED = "lts__t_sectors_op_read.sum", "dram__bytes.sum"


#: The rows.
NAMES = (
    "06_wgmma",
    "08_tma",
    "09_persistent",
    "09_persistent with shared tiles",
    "09_persistent without copies",
    "09_persistent without stores",
    "09_persistent without both",
    "cuBLAS",
)


def calls(n: int) -> list[Callable[[], None]]:
    """A launch for each of NAMES."""
    from measure_tensor_bulk import COPIES, STORES

    a, b, c = factors("FP16", n, n), factors("FP16", n, n), result_for("FP32", n, n)
    (old,) = compile_all("06_wgmma")
    gemms = [build("08_tma", "FP16"), build("09_persistent", "FP16"), build("09_persistent", "FP16", sharing=True)]
    gemms += [build("09_persistent", "FP16", changes=of) for of in (COPIES, STORES, {**COPIES, **STORES})]
    own = [call(gemm, a, b, c) for gemm in gemms]
    return [call_older(old, old.load(), a, b, c), *own, cublas("FP16", "FP32", a, b, c)]


def profile() -> Iterator[Row]:
    """The rows of tensor_bulk_profile_<gpu>.csv: medians."""
    rows = profiled(CHOSEN, (TIME, CYCLES, TENSOR, READ, MOVED), __file__)
    launched = [(n, name) for n in SIDES for name in NAMES]
    assert len(rows) == RUNS * len(launched), f"ncu saw {len(rows)} launches"
    for place, (n, name) in enumerate(launched):
        own = rows[RUNS * place : RUNS * (place + 1)]
        assert len({row["Kernel Name"] for row in own}) == 1
        nanoseconds, cycles = median(own, TIME), median(own, CYCLES)
        yield {
            "type": "FP16",
            "kernel": name,
            "n": n,
            "runs": RUNS,
            "gpu_kernel": own[0]["Kernel Name"].split("(")[0],
            "median_us": f"{nanoseconds / 1000:.1f}",
            "kcycles": f"{cycles / 1000:.1f}",
            "mhz": f"{1000 * cycles / nanoseconds:.0f}",
            "tensor_percent": f"{median(own, TENSOR):.1f}",
            "l2_read_gb": f"{32 * median(own, READ) / 1e9:.2f}",
            "memory_gb": f"{median(own, MOVED) / 1e9:.3f}",
        }


if __name__ == "__main__":
    for side in SIDES:
        launch(calls(side), RUNS)
