"""No thread computes with what another one left on its stack."""

import inputs
import numpy as np
import pytest

from autograder import Kernel
from autograder.cuda.compiler.engine import VARIABLE, Engine

pytestmark = inputs.emulation

#: Each adds to a variable whose declaration only thread 0 passes, or that a constructor leaves as it is.
BODIES = {
    "switch": "switch (t) { int sum; case 0: sum = 0; default: sum += 1; out[t] = *(volatile int*)&sum; }",
    "goto": "if (t) goto on; else goto start; start: int sum; sum = 0; on: sum += 1; out[t] = *(volatile int*)&sum;",
    "array": "if (t) goto on; else goto start; start: int sum[2]; sum[1] = 0; on: sum[1] += 1; out[t] = sum[1];",
    "constructor": "Sum sum; if (t == 0) sum.of = 0; sum.of += 1; out[t] = sum.of;",
    "function": "out[t] = add(t);",
}


@pytest.mark.parametrize("name", Engine)
@pytest.mark.parametrize("body", BODIES)
def test_each_thread_begins_with_the_compilers_pattern(body: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, name)
    text = f"""
struct Sum {{ int of; __device__ Sum() {{}} }};
__device__ int add(int t) {{ switch (t) {{ int sum; case 0: sum = 0; default: return sum += 1; }} }}
__global__ void k(int* out) {{ int t = threadIdx.x; {BODIES[body]} }}
"""
    run = Kernel(text, "k").emulate(1, 64, [np.zeros(64, np.int32)])
    assert run.completed
    first, *others = run.outputs[0].view(np.uint32).tolist()
    assert first == 1
    assert set(others) == {0xAAAAAAAB}
