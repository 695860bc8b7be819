"""Formats what a whole program did: as text for people, or as one document for programs."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable
from dataclasses import asdict, dataclass, replace
from typing import Any

from ..core.findings import SCOPES, Finding, Race
from ..core.host_findings import REMARKS, HostFinding, Place
from ..core.races import clearest_first
from ..programs.launches.kernels import Launched
from ..programs.process import ProgramRun
from ..report.host import describe_host
from ..report.host_endings import describe_end
from ..report.layout import WIDTH, cut
from ..report.vocabulary import count, thread_of
from .run_file_report import by_mistake, finding_data, report_of, shown, warnings_of


@dataclass(frozen=True)
class _InKernel:
    """A finding of a kernel: `launched` shows it most clearly, `first` counts the launches before the first one that
    shows it, and `launches` counts those of the same line that show it."""

    launched: Launched
    finding: Finding
    first: int
    launches: int = 1

    @property
    def site(self) -> Hashable:
        """The kernel and the line that launches it."""
        return self.launched.kernel.name, self.launched.place


def to_text(done: ProgramRun) -> str:
    """Return the report for people: how the program ended, each mistake once in program order, and leaks."""
    texts = [
        _text_of_host(done, group) if isinstance(group, HostFinding) else _text_of_kernel(done, group)
        for group in _mistakes(done)
    ]
    remarks = [f"Remark: {_text_of_host(done, finding)}" for finding in done.findings if finding.kind in REMARKS]
    return "\n\n".join([_summary(done), *_warnings(done), *texts, *remarks])


def _warnings(done: ProgramRun) -> list[str]:
    """A sentence on each warning about the kernels' texts. None is a finding."""
    every = (warning for launched in done.launches for warning in warnings_of(launched.run, launched.kernel.gathered))
    return list(dict.fromkeys(every))


def _summary(done: ProgramRun) -> str:
    if done.uncompiled:
        return f"{done.file.name} was stopped at a kernel that does not compile here."
    kernels = len({launched.kernel.name for launched in done.launches})
    checked = sum(launched.is_checked for launched in done.launches)
    parts: dict[str, tuple[int, int]] = {}
    for launched in done.launches:
        if launched.blocks and not launched.is_checked:
            blocks, every = parts.get(launched.kernel.name, (0, 0))
            parts[launched.kernel.name] = (blocks + launched.blocks, every + math.prod(launched.launch.grid))
    kinds = Counter(finding.kind for finding in done.findings)
    return describe_end(
        done.file.name,
        len(done.launches),
        checked,
        parts,
        kernels,
        done.gpu,
        done.devices,
        done.status,
        len(_mistakes(done)),
        kinds,
        interrupted=done.interrupted,
    )


def found(done: ProgramRun) -> bool:
    """Return whether anything is wrong: a finding that is no remark, or a nonzero exit code of the program."""
    return bool((done.status and not done.interrupted) or _mistakes(done))


def _mistakes(done: ProgramRun) -> list[HostFinding | list[_InKernel]]:
    """Return each mistake but remarks, in program order: of a kernel, all its findings, the clearest first."""
    groups = by_mistake(_of_kernels(done), lambda found: found.finding, lambda found: found.site)
    host = [finding for finding in done.findings if finding.kind not in REMARKS]
    every: list[HostFinding | list[_InKernel]] = [*host, *groups]
    return sorted(every, key=_position)


def _position(mistake: HostFinding | _InKernel | list[_InKernel]) -> int:
    """Return the number of launches before a mistake. It may explain what the next launch does."""
    if isinstance(mistake, list):
        return min(found.first for found in mistake)
    return mistake.launches if isinstance(mistake, HostFinding) else mistake.first


