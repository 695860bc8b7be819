"""CUB's collectives beyond what tests/cuda/kernels has of them: how sums are rounded, and what is no result."""

from __future__ import annotations

import inputs
import numpy as np
import pytest

from autograder import Kernel
from autograder.cuda.core.run import Run

pytestmark = inputs.emulation


def run(body: str, arrays: list[np.ndarray], block: int, parameters: str = "const float* in, float* out") -> Run:
    text = f"#include <cub/cub.cuh>\n__global__ void k({parameters}) {{\nint t = threadIdx.x;\n{body}\n}}\n"
    return Kernel(text, "k").emulate(1, block, arrays)


def warp_sum(values: np.ndarray) -> np.float32:
    """As shuffles add up a warp's numbers: each lane adds what it gets from 1, 2, 4, 8 and 16 lanes above."""
    lanes = np.append(values, np.zeros(32 - len(values), np.float32))
    for step in (1, 2, 4, 8, 16):
        lanes = lanes + np.append(lanes[step:], np.zeros(step, np.float32))
    return np.float32(lanes[0])


@pytest.mark.parametrize(("requested", "count"), [("in[t]", 208), ("in[t], 100", 100), ("items", 208)])
def test_a_sum_is_rounded_as_by_cub(requested: str, count: int) -> None:
    """(An H100 gave these bits, too.)"""
    values = np.random.default_rng(1).standard_normal((4, 208)).astype(np.float32)
    body = f"""
    using Reduce = cub::BlockReduce<float, 208>;
    __shared__ typename Reduce::TempStorage storage;
    float items[4] = {{in[t], in[208 + t], in[416 + t], in[624 + t]}};
    float sum = Reduce(storage).Sum({requested});
    if (t == 0) out[0] = sum;"""
    done = run(body, [values, np.zeros(1, np.float32)], 208)
    of_threads = (values[0] + values[1]) + (values[2] + values[3]) if requested == "items" else values[0]
    of_warps = [warp_sum(of_threads[first : min(first + 32, count)]) for first in range(0, count, 32)]
    want = of_warps[0]
    for item in of_warps[1:]:
        want = want + item
    assert done.outputs[1].tolist() == [want]


@pytest.mark.parametrize("collective", ["cub::BlockReduce<{type}, 64>", "cub::WarpReduce<{type}>"])
def test_a_result_of_other_threads_is_none(collective: str) -> None:
    body = """
    using Reduce = {of};
    __shared__ typename Reduce::TempStorage storage[2];
    out[t] = Reduce(storage[{which}]).Sum(in[t]);"""
    which = "0" if "Block" in collective else "t / 32"
    first = [0] if "Block" in collective else [0, 32]
    text = body.replace("{which}", which)
    floats = run(
        text.replace("{of}", collective.format(type="float")),
        [np.ones(64, np.float32), np.zeros(64, np.float32)],
        64,
    )
    assert np.flatnonzero(~np.isnan(floats.outputs[1])).tolist() == first
    whole = run(
        text.replace("{of}", collective.format(type="int")),
        [np.ones(64, np.int32), np.zeros(64, np.int32)],
        64,
        "const int* in, int* out",
    )
    assert np.flatnonzero(whole.outputs[1].view(np.uint32) != 0xAAAAAAAA).tolist() == first


def test_the_operators_of_cub_up_to_12_9() -> None:
    body = """
    using Reduce = cub::WarpReduce<float>;
    using Pair = cub::KeyValuePair<int, float>;
    using ReducePair = cub::WarpReduce<Pair>;
    __shared__ typename Reduce::TempStorage storage;
    __shared__ typename ReducePair::TempStorage pairs;
    float most = Reduce(storage).Reduce(in[t], cub::Max()), least = Reduce(storage).Reduce(in[t], cub::Min());
    Pair last = ReducePair(pairs).Reduce(Pair{t, in[t]}, cub::ArgMax());
    Pair first = ReducePair(pairs).Reduce(Pair{t, in[t]}, cub::ArgMin());
    if (t == 0) out[0] = most, out[1] = least, out[2] = last.key, out[3] = first.key;"""
    values = np.random.default_rng(2).integers(-5, 5, 32).astype(np.float32)
    done = run(body, [values, np.zeros(4, np.float32)], 32)
    assert done.outputs[1].tolist() == [values.max(), values.min(), values.argmax(), values.argmin()]
