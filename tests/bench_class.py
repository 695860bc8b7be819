"""What a large class costs: time, memory, gradebook, and the page that its teacher looks at.

    python tests/bench_class.py [students]

A course is made in a folder of its own: 1000 students (or as many as are asked for), three notebooks each, whose
answers all differ, and `autograder grade` grades it on two cores, in one go. Then 300 of them are a class of their
own, whose report Chromium opens and sorts, if it is there. CPU seconds are those of all processes, and say what a
machine with nothing else to do would take; memory is the most that all processes had at a time, each shared page
counted once (PSS).
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil
from bench_grading import CHAPTER, EXERCISES, make_course
from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parent / "book"))
from browsing import CHROMIUM, FLAGS

COMMAND = (sys.executable, "-m", "autograder")
CLASS = 300


def main() -> None:
    students = [f"student{i:04}" for i in range(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)]
    cores = sorted(os.sched_getaffinity(0))[:2]
    os.sched_setaffinity(0, cores)
    with TemporaryDirectory() as folder:
        root = Path(folder) / "all"
        make_course(root, students)
        wall, cpu, memory = measure(root, "grade", CHAPTER)
        notebooks = len(students) * len(EXERCISES)
        size = (root / "gradebook.db").stat().st_size / 1e6
        print(f"grade: {notebooks} notebooks in {wall:.0f} s on {len(cores)} cores, {cpu:.0f} CPU seconds", flush=True)
        print(f"       {cpu / notebooks:.3f} CPU seconds each, at most {memory:.0f} MB, gradebook {size:.1f} MB")
        wall, cpu, memory = measure(root, "grade", CHAPTER)
        print(f"again: {wall:.0f} s, {cpu:.0f} CPU seconds, at most {memory:.0f} MB", flush=True)
        part = Path(folder) / "part"
        make_course(part, students[:CLASS])
        shutil.copytree(root / "_build", part / "_build", dirs_exist_ok=True)
        measure(part, "grade", CHAPTER)
        page = part / "class.html"
        wall, cpu, memory = measure(part, "report", CHAPTER, "--html", str(page))
        print(
            f"report: {len(students[:CLASS])} students in {wall:.0f} s, {cpu:.0f} CPU seconds, at most {memory:.0f} MB"
        )
        print(f"        {page.stat().st_size / 1e6:.2f} MB; {look_at(page)}")


def measure(root: Path, *arguments: str) -> tuple[float, float, float]:
    """Seconds, CPU seconds and megabytes that a command takes."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    command = subprocess.Popen([*COMMAND, *arguments], cwd=root, stdout=subprocess.DEVNULL)
    most = [0.0]
    watcher = threading.Thread(target=watch, args=(command, most))
    watcher.start()
    command.wait()
    wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    watcher.join()
    assert command.returncode in (0, 1), arguments
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, most[0]


def watch(command: subprocess.Popen[bytes], most: list[float]) -> None:
    while command.poll() is None:
        total = 0
        try:
            process = psutil.Process(command.pid)
            for one in (process, *process.children(recursive=True)):
                total += one.memory_full_info().pss
        except psutil.Error:  # it has ended
            pass
        most[0] = max(most[0], total / 1e6)
        time.sleep(0.5)


def look_at(page: Path) -> str:
    """How long Chromium takes to open the page and to sort it."""
    if CHROMIUM is None:
        return "not opened: there is no Chromium"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        tab = browser.new_page()
        began = time.perf_counter()
        tab.goto(page.as_uri())
        opened = time.perf_counter() - began
        slowest = tab.evaluate(
            """() => Math.max(...[...document.querySelectorAll(".sortable thead button")].map(button => {
                const began = performance.now();
                button.click();
                document.body.offsetHeight;  // lays it out
                return performance.now() - began;
            }))"""
        )
        browser.close()
    return f"Chromium opens it in {opened:.1f} s, and sorts by a column in at most {slowest:.0f} ms"


if __name__ == "__main__":
    main()
