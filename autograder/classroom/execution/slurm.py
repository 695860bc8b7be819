"""Workers as Slurm jobs, by dask-jobqueue, as a profile in cluster.toml requests them."""

from __future__ import annotations

import difflib
import getpass
import os
import re
import shutil
import signal
import subprocess
import time
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, get_args, get_type_hints

from ...cuda.errors import UsageError
from .cluster import NO_PAGES, Cluster, OpenCluster, Report, close_pages, event_loop, first_identity, import_distributed
from .cluster_worker import EMULATOR

#: Beside nbgrader_config.py: a table for each profile, whose keys are the fields of `Profile`.
PROFILES = "cluster.toml"
#: The jobs' output and, while they run, the keys by which workers and scheduler trust each other.
LOGS = Path("_build") / "grading" / "slurm"
#: Seconds after which a worker whose scheduler is gone ends, and its job with it.
DEATH_SECONDS = 30
#: Seconds without a job in the queue after which none is waited for.
_NO_JOB_SECONDS = 8
_POLL_SECONDS = 1.0


@dataclass(frozen=True)
class Profile:
    """What to ask Slurm for. Only `cores` and `memory` must be given.

    Args:
        name: of its table in cluster.toml.
        cores: of each job; as many notebooks run in it at a time.
        memory: of each job, such as "16GB".
        workers: how many jobs.
        walltime: of each job; when it is over, a new job takes its place.
        partition, account: Slurm's; its own defaults if left out.
        gres: of each job, such as "gpu:1" or "gpu:a100:1"; where it names a GPU, workers without one are refused.
        python: its path on the nodes; that of the one running here if left out.
        interface: the network between this machine and the nodes, such as "ib0".
        directives: further options of sbatch, such as ["--constraint=a100"].
        prologue: lines of shell before a worker starts, such as ["module load cuda"].
    """

    name: str
    cores: int
    memory: str
    workers: int = 1
    walltime: str = "01:00:00"
    partition: str | None = None
    account: str | None = None
    gres: str | None = None
    python: str | None = None
    interface: str | None = None
    directives: tuple[str, ...] = ()
    prologue: tuple[str, ...] = ()


def read_profile(path: Path, name: str = "") -> Profile:
    """The profile `name` of the file at `path`; the only one there if `name` is empty.

    Raises:
        UsageError: there is no such file or profile, or a key or value in it is not known.
    """
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UsageError(
            f"There is no {path.name} beside nbgrader_config.py: write one with a table for a profile, such as "
            '[gpu], and the lines cores = 8, memory = "32GB" and gres = "gpu:1".'
        ) from None
    except (OSError, ValueError) as error:
        raise UsageError(f"{path.name} cannot be read: {error}.") from None
    named = ", ".join(tables) or "none"
    if not name and len(tables) != 1:
        raise UsageError(f"--profile must say which profile of {path.name} is meant: {named}.")
    name = name or next(iter(tables))
    table = tables.get(name)
    if not isinstance(table, dict):
        raise UsageError(f"{path.name} has no profile '{name}' (it has: {named}).")
    return _profile(path.name, name, table)


def _profile(file: str, name: str, table: dict[str, Any]) -> Profile:
    kinds = get_type_hints(Profile)
    known = [field.name for field in fields(Profile)][1:]
    for key, value in table.items():
        if key not in known:
            near = difflib.get_close_matches(key, known, 1)
            meant = f"did you mean {near[0]}?" if near else f"the keys are {', '.join(known)}."
            raise UsageError(f"The profile '{name}' in {file} has an unknown key '{key}': {meant}")
        if not _fits(value, kinds[key]):
            raise UsageError(f"In the profile '{name}' in {file}, {key} must be {_kind(kinds[key])}, not {value!r}.")
    if missing := [key for key in ("cores", "memory") if key not in table]:
        raise UsageError(f"The profile '{name}' in {file} lacks {' and '.join(missing)}.")
    if not re.fullmatch(r"\d+ ?[KMGT]B", table["memory"]):
        kind = 'a size such as "16GB"'
        raise UsageError(f"In the profile '{name}' in {file}, memory must be {kind}, not {table['memory']!r}.")
    values: dict[str, Any] = {key: tuple(v) if isinstance(v, list) else v for key, v in table.items()}
    return Profile(name, **values)


def _fits(value: object, kind: object) -> bool:
    if kind is int:
        return type(value) is int and value > 0
    if kind == tuple[str, ...]:
        return isinstance(value, list) and all(isinstance(item, str) for item in value)
    return isinstance(value, str)


def _kind(kind: object) -> str:
    return "an integer above 0" if kind is int else "a list of texts" if get_args(kind)[1:] == (...,) else "a text"


