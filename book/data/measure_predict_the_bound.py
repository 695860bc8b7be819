"""How long do the kernels of the exercise predict_the_bound take?

Run it on a machine with an NVIDIA GPU and CuPy: `python book/data/measure_predict_the_bound.py`. It writes
predict_the_bound_<gpu>.csv beside itself: each kernel with the text and at the size that the notebook gives. The
ceilings in the notebook are those of measure_gemm.py, and so is the time of gemm_tiled, a rung of the ladder. Launches
take turns, so that they are of one minute; before each, more memory is written than the L2 cache holds.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any

import cupy as cp
import numpy as np
from measuring import Row, Timer, compiled, machine, summary, write
from places import SOLUTIONS

from autograder.cuda.kernel import Kernel
from autograder.exercises.checks.prediction import Prediction
from autograder.exercises.notebook.session import default as session

NOTEBOOK = SOLUTIONS / "measuring" / "predict_the_bound.ipynb"
KERNELS = ("scale_and_add", "polynomial", "turn")
RUNS = 15


def predictions() -> list[Prediction]:
    """The predictions that the notebook declares."""
    names: dict[str, Any] = {}
    for cell in json.loads(NOTEBOOK.read_text())["cells"]:
        if cell["metadata"]["nbgrader"]["grade_id"] == "contract":
            exec(compile("".join(cell["source"]), NOTEBOOK.name, "exec"), names)
    declared = [session.exercise_named(name) for name in KERNELS]
    return [one for one in declared if isinstance(one, Prediction)]


def call_of(asked: Prediction) -> Callable[[], None]:
    """A function that launches the kernel at its large size, after one launch whose results are checked."""
    size = asked.measured[0]
    launch = Kernel(asked.source, asked.name).prepare(**asked.launch(**size))
    given = [cp.asarray(arg) if isinstance(arg, np.ndarray) else arg for arg in launch.args]
    _, function = compiled(asked.source, asked.name)
    before = [arg.copy() if isinstance(arg, cp.ndarray) else arg for arg in given]
    function(launch.grid, launch.block, given, shared_mem=launch.shared_mem)
    check(asked.name, before, given)
    return lambda: function(launch.grid, launch.block, given, shared_mem=launch.shared_mem)


def check(name: str, before: list[Any], after: list[Any]) -> None:
    """Check that the kernel computes what the notebook says."""
    match name:
        case "scale_and_add":
            right = cp.allclose(after[1], 2 * before[0] + before[1])
        case "polynomial":
            some, value = before[0][:1000], cp.ones(1000, cp.float32)
            for _ in range(256):
                value = value * some + cp.float32(0.5)
            right = cp.allclose(after[1][:1000], value, rtol=1e-3)
        case _:
            right = (after[1] == before[0].T).all()
    assert bool(right), f"{name} is wrong"


def rows() -> Iterator[Row]:
    asked = predictions()
    assert len(asked) == len(KERNELS), "the notebook declares other kernels"
    for one, times in zip(asked, Timer().series(RUNS, *map(call_of, asked)), strict=True):
        size = " ".join(f"{word}={value}" for word, value in one.measured[0].items())
        yield {"kernel": one.name, "size": size, **summary(times)}


def main() -> None:
    write("predict_the_bound", rows(), machine())


if __name__ == "__main__":
    main()
