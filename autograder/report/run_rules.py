"""The rules behind what runs find, by kind and situation."""

from __future__ import annotations

from collections.abc import Mapping

from .rule import Rule

_GUARD = "thread whose index lies outside an array must not touch the array."
_GRID = f"A grid nearly always has more threads than the data has elements: a {_GUARD}"

FORBIDDEN_CODE: Mapping[str, Rule] = {"": Rule("An answer is CUDA C++ alone: a kernel, and what it calls.")}

RACE: Mapping[str, Rule] = {
    "atomics of a block": Rule(
        "An atomic operation of block scope, such as atomicAdd_block(), is atomic for the threads of its own "
        "block and orders nothing between blocks: what several blocks update takes the scope of the whole "
        "device.",
        "atomics",
    ),
    "atomic and plain, in the grid": Rule(
        "An atomic operation orders nothing against a plain access: while several blocks use "
        "an element, every access to it must be atomic.",
        "atomics",
    ),
    "atomic and plain": Rule(
        "An atomic operation orders nothing against a plain access: every thread must pass a "
        "barrier between the plain accesses to an element and the atomic operations on it.",
        "atomics",
    ),
    "one writer": Rule(
        "{until}, one thread alone writes an element. Work out by hand the index that each of these two "
        "computes: should both be the same?",
        "races",
    ),
    "a change, in the grid": Rule(
        "When threads of several blocks change one element, each change (read, compute, write) must be one "
        "step that no other thread can come between: an atomic operation, or what stands behind a lock, with "
        "a __threadfence() after it is taken and before it is given back.",
        "atomics",
    ),
    "a change": Rule(
        "Should both threads change this element? If not, work out by hand the index that each computes. If "
        "so, each change (read, compute, write) must be one step that no other thread can come between: an "
        "atomic operation.",
        "atomics",
    ),
    "between blocks": Rule(
        "Blocks run at the same time and in any order, and __syncthreads() waits for its own block only. What "
        "one block wrote, another may use in a later launch, or once an atomic behind a __threadfence() says "
        "so.",
        "races",
    ),
    "one statement": Rule(
        "When one statement lets several threads use the same element, either a barrier keeps "
        "their reads and writes apart, or the whole change is one atomic operation.",
        "races",
    ),
    "in a warp": Rule(
        "Since Volta the threads of a warp need not run in step: they too must pass a barrier "
        "(__syncwarp() within a warp, __syncthreads() within a block) between a write of one and "
        "a use by another.",
        "reductions",
    ),
    "read-after-write": Rule(
        "Every thread must pass a __syncthreads() after writing {space} and before another thread reads it.",
        "barriers",
    ),
    "write-after-read": Rule(
        "Every thread must pass a __syncthreads() after reading {space} and before another thread overwrites it.",
        "barriers",
    ),
    "write-after-write": Rule(
        "Every thread must pass a __syncthreads() after writing {space} and before another thread writes the "
        "same element. If both values are needed, each needs a place of its own.",
        "barriers",
    ),
    "copy: prior": Rule(
        "An asynchronous copy has landed when its thread has passed a __pipeline_wait_prior(n) behind the "
        "commit, with at most n groups committed since; other threads may use what it brought only after a "
        "barrier behind that.",
        "towards-cublas",
    ),
    "copy: group": Rule(
        "A copy that a group shares has landed when every thread of the group has passed a wait for it: "
        "wait(group), or a wait_prior that does not leave it out.",
        "towards-cublas",
    ),
    "copy: barrier": Rule(
        "A copy that is bound to a cuda::barrier has landed when a wait for that phase of that barrier returns.",
        "towards-cublas",
    ),
    "copy: pipeline": Rule(
        "A copy in a stage of a pipeline has landed when a consumer_wait() for that stage returns.",
        "towards-cublas",
    ),
}

