"""Formats the results of `autograder run`: as text for people, or as one document for programs."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from ..core.findings import CompileError, Finding, ForbiddenCode, Race
from ..core.launch import Launch, ProgramLaunch
from ..core.races import clearest_first, find_races, obscurity
from ..core.run import Counts, Run
from ..core.setting import Setting
from ..nvrtc import compiler as nvrtc
from ..report import Report
from ..report.chapters import reference
from ..report.compile_errors import in_words
from ..report.counterexamples import describe_orders
from ..report.kinds import explain
from ..report.races import cause_of_race, more_pairs
from ..report.vocabulary import case_line, count
from ..source.gather import Gathered
from .run_file import FileRun

T = TypeVar("T")
_COMMON = {field.name for field in fields(Finding)}


def to_text(done: FileRun) -> str:
    """The report for people: what was left out, each finding's report, the counts, the kernel's output."""
    launch, run = done.launch, done.run
    setting = Setting({}, launch.grid, launch.block, launch.shared_mem, run.backend)
    where = f"{launch.name}, {case_line(setting).removeprefix('case ')}"
    # The race that explains the most comes first, and the one with an example of a wrong result represents its mistake.
    found = clearest_first(run)
    shown = run.counterexample.finding if run.counterexample else None
    mistakes = [
        sorted(group, key=lambda finding: finding != shown)
        for group in by_mistake(found, lambda finding: finding, lambda finding: None)
    ]
    verdict = count(len(mistakes), "finding") if mistakes else "nothing was found"
    parts = [f"{where}: {verdict}."]
    parts += [str(report_of(first, launch, run, more, done.gathered)) for first, *more in mistakes]
    if run.printed:
        parts.append(f"The kernel printed:\n{run.printed.rstrip()}")
    if run.counts:
        parts.append(_counts_table(run.counts))
    if done.resources:
        parts.append(_resources_table(done))
    report = done.gathered.with_file_lines("\n\n".join(part for part in parts if part))
    return "\n\n".join(filter(None, ("\n".join((*done.notes, *warnings_of(run, done.gathered))), report)))


def warnings_of(run: Run, gathered: Gathered) -> list[str]:
    """A sentence on each warning about the kernel's text."""
    return [f"Warning: {gathered.with_file_lines(f'line {line}')}: {text}." for line, _, text in in_words(run.warnings)]


def report_of(
    finding: Finding, launch: Launch, run: Run, others: Sequence[Finding] = (), gathered: Gathered | None = None
) -> Report:
    """Return the report on a finding of a run, in lines of the launch's text, and on `others` of the same mistake, in
    lines of the `gathered` files."""
    setting = Setting({}, launch.grid, launch.block, launch.shared_mem, in_program=isinstance(launch, ProgramLaunch))
    words = explain(finding, setting, launch.source)
    # Results from other orders of the threads go under the race they are about, or under the first race.
    example = run.counterexample.finding if run.counterexample else next(iter(find_races(run)), None)
    orders = describe_orders(run, setting, finding) if example in (finding, *others) else ""
    more = more_pairs(finding, others, gathered.place) if gathered else ""
    return Report(
        str(finding.kind),
        "",
        (*words.parts, *filter(None, (more, orders))),
        words.rule.hint,
        reference(words.rule.chapter),
    )


def _table(rows: Sequence[Sequence[str]]) -> str:
    """Format columns: the first aligned left, the others right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join(
        "  ".join(
            cell.rjust(w) if i else cell.ljust(w) for i, (cell, w) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def _counts_table(counts: Counts) -> str:
    c = counts
    shared_atomics, atomic_conflicts = (
        c.atomics - c.global_atomics,
        c.shared_atomic_wavefronts - c.shared_atomic_requests,
    )
    rows: list[tuple[str, *tuple[int | str, ...]]] = [
        ("", "by threads", "requests", "sectors", "wavefronts", "bank conflicts"),
        ("global loads", c.global_loads, c.global_load_requests, c.global_load_sectors, "", ""),
        ("global stores", c.global_stores, c.global_store_requests, c.global_store_sectors, "", ""),
        ("global atomics", c.global_atomics, c.global_atomic_requests, c.global_atomic_sectors, "", ""),
        ("shared loads", c.shared_loads, c.shared_load_requests, "", c.shared_load_wavefronts, c.shared_load_conflicts),
        (
            "shared stores",
            c.shared_stores,
            c.shared_store_requests,
            "",
            c.shared_store_wavefronts,
            c.shared_store_conflicts,
        ),
        ("shared atomics", shared_atomics, c.shared_atomic_requests, "", c.shared_atomic_wavefronts, atomic_conflicts),
        ("barriers", c.barriers, "", "", "", ""),
    ]
    return _table([[cell if isinstance(cell, str) else f"{cell:,}" for cell in row] for row in rows])


def _resources_table(done: FileRun) -> str:
    major, minor = nvrtc.version()
    rows = [[f"NVRTC {major}.{minor}", "registers", "local", "spilled", "shared", "blocks/SM", "warps/SM", "", "limit"]]
    for gpu, taken, fits in done.resources:
        rows.append(
            [
                f"{gpu.name} ({gpu.arch})",
                str(taken.registers),
                f"{taken.local_bytes} B",
                f"{taken.spill_stores} B",
                f"{taken.shared_bytes + done.launch.shared_mem:,} B",
                str(fits.blocks_per_sm),
                f"{fits.warps} of {fits.limit}",
                f"{fits.warps / fits.limit:.0%}",
                ", ".join(fits.limiters),
            ]
        )
    return _table(rows)


def array_text(done: FileRun, name: str) -> str:
    """Format the array `name` after the launch as numpy prints it.

    Raises:
        UsageError: the kernel has no such array.
    """
    array = done.output(name)
    shape = " x ".join(map(str, array.shape))
    return f"{name} ({array.dtype}, {shape}) after the launch:\n{np.array2string(array)}"


def shown(file: Path | str) -> str:
    """A file's path as documents have it: from the current folder on, if it is in there."""
    absolute, here = Path(file).resolve(), Path.cwd().resolve()
    return str(absolute.relative_to(here) if absolute.is_relative_to(here) else absolute)


