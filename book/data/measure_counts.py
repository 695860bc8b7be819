"""How often do kernels access memory, as Nsight Compute counts?

Run it on a machine with an NVIDIA GPU, CuPy and the CUDA toolkit (`ncu`, `cuobjdump`): `python
book/data/measure_counts.py`. It takes a few minutes and writes counts_<gpu>.csv beside itself: one row for
each launch of each kernel in book/kernels/access, compiled twice by NVRTC from the text and with the
prelude that the course uses. The build `debug` has the option --device-debug, where machine code follows the
source; the build `optimized` is, byte for byte, what `Kernel.launch` runs. `sass` is the kernel's machine
code, as far as it moves memory: each instruction and how often it occurs. The emulator's counts are not in
the file: tests/book/test_counts.py and the book count again.
"""

import csv
import functools
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import cupy as cp
import numpy as np
from course_book import kernels
from cupy.cuda import nvrtc as cupy_nvrtc
from measuring import machine, write

from autograder.cuda.kernel import Kernel
from autograder.cuda.nvrtc import compiler as nvrtc
from autograder.cuda.nvrtc.headers import FILE_NAME, PRELUDE_NAME, headers

BUILDS = ("debug", "optimized")
_LSU = "pipe_lsu_mem"
#: Column -> Nsight Compute's name. A wavefront is one pass of a request through the L1 cache's data banks.
METRICS = {
    "global_load_requests": f"l1tex__t_requests_{_LSU}_global_op_ld.sum",
    "global_load_sectors": f"l1tex__t_sectors_{_LSU}_global_op_ld.sum",
    "global_store_requests": f"l1tex__t_requests_{_LSU}_global_op_st.sum",
    "global_store_sectors": f"l1tex__t_sectors_{_LSU}_global_op_st.sum",
    "global_atomic_requests": f"l1tex__t_requests_{_LSU}_global_op_atom.sum",
    "global_atomic_sectors": f"l1tex__t_sectors_{_LSU}_global_op_atom.sum",
    "global_reduction_requests": f"l1tex__t_requests_{_LSU}_global_op_red.sum",
    "global_reduction_sectors": f"l1tex__t_sectors_{_LSU}_global_op_red.sum",
    "local_load_requests": f"l1tex__t_requests_{_LSU}_local_op_ld.sum",
    "local_store_requests": f"l1tex__t_requests_{_LSU}_local_op_st.sum",
    "shared_load_wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "shared_load_conflicts": f"l1tex__data_bank_conflicts_{_LSU}_shared_op_ld.sum",
    "shared_store_wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "shared_store_conflicts": f"l1tex__data_bank_conflicts_{_LSU}_shared_op_st.sum",
    "shared_atomic_wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum",
    "shared_atomic_conflicts": f"l1tex__data_bank_conflicts_{_LSU}_shared_op_atom.sum",
    "shared_load_instructions": "smsp__inst_executed_op_shared_ld.sum",
    "shared_store_instructions": "smsp__inst_executed_op_shared_st.sum",
    "shared_atomic_instructions": "smsp__inst_executed_op_shared_atom.sum",
}
#: An instruction of `cuobjdump --dump-sass` that reads or writes memory, constants apart.
_MEMORY = re.compile(r"/\*[0-9a-f]{4,}\*/ +(?:@!?U?P\w+ +)?((?:LD[GSL]?|ST[GSL]?|ATOM[GS]?|RED[GS]?)(?:\.\w+)*) ")


@functools.cache
def compiled(source: str, name: str, build: str) -> tuple[bytes, str]:
    """The machine code of a kernel for this GPU, and the kernel's name in it."""
    arch = f"sm_{cp.cuda.Device().compute_capability}"
    if build == "optimized":
        course = nvrtc.compile_for(source, name, arch)
        return course.cubin, course.entry
    options = ("--std=c++17", f"--gpu-architecture={arch}", f"--pre-include={PRELUDE_NAME}", "--device-debug")
    names, texts = ([word.encode() for word in words] for words in (headers(), headers().values()))
    program = cupy_nvrtc.createProgram(source, FILE_NAME, texts, names)
    cupy_nvrtc.addNameExpression(program, name)
    cupy_nvrtc.compileProgram(program, options)
    # CuPy leaves off the last byte, without which `cuobjdump` rejects it.
    return cupy_nvrtc.getCUBIN(program) + b"\0", cupy_nvrtc.getLoweredName(program, name)


