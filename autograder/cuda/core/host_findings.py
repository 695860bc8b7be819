"""What the host's half of a program can do wrong, as typed data; its wording is up to `report.host`."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple


class HostKind(StrEnum):
    """Every kind of finding in the host's half; the value is the name that people see."""

    COPY_OUT_OF_BOUNDS = "CopyOutOfBounds"
    WRONG_DIRECTION = "WrongDirection"
    USE_AFTER_FREE = "UseAfterFree"
    INVALID_FREE = "InvalidFree"
    LEAK = "Leak"
    OUT_OF_MEMORY = "OutOfMemory"
    HOST_POINTER = "HostPointer"
    DEVICE_POINTER = "DevicePointer"
    FAILED_LAUNCH = "FailedLaunch"
    UNCHECKED_ERROR = "UncheckedError"
    UNSYNCHRONIZED = "Unsynchronized"
    STREAM_RACE = "StreamRace"
    UNTIMED = "UntimedKernel"
    HOST_CRASH = "HostCrash"
    STOPPED = "Stopped"
    # of several GPUs, which an answer does not see
    PEER_POINTER = "PeerPointer"
    # of a library's call, which an answer cannot make
    INVALID_ARGUMENT = "InvalidArgument"
    OUT_OF_BOUNDS = "OutOfBounds"
    UNINITIALIZED = "UninitializedRead"
    # of one's own program: what is not there is zero, so numbers tell whether that is right
    PARTLY_COPIED = "PartlyCopied"


#: What is worth a remark, but no mistake of the program's that runs it.
REMARKS = (HostKind.LEAK, HostKind.OUT_OF_MEMORY, HostKind.PARTLY_COPIED)


class Place(NamedTuple):
    """A line of the program: the file's name, the line's number from 1 (0: not known), and its text, stripped."""

    file: str
    line: int
    text: str


NOWHERE = Place("", 0, "")
#: What a line does that has launched what makes the mistake: how the verb begins, and that of a node's graph.
LAUNCHES = "launches "
LAUNCHES_GRAPH = f"{LAUNCHES}the graph"


@dataclass(frozen=True, kw_only=True)
class HostFinding:
    """A mistake of the host's half at `place`. `others` are the lines that it has to do with: what each does, as a
    verb, and where. `facts` are what the kind's sentence needs: names, numbers of bytes, and which rule is broken
    (`why`). `count` is how often it was found at the same lines. `launches` kernels had been launched before it was
    found first."""

    kind: HostKind
    place: Place
    others: tuple[tuple[str, Place], ...] = ()
    facts: dict[str, str | int] = field(default_factory=dict)
    count: int = 1
    launches: int = 0
