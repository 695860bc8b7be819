"""Do the Makefile's commands run alike, whatever the shell's environment says?"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_commands_keep_the_bytecode_of_python() -> None:
    """Images for containers often forbid it, and then each process that imports nbgrader takes twice as long."""
    asked = ["make", "--no-print-directory", "--eval=asked: ; @echo it is $${PYTHONDONTWRITEBYTECODE-unset}", "asked"]
    here = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(asked, cwd=ROOT, env=here, check=True, capture_output=True, text=True)
    assert done.stdout == "it is unset\n"
