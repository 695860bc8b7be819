"""Nsight Compute's numbers on the last kernels of book/kernels/tensor_cores, for measure_tensor.py.

`ncu` starts this file again, and profiles it while it launches each of them, and cuBLAS, RUNS times on N x N matrices.
Needs `ncu`.
"""

from collections.abc import Iterator

import cupy as cp
from measuring import Row
from profiling import CHOSEN, launch, median, profiled
from tensor_kernels import Gemm, call, compile_all, factors, library

N, RUNS, TYPES = 4096, 5, ("FP16", "TF32")
#: Columns that are shares of what the hardware can do: of the cycles of the tensor cores, of one instruction a cycle
#: for each scheduler, and of one wavefront a cycle of the L1 cache and shared memory.
PERCENT = {
    "tensor_percent": "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active",
    "issue_percent": "smsp__issue_active.avg.pct_of_peak_sustained_active",
    "l1_percent": "l1tex__data_pipe_lsu_wavefronts.avg.pct_of_peak_sustained_elapsed",
}
#: Columns that count: instructions by warps, those among them that are products of matrices, loads from shared memory
#: and the conflicts of everything that uses shared memory; and sectors that the L2 cache was asked for.
COUNTS = {
    "instructions": "smsp__inst_executed.sum",
    "products": "sm__inst_executed_pipe_tensor.sum",
    "shared_loads": "smsp__sass_inst_executed_op_shared_ld.sum",
    "shared_conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
    "l2_sectors": "lts__t_sectors_srcunit_tex.sum",
}


def chosen() -> list[Gemm]:
    """Each kernel with stages, with its first tile."""
    return list({gemm.file: gemm for gemm in reversed(compile_all()) if gemm.staged}.values())[::-1]


def profile() -> Iterator[Row]:
    """The rows of tensor_profile_<gpu>.csv: medians."""
    metrics = PERCENT | COUNTS
    rows = profiled(CHOSEN, metrics.values(), __file__)
    launched = [(gemm.type, gemm.file) for gemm in chosen()] + [(kind, "cuBLAS") for kind in TYPES]
    assert len(rows) == RUNS * len(launched), f"ncu saw {len(rows)} launches"
    for place, (kind, name) in enumerate(launched):
        own = rows[RUNS * place : RUNS * (place + 1)]
        assert len({row["Kernel Name"] for row in own}) == 1
        found = {key: median(own, metric) for key, metric in metrics.items()}
        yield {
            "type": kind,
            "kernel": name,
            "n": N,
            "runs": RUNS,
            "gpu_kernel": own[0]["Kernel Name"].split("(")[0],
            **{column: f"{found[column]:.1f}" for column in PERCENT},
            **{column: int(found[column]) for column in COUNTS},
        }


def launch_all() -> None:
    matrices = {kind: (factors(kind, N, N), factors(kind, N, N), cp.empty((N, N), cp.float32)) for kind in TYPES}
    products = [call(gemm, gemm.load(), *matrices[gemm.type]) for gemm in chosen()]
    products += [library(kind, *matrices[kind]) for kind in TYPES]
    launch(products, RUNS)


if __name__ == "__main__":
    launch_all()
