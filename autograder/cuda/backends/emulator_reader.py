"""Turns the records of the emulator's answer into findings and counts."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from ..compiler.module_info import ArrayInfo
from ..core import records
from ..core.enumerations import Action, Space, Unawaited
from ..core.findings import (
    SCOPES,
    AbsentBlock,
    AbsentLane,
    Access,
    BarrierDivergence,
    Crash,
    EndedBlock,
    EscapedPointer,
    Finding,
    ForbiddenCode,
    Hazard,
    IndexOutOfBounds,
    InvalidWarpMask,
    MisalignedAccess,
    OutOfBounds,
    Race,
    ReadOnlyWrite,
    Scope,
    StepLimit,
    UninitializedRead,
    Waiting,
    WildAccess,
)
from ..core.records import Answer, Location
from ..core.refusal import Refusal
from ..core.run import LineTraffic, MaximumWork, Observation
from .answer_check import LOCAL
from .race_changes import mark_changes
from .source_map import SourceMap

#: The runtime's functions that a kernel calls when it arrives or waits at a barrier in memory.
_OF_BARRIERS_IN_MEMORY = frozenset({"emu_mbarrier_arrive", "emu_mbarrier_test", "emu_pass_barrier"})


_OfElement = (
    records.OutOfBounds
    | records.EscapedPointer
    | records.AbsentBlock
    | records.EndedBlock
    | records.MisalignedAccess
    | records.ReadOnlyWrite
)


class Reader(SourceMap):
    """Builds findings and counts from an answer's records."""

    def findings(self, answer: Answer, *, checks: bool, undefined_used: bool) -> Iterator[Finding]:
        """All that `answer` has. `checks`: also what doesn't stop the launch. `undefined_used`: the launch does
        something else if the undefined values are others."""
        if checks:
            races = self.races(answer.races)
            yield from races
            yield from self.stale_reads(answer.stale_reads, races)
            yield from self.ended_blocks(answer.ended_blocks, races)
            yield from self.uninitialized(answer.uninitialized)
            yield from self.local_reads(answer.local_reads)
            yield from self.observed(answer.observations)
        if undefined_used:
            yield from self.no_values(answer.no_values)
        if answer.stop:
            stop = self.stop(answer.stop)
            if isinstance(stop, StepLimit):
                stop = replace(stop, has_children=bool(answer.launches))
            yield stop

    # -- races and uninitialized reads, which don't stop the launch

    def races(self, found: list[records.Race]) -> list[Race]:
        """One finding for each pair of lines; the pair of threads farthest apart represents all."""
        merged: dict[tuple[object, ...], Race] = {}
        for r in sorted(found, key=lambda r: SCOPES.index(self._scope(r.first.at, r.second.at)), reverse=True):
            # (Of what is not shared, the owner says nothing.)
            owner = r.owner if self.arrays[r.variable].space == "shared" else None
            first, second = (self.access(a.at, r.variable, r.offset, a.action, owner) for a in (r.first, r.second))
            copy = {Unawaited["first"]: first, Unawaited["second"]: second}.get(r.unawaited)
            sizes = (r.first.bytes, r.second.bytes)
            if r.tied and first.line > second.line:
                first, second, sizes = second, first, sizes[::-1]
            scope = self._scope(r.first.at, r.second.at)
            key = (first.line, second.line, first.action, second.action, r.variable)
            # Several instructions of one pair of lines see the same elements, so take the largest count.
            known = merged.get(key)
            if known:
                count = max(known.count, self._elements(r))
                same = known.same_value and r.same_value
                merged[key] = _of_copy(replace(known, count=count, same_value=same), copy, r)
                continue
            atomic = "atomic" in (first.action, second.action)
            hazard: Hazard = "write-after-write"
            if (first.action == "read") != (second.action == "read"):
                hazard = "write-after-read" if first.action == "read" else "read-after-write"
            race = Race(
                accesses=(first, second),
                count=self._elements(r),
                hazard=hazard,
                scope=scope,
                same_value=r.same_value,
                atomic=atomic,
                atomic_bytes=sizes if all(sizes) and sizes[0] != sizes[1] else (0, 0),
                phases=not _OF_BARRIERS_IN_MEMORY.isdisjoint(self.info.calls),
            )
            merged[key] = _of_copy(race, copy, r)
        return mark_changes(list(merged.values()))

    def stale_reads(self, loads: list[records.StaleRead], races: list[Race]) -> list[Race]:
        """Loads through the read-only cache of what the launch has written, but for those that race in any case; one
        finding for each pair of lines."""
        found: dict[tuple[int, int, str], Race] = {}
        plain = {(*sorted(a.line for a in race.accesses), race.accesses[1].array) for race in races}
        for r in loads:
            write = self.access(r.write.at, r.variable, r.offset, r.write.action)
            load = self.access(r.at, r.variable, r.offset, Action["read"])
            key = (write.line, load.line, load.array)
            count = max(self._elements(r), found[key].count if key in found else 0)
            if (*sorted(key[:2]), load.array) in plain:
                continue
            scope = self._scope(r.write.at, r.at)
            found[key] = Race(
                accesses=(write, load),
                count=count,
                hazard="read-after-write",
                scope=scope,
                atomic=write.action == "atomic",
                cached=True,
            )
        return list(found.values())

    def _elements(self, record: records.Race | records.StaleRead) -> int:
        """How many elements a race involves; its record counts bytes."""
        item = self.arrays[record.variable].item if record.variable < len(self.arrays) else 4
        return -(-record.count // item)

    def _scope(self, a: Location, b: Location) -> Scope:
        if a.block != b.block:
            return "cluster" if self._cluster(a.block) == self._cluster(b.block) else "grid"
        return "warp" if a.thread // 32 == b.thread // 32 else "block"

    def _cluster(self, block: int) -> tuple[int, ...]:
        """Which cluster a block is in."""
        at = self.coordinates(block, self.launch.grid)
        return tuple(a // n for a, n in zip(at, self.info.cluster or (1, 1, 1), strict=True))

    def ended_blocks(self, ended: list[records.EndedBlock], races: list[Race]) -> list[EndedBlock]:
        """Accesses of blocks that may have ended, but for copies that race with what comes too early in any case; one
        finding for each line and array."""
        found = {(self.info.line_of(r.at.site), r.variable): r for r in reversed(ended)}
        early = {race.copy_line for race in races if race.unawaited}
        return [
            EndedBlock(accesses=self._element(r, r.owner), is_copy=r.owner == r.at.block)
            for (line, _), r in found.items()
            if r.owner != r.at.block or line not in early
        ]

    def uninitialized(self, reads: list[records.UninitializedRead]) -> list[UninitializedRead]:
        merged: dict[tuple[int, int], UninitializedRead] = {}
        for r in reads:  # each element is counted at one instruction only, so a line's counts add up
            access = self.access(r.at, r.variable, r.offset, Action["read"], r.owner)
            key = (access.line, r.variable)
            known = merged.get(key, UninitializedRead(accesses=(access,), count=0))
            merged[key] = replace(known, count=known.count + r.count)
        return list(merged.values())

    def local_reads(self, reads: list[records.LocalRead]) -> list[UninitializedRead]:
        """Reads of uninitialized local arrays; one finding for each line and array."""
        merged: dict[tuple[int, str], UninitializedRead] = {}
        for r in reads:
            place, _, _ = self._local(r)
            access = replace(place, action="read")
            found = UninitializedRead(accesses=(access,), count=r.count)
            merged.setdefault((access.line, access.array), found)
        return list(merged.values())

    def observed(self, seen: list[records.Observation]) -> Iterator[Finding]:
        """What observers have seen that has a class of finding."""
        for r in seen:
            if cls := Finding.of_observers.get(r.observer):
                yield cls(accesses=(self.access(r.at),), count=r.count)

    def no_values(self, shuffles: list[records.AbsentLane]) -> list[AbsentLane]:
        """Shuffles of a lane that didn't take part; one finding for each line and reason."""
        found = {(self.info.line_of(r.at.site), r.source): r for r in reversed(shuffles)}
        return [
            AbsentLane(accesses=(self.access(r.at),), mask=r.mask, lane=r.lane, source=r.source.name)  # type: ignore[arg-type]
            for r in found.values()
        ]

    def _local(self, record: records.LocalRead | records.LocalOutOfBounds) -> tuple[Access, tuple[int, ...], int]:
        """The element of a local array, the array's extents, and the bytes per element; see local_arrays.py."""
        name, extents, item = LOCAL.fullmatch(record.local).groups()  # type: ignore[union-attr]
        shape = tuple(int(n) for n in extents.split(",") if n)
        array = ArrayInfo(name, 0, math.prod(shape) * int(item), shape, int(item), "local")
        index = array.index(record.offset)
        return replace(self.access(record.at), array=name, index=index, space="local"), shape, int(item)

    # -- what stopped the launch

    def stop(self, s: records.Stop) -> Finding:
        match s:
            case records.OutOfBounds():
                array = self.arrays[s.variable]
                outside = _bytes_outside(s, array.bytes)
                return OutOfBounds(accesses=self._element(s, s.owner), shape=array.shape, bytes_outside=outside)
            case records.EscapedPointer():
                owner = self.coordinates(s.owner, self.launch.grid)
                return EscapedPointer(accesses=self._element(s), owner=owner)
            case records.AbsentBlock():
                return AbsentBlock(accesses=self._element(s, s.owner))
            case records.WildAccess():
                return WildAccess(accesses=(self.access(s.at, action=s.action),), address=s.address)
            case records.IndexOutOfBounds():
                return self._index_out_of_bounds(s)
            case records.MisalignedAccess():
                return MisalignedAccess(accesses=self._element(s, s.owner), width=s.size, address_mod=s.modulo)
            case records.LocalOutOfBounds():
                place, shape, item = self._local(s)
                outside = _bytes_outside(s, math.prod(shape) * item)
                return OutOfBounds(accesses=(replace(place, action=s.action.name),), shape=shape, bytes_outside=outside)  # type: ignore[arg-type]
            case records.ReadOnlyWrite():
                return ReadOnlyWrite(accesses=self._element(s))
            case records.InvalidWarpMask():
                return InvalidWarpMask(accesses=self._at(s.at), mask=s.mask, lane=s.lane)
            case records.BarrierDivergence():
                return self._divergence(s)
            case records.ForbiddenCall():
                line, text = next(((a.line, a.text) for a in self._at(s.at)), (0, ""))
                return ForbiddenCode(
                    accesses=self._at(s.at),
                    construct="a system call",
                    line=line,
                    text=text,
                    reason=Refusal.SYSTEM_CALL,
                )
            case records.Trap():
                reason = s.assertion if s.assertion == "__trap()" else f"assertion failed: {s.assertion}"
                return Crash(accesses=self._at(s.at), reason=reason)
            case records.Spin():
                element = vars(s.element) if s.element else {}
                at = (self.access(s.at, **element),)
                return StepLimit(
                    accesses=at,
                    reason="unready" if s.unready else "spin",
                    expected=s.expected,
                    missing=s.missing,
                    missing_bytes=s.bytes,
                )
            case records.StepLimit():
                return StepLimit(accesses=self._at(s.at), reason=s.limit.name)  # type: ignore[arg-type]
            case records.Crash():
                return Crash(accesses=self._at(s.at), reason=s.reason)

    def _element(self, s: _OfElement, owner: int | None = None) -> tuple[Access, ...]:
        """The array access at which the launch stopped; of shared memory, with the block whose it is."""
        return (self.access(s.at, s.variable, s.offset, s.action, owner),)

    def _at(self, at: Location | None) -> tuple[Access, ...]:
        """The location of the thread that was running, if one was."""
        return (self.access(at),) if at else ()

    def _index_out_of_bounds(self, s: records.IndexOutOfBounds) -> Finding:
        """An index beyond one dimension of an array of known size, found before the address is computed."""
        place = self.access(s.at)
        text = self.lines[s.line - 1] if 0 < s.line <= len(self.lines) else ""
        word = re.match(r"\w+", text[s.column - 1 :])
        name = word.group() if word else ""
        extents = tuple(int(n) for n in re.findall(r"\[(\d{1,18})\]", s.type))
        array = next((a for a in self.arrays if a.name == name), None)
        space = array.space if array else "local"
        access = replace(place, line=s.line, text=text.strip(), array=name, index=(s.index,), space=space)
        return IndexOutOfBounds(
            accesses=(access,),
            shape=array.shape if array else extents,
            extent=extents[0] if extents else 0,
            dimension=len(array.shape) - len(extents) if array else 0,
        )

    def _divergence(self, s: records.BarrierDivergence) -> Finding:
        accesses = tuple(self.access(site.call or site.at) for site in s.sites)
        return BarrierDivergence(
            accesses=accesses,
            waiting=tuple(
                Waiting(
                    access.line,
                    access.text,
                    site.count,
                    site.function,
                    self.access(site.at).line if site.call else 0,
                )
                for access, site in zip(accesses, s.sites, strict=True)
            ),
            exited=s.exited,
            threads=s.threads,
            scope=s.scope.name,  # type: ignore[arg-type]
        )

    # -- counts

    def maximum_work(self, record: records.ThreadWork) -> MaximumWork:
        lines: Counter[int] = Counter()
        for at in record.sites:
            lines[self.info.line_of(at.site)] += at.uses
        line, at_line = min(lines.items(), key=lambda pair: (-pair[1], pair[0]))
        return MaximumWork(
            block=self.coordinates(record.block, self.launch.grid),
            thread=self.coordinates(record.thread, self.launch.block),
            uses=record.uses,
            line=line,
            at_line=at_line,
            text=self.text(line),
            together=record.together,
            shared_out=record.shared_out,
            blocks=record.blocks,
            global_loads=record.global_loads,
            global_atomics=record.global_atomics,
            loading=record.loading,
            storing=record.storing,
        )

    def observations(self, seen: list[records.Observation]) -> tuple[Observation, ...]:
        return tuple(Observation(r.observer, r.what, r.count, self.access(r.at)) for r in seen)

    def touched_shared(self, arrays: list[records.TouchedArray]) -> tuple[int, int]:
        """Bytes of the shared arrays of fixed size, and of the dynamic ones."""
        touched = [0, 0]
        for r in arrays:
            touched[self.arrays[r.variable].dynamic] += r.bytes
        return touched[0], touched[1]

    def traffic(self, sites: list[records.SiteTraffic]) -> tuple[LineTraffic, ...]:
        sums: dict[tuple[int, int, int], np.ndarray] = {}
        for r in sites:
            key = self.info.line_of(r.site), r.space, r.action
            sums[key] = sums.get(key, 0) + np.array([r.requests, r.units, r.conflicts, r.units_at_best])
        names = ("load", "store", "atomic")
        return tuple(
            LineTraffic(line, self.text(line), Space(space).name, names[action], *map(int, numbers))
            for (line, space, action), numbers in sorted(sums.items(), key=lambda item: item[0])
        )


def _bytes_outside(s: records.OutOfBounds | records.LocalOutOfBounds, size: int) -> int:
    """How far before an array of `size` bytes an access begins, or how far past its end it ends."""
    return int(-s.offset if s.offset < 0 else s.offset + s.size - size)


def _of_copy(race: Race, copy: Access | None, record: records.Race) -> Race:
    """Say in `race` that the asynchronous `copy`, if there is one, was still in flight."""
    if copy is None:
        return race
    return replace(race, unawaited=record.wait.name, copy_line=copy.line)  # type: ignore[arg-type]
