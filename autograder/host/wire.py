"""The line to a running program: its calls, and our replies. The other end is `runtime/channel.h`."""

from __future__ import annotations

import socket
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple


class Call(NamedTuple):
    """A call: the function's name, the address behind the call in the program, numbers without a sign, and bytes."""

    name: str
    site: int
    numbers: tuple[int, ...]
    content: bytes


class Guard(NamedTuple):
    """Memory that the program may use from now on as `access` says, in the bits of mprotect (0: not at all)."""

    address: int
    size: int
    access: int


@dataclass(frozen=True)
class Reply:
    """What a call returns: an error of CUDA's, numbers, bytes; and what kernels have printed by now."""

    error: int = 0
    numbers: Sequence[int] = ()
    content: bytes = b""
    guards: Sequence[Guard] = ()
    printed: bytes = b""


class Line:
    """Reads calls from, and writes replies to, a connected socket."""

    def __init__(self, end: socket.socket) -> None:
        self._end = end

    def read(self) -> Call | None:
        """The next call; None once the program has ended."""
        head = self._take(32)
        if head is None:
            return None
        name, numbers, content, site = struct.unpack("<4Q", head)
        body = self._take(name + 8 * numbers + content)
        if body is None:
            return None
        words = struct.unpack_from(f"<{numbers}Q", body, name)
        return Call(body[:name].decode(), site, words, body[name + 8 * numbers :])

    def write(self, reply: Reply) -> None:
        """Send the reply to the latest call."""
        guards = [number for guard in reply.guards for number in guard]
        sizes = (reply.error, len(reply.numbers), len(reply.guards), len(reply.content), len(reply.printed))
        words = [*sizes, *reply.numbers, *guards]
        head = b"".join((word & (1 << 64) - 1).to_bytes(8, "little") for word in words)
        self._end.sendall(head + reply.content + reply.printed)

    def _take(self, size: int) -> bytes | None:
        parts = []
        while size:
            part = self._end.recv(min(size, 1 << 20))
            if not part:
                return None
            parts.append(part)
            size -= len(part)
        return b"".join(parts)
