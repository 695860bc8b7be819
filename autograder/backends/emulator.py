"""Runs a launch on the CPU emulator: one sandboxed process for each launch."""

from __future__ import annotations

import json
import mmap
import os
import re
import struct
import subprocess
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import GraderFault, UsageError
from ..findings import Access, Dim3, Finding, Kind
from ..launch import MAX_SHARED, Launch
from ..module_info import ArrayInfo, ModuleInfo
from ..run import TRACE_DTYPE, Counts, Run, Trace
from ..toolchain import Module, build_runtime, compile_kernel

#: Accesses of one thread between two barriers; the course's longest kernel makes some thousands.
MAX_STEPS = 50_000_000
#: Processor time of a launch. Beyond it the kernel is taken to be endless.
CPU_SECONDS = 20
#: Real time after which a runner that does not answer is ended: then something is wrong with us.
WALL_SECONDS = 180
TRACE_EVENTS = 2_000_000
MAX_BYTES = 1 << 30

_MAGIC = 0x33554D4541445543
_SPACES = ("global", "shared", "device", "local")
_ACTIONS = ("read", "write", "atomic")
# The runner's TraceEvent, see emulator/observers/trace.h.
_EVENT = np.dtype(
    [("step", "<u8"), ("block", "<u4"), ("thread", "<u4"), ("action", "<u4"), ("array", "<i4"),
     ("offset", "<u8"), ("site", "<u4"), ("padding", "<u4")]
)  # fmt: skip


@dataclass(frozen=True)
class _Array:
    """An array as findings name it. `start` is where the runner finds it."""

    name: str
    start: int
    bytes: int
    shape: tuple[int, ...]
    item: int
    space: str
    dynamic: bool = False

    def index(self, offset: int) -> tuple[int, ...]:
        """The element at a byte offset, by dimension; outside, the first number goes out of range."""
        if not self.shape:
            return ()
        flat = offset // self.item
        out = []
        for extent in reversed(self.shape[1:]):
            out.append(flat % extent if extent else 0)
            flat //= extent or 1
        return (flat, *reversed(out))


def run(launch: Launch, *, trace: bool = False) -> Run:
    """Emulate `launch`.

    Raises:
        UsageError: the launch does not fit this kernel or this machine.
        GraderFault: the emulator itself failed.
    """
    module = compile_kernel(launch.source, launch.name)
    if isinstance(module, Finding):
        return Run(outputs=launch.arrays, findings=(module,), completed=False)
    if module.info.static_shared + launch.shared_mem > MAX_SHARED:
        raise UsageError(
            f"The kernel's arrays ({module.info.static_shared} bytes) and shared_mem={launch.shared_mem} are "
            f"more than the {MAX_SHARED} bytes of shared memory that a block can have: use smaller tiles."
        )
    arrays, size = _place(launch, module.info)
    with _File("arena", size) as arena, _File("trace", TRACE_EVENTS * _EVENT.itemsize if trace else 0) as events:
        with mmap.mmap(arena.fd, size) as memory:
            outputs = list(zip(arrays, launch.arrays, strict=False))
            for at, array in outputs:
                memory[at.start : at.start + array.nbytes] = array.tobytes()
            answer = _answer(module, _request(launch, module.info, arrays, trace), arena.fd, events.fd)
            after = tuple(
                np.frombuffer(memory[at.start : at.start + a.nbytes], a.dtype).reshape(a.shape).copy()
                for at, a in outputs
            )
        reader = _Reader(launch, module.info, arrays)
        stops = [reader.stop(stop) for stop in answer["stop"]]
        recorded = None
        if trace:
            raw = os.pread(events.fd, answer["traced"] * _EVENT.itemsize, 0)
            recorded = reader.trace(np.frombuffer(raw, _EVENT))
    findings = [*reader.races(answer["races"]), *reader.uninitialized(answer["uninitialized"]), *stops]
    return Run(
        outputs=after,
        findings=tuple(findings),
        counts=Counts(*answer["counts"]),
        completed=not stops,
        printed=answer["printed"],
        trace=recorded,
    )


