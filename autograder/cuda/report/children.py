"""Mistakes with launches by kernels, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .rule import Rule, Rules

_STREAMS = (
    "Grids that kernels launch run in any order, or at once, unless they are in one stream: the default one of their "
    "block, or one that a thread has created. Those in cudaStreamTailLaunch run one after the other, after everything "
    "else that the kernel has launched."
)
_PARENT = (
    "A grid sees what its thread had written when it launched it, and what that thread knew of others by a barrier. "
    "Nothing orders it with the rest of its kernel, which cannot wait for it: what needs its results is a grid in "
    "cudaStreamTailLaunch, or the kernel that the host launches next."
)
#: What launches by kernels fail for: the sentence's end, with the number that breaks a rule and the launch's facts, and
#: the hint.
_REASONS: Mapping[str, tuple[str, str]] = {
    "depth": (
        "it is nested in more than 24 launches",
        "A kernel that the host launches may launch others, which may launch others, up to 24 times: stop by a depth "
        "that each launch passes on, and let a thread do the rest itself.",
    ),
    "pending": (
        "the kernel launches more than the {number:,} grids, copies and fills that may be pending",
        "Launch fewer, larger grids: let one thread of a block launch for all. The limit is "
        "cudaLimitDevRuntimePendingLaunchCount, which the host may raise by cudaDeviceSetLimit.",
    ),
    "stream of others": (
        "its stream is none that this grid has created, or it was destroyed",
        "In a kernel, a stream is one that a thread of the same grid has created by cudaStreamCreateWithFlags(&stream, "
        "cudaStreamNonBlocking), the default stream, cudaStreamFireAndForget or cudaStreamTailLaunch. The host's "
        "streams mean nothing there.",
    ),
}
#: Rules of crashes by what kernels do with streams, and what that was, as in `endings.py`.
CRASH_RULES: Rules = {
    "blocking stream": Rule(
        "In a kernel, cudaStreamCreateWithFlags creates streams with the flag cudaStreamNonBlocking, and no others."
    ),
    "no such stream": Rule(
        "cudaStreamDestroy takes a stream that a thread of the same grid has created, and takes it once."
    ),
    "local copy": Rule(
        "A copy or a fill that a kernel puts into a stream is done later, in global memory alone: a thread's variables "
        "and a block's shared memory may be gone by that time."
    ),
}
MISUSES: Mapping[str, str] = {
    "blocking stream": "a kernel creates a stream that is not cudaStreamNonBlocking",
    "no such stream": "a kernel destroys a stream that its grid has not created, or has destroyed before",
    "local copy": "a copy or fill by a kernel was given a pointer to the thread's own memory, or to shared memory",
}


def race(why: str, memory: str, facts: Mapping[str, Any]) -> tuple[str, str] | None:
    """The sentence on a race with a grid that a kernel has launched, and its hint; None: it is of another kind."""
    if why == "children":
        return f"Two grids that kernels have launched use {memory}, and nothing orders them.", _STREAMS
    if why == "parent":
        return (
            f"{facts['thread']} of {facts['kernel']} uses {memory}, and so does a grid that {facts['kernel']} has "
            "launched, and nothing orders them.",
            _PARENT,
        )
    return None


def failed_launch(why: str, facts: Mapping[str, Any]) -> tuple[str, str] | None:
    """The sentence on a launch that can only fail in a kernel, and its hint; None: it is of another kind."""
    if why in _REASONS:
        reason, hint = _REASONS[why]
        failed = f"The launch of {facts['name']} in a kernel fails with {facts['error']}"
        return f"{failed}, and nothing runs: {reason.format(number=facts['number'])}.", hint
    if why == "no kernel":
        return (
            "A kernel launches another one through a pointer that is none to a kernel.",
            "A pointer to a kernel is its name, or a copy of that in a variable.",
        )
    if why in ("local pointer", "shared pointer"):
        whose = "the thread's own memory" if why.startswith("local") else "the block's shared memory"
        given = f"its argument {facts['argument']}" if facts["argument"] else "one of its arguments"
        return (
            f"A kernel launches {facts['name']}, and {given} has a pointer to {whose}.",
            "A thread's variables belong to that thread alone, and shared memory to its block: pass values to a grid "
            "that they launch, or pointers to global memory, such as memory that a kernel allocates with cudaMalloc.",
        )
    return None
