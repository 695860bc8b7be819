"""How long do the four kernels of the exercise predict_the_bound take, and what can each part of the GPU do?

Run it on a machine with an NVIDIA GPU and CuPy: `python book/data/measure_predict_the_bound.py`. It writes
predict_the_bound_<gpu>.csv beside itself: the three ceilings, and each kernel with the text and at the size that the
notebook gives. The notebook's numbers are those of this table. Launches take turns, so that they are of one minute;
before each, more memory is written than the L2 cache holds.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any

import cupy as cp
import numpy as np
from measuring import HERE, Timer, machine, summary, write

from autograder import nvrtc
from autograder.launch import prepare
from autograder.prediction import Prediction
from autograder.session import default as session

NOTEBOOK = HERE.parent.parent / "solutions" / "measuring" / "predict_the_bound.ipynb"
KERNELS = ("scale_and_add", "polynomial", "tiled_product", "turn")
RUNS = 15
ROUNDS = 2000
COPY = """
__global__ void copy(const float4* from, float4* to)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i] = from[i];
}
"""
#: 16 sums that do not wait for each other; each round is 8 x 16 multiply-adds.
ARITHMETIC = """
__global__ void arithmetic(float* out, float s, int rounds)
{
    float x[16], b = 1.0f - s * 1e-3f, sum = 0.0f;
    #pragma unroll
    for (int i = 0; i < 16; ++i) x[i] = threadIdx.x + i;
    for (int k = 0; k < rounds; ++k)
        #pragma unroll
        for (int n = 0; n < 8 * 16; ++n) x[n % 16] = x[n % 16] * b + s;
    #pragma unroll
    for (int i = 0; i < 16; ++i) sum += x[i];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
"""
#: Each round is 32 loads, of which each takes its warp one pass over the banks.
SHARED = """
__global__ void shared(float* out, float s, int rounds)
{
    __shared__ float numbers[32 * 32];
    for (int i = threadIdx.x; i < 32 * 32; i += blockDim.x) numbers[i] = s * i;
    __syncthreads();
    const volatile float* mine = numbers + threadIdx.x % 32;
    float sum[4] = {};
    for (int k = 0; k < rounds; ++k)
        #pragma unroll
        for (int n = 0; n < 32; ++n) sum[n % 4] += mine[32 * n];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum[0] + sum[1] + sum[2] + sum[3];
}
"""
THREADS = 256


def load(source: str, name: str) -> Any:
    """The kernel `name` of `source` on this GPU."""
    result = nvrtc.compile_for(source, name, f"sm_{cp.cuda.Device().compute_capability}")
    assert result.ok, result.log
    module = cp.cuda.Module()
    module.load(result.cubin)
    return module.get_function(result.entry)


def predictions() -> list[Prediction]:
    """What the notebook declares."""
    names: dict[str, Any] = {}
    for cell in json.loads(NOTEBOOK.read_text())["cells"]:
        if cell["metadata"]["nbgrader"]["grade_id"] == "contract":
            exec(compile("".join(cell["source"]), NOTEBOOK.name, "exec"), names)
    declared = [session.exercise_named(name) for name in KERNELS]
    return [one for one in declared if isinstance(one, Prediction)]


def call_of(asked: Prediction) -> Callable[[], None]:
    """Launches the kernel at its large size, after one launch of which the numbers are checked."""
    size = asked.measured[0]
    launch = prepare(asked.source, asked.name, **asked.launch(**size))
    given = [cp.asarray(arg) if isinstance(arg, np.ndarray) else arg for arg in launch.args]
    function = load(asked.source, asked.name)
    before = [arg.copy() if isinstance(arg, cp.ndarray) else arg for arg in given]
    function(launch.grid, launch.block, given, shared_mem=launch.shared_mem)
    check(asked.name, before, given)
    return lambda: function(launch.grid, launch.block, given, shared_mem=launch.shared_mem)


def check(name: str, before: list[Any], after: list[Any]) -> None:
    """That the kernel computes what the notebook says it does."""
    match name:
        case "scale_and_add":
            right = cp.allclose(after[1], 2 * before[0] + before[1])
        case "polynomial":
            some, value = before[0][:1000], cp.ones(1000, cp.float32)
            for _ in range(256):
                value = value * some + cp.float32(0.5)
            right = cp.allclose(after[1][:1000], value, rtol=1e-3)
        case "tiled_product":
            right = cp.allclose(after[2], before[0] @ before[1], rtol=1e-3)
        case _:
            right = (after[1] == before[0].T).all()
    assert bool(right), f"{name} is wrong"


def rows() -> Iterator[dict[str, Any]]:
    processors = cp.cuda.runtime.getDeviceProperties(0)["multiProcessorCount"]
    out = cp.empty(8 * THREADS * processors, cp.float32)
    source, target = cp.zeros(1 << 28, cp.float32), cp.empty(1 << 28, cp.float32)
    copy, arithmetic, shared = load(COPY, "copy"), load(ARITHMETIC, "arithmetic"), load(SHARED, "shared")
    grid, block = (8 * processors,), (THREADS,)
    args = (out, np.float32(0.5), np.int32(ROUNDS))
    asked = predictions()
    assert len(asked) == len(KERNELS), "the notebook declares other kernels"
    calls: list[Callable[[], object]] = [
        lambda: copy((source.size // 4 // THREADS,), block, (source, target)),
        lambda: shared(grid, block, args),
        lambda: arithmetic(grid, block, args),
        *map(call_of, asked),
    ]
    series = Timer().series(RUNS, *calls)
    work = (
        ("memory", "bytes", 2 * source.nbytes),
        ("shared", "bytes", 4 * 32 * ROUNDS * out.size),
        ("arithmetic", "operations", 2 * 8 * 16 * ROUNDS * out.size),
    )
    for (name, unit, amount), times in zip(work, series, strict=False):
        rate = f"{amount / np.median(times) * 1e3:.3e}"
        yield {"what": name, "size": f"{amount} {unit}", "per_second": rate, **summary(times)}
    for one, times in zip(asked, series[len(work) :], strict=True):
        size = " ".join(f"{word}={value}" for word, value in one.measured[0].items())
        yield {"what": one.name, "size": size, "per_second": "", **summary(times)}


def main() -> None:
    write("predict_the_bound", rows(), machine())


if __name__ == "__main__":
    main()