# ---- asking the runner --------------------------------------------------------------------------------


def _place(launch: Launch, info: ModuleInfo) -> tuple[list[_Array], int]:
    """Where each array of the launch goes in the arena, followed by the module's own arrays; and the
    arena's size. The gaps are wide, so that a wrong index falls into one and not into another array."""
    total = sum(a.nbytes for a in launch.arrays)
    if total > MAX_BYTES:
        raise UsageError(
            f"The arrays take {total} bytes, more than the {MAX_BYTES} that the emulator can watch: use smaller ones."
        )
    names = [p.name for p, a in zip(launch.signature.parameters, launch.args, strict=True) if isinstance(a, np.ndarray)]
    items = [p.dtype.itemsize if p.dtype is not None else a.itemsize
             for p, a in zip(launch.signature.parameters, launch.args, strict=True) if isinstance(a, np.ndarray)]  # fmt: skip
    gap = min(64 << 20, (1 << 30) // (len(names) + 1)) & ~4095
    out, at = [], gap
    for name, item, array in zip(names, items, launch.arrays, strict=True):
        out.append(_Array(name, at, array.nbytes, (array.nbytes // item,), item, "global"))
        at = (at + array.nbytes + gap + 4095) & ~4095
    own = [_own(a, launch.shared_mem) for a in info.arrays]
    return out + own, at


def _own(array: ArrayInfo, shared_mem: int) -> _Array:
    if array.dynamic:
        return _Array(array.name, array.start, shared_mem, (shared_mem // array.item,), array.item, "shared", True)
    return _Array(array.name, array.start, array.bytes, array.shape, array.item, array.space)


def _request(launch: Launch, info: ModuleInfo, arrays: list[_Array], trace: bool) -> bytes:
    """The launch as the runner's `Request`, see emulator/runtime.h."""
    variables = b"".join(
        struct.pack("<QQII", a.start, a.bytes, _SPACES.index(a.space), a.dynamic) for a in arrays
    )
    arguments, blob, next_array = b"", b"", 0
    for arg in launch.args:
        blob += bytes(-len(blob) % 16)
        pointer = isinstance(arg, np.ndarray)
        data = bytes(8) if pointer else arg.tobytes()
        arguments += struct.pack("<QQq", len(blob), len(data), next_array if pointer else -1)
        next_array += pointer
        blob += data
    head = struct.pack(
        "<17Q", _MAGIC, *launch.grid, *launch.block, launch.shared_mem, MAX_STEPS, CPU_SECONDS * 1000,
        TRACE_EVENTS if trace else 0, *info.data, info.image, len(arrays), len(launch.args), len(blob),
    )  # fmt: skip
    return head + variables + arguments + blob


class _File:
    """An anonymous file in memory."""

    def __init__(self, name: str, size: int) -> None:
        self.fd = os.memfd_create(name)
        os.ftruncate(self.fd, size)

    def __enter__(self) -> _File:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self.fd)



def _answer(module: Module, request: bytes, arena: int, events: int) -> Any:
    with _File("request", 0) as asked:
        os.write(asked.fd, request)
        return _launch_runner(module, asked.fd, arena, events)


def _launch_runner(module: Module, request: int, arena: int, events: int) -> Any:
    with _File("result", 0) as result:
        command = [str(build_runtime().runner), str(module.path), str(request), str(arena), str(events), str(result.fd)]
        try:
            done = subprocess.run(
                command, pass_fds=(request, arena, events, result.fd), stdin=subprocess.DEVNULL,
                capture_output=True, text=True, errors="replace", env={}, cwd="/", timeout=WALL_SECONDS, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            raise GraderFault(f"The emulator did not answer within {WALL_SECONDS} seconds: run this again.") from None
        if done.returncode == 2 and done.stderr.startswith("argument"):
            raise UsageError(f"The launch does not fit the kernel: {done.stderr.strip()}.")
        if done.returncode == 5:
            raise GraderFault(
                "This machine cannot close the emulator's sandbox (seccomp), and untrusted code is not run without it."
            )
        if done.returncode:
            raise GraderFault(f"The emulator ended with status {done.returncode}: {done.stderr.strip()[-500:]}")
        size = os.fstat(result.fd).st_size
        return json.loads(os.pread(result.fd, size, 0))


# ---- reading its answer ---------------------------------------------------------------------------------


class _Reader:
    """Turns the runner's places (variable, offset, code address) into names, indices and lines."""

    def __init__(self, launch: Launch, info: ModuleInfo, arrays: list[_Array]) -> None:
        self.launch, self.info, self.arrays = launch, info, arrays
        self.lines = launch.source.splitlines()

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
        merged: dict[tuple[object, ...], Finding] = {}
        for r in records:
            first = self.access(r["first"], r["variable"], r["offset"], r["first"]["action"])
            second = self.access(r["second"], r["variable"], r["offset"], r["second"]["action"])
            scope = self._scope(r["first"], r["second"])
            key = (first.line, second.line, first.action, second.action, r["variable"], scope)
            # Several instructions of one line pair see the same elements: the largest count is theirs.
            known = merged.get(key)
            if known:
                count = max(known.count, r["count"])
                same = known.detail["same_value"] and r["same_value"]
                merged[key] = Finding(
                    Kind.RACE, known.accesses, count, {**known.detail, "same_value": same}
                )
                continue
            atomic = "atomic" in (first.action, second.action)
            reads = (first.action == "read", second.action == "read")
            hazard = {(True, False): "write-after-read", (False, True): "read-after-write"}.get(reads, "write-after-write")
            detail = {"hazard": hazard, "scope": scope, "same_value": r["same_value"], "atomic": atomic}
            merged[key] = Finding(Kind.RACE, (first, second), r["count"], detail)
        return list(merged.values())

    def _scope(self, a: Any, b: Any) -> str:
        if a["block"] != b["block"]:
            return "grid"
        return "warp" if a["thread"] // 32 == b["thread"] // 32 else "block"

    def uninitialized(self, records: list[Any]) -> list[Finding]:
        return [
            Finding(Kind.UNINITIALIZED_READ, (self.access(r, r["variable"], r["offset"], 0),), r["count"])
            for r in records
        ]

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
                return Finding(Kind.MISALIGNED_ACCESS, (place,), detail={"width": s["size"], "address_mod": s["modulo"]})
            case "InvalidWarpMask":
                return Finding(Kind.INVALID_WARP_MASK, (self.access(at),), detail={"mask": s["mask"], "lane": s["lane"]})
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
                detail={"shape": (), "bytes_outside": 0, "neighbour": "", "null": s["null"]},
            )  # fmt: skip
        array = self.arrays[s["variable"]]
        outside = -s["offset"] if s["offset"] < 0 else s["offset"] + s["size"] - array.bytes
        detail = {"shape": array.shape, "bytes_outside": outside, "neighbour": "", "null": False}
        return Finding(Kind.OUT_OF_BOUNDS, (self.access(at, s["variable"], s["offset"], s["action"]),), detail=detail)

    def _index_out_of_bounds(self, s: Any, at: Any) -> Finding:
        """An index outside one dimension of an array of known size, found before the address is made."""
        place = self.access(at)
        text = self.lines[s["line"] - 1] if 0 < s["line"] <= len(self.lines) else ""
        word = re.match(r"\w+", text[s["column"] - 1 :])
        name = word.group() if word else ""
        extents = tuple(int(n) for n in re.findall(r"\[(\d+)\]", s["type"]))
        array = next((a for a in self.arrays if a.name == name), None)
        detail = {"shape": array.shape if array else extents, "bytes_outside": 0, "neighbour": "", "null": False,
                  "extent": extents[0] if extents else 0, "dimension": len(array.shape) - len(extents) if array else 0}  # fmt: skip
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
