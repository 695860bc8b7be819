"""Judges the mutants of exercises in several processes, and keeps what became of each."""

from __future__ import annotations

import json
import multiprocessing
import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat

from ....cuda.compiler.cache import cache_folder, digest, keeping
from ....cuda.compiler.emulator_runtime import build_runtime
from ...checks.prediction import Prediction
from ...declarations.declared_programs import programs_in
from ...notebook.run_notebook import answers_of
from ..verify import find_variants, magic_of
from .contract import Contract
from .equivalence import is_equivalent, is_same_launch
from .judged import ALIKE, ONE_IN, Judged, Status, Verdict
from .mutants import Answer, Mutant, mutants_of

PACKAGE = Path(__file__).parents[3]
#: Mutants that a process judges before it says so.
CHUNK = 20


@dataclass(frozen=True)
class Judgement:
    """What became of one mutant of an answer."""

    answer: Answer
    mutant: Mutant
    verdict: Verdict


def answers_in(path: Path) -> tuple[Answer, ...]:
    """The answers of the source notebook at `path` and their variants, but for whole programs, for which there are no
    operators."""
    notebook = nbformat.read(path, as_version=4)
    programs = programs_in(cell.source for cell in notebook.cells)
    of_notebook = (Answer(path, magic, text) for magic, text in answers_of(notebook).items())
    variants = (Answer(path, magic_of(file), file.read_text(), file.stem) for file in find_variants(path))
    return tuple(answer for answer in (*of_notebook, *variants) if answer.name not in programs)


def mutants_to_judge(answer: Answer) -> tuple[Mutant, ...]:
    """All mutants of a notebook's own answer; of a variant, one in `ONE_IN`, always the same ones."""
    mutants = mutants_of(answer)
    return tuple(chosen for chosen in mutants if int(chosen.key[:8], 16) % ONE_IN == 0) if answer.variant else mutants


def judge_mutants(paths: Sequence[Path], jobs: int, watch: Callable[[int, int], None]) -> list[Judgement]:
    """What becomes of each mutant of the exercises at `paths`, in the order of their texts. A mutant is judged once for
    each version of its exercise and of this package.

    Args:
        jobs: processes.
        watch: is told how many are judged, and how many there are.

    Raises:
        GraderFault: a notebook cannot be run, its own answers do not pass, or the results cannot be kept.
    """
    stored = {path: _Stored(path) for path in paths}
    everything = [(answer, m) for path in paths for answer in answers_in(path) for m in mutants_to_judge(answer)]
    left = [(answer, mutant) for answer, mutant in everything if stored[answer.path].verdict(mutant) is None]
    judged = len(everything) - len(left)
    watch(judged, len(everything))
    for answer, mutants, verdicts in _in_processes(left, jobs):
        stored[answer.path].keep(mutants, verdicts)
        judged += len(mutants)
        watch(judged, len(everything))
    verdicts_of = ((answer, mutant, stored[answer.path].verdict(mutant)) for answer, mutant in everything)
    return [Judgement(answer, mutant, verdict) for answer, mutant, verdict in verdicts_of if verdict is not None]


