"""What the driver says about this GPU, for book/appendix-gpus.md: `python book/data/measure_device.py`.

Nothing is timed; it writes device_<gpu>.csv beside itself in a second.
"""

from collections.abc import Iterator

import cupy as cp
from measuring import Row, machine, write

KIB = 1024
#: CUDA's name, the book's name, and the divisor.
ASKED = (
    ("multiProcessorCount", "multiprocessors", 1),
    ("maxThreadsPerMultiProcessor", "threads of a multiprocessor", 1),
    ("maxBlocksPerMultiProcessor", "blocks of a multiprocessor", 1),
    ("regsPerMultiprocessor", "registers of a multiprocessor", 1),
    ("sharedMemPerMultiprocessor", "shared memory of a multiprocessor (KB)", KIB),
    ("sharedMemPerBlockOptin", "shared memory of a block, at most (KB)", KIB),
    ("reservedSharedMemPerBlock", "shared memory kept back for each block (KB)", KIB),
    ("l2CacheSize", "L2 cache (MB)", KIB * KIB),
)


def rows() -> Iterator[Row]:
    properties = cp.cuda.runtime.getDeviceProperties(0)
    for name, what, unit in ASKED:
        yield {"property": name, "what": what, "value": f"{properties[name] / unit:g}"}


if __name__ == "__main__":
    write("device", rows(), machine())
