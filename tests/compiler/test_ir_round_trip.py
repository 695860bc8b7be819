"""Is the IR of every kernel that we have given back byte for byte?"""

from __future__ import annotations

import json
from pathlib import Path

import inputs
import pytest

from autograder.compiler import toolchain
from autograder.compiler.emulator_runtime import build_runtime, kernel_flags, typing_flags
from autograder.compiler.ir import read_module
from autograder.compiler.zig import clang

pytestmark = inputs.emulation_of_kernels

ROOT = Path(__file__).parents[2]


def texts_of(folder: str) -> list[str]:
    """The kernels of a folder: its .cu files but mutants, and the answers in its notebooks."""
    cells = (
        "".join(cell["source"])
        for path in sorted((ROOT / folder).rglob("*.ipynb"))
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]
    )
    answers = [cell.partition("\n")[2] for cell in cells if cell.startswith("%%cuda")]
    files = sorted(path for path in (ROOT / folder).rglob("*.cu") if "mutants" not in path.parts)
    return answers + [path.read_text(encoding="utf-8") for path in files]


def clangs(source: str, flags: list[str], folder: Path) -> str | None:
    """The IR that clang makes of a text; None if it refuses it."""
    (folder / "kernel.cu").write_text(toolchain._emulated(source), encoding="utf-8")
    if clang([*flags, *toolchain._TO_IR, "kernel.ll", "kernel.cu"], folder) is not None:
        return None
    return (folder / "kernel.ll").read_text(encoding="utf-8")


@pytest.mark.parametrize(("folder", "at_least"), [("tests/kernels", 250), ("book/kernels", 150), ("solutions", 40)])
def test_every_kernel_is_given_back_as_it_was(folder: str, at_least: int, tmp_path: Path) -> None:
    runtime, read = build_runtime(), 0
    for source in texts_of(folder):
        ir = clangs(source, kernel_flags(runtime, source), tmp_path)
        if ir is not None:
            assert read_module(ir).text() == ir, source
            read += 1
    assert read >= at_least


LOOP = """__global__ void k(float4* a, const float* b, int n) {
    float own[4] = {};
    for (int i = 0; i < n; i++) { if (b[i] < 0) continue; own[i & 3] += b[i]; a[i] = a[i + 1]; }
    a[threadIdx.x].x = own[n & 3];
}"""


def test_what_other_steps_make_is_given_back_too(tmp_path: Path) -> None:
    """The IR that names types, and that behind ThreadSanitizer's pass."""
    typed = clangs(LOOP, typing_flags(build_runtime()), tmp_path)
    assert typed is not None and "!tbaa" in typed and read_module(typed).text() == typed
    assert clangs(LOOP, kernel_flags(build_runtime(), LOOP), tmp_path) is not None
    steps = [*toolchain._INSTRUMENT, "-S", "-emit-llvm", "kernel.ll", "-o", "told.ll"]
    assert clang(steps, tmp_path) is None
    told = (tmp_path / "told.ll").read_text(encoding="utf-8")
    assert "@__tsan_write16" in told and read_module(told).text() == told