class _Stored:
    """What became of the mutants of one exercise, in a file for each version of the exercise and of this package."""

    def __init__(self, path: Path) -> None:
        cells = [cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
        variants = (file.read_text() for file in find_variants(path))
        self._file = cache_folder() / "mutants" / digest(_package(), *cells, *variants)
        self._verdicts: dict[str, list[str]] = json.loads(self._file.read_text()) if self._file.exists() else {}

    def verdict(self, mutant: Mutant) -> Verdict | None:
        known = self._verdicts.get(mutant.key)
        return None if known is None else Verdict(Status(known[0]), known[1])

    def keep(self, mutants: Sequence[Mutant], verdicts: Sequence[Verdict]) -> None:
        for mutant, verdict in zip(mutants, verdicts, strict=True):
            self._verdicts[mutant.key] = [verdict.status, verdict.why]
        with keeping():
            self._file.parent.mkdir(parents=True, exist_ok=True)
            staged = self._file.with_suffix(f".{os.getpid()}")
            staged.write_text(json.dumps(self._verdicts))
            staged.replace(self._file)


@cache
def _package() -> str:
    """A digest of all that may decide about a mutant."""
    parts = sorted(p for p in PACKAGE.rglob("*") if p.suffix in (".py", ".h", ".cpp", ".json"))
    return digest(build_runtime().key, *(part.read_bytes() for part in parts))


def _in_processes(
    left: Sequence[tuple[Answer, Mutant]], jobs: int
) -> Iterator[tuple[Answer, tuple[Mutant, ...], list[Verdict]]]:
    """Each chunk of mutants with its verdicts, when it is judged."""
    chunks: list[tuple[Answer, tuple[Mutant, ...]]] = []
    for answer, pairs in groupby(left, key=lambda pair: pair[0]):
        of_notebook = tuple(mutant for _, mutant in pairs)
        chunks += [(answer, of_notebook[start : start + CHUNK]) for start in range(0, len(of_notebook), CHUNK)]
    if not chunks:
        return
    with TemporaryDirectory(prefix="autograder-") as folder:
        spawn = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(min(jobs, len(chunks)), spawn, _start, (Path(folder), cache_folder())) as pool:
            wanted = {pool.submit(_judge, *chunk): chunk for chunk in chunks}
            try:
                for done in as_completed(wanted):
                    yield *wanted[done], done.result()
            finally:  # who interrupts this does not want to wait for the rest
                pool.shutdown(cancel_futures=True)


def _start(folder: Path, known: Path) -> None:
    """In a new process: keep compiled mutants, which nobody needs again, in a folder that goes; the emulator's own
    parts are where they were."""
    of_notebook = folder / str(os.getpid()) / "autograder"
    of_notebook.mkdir(parents=True)
    (of_notebook / "runtime").symlink_to(known / "runtime")
    os.environ["XDG_CACHE_HOME"] = str(of_notebook.parent)


def _judge(answer: Answer, mutants: Sequence[Mutant]) -> list[Verdict]:
    """What becomes of each of `mutants`."""
    verdicts = [_judge_one(_exercise(answer), answer, mutant) for mutant in mutants]
    shutil.rmtree(cache_folder() / "modules", ignore_errors=True)
    return verdicts


def _judge_one(exercise: Judged, answer: Answer, mutant: Mutant) -> Verdict:
    verdict = exercise.judge(answer.magic, mutant.text)
    wanted = exercise.exercises[answer.name]
    if verdict.status is not Status.SURVIVED or isinstance(wanted, Prediction):
        return verdict
    if not answer.is_kernel:
        return Verdict(Status.EQUIVALENT) if is_same_launch(wanted, answer.text, mutant) else verdict
    if is_equivalent(answer.text, mutant, wanted.kernel, _contract(answer)):
        return Verdict(Status.EQUIVALENT)
    if verdict.why != ALIKE:
        return verdict
    found = exercise.difference_anywhere(answer.name, mutant.text)
    return Verdict(Status.ALIKE if found == ALIKE else Status.SURVIVED, found)


def _exercise(answer: Answer) -> Judged:
    return _judged(answer.path, answer if answer.variant else None)


@lru_cache(maxsize=1)  # a process is given chunks of one exercise after the other
def _judged(path: Path, variant: Answer | None) -> Judged:
    return Judged(path, {variant.magic: variant.text} if variant else {})


@lru_cache(maxsize=1)
def _contract(answer: Answer) -> Contract:
    return _exercise(answer).contract(answer.name)


def count_by(judgements: Sequence[Judgement], key: Callable[[Judgement], str]) -> Mapping[str, Mapping[Status, int]]:
    """How many mutants of each `key` became what."""
    counts: dict[str, dict[Status, int]] = {}
    for judgement in judgements:
        of_key = counts.setdefault(key(judgement), dict.fromkeys(Status, 0))
        of_key[judgement.verdict.status] += 1
    return counts
