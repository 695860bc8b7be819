"""Launches that did not end properly, in words."""

from __future__ import annotations

from collections.abc import Sequence

from ..core.findings import Access, Crash, DamagedGuard, GpuCrash, Kind, StepLimit
from . import bulk_copies, children
from .about import About
from .parts import Part, Row
from .rule import Rule, Rules, choose
from .vocabulary import Explanation, Names, count, element_of, printable, start

STEP_LIMIT_RULES: Rules = {
    "output": Rule("Print from one thread, and not from inside a long loop."),
    "spin": Rule(
        "A thread may wait in a loop only for what another thread, which is not itself waiting, is sure to "
        "write. Threads of its own block that wait at a barrier, and blocks that find no room on the GPU, "
        "write nothing."
    ),
    "phase": Rule(
        "A phase of a barrier in memory ends when the number of arrivals set at its initialization is reached, "
        "whichever threads arrive. Count the arrivals of one phase: which threads arrive, how often each does, and "
        "which have already ended. If none is missing, look at the phase: the threads that should arrive may be "
        "waiting for a phase that can't end before this one.",
        "producers",
    ),
    "bytes": Rule(
        "A phase of an mbarrier ends when all of its arrivals have come, and all bytes that were expected in it "
        "(expect_tx). Add up the bytes of the copies of one phase, each in the block whose mbarrier it names. A tile "
        "counts in full, even where part of it is beyond the edge.",
        "clusters",
    ),
    "children": Rule(
        "A grid that a kernel launches need not begin before the kernel is over, so no thread may wait in a loop for "
        "what it writes: a grid in cudaStreamTailLaunch, or the kernel that the host launches next, comes after it."
    ),
    "unready": Rule(
        "One thread initializes a barrier in memory, once, and all others pass a __syncthreads() before they use it.",
        "producers",
    ),
    "time": Rule("Look for a loop that does not end, or that makes far more iterations than the task needs."),
    "other block": Rule(
        "Blocks run in any order and, where a GPU has no room for two of them, one after the other: no block may "
        "wait for another one to begin."
    ),
    "": Rule(
        "A loop ends for every thread only if its step changes what its condition tests, and cannot skip the value "
        "that ends it, or stop short of it."
    ),
}

