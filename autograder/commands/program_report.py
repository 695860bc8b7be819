"""Formats what a whole program did: as text for people, or as one document for programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..core.findings import Finding
from ..core.host_findings import Place
from ..host.kernels import Launched
from ..host.process import ProgramRun
from ..report.host import tell_end, tell_host
from .run_file_report import finding_data, report_of, shown, warnings_of


def to_text(done: ProgramRun) -> str:
    """The report for people: how the program ended, and each finding, once for all launches of a line."""
    told = [*(_text_of_kernel(done, *same) for same in _of_kernels(done)), *(_text_of_host(done))]
    return "\n\n".join([_summary(done, len(told)), *_warnings(done), *told])


def _warnings(done: ProgramRun) -> list[str]:
    """A sentence on each warning about the kernels' texts. None is a finding."""
    every = (warning for launched in done.launches for warning in warnings_of(launched.run, launched.kernel.gathered))
    return list(dict.fromkeys(every))


def _summary(done: ProgramRun, found: int) -> str:
    if done.uncompiled:
        return f"{done.file.name} was stopped at a kernel that does not compile here."
    kernels = len({launched.kernel.name for launched in done.launches})
    checked = sum(launched.checked for launched in done.launches)
    return tell_end(done.file.name, len(done.launches), checked, kernels, done.gpu, done.status, found)


def found(done: ProgramRun) -> bool:
    """Whether anything is wrong: a finding, or an exit code of the program's that is not 0."""
    return bool(done.findings or done.status) or any(True for _ in _of_kernels(done))


def _of_kernels(done: ProgramRun) -> Iterator[tuple[Launched, Finding, int]]:
    """Each finding in a kernel, its first launch, and in how many launches of that line it is."""
    same: dict[tuple[object, ...], tuple[Launched, Finding, int]] = {}
    for launched in done.launches:
        for finding in launched.run.findings:
            lines = tuple((access.line, access.array, access.action) for access in finding.accesses)
            key = (launched.kernel.name, launched.place, finding.kind, lines)
            first, told, times = same.get(key, (launched, finding, 0))
            same[key] = (first, told, times + 1)
    if done.uncompiled:
        launched = done.uncompiled.as_launch()
        same[("uncompiled",)] = (launched, done.uncompiled.finding, 1)
    yield from same.values()


def _text_of_kernel(done: ProgramRun, launched: Launched, finding: Finding, times: int) -> str:
    report = report_of(finding, launched.launch, launched.run)
    text = launched.kernel.gathered.tell(str(report))
    title, _, rest = text.partition("\n")
    place = launched.place
    file = "" if place.file == done.file.name else f"{place.file} "
    texts = launched.kernel.gathered.files[0].name
    of = "" if texts == done.file.name else f" of {texts}"
    head = f"{title} in {launched.kernel.name}{of}, launched in {file}line {place.line}   {place.text}"
    more = f"\n\nThe same in {times - 1} more launches of this line." if times > 1 else ""
    return f"{head}\n{rest}{more}"


def _text_of_host(done: ProgramRun) -> Iterator[str]:
    for finding in done.findings:
        yield str(tell_host(finding, done.file.name))


def document(done: ProgramRun) -> dict[str, Any]:
    """Everything as one document; `autograder run --help` describes it."""
    paths = {path.name: shown(path) for path in reversed(done.files)}

    def place(of: Place) -> dict[str, Any]:
        return {**of._asdict(), "file": paths.get(of.file, of.file)}

    findings: list[dict[str, Any]] = []
    for launched, finding, times in _of_kernels(done):
        data = finding_data(finding, launched.launch, launched.run, launched.kernel.gathered)
        findings.append({**data, "kernel": launched.kernel.name, "launch": place(launched.place), "launches": times})
    for mistake in done.findings:
        findings.append(
            {
                "kind": mistake.kind,
                "file": shown(done.file),
                "line": mistake.place.line,
                "text": mistake.place.text,
                "header": "" if mistake.place.file == done.file.name else mistake.place.file,
                "count": mistake.count,
                "others": [{"what": verb, **place(other)} for verb, other in mistake.others],
                "details": mistake.facts,
                "report": str(tell_host(mistake, done.file.name)),
            }
        )
    return {
        "file": shown(done.file),
        "files": [shown(path) for path in done.files],
        "gpu": done.gpu,
        "exit_code": done.status,
        "summary": _summary(done, len(findings)),
        "notes": _warnings(done),
        "launches": [
            {
                "kernel": launched.kernel.name,
                "file": paths.get(launched.place.file, launched.place.file),
                "line": launched.place.line,
                "grid": launched.launch.grid,
                "block": launched.launch.block,
                "shared_mem": launched.launch.shared_mem,
                "checked": launched.checked,
                "completed": launched.run.completed,
            }
            for launched in done.launches
        ],
        "findings": findings,
        "printed": done.printed,
    }
