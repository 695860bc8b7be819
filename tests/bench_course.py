"""What a new machine waits for: a first program, and `make course`, in seconds and in CPU seconds.

    python tests/bench_course.py

In a fresh clone of HEAD, with empty caches, but with pip's as it is. Prints a table for docs/decisions.md. On a busy
machine, only the CPU seconds mean something: the last line says how busy it was.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
PROGRAM = """\
#include <{header}>
__global__ void twice(int* x) {{ x[threadIdx.x] *= 2; }}
int main() {{
    int* x;
    cudaMalloc(&x, 128);
    cudaMemset(x, 0, 128);
    twice<<<1, 32>>>(x);
    {statement}
    return cudaFree(x);
}}
"""
FIRST = PROGRAM.format(header="cstdio", statement='printf("%d\\n", cudaDeviceSynchronize());')
STREAMS = PROGRAM.format(header="iostream", statement="std::cout << cudaDeviceSynchronize() << std::endl;")


def measure(what: str, command: list[str], folder: Path, env: Mapping[str, str]) -> str:
    """Print how long `command` takes. Returns what it printed."""
    start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=folder, env=env, check=True, stdout=subprocess.PIPE, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"| {what} | {time.perf_counter() - start:.0f} | {used:.0f} |", flush=True)
    return done.stdout


def main() -> None:
    with TemporaryDirectory() as name:
        course, cache = Path(name) / "course", Path(name) / "cache"
        subprocess.run(["git", "clone", "--quiet", ROOT, course], check=True)
        env = {**os.environ, "XDG_CACHE_HOME": str(cache)}
        print("| step | seconds | CPU seconds |\n|---|---|---|")
        measure("`make setup`", ["make", "setup"], course, env)
        for file, text, what in (
            ("first.cu", FIRST, "the first program"),
            ("first.cu", FIRST, "the same again"),
            ("streams.cu", STREAMS, "the first that uses iostream"),
        ):
            (course / file).write_text(text)
            measure(f"`autograder run`, {what}", [".venv/bin/autograder", "run", file], course, env)
        subprocess.run(["rm", "-r", cache], check=True)
        printed = measure("`make course` after `make setup`", ["make", "course"], course, env)
        for line in printed.splitlines():
            step, done, seconds = line.partition(": done in ")
            if done:
                print(f"| {step}, of these | {seconds.removesuffix(' s')} | |")
    load = ", ".join(f"{busy:.1f}" for busy in os.getloadavg())
    print(f"\n{os.cpu_count()} cores, Python {sys.version.split()[0]}; processes that wanted one, at the end: {load}")


if __name__ == "__main__":
    main()
