"""What the book's programs print on a GPU, by themselves and under NVIDIA's tools.

Run it on a machine with an NVIDIA GPU and the CUDA toolkit (nvcc, compute-sanitizer, ncu, cuda-gdb), where the GPU's
counters may be read: `python book/data/measure_programs.py`. It compiles the programs of book/programs, and writes what
a terminal shows to book/data/term, a file for each of SESSIONS.
"""

import re
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path

from places import DATA

PROGRAMS = DATA.parent / "programs"
#: The tools lay out their output for terminals that are wider than the book's page.
WIDTH = 72
#: The commands of each session; a mistake is what they are there to find, so they may fail.
SESSIONS: Mapping[str, Sequence[str]] = {
    "celsius": ("nvcc -O3 -arch=native -o celsius celsius.cu", "./celsius"),
    "resource_usage": ("nvcc -O3 -arch=native --resource-usage -o mistakes mistakes.cu",),
    "memcheck": (
        "nvcc -O3 -lineinfo -arch=native -o mistakes mistakes.cu",
        "./mistakes bounds",
        "compute-sanitizer --print-limit 1 ./mistakes bounds",
    ),
    "racecheck": ("./mistakes race", "compute-sanitizer --tool racecheck ./mistakes race"),
    "ncu": (
        "ncu --metrics \\\n    'regex:l1tex__t_(requests|sectors)_pipe_lsu_mem_global_op_ld.sum$' ./mistakes stride",
    ),
    "cuda_gdb": (
        "nvcc -g -G -arch=native -o mistakes mistakes.cu",
        "cuda-gdb -q -batch -x bounds.gdb ./mistakes",
    ),
}


def shown(command: str, folder: Path) -> str:
    """A command and what it prints, without paths of this machine and ruled lines, columns moved together, folded."""
    done = subprocess.run(command, shell=True, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    told = done.stdout.replace(f"{folder}/", "").splitlines()
    lines = [re.sub(r"(?<=\S) {3,}", "  ", line) for line in told if not re.fullmatch(r"\s*-[-\s]*", line)]
    folded = (textwrap.wrap(line, WIDTH, subsequent_indent="    ", break_on_hyphens=False) or [""] for line in lines)
    return f"$ {command}\n" + "".join(f"{part.rstrip()}\n" for line in folded for part in line)


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for program in PROGRAMS.iterdir():
            (folder / program.name).write_text(program.read_text())
        for session, commands in SESSIONS.items():
            told = "".join(shown(command, folder) for command in commands)
            sys.stdout.write(told)
            (DATA / "term" / f"{session}.txt").write_text(told)


if __name__ == "__main__":
    main()
