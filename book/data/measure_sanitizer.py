"""What do the four tools of compute-sanitizer find in the kernels of tests/cuda/kernels?

Run it on a machine with an NVIDIA GPU, CuPy, pytest and the CUDA toolkit: `python
book/data/measure_sanitizer.py`. It takes a few minutes and writes sanitizer_<gpu>.csv beside itself: one row
for each kernel, good or bad, and each tool; the tool "none" is the kernel alone. A kernel is compiled by
NVRTC, optimized and with line numbers, and launched once as its header says, by launch_cubin.py, many in one
process. Arrays that the header fills with poison, or with nothing, are left unwritten.

With the word `handover`, only kernels with barriers in memory or with numbers, bulk copies, tensor maps, warpgroups'
products or clusters run, without initcheck, and the rows go to sanitizer_handover_<gpu>.csv: `python
book/data/measure_sanitizer.py handover`, on a GPU of compute capability 9.0. measure_handover.py measures what these do
without a tool.

`outcome` is "reports", "nothing", "time out" (after LIMIT seconds) or "does not compile"; `says` is the first
line of each kind of report; `seconds` is one kernel in a running tool, and `start_seconds` the time that the
tool took to start. `jobs` processes ran at a time.
"""

import re
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from cupy.cuda import nvrtc as cupy_nvrtc
from measuring import machine, write
from sanitizer import LIMIT, SHARES, TOOLS, compiled, under_all, version, write_launch
from test_corpus import FILES, read_header

from autograder import UsageError
from autograder.cuda.kernel import Kernel

#: What tells the kernels in which threads hand over by today's means.
HANDOVER = re.compile(
    r"mbarrier\.|cp\.(?:reduce\.)?async\.bulk|wgmma\.|tensormap\.|\bbar\.(?:sync|arrive)|barrier\.cluster"
    r"|__cluster_dims__|<cuda/barrier>"
)


def prepare_all(files: list[Path], folder: Path) -> dict[str, Path | None]:
    """Kernel -> its launch's file; None if NVRTC, or CUDA's rules for a launch, reject it."""

    def written(file: Path) -> tuple[str, Path | None]:
        name, text = f"{file.parent.name}/{file.stem}", file.read_text()
        path = folder / f"{name.replace('/', '-')}.json"
        try:
            header = read_header(text)
            args = list(header.args.values())
            launch = Kernel(text, header.kernel).prepare(header.grid, header.block, args, header.shared_mem)
            code = compiled(f"{path.stem}.cu", text, header.kernel)
            write_launch(path, code, launch, cooperative="this_grid" in text)
        except (cupy_nvrtc.NVRTCError, UsageError):
            return name, None
        return name, path

    with ThreadPoolExecutor() as pool:
        return dict(pool.map(written, files))


def main() -> None:
    files, name, shares = FILES, "sanitizer", SHARES
    tools: tuple[str, ...] = TOOLS
    if sys.argv[1:] == ["handover"]:
        files = [file for file in FILES if HANDOVER.search(file.read_text())]
        tools, name, shares = ("memcheck", "racecheck", "synccheck"), "sanitizer_handover", 3
    with tempfile.TemporaryDirectory() as folder:
        launches = prepare_all(files, Path(folder))
        done = under_all([path for path in launches.values() if path], tools, shares)
    nothing = {"outcome": "does not compile", "says": "", "seconds": "", "start_seconds": ""}
    rows = (
        {"kernel": kernel, "tool": tool, **done.get((tool, str(path)), nothing)}
        for kernel, path in launches.items()
        for tool in tools
    )
    write(name, rows, {"sanitizer": version(), "limit": str(LIMIT), "jobs": str(shares * len(tools)), **machine()})


if __name__ == "__main__":
    main()
