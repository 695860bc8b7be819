"""Show which lines of the emulator's runtime never run while it runs every kernel of tests/cuda/kernels and some random
programs: `python tests/cuda/backends/runtime_coverage.py`. Needs g++ and its gcov."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import tempfile
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import pytest
from special_runner import covered, missing
from test_corpus import FILES, run_file
from test_properties import WIDTHS, Author
from test_schedules import ENDLESS, SCHEDULES, emulate

from autograder.cuda.backends import emulator
from autograder.cuda.compiler.emulator_runtime import EMULATOR, build_runtime
from autograder.cuda.errors import GraderFault

#: Lines that run only on an author's machine or in the compiled kernel, or that are generated from protocol.json.
LEFT_OUT = ("prelude", "protocol", "special.cpp")


def main() -> None:
    if missing():
        sys.exit(f"Coverage cannot be measured here: {missing()}.")
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        runner = covered(Path(folder))
        runtime = replace(build_runtime(), runner=runner)
        patch.setattr(emulator, "build_runtime", lambda: runtime)
        patch.setattr(emulator, "MAX_BLOCK_STEPS", 200_000)
        for path in FILES:
            for schedule in SCHEDULES[: 1 if path.stem.startswith(ENDLESS) else None]:
                try:
                    run_file(path, schedule)
                except GraderFault as fault:
                    print(path.stem, fault)
        for seed in range(20):
            emulate(Author(seed).barriers(WIDTHS).table(), "forward")
            emulate(Author(seed).messages().table(), "forward")
        report(counted(runner.parent))


def counted(source: Path) -> dict[str, dict[int, int]]:
    """How often each line of each file has run."""
    subprocess.run(["gcov", "--json-format", "emu-run-special.gcda"], cwd=source, check=True, stdout=subprocess.DEVNULL)
    lines: dict[str, dict[int, int]] = defaultdict(dict)
    for packed in source.glob("*.gcov.json.gz"):
        for file in json.loads(gzip.decompress(packed.read_bytes()))["files"]:
            name = file["file"]
            if not name.startswith(("/", *LEFT_OUT)):
                for line in file["lines"]:
                    number = line["line_number"]
                    lines[name][number] = max(lines[name].get(number, 0), line["count"])
    return lines


def report(lines: dict[str, dict[int, int]]) -> None:
    ran = total = 0
    for name in sorted(lines):
        text = (EMULATOR / name).read_text().split("\n")
        never = sorted(n for n, count in lines[name].items() if not count)
        ran, total = ran + len(lines[name]) - len(never), total + len(lines[name])
        print(f"{name:30} {len(lines[name]) - len(never):5} of {len(lines[name]):5} lines")
        for n in never:
            print(f"    {n:4}  {text[n - 1].strip()}")
    print(f"{'all':30} {ran:5} of {total:5} lines, {100 * ran / total:.1f} %")


if __name__ == "__main__":
    main()
