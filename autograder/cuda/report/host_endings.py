"""How a program ends, in words: by itself, by a crash, or stopped."""

from __future__ import annotations

from collections.abc import Mapping

from ..core.host_findings import HostFinding, HostKind
from .about import AboutHost
from .vocabulary import count

#: Kernels that a summary names.
_MOST_PARTS = 3


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
                "that it cannot open.",
            )
        where = f"The host {verb} where there is no memory, and the program ends ({signal})."
        return where, "Run the host code in a debugger."
    if signal == "SIGSEGV":  # what tells the place needs some stack itself
        return (
            "The program ended with SIGSEGV, most likely because its stack is full.",
            "Look for a recursion that does not end, and for large arrays within functions.",
        )
    if signal == "SIGABRT":
        return (
            "The program ended with SIGABRT, which an uncaught exception, abort() and a failed assert() cause.",
            "What it wrote to standard error says more.",
        )
    if signal == "SIGKILL":
        return "The program was killed (SIGKILL).", "The system kills programs when its memory is full."
    return f"The program ended with {signal}.", "Run the host code in a debugger."


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
            "Print the requested numbers and nothing else, and look for a loop that does not end.",
        ),
        "calls": (
            "it has called CUDA many thousands of times",
            "Look for a loop around a call that does not end, and copy an array by one call, not element by element.",
        ),
        "rounds": (
            "the WHILE nodes of a graph have run many thousands of iterations in one launch",
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
            "Print with printf and std::cout, or to standard error with fprintf(stderr, ...), and write to no other "
            "file.",
        ),
    }[str(finding.facts["why"])]
    return f"The program was stopped: {why}.", hint


def describe_end(
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
    if clauses := [count(number, what) for what, number in remarks.items() if number]:
        verdict += f"{' and' if found else ' but'} {' and '.join(clauses)}"
    if kinds.get(HostKind.OUT_OF_MEMORY):
        verdict += ". The emulated GPU's memory was too small"
    of = f" of {count(kernels, 'kernel')}" if launches else ""
    where = f"the emulated {gpu}" if devices == 1 else f"{devices} emulated {gpu}s"
    only = f". {_checked(launches, checked, parts)}" if checked < launches else ""
    return f"{file} {ended}, with {_launches(launches)}{of} on {where}: {verdict}{only}."


def _checked(launches: int, checked: int, parts: Mapping[str, tuple[int, int]]) -> str:
    """What was checked of the launches, and how to have all of it checked."""
    clauses = [f"{checked:,} of {_launches(launches)}"]
    clauses += [
        f"{done:,} of {blocks:,} blocks of {name}" for name, (done, blocks) in list(parts.items())[:_MOST_PARTS]
    ]
    if len(parts) > _MOST_PARTS:
        clauses.append(f"a part of {count(len(parts) - _MOST_PARTS, 'more kernel')}")
    return f"Checked: {'; '.join(clauses)}; all else was only computed. With --all, everything is checked"


def _launches(number: int) -> str:
    return "1 launch" if number == 1 else f"{number} launches"


HOST: Mapping[HostKind, AboutHost] = {
    HostKind.HOST_CRASH: AboutHost("a crash of the host code", _crash),
    HostKind.STOPPED: AboutHost("a program that takes too much", _stopped, "calls last"),
}
