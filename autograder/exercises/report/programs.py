"""What the checks of whole programs say."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ...cuda.core.findings import Finding, Kind
from ...cuda.core.host_findings import HostFinding, HostKind
from ...cuda.core.setting import Setting
from ...cuda.report.chapters import reference
from ...cuda.report.host import describe_host
from ...cuda.report.kinds import explain
from ...cuda.report.layout import WIDTH, Report
from ...cuda.report.parts import Part, Row
from ...cuda.report.vocabulary import count, printable
from .places import cell

#: Hints, by the message of the C or C++ library where the sandbox refuses something.
_HINTS_BY_ERROR = {
    "Operation not permitted": "An answer may compute and print. It may use no file, and make no process, thread or "
    "connection.",
    "std::bad_alloc": "The host has no memory for that: look at the sizes of what it allocates.",
}
#: Most lines shown of what a program writes to standard output or standard error.
SHOWN_LINES = 8


#: The check of a whole program that reports each kind; `matches_numpy` reports how a program ends. (An answer calls no
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


def program_failed(title: str, command: str, finding: HostFinding, others: int, main: str) -> Report:
    """The report of a check that failed by a mistake of the host's half of the program `main`, which was started by
    `command`; `others` more are of the same check."""
    explanation = describe_host(finding, main)
    parts = explanation.parts
    if others:
        parts = (*parts, f"The same check finds {count(others, 'more mistake')}.")
    about = reference(_SECTIONS.get(finding.kind, "programs"))
    return Report(f"{title}: FAILED", _run_as(command), parts, explanation.hint, about, (str(finding.kind),))


def kernel_failed(title: str, command: str, finding: Finding, setting: Setting, source: str, place: str) -> Report:
    """The report of a check that failed by a mistake of a kernel, launched at `place`."""
    sentence = explain(finding, setting, source)
    parts = (*sentence.parts, f"The kernel is launched in {place}.")
    read = reference(sentence.rule.chapter, setting.exercise)
    return Report(f"{title}: FAILED", _run_as(command), parts, sentence.rule.hint, read, (str(finding.kind),))


def wrong_prints(
    title: str, command: str, printed: str, problem: str, found: HostFinding | None, main: str, sentence: str
) -> Report:
    """The report of a program that does not print what numpy computes: `problem` is a sentence. `found` may be the
    reason, and `sentence` is what it wrote to standard error."""
    parts: list[Part] = [problem]
    if found and found.kind in (HostKind.STOPPED, HostKind.HOST_CRASH):
        parts = [*describe_host(found, main).parts]  # that says how it ended, and more
    elif found:
        parts += ["The program makes a mistake, which may be the reason:", *describe_host(found, main).parts]
    parts += [_quoted("It prints", printed)] if printed.strip() else []
    parts += [_quoted("To standard error, it writes", sentence)] if sentence.strip() else []
    hint = describe_host(found, main).hint if found else ""
    hint = next((explanation for words, explanation in _HINTS_BY_ERROR.items() if words in sentence), hint)
    return Report(f"{title}: FAILED", _run_as(command), tuple(parts), hint, _READ, (str(Kind.MISMATCH),))


def number_differs(got: float, want: float, number: int, of: int) -> str:
    """What is wrong where a number is another one."""
    return f"Number {number} of {of} that it prints is {got:g}, and numpy computes {want:g}."


def count_differs(got: int, want: int) -> str:
    """What is wrong where the program prints too few numbers, or too many."""
    return f"It prints {count(got, 'number')}, and {want} {'is' if want == 1 else 'are'} asked for."


def no_number(word: str) -> str:
    """What is wrong where it prints a word."""
    return f"It prints {printable(word[:40])!r}, which is not a number. Print only the requested numbers there."


def kernel_not_compiled(kernel: str) -> str:
    """What is wrong where a kernel that is launched does not compile."""
    return f"The kernel {kernel} does not compile."


RUNS_TOO_LONG = "It takes too long: look for a loop that does not end, or that calls CUDA far too often."


def compiles_too_long(file: str) -> str:
    """Why there is no program."""
    return f"{file} takes too long to compile: look for what the compiler computes, such as templates in templates."


def kernel_stopped(kernel: str) -> str:
    """What is wrong where a kernel ends by an error."""
    return f"The kernel {kernel} does not run to its end."


def ended(status: int) -> str:
    """What is wrong where a program does not end as it should."""
    if status < 0:
        return "The program was ended by a signal."
    return f"The program ends with exit code {status}, although nothing should fail in this case."


def not_noticed(title: str, command: str, found: HostFinding | None, main: str) -> Report:
    """The report of a program that ends with exit code 0 though a call has to fail."""
    parts: list[Part] = ["In this case a CUDA call fails, and yet the program ends with exit code 0."]
    parts += describe_host(found, main).parts if found else ()
    kinds = (str(found.kind),) if found else ()
    return Report(f"{title}: FAILED", _run_as(command), tuple(parts), _LOOK_AT_CALLS, _READ, kinds)


def overlooked(title: str, command: str, call: str, line: int) -> Report:
    """The report of a program that ends with exit code 0 where a call was made to fail."""
    what = "the launch" if call.startswith("cudaLaunch") else call
    sentence = f"This time the emulator lets {what} in line {line} fail, and the program ends with exit code 0."
    return Report(f"{title}: FAILED", _run_as(command), (sentence,), _LOOK_AT_CALLS, _READ)


def not_on_the_gpu(title: str, command: str) -> Report:
    """The report of a program that prints other numbers than its kernels have left in memory, or right ones whatever
    they write, or half of that, or some right ones without all that they write."""
    sentence = "Numbers that it prints are not those that its kernels have written: so the host computes them."
    hint = "The input goes to the GPU, a kernel computes there, and what it has written comes back."
    return Report(f"{title}: FAILED", _run_as(command), (sentence,), hint, _READ)


def not_overlapped(title: str, command: str, alone: int, at_most: int, copied: int) -> Report:
    """The report of a program that copies too much while no kernel may run: `alone` bytes of the `copied`."""
    sentence = (
        f"Of {copied:,} bytes that are copied, {alone:,} travel while no kernel may work on such data, and at most "
        f"{at_most:,} may."
        if copied > alone > at_most
        else f"Only {copied:,} bytes are copied, so most of the data does not travel."
        if copied <= at_most
        else f"None of the {copied:,} bytes that are copied travels while a kernel may work on such data."
    )
    hint = (
        "A copy may overlap with a kernel if its name ends in Async, it is in a different stream from the kernel, the "
        "host's memory is pinned (cudaMallocHost), and neither an event nor the host waits between the two. A kernel "
        "hides at most as many bytes as it uses of memory that is also copied."
    )
    return Report(f"{title}: FAILED", _run_as(command), (sentence,), hint, reference("measuring"))


def copied_too_much(title: str, command: str, copied: int, at_most: int) -> Report:
    """The report of a program that copies more bytes than it may."""
    sentence = f"{copied:,} bytes are copied between the host and the GPU, and at most {at_most:,} may be."
    hint = "Copy each number that the kernels need to the GPU once, and each result back once."
    return Report(f"{title}: FAILED", _run_as(command), (sentence,), hint, reference("measuring"))


def waits_too_often(title: str, command: str, times: int, at_most: int) -> Report:
    """The report of a program whose host waits more often than it may."""
    sentence = f"The host waits {count(times, 'time')} for the GPU, and at most {at_most} are needed."
    hint = "The host needs to wait only before it touches memory that earlier work may still be using."
    return Report(f"{title}: FAILED", _run_as(command), (sentence,), hint, _READ)


def unchanged_given_text(title: str) -> str:
    """The line of a program in which all stands that was given."""
    return f"{title}: passed."


def changed_given_text(title: str, given: str, source: str, line: int, other: int) -> Report:
    """The report of a program or kernel, the text `source`, that is no longer the `given` one: from `line` and `other`
    on they differ; 0 says that the text has ended."""
    texts = (("given", given, line), ("your cell", source, other))
    rows = [Row(f"{who:9}", at, printable(text.split("\n")[at - 1]).strip()) for who, text, at in texts if at]
    sentence = "Up to here, the cell has what was given. Then they differ:"
    hint = "Undo what you have changed there. You may add what the task lists, and comments."
    return Report(f"{title}: FAILED", "", (sentence, tuple(rows)), hint)


_BLOCKED = {
    "none right": "no run of the program prints what is asked for",
    "not all right": "it counts only where every result is right",
    "on the host": "the program computes on the host",
    "early": "the host waits too rarely",
}


def program_blocked(title: str, why: str, call: str) -> Report:
    """The report of a check that could not judge, for a reason of `_BLOCKED`; `call` is the check to look at first."""
    sentence = f"This cannot be judged yet: {_BLOCKED[why]}.\nFix first what {call} reports."
    return Report(f"{title}: BLOCKED", "", (sentence,))


def program_not_compiled(title: str) -> Report:
    """The report of a check whose program does not compile."""
    sentence = f"The program does not compile yet: see the report under {cell('cuda')}."
    return Report(f"{title}: BLOCKED", "", (sentence,), kinds=(str(Kind.COMPILE_ERROR),))


def program_report(name: str, problem: str, source: str) -> Report:
    """What a `%%cuda` cell shows when the program in it, the text `source`, does not compile; `problem` is a sentence
    that begins with a place."""
    parts: tuple[Part, ...] = (problem,)
    lines = source.split("\n")
    if (found := re.match(r"\S+ line (\d+) ", problem)) and 0 < int(found[1]) <= len(lines):
        number = int(found[1])
        parts = (problem.rstrip(".") + ":", (Row("", number, printable(lines[number - 1]).strip()),))
    return Report(f"{name} does not compile.", "", parts, kinds=(str(Kind.COMPILE_ERROR),))


_READ = reference("programs")
_LOOK_AT_CALLS = "Look at what each call returns. A launch returns nothing: ask cudaGetLastError() after it."
#: The chapters of the findings that the one about whole programs does not explain.
_SECTIONS = {HostKind.STREAM_RACE: "measuring"}


def _run_as(command: str) -> str:
    return f"run as {command}, on the emulator"


def _quoted(head: str, text: str) -> str:
    lines = [printable(line)[: 2 * WIDTH] for line in text.strip().split("\n")]
    more = [f"... and {count(len(lines) - SHOWN_LINES, 'more line')}"] if len(lines) > SHOWN_LINES else []
    return "\n".join([f"{head}:", *lines[:SHOWN_LINES], *more])
