"""Runs each program of the suites on the emulator, and compares what it reports with the suite's label.

    .venv/bin/python tests/cuda/races/run_races.py CLONES WORK [--again PATTERN ...]

CLONES is a folder with a clone of each repository of `suites.toml`; texts go into WORK. Writes `verdicts.csv`, a line
for each program, and prints the rates. Only those are tried that have no verdict there yet, or that are to be tried
again.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import re
import resource
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from cases import RACY, Case, cases

from autograder.cuda.commands import cc, program_report
from autograder.cuda.errors import GraderFault, UsageError
from autograder.cuda.performance import measurements
from autograder.cuda.programs.building.build import Program
from autograder.cuda.programs.process import run_program

WRITTEN = Path(__file__).with_name("verdicts.csv")
REASONS = Path(__file__).with_name("reasons.toml")
#: For each program, of a processor; by the clock, it gets this many times as much, since others may be at work.
_SECONDS, _PATIENCE = 60, 6


@dataclass(frozen=True)
class Verdict:
    """What the emulator says of a program: the pairs of lines that race, and which other findings there are.
    `verdict` compares that with the label; `stopped_by` says why a program does not run. `reason` is the one in
    `reasons.toml`, if the verdict needs one, and `because` its kind."""

    suite: str
    program: str
    label: str
    races: str
    others: str
    verdict: str
    stopped_by: str
    because: str = ""
    reason: str = ""

    @property
    def needs_reason(self) -> bool:
        return not self.verdict.startswith("true")


def judge(case: Case, made: Path) -> Verdict:
    """Run a program; first, compile it to `made`, if that is not there."""
    receives, sends = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("fork").Process(target=_report, args=(case, made, sends))
    process.start()
    sends.close()
    shown: tuple[list[str], list[str], str] = ([], [], f"takes more than {_SECONDS} s")
    if receives.poll(_SECONDS * _PATIENCE):
        try:
            shown = receives.recv()
        except EOFError:
            process.join()
    if process.is_alive():
        process.kill()
    process.join()
    races, others, stopped = shown
    verdict = "not run" if stopped else _compared(case.label == RACY, bool(races))
    return Verdict(case.suite, case.name, case.label, " ".join(races), " ".join(others), verdict, stopped)


def _compared(racy: bool, found: bool) -> str:
    if racy:
        return "true positive" if found else "miss"
    return "false alarm" if found else "true negative"


def _report(case: Case, made: Path, sends: Any) -> None:
    """In a process of its own, which may be stopped: send the races, other findings, and why it does not run."""
    resource.setrlimit(resource.RLIMIT_CPU, (_SECONDS, _SECONDS))
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)  # some write files
        try:
            sends.send(_found(case, made))
        except (UsageError, GraderFault) as error:
            sends.send(([], [], _short(str(error))))


def _found(case: Case, made: Path) -> tuple[list[str], list[str], str]:
    if not made.exists():
        cc.build(cc.parse([*case.words, "-o", str(made)]))
    arguments, _, read = case.run.partition("<")
    Path("input").write_text(read)
    os.dup2(os.open("input", os.O_RDONLY), 0)
    findings = program_report.document(run_program(Program(made), made, arguments.split(), keep=True))["findings"]
    for finding in findings:
        if finding["kind"] in ("CompileError", "ForbiddenCode"):
            return [], [], _short(finding["report"].split("\n\n")[1])
    races = dict.fromkeys(map(_lines, filter(_is_race, findings)))
    others = Counter(finding["kind"] for finding in findings if not _is_race(finding))
    stopped = "an endless loop" if "StepLimit" in others and not races else ""
    return list(races), [f"{kind}:{count}" for kind, count in sorted(others.items())], stopped


def _is_race(finding: dict[str, Any]) -> bool:
    """Whether nothing orders two uses of the same memory: of threads, of operations in streams, or of one of these and
    the host. A program that ends before its kernel does is another mistake."""
    if finding["kind"] == "Unsynchronized":
        return bool(finding["details"]["verb"] != "launches")
    return finding["kind"] in ("Race", "StreamRace")


def _lines(finding: dict[str, Any]) -> str:
    uses = finding["threads"] if finding["kind"] == "Race" else [finding, *finding["others"]]
    return "/".join(str(use["line"]) for use in uses)


def _short(text: str) -> str:
    """What is said, in one line, without folders of this machine."""
    return re.sub(r"(?<![\w.])/\S+/", "", " ".join(text.split()))[:160]


def rates(verdicts: Iterable[Verdict]) -> str:
    """For each suite: how many programs run, how many races are found, how many free ones have one reported; and the
    same without those that are not what their label says, or not run with what they are meant for."""
    all_ = list(map(explained, verdicts))
    lines = []
    for suite in [*dict.fromkeys(v.suite for v in all_), "all"]:
        mine = [v for v in all_ if suite in (v.suite, "all")]
        of = Counter(v.verdict for v in mine)
        aside = Counter(v.verdict for v in mine if v.because in ("label", "given"))
        racy, free = of["true positive"] + of["miss"], of["true negative"] + of["false alarm"]
        found, alarms = of["true positive"], of["false alarm"]
        lines.append(
            f"{suite:10}{len(mine):5} programs, {len(mine) - of['not run']:4} run; "
            f"{found:4} of {racy:4} races found (of {racy - aside['miss']:4}); "
            f"{alarms:3} of {free:4} free ones alarm ({alarms - aside['false alarm']:3})"
        )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clones", type=Path, help="the folder of the clones")
    parser.add_argument("work", type=Path, help="a folder for texts")
    parser.add_argument("--again", nargs="*", default=[], help="suite/program, with *: try these once more")
    given = parser.parse_args()
    known = {(v.suite, v.program): v for v in read_verdicts()} if WRITTEN.exists() else {}
    all_ = {(case.suite, case.name): case for case in cases(given.clones.resolve(), given.work.resolve())}
    again = {key for key in all_ if any(fnmatch("/".join(key), pattern) for pattern in given.again)}
    made, words = given.work.resolve() / "program", None
    for key in [key for key in all_ if key not in known or key in again]:
        case = all_[key]
        if case.words != words:
            made.unlink(missing_ok=True)
            words = case.words
        known[key] = judge(case, made)
        print(*asdict(known[key]).values(), sep=" | ", flush=True)
        write_verdicts(known[key] for key in all_ if key in known)  # each time: all take long
    verdicts = [known[key] for key in all_ if key in known]
    write_verdicts(verdicts)
    print(rates(verdicts))


def explained(verdict: Verdict) -> Verdict:
    """The same, with its reason."""
    kinds = tomllib.loads(REASONS.read_text(encoding="utf-8")) if verdict.needs_reason else {}
    for because, reasons in kinds.items():
        for pattern, reason in reasons.items():
            if fnmatch(f"{verdict.suite}/{verdict.program}", pattern):
                return replace(verdict, because=because, reason=reason)
    return replace(verdict, because="", reason="")


def write_verdicts(verdicts: Iterable[Verdict]) -> None:
    """Write a line for each."""
    origin = measurements.origin("tests/cuda/races/run_races.py", device=measurements.cpu())
    measurements.write(WRITTEN, map(asdict, map(explained, verdicts)), origin)


def read_verdicts() -> list[Verdict]:
    """The lines that are written."""
    return [Verdict(**{name: row[name] for name in Verdict.__annotations__}) for row in measurements.read(WRITTEN)]


if __name__ == "__main__":
    main()
