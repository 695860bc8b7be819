"""A Dask scheduler and its workers, each in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil


class Scheduler:
    """A scheduler on this machine and `workers` workers of one thread each; all end with the context.

    Args:
        file: where the scheduler writes its address.
        environment: of all of them.
    """

    def __init__(self, file: Path, workers: int = 1, environment: dict[str, str] | None = None) -> None:
        self._file, self._folder = file, file.parent
        self.process = self._start(
            "scheduler", "--host=127.0.0.1", "--port=0", f"--scheduler-file={file}", environment=environment
        )
        while not file.exists() or not file.read_text().endswith("}"):
            assert self.process.poll() is None
            time.sleep(0.05)
        self.address: str = json.loads(file.read_text())["address"]
        self.workers = [self.add_worker(environment=environment) for _ in range(workers)]

    def add_worker(self, *options: str, environment: dict[str, str] | None = None) -> subprocess.Popen[bytes]:
        return self._start("worker", self.address, "--nthreads=1", *options, environment=environment)

    def _start(self, what: str, *options: str, environment: dict[str, str] | None = None) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-W", "ignore", "-m", f"distributed.cli.dask_{what}"]
        command += ["--dashboard-address=127.0.0.1:0", *options]
        log = (self._folder / f"{what}.log").open("ab")
        with log:
            return subprocess.Popen(command, cwd=self._folder, env=environment, stdout=log, stderr=log)

    def __enter__(self) -> Scheduler:
        return self

    def __exit__(self, *error: Any) -> None:
        started = [self.process, *self.workers]
        below = [child for item in started if item.poll() is None for child in psutil.Process(item.pid).children(True)]
        for process in [*below, *started]:
            if process.is_running() if isinstance(process, psutil.Process) else process.poll() is None:
                process.kill()
        for item in started:
            item.wait()
