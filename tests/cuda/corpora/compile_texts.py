"""Compiles each kernel of each text of the corpora, unchanged, as `autograder run` would: what does, and what stops the
rest.

    .venv/bin/python tests/cuda/corpora/compile_texts.py CLONES [--only NAME ...]

CLONES is a folder with a clone of each repository of `corpora.toml`. Writes `verdicts.csv`, a line for each kernel, and
prints the rates and the constructs that stop most files.
"""

from __future__ import annotations

import argparse
import csv
import re
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import astuple, dataclass, fields
from pathlib import Path

from gathered import gather
from texts import Task, corpora, instances, launched, tasks

from autograder.cuda.compiler.name_errors import TemplateError
from autograder.cuda.compiler.toolchain import compile_kernel
from autograder.cuda.core.device_code import DeviceCode
from autograder.cuda.core.findings import CompileError, Finding, ForbiddenCode
from autograder.cuda.errors import GraderFault, UsageError
from autograder.cuda.programs.launches.file_kernel import read_kernel
from autograder.cuda.report.compile_errors import in_words

HERE = Path(__file__).parent
#: This many texts are tried that include a kernel's; of a template, this many instances: those that the text
#: launches or names, then one that we make up.
_TRIED = 3
_SUCH_AS = re.compile(r"\bsuch as (.*)\.")


@dataclass(frozen=True)
class Verdict:
    """What became of one kernel of a text. `construct` is what stopped it; empty if it compiles."""

    corpus: str
    file: str
    kernel: str
    verdict: str
    construct: str


def judge(task: Task) -> tuple[str, str]:
    """The verdict on one kernel, and what stopped it: in the text that comes furthest."""
    message = ("stopped", "")
    for text in task.texts[:_TRIED]:
        message = min(message, _judge(text, task)) if message[1] else _judge(text, task)
        if message[0] == "compiles":
            break
    return message


def _judge(text: Path, task: Task) -> tuple[str, str]:
    message = ("stopped", "no instance")
    names = [task.kernel]
    for name in names:
        try:
            read = read_kernel(text, name, task.folders)
            found = read.code
            if isinstance(found, DeviceCode):
                compiled = compile_kernel(read.gathered.text, name, code=found)
                if not isinstance(compiled, Finding):
                    return "compiles", ""
                found = compiled
            message = "stopped", _construct(found)
        except TemplateError as error:
            names += _instances(text, task, error)
        except UsageError as error:  # such as an instance that the text does not have, or a name without its types
            message = "stopped", _short(str(error))
            if (better := _SUCH_AS.search(str(error))) and name == task.kernel:
                names.append(better[1])
        except (GraderFault, subprocess.SubprocessError) as error:
            return "fault", _short(str(error))
    return message


def _instances(text: Path, task: Task, error: TemplateError) -> list[str]:
    """Instances of a template: those that the text launches or writes, then the one that the error names."""
    compiled = (name for name in launched(text, task.folders) if name.startswith(f"{task.kernel}<"))
    written = (f"{task.kernel}<{given}>" for given in instances(gather(text, task.folders).text, task.kernel))
    found = list(dict.fromkeys([*compiled, *written]))[: _TRIED - 1]
    made_up = _SUCH_AS.search(str(error))
    return [*found, made_up[1]] if made_up else found


def _construct(found: Finding) -> str:
    if isinstance(found, ForbiddenCode):
        return _short(f"{found.construct}: {found.reason}")
    assert isinstance(found, CompileError)
    return _short(in_words(found.messages)[0].text if found.messages else found.log.strip().split("\n")[0])


def _short(text: str) -> str:
    """The first sentence, without what is said of one place only."""
    return re.sub(r"/\S+/", "", " ".join(text.split()))[:160]


def rates(verdicts: Iterable[Verdict]) -> str:
    """For each corpus, how many files and kernels compile; then the constructs that stop most files."""
    all_ = list(verdicts)
    lines = []
    for corpus in [*dict.fromkeys(v.corpus for v in all_), "all"]:
        mine = [v for v in all_ if corpus in (v.corpus, "all")]
        good = sum(v.verdict == "compiles" for v in mine)
        files = {(v.corpus, v.file) for v in mine}
        whole = files - {(v.corpus, v.file) for v in mine if v.verdict != "compiles"}
        lines.append(
            f"{corpus:14}{good:5} of {len(mine):5} kernels ({good / len(mine):.1%}), "
            f"{len(whole):4} of {len(files):4} files without one that is stopped"
        )
    stopped = Counter(c for _, _, c in {(v.corpus, v.file, v.construct) for v in all_ if v.construct})
    lines += [f"{count:4}  {construct}" for construct, count in stopped.most_common(40)]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clones", type=Path, help="the folder of the clones")
    parser.add_argument("--only", nargs="*", help="names of corpora; of the others, the lines stay as they are")
    parser.add_argument("--jobs", type=int, default=2, help="how many kernels are compiled at a time")
    given = parser.parse_args()
    written = HERE / "verdicts.csv"
    stored = read_verdicts(written) if written.exists() else []
    chosen = [c for c in corpora() if not given.only or c.name in given.only]
    done = [v for v in stored if v.corpus not in {c.name for c in chosen}]
    with tempfile.TemporaryDirectory() as folder, ProcessPoolExecutor(given.jobs) as pool:
        for corpus in chosen:
            top = Path(folder) / corpus.name
            files = corpus.unpack(given.clones, top)
            work = tasks(files, [top / folder for folder in corpus.headers])
            message = pool.map(judge, work)
            names = ((task.file.relative_to(top).as_posix(), task.kernel) for task in work)
            done += [Verdict(corpus.name, *name, *what) for name, what in zip(names, message, strict=True)]
    order = [c.name for c in corpora()]
    done.sort(key=lambda v: order.index(v.corpus))
    with written.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerows([[f.name for f in fields(Verdict)], *map(astuple, done)])
    print(rates(done))


def read_verdicts(path: Path) -> list[Verdict]:
    """The lines of a file that `main` wrote."""
    with path.open(newline="", encoding="utf-8") as file:
        return [Verdict(**row) for row in csv.DictReader(file)]


if __name__ == "__main__":
    main()
