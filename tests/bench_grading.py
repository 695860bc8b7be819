"""How long grading a class takes: `autograder grade` and `nbgrader autograde`, on the same two cores.

    python tests/bench_grading.py [students]

A course is made in a folder of its own: 100 students (or as many as are asked for), three notebooks each, whose
answers all differ; more than half of them are wrong like one of the exercises' mutants. Both commands
grade it a tenth at a time, in turn, so that a busy machine slows both. Each runs in a process that has imported
what it needs before the clock starts, and with a cache of its own for what it compiles; ours starts its cluster
once, as for a class that is graded in one go. At the end the two gradebooks must be equal.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parent / "classroom"))
from small_course import ROOT, gradebook_rows

from autograder.classroom.commands.sample_class import SampleExercise
from autograder.exercises.authoring import nbgrader_app as stock

CHAPTER = "tiling"
EXERCISES = ("gemm_rectangular", "gemm_simple", "gemm_tiled")
BATCHES = 10

OURS = """
import sys
from contextlib import nullcontext
from pathlib import Path
from autograder.classroom.classroom import open_classroom
from autograder.classroom.execution.cluster import import_distributed, this_machine
from autograder.classroom.grade import grade
from autograder.classroom.execution.local import _shared
room = open_classroom(Path.cwd())
import_distributed()
_shared()
with this_machine()(lambda text: None) as cluster:
    print("ready", flush=True)
    for line in sys.stdin:
        grade(room, sys.argv[1], line.split(), cluster=lambda tell: nullcontext(cluster))
        print("done", flush=True)
"""
STOCK = """
import sys
from nbgrader.apps import AutogradeApp
from autograder.cuda.compiler.toolchain import build_runtime
build_runtime()
print("ready", flush=True)
for line in sys.stdin:
    for student in line.split():
        app = AutogradeApp()
        app.initialize([sys.argv[1], f"--student={student}", "--log-level=ERROR"])
        app.start()
    print("done", flush=True)
"""


def main() -> None:
    students = [f"student{i:03}" for i in range(int(sys.argv[1]) if len(sys.argv) > 1 else 100)]
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:2])
    with TemporaryDirectory() as folder:
        courses = [Path(folder) / name for name in ("ours", "stock")]
        make_course(courses[0], students)
        shutil.copytree(courses[0], courses[1])
        seconds = race(courses, students)
        assert gradebook_rows(courses[0]) == gradebook_rows(courses[1]), "the gradebooks differ"
    notebooks = len(students) * len(EXERCISES)
    for name, taken in zip(("autograder grade", "nbgrader autograde"), seconds, strict=True):
        print(f"{name:20} {taken:7.1f} s, {taken / notebooks:.2f} s a notebook")
    print(f"{seconds[1] / seconds[0]:.1f} times as fast, with an equal gradebook ({notebooks} notebooks, 2 cores)")


def make_course(root: Path, students: list[str]) -> None:
    (root / stock.SOURCE / CHAPTER).mkdir(parents=True)
    for name in ("nbgrader_config.py", "_config.yml"):
        shutil.copy(ROOT / name, root)
    for name in EXERCISES:
        shutil.copy(ROOT / stock.SOURCE / CHAPTER / f"{name}.ipynb", root / stock.SOURCE / CHAPTER)
    shutil.copytree(ROOT / stock.SOURCE / CHAPTER / "mutants", root / stock.SOURCE / CHAPTER / "mutants")
    stock.nbgrader(root, [("generate_assignment", CHAPTER)])
    for number, student in enumerate(students):
        folder = root / "submitted" / student / CHAPTER
        folder.mkdir(parents=True)
        for name in EXERCISES:
            (folder / f"{name}.ipynb").write_text(json.dumps(SampleExercise(root, CHAPTER, name).varied(number)))


def race(courses: list[Path], students: list[str]) -> list[float]:
    """Seconds that each of the two commands takes for all students."""
    seconds = [0.0, 0.0]
    size = -(-len(students) // BATCHES)
    racers = [start(OURS, courses[0]), start(STOCK, courses[1])]
    for first in range(0, len(students), size):
        batch = students[first : first + size]
        turns = (0, 1) if first // size % 2 == 0 else (1, 0)
        for turn in turns:
            began = time.perf_counter()
            grade_batch(racers[turn], batch)
            seconds[turn] += time.perf_counter() - began
        print(f"{first + len(batch)} of {len(students)} students: {seconds[1] / seconds[0]:.1f} times", file=sys.stderr)
    for racer in racers:
        racer.communicate()
    return seconds


def start(program: str, course: Path) -> subprocess.Popen[str]:
    racer = subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", program, CHAPTER],
        cwd=course,
        env={**os.environ, "XDG_CACHE_HOME": str(course / "cache")},  # neither uses what the other compiles
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert racer.stdout is not None and racer.stdout.readline() == "ready\n"
    return racer


def grade_batch(racer: subprocess.Popen[str], students: list[str]) -> None:
    assert racer.stdin is not None and racer.stdout is not None
    racer.stdin.write(" ".join(students) + "\n")
    racer.stdin.flush()
    assert racer.stdout.readline() == "done\n", "a command ended early"


if __name__ == "__main__":
    main()
