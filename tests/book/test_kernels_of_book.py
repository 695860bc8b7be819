"""Do the book's kernels compile, and does the emulator find in each what its first line says?"""

import os
import re
import shutil
import subprocess
from pathlib import Path

import inputs
import numpy as np
import pytest
from course_book import kernels

from autograder import Kind
from autograder.cuda.nvrtc import compiler as nvrtc
from autograder.cuda.source.generation import runs_on

#: Runs are kept by the version that `execution` tells.
pytestmark = inputs.emulation_of_kernels

NVCC = shutil.which("nvcc", path=f"{os.environ['PATH']}:/usr/local/cuda/bin")
FILES = sorted(str(path.relative_to(kernels.FOLDER)) for path in kernels.FOLDER.rglob("*.cu"))
EVERY = [(file, without) for file in FILES for without in kernels.read(file).finds]


def test_there_are_kernels() -> None:
    assert len(FILES) >= 10


@pytest.mark.sampled(one_in=8)
@pytest.mark.parametrize(("file", "without"), EVERY)
def test_the_emulator_finds_what_the_first_line_says(file: str, without: int) -> None:
    kernel = kernels.read(file)
    run = kernel.emulate(without)
    kinds = [finding.kind for finding in run.findings]
    if kernel.finds[without]:
        assert kinds and kinds[0] == kernel.finds[without]
    else:
        assert kinds == []
        assert run.completed


def test_every_barrier_that_is_marked_is_also_taken_away() -> None:
    for file in FILES:
        kernel = kernels.read(file)
        marks = {int(mark) for mark in re.findall(r"// (?:barrier|wait) (\d):", kernel.source)}
        assert marks == set(kernel.finds) - {0}, file


def test_no_comment_breaks_off_at_a_colon() -> None:
    for file in FILES:
        lines = kernels.read(file).source.splitlines()
        more = [*lines[1:], ""]
        broken = [a for a, b in zip(lines, more, strict=True) if re.search("//.*:$", a) and not re.match(r"\s*//", b)]
        assert not broken, f"{file}: a mark without a reason has no colon: '// load'"


@pytest.mark.sampled(one_in=36)
@inputs.nvrtc_of_book
@pytest.mark.skipif(nvrtc.problem() is not None, reason=str(nvrtc.problem()))
# The measured one, with all that a text has for new GPUs; and the oldest that the course is for.
@pytest.mark.parametrize("arch", ["sm_90", "sm_75"])
@pytest.mark.parametrize("file", FILES)
def test_nvidias_compiler_takes_it(file: str, arch: str) -> None:
    kernel = kernels.read(file)
    if missing := nvrtc.missing_headers(kernel.source):
        pytest.skip(f"no {missing[0]}")
    if file.startswith(("fragments/", "tensor_cores/", "attention/")):  # the oldest with these shapes
        arch = max(arch, "sm_80")
    if not runs_on(kernel.source, arch):
        pytest.skip("it has no clusters, no bulk copies, or no warpgroups")
    result = nvrtc.compile_for(kernel.source, kernel.name, arch)
    assert result.ok == (kernel.finds[0] != "CompileError"), result.log


#: By two blocks of 32 threads, which take turns with 16 tiles; its threads, with pieces of four numbers.
EACH_THREAD = kernels.numbers("int32", 8, 2, 32, 32, 4).sum(axis=(0, 2, 4)).reshape(-1)

#: One ring, in several ways.
SAME_SUMS = ("ring", "ring_tokens", "ring_copies", "ring_one_lane", "pipeline", "together")


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("rotate.cu", np.roll(kernels.ramp(128), -32)),
        ("rotate_rounds.cu", np.roll(kernels.ramp(128), -64)),
        ("rotate_warp.cu", np.roll(kernels.ramp(32), -1)),
        ("gemm_square_tiles.cu", kernels.ramp(32, 32) @ kernels.ramp(32, 32)),
        ("count_barrier.cu", np.array([27], np.int32)),
        ("fragments/two_sums.cu", np.array([2048, 4096, 1])),
        ("bulk_copies/sum_plain.cu", EACH_THREAD),
        ("bulk_copies/sum_async.cu", EACH_THREAD),
        ("producers/halves.cu", kernels.ramp(256)[128:] + np.roll(kernels.ramp(256)[:128], -32)),
        ("reductions/row_sums.cu", kernels.ramp(13, 20).sum(axis=1)),
        ("atomics/keep_positive_group.cu", np.array([27], np.int32)),
        ("atomics/histogram_match.cu", np.bincount(kernels.numbers("int32", 100) % 16)),
        ("atomics/histogram_labeled.cu", np.bincount(kernels.numbers("int32", 100) % 16)),
        ("producers/one_drops.cu", np.zeros(32)),
        *((f"producers/{file}.cu", kernels.ramp(6, 32).sum(axis=0)[::-1]) for file in SAME_SUMS),
    ],
)
def test_it_computes_what_the_page_says(file: str, expected: np.ndarray) -> None:
    out = [array for array in kernels.read(file).emulate().outputs if array.shape == expected.shape][-1]
    np.testing.assert_allclose(out, expected, rtol=1e-6)


