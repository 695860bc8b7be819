"""Which parts of the GPU's memory hold values: by 4-byte words, each of which does once any of its bytes is
written."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...core.host_findings import Place
from .access_spans import Spans

Words = np.ndarray[tuple[int], np.dtype[np.bool]]
#: Whether memory holds values: all of it, none of it, or bool of (words,), neither all nor none of them.
Written = bool | Words


class Filled(NamedTuple):
    """The only call that has written to memory: how many bytes, and whether they are its first ones."""

    function: str
    place: Place
    bytes: int
    is_start: bool


def with_spans(written: Written, address: int, size: int, spans: Spans) -> Written:
    """Return what holds values of the `size` bytes at `address` once these spans of them are written."""
    if written is True or (len(spans) == 1 and spans[0, 1] - spans[0, 0] == size):
        return True
    words = _words(written, size)
    for start, end in spans - address:
        words[start // 4 : -(-end // 4)] = True
    return _settled(words)


def with_words(written: Written, words: Words) -> Written:
    """Return the same, for words that are written, bool of (words,)."""
    if isinstance(written, bool):
        return written or _settled(words)
    return _settled(words | written)


def with_copy(
    written: Written, size: int, to: int, source: Written, source_size: int, at: int, rows: tuple[int, int, int, int]
) -> Written:
    """Return the same, once rows of other memory are copied there, with what is unwritten in them.

    Args:
        size, source_size: bytes of the two memories.
        to, at: where in each of them the first row begins.
        rows: the bytes of a row, how many rows, and the bytes from one row to the next in each memory.
    """
    width, height, pitch, source_pitch = rows
    now, then = (np.repeat(_words(*memory), 4)[: memory[1]] for memory in ((written, size), (source, source_size)))
    for row in range(height):
        begin, from_ = to + row * pitch, at + row * source_pitch
        now[begin : begin + width] = then[from_ : from_ + width]
    return _settled(np.logical_or.reduce(np.pad(now, (0, -size % 4)).reshape(-1, 4), axis=1))


def without_values(written: Written, address: int, spans: Spans) -> tuple[int, int] | None:
    """Return the address of the first byte in these spans of what is at `address` that holds no value, and how many
    bytes hold none; None: all do."""
    if isinstance(written, bool):
        return None if written else (int(spans[0, 0]), int((spans[:, 1] - spans[:, 0]).sum()))
    first, count = 0, 0
    for start, end in spans - address:
        words = start // 4 + np.flatnonzero(~written[start // 4 : -(-end // 4)])
        if words.size:
            first = first or address + max(int(start), 4 * int(words[0]))
            count += int(np.minimum(4 * words + 4, end).sum() - np.maximum(4 * words, start).sum())
    return (first, count) if count else None


def _words(written: Written, size: int) -> Words:
    """Return a copy of `written` as an array."""
    return np.full(-(-size // 4), written) if isinstance(written, bool) else written.copy()


def _settled(words: Words) -> Written:
    return True if words.all() else words if words.any() else False