_HALVES = Rule(
    "The two halves of a cluster's barrier take turns: each thread waits once after each barrier_arrive(), and before "
    "its next barrier of the cluster.",
    "clusters",
)
_ASSERTION = "assertion failed: "
CRASH_RULES: Rules = {
    **children.CRASH_RULES,
    _ASSERTION: Rule(
        "An assert() stops the launch at the first thread for which its condition is false. Work out by hand the value "
        "of each variable in the condition for this thread; if the values are right, the condition is not."
    ),
    "shuffle width": Rule(
        "The width of a shuffle divides the warp into equal groups of lanes: 1, 2, 4, 8, 16 or 32 of them."
    ),
    "large tile": Rule(
        "Tiles of more than 32 threads span several warps: use tiles within a warp, or give the block memory through "
        "which its warps cooperate, a block_tile_memory in shared memory: this_thread_block(memory)."
    ),
    "barrier arrivals": Rule(
        "Each phase of a cuda::barrier takes exactly as many arrivals as the barrier was initialized with."
    ),
    "barrier token": Rule(
        "Each arrive() returns a token for its phase: wait with that token before the thread arrives again.",
        "producers",
    ),
    **bulk_copies.RULES,
    "grid barrier": Rule(
        "Only a launch by cudaLaunchCooperativeKernel keeps all blocks on the GPU at once, as a barrier of the grid "
        "requires. In any other launch, no block may wait for another one.",
        earlier=Rule("In a launch like this one, no block may wait for another one."),
    ),
    "cluster arrival": _HALVES,
    "cluster wait": _HALVES,
    "cluster rank": Rule("The blocks of a cluster have the ranks from 0 to num_blocks() - 1.", "clusters"),
    "cluster address": Rule(
        "map_shared_rank() takes a pointer into the block's own shared memory and returns the same place in that of "
        "another block.",
        "clusters",
    ),
    "remote copy": Rule("Let each block copy into its own shared memory, and another block read it there.", "clusters"),
    "own memory from afar": Rule("A block uses its own shared memory by the array's name.", "clusters"),
    "copy of a local": Rule(
        "An asynchronous copy goes from global to shared memory, and is complete only once the thread has waited for "
        "it."
    ),
    "matrix arguments": Rule(
        "A warp loads, stores and multiplies matrices as one: all of its lanes must pass the same pointer, leading "
        "dimension and layout."
    ),
    "matrix address": Rule(
        "The first element of a matrix that a fragment is loaded from or stored to must be at a multiple of 32 bytes, "
        "or of 16 if its elements are bytes."
    ),
    "matrix stride": Rule(
        "The leading dimension of a matrix, counted in elements, is a multiple of 16 bytes: of 16 elements of 1 byte, "
        "8 of 2 bytes or 4 of 4 bytes."
    ),
    "warpgroup size": Rule(
        "A warpgroup is four warps, and the number of its first warp is a multiple of 4: all 128 of its threads must "
        "take part in its instructions.",
        "tensor-cores",
    ),
    "warpgroup arguments": Rule(
        "All threads of a warpgroup must pass the same descriptors and the same predicate to a wgmma, and the same "
        "number to its wait.",
        "tensor-cores",
    ),
    "matrix descriptor": Rule(
        "A descriptor of wgmma has three distances in units of 16 bytes: 14 bits for the address of the matrix in "
        "shared memory, 14 from bit 16 on, and 14 from bit 32 on; and the swizzle in bits 62 and 63. All others are "
        "0, but bits 49 to 51.",
        "tensor-cores",
    ),
    "registers in use": Rule(
        "Until a wgmma.wait_group has waited for its group, the sums of a product belong to the tensor cores: no "
        "thread may read or write them, and no other product may use them. A first factor in registers may be read, "
        "but not written.",
        "tensor-cores",
    ),
    "product without a fence": Rule(
        "A wgmma.fence comes before the first product, and again wherever a thread has written its sums, or a factor "
        "in registers, since the last one.",
        "tensor-cores",
    ),
    "registers in memory": Rule("The accumulators of a wgmma must be local variables of the thread.", "tensor-cores"),
    "barrier number": Rule(
        "A block's barriers are numbered from 0 to 15. Whole warps arrive at them: the count is a multiple of 32, and "
        "at most the number of threads in the block."
    ),
    "barrier count": Rule(
        "All threads that come to a barrier in one phase, by bar.sync or bar.arrive, must give it the same count."
    ),
    "address not shared": Rule(
        "ldmatrix and cp.async take an address as a number: the one that __cvta_generic_to_shared() returns for a "
        "pointer into a tile."
    ),
    "no such texture": Rule(
        "The host creates a texture or surface and passes it to the kernel: it is a handle, not an address."
    ),
    "address not global": Rule(
        "An instruction with .global, and the source of cp.async, take an address in global memory: one in an array "
        "that the kernel was given."
    ),
    "function pointer": Rule(
        "A function pointer can be called only if it holds the address of a __device__ function of its type."
    ),
    "heap bounds": Rule(
        "The memory that malloc or new returns is as large as requested, and the memory around it belongs to others."
    ),
    "heap freed": Rule("Memory that free or delete has released may immediately belong to another thread."),
    "not of the heap": Rule(
        "In a kernel, free and delete take what malloc or new has returned in a kernel; cudaFree takes what "
        "cudaMalloc has returned."
    ),
    "freed twice": Rule("Each allocation by malloc or new is released once, by one thread."),
    "virtual function": Rule(
        "An object holds the address of its class's table of virtual functions, and the host and the GPU have "
        "different tables: construct the object in a kernel, not on the host, and do not copy it with cudaMemcpy."
    ),
    "division by zero": Rule(
        "An integer divided by 0 has no value, and INT_MIN / -1 is larger than any int: what is the divisor for "
        "this size?"
    ),
    "missing return": Rule(
        "A function that is not void needs a return on every path, even where none of its conditions holds."
    ),
    "recursion": Rule(
        "No compiler knows how deep a recursion gets: a thread has 1,024 bytes of stack for it, unless the host calls "
        "cudaDeviceSetLimit(cudaLimitStackSize, bytes) before the launch. A loop needs less."
    ),
    "stack overflow": Rule("Recursion and large arrays inside a kernel need more stack than a thread has."),
    "many accesses": Rule(
        "Each place in the source that reads or writes memory counts once: put repeated ones in a loop."
    ),
    "rounding mode": Rule(
        "Functions such as __fadd_rd round in another direction: run them on a GPU, or with the emulator on Linux."
    ),
    "": Rule(
        "Look at every index, pointer and divisor for this size: at the first thread, at the last one, and "
        "where the data ends."
    ),
}

