"""Nsight Compute's numbers on every rung of the ladder, for measure_gemm.py.

`ncu` starts this file again, as `python book/data/gemm_profile.py N RUNS`, and profiles it while it launches every
rung with every m, RUNS times on N x N matrices, and cuBLAS, too, if N is PROFILED. Needs `ncu`.
"""

import sys
from collections.abc import Iterator
from typing import Any

import cupy as cp
import numpy as np
from gemm_on_gpu import on_gpu
from gemm_rungs import RUNGS
from profiling import GEMMS, number, profiled

#: The side of the matrices, and how many launches of each rung are profiled.
COUNTED, PROFILED, RUNS = 256, 4096, 5
_LD, _ST = "pipe_lsu_mem_shared_op_ld.sum", "pipe_lsu_mem_shared_op_st.sum"
_ASYNC = "sm__sass_l1tex_t_{}_pipe_lsu_mem_global_op_ldgsts{}.sum"
#: What a launch does: numbers that should be the same on every GPU of this model. Several metrics are added up.
COUNTS = {
    "load_requests": ["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"],
    "load_sectors": ["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"],
    "async_requests": [_ASYNC.format("requests", "")],
    "async_sectors": [_ASYNC.format("sectors", "_cache_access"), _ASYNC.format("sectors", "_cache_bypass")],
    "store_requests": ["l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"],
    "store_sectors": ["l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"],
    "shared_load_instructions": ["smsp__sass_inst_executed_op_shared_ld.sum"],
    "shared_load_wavefronts": ["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"],
    "shared_load_conflicts": [f"l1tex__data_bank_conflicts_{_LD}"],
    "shared_store_conflicts": [f"l1tex__data_bank_conflicts_{_ST}"],
    "instructions": ["smsp__inst_executed.sum"],
}
#: What keeps a launch busy. The issue rate is in % of one instruction a cycle for each scheduler; that of
#: the L1 cache and shared memory (one piece of hardware) in % of one wavefront a cycle; bytes are of DRAM and L2.
LIMITS = {
    "issue_percent": ["smsp__issue_active.avg.pct_of_peak_sustained_active"],
    "l1_percent": ["l1tex__data_pipe_lsu_wavefronts.avg.pct_of_peak_sustained_elapsed"],
    "l1_hit_percent": ["l1tex__t_sector_hit_rate.pct"],
    "l2_sectors": ["lts__t_sectors_srcunit_tex.sum"],
    "dram_bytes": ["dram__bytes_read.sum", "dram__bytes_write.sum"],
    "multiply_adds": ["smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"],
    "instructions": ["smsp__inst_executed.sum"],
}

Row = dict[str, Any]
Found = dict[str, list[float]]


def _profiled(n: int, columns: dict[str, list[str]]) -> Iterator[tuple[Row, Found]]:
    """For each rung and m, and for cuBLAS at PROFILED: the columns that name it, and the counts of each launch.

    cuBLAS has many kernels. The one for small matrices may not be called "gemm".
    """
    names = sorted({metric for metrics in columns.values() for metric in metrics})
    rows = profiled(GEMMS, names, __file__, str(n), str(RUNS))
    launched: list[tuple[Any, str, Any]] = [(rung.number, rung.name, m or "") for rung in RUNGS for m in rung.sides]
    launched += [("", "cuBLAS", "")] * (n == PROFILED)
    assert len(rows) == RUNS * len(launched), f"ncu saw {len(rows)} launches"
    for place, (rung, name, m) in enumerate(launched):
        own = rows[RUNS * place : RUNS * (place + 1)]
        seen = {row["Kernel Name"].split("(")[0] for row in own}
        assert len(seen) == 1 and (not rung or seen == {name}), f"ncu saw {seen}, not {name}"
        found = {
            column: [sum(number(row, metric) for metric in metrics) for row in own]
            for column, metrics in columns.items()
        }
        yield {"rung": rung, "kernel": name, "m": m, "n": n, "runs": RUNS, "gpu_kernel": seen.pop()}, found


def counts() -> Iterator[Row]:
    """The rows of gemm_counts_<gpu>.csv: medians, how far the launches' counts are apart, and ratios."""
    operations = 2 * COUNTED**3
    for about, found in _profiled(COUNTED, COUNTS):
        middle = {column: int(np.median(values)) for column, values in found.items()}
        spread = {f"{column}_spread": int(max(values) - min(values)) for column, values in found.items()}
        sectors, requests = middle["load_sectors"], middle["load_requests"]
        # A rung without shared memory takes its operands from the L1 cache: a pass for each request.
        passes = middle["shared_load_wavefronts"] or requests
        yield {
            **about,
            **middle,
            "sectors_per_request": f"{sectors / requests:.2f}",
            "operations_per_global_byte": f"{operations / (32 * sectors):.3f}",
            "operations_per_shared_byte": f"{operations / (128 * passes):.4f}",
            **spread,
        }


def limits() -> Iterator[Row]:
    """The rows of gemm_limits_<gpu>.csv: medians."""
    for about, found in _profiled(PROFILED, LIMITS):
        middle = {column: float(np.median(values)) for column, values in found.items()}
        yield {
            **about,
            **{column: f"{middle[column]:.1f}" for column in LIMITS if column.endswith("percent")},
            "l2_gb": f"{32 * middle['l2_sectors'] / 1e9:.2f}",
            "dram_gb": f"{middle['dram_bytes'] / 1e9:.2f}",
            "multiply_add_percent": f"{100 * middle['multiply_adds'] / 32 / middle['instructions']:.1f}",
        }


def launch_all(n: int, runs: int) -> None:
    a, b = cp.random.standard_normal((2, n, n), dtype=cp.float32)
    c = cp.empty((n, n), cp.float32)
    for rung in RUNGS:
        kernel = on_gpu(rung.fitted(n, n, n))
        for m in rung.sides:
            call = kernel.call(a, b, c, m)
            for _ in range(runs):
                call()
    for _ in range(runs if n == PROFILED else 0):
        cp.matmul(a, b, out=c)
    cp.cuda.Device().synchronize()


if __name__ == "__main__":
    launch_all(int(sys.argv[1]), int(sys.argv[2]))
