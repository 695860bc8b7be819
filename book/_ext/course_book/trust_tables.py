"""Tables that compare the emulator with NVIDIA's own tools: counts by counts.py, findings from two files.

book/data/findings_emulator.csv (measure_findings.py) and book/data/sanitizer_<gpu>.csv
(measure_sanitizer.py) have a row for each kernel of tests/cuda/kernels, the second one for each tool too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from html import escape
from pathlib import Path
from statistics import median

from autograder.cuda.performance.measurements import read

from . import counts
from .counts import BUILDS, GLOBAL, GLOBAL_LOADS, GLOBAL_STORES, SHARED, SHARED_LOADS, SHARED_STORES
from .measured import DATA, Row, line, script, source, table, where

EMULATOR, SANITIZER = DATA / "findings_emulator.csv", DATA / "sanitizer_nvidia_h200.csv"
#: What NVIDIA's tools say of kernels that hand over by barriers in memory, bulk copies, warpgroups or clusters
#: (measure_sanitizer.py), and what the wrong ones do without a tool (measure_handover.py).
HANDOVER, ALONE = DATA / "sanitizer_handover_nvidia_h200.csv", DATA / "handover_wrong_nvidia_h200.csv"
TOOLS = ("memcheck", "racecheck", "synccheck", "initcheck")
#: Kernels that NVIDIA's tools are not made to judge: they don't compile, are refused, or never end.
OUTSIDE = ("compile_error/", "forbidden_code/", "step_limit/")
MISSING = "This copy of the book holds no measurements: book/data/{} is not there."

_BUILD_NAMES = {"debug": "-G", "optimized": "optimized"}
_COLUMN_NAMES = {
    GLOBAL: "global loads and stores",
    GLOBAL_LOADS: "global loads",
    GLOBAL_STORES: "global stores",
    SHARED: "shared loads and stores",
    SHARED_LOADS: "shared loads",
    SHARED_STORES: "shared stores",
}


def counts_summary() -> str:
    """Return how many kernels, and launches, have equal counts in all columns of a group."""
    launches = counts.compared()
    kernels = {launch.kernel for launch in launches}
    body = ""
    for name, columns in (
        ("global loads and stores: requests and sectors", GLOBAL),
        ("shared loads and stores: wavefronts and conflicts", SHARED),
        ("atomics: requests and sectors, conflicts", counts.ATOMICS),
    ):
        cells = ""
        for build in BUILDS:
            same = len(kernels) - len(counts.unequal(build, columns))
            alike = sum(not launch.unequal(build) & set(columns) for launch in launches)
            cells += f"<td>{same} of {len(kernels)}</td><td>{alike} of {len(launches)}</td>"
        body += f"<tr><th>{name}</th>{cells}</tr>"
    heads = ["equal", *(f"{_BUILD_NAMES[build]}, {what}" for build in BUILDS for what in ("kernels", "launches"))]
    return table(heads, body, _counts_source())


def counts_of_all() -> str:
    """Return every launch: the emulator's counts, and those of each build that differ."""
    body = ""
    groups = (GLOBAL_LOADS, GLOBAL_STORES, SHARED_LOADS, SHARED_STORES)
    for launch in counts.compared():
        cells = ""
        for group in groups:
            here = _pair(launch.emulator[column] for column in group)
            there = [_pair(launch.gpu(build, column) for column in group) for build in BUILDS]
            cells += f"<td>{here}</td>" + "".join("<td>=</td>" if gpu == here else f"<td>{gpu}</td>" for gpu in there)
        body += f"<tr><th>{escape(launch.kernel)} {escape(launch.label)}</th>{cells}</tr>"
    names = ("global loads", "global stores", "shared loads", "shared stores")
    heads = ["kernel", *(part for name in names for part in (name, *(_BUILD_NAMES[build] for build in BUILDS)))]
    caption = (
        "Global memory: requests / sectors. Shared memory: wavefronts / conflicts. First the emulator, then the two "
        f"builds on the GPU; = where they say the same. {_counts_source()}"
    )
    return f"<details><summary>All {len(counts.compared())} launches</summary>{table(heads, body, caption)}</details>"


