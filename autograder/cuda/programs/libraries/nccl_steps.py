"""What ranks do together in NCCL's calls, once all of them have made theirs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from ...core.host_findings import HostKind
from .calls import LibraryCall
from .operands import BFLOAT16, DOUBLE, FLOAT, HALF, Element, Operand, element

#: By ncclDataType_t. (8-bit floats are not there.)
TYPES: dict[int, Element] = dict(enumerate(map(element, "i1 u1 i4 u4 i8 u8".split())))
TYPES |= {6: HALF, 7: FLOAT, 8: DOUBLE, 9: BFLOAT16}
_SUM, _PRODUCT, _MAX, _MIN, _AVERAGE = range(5)
_REDUCES = {_PRODUCT: np.multiply, _MAX: np.maximum, _MIN: np.minimum}
BETWEEN_TWO = ("ncclSend", "ncclRecv")


@dataclass(frozen=True, eq=False)
class Step:
    """What a rank does: a call of a thread, with its arguments; `other` is the root, or the other side."""

    call: LibraryCall
    comm: Comm
    thread: int
    source: int
    to: int
    count: int
    type: int
    op: int
    other: int
    stream: int

    @property
    def is_between_two(self) -> bool:
        return self.call.name in BETWEEN_TWO

    def sent(self, parts: int) -> np.ndarray | None:
        """Return what the rank sends, of as many parts; None if it cannot."""
        operand = Operand("sendbuff", self.source, TYPES[self.type].dtype, (parts * self.count,), (1,))
        return self.call.put(self.stream, [operand], lambda: TYPES[self.type].load(self.call.array(operand)).copy())

    def receive(self, values: np.ndarray) -> None:
        """What the rank receives."""
        element = TYPES[self.type]
        operand = Operand("recvbuff", self.to, element.dtype, values.shape, (1,), reads=False, writes=True)
        self.call.put(self.stream, [operand], lambda: np.copyto(self.call.array(operand), element.store(values)))


@dataclass(eq=False)
class Comm:
    """A communicator: the rank of a GPU in a clique, and its steps that wait for other ranks, by group."""

    clique: Clique
    rank: int
    device: int
    groups: list[list[Step]] = field(default_factory=list)


@dataclass(eq=False)
class Clique:
    """The communicators that belong together: of `ranks`, those that there are."""

    ranks: int
    comms: dict[int, Comm] = field(default_factory=dict)


def meet(clique: Clique) -> bool:
    """Do what the ranks' next steps are together, if any can be done."""
    ranks = [clique.comms.get(rank) for rank in range(clique.ranks)]
    ready = [comm.groups[0] if comm and comm.groups else [] for comm in ranks]
    for send in (step for steps in ready for step in steps if step.call.name == "ncclSend"):
        for receive in ready[send.other]:
            if receive.call.name == "ncclRecv" and receive.other == send.comm.rank:
                _do([send, receive])
                return True
    together = [next((step for step in steps if not step.is_between_two), None) for steps in ready]
    found = [step for step in together if step]
    if len(found) < clique.ranks:
        return False
    _do(found)
    return True


def _do(steps: Sequence[Step]) -> None:
    """Do what these steps of all ranks, or of two, are together, unless they differ in what must be the same."""
    for step in steps:
        groups = step.comm.groups
        groups[0].remove(step)
        if not groups[0]:
            groups.pop(0)
    first = steps[0]
    if any(_find_difference(step, first) for step in steps[1:]):
        return
    name, parts = first.call.name, len(steps)
    before = {step.comm: step.call.state.timeline.of_stream(step.stream) for step in steps}
    sent = {step.comm: step.sent(parts if name == "ncclReduceScatter" else 1) for step in steps if _sends(step)}
    values = [value for value in sent.values() if value is not None and value.size]
    if len(values) < len(sent):
        return
    for step in filter(_receives, steps):
        for sender in sent:
            step.call.state.timeline.wait(step.stream, before[sender])
        step.receive(_result(step, values))


def _sends(step: Step) -> bool:
    return step.call.name != "ncclRecv" and (not _of_root(step) or step.comm.rank == step.other)


def _of_root(step: Step) -> bool:
    return step.call.name in ("ncclBroadcast", "ncclBcast")


def _receives(step: Step) -> bool:
    return step.call.name != "ncclSend" and (step.call.name != "ncclReduce" or step.comm.rank == step.other)


def _result(step: Step, sent: Sequence[np.ndarray]) -> np.ndarray:
    """Return what a rank receives of what all send."""
    if step.call.name == "ncclAllGather":
        return np.concatenate(sent)
    if _of_root(step) or step.is_between_two:
        return sent[0]
    values = sent[0]
    with np.errstate(all="ignore"):
        for other in sent[1:]:
            values = _REDUCES.get(step.op, np.add)(values, other)
        if step.op == _AVERAGE:
            is_float = np.issubdtype(values.dtype, np.floating)
            count = values.dtype.type(len(sent))
            values = values / count if is_float else np.sign(values) * (np.abs(values) // count)
    return values[step.comm.rank * step.count :][: step.count] if step.call.name == "ncclReduceScatter" else values


def _find_difference(step: Step, first: Step) -> bool:
    """Find what must be the same for two ranks and is not, for which NCCL does not look."""
    pairs: dict[str, tuple[int | str, int | str]] = {}
    if not first.is_between_two:
        pairs = {"the function": (step.call.name, first.call.name), "op": (step.op, first.op)}
        pairs["root"] = (step.other, first.other)
    pairs |= {"count": (step.count, first.count), "datatype": (step.type, first.type)}
    for name, (mine, known) in pairs.items():
        if mine != known:
            facts = {"function": step.call.name, "argument": name, "mine": mine, "known": known, "why": "ranks"}
            ranks = {"rank": step.comm.rank, "other_rank": first.comm.rank}
            others = [("calls", first.call.place)]
            step.call.state.find(HostKind.INVALID_ARGUMENT, step.call.place, others, **facts, **ranks)
            return True
    return False
