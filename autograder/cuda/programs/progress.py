"""Says on standard error how far a long run is: one line that changes where somebody watches, else a line at times."""

from __future__ import annotations

import os
import threading
import time
from dataclasses import dataclass, replace
from types import TracebackType

from ..backends.emulator_process import BEGUN, File
from ..core.host_findings import Place
from ..report.host import describe_progress

#: Seconds of a launch, or of a quick succession of them, before the first line; and between two.
_QUIET, _TERMINAL, _FILE = 2.0, 0.5, 10.0


@dataclass(frozen=True)
class _Launch:
    """A launch that runs: by the line `place`, the `number`-th of the program, which has `blocks` to check or compute.
    `begun` is the descriptor of the file that says how many have begun, since the time `since`."""

    kernel: str
    place: Place
    number: int
    checks: bool = True
    begun: int = -1
    blocks: int = 0
    since: float = 0.0


class Progress:
    """Watches a program's launches, from a thread, while it is entered."""

    def __init__(self, descriptor: int = 2) -> None:
        self._to, self._is_terminal = descriptor, os.isatty(descriptor)
        self._launch: _Launch | None = None
        self._lock, self._over = threading.Lock(), threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Progress:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._over.set()
        self._thread.join()

    def begin(self, kernel: str, place: Place, number: int) -> None:
        """A launch begins; before its blocks run, it may have to be compiled."""
        self._become(_Launch(kernel, place, number))

    def check(self, begun: File, blocks: int) -> None:
        """As many of its blocks are checked now."""
        self._run(begun, blocks, checks=True)

    def compute(self, begun: File, blocks: int) -> None:
        """They are only computed now."""
        self._run(begun, blocks, checks=False)

    def end(self) -> None:
        """It has ended."""
        self._become(None)

    def _run(self, begun: File, blocks: int, *, checks: bool) -> None:
        assert self._launch
        with self._lock:
            if self._launch.begun >= 0:
                os.close(self._launch.begun)
            duplicate = os.dup(begun.fd)
            self._launch = replace(self._launch, checks=checks, begun=duplicate, blocks=blocks, since=time.monotonic())

    def _become(self, launch: _Launch | None) -> None:
        with self._lock:
            if self._launch and self._launch.begun >= 0:
                os.close(self._launch.begun)
            self._launch = launch

    def _watch(self) -> None:
        pause, shown = _TERMINAL if self._is_terminal else _FILE, False
        wait = _QUIET if self._is_terminal else _FILE
        while not self._over.wait(wait):
            wait = pause
            if not (text := self._line()):
                continue
            if self._is_terminal:
                text = f"\r\x1b[K{text[: os.get_terminal_size(self._to).columns - 1]}"
            os.write(self._to, (text if self._is_terminal else f"{text}\n").encode())
            shown = True
        if shown and self._is_terminal:
            os.write(self._to, b"\r\x1b[K")

    def _line(self) -> str:
        with self._lock:
            launch = self._launch
            begun = int.from_bytes(os.pread(launch.begun, BEGUN, 0), "little") if launch and launch.begun >= 0 else 0
        if not launch:
            return ""
        seconds = time.monotonic() - launch.since
        left = seconds * (launch.blocks - begun) / begun if begun and seconds > 1 else None
        return describe_progress(
            launch.place, launch.kernel, launch.number, begun, launch.blocks, left, checks=launch.checks
        )
