"""The preflight: before a machine grades, the attacks of `classroom/attacks` are tried on it, and it grades only if
each is stopped. What the tests show of our own machines, this shows of each.

It takes some seconds, once: the result is cached for this machine (its name, its Linux, the parts of the sandbox that
it has) and this version of the package. A result with an attack that got through is not cached. The attacks of a whole
program are tried where one is to be graded: they need a C++ library, which is built first.
"""

from __future__ import annotations

import json
import os
import platform
import re
import select
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from ...cuda.backends import gpu_sharing
from ...cuda.backends.emulator_reply import TRUSTED
from ...cuda.compiler import zig
from ...cuda.compiler.cache import cache_folder, digest, lock
from ...cuda.programs.building.build import build_program
from ...cuda.programs.process import run_program
from ...cuda.programs.served import Limits
from ..attacks import ESCAPED, Attack, accesses, notebooks, prelude, programs, promises, texts
from . import sandbox
from .fork_server import ForkServer, passed_environment
from .task import Task, TaskResult, checker_version

#: Those that a kernel's text makes: all that end soon, by one way to compile them.
KERNELS = (
    *(*texts.OUTSIDE, *texts.EARLY, *texts.LANGUAGE, *texts.DECLARED, *texts.LAUNCH),
    *(*accesses.MEMORY, *accesses.SPELLINGS, *accesses.JUMPS, *accesses.COPIES, *accesses.STACKS),
    *accesses.NAMES,
    *(*prelude.PLACED, *prelude.USED, *prelude.POKED),
    *(*promises.ASSUMED, *promises.PROMISED, *promises.INHERITED, *promises.NAMED, *promises.DEFINED),
    *(*promises.CLOCKS, *promises.STEPS),
    *promises.REFUSED,
)
#: What tells the result of whole programs from that of notebooks.
_PROGRAMS = "programs"
#: Attacks that are tried one after the other in one process: starting one takes longer than most attacks.
_TOGETHER = 16
_SECONDS = 60
#: Python in the sandbox of a GPU's worker, which runs what comes in a list and tells of each how it ended.
_IN_GPU_WORKER = """
import io, json, os, resource, sys, tempfile
from contextlib import redirect_stdout
from pathlib import Path
from autograder.cuda.backends.gpu_worker import FILE_LIMIT
from autograder.classroom.execution import sandbox
cells = json.load(sys.stdin)
resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_LIMIT, FILE_LIMIT))
sandbox.close_in_gpu_worker(Path(tempfile.gettempdir()))
for cell in cells:
    os.chdir(tempfile.gettempdir())
    said = io.StringIO()
    try:
        with redirect_stdout(said):
            exec(cell, {})
        ended = said.getvalue().strip() or "nothing"
    except BaseException as error:
        ended = type(error).__name__
    print(json.dumps(ended), flush=True)
"""
_LAUNCH = """\
import numpy as np
from autograder.cuda.kernel import Kernel
done = Kernel({text!r}, "k").emulate(1, 1, [np.zeros(64, np.float32)])
print("completed" if done.completed else done.findings[-1].kind.value)
"""


@dataclass(frozen=True)
class Outcome:
    """How an attack ended: the kind of its last finding, what it printed, or the name of its exception."""

    attack: Attack
    ended: str

    @property
    def stopped(self) -> bool:
        return self.ended in self.attack.stopped


def refusal(server: ForkServer) -> str:
    """Why this machine does not grade, and what to do; "" if every attack is stopped on it, or somebody trusts every
    kernel. Tries them in forks of `server` if that was not done here before."""
    return _refusal(lambda: attack(server))


def refusal_of_programs() -> str:
    """As `refusal`, of answers that are whole programs."""
    return _refusal(attack_by_program, _PROGRAMS)


def _refusal(try_all: Callable[[], list[Outcome]], *which: str) -> str:
    if os.environ.get(TRUSTED) == "1" or known(*which):
        return ""
    with lock(_place(*which).with_suffix(".lock")):  # several graders may begin at once
        return "" if known(*which) else reason(try_all())