def _of_kernels(done: ProgramRun) -> list[_InKernel]:
    """Return each finding in a kernel once for all launches of a line; of races, that of the threads farthest apart."""
    same: dict[tuple[object, ...], _InKernel] = {}
    for at, launched in enumerate(done.launches):
        for finding in clearest_first(launched.run):
            lines = tuple((access.line, access.array, access.action) for access in finding.accesses)
            key = (launched.kernel.name, launched.place, finding.kind, lines)
            known = same.get(key)
            if not known:
                same[key] = _InKernel(launched, finding, at)
            elif _scope(finding) > _scope(known.finding):
                same[key] = _InKernel(launched, finding, known.first, known.launches + 1)
            else:
                same[key] = replace(known, launches=known.launches + 1)
    if done.uncompiled:
        same[("uncompiled",)] = _InKernel(done.uncompiled.as_launch(), done.uncompiled.finding, len(done.launches))
    return list(same.values())


def _scope(finding: Finding) -> int:
    """Return how far apart the threads of a race are, as a number; 0 for any other finding."""
    return SCOPES.index(finding.scope) if isinstance(finding, Race) else 0


def _text_of_kernel(done: ProgramRun, group: list[_InKernel]) -> str:
    clearest, *others = group
    launched, gathered = clearest.launched, clearest.launched.kernel.gathered
    report = report_of(clearest.finding, launched.launch, launched.run, [other.finding for other in others], gathered)
    title, _, rest = gathered.with_file_lines(str(report)).partition("\n")
    place = launched.place
    file = "" if place.file == done.file.name else f"{place.file} "
    texts = gathered.files[0].name
    of = "" if texts == done.file.name else f" of {texts}"
    by = f"in {file}line {place.line}" if place.line else "by a library"
    if launched.by:
        parent = launched.by.launched
        by = f"by {thread_of(launched.by.at, parent.launch)} of {parent.kernel.name} {by}"
    head = f"{title} in {launched.kernel.name}{of}, launched {by}   "
    more = (
        f"\n\nThe same in {count(clearest.launches - 1, 'more launch')} of this line." if clearest.launches > 1 else ""
    )
    return f"{head}{cut(place.text, max(WIDTH - len(head), _LEAST_SHOWN))}\n{rest}{more}"


#: Characters of the line with a launch that are shown, however long the kernel's name is.
_LEAST_SHOWN = 24


def _text_of_host(done: ProgramRun, finding: HostFinding) -> str:
    return str(describe_host(finding, done.file.name))


def _launcher(launched: Launched) -> dict[str, Any] | None:
    """The kernel that makes a launch, and its thread; None: the host does."""
    by = launched.by
    if by is None:
        return None
    return {"kernel": by.launched.kernel.name, "block": by.at.block, "thread": by.at.thread}


def document(done: ProgramRun) -> dict[str, Any]:
    """Everything as one document; `autograder run --help` describes it."""
    paths = {path.name: shown(path) for path in reversed(done.files)}

    def place(of: Place) -> dict[str, Any]:
        return {**of._asdict(), "file": paths.get(of.file, of.file)}

    findings: list[dict[str, Any]] = []
    every: list[HostFinding | _InKernel] = [*done.findings, *_of_kernels(done)]
    for mistake in sorted(every, key=_position):
        if isinstance(mistake, _InKernel):
            launched = mistake.launched
            data = finding_data(mistake.finding, launched.launch, launched.run, launched.kernel.gathered)
            of_launch = {"kernel": launched.kernel.name, "launch": place(launched.place), "launches": mistake.launches}
            findings.append({**data, **of_launch, "by": _launcher(launched)})
            continue
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
                "report": _text_of_host(done, mistake),
            }
        )
    return {
        "file": shown(done.file),
        "files": [shown(path) for path in done.files],
        "gpu": done.gpu,
        "gpus": done.devices,
        "exit_code": done.status,
        "interrupted": done.interrupted,
        "summary": _summary(done),
        "notes": _warnings(done),
        "launches": [
            {
                "kernel": launched.kernel.name,
                "file": paths.get(launched.place.file, launched.place.file),
                "line": launched.place.line,
                "grid": launched.launch.grid,
                "block": launched.launch.block,
                "shared_mem": launched.launch.shared_mem,
                "by": _launcher(launched),
                "checked": launched.is_checked,
                "checked_blocks": launched.blocks,
                "completed": launched.run.completed,
                "counts": asdict(launched.run.counts) if launched.run.counts else None,
            }
            for launched in done.launches
        ],
        "findings": findings,
        "printed": done.printed,
    }
