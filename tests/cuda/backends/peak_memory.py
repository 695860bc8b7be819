"""Print how many MB the largest process took that a launch of 64 threads started: `peak_memory.py KERNEL`.

It is a program of its own, since only the largest of all processes that a process ever started is known.
"""

from __future__ import annotations

import resource
import sys

import numpy as np

from autograder.cuda.kernel import Kernel

if __name__ == "__main__":
    Kernel(sys.argv[1], "k").emulate(1, 64, [np.zeros(64, np.float32)])
    print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10)
