"""What would it cost to keep findings where no store of a kernel reaches, whatever the first wall lets through?

Not a test: times depend on the machine. Prints what an emulated access takes, and what three walls would add to each:
opening and closing the findings' memory with mprotect, the same with a protection key, and telling a process that
judges. docs/decisions.md says what follows. Needs g++.
"""

from __future__ import annotations

import resource
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

from autograder import Kernel

ROUNDS = 200_000
PROGRAM = """
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
typedef unsigned long long u64;
static double cpu(int who) {
    rusage u;
    getrusage(who, &u);
    return u.ru_utime.tv_sec + u.ru_stime.tv_sec + 1e-6 * (u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}
struct Event { u64 address; unsigned site, thread; };
constexpr u64 EVENTS = 100000000, ROOM = 1 << 16;
struct Ring { alignas(64) volatile u64 head; alignas(64) volatile u64 tail; Event events[ROOM]; };
int main() {
    void* page = mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    double begin = cpu(RUSAGE_SELF);
    for (int i = 0; i < ROUNDS; i++) {
        mprotect(page, 4096, PROT_READ | PROT_WRITE);
        *(volatile int*)page = i;
        mprotect(page, 4096, PROT_READ);
    }
    printf("mprotect: %.1f ns\\n", 1e9 * (cpu(RUSAGE_SELF) - begin) / ROUNDS);
    int key = pkey_alloc(0, PKEY_DISABLE_WRITE);
    if (key < 0) {
        printf("protection key: none on this machine (%s)\\n", strerror(errno));
    } else {
        begin = cpu(RUSAGE_SELF);
        for (int i = 0; i < 100 * ROUNDS; i++) {
            pkey_set(key, 0);
            *(volatile int*)&i;
            pkey_set(key, PKEY_DISABLE_WRITE);
        }
        printf("protection key: %.1f ns\\n", 1e9 * (cpu(RUSAGE_SELF) - begin) / (100.0 * ROUNDS));
    }
    Ring* ring = (Ring*)mmap(nullptr, sizeof(Ring), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    fflush(stdout);
    if (!fork()) {
        u64 sum = 0, tail = 0;
        while (tail < EVENTS) {
            u64 head = __atomic_load_n(&ring->head, __ATOMIC_ACQUIRE);
            if (head == tail) sched_yield();
            for (; tail < head; tail++) sum += ring->events[tail % ROOM].address;
            __atomic_store_n(&ring->tail, tail, __ATOMIC_RELEASE);
        }
        _exit(sum == 1);
    }
    begin = cpu(RUSAGE_SELF);
    for (u64 head = 0, tail = 0; head < EVENTS;) {
        while (head - tail == ROOM) {
            tail = __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE);
            if (head - tail == ROOM) sched_yield();
        }
        ring->events[head % ROOM] = {head, 1, 2};
        __atomic_store_n(&ring->head, ++head, __ATOMIC_RELEASE);
    }
    double told = cpu(RUSAGE_SELF) - begin;
    wait(nullptr);
    printf("an event to another process that does nothing with it: %.1f ns here, %.1f ns there\\n", 1e9 * told / EVENTS,
           1e9 * cpu(RUSAGE_CHILDREN) / EVENTS);
}
"""
TEXT = """__global__ void sums(const float* in, float* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k++) sum += in[(i + k) % n];
    out[i] = sum;
}
"""


def emulated(schedule: str) -> float:
    """Nanoseconds of processor time for each access of a launch, on top of a launch that makes few."""
    kernel, loads = Kernel(TEXT, "sums"), 8000

    def launch(n: int) -> None:
        arrays = [np.ones(n, np.float32), np.zeros(4096, np.float32), n]
        assert not kernel.emulate(16, 256, arrays, schedule=schedule).findings

    launch(1)
    return (_children(lambda: launch(loads)) - _children(lambda: launch(1))) / (4096 * loads) * 1e9


def _children(work: Callable[[], object]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    work()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    print(f"an access, fast path: {emulated('forward'):.1f} ns; full check: {emulated('backward'):.1f} ns")
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "walls.cpp")
        source.write_text(PROGRAM.replace("ROUNDS", str(ROUNDS)))
        subprocess.run(["g++", "-O2", "-w", str(source), "-o", f"{folder}/walls"], check=True)
        print(subprocess.run([f"{folder}/walls"], check=True, capture_output=True, text=True).stdout, end="")


if __name__ == "__main__":
    main()
