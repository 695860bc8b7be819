"""Launches that a program repeats: are they computed once, and is what they leave right?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autograder.cuda.core.launch import ProgramLaunch
from autograder.cuda.core.run import Run
from autograder.cuda.programs.building.build import build_program
from autograder.cuda.programs.launches import grids, repeats
from autograder.cuda.programs.launches.kernels import compute_launch
from autograder.cuda.programs.process import ProgramRun, run_program

pytestmark = pytest.mark.cached("autograder/**/*", "tests/cuda/programs/**/*")

HEAD = """#include <cstdio>
__device__ int times;
__global__ void twice(const int* in, int* out) { out[threadIdx.x] = 2 * in[threadIdx.x]; }
__global__ void count(int* out) { out[threadIdx.x] += 1; }
__global__ void remember() { ++times; }
__global__ void says(int* out) { if (threadIdx.x == 0) printf("%d ", out[5]); }
int main() {
    int *in, *out, host[64], counted;
    cudaMalloc(&in, 256), cudaMalloc(&out, 256);
    for (int i = 0; i < 64; ++i) host[i] = i;
    cudaMemcpy(in, host, 256, cudaMemcpyHostToDevice), cudaMemset(out, 0, 256);
"""
TAIL = """
    cudaMemcpy(host, out, 256, cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(&counted, times, 4);
    cudaFree(in), cudaFree(out);
    printf("%d %d %d\\n", host[5], host[63], counted);
}
"""
#: By what a program does again and again, what it prints, and how many of its launches are computed. The first of each
#: kind is, and so is the next: only then is the memory compared.
LOOPS = {
    "for (int i = 0; i < 20; ++i) twice<<<1, 64>>>(in, out);": ("10 126 0\n", 2),
    "for (int i = 0; i < 20; ++i) count<<<1, 64>>>(out);": ("20 20 0\n", 20),
    "for (int i = 0; i < 20; ++i) cudaMemset(out, 0, 256), count<<<1, 64>>>(out);": ("1 1 0\n", 2),
    "for (int i = 0; i < 20; ++i) remember<<<1, 1>>>();": ("0 0 20\n", 20),
    "for (int i = 0; i < 4; ++i) says<<<1, 64>>>(in);": ("5 5 5 5 0 0 0\n", 2),
    "for (int i = 0; i < 20; ++i) twice<<<1, 64>>>(in, out), cudaMemset(in, i / 10, 4);": ("10 126 0\n", 4),
    "for (int i = 0; i < 20; ++i) twice<<<1, 32 + 32 * (i % 2)>>>(in, out);": ("10 126 0\n", 4),
}


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The kernels of the launches that are computed, where comparing always pays."""
    names = []

    def counted(launch: ProgramLaunch, *rest: Any) -> Run:
        names.append(launch.name)
        return compute_launch(launch, *rest)

    monkeypatch.setattr(grids, "compute_launch", counted)
    monkeypatch.setattr(repeats, "_TIMES", 0)
    return names


def run(loop: str, folder: Path) -> ProgramRun:
    path = folder / "program.cu"
    path.write_text(HEAD + loop + TAIL)
    return run_program(build_program(path), path, (), keep=True, checked=0)


@pytest.mark.parametrize("loop", LOOPS)
def test_a_launch_is_computed_where_its_outcome_is_not_known(loop: str, computed: list[str], tmp_path: Path) -> None:
    done = run(loop, tmp_path)
    assert (done.printed, len(computed)) == LOOPS[loop]
    assert not done.findings and len(done.launches) >= 4


def test_only_what_takes_longer_than_comparing_is_compared(
    computed: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(repeats, "_TIMES", 1e9)
    run(next(iter(LOOPS)), tmp_path)
    assert len(computed) == 20


def test_what_launches_have_left_is_bounded(
    computed: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(repeats, "_MOST_BYTES", 255)
    done = run("for (int i = 0; i < 20; ++i) cudaMemset(out, 0, 256), count<<<1, 64>>>(out);", tmp_path)
    assert (done.printed, len(computed)) == ("1 1 0\n", 20)


def test_memory_that_is_never_the_same_is_soon_not_compared(
    computed: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared = 0
    digest = repeats._digest

    def counted(values: np.ndarray) -> bytes:
        nonlocal compared
        compared += 1
        return digest(values)

    monkeypatch.setattr(repeats, "_digest", counted)
    monkeypatch.setattr(repeats, "_PATIENCE", 4)
    run("for (int i = 0; i < 20; ++i) count<<<1, 64>>>(out);", tmp_path)
    assert len(computed) == 20
    assert compared == 4 * 2 * 2  # four launches, before and after, of two arrays
