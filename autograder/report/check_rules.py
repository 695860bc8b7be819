"""The rules behind what checks find in results, counts or times, by kind and situation."""

from __future__ import annotations

from collections.abc import Mapping

from .rule import Rule

MISMATCH: Mapping[str, Rule] = {
    "read first": Rule("An output holds nothing useful before the launch: what adds to it must set it first."),
    "unwritten": Rule("Every element of an output must be written by a thread of the grid."),
    "nan": Rule(
        "A nan comes of a value that was never set, or of a calculation without a result, such as 0 / 0 or 0 "
        "times infinity: does each variable have a first value, and is no output read before it is written?"
    ),
    "": Rule("Take this one element: work out by hand which thread writes it, and which elements that thread reads."),
    "operations": Rule(
        "Each addition, subtraction, multiplication and division of floats counts, by every thread and in "
        "every round of a loop; a multiply-add counts as two. Work on indices does not count.",
        "measuring",
    ),
    "bytes": Rule(
        "Each load from global memory and each store to it counts, by every thread and in every round of a "
        "loop, with the 4 bytes of a float. Registers and shared memory do not count.",
        "measuring",
    ),
    "intensity": Rule(
        "The intensity is the number of operations for each byte that is loaded from or stored to global memory.",
        "measuring",
    ),
    "limit": Rule(
        "For each of the three parts, divide what the launch wants of it by what the GPU can do in a second. "
        "The longest of the three times is the limit: no launch can take less.",
        "measuring",
    ),
}

UNCOALESCED: Mapping[str, Rule] = {
    "": Rule(
        "Lanes next to each other (neighboring threadIdx.x) should use elements next to each other in memory.",
        "coalescing",
    )
}

BANK_CONFLICTS: Mapping[str, Rule] = {
    "": Rule(
        "Successive 4-byte words lie in 32 successive banks, and then from the first bank again: lanes of "
        "a warp that use different words of one bank are served one after the other.",
        "banks",
    )
}

EXCESS_TRAFFIC: Mapping[str, Rule] = {
    "load": Rule(
        "What is used more than once, by one thread or by several of a block, is loaded from global memory "
        "once; what nobody uses is not loaded.",
        "tiling",
    ),
    "store": Rule("A result is kept in a register or in shared memory while it grows, and stored once.", "tiling"),
    "atomic": Rule(
        "Threads that add to one place in global memory wait for one another. A block can gather in shared "
        "memory first, and then add what it has gathered.",
        "atomics",
    ),
    "shared load": Rule(
        "What a thread uses for more than one multiplication it loads from shared memory once, into a variable "
        "of its own. Each load in the source counts as one, whatever its width.",
        "register-blocking",
    ),
    "barrier": Rule(
        "Each thread that waits counts. A barrier stands between those who write and those who read after "
        "them, or the other way round. Where another barrier already stands between the two, none is needed.",
        "towards-cublas",
    ),
    "unshared work": Rule(
        "Threads work at the same time, so a launch takes as long as its busiest thread: what does not have "
        "to be done one after the other is divided among all of them.",
        "memory",
    ),
}

TOO_SLOW: Mapping[str, Rule] = {
    "": Rule(
        "Count what a thread does for one multiplication: loads from global memory, loads from shared memory, "
        "barriers. What it does most often is what costs most.",
        "towards-cublas",
    )
}