def counts_differences() -> str:
    """Return each difference with its reason, and the numbers of the first launch that shows it."""
    body = ""
    for difference in counts.DIFFERENCES:
        build = difference.builds[0]
        launch = next(
            launch
            for launch in counts.compared()
            if launch.kernel == difference.kernels[0] and launch.unequal(build) & set(difference.columns)
        )
        column = next(column for column in difference.columns if column in launch.unequal(build))
        what = _COLUMN_NAMES.get(difference.columns) or ", ".join(
            column.replace("_", " ") for column in difference.columns
        )
        example = (
            f"For example {' '.join(filter(None, (launch.kernel, launch.label)))}: {launch.emulator[column]} "
            f"{column.rpartition('_')[2]} on the emulator, {launch.gpu(build, column)} on the GPU."
        )
        kernels = ", ".join(f"<code>{escape(kernel)}</code>" for kernel in difference.kernels)
        cells = (" and ".join(_BUILD_NAMES[build] for build in difference.builds), what, difference.cause)
        row = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
        body += f'<tr><th class="words">{kernels}</th>{row}</tr>'
        body += f'<tr><td colspan="4" class="text words">{escape(f"{difference.reason} {example}")}</td></tr>'
    return table(["kernels", "build", "what differs", "made by"], body, _counts_source())


def _pair(numbers: Iterable[int]) -> str:
    return " / ".join(str(number) for number in numbers)


def _counts_source() -> str:
    return source(next(iter(counts.compared())).rows["debug"])


def findings_summary() -> str:
    """For each kind of mistake, how many of the kernels that have it each tool finds; and false alarms."""
    ours, theirs = read(EMULATOR), _by_tool()
    body = ""
    bad = [row for row in ours if row["expected"]]
    for group in dict.fromkeys(row["kernel"].partition("/")[0] for row in bad):
        rows = [row for row in bad if row["kernel"].startswith(f"{group}/")]
        body += _shares(group.replace("_", " "), rows, theirs)
    body += _shares("all mistakes", bad, theirs)
    inside = [row for row in bad if not row["kernel"].startswith(OUTSIDE)]
    body += _shares("all but compile error, forbidden code, step limit", inside, theirs)
    good = [row for row in ours if not row["expected"]]
    alarms = sum(row["right"] == "no" for row in good)
    cells = f"<td>{alarms}</td>" + "".join(f"<td>{_reports(theirs, tool, good)}</td>" for tool in _tools(theirs))
    if theirs:
        cells += f"<td>{sum(any(_verdict(theirs, tool, row) for tool in TOOLS) for row in good)}</td>"
    body += f"<tr><th>false alarms</th><td>{len(good)}</td>{cells}</tr>"
    return table(_heads("mistake", "kernels", theirs), body, _findings_source(theirs))


def findings_times() -> str:
    """Return the median time of a kernel, for the emulator and for each tool."""
    ours, theirs = read(EMULATOR), _by_tool()
    cells = "".join(f"<td>{_middle(ours, column)}</td>" for column in ("seconds", "again_seconds"))
    body = f"<tr><th>emulator, all checks</th>{cells}</tr>"
    for tool in _tools(theirs):
        rows = list(theirs[tool].values())
        whole = [{"both": str(float(r["seconds"]) + float(r["start_seconds"]))} for r in rows if r["seconds"]]
        body += f"<tr><th>{tool}</th><td>{_middle(whole, 'both')}</td><td>{_middle(rows, 'seconds')}</td></tr>"
    caption = (
        "Seconds, median over all kernels. For the emulator: a new text, compiler included, and the same text again. "
        "For the others: a run of the tool with one kernel (without compiling it), and a kernel in a tool that runs "
        f"already. {_findings_source(theirs)}"
    )
    return table(["", "alone", "one more"], body, caption)


def findings_of_all() -> str:
    """Return every kernel: what is expected, and who reports something."""
    ours, theirs = read(EMULATOR), _by_tool()
    body = ""
    for row in ours:
        verdict = row["says"] or "nothing"
        mark = verdict if row["right"] == "yes" else f"{verdict} (wrong)"
        cells = "".join(f"<td>{escape(theirs[tool][row['kernel']]['outcome'])}</td>" for tool in _tools(theirs))
        body += f"<tr><th>{escape(row['kernel'])}</th><td>{escape(mark)}</td>{cells}</tr>"
    heads = ["kernel", "emulator", *_tools(theirs)]
    return (
        f"<details><summary>All {len(ours)} kernels</summary>{table(heads, body, _findings_source(theirs))}</details>"
    )


