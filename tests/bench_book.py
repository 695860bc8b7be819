"""How long the book takes to build, from nothing and unchanged: `make bench` prints it.

It may take 3 minutes and 15 seconds on two cores. Compiled kernels come from the library's cache, if they are there.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]


def build(folder: str) -> float:
    """Seconds."""
    program = Path(sys.executable).parent / "jupyter-book"
    start = time.perf_counter()
    command = [program, "build", ".", "--quiet", "-W", "--keep-going", "--path-output", folder]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return time.perf_counter() - start


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        print(f"the book: {build(folder):.0f} s from nothing, {build(folder):.0f} s unchanged")


if __name__ == "__main__":
    main()
