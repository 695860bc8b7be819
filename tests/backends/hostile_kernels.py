"""Texts of hostile kernels, and how they are run: see test_hostile.py."""

from __future__ import annotations

import numpy as np

from autograder.core.findings import Finding
from autograder.core.run import Run
from autograder.kernel import Kernel

#: An address that belongs to nobody. An access there that is not reported as out of bounds was not watched, and could
#: just as well have changed the runtime's own memory: a forged result.
NOWHERE = "0x123456789000"


def kernel(body: str, before: str = "") -> str:
    return f"{before}\n__global__ void k(float* out)\n{{\n{body}\n}}\n"


def run(text: str, block: int = 1) -> Run:
    return Kernel(text, "k").emulate(1, block, [np.zeros(64, np.float32)])


def stopped_by(text: str, block: int = 1) -> Finding:
    done = run(text, block)
    assert not done.completed, done.findings
    return done.findings[-1]
