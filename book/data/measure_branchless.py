"""What does lecture L4's sum without a branch gain on a CPU, by the compiler's level and by the order of the elements?

Run it anywhere with g++ and an x86-64 CPU: `python book/data/measure_branchless.py`. It takes some seconds and writes
branchless_cpu.csv beside itself. A cycle is the time of one addition that waits for the one before, timed in
turns with the loops. `jumps` are the conditional jumps that each loop's machine code has.
"""

import re
import subprocess
import tempfile
from pathlib import Path

import numpy as np
from places import DATA

from autograder.cuda.performance import measurements

LEVELS = ["-O0", "-O1", "-O2", "-O3"]
ORDERS = ["in no order", "sorted"]
LOOPS = ["with_branch", "branchless"]
N = 1 << 16  # so short that other programs seldom interfere
ROUNDS = 301

SOURCE = """
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <random>
#include <vector>

// L4's two loops, for whole numbers.
extern "C" __attribute__((noipa)) int with_branch(const int* a, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++) {
        if (a[i] < 50) {
            s += a[i];
        }
    }
    return s;
}

extern "C" __attribute__((noipa)) int branchless(const int* a, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++) {
        s += (a[i] < 50) * a[i];
    }
    return s;
}

// 64 additions a round, each of which waits for the one before: one cycle each.
extern "C" __attribute__((noipa)) int additions(const int* a, int n)
{
    long sum = 0, one = a[0];
    for (int i = 0; i < n; i += 64)
        asm volatile(".rept 64\\n add %1, %0\\n .endr" : "+r"(sum) : "r"(one));
    return sum;
}

int main(int, char** words)
{
    int n = atoi(words[1]), rounds = atoi(words[2]);
    std::vector<int> mixed(n);
    std::mt19937 random(1);
    for (int& element : mixed) element = random() % 100;
    std::vector<int> sorted = mixed;
    std::sort(sorted.begin(), sorted.end());

    auto time = [&](int (*loop)(const int*, int), const std::vector<int>& a) {
        auto begin = std::chrono::steady_clock::now();
        int sum = loop(a.data(), n);
        std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
        printf("%.4f %d ", took.count() / n, sum);
    };
    for (int round = 0; round <= rounds; round++) {  // the first one warms up
        time(additions, mixed);
        for (auto* a : {&mixed, &sorted}) {
            time(with_branch, *a);
            time(branchless, *a);
        }
        printf("\\n");
    }
}
"""


def output(*command: str | Path) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def conditional_jumps(assembly: str, function: str) -> int:
    body = assembly.partition(f"\n{function}:\n")[2].partition(f".size\t{function}")[0]
    assert body, f"the compiler's output has no {function}"
    return len(re.findall(r"^\tj(?!mp)\w+\t", body, flags=re.MULTILINE))


def measured(level: str, folder: Path) -> list[dict[str, object]]:
    """A row for each order of the elements."""
    source, program = folder / "loops.cpp", folder / "loops"
    source.write_text(SOURCE)
    assembly = output("g++", level, "-S", "-o", "-", source)
    output("g++", level, "-o", program, source)
    printed = output(program, str(N), str(ROUNDS))
    table = np.array([[float(word) for word in line.split()] for line in printed.splitlines()[1:]])
    ns, sums = table[:, 0::2], table[:, 1::2]
    assert len(np.unique(sums[:, 1:])) == 1  # both loops and both orders give one sum
    cycle = np.median(ns[:, 0])
    rows = []
    for i, order in enumerate(ORDERS):
        row: dict[str, object] = {"level": level, "order": order, "n": N, "runs": ROUNDS}
        for j, loop in enumerate(LOOPS):
            times = ns[:, 1 + 2 * i + j]
            low, high = np.percentile(times, [25, 75])
            row |= {
                f"{loop}_ns": f"{np.median(times):.3f}",
                f"{loop}_spread_ns": f"{high - low:.3f}",
                f"{loop}_cycles": f"{np.median(times) / cycle:.1f}",
                f"{loop}_jumps": conditional_jumps(assembly, loop),
            }
        rows.append(row | {"ratio": f"{np.median(ns[:, 1 + 2 * i]) / np.median(ns[:, 2 + 2 * i]):.2f}"})
    return rows


def main() -> None:
    compiler = output("g++", "--version").splitlines()[0]
    origin = measurements.origin("book/data/measure_branchless.py", device=measurements.cpu(), compiler=compiler)
    with tempfile.TemporaryDirectory() as folder:
        rows = [row for level in LEVELS for row in measured(level, Path(folder))]
    measurements.write(DATA / "branchless_cpu.csv", rows, origin)
    for row in rows:
        print(*row.values())


if __name__ == "__main__":
    main()
