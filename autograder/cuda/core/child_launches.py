"""What the threads of a launch have launched themselves."""

from __future__ import annotations

from dataclasses import dataclass

from .findings import Access, Action, Dim3, Space


@dataclass(frozen=True, kw_only=True)
class Child:
    """What a thread has put into a stream, at the place `at`: the `number`-th of its launch, from 0, in the order in
    which threads did so. `error` is the number of CUDA's error by which that failed, or 0."""

    number: int
    stream: int
    error: int
    at: Access


@dataclass(frozen=True, kw_only=True)
class ChildLaunch(Child):
    """A launch of the kernel that the pointer `kernel` stands for, with the bytes of its arguments at their offsets. At
    the offset `escaped`, they have a pointer to memory of the thread or of its block, which is of that `space`."""

    kernel: int
    grid: Dim3
    block: Dim3
    shared: int
    arguments: bytes
    escaped: int | None
    space: Space


@dataclass(frozen=True, kw_only=True)
class ChildCopy(Child):
    """A copy of `bytes` bytes from one address to another; if it `fills`, each byte gets the value `source`."""

    to: int
    source: int
    bytes: int
    fills: bool


@dataclass(frozen=True)
class ChildUses:
    """Uses, by what the `number`-th child of a launch does, of `bytes` bytes at `start`, in the memory that the
    launch's `Area.start` counts in."""

    number: int
    start: int
    bytes: int
    writes: bool
    atomic: bool


@dataclass(frozen=True)
class ChildRace:
    """An access by a thread that nothing orders with a use by what the `number`-th child of its launch does: a write
    if `writes`, at the 4 bytes from `start` on."""

    number: int
    start: int
    writes: bool
    action: Action
    at: Access
