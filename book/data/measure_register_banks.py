"""How often do operands of the last rung's multiplications share a bank of the register file, and what does that cost?

Run it on a machine with an NVIDIA GPU, CuPy, and CUDA's `nvdisasm` and `ncu`: `python
book/data/measure_register_banks.py`. It takes a minute and writes register_banks_<gpu>.csv beside itself: for some
tiles, the kernel as it is and with either of two details taken back (CASES), the instructions of its loop, how many of
them are multiply-adds and how many of these clash, its rate at SIDE, in turns with cuBLAS, and, from Nsight Compute,
which started this file again for that: in how many of the cycles a scheduler issued, and how many warps were held up in
dispatch for each instruction that was issued.

A multiply-add has three operands. Those that it does not share with the one before (".reuse" in the machine code) come
from the register file, which has two banks: registers with even and with odd numbers. It clashes if two come from
the same bank. That is a model: NVIDIA does not document the banks. Among what holds warps up in dispatch it names
conflicts, but not which.
"""

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import cupy as cp
import numpy as np
from gemm_on_gpu import Compiled, on_gpu
from gemm_rungs import RUNGS, Rung
from measuring import Row, Timer, machine, random, summary, write
from profiling import GEMMS, Profile, number, profiled

from autograder.cuda.performance import gemm_tiles

SIDE, RUNS = 4096, 15
#: As the columns of gemm_tiles.SIZES.
TILES = (
    (64, 64, 32, 2, 1, 4, 4, 3, 1, 8, 4),
    (64, 256, 16, 2, 4, 1, 4, 3, 1, 8, 4),
    (128, 192, 16, 4, 2, 1, 4, 3, 1, 8, 4),
    (128, 256, 8, 2, 4, 1, 4, 3, 1, 8, 4),
)
#: What is replaced in the kernel's text.
CASES = {
    "as it is": (),
    "without the additions of 0": ((r"(v\[\d\]) \+ 0\.0f", r"\1", 4),),
    "along the longer side": ((r"TM > TN", "TM <= TN", 4),),
}
_ISSUE, _DISPATCH = (
    "smsp__issue_active.avg.pct_of_peak_sustained_active",
    "smsp__average_warps_issue_stalled_dispatch_stall_per_issue_active.ratio",
)
_INSTRUCTION = re.compile(r"/\*[0-9a-f]{4,}\*/\s+(.*?);")
_LABEL = re.compile(r"^\s*(\.L_\w+):")


def changed(rung: Rung, case: str) -> str:
    """The rung's text in this case."""
    text = rung.source
    for old, new, times in CASES[case]:
        text, count = re.subn(old, new, text)
        assert count == times, f"{case}: {old} is there {count} times"
    return text


def main_loop(cubin: bytes) -> list[str]:
    """The instructions of the innermost loop with the most multiply-adds."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "kernel.cubin"
        file.write_bytes(cubin)
        listing = subprocess.run(["nvdisasm", "-c", str(file)], capture_output=True, text=True, check=True).stdout
    code: list[str] = []
    labels: dict[str, int] = {}
    loops: list[list[str]] = []
    for line in listing.splitlines():
        if label := _LABEL.match(line):
            labels[label[1]] = len(code)
        if instruction := _INSTRUCTION.search(line):
            code.append(instruction[1])
            target = re.search(r"\bBRA\b.*`\((\.L_\w+)\)", code[-1])
            if target and target[1] in labels:
                loops.append(code[labels[target[1]] :])
    inner = [loop for loop in loops if sum("BRA" in one for one in loop) == 1]
    return max(inner, key=lambda loop: sum("FFMA" in one for one in loop))


def clashes(loop: list[str]) -> int:
    """How many multiply-adds fetch two operands from the same bank."""
    kept: list[str | None] = [None, None, None]
    count = 0
    for instruction in loop:
        name, _, operands = instruction.partition(" ")
        if name != "FFMA":
            kept = [None, None, None]
            continue
        words = [operand.strip() for operand in operands.split(",")][1:]
        registers = [word.removesuffix(".reuse") for word in words]
        fetched = {one for one, had in zip(registers, kept, strict=True) if one != had}
        odd = [int(one[1:]) % 2 for one in fetched]
        count += max(odd.count(0), odd.count(1)) > 1
        kept = [one if word.endswith(".reuse") else None for one, word in zip(registers, words, strict=True)]
    return count


def kernels() -> Iterator[tuple[gemm_tiles.Sizes, str, Compiled]]:
    """Each tile in each case, with a block for each tile."""
    for tile in TILES:
        sizes = dict(zip(gemm_tiles.SIZES, tile, strict=True))
        rung = RUNGS[-1].sized(sizes, 0)
        for case in CASES:
            yield sizes, case, on_gpu(Rung(rung.file, rung.name, changed(rung, case)))


def profile() -> list[Profile]:
    """Nsight Compute's row for each of `kernels`."""
    found = profiled(GEMMS, (_ISSUE, _DISPATCH), __file__, "launch")
    assert len(found) == len(TILES) * len(CASES), f"ncu saw {len(found)} launches"
    return found


def launch_all() -> None:
    a, b, c = random(SIDE, SIDE), random(SIDE, SIDE), cp.empty((SIDE, SIDE), cp.float32)
    for _, _, kernel in kernels():
        kernel.call(a, b, c)()
    cp.cuda.Device().synchronize()


def rows(timer: Timer) -> Iterator[Row]:
    a, b = random(SIDE, SIDE), random(SIDE, SIDE)
    c, d = cp.empty((SIDE, SIDE), cp.float32), cp.empty((SIDE, SIDE), cp.float32)
    for (sizes, case, kernel), seen in zip(kernels(), profile(), strict=True):
        own, other = timer.series(RUNS, kernel.call(a, b, c), lambda: cp.matmul(a, b, out=d))
        assert cp.allclose(c, d, rtol=0, atol=1e-5 * SIDE), f"{case}: wrong"
        loop = main_loop(kernel.result.cubin)
        multiply_adds, found = sum(one.startswith("FFMA") for one in loop), clashes(loop)
        yield {
            "tile": f"{sizes['BM']} x {sizes['BN']}",
            "case": case,
            "registers": kernel.result.registers,
            "instructions": len(loop),
            "multiply_adds": multiply_adds,
            "multiply_add_percent": f"{100 * multiply_adds / len(loop):.1f}",
            "clashes": found,
            "clash_percent": f"{100 * found / multiply_adds:.1f}",
            "issue_percent": f"{number(seen, _ISSUE):.1f}",
            "dispatch_stalls": f"{number(seen, _DISPATCH):.2f}",
            **summary(own),
            "tflops": f"{2 * SIDE**3 / np.median(own) / 1e9:.2f}",
            "percent_of_cublas": f"{100 * np.median(np.array(other) / own):.1f}",
        }


if __name__ == "__main__":
    if sys.argv[1:]:
        launch_all()
    else:
        write("register_banks", rows(Timer()), machine())
