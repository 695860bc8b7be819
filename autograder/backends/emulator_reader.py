"""Reads the emulator's answer: its places (variable, offset, code address) become names, indices, lines."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from ..findings import Access, Dim3, Finding, Kind
from ..launch import Launch
from ..module_info import ArrayInfo, ModuleInfo
from ..run import TRACE_DTYPE, Trace

_ACTIONS = ("read", "write", "atomic")
_SCOPES = ("warp", "block", "grid")
# The runner's TraceEvent, see emulator/observers/trace.h.
EVENT = np.dtype(
    [("step", "<u8"), ("block", "<u4"), ("thread", "<u4"), ("action", "<u4"), ("array", "<i4"),
     ("offset", "<u8"), ("site", "<u4"), ("padding", "<u4")]
)  # fmt: skip


class Reader:
    """Turns the runner's places (variable, offset, code address) into names, indices and lines."""

    def __init__(self, launch: Launch, info: ModuleInfo, arrays: list[ArrayInfo]) -> None:
        self.launch, self.info, self.arrays = launch, info, arrays
        self.lines = launch.source.split("\n")

    def text(self, line: int) -> str:
        return self.lines[line - 1].strip() if 0 < line <= len(self.lines) else ""

    def coordinates(self, linear: int, extent: Dim3) -> Dim3:
        return linear % extent[0], linear // extent[0] % extent[1], linear // (extent[0] * extent[1])

    def access(self, raw: Any, variable: int = -1, offset: int = 0, action: int | None = None) -> Access:
        line = self.info.line_of(raw["site"])
        array = self.arrays[variable] if variable >= 0 else None
        return Access(
            block=self.coordinates(raw["block"], self.launch.grid),
            thread=self.coordinates(raw["thread"], self.launch.block),
            line=line,
            text=self.text(line),
            action=None if action is None else _ACTIONS[action],  # type: ignore[arg-type]
            array=array.name if array else "",
            index=array.index(offset) if array else (),
            space=array.space if array else None,  # type: ignore[arg-type]
        )

    # -- races and uninitialized reads: the launch goes on

    def races(self, records: list[Any]) -> list[Finding]:
        """One finding for each pair of lines; the threads that are furthest apart stand for all."""
        merged: dict[tuple[object, ...], Finding] = {}
        for r in sorted(records, key=lambda r: _SCOPES.index(self._scope(r["first"], r["second"])), reverse=True):
            first = self.access(r["first"], r["variable"], r["offset"], r["first"]["action"])
            second = self.access(r["second"], r["variable"], r["offset"], r["second"]["action"])
            scope = self._scope(r["first"], r["second"])
            key = (first.line, second.line, first.action, second.action, r["variable"])
            # Several instructions of one line pair see the same elements: the largest count is theirs.
            known = merged.get(key)
            if known:
                count = max(known.count, r["count"])
                same = known.detail["same_value"] and r["same_value"]
                merged[key] = Finding(Kind.RACE, known.accesses, count, {**known.detail, "same_value": same})
                continue
            atomic = "atomic" in (first.action, second.action)
            reads = (first.action == "read", second.action == "read")
            hazard = {(True, False): "write-after-read", (False, True): "read-after-write"}.get(
                reads, "write-after-write"
            )
            detail = {"hazard": hazard, "scope": scope, "same_value": r["same_value"], "atomic": atomic}
            merged[key] = Finding(Kind.RACE, (first, second), r["count"], detail)
        return list(merged.values())

    def _scope(self, a: Any, b: Any) -> str:
        if a["block"] != b["block"]:
            return "grid"
        return "warp" if a["thread"] // 32 == b["thread"] // 32 else "block"

    def uninitialized(self, records: list[Any]) -> list[Finding]:
        merged: dict[tuple[int, int], Finding] = {}
        for r in records:  # an element is counted at one instruction only, so a line's counts add up
            access = self.access(r, r["variable"], r["offset"], 0)
            key = (access.line, r["variable"])
            known = merged.get(key, Finding(Kind.UNINITIALIZED_READ, (access,), 0))
            merged[key] = Finding(known.kind, known.accesses, known.count + r["count"])
        return list(merged.values())

    # -- what stopped the launch

    def stop(self, s: Any) -> Finding:
        at = s["accesses"][0] if s.get("accesses") else None
        match s["kind"]:
            case "OutOfBounds":
                return self._out_of_bounds(s, at)
            case "IndexOutOfBounds":
                return self._index_out_of_bounds(s, at)
            case "MisalignedAccess":
                place = self.access(at, s["variable"], s["offset"], s["action"])
                return Finding(
                    Kind.MISALIGNED_ACCESS, (place,), detail={"width": s["size"], "address_mod": s["modulo"]}
                )
            case "InvalidWarpMask":
                return Finding(
                    Kind.INVALID_WARP_MASK, (self.access(at),), detail={"mask": s["mask"], "lane": s["lane"]}
                )
            case "BarrierDivergence":
                return self._divergence(s)
            case "ForbiddenCall":
                place = self.access(at)
                detail = {"construct": "a system call", "line": place.line, "text": place.text,
                          "reason": "reaches outside the kernel"}  # fmt: skip
                return Finding(Kind.FORBIDDEN_CODE, (place,), detail=detail)
            case "Trap":
                reason = "__trap()" if s["reason"] == "__trap()" else f"assertion failed: {s['reason']}"
                return Finding(Kind.CRASH, (self.access(at),), detail={"reason": reason})
            case kind:
                accesses = (self.access(at),) if at else ()
                return Finding(Kind(kind), accesses, detail={"reason": s["reason"]})

    def _out_of_bounds(self, s: Any, at: Any) -> Finding:
        if s["variable"] < 0:
            return Finding(
                Kind.OUT_OF_BOUNDS, (self.access(at, action=s["action"]),),
                detail={"shape": (), "bytes_outside": 0, "null": s["null"]},
            )  # fmt: skip
        array = self.arrays[s["variable"]]
        outside = -s["offset"] if s["offset"] < 0 else s["offset"] + s["size"] - array.bytes
        detail = {"shape": array.shape, "bytes_outside": outside, "null": False}
        return Finding(Kind.OUT_OF_BOUNDS, (self.access(at, s["variable"], s["offset"], s["action"]),), detail=detail)

    def _index_out_of_bounds(self, s: Any, at: Any) -> Finding:
        """An index outside one dimension of an array of known size, found before the address is made."""
        place = self.access(at)
        text = self.lines[s["line"] - 1] if 0 < s["line"] <= len(self.lines) else ""
        word = re.match(r"\w+", text[s["column"] - 1 :])
        name = word.group() if word else ""
        extents = tuple(int(n) for n in re.findall(r"\[(\d+)\]", s["type"]))
        array = next((a for a in self.arrays if a.name == name), None)
        detail = {
            "shape": array.shape if array else extents,
            "bytes_outside": 0,
            "null": False,
            "extent": extents[0] if extents else 0,
            "dimension": len(array.shape) - len(extents) if array else 0,
        }
        space = array.space if array else "local"
        access = Access(place.block, place.thread, s["line"], text.strip(), None, name, (s["index"],), space)  # type: ignore[arg-type]
        return Finding(Kind.OUT_OF_BOUNDS, (access,), detail=detail)

    def _divergence(self, s: Any) -> Finding:
        accesses = tuple(self.access(site["thread"]) for site in s["sites"])
        waiting = tuple((a.line, a.text, site["count"]) for a, site in zip(accesses, s["sites"], strict=True))
        scope = "warp" if any(site["warp"] for site in s["sites"]) else "block"
        detail = {"waiting": waiting, "exited": s["exited"], "threads": s["threads"], "scope": scope}
        return Finding(Kind.BARRIER_DIVERGENCE, accesses, detail=detail)

    # -- the trace

    def trace(self, raw: np.ndarray) -> Trace:
        out = np.zeros(len(raw), TRACE_DTYPE)
        for field in ("step", "block", "thread", "action", "array"):
            out[field] = raw[field]
        items = np.array([a.item for a in self.arrays] + [1])  # the last one for events without array: -1
        out["index"] = raw["offset"] // items[raw["array"]]
        sites, inverse = np.unique(raw["site"], return_inverse=True)
        out["line"] = np.array([self.info.line_of(int(s)) for s in sites], np.int32)[inverse] if len(raw) else 0
        return Trace(out, tuple(a.name for a in self.arrays))
