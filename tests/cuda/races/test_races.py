"""How the suites' labels are read, and which verdicts need a reason."""

from pathlib import Path

import pytest
from cases import _gpuverify, _hirace, _numbers, _scor, _size
from run_races import Verdict, _compared, _is_race, explained, read_verdicts


def write(file: Path, text: str = "") -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def test_each_planted_bug_but_the_one_of_bounds_is_a_race(tmp_path: Path) -> None:
    for name in ("pull", "pull_boundsBug", "pull_boundsBug_atomicBug", "pull_syncBug"):
        write(tmp_path / f"indigo/indigo_sources/pull/{name}.cu")
    read = list(_hirace(tmp_path, {"run": "a", "run_of_bounds": "b"}))
    assert [label for _, label, *_ in read] == ["free", "free", "racy", "racy"]
    assert [Path(run).name for *_, run in read] == ["a", "b", "b", "a"]


def test_a_benchmark_is_made_with_and_without_its_races(tmp_path: Path) -> None:
    write(tmp_path / "microbenchmarks/src/norace_lock.cu")
    write(tmp_path / "microbenchmarks/src/race_lock.cu")
    write(tmp_path / "benchmarks/uts/Makefile", "FILES := main.cu kernel.cu\n")
    read = list(_scor(tmp_path, {"programs": {"uts": {"macros": "-DN=3", "input": "2 {ones:3}"}}}))
    labels = [("norace_lock", "free"), ("race_lock", "racy"), ("uts", "free"), ("uts RACEY", "racy")]
    assert [(name, label) for name, label, *_ in read] == labels
    assert (len(read[2][2]), read[3][2][-1], read[3][3]) == (4, "-DRACEY", "< 2 1 1 1")


def test_the_last_columns_of_a_table_have_the_violations() -> None:
    row = r"CUDA & 7 & 1, 2 & \multicolumn{2}{l|}{4} & 3, 22 & \multicolumn{2}{l|}{6} \\ \hline"
    assert _numbers(row, 4) == {1, 2, 3, 4, 6, 22}


@pytest.mark.parametrize(
    ("head", "label"),
    [
        ("//pass\n//--blockDim=64\n", "free"),
        ("//xfail:NOT_ALL_VERIFIED\n//possible write-write race on A\n", "racy"),
        ("//xfail:BUGLE_ERROR\n//This kernel is not-racy\n", "free"),
        ("//xfail:NOT_ALL_VERIFIED\n//assert\n", None),
        ("//pass\n//--only-divergence\n", None),
    ],
)
def test_a_kernel_is_taken_if_its_head_speaks_of_races(tmp_path: Path, head: str, label: str | None) -> None:
    write(tmp_path / "testsuite/CUDA/sum/kernel.cu", f"{head}__global__ void sum(int* a) {{}}\n")
    assert [read[1] for read in _gpuverify(tmp_path, {})] == ([label] if label else [])


def test_a_launch_is_no_larger_than_a_block_may_be() -> None:
    assert _size("blockDim", "//--blockDim=[64,64,64] --gridDim=2\n", "1", 1024) == "64,16,1"
    assert _size("gridDim", "//--blockDim=64\n", "1", 4) == "1"


def test_a_program_that_ends_too_early_has_no_race_by_that() -> None:
    assert not _is_race({"kind": "Unsynchronized", "details": {"verb": "launches"}})
    assert _is_race({"kind": "Unsynchronized", "details": {"verb": "reads"}})
    assert not _is_race({"kind": "OutOfBounds"})


def test_a_verdict_compares_with_the_label() -> None:
    verdicts = ["true positive", "miss", "false alarm", "true negative"]
    assert [_compared(racy, found) for racy in (True, False) for found in (True, False)] == verdicts


def test_each_verdict_that_is_not_the_labels_has_a_reason() -> None:
    read = read_verdicts()
    assert [v for v in read if v.needs_reason and not v.reason] == []
    assert [explained(v) for v in read] == read


def test_a_verdict_that_is_the_labels_has_none() -> None:
    assert explained(Verdict("ScoR", "1dconv", "free", "", "", "true negative", "")).because == ""
    assert explained(Verdict("ScoR", "1dconv", "free", "", "", "not run", "")).because == "ours"
