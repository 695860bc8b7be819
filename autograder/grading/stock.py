"""Run the stock nbgrader commands, away from the user's own Jupyter set-up."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

SOURCE = "solutions"


class CommandError(Exception):
    """A command failed; `log` is all that it printed."""

    def __init__(self, command: str, log: str) -> None:
        super().__init__(f"`{command}` failed:\n" + "\n".join(log.strip().split("\n")[-30:]))
        self.log = log


def chapters(root: Path) -> tuple[str, ...]:
    """The chapters with exercises, each an nbgrader assignment, sorted."""
    return tuple(sorted({path.parent.name for path in (root / SOURCE).glob("*/*.ipynb")}))


def nbgrader(root: Path, *args: str, on_line: Callable[[str], None] = lambda line: None) -> str:
    """`nbgrader args...` in the course at `root`; returns what it printed.

    Raises:
        CommandError: it ended with an error.
    """
    return run_command(root, [sys.executable, "-m", "nbgrader", *args], on_line)


def run_command(root: Path, command: Sequence[str], on_line: Callable[[str], None]) -> str:
    """Run `command` in `root`, pass each line of its output to `on_line`, return all of it.

    Raises:
        CommandError: it ended with an error.
    """
    lines = []
    with _own_jupyter() as environment:
        process = subprocess.Popen(
            command,
            cwd=root,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
        assert process.stdout is not None
        for line in process.stdout:
            lines.append(line)
            on_line(line)
        code = process.wait()
    if code:
        raise CommandError(" ".join([Path(command[0]).name, *command[1:]]), "".join(lines))
    return "".join(lines)


@contextmanager
def _own_jupyter() -> Iterator[dict[str, str]]:
    """An environment in which Jupyter finds this virtual environment and nothing of the user's."""
    with TemporaryDirectory() as folder:
        yield {
            **os.environ,
            "JUPYTER_CONFIG_DIR": folder,
            "JUPYTER_DATA_DIR": folder,
            "JUPYTER_RUNTIME_DIR": folder,
            "JUPYTER_PREFER_ENV_PATH": "1",
            "IPYTHONDIR": folder,
        }
