"""`Kernel`: emulate, run_on_gpu and launch, one interface to both backends."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autograder.cuda.backends import gpu
from autograder.cuda.core.findings import Kind
from autograder.cuda.core.launch import Launch
from autograder.cuda.core.run import Run
from autograder.cuda.errors import UsageError
from autograder.cuda.kernel import Kernel, KernelError

DOUBLE = "__global__ void twice(const int* in, int* out) { out[threadIdx.x] = 2 * in[threadIdx.x]; }"


@pytest.fixture
def no_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpu, "problem", lambda: "No NVIDIA GPU was found: everything runs on the emulator.")


def test_launch_returns_every_array_in_order(no_gpu: None) -> None:
    given = np.arange(8, dtype=np.int32)
    before, after = Kernel(DOUBLE, "twice").launch(1, 8, [given, np.zeros(8, np.int32)])
    assert before.tolist() == given.tolist()
    assert after.tolist() == (2 * given).tolist()


def test_launch_raises_where_the_kernel_stopped(no_gpu: None) -> None:
    with pytest.raises(KernelError) as caught:
        Kernel(DOUBLE, "twice").launch(1, 9, [np.zeros(8, np.int32), np.zeros(9, np.int32)])
    assert [f.kind for f in caught.value.run.findings] == [Kind.OUT_OF_BOUNDS]
    assert "in[8]" in str(caught.value)


def test_launch_goes_on_after_a_race(no_gpu: None) -> None:
    source = "__global__ void last(int* x) { x[0] = threadIdx.x; }"
    (out,) = Kernel(source, "last").launch(1, 4, [np.zeros(1, np.int32)])
    assert out[0] in range(4)


def test_launch_prefers_the_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpu, "problem", lambda: None)
    kernel = Kernel(DOUBLE, "twice")
    seen: list[Launch] = []
    emulated = kernel.emulate(1, 1, [np.ones(1, np.int32), np.zeros(1, np.int32)])

    def run(launch: Launch) -> Run:
        seen.append(launch)
        return emulated

    monkeypatch.setattr(gpu, "run", run)
    kernel.launch(1, 1, [np.ones(1, np.int32), np.zeros(1, np.int32)])
    assert [launch.name for launch in seen] == ["twice"]


def test_a_kernel_is_looked_up_at_once() -> None:
    with pytest.raises(UsageError, match=r"no kernel thrice.*did you mean twice"):
        Kernel(DOUBLE, "thrice")


@pytest.mark.parametrize("source", ["", None, 3, ["__global__ void k() {}"]])
def test_a_source_that_is_none(source: Any) -> None:
    with pytest.raises(UsageError, match=r"CUDA C\+\+ text|__global__"):
        Kernel(source, "k")


def test_a_text_that_does_not_compile_is_a_finding() -> None:
    run = Kernel(DOUBLE.replace(";", ""), "twice").emulate(1, 1, [np.ones(1, np.int32), np.zeros(1, np.int32)])
    assert [f.kind for f in run.findings] == [Kind.COMPILE_ERROR]
    assert not run.completed
    assert [o.tolist() for o in run.outputs] == [[1], [0]]
