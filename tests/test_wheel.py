"""Do the wheel and the source archive hold all that they must and nothing else, and does what they install run?"""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
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
#: What the source archive holds besides the package: all that a build reads, and the license.
ABOUT = ("pyproject.toml", "README.md", "LICENSES/MIT.txt")
BUILD = "import sys; from flit_core import buildapi as to; to.build_sdist(sys.argv[1]); to.build_wheel(sys.argv[1])"
RUN = """\
import numpy as np
from autograder import Kernel

kernel = Kernel("__global__ void twice(int* x) { x[threadIdx.x] *= 2; }", "twice")
print(kernel.emulate(1, 4, [np.arange(4, dtype=np.int32)]).outputs[0].tolist())
"""


def package_files() -> set[str]:
    listed = subprocess.run(["git", "ls-files", "autograder"], cwd=ROOT, capture_output=True, text=True, check=True)
    return {name for name in listed.stdout.splitlines() if (ROOT / name).exists()}


def build(source: Path, made: Path) -> dict[str, Path]:
    """Build what is in `source`; the archives by their last suffix."""
    env = os.environ | {"SOURCE_DATE_EPOCH": "1700000000"}
    subprocess.run([sys.executable, "-c", BUILD, made], cwd=source, env=env, capture_output=True, check=True)
    return {path.suffix: path for path in made.iterdir()}


def copy_sources(folder: Path, mode: int = 0o644) -> Path:
    """Copy what a release is built from, as files of this moment."""
    for name in (*package_files(), *ABOUT):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes((ROOT / name).read_bytes())
        (folder / name).chmod(mode)
    return folder


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return build(copy_sources(tmp_path_factory.mktemp("source")), tmp_path_factory.mktemp("made"))


@pytest.fixture(scope="module")
def wheel(archives: dict[str, Path]) -> Path:
    return archives[".whl"]


def metadata(wheel: Path, name: str) -> Message:
    (path,) = [entry for entry in zipfile.ZipFile(wheel).namelist() if entry.endswith(f".dist-info/{name}")]
    return message_from_string(zipfile.ZipFile(wheel).read(path).decode())


def test_it_holds_the_package_and_nothing_else(wheel: Path) -> None:
    names = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert names == package_files() and "autograder/py.typed" in names


def test_the_source_archive_holds_what_a_build_reads_and_gives_the_same_wheel(
    archives: dict[str, Path], tmp_path: Path
) -> None:
    """Neither the book nor the tests: whoever wants these needs the repository, and students on Colab need neither."""
    with tarfile.open(archives[".gz"]) as tar:
        names = {entry.name.partition("/")[2] for entry in tar if entry.isfile()}
        tar.extraction_filter = getattr(tarfile, "data_filter", None)  # Debian 12's Python 3.11.2 has none
        tar.extractall(tmp_path)
    assert names == {*package_files(), *ABOUT, "PKG-INFO"}
    (source,) = tmp_path.iterdir()
    again = build(source, tmp_path / "made")
    assert again[".whl"].read_bytes() == archives[".whl"].read_bytes()


def test_nothing_in_them_is_compiled(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    for name in archive.namelist():
        archive.read(name).decode()  # text, all of it


def test_two_builds_are_the_same_bytes(archives: dict[str, Path], tmp_path: Path) -> None:
    again = build(copy_sources(tmp_path / "source", mode=0o600), tmp_path / "made")
    assert again.keys() == archives.keys() == {".whl", ".gz"}
    for suffix, path in archives.items():
        assert again[suffix].read_bytes() == path.read_bytes()


def test_its_tag_is_of_any_machine(wheel: Path) -> None:
    name, _, _, tags = parse_wheel_filename(wheel.name)
    assert name == "cooperating-threads"
    assert {str(tag) for tag in tags} == {"py3-none-any"}


def test_the_native_engine_asks_for_the_c_library_that_its_runner_is_compiled_for() -> None:
    compiler = ROOT / "autograder" / "cuda" / "compiler"
    assert "__GLIBC_MINOR__=28 " in (compiler / "system_headers.py").read_text()
    assert "_GLIBC = [2, 28]" in (compiler / "engine.py").read_text()


def test_it_says_its_license_and_where_it_comes_from(wheel: Path) -> None:
    fields = metadata(wheel, "METADATA")
    assert fields["License-Expression"] == "MIT" and fields["License-File"] == "LICENSES/MIT.txt"
    links = dict(link.split(", ") for link in fields.get_all("Project-URL") or [])
    assert set(links) == {"Documentation", "Repository", "Issues", "Changelog"}


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Python of an environment with the wheel and what it requires, and no notebook's package."""
    environment = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    (site,) = environment.glob("lib/python*/site-packages")
    zipfile.ZipFile(wheel).extractall(site)
    for name in ("numpy", "numpy.libs", "ziglang", "ziglang-0.17.0.post0.dist-info"):
        (site / name).symlink_to(Path(numpy.__file__).parents[1] / name)
    return environment / "bin" / "python"


def run(folder: Path, *command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": ""})


def test_it_runs_a_kernel_where_it_is_installed(python: Path, tmp_path: Path) -> None:
    done = run(tmp_path, python, "-P", "-c", RUN)
    assert done.stdout == "[0, 2, 4, 6]\n", done.stderr


@pytest.mark.sampled()
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("vector_add.cu",), "vector_add.cu ended with exit code 0, with 1 launch of 1 kernel"),
        (
            ("one.cu", "--grid", "1", "--block", "1", "--arg", "zeros:1"),
            "one, grid=1, block=1, on the emulator: nothing",
        ),
    ],
)
def test_its_command_runs_a_program_and_a_kernel(
    options: tuple[str, ...], message: str, python: Path, tmp_path: Path
) -> None:
    (tmp_path / "one.cu").write_text("__global__ void one(int* x) { *x = 1; }\n")
    (tmp_path / "vector_add.cu").write_text(
        (ROOT / "tests" / "cuda" / "programs" / "right" / "vector_add.cu").read_text()
    )
    done = run(tmp_path, python, "-P", "-m", "autograder", "run", *options)
    assert done.returncode == 0 and message in done.stdout + done.stderr, done.stderr


def test_it_names_the_package_that_a_command_lacks(python: Path, tmp_path: Path) -> None:
    done = run(tmp_path, python, "-P", "-m", "autograder", "mcp")
    assert done.returncode == 3 and "run `pip install 'cooperating-threads[mcp]'`" in done.stderr
