"""`autograder debug`: a launch, step by step in both directions."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest

from autograder import Kernel, cli
from autograder.core.replay import Replay, Scope

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
LINES = (4, 5, 6, 7, 8)


@pytest.fixture(scope="module")
def replay() -> Replay:
    before = {"x": np.arange(64, dtype=np.int32), "pairs": np.zeros(128, np.float32), "total": np.zeros(1, np.int32)}
    run = Kernel(REVERSE, "reverse").emulate(2, 64, list(before.values()), trace=True)
    assert run.trace is not None
    return Replay(run.trace, before)


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
    run = Kernel(REVERSE, "reverse").emulate(2, 64, [*(replay._before.values())])
    for name, output in zip(replay._before, run.outputs, strict=True):
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


def answers(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str) -> None:
    (tmp_path / "reverse.cu").write_text(text)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.StringIO(words))


def test_a_session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    text = "#include <cstdio>\n" + REVERSE
    words = "thread 3\nline 7\nprint tile\nback\nwhere\nprint y\nstep all\nline x\nthread a\nline -1\nquit\n"
    answers(text, tmp_path, monkeypatch, words)
    launch = [
        "--grid",
        "1",
        "--block",
        "64",
        "--arg",
        "x=arange:64",
        "--arg",
        "pairs=zeros:64",
        "--arg",
        "total=zeros:1",
    ]
    assert cli.main(["debug", "reverse.cu", *launch]) == 0
    said = capsys.readouterr().out
    assert "block 0, thread 3, read tile[60]: 60\n    reverse.cu line 7   x[threadIdx.x] = tile[63 - thr" in said
    assert "[0 1 2 3 4 " in said and "thread 3, leave barrier\n    reverse.cu line 6" in said
    assert "threads  reverse.cu line 6   __syncthreads();" in said
    for sentence in (
        "The launch uses no array y of numbers: use x, ",
        "Use thread, warp, block.",
        "Name a line, such as line 7.",
        "Name a thread, such as thread 5, or",
        "There is no earlier one.",
    ):
        assert sentence in said


@pytest.mark.parametrize(
    ("text", "options", "sentence"),
    [
        (REVERSE, [], "One kernel is debugged: give --grid and --block, and its arguments by --arg."),
        ("__global__ void reverse() { q; }", ["--grid", "1", "--block", "1"], "There is nothing to step through: "),
    ],
)
def test_bad_input_gets_one_sentence(
    text: str,
    options: list[str],
    sentence: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    answers(text, tmp_path, monkeypatch, "")
    assert cli.main(["debug", "reverse.cu", *options]) == 2
    assert sentence in capsys.readouterr().err
