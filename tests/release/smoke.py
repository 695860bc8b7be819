#!/usr/bin/env python3
"""Install a release from a package index and use it as a student does.

    tests/release/smoke.py INDEX VERSION

needs Python with its venv module and this repository's files, which hold the kernels, programs and notebooks that are
tried. pip takes the course from INDEX and everything else from wherever it takes packages on this machine. The exit
code is 0 if everything works, and 1 otherwise; then the last line says what does not.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parents[2]
NAME = "cooperating-threads"
EXERCISE = "threads/saxpy"
#: Executes a notebook in a new Jupyter kernel, as JupyterLab's "Run All Cells" does.
EXECUTE = """\
import sys, nbclient, nbformat
notebook = nbformat.read(sys.argv[1], as_version=4)
nbclient.NotebookClient(notebook, timeout=300).execute()
nbformat.write(notebook, sys.argv[1])
"""


def main(arguments: list[str]) -> int:
    if len(arguments) != 2:
        print((__doc__ or "").strip(), file=sys.stderr)
        return 2
    index, version = arguments
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        wheel = Installed(home / "wheel", index, version, "jupyterlab")
        for check in (versions, doctor, kernels, programs, notebook):
            start = time.monotonic()
            check(wheel, version)
            print(f"{check.__name__}: works ({time.monotonic() - start:.0f} s)", flush=True)
        source = Installed(home / "source", index, version, "--no-deps", f"--no-binary={NAME}")
        if source.files() != wheel.files():
            fail("the source archive does not install the same files as the wheel.")
        print("source archive: installs the same files as the wheel", flush=True)
    return 0


def fail(why: str) -> NoReturn:
    sys.exit(f"smoke test, Python {sys.version.split()[0]}: {why}")


class Installed:
    """A new virtual environment in `folder` into which pip has installed the course from `index`."""

    def __init__(self, folder: Path, index: str, version: str, *more: str) -> None:
        self.programs = folder / "bin"
        self.home = folder / "home"
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        self.home.mkdir()
        options = ["--quiet", "--no-cache-dir", "--disable-pip-version-check", "--extra-index-url", index]
        report = folder / "report.json"
        start = time.monotonic()
        self.run("python", "-m", "pip", "install", *options, "--report", report, f"{NAME}=={version}", *more)
        installed = json.loads(report.read_text())["install"]
        (address,) = [item["download_info"]["url"] for item in installed if item["metadata"]["name"] == NAME]
        if not address.startswith(index.rpartition("/simple/")[0]):
            fail(f"pip took the course from {address}.")
        name = address.rpartition("/")[2]
        print(f"{name}: {len(installed)} packages installed ({time.monotonic() - start:.0f} s)", flush=True)

    def run(self, program: str, *arguments: str | Path, code: int = 0) -> str:
        """Run one of the environment's programs in an empty folder; return what it prints."""
        env = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
        command = [self.programs / program, *arguments]
        done = subprocess.run(
            command, cwd=self.home, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        if done.returncode != code:
            print(done.stdout)
            fail(f"`{program} {' '.join(map(str, arguments))}` ended with {done.returncode} instead of {code}.")
        return done.stdout

    def files(self) -> set[str]:
        (package,) = self.programs.parent.glob("lib/python*/site-packages/autograder")
        files = (path for path in package.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
        return {str(path.relative_to(package)) for path in files}


def versions(course: Installed, version: str) -> None:
    for command in (("--version",), ("cc", "--version")):
        printed = course.run("autograder", *command)
        if f" {version}" not in printed:
            fail(f"`autograder {' '.join(command)}` prints {printed!r}.")


def doctor(course: Installed, version: str) -> None:
    print(course.run("autograder", "doctor"), end="")


def kernels(course: Installed, version: str) -> None:
    print(course.run("python", "-P", ROOT / "tests" / "anywhere.py"), end="")


def programs(course: Installed, version: str) -> None:
    programs = ROOT / "book" / "programs"
    right = course.run("autograder", "run", programs / "celsius.cu")
    if "212 F are 100.0 C" not in right or "nothing was found" not in right:
        fail(f"a right program is reported as {right!r}.")
    wrong = course.run("autograder", "run", programs / "mistakes.cu", "--", "race", code=1)
    if "Race in no_barrier" not in wrong:
        fail(f"a program with a race is reported as {wrong!r}.")


def notebook(course: Installed, version: str) -> None:
    """A downloaded notebook, with the right answer typed into it."""
    answers = json.loads((ROOT / "solutions" / f"{EXERCISE}.ipynb").read_text())["cells"]
    (answer,) = [cell["source"] for cell in answers if "".join(cell["source"]).startswith("%%cuda")]
    exercise = json.loads((ROOT / "exercises" / f"{EXERCISE}.ipynb").read_text())
    (cell,) = [cell for cell in exercise["cells"] if "".join(cell["source"]).startswith("%%cuda")]
    cell["source"] = answer
    path = course.home / "saxpy.ipynb"
    path.write_text(json.dumps(exercise))
    course.run("python", "-c", EXECUTE, path)
    cells = [cell for cell in json.loads(path.read_text())["cells"] if cell["cell_type"] == "code"]
    if cells[0]["outputs"]:
        fail(f"the notebook's first cell prints {cells[0]['outputs']} although the course is installed.")
    checks = [json.dumps(cell["outputs"]) for cell in cells if "".join(cell["source"]).startswith("check(")]
    if not checks or not all(": passed in " in printed for printed in checks):
        fail(f"a notebook's checks of a right answer print {checks}.")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
