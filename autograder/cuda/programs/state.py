"""What is known of a running program: its GPU's memory, its streams, its errors, and what was found."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from ..core.host_findings import LAUNCHES, LAUNCHES_GRAPH, NOWHERE, HostFinding, HostKind, Place
from ..core.launch import STACK_LIMIT, ProgramLaunch
from ..core.suppressed_writes import SuppressedWrites
from ..nvrtc.occupancy import Gpu
from .building.program_lines import ProgramLines
from .graphs.graph import Capture, Executable, Graph, Graphs
from .launches.budget import Budget
from .launches.kernels import Kernels, KernelText, Launched, Launcher
from .launches.repeats import Repeats
from .memory.guards import Guards
from .memory.heap import Allocation, Heap
from .memory.initialized import Filled
from .memory.memory_writes import Delivered
from .progress import Progress
from .timeline import OTHER_STREAMS, Clock, Operation, Timeline, default_stream
from .wire import Call, Reply

T = TypeVar("T")
#: Gets each launch before it is made, with all that it finds on the GPU; it may raise to end the program there.
Take = Callable[[KernelText, Place, ProgramLaunch], None]
_ERROR = re.compile(r"EMU_ERROR\((\w+), (\d+),")


@cache
def errors() -> dict[str, int]:
    """CUDA's errors by name, as the program's headers have them."""
    text = (Path(__file__).parent / "include/cuda_errors.h").read_text(encoding="utf-8")
    return {name: int(number) for name, number in _ERROR.findall(text)}


@dataclass
class Symbol:
    """A variable on the GPU: its name with those of its namespaces, its bytes, and its `key`, which is what holds its
    unit's code, and its name there. On GPUs where the host has an address of it, it is `memory` of the heap, too."""

    key: tuple[str, str]
    name: str
    size: int
    memory: dict[int, Allocation] = field(default_factory=dict)


@dataclass(frozen=True)
class Registered:
    """Registered memory of the host: its size, and the distance to the address at which kernels find it."""

    size: int
    shift: int


@dataclass(frozen=True)
class FailedCall:
    """A call that has returned an error, which the program has not queried since."""

    name: str
    error: str
    place: Place


@dataclass
class Event:
    """An event of a GPU, which `times` or only orders: what was before it when it was recorded last, when that was, in
    nanoseconds, and which operation of which stream it was. One that was `captured` then knows the capture, and the
    nodes that are before it."""

    device: int = 0
    times: bool = True
    clock: Clock | None = None
    time: int = 0
    operation: tuple[int, int] | None = None
    captured: tuple[Capture, frozenset[int]] | None = None


@dataclass
class Device:
    """What each GPU has of its own: what its variables hold, by their keys, once that may not be what is declared; the
    copies to those of which nothing but the beginning was ever written (None: more may have been); the shared memory
    that cudaFuncSetAttribute allows; the GPUs whose memory its kernels may use, and those of whose pools they may; and
    the kernels' heap, once a kernel that allocates is launched."""

    variables: dict[tuple[str, str], bytes] = field(default_factory=dict)
    copied: dict[tuple[str, str], Filled | None] = field(default_factory=dict)
    shared_limits: dict[KernelText, int] = field(default_factory=dict)
    peers: set[int] = field(default_factory=set)
    pools: set[int] = field(default_factory=set)
    heap: Allocation | None = None
    launch_limit: int = 2048  # cudaLimitDevRuntimePendingLaunchCount
    heap_limit: int = 8 << 20  # cudaLimitMallocHeapSize
    stack_limit: int = STACK_LIMIT  # cudaLimitStackSize


