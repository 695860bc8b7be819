"""Texts of hostile kernels, and how they are run: see test_hostile.py."""

from __future__ import annotations

import numpy as np

from autograder.classroom.attacks import Attack
from autograder.cuda.core.findings import Finding
from autograder.cuda.core.run import Run
from autograder.cuda.kernel import Kernel


def run(text: str, block: int = 1, shared_mem: int = 0) -> Run:
    return Kernel(text, "k").emulate(1, block, [np.zeros(64, np.float32)], shared_mem=shared_mem)


def stopped_by(text: str, block: int = 1) -> Finding:
    done = run(text, block)
    assert not done.completed, done.findings
    return done.findings[-1]


def is_stopped(attack: Attack) -> Finding:
    """What stops an attack, which must be as it says."""
    finding = stopped_by(attack.text)
    assert finding.kind in attack.stopped
    assert attack.construct in (None, getattr(finding, "construct", None))
    return finding


def name_of(attack: Attack) -> str:
    return attack.name
