"""Shared code of the scripts that use compute-sanitizer: kernels as machine code, and the tools over many of them.

A kernel is compiled by NVRTC, optimized and with line numbers, and launched by launch_cubin.py, many in one
process. It needs a GPU, CuPy and the CUDA toolkit.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import cupy as cp
import numpy as np
from cupy.cuda import nvrtc as cupy_nvrtc
from places import DATA

from autograder.cuda.core.launch import Launch
from autograder.cuda.core.tensor_map import BYTES, description, is_tensor_map
from autograder.cuda.nvrtc.headers import PRELUDE_NAME, headers
from autograder.cuda.source.generation import target

TOOLS = ("none", "memcheck", "racecheck", "synccheck", "initcheck")
SHARES = 2  # processes for each tool
#: Seconds without a mark after which a launch, or a start, is abandoned.
LIMIT, START_LIMIT = 4, 60
#: How often to restart a process that did not begin, as happened on a GPU where tests with endless kernels had just
#: been interrupted.
STARTS = 5
#: A header of the toolkit, which does not work with the course's own prelude.
_TOOLKIT = re.compile(r"#include <(?:cooperative_groups|cuda_pipeline|cuda_fp16|cuda/)")
#: A report's first line, unless it is about the tool itself, and its other lines, which are indented.
_REPORT = re.compile(
    r"^========= (?!COMPUTE-SANITIZER|ERROR SUM|RACECHECK SUM|Target application)(\S.*)\n((?:=========  .*\n)*)",
    re.MULTILINE,
)
#: The end of a first line, which names a location, a thread or a size.
_PLACE = re.compile(r" at (?:0x\w+|.*\+0x).*| in block .*|, \d+ bytes.*| on CUDA API call.*|\.$")


def compiled(file_name: str, text: str, kernel: str) -> tuple[bytes, str]:
    """The machine code of a kernel for this GPU, and the kernel's name in it.

    Raises:
        NVRTCError: it does not compile.
    """
    include = Path(shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc").resolve().parents[1] / "include"
    arch = target(text, f"sm_{cp.cuda.Device().compute_capability}")
    options = ["--std=c++17", f"--gpu-architecture={arch}", "--generate-line-info"]
    options += [f"--include-path={include}", f"--include-path={include}/cccl"]
    # The texts that stand for headers of the C++ library have functions without `__device__`.
    options.append("-default-device" if _TOOLKIT.search(text) else f"--pre-include={PRELUDE_NAME}")
    names, texts = ([word.encode() for word in words] for words in (headers(), headers().values()))
    program = cupy_nvrtc.createProgram(text, file_name, texts, names)
    cupy_nvrtc.addNameExpression(program, kernel)
    cupy_nvrtc.compileProgram(program, options)
    # CuPy leaves off the last byte.
    return cupy_nvrtc.getCUBIN(program) + b"\0", cupy_nvrtc.getLoweredName(program, kernel)


def write_launch(
    path: Path, code: tuple[bytes, str], launch: Launch, *, cooperative: bool = False, runs: int = 0
) -> None:
    """Write the launch for launch_cubin.py to `path`, and the machine code (and its entry) beside it.

    With `runs`, launch_cubin.py launches it that often, and writes what the arrays hold after each; they begin as they
    do on the emulator. Without, arrays of poison are left unwritten.
    """
    cubin, entry = code
    path.with_suffix(".cubin").write_bytes(cubin)
    about = {
        "cubin": str(path.with_suffix(".cubin")),
        "entry": entry,
        "grid": launch.grid,
        "block": launch.block,
        "shared_mem": launch.shared_mem,
        "cooperative": cooperative,
        "args": [_argument(arg, poison=runs > 0) for arg in launch.args],
        **({"runs": runs} if runs else {}),
    }
    path.write_text(json.dumps(about))


def _argument(arg: np.ndarray | np.generic, *, poison: bool) -> dict[str, Any]:
    data, array = arg.tobytes(), isinstance(arg, np.ndarray)
    if isinstance(arg, np.ndarray) and is_tensor_map(arg):
        return {"array": False, "map": description(arg), "size": len(data) - BYTES, "hex": data[BYTES:].hex()}
    unwritten = array and set(data) == {0xA5} and not poison
    return {"array": array, "size": len(data), **({} if unwritten else {"hex": data.hex()})}


def under(tool: str, launches: list[str], limit: float) -> Iterator[tuple[str, dict[str, str]]]:
    """(launch, its result under this tool) for each; a launch that ends its process is followed by a new one."""
    while launches:
        for _ in range(STARTS):
            output, began, ended = _process(tool, launches, limit)
            # Text before the first mark, then (launch, when, text) for each launch.
            _, *parts = re.split(r"^##### begin (\S+) (\S+)\n", output, flags=re.MULTILINE)
            if parts:
                break
            print(f"{tool} did not begin in {time.time() - began:.0f} s, at {launches[0]}", flush=True)
        assert parts, f"{tool} did not begin: {output[-2000:]}"
        done = dict(zip(parts[::3], parts[2::3], strict=True))
        says = _says(tool, done)
        for launch, text in done.items():
            mark = re.search(r"^##### (?:end|failed \w+) (\S+)$", text, re.MULTILINE)
            yield (
                launch,
                {
                    "outcome": ("reports" if says[launch] else "nothing") if mark else ended,
                    "says": "; ".join(says[launch]),
                    "seconds": f"{float(mark[1]):.3f}" if mark else "",
                    "start_seconds": f"{float(parts[1]) - began:.2f}",
                },
            )
        if launches := launches[len(done) :]:
            print(f"{tool} {ended} at {list(done)[-1]}", flush=True)


def _process(tool: str, launches: list[str], limit: float) -> tuple[str, float, str]:
    """Run launch_cubin.py under a tool; return what both printed, when they started, and why they ended."""
    command = [sys.executable, str(DATA / "launch_cubin.py"), *launches]
    if tool != "none":
        options = ["--print-limit", "100000", "--show-backtrace", "no"]
        command = ["compute-sanitizer", "--tool", tool, *options, *command]
    with tempfile.NamedTemporaryFile("w+", errors="replace") as out:
        began = time.time()
        # A group of its own, because the tool starts the program as its child, and both must end.
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, start_new_session=True)
        marks, since, ended = 0, began, "tool ended"
        while process.poll() is None:
            time.sleep(0.05)
            if (now := Path(out.name).read_bytes().count(b"\n##### ")) != marks:
                marks, since = now, time.time()
            elif time.time() - since > (limit if marks else START_LIMIT):
                ended = "time out"
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        return Path(out.name).read_text(errors="replace"), began, ended


def _says(tool: str, done: dict[str, str]) -> dict[str, list[str]]:
    """Launch -> the kinds of report, each once; without a tool there is only CUDA's own error.

    A report belongs to the file that it names, or else to the launch whose mark precedes it.
    """
    says: dict[str, list[str]] = {launch: [] for launch in done}
    of_file = {Path(launch).stem: launch for launch in done}
    for launch, text in done.items():
        if tool == "none":
            says[launch] = re.findall(r"##### failed (\w+)", text)
            continue
        for first, rest in _REPORT.findall(text):
            named = re.search(r" in ([\w-]+)\.cu:\d+", first + rest)
            owner = of_file.get(named[1], launch) if named else launch
            if (kind := _PLACE.sub("", first).strip()) not in says[owner]:
                says[owner].append(kind)
    return says


def under_all(
    launches: list[Path], tools: tuple[str, ...] = TOOLS, shares: int = SHARES, limit: float = LIMIT
) -> dict[tuple[str, str], dict[str, str]]:
    """(tool, launch) -> its result, for every tool, with `shares` processes for each at a time."""
    paths = [str(path) for path in launches]
    work = [(tool, paths[share::shares], limit) for tool in tools for share in range(shares)]
    with ThreadPoolExecutor(len(work)) as pool:
        results = pool.map(lambda share: [((share[0], path), row) for path, row in under(*share)], work)
        return {key: row for rows in results for key, row in rows}


def version() -> str:
    """compute-sanitizer's version."""
    said = subprocess.run(["compute-sanitizer", "--version"], capture_output=True, text=True, check=True).stdout
    return str(re.findall(r"[Vv]ersion ([\d.]+)", said)[-1])