#: What is wrong, for crashes whose reason is only the name of the broken rule.
_MISUSES = {
    **children.MISUSES,
    "shuffle width": "the width of a shuffle is not a power of two from 1 to 32",
    # The processor tells no difference between the two.
    "division by zero": "division by zero, or of the most negative number by -1",
    "missing return": "control reaches the end of a function that must return a value",
    "recursion": "the recursion needs more stack than a thread has on a GPU",
    "no answer": "the process that ran it crashed",
    "large tile": "a tile of more than 32 threads without a block_tile_memory is not supported by the emulator",
    "many accesses": "it has more instructions that read or write memory than the emulator can count",
    "copy of a local": "an asynchronous copy to or from a variable of the thread's own",
    "rounding mode": "the WebAssembly engine of the emulator can only round to the nearest number",
    "barrier arrivals": "a cuda::barrier gets more arrivals than it still expects, or none",
    "barrier token": "a wait at a cuda::barrier was given the token of a phase before the last one",
    **bulk_copies.MISUSES,
    "grid barrier": "it waits for its whole grid, whose blocks need not all be on the GPU at once",
    "cluster arrival": "a thread arrives at its cluster's barrier again without having waited for the last phase",
    "cluster wait": "a thread waits at its cluster's barrier without having arrived there",
    "cluster rank": "map_shared_rank() was given a rank that no block of the cluster has",
    "cluster address": "map_shared_rank() was given an address that is not one of shared memory",
    "remote copy": "an asynchronous copy into another block's shared memory is not supported by the emulator",
    "own memory from afar": "a block's own shared memory through another block's pointer to it is not supported by the "
    "emulator",
    "matrix arguments": "the lanes of a warp passed different arguments to a matrix function",
    "matrix address": "a matrix for a fragment does not begin at a multiple of 32 bytes",
    "matrix stride": "the leading dimension of a matrix is not a multiple of 16 bytes",
    "warpgroup size": "an instruction of a warpgroup in a block whose last warpgroup lacks threads",
    "warpgroup arguments": "the threads of a warpgroup gave an instruction different descriptors or numbers",
    "matrix descriptor": "a descriptor of a matrix has a bit that means nothing, or an address that is too large",
    "registers in use": "registers were used that belong to a product that has not been waited for",
    "product without a fence": "a product uses registers that the thread has written since the last wgmma.fence",
    "registers in memory": "the accumulators of a product are not local variables of the thread",
    "barrier number": "a barrier was given a number or a count of threads that it cannot have",
    "barrier count": "threads gave one phase of a barrier different counts of threads",
    "no such texture": "a texture or surface was used that the host has not made",
    "address not global": "an instruction for global memory was given an address of another memory",
    "address not shared": "ldmatrix, stmatrix or cp.async was given an address that is not one of shared memory",
    "function pointer": "a function pointer was called that does not point to a function of its type",
    "heap bounds": "an access goes beyond what malloc or new has returned",
    "heap freed": "memory is used that free or delete has released",
    "not of the heap": "free or delete takes an address that neither malloc nor new has returned",
    "freed twice": "free or delete takes memory that was released before",
    "virtual function": "a virtual function was called of an object that no kernel has constructed",
}
#: What a kernel did, by the CUDA runtime's error number.
_GPU_CRASHES = {
    700: "the kernel read or wrote outside its arrays (the GPU reported an illegal address)",
    710: "an assert() in the kernel failed",
    714: "the kernel's stack overflowed or was damaged (the GPU reported a hardware stack error)",
    715: "the kernel ran an illegal instruction, such as __trap()",
    716: "the kernel used an address that is not a multiple of the element's size "
    "(the GPU reported a misaligned address)",
    717: "the kernel used an address of the wrong memory space (the GPU reported an invalid address space)",
    719: "the GPU stopped the kernel (an unspecified launch failure: often an address far outside every array)",
    718: "the kernel jumped out of its code (the GPU reported an invalid program counter)",
}


