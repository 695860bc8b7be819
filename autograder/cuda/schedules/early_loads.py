"""How many loads from global memory are under way while their thread computes, and how many pass by shared memory."""

from __future__ import annotations

from ..core.launch import Launch
from ..core.run import TRACE_ACTIONS, Run, landings_as_writes
from .writers import whole_trace

_READ, _WRITE, _ATOMIC = (TRACE_ACTIONS.index(action) for action in ("read", "write", "atomic"))


def early_loads(launch: Launch, run: Run) -> tuple[int, int, int] | None:
    """How many loads from global memory the threads of `launch`, which gave `run`, begin early, how many late, and how
    many they make in all; None if it does too much to say. A load is early if its thread next reads shared memory, and
    does not write there first: what it writes is mostly what it loaded, and for that it must wait. A load is late if
    its thread writes to shared memory no more: what it loaded cannot have come to rest there. (An asynchronous copy
    lands there, and that is a write.)

    Raises:
        GraderFault: the kernel does not compile.
    """
    trace = whole_trace(launch, run)
    if trace is None:
        return None
    early = loads = 0
    # By block and thread: loads since it last used shared memory, and since it last wrote there.
    waiting: dict[tuple[int, int], int] = {}
    late: dict[tuple[int, int], int] = {}
    columns = (landings_as_writes(trace.events)[name].tolist() for name in ("block", "thread", "action", "array"))
    for block, thread, action, array in zip(*columns, strict=True):
        if action not in (_READ, _WRITE, _ATOMIC):
            continue
        space, who = trace.spaces[array], (block, thread)
        if space == "shared":
            begun = waiting.pop(who, 0)
            if action == _READ:
                early += begun
            else:
                late[who] = 0
        elif action == _READ and space in ("global", "device"):
            loads += 1
            waiting[who] = waiting.get(who, 0) + 1
            late[who] = late.get(who, 0) + 1
    return early, sum(late.values()), loads
