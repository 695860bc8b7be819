"""Do the Makefile's commands run alike, whatever the shell's environment says?"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def test_commands_keep_the_bytecode_of_python() -> None:
    """Images for containers often forbid it, and then each process that imports nbgrader takes twice as long."""
    command = ["make", "--no-print-directory", "--eval=asked: ; @echo it is $${PYTHONDONTWRITEBYTECODE-unset}", "asked"]
    here = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, cwd=ROOT, env=here, check=True, capture_output=True, text=True)
    assert done.stdout == "it is unset\n"


#: A Python whose pip fails.
PYTHON = """\
#!/bin/sh
case "$1 $2" in
"-m venv") mkdir -p "$3/bin" && cp "$0" "$3/bin/python" ;;
"-m pip") printf '%s\\n' "$PIP_SAYS" >&2; exit 1 ;;
esac
"""


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device", "the disk is full"),
        ("SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] ...", "set PIP_CERT and NODE_EXTRA_CA_CERTS"),
        ("WARNING: Retrying after connection broken by ...\nERROR: No matching", "pip reaches no package index"),
        ("1\n2\nERROR: another\n", "2\nERROR: another. Then run make again"),
    ],
)
def test_a_failure_of_pip_is_one_sentence_that_says_what_to_do(words: str, sentence: str, tmp_path: Path) -> None:
    (tmp_path / "python").write_text(PYTHON)
    (tmp_path / "python").chmod(0o755)
    command = ["make", "--no-print-directory", "setup", f"VENV={tmp_path}/venv", f"PYTHON={tmp_path}/python"]
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, "PIP_SAYS": words}, capture_output=True, text=True)
    assert done.returncode == 2
    assert "\nThe packages were not installed: " in done.stdout and sentence in done.stdout
    assert "Retrying" not in done.stdout + done.stderr


#: A Python that makes no environment.
NEW_PYTHON = """\
#!/bin/sh
case "$*" in
*print*) echo {version} ;;
--version) echo "Python {version}.0" ;;
"-m venv"*) exit 1 ;;
esac
"""


@pytest.mark.parametrize(
    ("version", "output"),
    [
        ("3.14", ""),
        (
            "3.15",
            "The course is tested on Python 3.11 to 3.14, and this is 3.15, for which there is no package yet of "
            "cupy-cuda12x, tree-sitter, tree-sitter-cuda: they are left out.\n",
        ),
        ("3.99", "The course is tested on Python 3.11 to 3.14, and this is 3.99.\n"),
    ],
)
def test_setting_up_with_a_newer_python_says_so_and_goes_on(version: str, output: str, tmp_path: Path) -> None:
    (tmp_path / "python").write_text(NEW_PYTHON.format(version=version))
    (tmp_path / "python").chmod(0o755)
    command = ["make", "--no-print-directory", "setup", f"VENV={tmp_path}/venv", f"PYTHON={tmp_path}/python"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 2  # when it makes the environment
    assert done.stdout == f"Setting up {tmp_path}/venv with Python {version}.0: about a minute, once.\n{output}"
