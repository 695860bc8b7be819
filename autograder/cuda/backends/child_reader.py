"""Turns the records of what threads have launched, and of what races with it, into children and their races."""

from __future__ import annotations

from collections.abc import Callable

from ..core.child_launches import Child, ChildCopy, ChildLaunch, ChildRace
from ..core.findings import Access
from ..core.records import Answer, Location


def read_children(answer: Answer, access: Callable[[Location], Access]) -> tuple[Child, ...]:
    """All that threads have put into streams, in order; `access` reads where a thread was."""
    made: list[Child] = [
        ChildLaunch(
            number=r.number,
            stream=r.stream,
            error=r.error,
            at=access(r.at),
            kernel=r.kernel,
            grid=(r.grid_x, r.grid_y, r.grid_z),
            block=(r.block_x, r.block_y, r.block_z),
            shared=r.shared,
            arguments=r.arguments.encode("latin-1"),
            escaped=None if r.escaped < 0 else r.escaped,
            space=r.space.name,  # type: ignore[arg-type]
        )
        for r in answer.launches
    ]
    made += [
        ChildCopy(
            number=r.number,
            stream=r.stream,
            error=r.error,
            at=access(r.at),
            to=r.to,
            source=r.source,
            bytes=r.bytes,
            fills=r.fills,
        )
        for r in answer.copies
    ]
    return tuple(sorted(made, key=lambda child: child.number))


def read_child_races(answer: Answer, access: Callable[[Location], Access]) -> tuple[ChildRace, ...]:
    """At most one for each child; `access` reads where a thread was."""
    return tuple(ChildRace(r.launch, r.address, r.writes, r.action.name, access(r.at)) for r in answer.child_races)  # type: ignore[arg-type]
