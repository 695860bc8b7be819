"""Does a change make the emulator slower? `python tests/bench_commits.py BEFORE AFTER`, two commits, prints ratios.

Not a test: times depend on the machine. What is timed, in processor time: from an edit to its verdict, `autograder run`
for one kernel of an edited file, a launch on the fast path, and one with the full check. Each round measures both
commits, in turns, each in a separate process.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
ROUNDS = 11
WORK = """
import json, pathlib, resource, subprocess, sys, time
import numpy as np
from autograder import Kernel

def processor_time():
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)

def timed(work, *given):
    work(*given)
    begin = processor_time()
    work(*given)
    return processor_time() - begin

def edits():
    for _ in range(8):
        text = "__global__ void edited(float* x, int n) {{ if (threadIdx.x < n) x[threadIdx.x] += {}; }}"
        kernel = Kernel(text.format(time.time_ns()), "edited")
        for n in (1, 64, 100):
            assert not kernel.emulate(1, 128, [np.zeros(n, np.float32), n]).findings

def edited_files():
    text = "__global__ void edited(float* x, int n) {{ if (threadIdx.x < n) x[threadIdx.x] += {}; }} int main() {{}}"
    for _ in range(4):
        pathlib.Path("edited.cu").write_text(text.format(time.time_ns()))
        command = "run edited.cu --grid 1 --block 128 --arg zeros:100 --arg 100".split()
        subprocess.run([sys.executable, "-m", "autograder", *command], check=True, stdout=subprocess.DEVNULL)

def launch(n, schedule):
    a, c = np.ones((n, n), np.float32), np.zeros((n, n), np.float32)
    kernel = Kernel(sys.argv[1], "gemm_square_tiles")
    assert not kernel.emulate((n // 16, n // 16), (16, 16), [a, a, c, n], schedule=schedule).findings

print(json.dumps({
    "edit to verdict": timed(edits),
    "a kernel of an edited file": timed(edited_files),
    "screened launch": timed(launch, 512, "forward"),
    "full check": timed(launch, 128, "backward"),
}))
"""


def measure(folder: Path) -> dict[str, float]:
    """Seconds of processor time for each kind of work, with the package that lies in `folder`."""
    environment = {**os.environ, "PYTHONPATH": str(folder), "XDG_CACHE_HOME": str(folder / "cache")}
    environment["PYTHONDONTWRITEBYTECODE"] = ""  # else each command would compile Python, too
    text = (ROOT / "book" / "kernels" / "gemm_square_tiles.cu").read_text(encoding="utf-8")
    command = [sys.executable, "-c", WORK, text]
    done = subprocess.run(command, cwd=folder, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    times: dict[str, float] = json.loads(done.stdout)
    return times


def main(commits: list[str]) -> None:
    if len(commits) != 2:
        sys.exit("Name two commits: python tests/bench_commits.py BEFORE AFTER")
    with tempfile.TemporaryDirectory() as temporary:
        folders = [Path(temporary, side) for side in ("before", "after")]
        for folder, commit in zip(folders, commits, strict=True):
            folder.mkdir()
            archive = subprocess.run(["git", "archive", commit, "autograder"], cwd=ROOT, stdout=subprocess.PIPE)
            if archive.returncode:
                sys.exit(f"{commit} is no commit of this repository.")
            subprocess.run(["tar", "-x"], cwd=folder, input=archive.stdout, check=True)
            measure(folder)  # compiles the runtime
        ratios: dict[str, list[float]] = {}
        for number in range(ROUNDS):
            turn = folders if number % 2 else folders[::-1]
            times = {folder.name: measure(folder) for folder in turn}
            for work, before in times["before"].items():
                ratios.setdefault(work, []).append(times["after"][work] / before)
    for work, found in ratios.items():
        print(f"{work}: {statistics.median(found):.2f} times as long, {min(found):.2f} to {max(found):.2f}")


if __name__ == "__main__":
    main(sys.argv[1:])
