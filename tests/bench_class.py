"""What a large class costs: time, memory, gradebook, and the page that its teacher looks at.

    python tests/bench_class.py

Courses are made, with one exercise of each of ten chapters, and run by `autograder`'s commands on two cores. In a
small class all answers differ: that is what judging costs. Another one has the four exercises whose answers are whole
programs. In a class of 300, 3,000 notebooks, each exercise has four different answers, of which half of the class has
the right one: that is what all the rest costs. Chromium opens and sorts that class's report.

Prints, and writes to book/data/class_cpu.csv. CPU seconds are those of all processes, and say what a machine with
nothing else to do would take; memory is the most that all processes had at a time, each shared page counted once (PSS).
The file says how busy the machine was.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil
from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parent / "book"))
sys.path.insert(0, str(Path(__file__).parent / "classroom"))
from browsing import CHROMIUM, FLAGS
from small_course import ROOT

from autograder.classroom.commands.sample_class import SampleExercise
from autograder.cuda.performance import measurements
from autograder.exercises.authoring import nbgrader_app as stock
from autograder.exercises.declarations.declared_programs import programs_in

COMMAND = (sys.executable, "-m", "autograder")
CHAPTER = "all"
EXERCISES = 10
#: Students whose answers all differ, and students of whom half have the right answers and the others one of three.
SMALL, LARGE = 6, 300
#: How often the page is opened. The least time counts: the others say what else the machine did.
OPENED = 5
MB = 1e6

Notebook = dict[str, object]


class Bench:
    """Notes what was measured: `rows`."""

    def __init__(self) -> None:
        self.rows: list[dict[str, object]] = []

    def note(self, what: str, value: float, unit: str) -> None:
        self.rows.append({"what": what, "value": f"{value:.3g}" if value < 100 else f"{value:.0f}", "unit": unit})
        print(f"{what:50} {self.rows[-1]['value']:>6} {unit}", flush=True)

    def run(self, root: Path, what: str, *arguments: str) -> float:
        """Run a command, and note what it took; return CPU seconds."""
        before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        command = subprocess.Popen([*COMMAND, *arguments], cwd=root, stdout=subprocess.DEVNULL)
        most = [0.0]
        watcher = threading.Thread(target=watch, args=(command, most))
        watcher.start()
        command.wait()
        seconds, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
        watcher.join()
        assert command.returncode in (0, 1), arguments
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        self.note(what, seconds, "s")
        self.note(f"{what}, processors", cpu, "s")
        self.note(f"{what}, memory", most[0] / MB, "MB")
        return cpu


def watch(command: subprocess.Popen[bytes], most: list[float]) -> None:
    while command.poll() is None:
        total = 0
        try:
            process = psutil.Process(command.pid)
            for each in (process, *process.children(recursive=True)):
                total += each.memory_full_info().pss
        except psutil.Error:  # it has ended
            pass
        most[0] = max(most[0], total)
        time.sleep(0.5)


def main() -> None:
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:2])
    load = f"{os.getloadavg()[0]:.1f}"
    # Grading does this once on each machine, and it takes as long as judging some dozens of answers.
    subprocess.run([*COMMAND, "doctor", "--attacks"], stdout=subprocess.DEVNULL, check=True)
    bench = Bench()
    with TemporaryDirectory() as folder:
        small, programs, large = (Path(folder) / name for name in ("small", "programs", "large"))
        measure_judging(bench, make_course(small, first_kernels()), "notebook")
        measure_judging(bench, make_course(programs, whole_programs()), "program")
        submit(make_course(large, first_kernels()), LARGE, one_of_four)
        measure_large(bench, large)
    origin = measurements.origin("tests/bench_class.py", cpu=measurements.cpu(), load=load)
    measurements.write(ROOT / "book/data/class_cpu.csv", bench.rows, origin)


def measure_judging(bench: Bench, exercises: list[SampleExercise], what: str) -> None:
    submit(exercises, SMALL, lambda exercise, number: exercise.varied(number))
    count = SMALL * len(exercises)
    cpu = bench.run(exercises[0].root, f"{count} different {what}s", "grade", CHAPTER)
    bench.note(f"each different {what}, processors", cpu / count, "s")


def measure_large(bench: Bench, root: Path) -> None:
    all_of_it = f"{LARGE * EXERCISES} notebooks"
    bench.run(root, f"{all_of_it}, {4 * EXERCISES} different", "grade", CHAPTER)
    shutil.rmtree(root / stock.AUTOGRADED)
    bench.run(root, f"{all_of_it}, recorded", "grade", CHAPTER)
    bench.note("gradebook", (root / "gradebook.db").stat().st_size / MB, "MB")
    bench.run(root, "feedback", "feedback", CHAPTER)
    bench.run(root, "export", "export", "--to", "moodle", "grades.csv")
    page = root / "class.html"
    bench.run(root, "report", "report", CHAPTER, "--html", str(page))
    bench.note("report, page", page.stat().st_size / MB, "MB")
    if CHROMIUM:
        look_at(bench, page)


def look_at(bench: Bench, page: Path) -> None:
    """What Chromium takes to open the page, and to sort it by the slowest column."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        opened = []

        def taken(step: Callable[[], object]) -> tuple[float, float]:
            """Seconds until `step` is drawn, of the clock and of the page's thread."""
            began, before = time.perf_counter(), busy()
            step()
            tab.evaluate("new Promise(drawn => requestAnimationFrame(() => setTimeout(drawn)))")
            return time.perf_counter() - began, busy() - before

        def busy() -> float:
            metrics = tools.send("Performance.getMetrics")["metrics"]
            return next(float(metric["value"]) for metric in metrics if metric["name"] == "TaskDuration")

        for _ in range(OPENED):
            tab = browser.new_page()
            tools = tab.context.new_cdp_session(tab)
            tools.send("Performance.enable", {"timeDomain": "threadTicks"})
            opened.append(taken(partial(tab.goto, page.as_uri())))
        click = "button => button.click()"
        buttons = tab.locator(".sortable thead button").all()
        sorted_by = [taken(partial(button.evaluate, click)) for button in buttons]
        browser.close()
    for what, (clock, thread) in {
        "report, opened by Chromium": min(opened),
        "report, sorted by the slowest column": max(sorted_by, key=lambda seconds: seconds[1]),
    }.items():
        bench.note(what, clock, "s")
        bench.note(f"{what}, processor", thread, "s")