OUT_OF_BOUNDS: Mapping[str, Rule] = {
    "shared": Rule(
        "The index of every thread, the first and the last one too, must lie within the extent "
        "that the array was declared or launched with.",
        "shared-memory",
    ),
    "before the start": Rule(
        "Nothing lies before the first element: look at the first thread, and the first round of each loop. "
        f"A {_GUARD}",
        "tiling",
    ),
    "at the end": Rule(f"{_GRID} And look at the last round of each loop.", "tiling"),
    "": Rule(
        f"Look at the first and the last round of each loop: no index may leave the array there either. {_GRID}",
        "tiling",
    ),
    "read only": Rule("What is const or __constant__ is only read by a kernel.", "memory"),
    "escaped pointer": Rule(
        "Every block has shared memory of its own, which ends with it, and a pointer into it means nothing to "
        "another block. What one block hands to another goes through global memory.",
        "shared-memory",
    ),
}

UNINITIALIZED_READ: Mapping[str, Rule] = {
    "shared": Rule(
        "Every element of shared memory that is read must have been written first, also where the "
        "data ends inside a tile.",
        "shared-memory",
    ),
    "": Rule("A variable or an array holds nothing useful until something is written to it.", "memory"),
}

MISALIGNED_ACCESS: Mapping[str, Rule] = {
    where: Rule("A load or store of 2, 4, 8 or 16 bytes must begin at a multiple of its own width.", chapter)
    for where, chapter in (("shared", "shared-memory"), ("", "towards-cublas"))
}

BARRIER_DIVERGENCE: Mapping[str, Rule] = {
    "grid": Rule(
        "Every thread of the grid must reach the same grid.sync(), as often as every other thread.",
        "reductions",
    ),
    "warp function": Rule(
        "Every lane that the mask of a shuffle or vote names must call that same function with that same "
        "mask, unless it has left the kernel. In a branch, the mask names only the lanes that take the branch.",
        "reductions",
    ),
    "warp": Rule("Every lane that the mask of a __syncwarp() names must reach that same __syncwarp().", "reductions"),
    "block": Rule(
        "All threads of a block must reach the same __syncthreads(): it may not stand in a branch, or "
        "behind a return, that only some of them take.",
        "barriers",
    ),
}

INVALID_WARP_MASK: Mapping[str, Rule] = {
    "": Rule(
        "The mask of a shuffle, vote or __syncwarp() names exactly the lanes that reach the call "
        "together, the caller among them.",
        "reductions",
    ),
    "absent lane": Rule(
        "A shuffle has a value only from a lane that takes part in the same call: one that the mask names, "
        "and that has not left the kernel.",
        "reductions",
    ),
}

STEP_LIMIT: Mapping[str, Rule] = {
    "output": Rule("Print from one thread, and not from inside a long loop."),
    "spin": Rule(
        "A thread may wait in a loop only for what another thread, which is not itself waiting, is sure to "
        "write. Threads of its own block that stand at a barrier, and blocks that find no room on the GPU, "
        "write nothing."
    ),
    "": Rule(
        "A loop ends for every thread only if its step changes what its condition tests, and cannot "
        "jump over or stand still before the value that ends it."
    ),
}

CRASH: Mapping[str, Rule] = {
    "shuffle width": Rule(
        "The width of a shuffle parts the warp into equal groups of lanes: 1, 2, 4, 8, 16 or 32 of them."
    ),
    "large tile": Rule(
        "Tiles of more than 32 threads span several warps: use the whole block, or tiles within a warp."
    ),
    "barrier arrivals": Rule(
        "In each phase of a cuda::barrier as many arrivals are counted as it was initialized with, and no more."
    ),
    "division by zero": Rule("A whole number divided by 0 has no value: what is the divisor for this size?"),
    "stack overflow": Rule("Recursion and large arrays inside a kernel need more stack than a thread has."),
    "": Rule(
        "Look at every index, pointer and divisor for this size: at the first thread, at the last one, and "
        "where the data ends."
    ),
}
