"""Whole reports: what a check or a cell says, by its outcome."""

from __future__ import annotations

from collections.abc import Sequence

from ..findings import Finding, Kind
from .explain import explain
from .layout import Part, Report
from .words import Setting, count

#: What ended a launch, as the object of a sentence.
_STOPPERS = {
    Kind.OUT_OF_BOUNDS: "an access out of bounds",
    Kind.MISALIGNED_ACCESS: "a misaligned access",
    Kind.BARRIER_DIVERGENCE: "a barrier that only some threads reach",
    Kind.INVALID_WARP_MASK: "a warp function with a wrong mask",
    Kind.STEP_LIMIT: "a launch that does not end",
    Kind.CRASH: "a crash",
}


def describe(finding: Finding, source: str = "") -> str:
    """`finding` as text, outside any check. `source` is the kernel's text, which compiler messages
    are shown under."""
    said = explain(finding, None, source)
    return str(Report(f"{finding.kind}", "", said.parts, said.hint, said.read))


def passed(sentence: str, cases: int, backend: str) -> str:
    """The one line of a check that passed."""
    return f"{sentence}: {count(cases, 'case')}, on the {backend}."


def failed(sentence: str, setting: Setting, findings: Sequence[Finding], source: str) -> Report:
    """The report of a check that failed: the first of `findings`, and how many more there are."""
    said = explain(findings[0], setting, source)
    parts = said.parts
    if len(findings) > 1:
        others = "other finding" if len(findings) == 2 else "other findings"
        parts = (*parts, f"This case has {len(findings) - 1} {others} of this kind, at other lines.")
    return Report(f"{sentence}: FAILED", str(setting), parts, said.hint, said.read)


def blocked(sentence: str, setting: Setting, stopper: Finding, mend: str) -> Report:
    """The report of a check that could not judge, because `stopper` ended the launch. `mend` is
    the call or the cell whose report is to be mended first."""
    where = f" at line {stopper.accesses[0].line}" if stopper.accesses else ""
    return Report(
        _blocked(sentence),
        str(setting),
        (
            f"This cannot be judged yet: the launch was stopped by {_STOPPERS[stopper.kind]}{where}.",
            f"Mend first what {mend} reports.",
        ),
    )


def not_compiled(sentence: str, findings: Sequence[Finding], source: str) -> Report:
    """The report of a check whose kernel does not compile, or is not let through; `findings` say
    why, and the first message of the first one is shown."""
    said = explain(findings[0], None, source)
    return Report(
        _blocked(sentence),
        "",
        ("The kernel does not compile yet. Mend this first:", *said.parts[:2]),
        said.hint,
    )


def not_written(sentence: str, name: str, magic: str, line: int) -> Report:
    """The report of a check whose answer is still the stub; as `unwritten`."""
    return Report(_blocked(sentence), "", (unwritten(name, magic, line),))


def not_launched(sentence: str, setting: Setting, problem: str) -> Report:
    """The report of a check whose kernel cannot be launched as it is; `problem` is a sentence."""
    return Report(_blocked(sentence), str(setting), (f"The kernel could not be launched: {problem}",))


def compile_report(name: str, findings: Sequence[Finding], source: str) -> Report:
    """What a `%%cuda` cell shows when its text does not compile."""
    parts: list[Part] = []
    hint = ""
    for finding in findings:
        said = explain(finding, None, source)
        parts += said.parts
        hint = hint or said.hint
    return Report(f"{name} does not compile.", "", tuple(parts), hint)


def compiled(name: str) -> str:
    """What a `%%cuda` cell prints when its text compiles."""
    return f"{name} compiles."


def evaluated(name: str, words: Sequence[str]) -> str:
    """What a `%%values` cell prints when its lines can be read."""
    return f"{name}: {', '.join(words)} can be read."


def unwritten(name: str, magic: str, line: int) -> str:
    """What a cell that begins `%%magic name` prints while it is still the stub, whose mark stands
    at `line` (0: there is neither a mark nor an answer)."""
    if not line:
        return f"{name}: not written yet. The cell that begins %%{magic} {name} holds no answer."
    return (
        f"{name}: not written yet. Put your answer in the place of the comment YOUR CODE HERE "
        f"(line {line} of the cell that begins %%{magic} {name})."
    )


def _blocked(sentence: str) -> str:
    return f"{sentence}: BLOCKED"
