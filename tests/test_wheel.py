"""Does the wheel hold the whole package, say which machines it is for, and run a kernel where it is installed?"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from email import message_from_string
from email.message import Message
from pathlib import Path

import inputs
import numpy
import pytest
from packaging.utils import parse_wheel_filename

pytestmark = inputs.grading

ROOT = Path(__file__).parents[1]
BUILD = "import sys; from setuptools import build_meta; build_meta.build_wheel(sys.argv.pop())"
RUN = """\
import numpy as np
from autograder import Kernel

kernel = Kernel("__global__ void twice(int* x) { x[threadIdx.x] *= 2; }", "twice")
print(kernel.emulate(1, 4, [np.arange(4, dtype=np.int32)]).outputs[0].tolist())
"""


def package_files() -> set[str]:
    listed = subprocess.run(["git", "ls-files", "autograder"], cwd=ROOT, capture_output=True, text=True, check=True)
    return {name for name in listed.stdout.splitlines() if (ROOT / name).exists()}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy, since setuptools leaves its work beside the sources."""
    source, made = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("made")
    for name in (*package_files(), "pyproject.toml", "README.md", "LICENSES/MIT.txt"):
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, source / name)
    subprocess.run([sys.executable, "-c", BUILD, made], cwd=source, capture_output=True, check=True)
    (path,) = made.glob("*.whl")
    return path


def metadata(wheel: Path, name: str) -> Message:
    (path,) = [entry for entry in zipfile.ZipFile(wheel).namelist() if entry.endswith(f".dist-info/{name}")]
    return message_from_string(zipfile.ZipFile(wheel).read(path).decode())


def test_it_holds_the_package_and_nothing_else(wheel: Path) -> None:
    names = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert names == package_files() and "autograder/py.typed" in names


def test_its_tag_is_of_any_machine(wheel: Path) -> None:
    name, _, _, tags = parse_wheel_filename(wheel.name)
    assert name == "cooperating-threads"
    assert {str(tag) for tag in tags} == {"py3-none-any"}


def test_the_native_engine_asks_for_the_c_library_that_its_runner_is_linked_for() -> None:
    compiler = ROOT / "autograder" / "compiler"
    assert "x86_64-linux-gnu.2.28 " in (compiler / "emulator_runtime.py").read_text()
    assert "_GLIBC = [2, 28]" in (compiler / "engine.py").read_text()


def test_it_says_its_license_and_where_it_comes_from(wheel: Path) -> None:
    said = metadata(wheel, "METADATA")
    assert said["License-Expression"] == "MIT" and said["License-File"] == "LICENSES/MIT.txt"
    links = dict(link.split(", ") for link in said.get_all("Project-URL") or [])
    assert set(links) == {"Documentation", "Repository", "Issues", "Changelog"}


def test_it_runs_a_kernel_where_it_is_installed(wheel: Path, tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "venv"], check=True)
    (site,) = (tmp_path / "venv").glob("lib/python*/site-packages")
    zipfile.ZipFile(wheel).extractall(site)
    for name in ("numpy", "numpy.libs", "ziglang", "ziglang-0.17.0.dist-info"):
        (site / name).symlink_to(Path(numpy.__file__).parents[1] / name)
    command: list[str | Path] = [tmp_path / "venv" / "bin" / "python", "-P", "-c", RUN]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": ""})
    assert done.stdout == "[0, 2, 4, 6]\n", done.stderr