class State:
    """The one state of a program's run; the calls' functions read and change it."""

    def __init__(
        self,
        gpu: Gpu,
        kernels: Kernels,
        lines: ProgramLines,
        memory: int,
        suppressed: SuppressedWrites = SuppressedWrites.NOTHING,
        refuse: int = 0,
        *,
        devices: int = 1,
        limited: bool = False,
        checked: int | None = None,
        progress: Progress | None = None,
        take: Take | None = None,
    ) -> None:
        self.gpu, self.kernels, self.lines = gpu, kernels, lines
        self.suppressed = suppressed  # what launches write
        self.limited = limited  # a stranger's program
        self.budget, self.repeats = Budget(checked, progress, limited=limited), Repeats()
        self.progress = progress
        self.take = take
        self.delivered = Delivered() if limited else None
        #: Calls that can be made to fail, each by its name and line; the number of the one that is, from 1 (0: none);
        #: and that call.
        self.refusable, self._refuse = list[tuple[str, int]](), refuse
        self.refused: FailedCall | None = None
        self.heap, self.timeline = Heap(memory), Timeline(devices)
        self.devices = [Device() for _ in range(devices)]
        self.device = 0  # the one that is current for the latest call
        self.guards = Guards(self.heap)
        self.place = NOWHERE  # of the latest call
        self.process = 0  # its number, once it runs
        self.queries: Counter[frozenset[tuple[int, int]]] = Counter()  # how often, by the clock of what may be over
        self.steps = 0  # accesses of the host's to closed memory
        self.symbols: dict[int, Symbol] = {}  # by what stands for them in the program
        self.events: dict[int, Event] = {}
        self.graphs = Graphs()
        self.registered: dict[int, Registered] = {}  # by the host's address
        self.launches: list[Launched] = []
        self.launchers: list[Launcher] = []  # the threads that make the launch which is made now
        self._streams = _STREAMS_OF_KERNELS
        self.failed: list[FailedCall] = []
        self.reset: list[Allocation] = []  # what cudaDeviceReset has taken away
        self.not_freed: set[int] = set()  # addresses that a program tries to free after an error that lasts
        self.launching: KernelText  # and its address in the program
        self.launching_address = 0
        self.sticky = 0
        self.last_errors: dict[int, int] = {}  # by the host's thread
        self.library: Any = None  # the call of a library's that goes on (`libraries.calls`)
        self.modules: dict[int, str] = {}  # of the driver's: the unit of each, by handle
        self.libraries: dict[int, Any] = {}  # what libraries have made, by handle
        self.next_handle = OTHER_STREAMS
        self._findings: dict[tuple[object, ...], HostFinding] = {}
        self._found: Counter[tuple[object, ...]] = Counter()
        self._printed: list[tuple[Operation, bytes]] = []
        self._crashed: list[tuple[Operation, int]] = []

    # ---- GPUs

    @property
    def here(self) -> Device:
        return self.devices[self.device]

    @property
    def default(self) -> int:
        """The default stream of the current GPU."""
        return default_stream(self.device)

    def let_current(self, device: int) -> None:
        """Make a GPU current. Raises ValueError: there is no such GPU."""
        if device >= len(self.devices):
            raise ValueError("no such GPU")
        self.device = self.heap.device = device

    def reaches(self, device: int, memory: Allocation) -> bool:
        """Whether kernels of a GPU may use memory, which may be that of another."""
        if memory.sort != "device" or memory.device == device:
            return True
        peers = self.devices[device].pools if memory.function == "cudaMallocAsync" else self.devices[device].peers
        return memory.device in peers and not memory.is_heap

    # ---- what a call names; or it fails

    def require_device(self, number: int) -> None:
        """Let the call fail unless there is this GPU."""
        if number >= len(self.devices):
            raise FailedError("cudaErrorInvalidDevice")

    def require(self, stream: int) -> None:
        """Let the call fail unless there is this stream."""
        if not self.timeline.knows(stream):
            raise FailedError("cudaErrorInvalidResourceHandle")

    def event(self, handle: int) -> Event:
        return _known(self.events.get(handle), "cudaErrorInvalidResourceHandle")

    def symbol(self, address: int) -> Symbol:
        return _known(self.symbols.get(address), "cudaErrorInvalidSymbol")

    def graph(self, handle: int) -> Graph:
        return _known(self.graphs.graphs.get(handle), "cudaErrorInvalidValue")

    def executable(self, handle: int) -> Executable:
        return _known(self.graphs.executables.get(handle), "cudaErrorInvalidValue")

    def is_of_host(self, address: int) -> bool:
        """Whether the program has memory of its own there; False where the system does not say."""
        with suppress(OSError):
            for line in Path(f"/proc/{self.process}/maps").read_text().splitlines():
                low, high = (int(end, 16) for end in line.partition(" ")[0].split("-"))
                if low <= address < high:
                    return True
        return False

    # ---- what is found

    def find(
        self,
        kind: HostKind,
        place: Place,
        others: Sequence[tuple[str, Place]] = (),
        **facts: str | int,
    ) -> None:
        """Note a mistake; the same at the same lines is counted, whatever launches the graph or the kernel."""
        row = (LAUNCHES_GRAPH, self.graphs.launched)
        if self.graphs.launched.line and row not in others:
            others = [*others, row]
        key = (kind, place, *(other for other in others if not other[0].startswith(LAUNCHES)), facts.get("why"))
        if key not in self._findings:
            self._findings[key] = HostFinding(
                kind=kind, place=place, others=tuple(others), facts=facts, launches=len(self.launches)
            )
        self._found[key] += 1

    @property
    def findings(self) -> list[HostFinding]:
        return [replace(finding, count=self._found[key]) for key, finding in self._findings.items()]

    def unfreed(self) -> list[Allocation]:
        """What is allocated, and nothing has freed or tried to free."""
        return [a for a in self.heap.live() if not a.is_variable and a.address not in self.not_freed]

    # ---- what comes later

    def prints(self, operation: Operation, text: str) -> None:
        """A kernel has printed, which appears once the host has waited for it."""
        self._printed.append((operation, text.encode()))

    def crashes(self, operation: Operation, error: int) -> None:
        """A kernel has ended by an error, which the host gets once it has waited for it."""
        self._crashed.append((operation, error))

    def answer(self, call: Call, function: Answer) -> Reply:
        """The reply to a call that `function` implements."""
        self.place = place = self.lines.place(call.site)
        self.let_current(call.device)
        if self.sticky and call.name not in _WITH_ERROR:
            if call.name in _FREES:
                self.not_freed.add(call.numbers[0])
            return Reply(self.sticky)
        refusal = next((error for names, error in _REFUSALS.items() if call.name.startswith(names)), "")
        if refusal:
            self.refusable.append((call.name, place.line))
        if refusal and len(self.refusable) == self._refuse:
            self.refused = FailedCall(_called(call), refusal, place)
            reply = fail(refusal)
        else:
            reply = answered(function, self, call, place)
        over = self.timeline.is_over
        for operation, error in self._crashed:
            if over(operation.stream, operation.index) and not self.sticky:
                self.sticky = error
                reply = replace(reply, error=error)
        printed = b"".join(text for operation, text in self._printed if over(operation.stream, operation.index))
        self._printed = [(o, text) for o, text in self._printed if not over(o.stream, o.index)]
        if reply.error and call.name not in _WITH_ERROR and reply.error != errors()["cudaErrorNotReady"]:
            self.last_errors[call.thread] = reply.error
            # (By a failed update of a graph, a program learns that it has to make it anew.)
            if not self.sticky and reply.error != errors()["cudaErrorGraphExecUpdateFailure"]:
                self.failed.append(FailedCall(_called(call), name_of(reply.error), place))
        return replace(reply, printed=printed, guards=[*reply.guards, *self.guards.update(self.timeline.unknown)])

    def on_gpu(self, address: int) -> int:
        """Where kernels find what lies at an address, which may be of memory that is registered."""
        for start, known in self.registered.items():
            if start <= address < start + known.size:
                return address + known.shift
        return address

    @property
    def crash_count(self) -> int:
        """How many kernels have ended by an error so far."""
        return len(self._crashed)

    def new_handle(self) -> int:
        self.next_handle += 16
        return self.next_handle

    def new_streams(self) -> int:
        """A number, after which a grid's threads number the streams that they create."""
        self._streams += _MOST_STREAMS
        return self._streams


