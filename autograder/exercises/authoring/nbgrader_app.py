"""Run the stock nbgrader commands, isolated from the user's own Jupyter setup."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

#: nbgrader's directories, below the course's root.
SOURCE, RELEASED = "solutions", "exercises"
SUBMITTED, AUTOGRADED = "submitted", "autograded"


class CommandError(Exception):
    """A command failed; `log` holds all that it printed."""

    def __init__(self, command: str, log: str) -> None:
        super().__init__(f"{command} failed:\n" + "\n".join(log.strip().split("\n")[-30:]))
        self.log = log


def chapters(root: Path) -> tuple[str, ...]:
    """The chapters with exercises, each an nbgrader assignment, sorted."""
    return tuple(sorted({path.parent.name for path in (root / SOURCE).glob("*/*.ipynb")}))


#: nbgrader takes seconds to import, so several commands share one process.
_RUN_ALL = """\
import json, sys
from nbgrader.apps.nbgraderapp import NbGraderApp
for name, *args in json.loads(sys.argv[1]):
    app = NbGraderApp.subcommands[name][0]()
    app.initialize(args)
    app.start()
"""

#: Before that, for a gradebook that can be made again: nbgrader commits each cell, and waits for the disk each time.
_WITHOUT_WAITING = """\
from sqlalchemy import Engine, event
event.listen(Engine, "connect", lambda connection, _: connection.execute("PRAGMA synchronous = OFF"))
"""


def nbgrader(root: Path, commands: Sequence[Sequence[str]], *, disposable: bool = False) -> str:
    """Run nbgrader's commands, such as ("autograde", "barriers", "--force"), one after the other in
    the course at `root`; returns what they printed.

    Args:
        disposable: whether the gradebook is a SQLite file that may be damaged if the machine breaks down meanwhile.

    Raises:
        CommandError: one ended with an error; those after it did not run.
    """
    script = f"{_WITHOUT_WAITING}{_RUN_ALL}" if disposable else _RUN_ALL
    what = " or ".join(f"`nbgrader {' '.join(command)}`" for command in commands)
    return run_command(root, what, [sys.executable, "-c", script, json.dumps(commands)], lambda line: None)


def run_command(root: Path, what: str, command: Sequence[str], on_line: Callable[[str], None]) -> str:
    """Run `command` (called `what` in messages) in `root`; pass each line that it prints to `on_line`,
    and return them all.

    Raises:
        CommandError: it ended with an error.
    """
    lines = []
    with (
        _isolated_jupyter() as environment,
        subprocess.Popen(
            command,
            cwd=root,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        ) as process,
    ):
        assert process.stdout is not None
        for line in process.stdout:
            lines.append(line)
            on_line(line)
    if process.returncode:
        raise CommandError(what, "".join(lines))
    return "".join(lines)


@contextmanager
def _isolated_jupyter() -> Iterator[dict[str, str]]:
    """An environment in which Jupyter finds this virtual environment and none of the user's settings."""
    with TemporaryDirectory() as folder:
        yield {
            **os.environ,
            "JUPYTER_CONFIG_DIR": folder,
            "JUPYTER_DATA_DIR": folder,
            "JUPYTER_RUNTIME_DIR": folder,
            "JUPYTER_PREFER_ENV_PATH": "1",
            "IPYTHONDIR": folder,
        }
