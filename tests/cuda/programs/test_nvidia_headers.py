"""Whole programs that include NVIDIA's own libraries, in `nvidia_headers/`: right ones and wrong ones, which no GPU has
run yet. What the libraries do there is theirs; what a program does wrong with them is found at its own lines."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from test_programs import run

from autograder.cuda.errors import UsageError
from autograder.cuda.programs.building import build, nvidia_headers
from autograder.cuda.programs.building.nvidia_headers import LIBRARIES, Library, install
from autograder.cuda.programs.building.unit import Options

pytestmark = pytest.mark.cached("autograder/**/*", "tests/cuda/programs/**/*", "pyproject.toml")

HERE = Path(__file__).parent / "nvidia_headers"
INSTALLED = all(library.place() for library in LIBRARIES)
installed = pytest.mark.skipif(not INSTALLED, reason=f"libraries: {install()}")
ROOT = Path(__file__).parents[3]


@installed
@pytest.mark.sampled()
@pytest.mark.parametrize("path", sorted((HERE / "right").glob("*.cu")), ids=lambda path: path.stem)
def test_a_right_program_prints_what_it_says(path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    expected = re.match("// prints: (.*)", path.read_text())
    code, done = run(path, capfd)
    assert [finding["report"] for finding in done["findings"]] == []
    assert expected and (code, done["printed"].rstrip("\n")) == (0, expected[1])


@pytest.mark.rare
@installed
@pytest.mark.parametrize("path", sorted((HERE / "wrong").glob("*.cu")), ids=lambda path: path.stem)
def test_a_mistake_is_found_at_its_line(path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    expected = re.match(r"// finds: (\w+), line (\d+)", path.read_text())
    _, done = run(path, capfd)
    # (The document has each pair of accesses that a line of the user's borrows from a library; the summary, mistakes.)
    assert done["summary"].endswith(": 1 finding.")
    found = {(finding["kind"], finding["launch"]["line"]) for finding in done["findings"]}
    assert expected and found == {(expected[1], int(expected[2]))}
    for says in re.findall(r"^// says: (.*)$", path.read_text(), re.MULTILINE):
        assert all(says in " ".join(finding["report"].split()) for finding in done["findings"])


def test_without_the_packages_the_message_says_how_to_install_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Library, "version", lambda self: "")
    message = (
        r"vectors.cu line 3 includes thrust/device_vector.h, one of NVIDIA's own: run `pip install nvidia-cuda-cccl"
    )
    with pytest.raises(UsageError, match=message):
        build.build_program(HERE / "right" / "vectors.cu")


def test_an_answer_never_gets_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Library, "place", lambda self: pytest.fail("looked for"))
    with pytest.raises(UsageError, match=r"includes thrust/device_vector.h, which an answer may not"):
        build.build_program(HERE / "right" / "vectors.cu", Options(untrusted=True))


def test_what_our_own_headers_have_needs_no_package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(nvidia_headers, "LIBRARIES", ())
    file = tmp_path / "sum.cu"
    file.write_text("#include <cub/cub.cuh>\nusing Sum = cub::BlockReduce<int, 128>;\nint main() {}\n")
    assert build.build_program(file).units


@pytest.mark.rare
def test_a_program_needs_only_the_libraries_that_it_includes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    place = Library.place
    monkeypatch.setattr(Library, "place", lambda self: None if "curand" in self.package else place(self))
    assert build.build_program(HERE / "right" / "cuda_std.cu").units
    file = tmp_path / "random.cu"
    file.write_text("#include <curand_kernel.h>\n#include <thrust/device_vector.h>\nint main() {}\n")
    with pytest.raises(
        UsageError, match=r"random.cu line 1 includes curand_kernel.h, .* `pip install nvidia-curand-\S+`"
    ):
        build.build_program(file)


def test_the_extra_installs_what_is_tested() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    cccl, curand = LIBRARIES
    assert [part.partition(";")[0] for part in extras["libraries"]] == [cccl.requirement, curand.requirement]
    assert extras["libraries"][0] in extras["course"]
    assert curand.requirement in (ROOT / ".ci/run").read_text()  # whose license not all who make the course accept
