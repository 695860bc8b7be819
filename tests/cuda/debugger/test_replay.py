"""A recorded launch, step by step in both directions."""

from __future__ import annotations

import numpy as np
import pytest

from autograder import Kernel
from autograder.cuda.debugger.replay import Replay, Scope

REVERSE = """\
__global__ void reverse(int* x, float2* pairs, int* total)
{
    __shared__ int tile[64];
    tile[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = tile[63 - threadIdx.x];
    pairs[threadIdx.x] = make_float2(x[threadIdx.x], 1);
    atomicAdd(total, 1);
}
"""


@pytest.fixture(scope="module")
def replay() -> Replay:
    before = {"x": np.arange(64, dtype=np.int32), "pairs": np.zeros(128, np.float32), "total": np.zeros(1, np.int32)}
    run = Kernel(REVERSE, "reverse").emulate(2, 64, list(before.values()), trace=True)
    assert run.trace is not None
    return Replay(run.trace, [*before.values()])


def test_at_each_moment_an_array_holds_what_was_written_before(replay: Replay) -> None:
    replay.at = 0
    assert replay.array("tile", 0).mask.all() and replay.array("x", 0).tolist() == [*range(64)]
    seen = [replay.array("tile", 0).count()]
    while replay.move(Scope(0, 3), line=4) or replay.move(Scope(0, 3), line=5):
        seen.append(replay.array("tile", 0).count())
    assert seen == sorted(seen) and seen[-1] == 64
    assert replay.array("tile", 0).tolist() == [*range(64)]
    assert replay.array("tile", 1).mask.all(), "each block has its own"


def test_at_the_end_all_is_as_the_launch_leaves_it(replay: Replay) -> None:
    replay.at = len(replay.trace.events)
    assert replay.array("total", 0).tolist() == [128]
    assert replay.array("pairs", 0)[1::2].tolist() == [1] * 64
    run = Kernel(REVERSE, "reverse").emulate(2, 64, [*replay._before])
    for name, output in zip(("x", "pairs", "total"), run.outputs, strict=True):
        assert np.array_equal(replay.array(name, 0).filled(), output), name


def test_back_is_forward_in_the_other_direction(replay: Replay) -> None:
    for kind in ("thread", "warp", "block"):
        scope, there = Scope.of(kind, 0, 35), []
        replay.at = 0
        while replay.move(scope):
            there.append(replay.at)
        back = [replay.at]
        while replay.move(scope, back=True):
            back.append(replay.at)
        assert there == back[::-1][len(back) - len(there) :] and len(there) > 4
        threads = set(replay.trace.events["thread"][there].tolist())
        assert threads == {"thread": {35}, "warp": {*range(32, 64)}, "block": {*range(64)}}[kind]


def test_where_the_threads_of_a_block_are(replay: Replay) -> None:
    replay.at = 0
    assert replay.lines(1) == {4: 64}
    replay.move(Scope(0, 10), line=5)
    lines = replay.lines(0)
    assert sum(lines.values()) == 64 and lines[5] >= 11 and replay.lines(1) == {4: 64}


def test_a_name_that_is_no_array(replay: Replay) -> None:
    with pytest.raises(KeyError):
        replay.array("threadIdx", 0)
