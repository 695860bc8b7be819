"""The command `mcp`: a server that lets an AI assistant compile, run and check CUDA, by the Model Context Protocol.

Each tool is a command in a process of its own, because standard input and output are the protocol's here, and whatever
happens to a program must not happen to the server.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import tempfile
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

_INSTRUCTIONS = """\
Runs CUDA C++ where there is no GPU. Each launch is checked for data races, accesses out of bounds, uninitialized reads,
barriers that not all threads reach, and more; each finding has the lines, threads and array elements involved, and a
report in words. Paths are those of this machine, relative to the folder in which the server was started."""


async def _autograder(*command: str, given: str = "") -> tuple[str, str]:
    """What a command writes to standard output, and to standard error, once it has a result.

    Raises:
        ToolError: it has none: the input is bad, or this machine or the emulator is at fault.
    """
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "autograder", *command),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    try:
        out, errors = (text.decode(errors="replace") for text in await process.communicate(given.encode()))
    finally:
        if process.returncode is None:  # the assistant waits no longer; a program may have no end
            if sys.platform == "win32":
                process.kill()
            else:
                os.killpg(process.pid, signal.SIGKILL)
    if process.returncode not in (0, 1):
        last = errors.strip().splitlines()[-1:] or [f"autograder ended with exit code {process.returncode}."]
        raise ToolError(last[0].removeprefix("autograder: "))
    return out, errors


async def _run(file: str, *options: str) -> str:
    out, _ = await _autograder("run", "--format", "json", file, *options)
    return json.dumps(json.loads(out), ensure_ascii=False)  # without the indentation, which costs tokens


def _dims(shape: int | list[int] | str) -> str:
    return ",".join(map(str, shape)) if isinstance(shape, list) else str(shape)


def _each(option: str, values: Sequence[str | int | float]) -> list[str]:
    return [f"{option}={value}" for value in values]


async def compile(file: str, folders: Sequence[str] = (), std: str = "c++17") -> str:
    """Compile a .cu file, both for the host and for the GPU, and report the first error if there is one.

    Args:
        file: its path.
        folders: where headers are, besides beside the file.
        std: c++11, c++14, c++17 or c++20.
    """
    with tempfile.TemporaryDirectory() as folder:
        made = str(Path(folder) / "made.o")
        _, errors = await _autograder("cc", "-c", file, "-o", made, f"-std={std}", *_each("-I", folders))
    return f"{errors}{file} compiles."


async def run_program(
    file: str,
    arguments: Sequence[str] = (),
    folders: Sequence[str] = (),
    std: str = "c++17",
    gpu: str = "H200",
    check_all: bool = False,
) -> str:
    """Run a CUDA program, a .cu file with a main function: the host's half natively with the user's rights, each
    kernel on the emulator. Returns a JSON document: exit_code, summary, findings (each with its report), launches with
    their counts, and what the program printed.

    Args:
        file: its path.
        arguments: the program's own.
        folders: where headers are, besides beside the file.
        std: c++11, c++14, c++17 or c++20.
        gpu: the GPU that the program sees.
        check_all: check all of a long program, which takes longer.
    """
    checked = ["--all"] if check_all else []
    options = [f"--std={std}", f"--gpu={gpu}", *checked, *_each("-I", folders)]
    return await _run(file, *options, "--", *arguments)


async def run_kernel(
    file: str,
    grid: int | list[int] | str,
    block: int | list[int] | str,
    args: Sequence[str | int | float],
    kernel: str = "",
    expect: Sequence[str] = (),
    shared_mem: int = 0,
    folders: Sequence[str] = (),
    std: str = "c++17",
    seed: int = 0,
) -> str:
    """Launch one kernel of a .cu file, without the file's host code, and compare its results if `expect` says what they
    are. Returns a JSON document: findings (each with its report), counts of memory accesses, sectors and bank
    conflicts, and the outputs' shapes.

    Args:
        file: its path.
        grid: the number of blocks, or up to three numbers.
        block: the number of threads in a block, or up to three.
        args: one for each parameter, in their order or as NAME=VALUE: a number; "random:float32:128x128", "zeros:64",
            "ones:64", "arange:64", or "poison:64", which shows what was not written; or a file that numpy.save wrote,
            "in=points.npy".
        kernel: its name, which may be "blur<128>"; needed if there are several.
        expect: what arrays hold after a right launch, as NAME=VALUE: "out=want.npy", which a numpy reference has
            computed, "total=64", or "sums=3,7,11".
        shared_mem: bytes of dynamic shared memory.
        folders: where headers are, besides beside the file.
        std: c++11, c++14, c++17 or c++20.
        seed: for random arrays.
    """
    named = [f"--kernel={kernel}"] if kernel else []
    launch = [f"--grid={_dims(grid)}", f"--block={_dims(block)}", f"--shared-mem={shared_mem}", f"--seed={seed}"]
    given = [*_each("--arg", args), *_each("--expect", expect), *_each("-I", folders)]
    return await _run(file, f"--std={std}", *named, *launch, *given)


async def check(notebook: str, exercise: str, answer: str, values: str = "") -> str:
    """Check an answer to an exercise of the course by the checks of its notebook, whose Python is executed. Returns a
    JSON document: what the answer's cells show, and the checks, each with its outcome and report.

    Args:
        notebook: a notebook of the course, such as exercises/barriers/missing_barrier.ipynb.
        exercise: the name after %%cuda in the answer's cell.
        answer: the text of that cell below its first line.
        values: the same of the %%values cell, in an exercise that has one.
    """
    cells = f"%%cuda {exercise}\n{answer}\n" + (f"%%values {exercise}\n{values}" if values else "")
    out, _ = await _autograder("check", notebook, "-", "--json", given=cells)
    return out


async def explain(kind: str) -> str:
    """Explain a kind of finding, such as Race or BankConflicts: the rules that it breaks, and where the course's book
    says more. Returns a JSON document.

    Args:
        kind: the `kind` of a finding.
    """
    from ...cuda.report.kinds import about

    try:
        description: Mapping[str, Any] = about(kind)
    except ValueError as error:
        raise ToolError(str(error)) from None
    return json.dumps(description, ensure_ascii=False)


def serve() -> None:
    """Answer on standard input and output until the assistant closes them."""
    server = MCPServer(
        "autograder", version=version("cooperating-threads"), instructions=_INSTRUCTIONS, log_level="WARNING"
    )
    for tool in (compile, run_program, run_kernel, check, explain):
        server.tool(structured_output=False)(tool)
    server.run("stdio")
