"""An atomic that adds to an element without a value reads it. One that stores or exchanges gives it a value."""

import inputs
import numpy as np
import pytest

from autograder import Kernel
from autograder.cuda.core.findings import Kind

pytestmark = inputs.emulation

SHARED = "__shared__ int s[4];"
AFTER = "__syncthreads(); out[t] = s[t % 4];"

READS = {
    "add": f"{SHARED} atomicAdd(&s[t % 4], 1); {AFTER}",
    "add by one": f"{SHARED} if (t == 0) atomicAdd(&s[0], 1); __syncthreads(); out[t] = s[0];",
    "add that nobody looks at": f"{SHARED} atomicAdd(&s[t % 4], 1);",
    "maximum": f"{SHARED} atomicMax(&s[t % 4], t); {AFTER}",
    "compare and swap": f"{SHARED} atomicCAS(&s[t % 4], 0, 1); {AFTER}",
    "double": "__shared__ double d; atomicAdd(&d, 1.0); __syncthreads(); out[t] = int(d);",
    "of the block": f"{SHARED} atomicAdd_block(&s[t % 4], 1); {AFTER}",
    "atomic_ref": f"{SHARED} Ref(s[t % 4]).fetch_add(1); {AFTER}",
    "atomic_ref, increment": f"{SHARED} Ref(s[t % 4])++; {AFTER}",
    "atomic_ref, load": f"{SHARED} out[t] = Ref(s[t % 4]).load();",
    "volatile": f"{SHARED} out[t] = ((volatile int*)s)[t % 4];",
    "half of it zeroed": f"{SHARED} if (t < 2) s[t] = 0; __syncthreads(); atomicAdd(&s[t % 4], 1); {AFTER}",
    "global": "atomicAdd(&empty[t % 4], 1);",
    "global, one each": "atomicAdd(&empty[t], 1);",
    "own array": "int s[4]; atomicAdd(&s[t % 4], 1); out[t] = s[t % 4];",
}

GIVES = {
    "exchange": f"{SHARED} if (t < 4) atomicExch(&s[t], 0); {AFTER}",
    "exchange by many": f"{SHARED} atomicExch(&s[t % 4], 7); {AFTER}",
    "exchange and add": f"{SHARED} if (t < 4) atomicExch(&s[t], 0); __syncthreads(); atomicAdd(&s[t % 4], 2); {AFTER}",
    "store, then add": f"{SHARED} if (t < 4) Ref(s[t]).store(0); __syncthreads(); Ref(s[t % 4]).fetch_add(1); {AFTER}",
    "atomic_ref, exchange": f"{SHARED} if (t < 4) Ref(s[t]).exchange(0); {AFTER}",
    "zeroed, then add": f"{SHARED} if (t < 4) s[t] = 0; __syncthreads(); atomicAdd(&s[t % 4], 1); {AFTER}",
    "global": "atomicExch(&empty[t % 4], 1);",
    "own array": "int s[4]; atomicExch(&s[t % 4], 1); out[t] = s[t % 4];",
}  # fmt: skip


def findings(body: str, schedule: str) -> list[str]:
    text = f"""#include <cuda/atomic>
    using Ref = cuda::atomic_ref<int, cuda::thread_scope_block>;
    __global__ void f(int* out, int* empty) {{ int t = threadIdx.x; {body} }}"""
    arrays = [np.zeros(64, np.int32), np.zeros(64, np.int32)]
    run = Kernel(text, name="f").emulate(1, 64, arrays, empty=["empty"], schedule=schedule)
    return [finding.kind for finding in run.findings]


@pytest.mark.sampled(one_in=3)
@pytest.mark.parametrize("schedule", ["forward", "backward", "random:3"])
@pytest.mark.parametrize("case", READS)
def test_what_has_no_value_is_read(case: str, schedule: str) -> None:
    assert findings(READS[case], schedule) == [Kind.UNINITIALIZED_READ]


@pytest.mark.sampled(one_in=3)
@pytest.mark.parametrize("schedule", ["forward", "backward", "random:3"])
@pytest.mark.parametrize("case", GIVES)
def test_what_has_no_value_is_given_one(case: str, schedule: str) -> None:
    assert findings(GIVES[case], schedule) == []
