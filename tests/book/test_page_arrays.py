"""What stands in for numpy in a page does what numpy does: function by function, and for whole reports."""

from __future__ import annotations

import html
import json
import os
import runpy
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import inputs
import numpy
import pytest
from book_pages import ROOT
from course_page import arrays
from course_page.recorder import record_cases

pytestmark = inputs.book
EXT = ROOT / "book/_ext"
#: Answers whose reports go through all that compares runs and draws them: an exercise, and a mutant of it.
REPORTED = (
    ("tiling/gemm_tiled", "no_first_barrier.cu"),
    ("atomics/histogram_shared", "plain_increment.cu"),
    ("atomics/histogram_shared", "barrier_in_the_loop.cu"),
    ("threads/saxpy", "no_guard.cu"),
    ("towards_cublas/gemm_double_buffered", "fetches_after_multiplying.cu"),
)
TRIED: dict[str, Callable[[Any], Any]] = {
    "bool and int": lambda np: np.array([True, False, True]) * np.array([2, 3, 4]),
    "outer": lambda np: np.array([1, 5, 9])[:, None] - np.array([2, 3])[None, :],
    "reflected": lambda np: 10 - np.arange(4),
    "mask": lambda np: np.arange(9)[np.arange(9) % 2 == 0],
    "indices": lambda np: np.arange(9)[np.array([[3], [4]])],
    "of two dimensions": lambda np: (np.arange(6).reshape(2, 3) != np.array([0, 1, 9])).any(axis=1),
    "columns": lambda np: np.arange(12).reshape(3, 4)[:, 2:],
    "not": lambda np: ~(np.array([1, 2]) > 1),
    "of no true one": lambda np: np.array([True, False]) | ~np.array([True]).any(),
    "cumulative": lambda np: np.cumsum(np.array([True, True, False])),
    "steps": lambda np: np.diff(np.array([3, 7, 7]), prepend=-1),
    "repeated": lambda np: np.repeat(np.array([1, 2]), np.array([3, 1])),
    "first ones": lambda np: np.unique(np.array([5, 3, 5, 1]), return_index=True)[1],
    "order of two": lambda np: np.lexsort((np.array([2, 1, 0]), np.array([0, 1, 0]))),
    "stable order": lambda np: np.argsort(np.array([2, 1, 2, 1]), kind="stable"),
    "places": lambda np: np.searchsorted(np.array([1, 3, 3, 5]), np.array([3, 6])),
    "place after": lambda np: np.searchsorted(np.array([1, 3, 3, 5]), 3, "right"),
    "counted": lambda np: np.bincount(np.array([1, 1, 3]), minlength=6),
    "where true": lambda np: np.argwhere(np.array([[0, 1], [1, 0]]) > 0),
    "largest of none": lambda np: np.abs(np.array([], np.float32)).max(initial=0.0),
    "rounded": lambda np: np.array([0.1, 1e-5, -3e38], np.float64).astype(np.float32),
    "bits": lambda np: np.full(2, np.frombuffer(b"\xa5\xa5\xa5\x7f", np.float32)[0], np.float32).view(np.uint8),
    "turned": lambda np: np.array([(-1, 0), (4, 2)]).T,
    "limits": lambda np: [np.iinfo(np.int32).min, np.iinfo(np.uint64).max, float(np.finfo(np.float16).max)],
    "eps": lambda np: [float(np.finfo(kind).eps) for kind in (np.float16, np.float32, np.float64)],
    "place in two": lambda np: [*np.unravel_index(7, (2, 5)), np.ravel_multi_index((1, 2), (2, 5))],
    "places in three": lambda np: [list(at) for at in np.unravel_index(np.array([7, 29]), (3, 2, 5))],
    "number of places": lambda np: np.ravel_multi_index((np.array([1, 0]), np.array([2, 4])), (2, 5)),
}
FLOATS = [
    0.1,
    1.0,
    -2.5,
    1e-4,
    999.0,
    1e3,
    1024.0,
    99999.0,
    999999.0,
    1e6,
    16777216.0,
    9.9e-5,
    123456789.0,
    1e16,
    3.4e38,
    1 / 3,
    float("nan"),
    float("-inf"),
    0.0,
    65504.0,
]


