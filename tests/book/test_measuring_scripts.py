"""Do the scripts of book/data find what they import? Most need a GPU, so nobody would notice for long."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("cupy")

DATA = Path(__file__).parents[2] / "book" / "data"
#: Pretend that there is a GPU, since some scripts ask on import how large it is.
AS_ON_A_GPU = """
import sys
import cupy
cupy.cuda.runtime.getDeviceProperties = lambda device: {"multiProcessorCount": 1}
for name in sys.argv[1:]:
    __import__(name)
print("sphinx" in sys.modules)
"""
#: All but the one that opens the GPU's driver when it starts.
SCRIPTS = sorted(path.stem for path in DATA.glob("*.py") if path.stem != "launch_cubin")


def test_each_script_finds_what_it_imports_and_needs_no_sphinx() -> None:
    command = [sys.executable, "-c", AS_ON_A_GPU, *SCRIPTS]
    environment = {**os.environ, "PYTHONPATH": str(DATA)}  # as if started from there
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "False\n"), done.stderr
