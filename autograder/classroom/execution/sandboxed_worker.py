"""A GPU's worker in a sandbox of its own: what the fork server starts in place of `backends.gpu_worker`."""

import tempfile
from pathlib import Path

from ...cuda.backends import gpu_worker
from . import sandbox

if __name__ == "__main__":
    sandbox.close_in_gpu_worker(Path(tempfile.gettempdir()))  # the folder of its notebook's process
    gpu_worker.main()
