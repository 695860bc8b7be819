"""Does the course run on this system? `python tests/anywhere.py` in a checkout, with the package, IPython and nbformat.

What a student does, on whichever engine this system has: a kernel of the README, an exercise, `autograder run`. The
results are the same everywhere. The workflow "Test" runs it under macOS, Windows and Linux on ARM;
`tests/test_anywhere.py` does it here, as far as Linux can pass for these.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import nbformat
import numpy as np

from autograder import Kernel
from autograder.cuda.compiler.engine import engine
from autograder.cuda.report import describe
from autograder.exercises.notebook.run_notebook import run
from autograder.exercises.result import Outcome

ROOT = Path(__file__).parents[1]
EXERCISE = "threads/saxpy"
NO_GUARD = f"mutants/{EXERCISE.partition('/')[2]}/no_guard.cu"


def text_of(path: str | Path) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def the_readmes_kernel() -> None:
    """Its report is the README's, to the letter."""
    readme = text_of("README.md")
    source = readme.partition('Kernel("""')[2].partition('""", name=')[0]
    x = np.arange(256, dtype=np.float32)
    wrong = Kernel(source, "shift_left").emulate(1, 256, [x, np.zeros_like(x)])
    shown = readme.partition("```\nRace\n")[2].partition("```")[0]
    assert describe(wrong.findings[0]).rstrip() == f"Race\n{shown}".rstrip()
    fixed = Kernel(source.replace("tile[t] = in[t];", "tile[t] = in[t];\n    __syncthreads();"), "shift_left")
    right = fixed.emulate(1, 256, [x, np.zeros_like(x)])
    assert not right.findings and right.outputs[1].tolist() == [*range(1, 256), 0]
    counts = right.counts
    assert counts is not None
    assert (counts.barriers, counts.shared_loads) == (256, 256)
    assert (counts.global_load_requests, counts.global_load_sectors) == (8, 32)


def endings() -> None:
    """Each of these stops the launch in another way."""
    for text, kind in (
        ("x[threadIdx.x + 1] = 0;", "OutOfBounds"),
        ("x[0] = 1 / (threadIdx.x - threadIdx.x + x[0]);", "Crash"),
        ("for (;;) {}", "StepLimit"),
        ("if (threadIdx.x < 16) __syncthreads();", "BarrierDivergence"),
        ("x[0] = y;", "CompileError"),
    ):
        kernel = Kernel(f"__global__ void ends(int* x)\n{{\n    {text}\n}}\n", "ends")
        (finding, *_) = kernel.emulate(1, 32, [np.zeros(32, np.int32)]).findings
        assert type(finding).__name__ == kind, (text, finding)
        assert re.search(r"\bline 3\b|^3 \|", described := describe(finding, kernel.source), re.MULTILINE), described


def an_exercise() -> None:
    """Solved, it gets all points; with a known mistake it does not, and the report says where."""
    notebook = nbformat.reads(text_of(f"solutions/{EXERCISE}.ipynb"), as_version=4)
    assert {result.outcome for result in run(notebook)} == {Outcome.PASSED}
    wrong = text_of(f"solutions/{EXERCISE.partition('/')[0]}/{NO_GUARD}")
    results = {result.check: result for result in run(notebook, {"%%cuda saxpy": wrong})}
    assert results["stays_in_bounds"].outcome is Outcome.FAILED
    assert "Thread" in results["stays_in_bounds"].report


def the_command() -> None:
    """It finds the race, and says so by its exit code."""
    file = "tests/cuda/kernels/race/bad_reverse_without_barrier.cu"
    arguments = "--grid 1 --block 128 --arg in=arange:128 --arg out=poison:128".split()
    done = subprocess.run(
        [sys.executable, "-P", "-m", "autograder", "run", file, *arguments],
        cwd=ROOT, capture_output=True, text=True, encoding="utf-8",
    )  # fmt: skip
    assert done.returncode == 1, done.stderr
    assert "two threads use tile[" in done.stdout, done.stdout


def main() -> None:
    for what in (the_readmes_kernel, endings, an_exercise, the_command):
        what()
        print(f"{what.__name__.replace('_', ' ')}: as everywhere, on the {engine()} engine", flush=True)


if __name__ == "__main__":
    main()
