"""Mistakes of the host half in launches and streams, in words."""

from __future__ import annotations

from collections.abc import Mapping

from ..core.host_findings import HostFinding, HostKind
from ..core.launch import MAX_BLOCK, MAX_GRID
from . import children
from .about import AboutHost
from .host_memory import memory_of

_ASYNC = "A launch, and a copy that ends in Async, only puts work into a stream: the host goes on at once."
_ORDER = (
    "Operations of two streams run in any order, or at once, unless an event orders them: cudaEventRecord in the one, "
    "cudaStreamWaitEvent in the other."
)
_EARLY = (
    "A launch with cudaLaunchAttributeProgrammaticStreamSerialization may begin as soon as each block of the kernel "
    "before it has called cudaTriggerProgrammaticLaunchCompletion() or has ended, and even what was written before "
    "that call is there only after cudaGridDependencySynchronize(), which waits for the whole kernel."
)
_EDGES = (
    "Nodes of a graph run in any order, or at once, unless edges order them. A capture makes an edge of an event: "
    "cudaEventRecord in the one stream, cudaStreamWaitEvent in the other."
)


def _failed_launch(finding: HostFinding) -> tuple[str, str]:
    facts = finding.facts
    why, number = str(facts["why"]), int(facts["number"])
    if of_children := children.failed_launch(why, facts):
        return of_children
    if why == "attribute":
        return (
            f"cudaFuncSetAttribute asks for {number:,} bytes of shared memory in each block of {facts['name']}, and "
            f"the GPU has {int(facts['most']):,}.",
            "Use smaller tiles, or ask for cudaDevAttrMaxSharedMemoryPerBlockOptin first.",
        )
    reason = {
        "threads": f"a block has {number:,} threads, and at most 1,024 fit",
        "shared": f"each block asks for {number:,} bytes of shared memory, static and dynamic together",
        "cluster": f"its clusters have {number:,} blocks each",
        "not cooperative": "it waits for its whole grid, whose blocks need not all be on the GPU at once",
        "too many at once": f"not all of its {number:,} blocks fit on the GPU at once",
        "registers": f"each of its threads takes {number} registers, and there are not enough for so large a block",
        "stream": f"its stream belongs to GPU {number}, and GPU {facts.get('current')} is current",
        "no clusters": f"it has clusters of blocks, and the GPU has compute capability {number // 10}.{number % 10}",
    }.get(why) or _size(why, number)
    hint = {
        "threads": "A block has at most 1,024 threads in all, x times y times z: use a smaller block and a larger "
        "grid.",
        "shared": "A block gets at most 48 KB of shared memory, unless cudaFuncSetAttribute has allowed the kernel "
        "more dynamic memory (cudaFuncAttributeMaxDynamicSharedMemorySize), beside its own arrays.",
        "registers": "A multiprocessor has 65,536 registers: use a smaller block, or write __launch_bounds__(N) before "
        "the kernel's name, where N is the most threads of a block: the compiler then uses fewer of them.",
        "not cooperative": "Launch a kernel that calls grid.sync() with cudaLaunchCooperativeKernel.",
        "too many at once": "Ask cudaOccupancyMaxActiveBlocksPerMultiprocessor how many blocks fit on each "
        "multiprocessor, and let each thread do more.",
        "no clusters": "GPUs have clusters from compute capability 9.0 on: choose one with --gpu, and query "
        "cudaDevAttrComputeCapabilityMajor before such a launch.",
        "stream": "A stream belongs to the GPU that was current when it was created: call cudaSetDevice before the "
        "launch.",
        "cluster": "A cluster has at most 8 blocks, and along each axis the grid has a multiple of the cluster's.",
    }.get(
        why,
        "A grid has up to 2,147,483,647 blocks along x, and up to 65,535 along y and z; a block has up to 1,024 "
        "threads along x and y, and up to 64 along z.",
    )
    return f"The launch of {facts['name']} fails with {facts['error']}, and nothing runs: {reason}.", hint


def _size(which: str, number: int) -> str:
    """A grid's or a block's size along an axis, such as "grid y", that no launch can have."""
    what, axis = which.split()
    most = (MAX_GRID if what == "grid" else MAX_BLOCK)["xyz".index(axis)]
    parts = "blocks" if what == "grid" else "threads"
    limit = "at least 1" if number < 1 else f"at most {most:,}"
    return f"its {what} has {number:,} {parts} along {axis}, and must have {limit}"


def _unchecked(finding: HostFinding) -> tuple[str, str]:
    facts = finding.facts
    hint = "Check what each call returns, and call cudaGetLastError() after each launch."
    if facts["error"] == "cudaErrorInvalidDevice":
        hint += " The program sees one GPU, or as many as `--gpus` says."
    return f"{facts['function']} fails with {facts['error']}, and the program goes on as if nothing had happened.", hint


def _unsynchronized(finding: HostFinding) -> tuple[str, str]:
    if finding.facts["verb"] == "launches":
        return (
            "The program ends without waiting for this kernel: on a GPU, it may never have run.",
            f"{_ASYNC} Wait for it with cudaDeviceSynchronize(), and check what that returns.",
        )
    if finding.facts.get("why") == "pageable":
        return (
            "A copy reads pageable host memory that a function called by a stream has changed, and may read it before "
            "that function has run.",
            "Only pinned memory (cudaMallocHost) is read when the copy's turn comes in the stream: the driver may read "
            "other memory at once.",
        )
    return (
        f"The host {finding.facts['verb']} {memory_of(finding)} before the work that uses it is known to be over.",
        f"{_ASYNC} Before it uses the result, it must wait: cudaDeviceSynchronize(), cudaStreamSynchronize() or "
        "cudaEventSynchronize().",
    )


def _stream_race(finding: HostFinding) -> tuple[str, str]:
    if finding.facts.get("why") == "nodes":
        return f"Two nodes of a graph use {memory_of(finding)}, and no edge orders them.", _EDGES
    if finding.facts.get("why") == "early":
        return (
            f"A kernel uses {memory_of(finding)} before it has waited for an earlier kernel in its stream, which also "
            "uses it.",
            _EARLY,
        )
    if of_children := children.race(str(finding.facts.get("why")), memory_of(finding), finding.facts):
        return of_children
    return f"Two operations use {memory_of(finding)}, and nothing orders them.", _ORDER


def _untimed(finding: HostFinding) -> tuple[str, str]:
    return (
        "cudaEventElapsedTime is called before the second event is known to have completed.",
        "Wait for it with cudaEventSynchronize(), after it has been recorded.",
    )


HOST: Mapping[HostKind, AboutHost] = {
    HostKind.FAILED_LAUNCH: AboutHost("a launch that fails", _failed_launch, "launches"),
    HostKind.UNCHECKED_ERROR: AboutHost("an error that nobody checks", _unchecked, "fails"),
    HostKind.UNSYNCHRONIZED: AboutHost("a missing synchronization", _unsynchronized),
    HostKind.STREAM_RACE: AboutHost("a race between streams", _stream_race),
    HostKind.UNTIMED: AboutHost("a time that is requested too early", _untimed, "asks"),
}
