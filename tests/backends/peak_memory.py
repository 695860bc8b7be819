"""Prints how many MB the largest process took that was started for a launch of 64 threads: `peak_memory.py KERNEL`.

A program of its own, since only the largest of all that a process has ever started is known.
"""

from __future__ import annotations

import resource
import sys

import numpy as np

from autograder.kernel import Kernel

if __name__ == "__main__":
    Kernel(sys.argv[1], "k").emulate(1, 64, [np.zeros(64, np.float32)])
    print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10)
