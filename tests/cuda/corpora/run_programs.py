"""Runs each whole program of the corpora, unchanged, as `autograder cc` and `autograder run` do: which end, what they
print, and what stops the others.

    .venv/bin/python tests/cuda/corpora/run_programs.py CLONES WORK [--again PATTERN ...]

CLONES is a folder with a clone of each repository of `corpora.toml`. Into WORK go the texts, and what each program
prints. Writes `programs.csv`, a line for each program, and prints the rates. Only those are tried that have no verdict
there yet, or that are to be tried again. Each runs on two cores; as many run at a time as there are pairs.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from fnmatch import fnmatch
from pathlib import Path
from queue import SimpleQueue
from time import monotonic
from typing import Any, NamedTuple

from programs import WholeProgram, whole_programs
from texts import corpora

from autograder.cuda.performance import measurements

#: The verdict on a program that waits for one.
_UNTRIED = "not tried"
#: What programs say themselves where they get no memory.
_NO_MEMORY = re.compile(r"cudaErrorMemoryAllocation|out of memory|(?:could not|failed to) allocate", re.IGNORECASE)
WRITTEN = Path(__file__).with_name("programs.csv")
_AUTOGRADER = [sys.executable, "-m", "autograder"]


@dataclass(frozen=True)
class Verdict:
    """What became of a program. `needs` is what it asks for beyond CUDA's runtime, in which case it is not tried;
    `stopped_by` is what stopped it, `findings` how many there are of which kind, and `printed` a digest of what it
    printed, if it ended. `checked` says whether all blocks of all launches were checked, a part or none; `seconds` are
    those of the run by the clock, without the compiler's."""

    corpus: str
    program: str
    arguments: str
    needs: str
    verdict: str = ""
    stopped_by: str = ""
    checked: str = ""
    findings: str = ""
    printed: str = ""
    seconds: str = ""


class _Ran(NamedTuple):
    verdict: str
    stopped_by: str = ""
    checked: str = ""
    findings: str = ""
    printed: str = ""


def judge(program: WholeProgram, work: Path, seconds: int, options: Sequence[str], cores: set[int]) -> Verdict:
    """Make a program, and run it for at most `seconds` on these cores, with more `options` of `autograder run`. What it
    prints goes into `work`."""
    arguments = " ".join(program.arguments)
    made = work / f"{program.corpus}-{program.name.replace('/', '-')}"
    ran, took = _Ran("does not compile", _make(program, made)), ""
    if not ran.stopped_by:
        start = monotonic()
        ran = _run(program, made, seconds, options, cores)
        took = f"{monotonic() - start:.1f}"
        made.unlink()
    made.with_suffix(".txt").write_text(ran.printed, encoding="utf-8")
    digest = hashlib.sha256(ran.printed.encode()).hexdigest()[:12] if ran.verdict == "ends" else ""
    shown = ran._replace(stopped_by=_short(ran.stopped_by), printed=digest)
    return Verdict(program.corpus, program.name, arguments, "", *shown, took)


def _make(program: WholeProgram, made: Path) -> str:
    command = [*_AUTOGRADER, "cc", *program.words, "-o", str(made)]
    done = subprocess.run(command, cwd=program.folder, capture_output=True, text=True, errors="replace")
    return done.stderr if done.returncode else ""


def _run(program: WholeProgram, made: Path, seconds: int, options: Sequence[str], cores: set[int]) -> _Ran:
    device = ["--gpu", program.gpu, "--gpus", str(program.gpus)]
    command = [*_AUTOGRADER, "run", "--json", *device, *options, str(made), "--", *program.arguments]
    with subprocess.Popen(
        command,
        cwd=program.folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        start_new_session=True,
        preexec_fn=lambda: os.sched_setaffinity(0, cores),
    ) as process:
        try:
            printed, complained = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return _Ran("takes too long", f"{seconds} s")
    if process.returncode in (2, 3):
        return _Ran("is stopped" if process.returncode == 2 else "emulator fails", complained)
    document = json.loads(printed)
    kinds = Counter(finding["kind"] for finding in document["findings"])
    found = " ".join(f"{kind}:{count}" for kind, count in sorted(kinds.items()))
    checked, code = _checked(document["launches"]), document["exit_code"]
    if "StepLimit" in kinds:
        return _Ran("takes too long", "a limit of the emulator's", checked)
    texts = [complained, document["printed"], *(finding["report"] for finding in document["findings"])]
    if any(map(_NO_MEMORY.search, texts)):
        return _Ran("ends badly", "the emulated GPU has too little memory", checked, found)
    if code:
        # What it printed says why.
        return _Ran("ends badly", f"exit code {code}", checked, found, document["printed"])
    return _Ran("ends", "", checked, found, document["printed"])