def known(*which: str) -> date | None:
    """When all attacks were stopped on this machine by this version; None if they were not tried, or not all were."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        return date.fromisoformat(json.loads(_place(*which).read_text(encoding="utf-8"))["date"])
    return None


def reason(outcomes: Sequence[Outcome]) -> str:
    """A sentence on what got through, and what to do; "" if nothing did."""
    through = [outcome.attack.name for outcome in outcomes if not outcome.stopped]
    if not through:
        return ""
    more = f" and {len(through) - 1} more of {len(outcomes)}" if len(through) > 1 else ""
    return (
        f"On {platform.node()}, an attack got through that grading must stop ({through[0]}{more}): "
        "`autograder doctor --attacks` lists them. Grade on another machine, or set "
        f"{TRUSTED}=1 if you trust everybody whose work is run here."
    )


def attack(server: ForkServer) -> list[Outcome]:
    """Try every attack that fits this machine in forks of `server`, and keep the result if all are stopped."""
    ESCAPED.unlink(missing_ok=True)
    kernels = KERNELS if zig.problem() is None else ()
    with targets() as around, ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        cells = [(item, _LAUNCH.format(text=item.text)) for item in kernels]
        cells += [(item, around.aimed(item)) for item in notebooks.NOTEBOOKS]
        groups = [cells[i : i + _TOGETHER] for i in range(0, len(cells), _TOGETHER)]
        outcomes = [item for group in pool.map(lambda group: _try(server, group), groups) for item in group]
        if gpu_sharing.visible():
            outcomes += attack_by_gpu_worker(around)
        outcomes += around.outcomes()
    return _printed(outcomes)


def attack_by_gpu_worker(around: Targets) -> list[Outcome]:
    """Try the attacks of a notebook's process in the sandbox of a GPU's worker, one after the other in one process."""
    cells = [around.aimed(item) for item in notebooks.GPU_WORKER]
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-P", "-c", _IN_GPU_WORKER],
            cwd=folder,
            env={**passed_environment(), "TMPDIR": folder},
            input=json.dumps(cells),
            capture_output=True,
            text=True,
        )
    reply = [str(json.loads(line)) for line in done.stdout.splitlines()]
    reply += ["nothing"] * (len(cells) - len(reply))  # it has ended
    return [Outcome(item, how) for item, how in zip(notebooks.GPU_WORKER, reply, strict=True)]


def attack_by_program() -> list[Outcome]:
    """Try the attacks of a whole program in its sandbox alone, without a notebook's around it, and keep the result
    if all are stopped.

    Raises:
        GraderFault: the program cannot be built or started.
    """
    built, names = build_program(programs.PROGRAM), [item.name for item in programs.PROGRAMS]
    with targets() as around:
        arguments = (str(around.folder / "gradebook.db"), *names)
        done = run_program(built, programs.PROGRAM, arguments, keep=True, limits=Limits())
        reply = dict(line.split(": ", 1) for line in (done.printed or "").split("\n") if ": " in line)
        outcomes = [Outcome(item, reply.get(item.name, "nothing")) for item in programs.PROGRAMS]
        outcomes += around.outcomes()
    return _printed(outcomes, _PROGRAMS)


def _printed(outcomes: list[Outcome], *which: str) -> list[Outcome]:
    """Keep the result if all are stopped."""
    if all(outcome.stopped for outcome in outcomes):
        with suppress(OSError):  # then they are tried again next time
            place = _place(*which)
            place.parent.mkdir(parents=True, exist_ok=True)
            staged = place.with_suffix(f".{os.getpid()}")
            staged.write_text(json.dumps({"date": date.today().isoformat(), "stopped": len(outcomes)}))
            staged.replace(place)
    return outcomes


def _place(*which: str) -> Path:
    machine = (platform.node(), platform.release(), platform.version(), str(os.geteuid()))
    return cache_folder() / "attacks" / f"{digest(checker_version(), *machine, *sandbox.parts(), *which)}.json"


def _try(server: ForkServer, cells: Sequence[tuple[Attack, str]]) -> list[Outcome]:
    """Run the cells of attacks one after the other in one process."""
    result = server.run(Task("attacks", tuple(cell for _, cell in cells), _SECONDS))
    return [Outcome(item, how_it_ended(result, n)) for n, (item, _) in enumerate(cells)]


def how_it_ended(result: TaskResult, cell: int = 0) -> str:
    """What a cell printed, or the name of its exception."""
    if cell >= len(result.cells):
        return result.broken or "nothing"
    outputs = result.cells[cell] or [{"text": ""}]
    return str(outputs[-1].get("ename") or outputs[-1].get("text", "").strip() or "nothing")


@dataclass(frozen=True)
class Targets:
    """What attacks of notebooks are aimed at: see `attacks/notebooks.py`."""

    folder: Path
    datagram: socket.socket
    other: subprocess.Popen[bytes]

    def aimed(self, attack: Attack) -> str:
        """The text of a cell that attacks them."""
        text = re.sub(r"\bOTHER\b", str(self.other.pid), attack.text)
        for name, file in {"FILE": "gradebook.db", "STREAM": "stream", "DATAGRAM": "datagram"}.items():
            text = re.sub(rf"\b{name}\b", repr(str(self.folder / file)), text)
        return text

    def outcomes(self) -> list[Outcome]:
        """What shows afterwards that an attack got through."""
        return [Outcome(Attack(name, "", ("nothing",)), ended) for name, ended in self._traces().items()]

    def _traces(self) -> dict[str, str]:
        """By what was attacked, what it shows of it; "nothing" if nothing."""
        found = {"a command run by a kernel": "a file was made" if ESCAPED.exists() else "nothing"}
        there = sorted(path.name for path in self.folder.iterdir()) == ["datagram", "gradebook.db", "stream"]
        whole = there and (self.folder / "gradebook.db").read_text() == "a secret"
        found["the course's files, afterwards"] = "nothing" if whole else "they have changed"
        got = select.select([self.datagram], [], [], 0)[0]
        found["a service, afterwards"] = "it got a message" if got else "nothing"
        found["another process, afterwards"] = "nothing" if self.other.poll() is None else "it has ended"
        return found


@contextmanager
def targets() -> Iterator[Targets]:
    """A file, two services and a process for attacks to be aimed at."""
    with (
        tempfile.TemporaryDirectory(prefix="autograder-") as name,
        socket.socket(socket.AF_UNIX) as stream,
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as datagram,
        subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other,
    ):
        folder = Path(name)
        (folder / "gradebook.db").write_text("a secret")
        stream.bind(str(folder / "stream"))
        stream.listen()
        datagram.bind(str(folder / "datagram"))
        try:
            yield Targets(folder, datagram, other)
        finally:
            other.kill()
