"""Vector clocks share what they have in common: they say the same as plain ones, and grow with the threads."""

from __future__ import annotations

import random
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import inputs
import pytest

from autograder.cuda.compiler.emulator_runtime import EMULATOR
from autograder.cuda.compiler.protocol_header import write_headers

pytestmark = inputs.emulation

#: Reads steps from stdin: "m kind a b c value" makes a clock of one entry, "j x y" joins two of those made so far, and
#: "l x kind a b c" looks up an entry and prints what it says.
PROGRAM = """
#include "platform/linux/files.h"
#include "platform/linux/memory.h"
#include "events/vector_clock.h"
static ClockEntry entry(int kind, u64 a, u32 b, u32 c) {
    return kind == 0 ? block_entry(b) : kind == 1 ? thread_entry(b, c) : atomic_entry(a, b, c);
}
int main() {
    static const VectorClock* made[100000];
    u32 count = 1;
    for (char step; scanf(" %c", &step) == 1;) {
        int kind;
        u64 a;
        u32 b, c, value, x, y;
        if (step == 'm') {
            if (scanf("%d %llu %u %u %u", &kind, &a, &b, &c, &value) != 5) return 1;
            made[count++] = make_clock(entry(kind, a, b, c), value);
        } else if (step == 'j') {
            if (scanf("%u %u", &x, &y) != 2) return 1;
            made[count++] = join(made[x], made[y]);
        } else {
            if (scanf("%u %d %llu %u %u", &x, &kind, &a, &b, &c) != 5) return 1;
            printf("%u\\n", look_up(made[x], entry(kind, a, b, c)));
        }
    }
}
"""


@pytest.mark.skipif(not shutil.which("g++"), reason="no g++")
def test_they_say_what_plain_ones_say(tmp_path: Path) -> None:
    write_headers(tmp_path)
    (tmp_path / "clocks.cpp").write_text(PROGRAM)
    build = ["g++", "-std=c++20", "-w", "-g", "-fsanitize=undefined", "-fno-sanitize-recover", "-I", ".", "-I"]
    subprocess.run([*build, str(EMULATOR), "clocks.cpp", "-o", "clocks"], cwd=tmp_path, check=True)
    draw = random.Random(7)
    entries = [(0, 0, b, 0) for b in (0, 1, 31, 32, 4000, 2**31 - 2)]
    entries += [(1, 0, b, t) for b in (0, 1, 5, 2**31 - 2) for t in (0, 1, 31, 32, 63, 1023)]
    entries += [(2, a, b, t) for a in (0, 4, 1 << 40) for b in (0, 7) for t in (0, 31, 32)]
    plain: list[dict[tuple[int, ...], int]] = [{}]
    steps, want = [], []
    for _ in range(400):
        entry, value = draw.choice(entries), draw.randrange(4)
        steps.append(f"m {' '.join(map(str, entry))} {value}")
        plain.append({entry: value})
        for _ in range(3):
            x, y = (draw.randrange(max(0, len(plain) - 60), len(plain)) for _ in range(2))
            steps.append(f"j {x} {y}")
            both = plain[x].keys() | plain[y].keys()
            plain.append({e: max(plain[x].get(e, 0), plain[y].get(e, 0)) for e in both})
    for x in range(0, len(plain), 3):  # also those of which others were made later
        for entry in entries:
            steps.append(f"l {x} {' '.join(map(str, entry))}")
            want.append(plain[x].get(entry, 0))
    done = subprocess.run([tmp_path / "clocks"], input="\n".join(steps), capture_output=True, text=True, check=True)
    assert list(map(int, done.stdout.split())) == want
    assert max(map(len, plain)) == len(entries)


#: Every thread fences, tells all others by one word, and learns of all before it: `many_fences.py THREADS BLOCK`.
MANY = """
import resource, sys
import numpy as np
from autograder import Kernel
text = '''__global__ void k(int* tmp, unsigned* n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tmp[i] = i;
    __threadfence();
    if (atomicAdd(n, 1u) == gridDim.x * blockDim.x - 1) {
        __threadfence();
        for (int k = 0; k < n[0]; k++) tmp[k]++;
    } else
        __threadfence();
}
'''
threads, block = map(int, sys.argv[1:])
run = Kernel(text, "k").emulate(threads // block, block, [np.zeros(threads, np.int32), np.zeros(1, np.uint32)])
assert run.completed and not run.findings and (run.outputs[0] == np.arange(1, threads + 1)).all(), run.findings
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10)
"""


@pytest.mark.parametrize("block", [32, 256])
def test_sixteen_thousand_threads_that_fence_and_count_take_little(block: int) -> None:
    program = [sys.executable, "-c", MANY, "16384", str(block)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(program, capture_output=True, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert int(done.stdout) < 200, "MB; whole copies of the clocks took 8300"
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 10
