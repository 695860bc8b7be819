"""`mma.sync` and `ldmatrix` in inline PTX: the values of each lane against numpy, and what they count."""

from __future__ import annotations

import inputs
import measure_wmma
import numpy as np
import pytest
from measure_wmma import INSTRUCTIONS, TILES, Instruction

from autograder import Kernel

pytestmark = pytest.mark.cached(*inputs.EMULATION, "book/data/*wmma*")

#: The lane's row of each matrix is where its number says; the words that it gets go to out.
LOAD = """#include <cuda_fp16.h>
__global__ void load(const half* in, unsigned* out)
{
    __shared__ __align__(16) half tile[32][STRIDE];
    int lane = threadIdx.x;
    for (int i = lane; i < 256; i += 32) tile[i / 8][i % 8] = in[i];
    __syncwarp();
    unsigned x[COUNT];
    asm volatile("ldmatrix.sync.aligned.m8n8.xCOUNTTURN.shared.b16 {LIST}, [%COUNT];"
                 : OUTPUTS : "r"((unsigned)__cvta_generic_to_shared(tile[lane])));
    for (int i = 0; i < COUNT; i++) out[lane * COUNT + i] = x[i];
}
"""


def load(count: int, turned: bool, stride: int) -> str:
    words = {
        "STRIDE": str(stride),
        "LIST": ", ".join(f"%{i}" for i in range(count)),
        "OUTPUTS": ", ".join(f'"=r"(x[{i}])' for i in range(count)),
        "TURN": ".trans" if turned else "",
        "COUNT": str(count),
    }
    text = LOAD
    for word, value in words.items():
        text = text.replace(word, value)
    return text


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("count", [1, 2, 4])
def test_each_lane_gets_its_two_elements_of_each_matrix(count: int, turned: bool) -> None:
    given = np.arange(256, dtype=np.uint16).reshape(4, 8, 8)  # the matrices, by rows
    words = np.zeros((32, count), np.uint32)
    run = Kernel(load(count, turned, 8), "load").emulate(1, 32, [given.view(np.float16), words])
    assert not run.findings
    matrices = given[:count].transpose(0, 2, 1) if turned else given[:count]
    want = matrices.reshape(count, 32, 2).transpose(1, 0, 2)  # by lane, matrix, element
    np.testing.assert_array_equal(run.outputs[1].view(np.uint16).reshape(32, count, 2), want)


@pytest.mark.parametrize(("stride", "wavefronts"), [(8, 4), (64, 32), (72, 4)])
def test_eight_rows_are_one_wavefront_unless_they_share_banks(stride: int, wavefronts: int) -> None:
    run = Kernel(load(4, False, stride), "load").emulate(1, 32, [np.zeros(256, np.float16), np.zeros(128, np.uint32)])
    assert run.counts is not None and run.completed
    assert (run.counts.shared_loads, run.counts.shared_load_requests) == (32, 1)
    assert run.counts.shared_load_wavefronts == wavefronts
    assert (run.counts.shuffles, run.counts.votes, run.counts.matrix_products) == (0, 0, 0)


@pytest.mark.parametrize("of", INSTRUCTIONS, ids=lambda of: of.name)
def test_a_product_is_as_numpy_has_it(of: Instruction) -> None:
    a, b, c = next(matrices for case, matrices in measure_wmma.cases(of, 3) if case == "random")
    given = [x.view(f.memory) for f, x in zip((of.factors, of.factors, of.c), (a, b, c), strict=True)]
    d = np.zeros((TILES, of.m, of.n), of.d.memory)
    run = Kernel(of.text, "product").emulate(TILES, 32, [*given, d])
    assert run.completed and not run.findings
    assert run.counts is not None and run.counts.matrix_products == TILES
    want = np.einsum("tmk,tnk->tmn", of.factors.values(a), of.factors.values(b)) + of.c.values(c)
    tolerance = 1e-5 if of.d is measure_wmma.FLOAT else 1e-2
    np.testing.assert_allclose(run.outputs[3].astype(float), want, tolerance, tolerance)