@pytest.mark.parametrize(("file", "tolerance"), [("06_wgmma", 1e-5), ("07_wgmma_tf32", 2e-3)])
def test_a_warpgroup_multiplies_as_numpy_does(file: str, tolerance: float) -> None:
    kernel = kernels.read(f"tensor_cores/{file}.cu")
    a, b, *_ = kernel.launch["args"]
    out = kernel.emulate().outputs[2]
    np.testing.assert_allclose(out, a.astype(np.float64) @ b.astype(np.float64), tolerance, tolerance)


def count_digits(n: int, block: int) -> list[np.ndarray | int]:
    return [np.arange(n, dtype=np.int32), kernels.empty_int(-(-n // block), 10), n]


def neighbor_update(n: int, block: int) -> list[np.ndarray | int]:
    return [kernels.ramp(n), kernels.empty(n), n]


ARGUMENTS = {"count_digits": count_digits, "neighbor_update": neighbor_update}


@pytest.mark.parametrize("n", [64, 100, 1000])
@pytest.mark.parametrize("block", [64, 256, 1024])
@pytest.mark.parametrize(("name", "barrier"), [("neighbor_update", 1), ("count_digits", 1), ("count_digits", 2)])
def test_a_missing_barrier_is_found_at_every_small_size_that_was_measured(
    name: str, barrier: int, n: int, block: int
) -> None:
    kernel = kernels.read(f"barriers/{name}.cu")
    args = ARGUMENTS[name](n, block)
    kernel.launch.update(grid=-(-n // block), block=block, shared_mem=4 * block, args=args)
    assert [f for f in kernel.emulate(without=barrier).findings if f.kind is Kind.RACE]
    assert not kernel.emulate().findings


@pytest.mark.parametrize(("file", "args"), [("rotate_rounds.cu", 1), ("gemm_square_tiles.cu", 16)])
def test_the_second_barrier_has_nothing_to_do_in_a_single_round(file: str, args: int) -> None:
    kernel = kernels.read(file)
    kernel.launch["args"][-1] = args
    if "gemm" in file:
        kernel.launch["grid"] = 1
    assert not kernel.emulate(without=2).findings


def test_a_header_that_cannot_be_read_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "FOLDER", tmp_path)
    (tmp_path / "a.cu").write_text("__global__ void a() {}\n")
    with pytest.raises(ValueError, match="must start with"):
        kernels.read("a.cu")
    (tmp_path / "b.cu").write_text("// finds: no idea\n// launch: grid=1, block=1, args=[]\n\n__global__ void b() {}\n")
    with pytest.raises(ValueError, match="cannot read 'no idea'"):
        kernels.read("b.cu")


def test_a_barrier_that_is_not_marked_cannot_be_taken_away() -> None:
    with pytest.raises(ValueError, match="0 lines are marked"):
        kernels.read("rotate.cu").without(7)


def test_the_whole_program_has_the_kernel_that_the_page_explains() -> None:
    program = (kernels.FOLDER.parent / "programs" / "celsius.cu").read_text()
    kernel = kernels.read("celsius.cu").source
    assert kernel[kernel.index("__global__") :] in program


@pytest.mark.skipif(NVCC is None, reason="no nvcc")
def test_nvcc_takes_the_program_that_launches_early_and_by_a_graph(tmp_path: Path) -> None:
    program = kernels.FOLDER.parent / "programs" / "launches.cu"
    subprocess.run([str(NVCC), "-arch=sm_90", "-o", str(tmp_path / "launches"), str(program)], check=True)
