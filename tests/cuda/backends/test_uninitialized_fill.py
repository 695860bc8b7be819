"""What memory holds that nobody has written: all bits set, or, where a launch asks for it, what no text can know."""

from __future__ import annotations

import inputs
import numpy as np
import pytest

from autograder.cuda.backends import emulator
from autograder.cuda.compiler.engine import VARIABLE, Engine
from autograder.cuda.core.launch import Launch
from autograder.cuda.core.run import Run
from autograder.cuda.kernel import Kernel

pytestmark = inputs.emulation

READS = {
    "shared": "__shared__ int x[40]; out[t] = x[t];",
    "dynamic": "extern __shared__ int x[]; out[t] = x[t];",
    "local": "int x[9]; out[t] = x[t % 9];",
    "no values": "out[t] = out[t + 32];",
    "by an atomic": "__shared__ int x[40]; out[t] = atomicAdd(&x[t], 0);",
    "by an exchange": "__shared__ int x[40]; out[t] = atomicExch(&x[t], 0);",
    "before an exchange": (
        "__shared__ int x[1]; int v = 0; if (t == 0) v = atomicAdd(x, 0); if (t == 31) atomicExch(x, 1); out[t] = v;"
    ),
    "by a swap": "__shared__ int x[40]; out[t] = atomicCAS(&x[t], 5, 5);",
    "a byte": "__shared__ unsigned char x[40]; out[t] = x[t];",
}
WRITES = {
    "nothing": "out[t] = t;",
    "shared": "__shared__ int x[40]; x[t] = t; out[t] = x[t];",
    "local": "int x[2]; x[t % 2] = t; out[t] = x[t % 2];",
    "by an atomic": "__shared__ int x[40]; x[t] = 0; __syncthreads(); out[t] = atomicExch(&x[31 - t], t);",
}


def launch(body: str) -> Launch:
    text = f"__global__ void k(int* out) {{ int t = threadIdx.x; {body} }}"
    return Kernel(text, "k").prepare(1, 32, [np.full(64, -1, np.int32)], 256, ["out"])


def runs(body: str) -> tuple[Run, Run, Run]:
    """The launch as it is, and twice with another fill."""
    once = launch(body)
    first, second, third = (emulator.run(once.with_experiment(uninitialized_fill=n)) for n in (0, 1, 2))
    return first, second, third


@pytest.mark.sampled(one_in=3)
@pytest.mark.parametrize("name", Engine)
@pytest.mark.parametrize("what", READS)
def test_what_nobody_wrote_may_be_anything(what: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, name)
    first, *others = runs(READS[what])
    assert first.saw_uninitialized
    for other in others:
        assert other.outputs[0][:32].tobytes() != first.outputs[0][:32].tobytes()
        assert other.findings == first.findings
    assert others[0].outputs[0].tobytes() != others[1].outputs[0].tobytes()


@pytest.mark.parametrize("name", Engine)
@pytest.mark.parametrize("what", WRITES)
def test_what_was_written_stays(what: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, name)
    first, *others = runs(WRITES[what])
    assert not first.saw_uninitialized
    for other in others:
        assert other.outputs[0][:32].tobytes() == first.outputs[0][:32].tobytes()