def with_mutants() -> dict[Path, bool]:
    """The notebooks of the exercises with at least three wrong answers, and whether the answer is a whole program."""
    notebooks = sorted((ROOT / stock.SOURCE).glob("*/*.ipynb"))
    enough = (path for path in notebooks if len(list(mutants_of(path).glob("*.cu"))) >= 3)
    return {path: bool(programs_in(texts_of(path))) for path in enough}


def first_kernels() -> list[Path]:
    """The first exercise with a kernel of each of ten chapters."""
    kernels = [path for path, is_program in with_mutants().items() if not is_program]
    return list({path.parent: path for path in reversed(kernels)}.values())[::-1][:EXERCISES]


def whole_programs() -> list[Path]:
    return [path for path, is_program in with_mutants().items() if is_program]


def mutants_of(notebook: Path) -> Path:
    return notebook.parent / "mutants" / notebook.stem


def texts_of(notebook: Path) -> list[str]:
    return ["".join(cell["source"]) for cell in json.loads(notebook.read_text())["cells"]]


def make_course(root: Path, notebooks: list[Path]) -> list[SampleExercise]:
    """A course whose only chapter has these exercises, released."""
    source = root / stock.SOURCE / CHAPTER
    source.mkdir(parents=True)
    for name in ("nbgrader_config.py", "_config.yml"):
        shutil.copy(ROOT / name, root)
    for notebook in notebooks:
        shutil.copy(notebook, source)
        shutil.copytree(mutants_of(notebook), source / "mutants" / notebook.stem)
    stock.nbgrader(root, [("generate_assignment", CHAPTER)])
    return [SampleExercise(root, CHAPTER, notebook.stem) for notebook in notebooks]


def submit(exercises: list[SampleExercise], students: int, notebook: Callable[[SampleExercise, int], Notebook]) -> None:
    for exercise in exercises:
        for number in range(students):
            folder = exercise.root / "submitted" / f"student{number:03}" / CHAPTER
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{exercise.name}.ipynb").write_text(json.dumps(notebook(exercise, number)))


def one_of_four(exercise: SampleExercise, number: int) -> Notebook:
    wrong = sorted(path.name for path in (exercise.root / stock.SOURCE).glob(f"*/mutants/{exercise.name}/*.cu"))
    return exercise.mutated(wrong[number % 6 // 2]) if number % 2 else exercise.solved()


if __name__ == "__main__":
    main()
