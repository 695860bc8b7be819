"""What the book's programs print when nvcc compiles them and a GPU runs them.

Run it on a machine with an NVIDIA GPU and the CUDA toolkit: `python book/data/measure_programs.py`. For each program of
book/programs it writes what a terminal shows to book/data/term/<program>.txt.
"""

import subprocess
import tempfile
from pathlib import Path

from places import DATA

PROGRAMS = DATA.parent / "programs"


def session(program: Path, folder: Path) -> str:
    """The commands that compile and run a program, each with its output."""
    shown = ""
    for command in (f"nvcc -O3 -arch=native -o {program.stem} {program.name}", f"./{program.stem}"):
        done = subprocess.run(command.split(), cwd=folder, capture_output=True, text=True, check=True)
        shown += f"$ {command}\n{done.stdout}{done.stderr}"
    return shown


def main() -> None:
    for program in sorted(PROGRAMS.glob("*.cu")):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / program.name).write_text(program.read_text())
            told = session(program, Path(folder))
        print(told, end="")
        (DATA / "term" / f"{program.stem}.txt").write_text(told)


if __name__ == "__main__":
    main()
