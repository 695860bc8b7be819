"""Does the machine decide nothing of what is compiled: not its files, nor a user's environment?"""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import compile_each_kind
import inputs
import poisoned
import pytest
from traced import no_strace, trace

import autograder
from autograder.cuda.compiler import zig
from autograder.cuda.compiler.cache import cache_folder

pytestmark = inputs.checking

ROOT = Path(autograder.__file__).parents[1]
AUTOGRADER = (sys.executable, "-m", "autograder")
#: What a program of C runs with: Linux's own, the dynamic loader's, and the C library.
_SYSTEM = ("/proc/", "/dev/urandom", "/dev/null", "/etc/ld.so.")
_C_LIBRARY = ("libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "librt.so.1")
#: What the calls of each kind make, or are named.
_MOST = """
kernel.ll typed.ll instrumented.ll kernel.s kernel.o module.so wasm.o module.wasm expanded object program
prelude.pch hooks.bc counting.bc main.o start.o emu-run
""".split()
_REST = """
box box.bare -femit-bin=compiler_rt.o libunwind.o UnwindLevel1.o
UnwindRegistersSave.s UnwindRegistersSave.o emulator.wasm built.o
""".split()

#: Kernels on both engines. The last argument makes a source that no cache has.
SCRIPT = """
import sys
import numpy as np
from autograder import Kernel
kernel = Kernel("__global__ void k(float* x) { x[threadIdx.x] *= 2; } // " + sys.argv[1], "k")
run = kernel.emulate(1, 64, [np.ones(64, np.float32)])
print(len(run.findings), run.outputs[0].sum())
"""
PROGRAM = """\
#include <cstdio>
#include <string>
#include <vector>
__global__ void count(int* out) { atomicAdd(out, 1); }
int main()
{
    std::vector<int> host(1);
    int* out;
    cudaMalloc(&out, sizeof(int));
    cudaMemcpy(out, host.data(), sizeof(int), cudaMemcpyHostToDevice);
    count<<<2, 32>>>(out);
    cudaMemcpy(host.data(), out, sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(out);
    std::printf("%d %s\\n", host[0], std::string("fine").c_str());
}
"""


@pytest.fixture(params=[poisoned.none, poisoned.poisoned])
def env(request: pytest.FixtureRequest, tmp_path: Path) -> dict[str, str]:
    made: Callable[[Path], dict[str, str]] = request.param
    return made(tmp_path / "machine")


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """A folder of a user's, with blanks and letters beyond ASCII."""
    folder = tmp_path / "Übung 1 中"
    folder.mkdir()
    return folder


def ran(*command: str | Path, env: dict[str, str], folder: Path) -> str:
    done = subprocess.run(command, env=env, cwd=folder, capture_output=True, encoding="utf-8", errors="replace")
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("engine", ["native", "webassembly"])
def test_a_kernel_runs_in_any_environment(env: dict[str, str], sources: Path, engine: str) -> None:
    command = (sys.executable, "-c", SCRIPT, secrets.token_hex())
    assert ran(*command, env={**env, "AUTOGRADER_ENGINE": engine}, folder=sources) == "0 128.0\n"


@pytest.mark.sampled()
def test_a_program_runs_in_any_environment(env: dict[str, str], sources: Path) -> None:
    (sources / "größe.cu").write_text(PROGRAM + f"// {secrets.token_hex()}", encoding="utf-8")
    assert ran(*AUTOGRADER, "run", "größe.cu", env=env, folder=sources).startswith("64 fine\n")
    ran(*AUTOGRADER, "cc", "-c", "größe.cu", "-o", "größe.o", env=env, folder=sources)
    ran(*AUTOGRADER, "cc", "größe.o", "-o", "größe", env=env, folder=sources)
    assert ran(sources / "größe", env=env, folder=sources).startswith("64 fine\n")


@pytest.mark.rare
def test_a_class_is_graded_and_the_book_is_built_in_any_environment(env: dict[str, str], sources: Path) -> None:
    subprocess.run(["git", "clone", "--quiet", ROOT, sources / "course"], check=True)
    ran(*AUTOGRADER, "course", env=env, folder=sources / "course")


@pytest.mark.rare
@pytest.mark.skipif(bool(no_strace()), reason=no_strace())
@pytest.mark.parametrize("which", ["most", "all"])
def test_the_compiler_reads_no_file_of_the_machine(tmp_path: Path, which: str) -> None:
    work, sources = tmp_path / "work", tmp_path / "sources"
    for folder in (work, sources):
        folder.mkdir()
    env = {"TMPDIR": str(work), "XDG_CACHE_HOME": str(tmp_path if which == "all" else cache_folder().parent)}
    script = (sys.executable, compile_each_kind.__file__, str(sources), which)
    programs = trace(script, tmp_path / "trace", {**os.environ, **env})
    executed = {Path(program.words[0]) for program in programs}
    assert executed == {Path(sys.executable), Path("/bin/sh"), zig.executable()}
    compiled = [program for program in programs if Path(program.words[0]) == zig.executable()]
    made = {Path(word).name for program in compiled for word in program.words}
    assert made >= {*_MOST, *(_REST if which == "all" else ())}
    ours = (Path(autograder.__file__).parent, zig.executable().parent, Path(env["XDG_CACHE_HOME"]), work, sources)
    outside = {(program.words[1], path) for program in compiled for path in program.paths if not _is_ours(path, ours)}
    assert not outside


def _is_ours(path: str, ours: tuple[Path, ...]) -> bool:
    """Whether a path is in one of our folders, leads to one, or is the system's C library."""
    place = Path(path)
    return (
        path.startswith(_SYSTEM)
        or place.name in _C_LIBRARY
        or any(place.is_relative_to(folder) or folder.is_relative_to(place) for folder in ours)
    )