def document(done: FileRun) -> dict[str, Any]:
    """Everything as one document; `autograder run --help` describes it."""
    run, launch = done.run, done.launch
    return {
        "file": shown(done.file),
        "files": [shown(path) for path in done.gathered.files],
        "kernel": launch.name,
        "grid": launch.grid,
        "block": launch.block,
        "shared_mem": launch.shared_mem,
        "seed": done.seed,
        "notes": (*done.notes, *warnings_of(run, done.gathered)),
        "completed": run.completed,
        "findings": [finding_data(finding, launch, run, done.gathered) for finding in run.findings],
        "counts": asdict(run.counts) if run.counts else None,
        "printed": run.printed,
        "outputs": [{"name": n, "dtype": str(a.dtype), "shape": a.shape} for n, a in done.outputs.items()],
        "resources": [
            {"gpu": gpu.name, **asdict(taken), "occupancy": asdict(fits)} for gpu, taken, fits in done.resources
        ],
        "seconds": round(done.seconds, 4),
    }


def _with_file_lines(value: Any, gathered: Gathered) -> Any:
    """A part of the document with lines as their own files count them, and the names of those files but the first."""
    if isinstance(value, list | tuple):
        return [_with_file_lines(item, gathered) for item in value]
    if not isinstance(value, dict):
        return value
    out = {
        key: gathered.with_file_lines(item) if key == "report" else _with_file_lines(item, gathered)
        for key, item in value.items()
    }
    line = out.get("line")
    if isinstance(line, int):
        header, out["line"] = gathered.place_in_file(line)
        out |= {"header": header} if header else {}
    return out


def _line_of_text(finding: Finding) -> int:
    """The line of a finding that is only about the text; 0 if it has none."""
    if isinstance(finding, CompileError) and finding.messages:
        return finding.messages[0].line
    return finding.line if isinstance(finding, ForbiddenCode) else 0


def _details(finding: Finding) -> dict[str, Any]:
    """What only a finding of this class has. Compiler messages are in words; where our checks found the error, the log
    lists them."""
    details = {field.name: getattr(finding, field.name) for field in fields(finding) if field.name not in _COMMON}
    if isinstance(finding, CompileError):
        details["messages"] = messages = in_words(finding.messages)
        details["log"] = finding.log or "\n".join(f"kernel.cu:{m.line}:{m.column}: error: {m.text}" for m in messages)
    return details


def finding_data(finding: Finding, launch: Launch, run: Run, gathered: Gathered) -> dict[str, Any]:
    """A finding as the document has it."""
    last = finding.accesses[-1] if finding.accesses else None
    line = last.line if last else _line_of_text(finding)
    lines = launch.source.split("\n")
    data = {
        "kind": finding.kind,
        "file": shown(gathered.files[0]),
        "line": line,
        "text": lines[line - 1].strip() if 0 < line <= len(lines) else "",
        "array": last.array if last else "",
        "index": last.index if last else (),
        "threads": [asdict(access) for access in finding.accesses],
        "count": finding.count,
        "details": _details(finding),
        "report": str(report_of(finding, launch, run)),
    }
    out: dict[str, Any] = _with_file_lines(data, gathered)
    return out


def by_mistake(found: Iterable[T], finding_of: Callable[[T], Finding], site: Callable[[T], Hashable]) -> list[list[T]]:
    """Group what was `found` by mistake, in order of first appearance and with the clearest of each group first: races
    at the same `site` that share a cause are one mistake, and any other finding is a mistake by itself."""
    groups: dict[Hashable, list[T]] = {}
    for at, item in enumerate(found):
        finding = finding_of(item)
        groups.setdefault((site(item), cause_of_race(finding)) if isinstance(finding, Race) else at, []).append(item)
    return [sorted(group, key=lambda item: _clearness(finding_of(item))) for group in groups.values()]


def _clearness(finding: Finding) -> tuple[object, ...]:
    """Return a key that sorts the findings of one mistake: by how much they explain, then by how near the lines are to
    each other, then by line."""
    if not isinstance(finding, Race):
        return ()
    first, second = finding.accesses
    return (*obscurity(finding), abs(first.line - second.line), min(first.line, second.line))
