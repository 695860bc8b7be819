"""What a launch leaves in variables marked `__device__`, the next one may begin with."""

from dataclasses import replace

import inputs
import numpy as np
import pytest

from autograder.cuda.backends import emulator
from autograder.cuda.compiler.engine import VARIABLE, Engine
from autograder.cuda.core.launch import Launch
from autograder.cuda.errors import UsageError
from autograder.cuda.kernel import Kernel

pytestmark = inputs.emulation

SOURCE = """\
__constant__ int step = 3;
__device__ int calls = 10;
__device__ long long all[2];
__global__ void count(int* out)
{
    int before = atomicAdd(&calls, step);
    if (blockIdx.x == 1 && threadIdx.x == 0) all[1] = 7 + all[1];
    if (threadIdx.x == 0) out[blockIdx.x] = before;
}
"""


def launch() -> Launch:
    return Kernel(SOURCE, "count").prepare(2, 4, [np.zeros(2, np.int32)])


@pytest.mark.parametrize("name", Engine)
@pytest.mark.parametrize("schedule", ["forward", "backward"])  # by the fast path, and by the full check alone
def test_the_next_launch_goes_on_with_them(schedule: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, name)
    first = emulator.run(replace(launch(), keeps_symbols=True), schedule=schedule)
    assert first.findings == ()
    assert first.symbols == {"calls": (10 + 8 * 3).to_bytes(4, "little"), "all": np.array([0, 7]).tobytes()}
    second = emulator.run(replace(launch(), keeps_symbols=True, symbols=first.symbols), schedule=schedule)
    assert second.symbols["calls"] == (10 + 16 * 3).to_bytes(4, "little")
    assert second.outputs[0].min() >= 34
    assert second.findings == ()


def test_variables_of_one_name_are_kept_apart() -> None:
    text = """\
namespace a { __device__ int state; }
namespace b { __device__ int state; }
template <int N> __device__ int numbered;
__global__ void change(int* out) { a::state += 1; b::state += 2; numbered<3> += 3; numbered<4> += 4; }
"""
    once = replace(Kernel(text, "change").prepare(1, 1, [np.zeros(1, np.int32)]), keeps_symbols=True)
    first = emulator.run(once)
    second = emulator.run(replace(once, symbols=first.symbols))
    for run, times in ((first, 1), (second, 2)):
        assert sorted(int.from_bytes(value, "little") for value in run.symbols.values()) == [
            times * n for n in (1, 2, 3, 4)
        ]


def test_no_more_than_a_megabyte_can_be_kept() -> None:
    def launch(elements: int) -> Launch:
        text = SOURCE.replace("all[2]", f"all[2], large[{elements - 3}]")
        return Kernel(text, "count").prepare(2, 4, [np.zeros(2, np.int32)])

    assert emulator.run(replace(launch(1 << 17), keeps_symbols=True)).symbols
    assert emulator.run(launch(1 << 18)).completed
    with pytest.raises(UsageError, match="make them smaller"):
        emulator.run(replace(launch(1 << 18), keeps_symbols=True))


def test_a_launch_that_nobody_repeats_tells_nothing_of_them() -> None:
    assert emulator.run(launch()).symbols == {}
