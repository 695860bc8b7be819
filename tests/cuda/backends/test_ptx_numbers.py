"""Inline PTX for numbers: what it computes of many values, and that NVIDIA's assembler takes each statement."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import inputs
import numpy as np
import pytest
from ptx_cases import CASES, WIDTHS, Case, letter_pool

from autograder import Kernel
from autograder.cuda.nvrtc import compiler as nvrtc

pytestmark = pytest.mark.cached(*inputs.EMULATION)

N = 256
#: Instructions of one kernel: the emulator's compiler takes only this many.
MANY = 120
TEXT = """
using u64 = unsigned long long;
__device__ unsigned short as_h(u64 v) { return (unsigned short)v; }
__device__ unsigned as_r(u64 v) { return unsigned(v); }
__device__ u64 as_l(u64 v) { return v; }
__device__ float as_f(float v) { return v; }
__device__ double as_d(double v) { return v; }
__device__ u64 bits(unsigned short v) { return v; }
__device__ u64 bits(unsigned v) { return v; }
__device__ u64 bits(u64 v) { return v; }
__device__ u64 bits(float v) { return __float_as_uint(v); }
__device__ u64 bits(double v) { return u64(__double_as_longlong(v)); }
__global__ void k(const u64* xs, const float* fs, const double* ds, u64* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const u64* x = xs + 4 * i;
    const float* f = fs + 4 * i;
    const double* d = ds + 4 * i;
    u64 r;
    STATEMENTS
}
"""
EDGES = [*range(9), 15, 16, 17, 23, 24, 30, 31, 32, 33, 63, 64, 65, 127, 128, 255, 256, 257, 0x7FFF, 0x8000, 0xFFFF]
EDGES += [x for n in (31, 32, 63, 64) for x in (2**n - 2, 2**n - 1, 2**n) if x < 2**64]
NUMBERS = [
    0.0,
    1.0,
    0.5,
    1.5,
    2.5,
    3.0,
    1e-40,
    1e-38,
    3.4e38,
    127.5,
    128.0,
    255.5,
    32768.0,
    2.0**31,
    2.0**32,
    2.0**63,
    2.0**64,
]
NUMBERS += [float("inf"), float("nan"), 1e10, 123456.789, 65504.0, 65520.0, 1e-7]


def words() -> np.ndarray[Any, Any]:
    rng = np.random.default_rng(1)
    values = rng.integers(0, 2**64, (N, 4), np.uint64) >> rng.integers(0, 64, (N, 4), np.uint64)
    edges = rng.choice(np.array(EDGES, np.uint64), (N, 4))
    negative = rng.random((N, 4)) < 0.25
    values = np.where(rng.random((N, 4)) < 0.6, edges, values)
    return np.where(negative, np.uint64(0) - values, values)


def numbers(kind: type[np.floating[Any]]) -> np.ndarray[Any, Any]:
    rng = np.random.default_rng(2)
    edges = rng.choice(np.array(NUMBERS), (N, 4)) * rng.choice([-1.0, 1.0], (N, 4))
    with np.errstate(over="ignore"):
        values = rng.normal(size=(N, 4)) * 10.0 ** rng.integers(-20, 20, (N, 4))
        return np.where(rng.random((N, 4)) < 0.6, edges, values).astype(kind)


def text_of(cases: Sequence[Case]) -> str:
    blocks = (f"{{ {case.statement} out[{i} * n + i] = r; }}" for i, case in enumerate(cases))
    return TEXT.replace("STATEMENTS", "\n    ".join(blocks))


def wanted(case: Case, given: dict[str, np.ndarray[Any, Any]], thread: int) -> Any:
    values = []
    for i, letter in enumerate(case.letters[1:]):
        value = given[letter_pool(letter)][thread, i]
        values.append(int(value) & ((1 << WIDTHS[letter]) - 1) if letter in WIDTHS else value)
    with np.errstate(all="ignore"):
        return case.model(*values)


@pytest.mark.sampled(one_in=2)
@pytest.mark.parametrize("first", range(0, len(CASES), MANY))
def test_each_instruction_computes_what_the_isa_says(first: int) -> None:
    cases = CASES[first : first + MANY]
    given = {"x": words(), "f": numbers(np.float32), "d": numbers(np.float64)}
    out = np.zeros((len(cases), N), np.uint64)
    run = Kernel(text_of(cases), "k").emulate(N // 64, 64, [*given.values(), out, N], checks=False)
    assert run.completed and not run.findings, run.findings
    wrong = []
    for case, found in zip(cases, run.outputs[3].reshape(out.shape), strict=True):
        for thread in range(N):
            want, got = wanted(case, given, thread), found[thread]
            if case.letters[0] in "fd":
                kind, word = (np.float32, np.uint32) if case.letters[0] == "f" else (np.float64, np.uint64)
                number = word(got).view(kind)
                same = (number != number and want != want) or kind(want).view(word) == word(got)
            else:
                same = int(want) & ((1 << WIDTHS[case.letters[0]]) - 1) == int(got)
            if not same:
                values = [given[letter_pool(letter)][thread, i] for i, letter in enumerate(case.letters[1:])]
                wrong.append((case.text, values, want, got))
                break
    assert not wrong, "\n".join(map(str, wrong))


@pytest.mark.skipif(nvrtc.problem() is not None, reason="no NVRTC")
def test_nvidias_assembler_takes_each() -> None:
    result = nvrtc.compile_for(text_of(CASES), "k", "sm_90", "c++17")
    assert result.ok, result.messages
