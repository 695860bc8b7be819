"""Call the compiler once in each way: `compile_each_kind.py FOLDER all` or `most`.

`most` are the steps that a kernel and a program take, and the parts of the emulator. `all` are the rest, too, if the
cache is empty: the C++ library, the runtime for programs, and what the WebAssembly engine runs.
"""

from __future__ import annotations

import secrets
import sys
from pathlib import Path

from autograder.cuda.commands import cc
from autograder.cuda.compiler import emulator_runtime, toolchain
from autograder.cuda.compiler.clang import clang
from autograder.cuda.compiler.front_end import TO_IR
from autograder.cuda.compiler.kernel_flags import typing_flags
from autograder.cuda.compiler.machine_code import Build
from autograder.cuda.compiler.protocol_header import write_headers
from autograder.cuda.programs.building.build import build_parts, build_program

KERNEL = "__global__ void k(float* x) { x[threadIdx.x] = 1; } // "
PROGRAM = """\
#include <cstdio>
#include <vector>
__global__ void k(int* out) { out[threadIdx.x] = 1; }
int main() { k<<<1, 1>>>(nullptr); std::vector<int> v(1); return std::printf("%d", v[0]); }
// """


def compile_all(folder: Path, which: str) -> None:
    new = secrets.token_hex()  # in a comment of each source, which no cache has then
    for build in Build:
        compiled = toolchain.compile_kernel(f"{KERNEL}{new}", "k", build)
        assert isinstance(compiled, toolchain.Module), compiled
    (folder / "kernel.cu").write_text(KERNEL)  # some copies of structs need the IR that names types
    flags = typing_flags(emulator_runtime.build_runtime(), KERNEL)
    assert clang([*flags, *TO_IR, "typed.ll", "kernel.cu"], folder) is None
    program = folder / "one.cu"
    program.write_text(f"{PROGRAM}{new}")
    build_program(program)
    for name, text in {
        "a.cu": f"{PROGRAM}{new}",
        "b.cpp": "#include <string>\n",
        "c.c": "#include <stdio.h>\n",
    }.items():
        (folder / name).write_text(text)
        cc.build(cc.parse(["-c", str(folder / name), "-o", str(folder / f"{name}.o"), "-MD"]))
    home = folder / "runtime"
    home.mkdir()
    write_headers(home)
    emulator_runtime._build_prelude(home)
    emulator_runtime._build_hooks(home)
    emulator_runtime.build_runner(emulator_runtime.EMULATOR, home, "emu-run", "-O0")
    if which == "all":  # with a cache that is empty
        build_parts()


if __name__ == "__main__":
    compile_all(Path(sys.argv[1]), sys.argv[2])