@pytest.mark.parametrize("what", TRIED)
def test_it_computes_what_numpy_computes(what: str) -> None:
    ours, theirs = TRIED[what](arrays), TRIED[what](numpy)
    if isinstance(ours, arrays.ndarray):
        assert ours.shape == theirs.shape
        assert ours.dtype.kind == theirs.dtype.kind
        assert ours.tobytes() == theirs.astype(ours.dtype.str).tobytes()
    else:
        assert ours == theirs


@pytest.mark.parametrize("kind", ["float16", "float32", "float64"])
def test_it_writes_numbers_as_numpy_does(kind: str) -> None:
    with numpy.errstate(over="ignore"):
        theirs = [str(getattr(numpy, kind)(value)) for value in FLOATS]
    assert [str(getattr(arrays, kind)(value)) for value in FLOATS] == theirs


def test_records_are_read_and_changed_by_field() -> None:
    fields = [("step", "<u8"), ("who", "<i4"), ("value", "|u1", (4,))]
    raw = bytes(range(16)) * 3

    def changed(np: Any) -> list[Any]:
        records = np.frombuffer(raw, np.dtype(fields)).copy()
        records["who"][records["step"] > 0] += 1
        chosen = records[np.array([2, 0])]
        item = records[1].copy()
        item["who"] %= 7
        return [records["who"].tolist(), chosen["value"].tolist(), int(item["who"]), chosen["value"][:, 2:].tolist()]

    assert changed(arrays) == changed(numpy)


def judge(exercise: str, texts: Sequence[Path], folder: Path, first: Sequence[Path] = ()) -> list[dict[str, Any]]:
    """What a page tells of texts that are checked one after another; `first` goes before what Python finds."""
    cases = folder / "cases.json"
    cases.write_text(json.dumps(record_cases(ROOT / f"exercises/{exercise}.ipynb")))
    path = os.pathsep.join(map(str, [*first, ROOT, EXT, ROOT / "tests/book"]))
    command: list[str | Path] = [
        sys.executable,
        "-m",
        "judge_as_a_page",
        ROOT / f"exercises/{exercise}.ipynb",
        cases,
        *texts,
    ]
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True)
    assert not done.returncode, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_who_checks_the_same_text_again_is_told_the_same(tmp_path: Path) -> None:
    text = tmp_path / "answer.cu"
    text.write_text("%%cuda saxpy\n__global__ void saxpy(float a, const float* x, float* y, int n) { y[i] = 0; }\n")
    reported = judge("threads/saxpy", [text, text], tmp_path)
    half = len(reported) // 2
    assert "undeclared identifier" in reported[0]["shown"][0]["html"]
    assert reported[:half] == reported[half:]


@pytest.mark.sampled(one_in=4)
@pytest.mark.parametrize(("exercise", "mutant"), REPORTED)
def test_reports_are_those_that_numpy_leads_to(exercise: str, mutant: str, tmp_path: Path) -> None:
    text = ROOT / "solutions" / Path(exercise).parent / "mutants" / Path(exercise).name / mutant
    (tmp_path / "numpy").symlink_to(EXT / "course_page/arrays")
    reported = [judge(exercise, [text], tmp_path, first) for first in ([], [tmp_path])]
    assert any(item.get("outcome", "passed") != "passed" for item in reported[0])
    assert not any(item.get("fault") for item in reported[0])
    assert reported[0] == reported[1]


def test_text_is_escaped_as_by_python() -> None:
    path = EXT / "course_page/in_page/instead/html.py"
    text = "".join(map(chr, range(32, 0x2100)))
    assert runpy.run_path(str(path))["escape"](text) == html.escape(text)