#: Numbers of streams that kernels create, and most of one grid's.
_STREAMS_OF_KERNELS, _MOST_STREAMS = 1 << 48, 1 << 24


def _called(call: Call) -> str:
    """What the program has called: a call of the runtime's own is a part of that."""
    if call.name == "host block ends":
        return call.content.decode()
    return {"begin launch": "cudaLaunchKernel", "next node": "cudaGraphLaunch"}.get(call.name, call.name)


#: Prefixes of the names of calls that can be made to fail, and the error of each.
_REFUSALS = {
    ("cudaLaunchKernel", "cudaLaunchCooperativeKernel"): "cudaErrorLaunchOutOfResources",
    ("cudaMemcpy",): "cudaErrorInvalidValue",
    ("cudaMalloc",): "cudaErrorMemoryAllocation",
}
_FREES = ("cudaFree", "cudaFreeAsync", "cudaFreeHost", "cudaFreeArray")
#: Calls that go on after an error that lasts.
_WITH_ERROR = (
    "cudaGetLastError",
    "cudaPeekAtLastError",
    "cudaDeviceReset",
    "fault",
    "library",
    "library goes on",
    "register symbol",
    "register managed",
)


class FailedError(Exception):
    """The call fails by the error of CUDA's with this name."""


def _known(found: T | None, error: str) -> T:
    if found is None:
        raise FailedError(error)
    return found


def answered(function: Answer, state: State, call: Call, place: Place) -> Reply:
    """The reply of a function that may raise `FailedError`."""
    try:
        return function(state, call, place)
    except FailedError as failed:
        return fail(str(failed))


Answer = Callable[[State, Call, Place], Reply]


def nothing(state: State, call: Call, place: Place) -> Reply:
    """Answers a hint, which changes nothing here."""
    return Reply()


def fail(name: str) -> Reply:
    """The reply that is this error of CUDA's."""
    return Reply(errors()[name])


def name_of(error: int) -> str:
    """An error's name."""
    return next((name for name, number in errors().items() if number == error), "cudaErrorUnknown")