def handover() -> str:
    """Of kernels that hand over by newer means, about how many each tool reports something."""
    rows, alone = read(HANDOVER), read(ALONE)
    tools = tuple(dict.fromkeys(row["tool"] for row in rows))
    kernels = dict.fromkeys(row["kernel"] for row in rows)
    says = {(row["kernel"], row["tool"]) for row in rows if row["outcome"] == "reports"}
    bad = [kernel for kernel in kernels if "/bad_" in kernel]
    body = ""
    for name, mine in (
        ("with a mistake", bad),
        (
            "all but compile error, forbidden code, step limit",
            [kernel for kernel in bad if not kernel.startswith(OUTSIDE)],
        ),
        ("right", [kernel for kernel in kernels if "/good_" in kernel]),
    ):
        counts_of = [sum((kernel, tool) in says for kernel in mine) for tool in tools]
        any_of = sum(any((kernel, tool) in says for tool in tools) for kernel in mine)
        body += line(name, [len(mine), *counts_of, any_of])
    ended = [row for row in alone if row["ended"] == row["runs"]]
    same = sum(row["results"] == "1" for row in ended)
    caption = (
        f"{source(rows[0])} Without a tool, {len(ended)} of {len(alone)} kernels with a mistake, those of the book "
        f"included, ended in each of {alone[0]['runs']} launches, {same} of them always with the same result; "
        f"{source(alone[0])}"
    )
    return table(["kernels", "in all", *tools, "any of the three"], body, caption)


def _heads(*first: str | dict[str, dict[str, Row]]) -> list[str]:
    *names, theirs = first
    assert isinstance(theirs, dict)
    return [*map(str, names), "emulator", *_tools(theirs), *(["any of the four"] if theirs else [])]


def _shares(name: str, rows: list[Row], theirs: dict[str, dict[str, Row]]) -> str:
    cells = f"<td>{len(rows)}</td><td>{sum(row['right'] == 'yes' for row in rows)}</td>"
    cells += "".join(f"<td>{_reports(theirs, tool, rows)}</td>" for tool in _tools(theirs))
    if theirs:
        cells += f"<td>{sum(any(_verdict(theirs, tool, row) for tool in TOOLS) for row in rows)}</td>"
    return f"<tr><th>{escape(name)}</th>{cells}</tr>"


def _tools(theirs: dict[str, dict[str, Row]]) -> tuple[str, ...]:
    return TOOLS if theirs else ()


def _reports(theirs: dict[str, dict[str, Row]], tool: str, rows: list[Row]) -> int:
    return sum(_verdict(theirs, tool, row) for row in rows)


def _verdict(theirs: dict[str, dict[str, Row]], tool: str, row: Row) -> bool:
    return theirs[tool][row["kernel"]]["outcome"] == "reports"


def _middle(rows: list[Row], column: str) -> str:
    return f"{median(float(row[column]) for row in rows if row[column]):.3f}"


def _by_tool() -> dict[str, dict[str, Row]]:
    """Tool -> kernel -> row; empty if the file is missing.

    Raises:
        ValueError: the two files are not about the same kernels.
    """
    if not SANITIZER.exists():
        return {}
    found: dict[str, dict[str, Row]] = {}
    for row in read(SANITIZER):
        found.setdefault(row["tool"], {})[row["kernel"]] = row
    if set(found["memcheck"]) != {row["kernel"] for row in read(EMULATOR)}:
        raise ValueError(f"{SANITIZER.name} and {EMULATOR.name} are about different kernels: measure both anew")
    return found


def _findings_source(theirs: dict[str, dict[str, Row]]) -> str:
    ours = read(EMULATOR)[0]
    about = f"Emulator: {escape(ours['device'])}, {ours['date']}, by {script(ours['script'])}."
    if not theirs:
        return f"{about} compute-sanitizer: {escape(MISSING.format(SANITIZER.name))}"
    row = next(iter(theirs["memcheck"].values()))
    return (
        f"{about} compute-sanitizer: {where(row)}, {row['jobs']} processes at a time, {row['limit']} s at most, "
        f"{row['date']}, by {script(row['script'])}."
    )


#: What a page can ask for: (directive, its argument) -> the file that it needs, and the table.
TABLES: dict[tuple[str, str], tuple[Path, Callable[[], str]]] = {
    ("counts", "summary"): (counts.FILE, counts_summary),
    ("counts", "all"): (counts.FILE, counts_of_all),
    ("counts", "differences"): (counts.FILE, counts_differences),
    ("findings", "summary"): (EMULATOR, findings_summary),
    ("findings", "times"): (EMULATOR, findings_times),
    ("findings", "all"): (EMULATOR, findings_of_all),
    ("findings", "handover"): (HANDOVER, handover),
}
