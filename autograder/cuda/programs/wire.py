"""What goes through the pipes to a running program and back: its calls, and our replies. The other end is
`runtime/channel.h`."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple


class Call(NamedTuple):
    """A call: the function's name, the address after the call in the program, numbers without a sign, bytes, the GPU
    that is current in the thread that calls, and that thread."""

    name: str
    site: int
    numbers: tuple[int, ...]
    content: bytes
    device: int = 0
    thread: int = 0


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


def read_call(unread: bytearray, most: int) -> Call | None:
    """Take the first call from the bytes that a program has sent; None if it is not there completely.

    Raises:
        ValueError: these bytes are no call, or one of more than `most` bytes.
    """
    if len(unread) < _HEAD.size:
        return None
    name, numbers, content, site, device, thread = _HEAD.unpack_from(unread)
    size = name + 8 * numbers + content
    if size > most or numbers > _MOST_NUMBERS:
        raise ValueError("a call is too long")
    if len(unread) < _HEAD.size + size:
        return None
    body = bytes(unread[_HEAD.size : _HEAD.size + size])
    del unread[: _HEAD.size + size]
    words = struct.unpack_from(f"<{numbers}Q", body, name)
    return Call(body[:name].decode(), site, words, body[name + 8 * numbers :], device, thread)


def pack_reply(reply: Reply) -> bytes:
    """Return what is sent to the program as the reply to its latest call."""
    guards = [number for guard in reply.guards for number in guard]
    sizes = (reply.error, len(reply.numbers), len(reply.guards), len(reply.content), len(reply.printed))
    words = [*sizes, *reply.numbers, *guards]
    head = b"".join((word & (1 << 64) - 1).to_bytes(8, "little") for word in words)
    return head + reply.content + reply.printed


#: The sizes of a call's name, of its numbers and of its content, its site, its GPU, and its thread.
_HEAD = struct.Struct("<6Q")
#: Many more than any call of the runtime's has.
_MOST_NUMBERS = 1000