def launches() -> Iterator[tuple[kernels.BookKernel, str, str]]:
    """Every (kernel, build, label of the launch), in the order in which they are measured."""
    for path in sorted((kernels.FOLDER / "access").glob("*.cu")):
        kernel = kernels.read(f"access/{path.name}")
        for build in BUILDS:
            for label in kernel.launches:
                yield kernel, build, label


def launch_all() -> None:
    """Launch every kernel once, from fresh arrays, profiled by `ncu`."""
    for kernel, build, label in launches():
        cubin, entry = compiled(kernel.source, kernel.name, build)
        module = cp.cuda.Module()
        module.load(cubin)
        launch = Kernel(kernel.source, kernel.name).prepare(**kernel.launches[label])
        args = [cp.asarray(a) if isinstance(a, np.ndarray) else a for a in launch.args]
        module.get_function(entry)(launch.grid, launch.block, args, shared_mem=launch.shared_mem)
        cp.cuda.runtime.deviceSynchronize()


def counted() -> list[dict[str, str]]:
    """What `ncu` counted for each launch of `launch_all`."""
    with tempfile.NamedTemporaryFile("r", suffix=".csv") as log:
        command = ["ncu", "--csv", "--page", "raw", "--print-units", "base", "--print-kernel-base", "function"]
        # Neither the clock nor the contents of the caches change the number of requests.
        command += ["--clock-control", "none", "--cache-control", "none", "--log-file", log.name]
        command += ["--metrics", ",".join(METRICS.values()), sys.executable, __file__, "--launch-all"]
        subprocess.run(command, check=True)
        table = [line for line in log if line.startswith('"')]
    # Below the headings is a line of units.
    return [row for row in csv.DictReader(table) if row["ID"]]


def memory_instructions(cubin: bytes) -> str:
    """Every instruction that reads or writes memory, and how often it occurs in the code: "LDG.E 2; STG.E 1"."""
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(cubin)
        file.flush()
        command = ["cuobjdump", "--dump-sass", file.name]
        sass = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "Function" in sass, sass
    return "; ".join(f"{name} {n}" for name, n in sorted(Counter(_MEMORY.findall(sass)).items()))


def tools() -> dict[str, str]:
    """The versions of what compiled the kernels, and of what counted."""
    said = subprocess.run(["ncu", "--version"], capture_output=True, text=True, check=True).stdout
    return {"nvrtc": "{}.{}".format(*nvrtc.version()), "ncu": re.findall(r"Version ([\d.]+)", said)[-1]}


def rows() -> Iterator[dict[str, str]]:
    codes = {(kernel.name, build): compiled(kernel.source, kernel.name, build)[0] for kernel, build, _ in launches()}
    with ThreadPoolExecutor() as pool:
        sass = dict(zip(codes, pool.map(memory_instructions, codes.values()), strict=True))
    for (kernel, build, label), row in zip(launches(), counted(), strict=True):
        assert row["Kernel Name"] == kernel.name, f"ncu saw {row['Kernel Name']}, not {kernel.name}"
        counts = {column: row[metric].replace(",", "") for column, metric in METRICS.items()}
        assert all(count.isdecimal() for count in counts.values()), f"{kernel.name}: {counts}"
        about = {"kernel": kernel.name, "launch": label, "build": build}
        yield {**about, **counts, "sass": sass[kernel.name, build]}


if __name__ == "__main__":
    if sys.argv[1:] == ["--launch-all"]:
        launch_all()
    else:
        write("counts", rows(), {**tools(), **machine()})
