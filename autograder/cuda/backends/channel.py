"""Passes messages between two processes over a pair of pipes: a JSON header and raw bytes.

It doesn't use pickle, so whatever arrives is data, even if the other side was compromised. The pipes are
not the standard streams, so a kernel's output can't get between two messages.
"""

from __future__ import annotations

import json
import os
import select
import struct
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

Header = dict[str, Any]
Blob = bytes | bytearray | memoryview | np.ndarray
_PREFIX = struct.Struct("<I")
#: Linux moves at most 2 GiB in one call; smaller pieces also let us notice a deadline sooner.
_PIECE = 1 << 24


class Channel:
    """One end of the connection. Reads from the file descriptor `read_fd`, writes to `write_fd`, and owns both."""

    def __init__(self, read_fd: int, write_fd: int) -> None:
        self._read_fd, self._write_fd = read_fd, write_fd
        self._readable = select.poll()
        self._readable.register(read_fd, select.POLLIN)

    def send(self, header: Header, blobs: Sequence[Blob] = ()) -> None:
        """Send `header` (JSON values; the key "sizes" is taken) and `blobs` (bytes or arrays).

        Raises:
            BrokenPipeError: the other side has closed its end.
        """
        views = [_bytes(blob) for blob in blobs]
        text = json.dumps({**header, "sizes": [len(v) for v in views]}).encode()
        self._write(memoryview(_PREFIX.pack(len(text)) + text))
        for view in views:
            self._write(view)

    def receive(self, timeout: float | None = None) -> tuple[Header, list[bytearray]]:
        """Receive the next message, as (header, blobs).

        Args:
            timeout: seconds until the whole message must have arrived; None waits forever.

        Raises:
            TimeoutError: it has not arrived in time.
            EOFError: the other side has closed its end.
        """
        deadline = None if timeout is None else time.monotonic() + timeout
        (length,) = _PREFIX.unpack(self._read(_PREFIX.size, deadline))
        header: Header = json.loads(self._read(length, deadline))
        return header, [self._read(size, deadline) for size in header.pop("sizes")]

    def close(self) -> None:
        os.close(self._read_fd)
        os.close(self._write_fd)

    def _write(self, view: memoryview) -> None:
        while view:
            view = view[os.write(self._write_fd, view[:_PIECE]) :]

    def _read(self, size: int, deadline: float | None) -> bytearray:
        data = bytearray(size)
        view = memoryview(data)
        while view:
            left = None if deadline is None else max(0.0, deadline - time.monotonic()) * 1000
            if not self._readable.poll(left):
                raise TimeoutError
            count = os.readv(self._read_fd, [view[:_PIECE]])
            if count == 0:
                raise EOFError
            view = view[count:]
        return data


def _bytes(blob: Blob) -> memoryview:
    if isinstance(blob, np.ndarray):
        return np.ascontiguousarray(blob).reshape(-1).view(np.uint8).data
    return memoryview(blob)