def slurm(profile: Profile, root: Path) -> OpenCluster:
    """Workers as Slurm jobs, for the course at `root`, which the nodes must see under the same path.

    Opening it raises:
        UsageError: Slurm is not here or refuses the profile, or no job's worker comes, or it lacks what was requested.
    """

    @contextmanager
    def open_cluster(report: Report) -> Iterator[Cluster]:
        if shutil.which("sbatch") is None:
            raise UsageError(
                "Slurm is not here (there is no program sbatch): run this on the cluster's login node, or without "
                "--cluster."
            )
        with (
            event_loop() as loop,
            _jobs(profile, root, loop) as jobs,
            import_distributed().Client(jobs) as client,
        ):
            queue = _Queue(jobs.job_name, root / LOGS, report)
            report(
                f"{profile.workers} Slurm job{'s' * (profile.workers > 1)} asked for by the profile '{profile.name}'"
            )
            identity = first_identity(client, queue.no_worker, report)
            if "gpu" in (profile.gres or "") and identity.backend == EMULATOR:
                raise UsageError(
                    f"The profile '{profile.name}' asks for a GPU ({profile.gres}), but its worker on "
                    f"{next(iter(client.nthreads()))} can use none: run `autograder doctor` in such a job."
                )
            yield Cluster(identity, lambda: client, queue.no_worker)

    return open_cluster


@contextmanager
def _jobs(profile: Profile, root: Path, loop: Any) -> Iterator[Any]:
    slurm_cluster = _import_slurm_cluster()
    logs = root / LOGS
    logs.mkdir(parents=True, exist_ok=True)
    gres = (f"--gres={profile.gres}",) if profile.gres else ()
    with slurm_cluster(
        job_name=f"autograder-{os.getpid()}",
        cores=profile.cores,
        processes=1,  # each has a fork server of its own
        memory=profile.memory,
        walltime=profile.walltime,
        queue=profile.partition,
        account=profile.account,
        python=profile.python,
        interface=profile.interface,
        job_extra_directives=[*gres, *profile.directives],
        # Dask opens a port for pages all the same; there are none on it.
        job_script_prologue=[*profile.prologue, "export DASK_DISTRIBUTED__WORKER__HTTP__ROUTES='[]'"],
        worker_extra_args=["--no-dashboard", "--dashboard-address", NO_PAGES],
        death_timeout=DEATH_SECONDS,
        log_directory=str(logs),
        # Whoever reaches a scheduler can run anything as its owner: let nobody in without the key.
        security=True,
        shared_temp_directory=str(logs),
        scheduler_options={"dashboard_address": NO_PAGES},
        loop=loop,
    ) as jobs:
        close_pages(jobs, jobs.scheduler)
        _try(profile, jobs.job_script())
        # A job that ends, by its walltime or an accident, is followed by another one.
        jobs.adapt(minimum_jobs=profile.workers, maximum_jobs=profile.workers)
        try:
            yield jobs
        finally:
            # By hand: Dask would first wait for what its workers still run and hold.
            jobs.adapt(minimum_jobs=0, maximum_jobs=0)
            mine = [f"--user={getpass.getuser()}", f"--name={jobs.job_name}"]
            subprocess.run(["scancel", *mine], capture_output=True)


def _import_slurm_cluster() -> Any:
    """dask-jobqueue's class. Importing it replaces the handler of Ctrl-C by one that ends the process silently."""
    import_distributed()
    handler = signal.getsignal(signal.SIGINT)
    from dask_jobqueue import SLURMCluster

    signal.signal(signal.SIGINT, handler)
    return SLURMCluster


def _try(profile: Profile, script: str) -> None:
    """Ask Slurm whether it would take the job: a later refusal would leave no reason."""
    tested = subprocess.run(["sbatch", "--test-only"], input=script, capture_output=True, text=True)
    if tested.returncode:
        why = " ".join(line.removeprefix("allocation failure: ") for line in tested.stderr.strip().splitlines())
        raise UsageError(f"Slurm does not take the profile '{profile.name}': {why}")


class _Queue:
    """What Slurm says about the jobs named `name`, reported when it changes."""

    def __init__(self, name: str, logs: Path, report: Report) -> None:
        self._name, self._logs, self._report = name, logs, report
        self._reported, self._polled, self._seen = "", 0.0, time.monotonic()

    def no_worker(self, seconds: float) -> str | None:
        """Why no worker will come; None while a job waits or starts."""
        now = time.monotonic()
        if now - self._polled < _POLL_SECONDS:
            return None
        self._polled = now
        command = ["squeue", "--noheader", f"--user={getpass.getuser()}", f"--name={self._name}", "--format=%i %T (%r)"]
        listed = subprocess.run(command, capture_output=True, text=True)
        jobs = ", ".join(listed.stdout.split("\n")[:-1])
        if jobs or listed.returncode:
            self._seen = now
        if jobs and jobs != self._reported:
            self._reported = jobs
            self._report(f"waiting for a worker; Slurm says: {jobs}")
        if min(now - self._seen, seconds) < _NO_JOB_SECONDS:  # the next job is requested a moment after one ended
            return None
        return f"Slurm no longer has any of its jobs, and the last one said: {self._last_words()}"

    def _last_words(self) -> str:
        written = sorted(self._logs.glob(f"{self._name}-*"), key=lambda path: path.stat().st_mtime)
        for path in reversed(written):
            if lines := path.read_text(errors="replace").strip().splitlines():
                return f"{lines[-1]} (see {path})"
        return f"nothing (in {self._logs})"
