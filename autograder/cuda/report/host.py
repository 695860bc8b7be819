"""Mistakes of a program's host half, in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..core.host_findings import HostFinding, HostKind, Place
from ..core.launch import MAX_BLOCK, MAX_GRID
from . import children, libraries
from .layout import Report
from .parts import Part, Row
from .vocabulary import count, printable

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


#: What each kind is called where there is room for no more.
HOST_TERMS: Mapping[HostKind, str] = {
    HostKind.COPY_OUT_OF_BOUNDS: "a copy out of bounds",
    HostKind.WRONG_DIRECTION: "a copy in the wrong direction",
    HostKind.USE_AFTER_FREE: "a use of freed memory",
    HostKind.INVALID_FREE: "an invalid free",
    HostKind.LEAK: "memory that nothing frees",
    HostKind.OUT_OF_MEMORY: "more memory than the emulated GPU has",
    HostKind.HOST_POINTER: "a pointer to the host's memory in a kernel",
    HostKind.DEVICE_POINTER: "a pointer to the GPU's memory on the host",
    HostKind.PEER_POINTER: "a pointer to another GPU's memory in a kernel",
    HostKind.FAILED_LAUNCH: "a launch that fails",
    HostKind.UNCHECKED_ERROR: "an error that nobody checks",
    HostKind.UNSYNCHRONIZED: "a missing synchronization",
    HostKind.STREAM_RACE: "a race between streams",
    HostKind.UNTIMED: "a time that is requested too early",
    HostKind.HOST_CRASH: "a crash of the host code",
    HostKind.STOPPED: "a program that takes too much",
    HostKind.INVALID_ARGUMENT: "a call that a library refuses",
    HostKind.OUT_OF_BOUNDS: "an access out of bounds",
    HostKind.UNINITIALIZED: "an uninitialized read",
    HostKind.PARTLY_COPIED: "a variable on the GPU that is copied in part",
}

#: The check of a whole program that tells each kind; `matches_numpy` tells how a program ends. (An answer calls no
#: library, and sees one GPU; of variables that are copied in part, the numbers tell.)
HOST_CHECKS: Mapping[HostKind, str] = {
    HostKind.COPY_OUT_OF_BOUNDS: "stays_in_bounds",
    HostKind.WRONG_DIRECTION: "uses_pointers_where_they_belong",
    HostKind.HOST_POINTER: "uses_pointers_where_they_belong",
    HostKind.DEVICE_POINTER: "uses_pointers_where_they_belong",
    HostKind.USE_AFTER_FREE: "frees_its_memory",
    HostKind.INVALID_FREE: "frees_its_memory",
    HostKind.LEAK: "frees_its_memory",
    HostKind.OUT_OF_MEMORY: "matches_numpy",
    HostKind.FAILED_LAUNCH: "notices_errors",
    HostKind.UNCHECKED_ERROR: "notices_errors",
    HostKind.UNSYNCHRONIZED: "waits_for_the_gpu",
    HostKind.UNTIMED: "waits_for_the_gpu",
    HostKind.STREAM_RACE: "orders_its_streams",
    HostKind.HOST_CRASH: "matches_numpy",
    HostKind.STOPPED: "matches_numpy",
}


def tell_host(finding: HostFinding, main: str) -> Report:
    """The report on a finding in a program whose file is called `main`."""
    sentence, hint = _TELL[finding.kind](finding)
    last = _VERBS.get(finding.kind) or str(finding.facts.get("verb") or finding.facts.get("what", ""))
    rows = [(verb, place) for verb, place in [*finding.others, (last, finding.place)] if place.line]
    parts: list[Part] = [sentence]
    if rows:
        said = [f"{verb}{'' if place.file == main else f', {place.file}'}" for verb, place in rows]
        width = max(map(len, said))
        parts[0] = sentence.rstrip(".") + ":"
        parts.append(tuple(_row(f"{who:{width}}", place) for who, (_, place) in zip(said, rows, strict=True)))
    if finding.count > 1:
        parts.append(f"This happened {finding.count} times at these lines.")
    return Report(str(finding.kind), "", tuple(parts), hint)


def _row(who: str, place: Place) -> Row:
    return Row(who, place.line, printable(place.text))


_VERBS = {
    HostKind.LEAK: "allocates",
    HostKind.OUT_OF_MEMORY: "allocates",
    HostKind.USE_AFTER_FREE: "uses",
    HostKind.INVALID_FREE: "frees",
    HostKind.FAILED_LAUNCH: "launches",
    HostKind.HOST_POINTER: "launches",
    HostKind.PEER_POINTER: "launches",
    HostKind.UNTIMED: "asks",
    HostKind.UNCHECKED_ERROR: "fails",
    HostKind.WRONG_DIRECTION: "copies",
    HostKind.STOPPED: "calls last",
    HostKind.INVALID_ARGUMENT: "calls",
    HostKind.UNINITIALIZED: "reads",
    HostKind.PARTLY_COPIED: "copies",
}


def _memory(finding: HostFinding) -> str:
    return str(finding.facts.get("name") or "memory on the GPU")


def _copy_out_of_bounds(finding: HostFinding) -> tuple[str, str]:
    facts = finding.facts
    if facts["why"] == "unknown":
        return (
            f"{facts['function']} {facts['verb']} {facts['bytes']:,} bytes where nothing is allocated on the GPU.",
            "A pointer to the GPU's memory comes from cudaMalloc, and must lie within what was allocated.",
        )
    if facts["why"] == "host":
        return (
            f"{facts['function']} {facts['verb']} {facts['bytes']:,} bytes of the host's memory, where only "
            f"{facts['room']:,} are allocated.",
            "Sizes are in bytes: the number of elements times sizeof of one. The arrays on both sides of a copy must "
            "have them all, on the host as on the GPU.",
        )
    where = f", from byte {facts['offset']:,} on" if facts["offset"] else ""
    return (
        f"{facts['function']} {facts['verb']} {facts['bytes']:,} bytes of {_memory(finding)}{where}, which has "
        f"{facts['size']:,} bytes.",
        "Sizes are in bytes: the number of elements times sizeof of one. Compare it with the size that was allocated.",
    )


def _wrong_direction(finding: HostFinding) -> tuple[str, str]:
    facts = finding.facts
    name, function = facts["name"], facts["function"]
    if facts["why"] == "device":
        return (
            f"{function} gets GPU {facts['given']} for {name or 'memory'}, which is memory of GPU {facts['owner']}.",
            "Each pointer is followed by the number of the GPU where it was allocated: the one that was current then.",
        )
    given = f"{function} with {facts['direction']}" if facts["direction"] else str(function)
    if variable := facts.get("variable"):
        return (
            f"{given} gets {variable}, which is not an address in the GPU's memory when the host uses it.",
            f"{variable} is a variable on the GPU: cudaMemcpyToSymbol copies to it, and cudaMemcpyFromSymbol from it.",
        )
    if facts["why"] == "host":
        what = f"{given} goes {facts['side']} the GPU's memory, but the pointer is the host's"
    else:
        what = f"{given} goes {facts['side']} the host's memory, but {name or 'the pointer'} is on the GPU"
    return f"{what}.", "The destination comes first, then the source; the direction says where each of them lies."


def _use_after_free(finding: HostFinding) -> tuple[str, str]:
    facts, name = finding.facts, _memory(finding)
    by = {
        "kernel": f"The kernel {facts['function']} uses {name}",
        "call": f"{facts['function']} uses {name}",
        "host": f"The host uses {name}",
    }[str(facts["why"])]
    if facts["state"] == "unlaunched":
        return f"{by}, which no launch of its graph has allocated.", (
            "Memory of a graph has its address from its node on, and is there once the graph has been launched."
        )
    return f"{by}, which has been freed.", "Free memory only once nothing will use it any more."


def _invalid_free(finding: HostFinding) -> tuple[str, str]:
    facts = finding.facts
    name, function = facts["name"] or "the pointer", facts["function"]
    why = {
        "twice": f"{function} frees {name}, which has been freed already.",
        "inside": f"{function} gets a pointer into {name}, and not the one that was allocated.",
        "unknown": f"{function} gets a pointer that nothing was allocated at.",
        "pinned": f"{function} frees {name}, which is memory of the host.",
        "device": f"{function} frees {name}, which is memory of the GPU.",
        "managed": f"{function} frees {name}, which is managed memory.",
        "variable": f"{function} frees {name}, which is a variable.",
        "unlaunched": f"{function} frees {name}, which no launch of its graph has allocated.",
        "node": f"{function} frees {name}, which another node of the graph frees already.",
        "elsewhere": f"{function} frees {name}, which would be freed both by its own graph and by another.",
    }[str(facts["why"])]
    return why, (
        "Each pointer is freed once, by the function that belongs to the one that allocated it: cudaFree for "
        "cudaMalloc and cudaMallocManaged, cudaFreeHost for cudaMallocHost and cudaHostAlloc."
    )


def _leak(finding: HostFinding) -> tuple[str, str]:
    total, reset = int(finding.facts["bytes"]), finding.facts["why"] == "reset"
    when = "cudaDeviceReset takes the GPU's memory away" if reset else "The program ends"
    return (
        f"{when}, and nothing has freed {_memory(finding)} ({total:,} bytes).",
        "Free what you allocate, even where the program ends early.",
    )


def _out_of_memory(finding: HostFinding) -> tuple[str, str]:
    facts = finding.facts
    return (
        f"{facts['function']} asks for {facts['bytes']:,} bytes, and the emulated GPU has {facts['most']:,} in all, by "
        "the size of this machine's memory. A real one has more.",
        "Run the program with less data. Without --all, the emulated GPU has more.",
    )


def _host_pointer(finding: HostFinding) -> tuple[str, str]:
    if finding.facts.get("why") == "library":
        return libraries.tell_host_pointer(finding)
    if not finding.facts["name"]:
        return (
            f"The kernel {finding.facts['function']} follows a pointer to the host's memory, which it has found in "
            "memory, as in a member of a struct.",
            "A copy of a struct, or of an array of pointers, has the host's addresses: allocate what they point to on "
            "the GPU, too, and copy there the pointers that cudaMalloc gives.",
        )
    return (
        f"The kernel {finding.facts['function']} gets a pointer to the host's memory for {finding.facts['name']}, and "
        "uses it.",
        "A kernel can only use memory that cudaMalloc, cudaMallocManaged or cudaMallocHost has given: copy the data "
        "there.",
    )


def _device_pointer(finding: HostFinding) -> tuple[str, str]:
    return (
        f"The host {finding.facts['verb']} {_memory(finding)}, which lies on the GPU, and the program crashes.",
        "The host cannot follow a pointer to the GPU's memory: copy the data to the host first.",
    )


def _peer_pointer(finding: HostFinding) -> tuple[str, str]:
    facts = finding.facts
    who = f"The kernel {facts['function']}" if facts["why"] == "kernel" else str(facts["function"])
    name = facts["name"] or "memory"
    allowed = (
        f"cudaDeviceEnablePeerAccess({facts['owner']}, 0), while GPU {facts['current']} is current, allows that, if "
        "cudaDeviceCanAccessPeer says that it is possible"
    )
    if facts["allows"] == "cudaMemPoolSetAccess":
        allowed = f"For memory of cudaMallocAsync, cudaMemPoolSetAccess on the pool of GPU {facts['owner']} allows that"
    return (
        f"{who} runs on GPU {facts['current']} and uses {name}, which is memory of GPU {facts['owner']}, without "
        "access to it.",
        f"{allowed}. Otherwise, copy the data: cudaMemcpyPeer.",
    )


def _failed_launch(finding: HostFinding) -> tuple[str, str]:
    facts = finding.facts
    why, number = str(facts["why"]), int(facts["number"])
    if said := children.failed_launch(why, facts):
        return said
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
        "not cooperative": "A kernel that calls grid.sync() is launched by cudaLaunchCooperativeKernel.",
        "too many at once": "Ask cudaOccupancyMaxActiveBlocksPerMultiprocessor how many blocks fit on each "
        "multiprocessor, and let each thread do more.",
        "no clusters": "GPUs have clusters from compute capability 9.0 on: choose one by --gpu, and ask for the GPU's "
        "(cudaDevAttrComputeCapabilityMajor) before such a launch.",
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
    return f"its {what} has {number:,} {parts} along {axis}, and {limit} can be"


def _unchecked(finding: HostFinding) -> tuple[str, str]:
    facts = finding.facts
    hint = "Look at what each call returns, and ask for cudaGetLastError() after each launch."
    if facts["error"] == "cudaErrorInvalidDevice":
        hint += " The program sees one GPU, or as many as `--gpus` says."
    return f"{facts['function']} fails with {facts['error']}, and the program goes on as if nothing had happened.", hint


def _partly_copied(finding: HostFinding) -> tuple[str, str]:
    facts = finding.facts
    more = f" and {count(int(facts['more']), 'more element')}" if facts["more"] else ""
    return (
        f"The kernel {facts['kernel']} reads zero in {facts['element']}{more}, since {facts['function']} has copied "
        f"only the first {facts['bytes']:,} of the {facts['size']:,} bytes of {facts['name']}.",
        "The size is in bytes: the number of elements times sizeof of one. CUDA sets to zero what nothing has written "
        "of a variable on the GPU, so if you want zeros there, all is well.",
    )


def _unsynchronized(finding: HostFinding) -> tuple[str, str]:
    if finding.facts["verb"] == "launches":
        return (
            "The program ends without waiting for this kernel: on a GPU, it may never have run.",
            f"{_ASYNC} Wait for it by cudaDeviceSynchronize(), and look at what that returns.",
        )
    if finding.facts.get("why") == "pageable":
        return (
            "A copy reads memory of the host's own which a function that a stream calls has changed, and may read it "
            "before that function has run.",
            "Only pinned memory (cudaMallocHost) is read when the copy's turn comes in the stream: the driver may read "
            "other memory at once.",
        )
    return (
        f"The host {finding.facts['verb']} {_memory(finding)} before the work that uses it is known to be over.",
        f"{_ASYNC} Before it uses the result, it has to wait: cudaDeviceSynchronize(), cudaStreamSynchronize() or "
        "cudaEventSynchronize().",
    )


def _stream_race(finding: HostFinding) -> tuple[str, str]:
    if finding.facts.get("why") == "nodes":
        return f"Two nodes of a graph use {_memory(finding)}, and no edge orders them.", _EDGES
    if finding.facts.get("why") == "early":
        return (
            f"A kernel uses {_memory(finding)} before it has waited for a kernel before it in its stream, which uses "
            "it, too.",
            _EARLY,
        )
    if said := children.race(str(finding.facts.get("why")), _memory(finding), finding.facts):
        return said
    return f"Two operations use {_memory(finding)}, and nothing orders them.", _ORDER


def _untimed(finding: HostFinding) -> tuple[str, str]:
    return (
        "cudaEventElapsedTime is asked before the second event is known to have happened.",
        "Wait for it by cudaEventSynchronize(), after it has been recorded.",
    )


def _crash(finding: HostFinding) -> tuple[str, str]:
    facts = finding.facts
    signal, verb = str(facts["signal"]), facts["verb"]
    if signal == "SIGFPE":
        return (
            "The host divides an integer by 0, or with a result that does not fit, and the program ends (SIGFPE).",
            "Look at the divisor before the division.",
        )
    if signal in ("SIGSEGV", "SIGBUS") and verb:
        if facts["null"]:
            return (
                f"The host {verb} through a null pointer, and the program ends ({signal}).",
                "Look where it comes from: malloc returns a null pointer for too large a size, and fopen for a file "
                "that it may not open.",
            )
        where = f"The host {verb} where there is no memory, and the program ends ({signal})."
        return where, "Run the host code in a debugger."
    if signal == "SIGSEGV":  # what tells the place needs some stack itself
        return (
            "The program ended by SIGSEGV, most likely because its stack is full.",
            "Look for a recursion that does not end, and for large arrays within functions.",
        )
    if signal == "SIGABRT":
        return (
            "The program ended by SIGABRT, as it does by an exception that nothing catches, by abort() and by a failed "
            "assert().",
            "What it wrote to standard error says more.",
        )
    if signal == "SIGKILL":
        return "The program was killed (SIGKILL).", "The system kills programs when its memory is full."
    return f"The program ended by {signal}.", "Run the host code in a debugger."


def _stopped(finding: HostFinding) -> tuple[str, str]:
    why, hint = {
        "seconds": (
            "it and its kernels have computed for many seconds, and it has not ended",
            "Look for a loop that does not end, or that launches far too often.",
        ),
        "silent": (
            "for many seconds, it has neither called CUDA nor ended",
            "Look for a loop on the host that does not end, and for calls that wait or sleep.",
        ),
        "printed": (
            "it has printed more than a megabyte",
            "Print the numbers that are asked for and nothing else, and look for a loop that does not end.",
        ),
        "calls": (
            "it has called CUDA many thousand times",
            "Look for a loop around a call that does not end, and copy an array by one call, not element by element.",
        ),
        "rounds": (
            "the WHILE nodes of a graph have gone round many thousand times in one launch",
            "Look for a condition that no kernel of the body ever sets to 0.",
        ),
        "memory": (
            "what it keeps on the GPU, together with the emulator's records of it, takes too much memory",
            "Allocate what the input needs and no more, and free it once it is used.",
        ),
        "ranks": (
            "a call of NCCL's waits for other ranks, and they will never make theirs",
            "One thread that calls NCCL for several GPUs puts these calls between ncclGroupStart() and ncclGroupEnd(), "
            "and so do ranks that send and receive at once. All ranks make the same calls in the same order.",
        ),
        "broken": (
            "it has written to a file that it had not opened, and the emulator listens there",
            "Print by printf and std::cout, and to standard error by fprintf(stderr, ...), and write to no other file.",
        ),
    }[str(finding.facts["why"])]
    return f"The program was stopped: {why}.", hint


_TELL: Mapping[HostKind, Callable[[HostFinding], tuple[str, str]]] = {
    HostKind.COPY_OUT_OF_BOUNDS: _copy_out_of_bounds,
    HostKind.WRONG_DIRECTION: _wrong_direction,
    HostKind.USE_AFTER_FREE: _use_after_free,
    HostKind.INVALID_FREE: _invalid_free,
    HostKind.LEAK: _leak,
    HostKind.OUT_OF_MEMORY: _out_of_memory,
    HostKind.HOST_POINTER: _host_pointer,
    HostKind.DEVICE_POINTER: _device_pointer,
    HostKind.PEER_POINTER: _peer_pointer,
    HostKind.FAILED_LAUNCH: _failed_launch,
    HostKind.UNCHECKED_ERROR: _unchecked,
    HostKind.UNSYNCHRONIZED: _unsynchronized,
    HostKind.STREAM_RACE: _stream_race,
    HostKind.UNTIMED: _untimed,
    HostKind.HOST_CRASH: _crash,
    HostKind.STOPPED: _stopped,
    HostKind.INVALID_ARGUMENT: libraries.tell_argument,
    HostKind.OUT_OF_BOUNDS: libraries.tell_bounds,
    HostKind.UNINITIALIZED: libraries.tell_unwritten,
    HostKind.PARTLY_COPIED: _partly_copied,
}


def tell_end(
    file: str,
    launches: int,
    checked: int,
    parts: Mapping[str, tuple[int, int]],
    kernels: int,
    gpu: str,
    devices: int,
    status: int,
    found: int,
    kinds: Mapping[HostKind, int],
    *,
    interrupted: bool,
) -> str:
    """Return one line: how a program ran, and the numbers of its mistakes and of what is remarked. `parts` says of each
    kernel with launches that were checked in part, how many of their blocks were, and how many they have."""
    ended = f"ended with exit code {status}" if status >= 0 else "was ended by a signal"
    if interrupted:
        ended = "was interrupted"
    verdict = f"nothing was found{' until then' if interrupted else ''}" if not found else count(found, "finding")
    remarks = {"leak": kinds.get(HostKind.LEAK), "partly copied variable": kinds.get(HostKind.PARTLY_COPIED)}
    if said := [count(number, what) for what, number in remarks.items() if number]:
        verdict += f"{' and' if found else ' but'} {' and '.join(said)}"
    if kinds.get(HostKind.OUT_OF_MEMORY):
        verdict += ". The emulated GPU's memory was too small"
    of = f" of {count(kernels, 'kernel')}" if launches else ""
    where = f"the emulated {gpu}" if devices == 1 else f"{devices} emulated {gpu}s"
    only = f". {_checked(launches, checked, parts)}" if checked < launches else ""
    return f"{file} {ended}, with {_launches(launches)}{of} on {where}: {verdict}{only}."


def _checked(launches: int, checked: int, parts: Mapping[str, tuple[int, int]]) -> str:
    """What was checked of the launches, and how to have all of it checked."""
    said = [f"{checked:,} of {_launches(launches)}"]
    said += [f"{done:,} of {blocks:,} blocks of {name}" for name, (done, blocks) in list(parts.items())[:_MOST_PARTS]]
    if len(parts) > _MOST_PARTS:
        said.append(f"a part of {count(len(parts) - _MOST_PARTS, 'more kernel')}")
    return f"Checked: {'; '.join(said)}; all else was only computed. With --all, everything is checked"


#: Kernels that a summary names.
_MOST_PARTS = 3


def tell_progress(
    place: Place, kernel: str, number: int, begun: int, blocks: int, seconds: float | None, *, checks: bool
) -> str:
    """Return one line: which launch runs, how far it is, and the `seconds` that it still takes, if they are known. It
    has no `blocks` before its kernel is compiled."""
    what = f"{place.file} line {place.line}: launch {number:,}, of {kernel}"
    if not blocks:
        return f"{what}, is prepared"
    left = "" if seconds is None else f", about {max(1, round(seconds))} s left"
    many = "1 block" if blocks == 1 else f"{blocks:,} blocks"
    return f"{what}, {'checks' if checks else 'computes'} {many}: {begun / blocks:.0%}{left}"


def _launches(number: int) -> str:
    return "1 launch" if number == 1 else f"{number} launches"