def _checked(launches: Sequence[Mapping[str, Any]]) -> str:
    """Of which blocks the launches were checked: all, part or none; of no launch, nothing."""
    if all(launch["checked"] for launch in launches):
        return "all" if launches else ""
    return "part" if any(launch["checked"] or launch["checked_blocks"] for launch in launches) else "none"


def _short(text: str) -> str:
    """What is said, without what is said of one machine or one place only; of a kernel's report, its first sentence."""
    report = re.search(r"^(?:CompileError|ForbiddenCode) in .*\n\s*\n((?:.+\n)+)", text, re.MULTILINE)
    lines = [line for line in text.splitlines() if not re.search(r": launch [\d,]+, of ", line)]  # how far it is
    message = " ".join((report[1] if report else "\n".join(lines)).removeprefix("autograder: ").split())
    return re.sub(r"(?<![\w.])/\S+/", "", message)[:200]


def rates(verdicts: Iterable[Verdict]) -> str:
    """For each corpus, how many programs that need nothing more end; then what stops the others."""
    all_ = [v for v in verdicts if v.verdict not in ("", _UNTRIED)]
    lines = []
    for corpus in [*dict.fromkeys(v.corpus for v in all_), "all"]:
        mine = [v for v in all_ if corpus in (v.corpus, "all")]
        ends = sum(v.verdict == "ends" for v in mine)
        checked = sum(v.verdict == "ends" and v.checked == "all" for v in mine)
        soon = sum(v.verdict == "ends" and float(v.seconds or "inf") <= 60 for v in mine)
        lines.append(
            f"{corpus:14}{ends:4} of {len(mine):4} programs end ({ends / len(mine):.1%}), "
            f"{checked} with every launch checked ({checked / len(mine):.1%}), "
            f"{soon} within a minute ({soon / len(mine):.1%})"
        )
    counts = Counter((v.verdict, v.stopped_by) for v in all_ if v.verdict != "ends")
    lines += [f"{count:4}  {verdict}: {stopped}" for (verdict, stopped), count in counts.most_common()]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clones", type=Path, help="the folder of the clones")
    parser.add_argument("work", type=Path, help="a folder for texts and what is printed")
    parser.add_argument("--again", nargs="*", default=[], help="corpus/program, with *: try these once more")
    parser.add_argument("--seconds", type=int, default=120, help="for each program")
    parser.add_argument("--all", action="store_true", help="check every launch to its end")
    given = parser.parse_args()
    given.work.mkdir(exist_ok=True)
    options = ["--all"] if given.all else []
    known = {(v.corpus, v.program): v for v in read_verdicts()} if WRITTEN.exists() else {}
    waiting, verdicts = [], {}
    for corpus in corpora():
        top = given.work / "texts" / corpus.name
        for program in whole_programs(corpus, top, corpus.unpack_whole(given.clones, top)):
            key = program.corpus, program.name
            verdicts[key] = _untried(program)
            if key in known and known[key].needs == program.needs:
                verdicts[key] = known[key]
            again = any(fnmatch("/".join(key), pattern) for pattern in given.again)
            if verdicts[key].verdict == _UNTRIED or (again and not program.needs):
                waiting.append(program)
    available = sorted(os.sched_getaffinity(0))
    pairs: SimpleQueue[set[int]] = SimpleQueue()
    for pair in zip(available[::2], available[1::2], strict=False):
        pairs.put(set(pair))

    def on_two_cores(program: WholeProgram) -> Verdict:
        pair = pairs.get()
        try:
            return judge(program, given.work, given.seconds, options, pair)
        finally:
            pairs.put(pair)

    with ThreadPoolExecutor(pairs.qsize()) as pool:
        tried = [pool.submit(on_two_cores, program) for program in waiting]
        for judged in as_completed(tried):
            verdict = judged.result()
            verdicts[verdict.corpus, verdict.program] = verdict
            print(*asdict(verdict).values(), sep=" | ", flush=True)
            write_verdicts(verdicts.values())  # each time: it takes hours
    print(rates(verdicts.values()))


def _untried(program: WholeProgram) -> Verdict:
    verdict = "" if program.needs else _UNTRIED
    return Verdict(program.corpus, program.name, " ".join(program.arguments), program.needs, verdict)


def write_verdicts(verdicts: Iterable[Verdict]) -> None:
    """Write a line for each."""
    origin = measurements.origin("tests/cuda/corpora/run_programs.py", device=measurements.cpu())
    measurements.write(WRITTEN, map(asdict, verdicts), origin)


def read_verdicts() -> list[Verdict]:
    """The lines that are written."""
    columns = Verdict.__annotations__
    return [Verdict(**{name: row[name] for name in columns if name in row}) for row in measurements.read(WRITTEN)]


if __name__ == "__main__":
    main()
