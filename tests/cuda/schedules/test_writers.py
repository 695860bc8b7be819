"""Which thread left a value where it is?"""

from __future__ import annotations

import inputs
import numpy as np

from autograder.cuda.backends import emulator
from autograder.cuda.core.findings import Access
from autograder.cuda.kernel import Kernel
from autograder.cuda.schedules.writers import find_writer

pytestmark = inputs.emulation


def writer(body: str, flat: int) -> Access | None:
    source = f"__global__ void f(float* out, const float* in)\n{{\n{body}\n}}\n"
    launch = Kernel(source, "f").prepare(2, 4, [np.zeros((2, 8), np.float32), np.zeros(16, np.float32)])
    return find_writer(launch, emulator.run(launch), "out", flat)


def test_the_last_of_several() -> None:
    found = writer("    out[threadIdx.x] = 1;\n    out[3] = blockIdx.x;", 3)
    assert found is not None
    assert (found.block, found.thread, found.line, found.text) == ((1, 0, 0), (3, 0, 0), 4, "out[3] = blockIdx.x;")
    assert (found.array, found.index, found.place, found.action) == ("out", (3,), (0, 3), "write")


def test_an_element_inside_of_a_wide_store() -> None:
    found = writer("    if (threadIdx.x == 2) reinterpret_cast<float4*>(out)[1] = make_float4(1, 2, 3, 4);", 6)
    assert found is not None and found.thread == (2, 0, 0) and found.index == (4,)
    assert writer("    if (threadIdx.x == 2) reinterpret_cast<float4*>(out)[1] = make_float4(1, 2, 3, 4);", 8) is None


def test_an_atomic_writes_and_a_load_does_not() -> None:
    found = writer("    float x = out[1];\n    atomicAdd(&out[0], x + 1);", 0)
    assert found is not None and found.action == "atomic"
    assert writer("    float x = out[1];\n    atomicAdd(&out[0], x);", 1) is None


def test_an_atomic_that_changes_nothing_has_not_written() -> None:
    found = writer("    if (blockIdx.x == 0) atomicMax((int*)&out[0], 7);\n    atomicMax((int*)&out[0], 3);", 0)
    assert found is not None and found.line == 3 and found.block == (0, 0, 0) and found.thread == (0, 0, 0)
