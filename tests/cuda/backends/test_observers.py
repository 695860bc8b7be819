"""Each observer of the emulator is a file: it can be deleted, with those that build on it, and added."""

from __future__ import annotations

import re
import shutil
from dataclasses import is_dataclass, replace
from pathlib import Path
from typing import Any

import inputs
import numpy as np
import pytest

from autograder import Kernel
from autograder.cuda.backends import emulator, emulator_process
from autograder.cuda.compiler import emulator_runtime
from autograder.cuda.compiler.emulator_runtime import EMULATOR, build_runtime
from autograder.cuda.compiler.protocol_header import write_headers
from autograder.cuda.core.protocol import fields
from autograder.cuda.core.records import Answer

pytestmark = inputs.emulation

OBSERVERS = EMULATOR / "observers"
#: All that observers report: a race, reads of what nobody wrote, a shuffle that asks an absent lane, accesses far
#: apart, a load through the read-only cache of what was written.
EVERYTHING = """#include <cooperative_groups.h>
__global__ void __cluster_dims__(2) everything(int* out) {
    auto cluster = cooperative_groups::this_cluster();
    cluster.sync();
    __shared__ int tile[64];
    __shared__ int unwritten[64];
    int own[4];
    int t = threadIdx.x;
    tile[t] = t;
    int sum = tile[63 - t] + unwritten[t] + own[t % 4];
    if (t < 16) sum += __shfl_sync(0xffff, sum, 20);
    atomicAdd(&out[0], 1);
    sum += cluster.map_shared_rank(tile, cluster.block_rank() ^ 1)[t];
    out[t * 32 + 1] = sum;
    __syncthreads();
    out[t * 32 + 1] += __ldg(out + t * 32 + 1);
}"""
#: What only a whole program's kernel does: launch another one (tests/cuda/programs/wrong).
OF_PROGRAMS = {"child_races"}
CLEAN = """__global__ void clean(const int* in, int* out) {
    __shared__ int tile[64];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    for (int k = 0; k < 4; k++) {
        tile[t] = in[i] + k;
        __syncthreads();
        out[i] = tile[63 - t];
        __syncthreads();
    }
}"""


def observer_in(path: Path) -> str | None:
    """The observer that a file defines."""
    found = re.search(r"^struct (\w+) : Observer", path.read_text(), re.MULTILINE)
    return found[1] if found else None


def parts_of(path: Path) -> set[str]:
    """The parts of the answer that the observer in this file fills, which are empty without it."""
    return set(re.findall(r"\banswer\.(\w+)", path.read_text()))


FILES = {path.stem: path for path in sorted(OBSERVERS.glob("*.h")) if observer_in(path)}
PARTS = {name: parts_of(path) for name, path in FILES.items()}


def including(gone: str) -> set[str]:
    """The files that need this one, and itself."""
    names, before = {gone}, set[str]()
    while names != before:
        before = set(names)
        names |= {n for n, path in FILES.items() for other in before if f'#include "{other}.h"' in path.read_text()}
    return names


def runner_without(gone: set[str], home: Path) -> Path:
    """The runner, built from a copy without these observers."""
    source = Path(shutil.copytree(EMULATOR, home / "emulator"))
    for name in gone:
        (source / f"observers/{name}.h").unlink()
    write_headers(source)
    emulator_runtime.build_runner(source, source)
    return source / "emu-run"


def replies(monkeypatch: pytest.MonkeyPatch, text: str, arguments: list[Any], **options: Any) -> list[Answer | None]:
    """What the runner returns for one launch: None if the fast path leaves it to the full check, which comes next. (It
    runs again if a shuffle's value is undefined.)"""
    found: list[Answer | None] = []
    exchange = emulator_process.exchange

    def record(*words: Any) -> Answer | None:
        found.append(exchange(*words))
        return found[-1]

    with monkeypatch.context() as patched:
        patched.setattr(emulator_process, "exchange", record)
        Kernel(text, re.findall(r"(\w+)\((?:const )?int\*", text)[0]).emulate(2, 64, arguments, **options)
    return found


def answer(monkeypatch: pytest.MonkeyPatch, text: str, arguments: list[Any], **options: Any) -> Answer:
    """The runner's first answer."""
    return next(filter(None, replies(monkeypatch, text, arguments, **options)))


def answers(monkeypatch: pytest.MonkeyPatch) -> tuple[Answer, Answer]:
    """The answers to a launch with all of it, and to a clean one, for which the fast path is enough."""
    monkeypatch.setattr(emulator, "OPTIMIZE_THREADS", 0)  # with inlined hooks
    numbers = np.arange(128, dtype=np.int32)
    out = np.zeros(64 * 32 + 2, np.int32)
    return (
        answer(monkeypatch, EVERYTHING, [out], trace=True),
        answer(monkeypatch, CLEAN, [numbers, np.zeros_like(numbers)]),
    )


@pytest.fixture
def whole(monkeypatch: pytest.MonkeyPatch) -> tuple[Answer, Answer]:
    return answers(monkeypatch)


def test_each_part_of_the_answer_is_filled_by_the_core_or_by_an_observer() -> None:
    of_core = {"stop", "printed", "ended", "enough", "lets_begin", "launches", "copies", "writes_held", "observations"}
    assert set().union(*PARTS.values(), of_core) == fields("Answer").keys()


def test_the_launch_has_something_for_each(whole: tuple[Answer, Answer]) -> None:
    everything, clean = (vars(answer) for answer in whole)
    for name, parts in PARTS.items():
        for part in parts - OF_PROGRAMS:
            assert _is_something(everything[part]), f"the kernel EVERYTHING has no {part} for {name}.h to find"
    assert clean["stop"] is None and not clean["races"]


def test_a_clean_launch_gets_no_full_check(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = np.arange(128, dtype=np.int32)
    found = replies(monkeypatch, CLEAN, [numbers, np.zeros_like(numbers)])
    why = "an observer forbids the fast path (OnFastPath::Forbidden), or leaves a clean launch to the full check"
    assert len(found) == 1 and found[0], why


@pytest.mark.sampled(one_in=4)
@pytest.mark.parametrize("name", FILES)
def test_an_observer_can_be_deleted(
    name: str, whole: tuple[Answer, Answer], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = including(name)
    # The optimizer would take most of the time.
    monkeypatch.setattr(emulator_runtime, "_RUNNER", [*emulator_runtime._RUNNER, "-O0"])
    runtime = replace(build_runtime(), runner=runner_without(gone, tmp_path))
    monkeypatch.setattr(emulator, "build_runtime", lambda: runtime)
    empty = {part for other in gone for part in PARTS[other]}
    for before, after in zip(map(vars, whole), map(vars, answers(monkeypatch)), strict=True):
        for part in before:
            if part not in empty:
                assert after[part] == before[part], part
        for part in empty:
            assert not _is_something(after[part]), part


def _is_something(part: object) -> bool:
    return any(vars(part).values()) if is_dataclass(part) else bool(part)
