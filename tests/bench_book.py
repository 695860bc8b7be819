"""How long the book takes to build: `make bench` prints it, in seconds and in seconds of the processors.

It may take 3 minutes from nothing and 15 seconds unchanged, on two cores.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "book" / "06-banks.md"  # the one that draws most


def build(what: str, folder: str, cache: str) -> None:
    """Print how long a build into `folder` takes, with compiled kernels kept in `cache`."""
    program = Path(sys.executable).parent / "jupyter-book"
    command = [program, "build", ".", "--quiet", "-W", "--keep-going", "--path-output", folder]
    start, before = time.perf_counter(), os.times()
    here = {**os.environ, "XDG_CACHE_HOME": cache}
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, env=here)
    after = os.times()
    used = sum(after[2:4]) - sum(before[2:4])  # of the processes that have ended
    print(f"the book, {what}: {time.perf_counter() - start:.0f} s, {used:.0f} of the processors", flush=True)


def main() -> None:
    with tempfile.TemporaryDirectory() as cache, tempfile.TemporaryDirectory() as first:
        build("from nothing, no kernel compiled before", first, cache)
        with tempfile.TemporaryDirectory() as folder:
            build("from nothing", folder, cache)
            build("unchanged", folder, cache)
            PAGE.touch()
            build("one page to be read again", folder, cache)


if __name__ == "__main__":
    main()
