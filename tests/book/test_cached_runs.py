"""Does the book run a launch again exactly when something has changed that its run depends on?"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from course_book import cached_runs

from autograder import Kernel
from autograder.cuda.core.run import Run

RACY = "__global__ void turn(int* x)\n{ int y = x[(threadIdx.x + 1) % 64]; x[threadIdx.x] = y; }\n"


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that were actually run."""
    ran: list[str] = []
    really = Kernel.emulate

    def emulate(self: Kernel, *args: Any, **how: Any) -> Run:
        ran.append(self.source)
        return really(self, *args, **how)

    monkeypatch.setattr(cached_runs, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(Kernel, "emulate", emulate)
    return ran


def how(**other: Any) -> dict[str, Any]:
    return {"grid": 1, "block": 64, "args": [np.arange(64, dtype=np.int32)], **other}


def test_the_same_launch_is_run_once_and_gives_the_same(runs: list[str]) -> None:
    first, second = (cached_runs.emulate(RACY, "turn", **how(trace=True)) for _ in range(2))
    assert runs == [RACY]
    assert first.findings == second.findings and first.findings and first.counts == second.counts
    assert first.trace is not None and second.trace is not None
    np.testing.assert_array_equal(first.trace.events, second.trace.events)
    np.testing.assert_array_equal(first.outputs[0], second.outputs[0])


OTHER_NUMBERS = [np.arange(1, 65, dtype=np.int32)]


def test_a_finding_without_a_detail_is_kept_too(runs: list[str]) -> None:
    text = "__global__ void read(int* x)\n{ __shared__ int s[64]; x[threadIdx.x] = s[threadIdx.x]; }\n"
    first, second = (cached_runs.emulate(text, "read", **how()) for _ in range(2))
    assert first.findings == second.findings and first.findings and runs == [text]


@pytest.mark.parametrize(
    "other", [{"grid": 2}, {"block": 32}, {"args": OTHER_NUMBERS}, {"shared_mem": 4}, {"trace": True}]
)
def test_another_launch_is_run(runs: list[str], other: dict[str, Any]) -> None:
    cached_runs.emulate(RACY, "turn", **how())
    cached_runs.emulate(RACY, "turn", **how(**other))
    assert len(runs) == 2


def test_another_text_and_another_emulator_are_run(
    runs: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    cached_runs.emulate(RACY, "turn", **how())
    cached_runs.emulate(f"{RACY}// or so", "turn", **how())
    monkeypatch.setattr(cached_runs, "_version", lambda: "another")
    cached_runs.emulate(RACY, "turn", **how())
    assert len(runs) == 3
    (left,) = (tmp_path / "runs").iterdir()
    assert left.name == "another" and len(list(left.iterdir())) == 1


def test_a_launch_of_a_check_is_kept_too(runs: list[str]) -> None:
    launch = Kernel(RACY, "turn").prepare(1, 64, [np.arange(64, dtype=np.int32)])
    assert cached_runs.run(launch).findings == cached_runs.run(launch).findings and len(runs) == 1


def test_a_build_of_another_version_may_remove_what_this_one_writes(
    runs: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    write = Path.write_bytes

    def write_and_lose(path: Path, data: bytes) -> int:
        written = write(path, data)
        shutil.rmtree(tmp_path / "runs")
        return written

    monkeypatch.setattr(Path, "write_bytes", write_and_lose)
    first, second = (cached_runs.emulate(RACY, "turn", **how()) for _ in range(2))
    assert len(runs) == 2 and first.findings == second.findings