def describe_step_limit(finding: StepLimit, names: Names) -> Explanation:
    reason = finding.reason
    what = {
        "steps": "The launch did not end: it made more steps than a launch of this size can need.",
        "time": "The launch did not end within its time limit.",
        "output": "The launch printed more than a launch may print.",
        "memory": "The emulator ran out of memory before the launch ended.",
        "spin": "The launch did not end: threads wait for a value that no other thread can still set.",
        "unready": "The launch did not end: threads wait at a barrier that no thread has initialized.",
        "other block": "The launch ends only if several blocks run at the same time, or in a certain order. Here each "
        "began when another one had ended, and this thread waits for a value that only a block that has not begun "
        "sets.",
    }[reason]
    if finding.expected:
        what = "The launch did not end: threads wait at a barrier in memory for arrivals that no thread can still make."
        if finding.missing_bytes > 0:
            what = "The launch did not end: threads wait at an mbarrier for bytes that no copy brings."
        elif finding.missing_bytes:
            what = "The launch did not end: threads wait at an mbarrier that has received more bytes than it expects."
    parts: list[Part] = [what]
    if finding.accesses:
        access = finding.accesses[0]
        if finding.expected:
            parts.append(f"{start(names.both(access))} waits at {element_of(access)}, {_lacks(finding)}:")
        elif reason in ("spin", "other block") and access.array:
            parts.append(f"{start(names.both(access))} keeps reading {element_of(access)}:")
        else:
            parts.append(f"{start(names.both(access))} was here when it was stopped:")
        parts.append((Row(f"thread {names.thread(access)}", access.line, printable(access.text)),))
    rule: str = "bytes" if finding.missing_bytes else "phase" if finding.expected else reason
    if finding.has_children and rule in ("steps", "time", "spin"):
        rule = "children"
    return Explanation(tuple(parts), choose(STEP_LIMIT_RULES, rule))


def _lacks(finding: StepLimit) -> str:
    """What keeps the phase of a barrier from its end."""
    missing, parts = list[str](), list[str]()
    if finding.missing or not finding.missing_bytes:
        missing.append(f"{finding.missing} of its {finding.expected} arrivals")
    if finding.missing_bytes > 0:
        missing.append(count(finding.missing_bytes, "byte"))
    if missing:
        parts.append(f"still lacks {' and '.join(missing)}")
    if finding.missing_bytes < 0:
        parts.append(f"has received {count(-finding.missing_bytes, 'byte')} too many")
    return f"whose phase {', and '.join(parts)}"


def describe_crash(finding: Crash, names: Names) -> Explanation:
    reason = finding.reason
    rule = _ASSERTION if reason.startswith(_ASSERTION) else reason
    return _crashed(_MISUSES.get(reason, printable(reason)), finding.accesses, names, rule)


def describe_gpu_crash(finding: GpuCrash, names: Names) -> Explanation:
    what = _GPU_CRASHES.get(finding.status, f"the GPU reported: {printable(finding.text)}")
    return _crashed(what, finding.accesses, names)


def describe_damaged_guard(finding: DamagedGuard, names: Names) -> Explanation:
    array, index = finding.array, finding.index
    what = f"the kernel wrote {array}[{index}], and {array} has {finding.size} elements"
    return _crashed(what, finding.accesses, names)


def _crashed(what: str, accesses: Sequence[Access], names: Names, reason: str = "") -> Explanation:
    parts: list[Part] = [f"The launch ended with an error: {what}."]
    if accesses:
        access = accesses[0]
        parts.append(f"{start(names.both(access))} was here:")
        parts.append((Row(f"thread {names.thread(access)}", access.line, printable(access.text)),))
    return Explanation(tuple(parts), choose(CRASH_RULES, reason))


ABOUT = (
    About(
        Kind.STEP_LIMIT,
        {StepLimit: describe_step_limit},
        STEP_LIMIT_RULES,
        "a launch that does not end",
        "matches_numpy",
        "the launch does not end",
    ),
    About(
        Kind.CRASH,
        {Crash: describe_crash, GpuCrash: describe_gpu_crash, DamagedGuard: describe_damaged_guard},
        CRASH_RULES,
        "a crash",
        "matches_numpy",
        "the launch crashes",
    ),
)
