"""Prove an exercise: the solution passes, the stub scores 0, every mutant is rejected by the
check that it names, every variant passes, the solution has no barrier that no case needs, and NVIDIA's
compiler accepts it.

A mutant is a known-wrong answer, as a student would write it, in
`solutions/<chapter>/mutants/<exercise>/`: a `.cu` file holds the text of the `%%cuda` cell, a
`.values` file that of the `%%values` cell. In a notebook with several answers, the mutants of each
are one folder further down, named like the answer. A mutant's first comment line says `rejected by:
has_no_races`; its second may say `perhaps also: matches_numpy`, for checks that can fail as a
consequence.

A variant is a right answer by another way than the solution's, in a `variants` folder beside `mutants`, in
files and folders with the same names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader.preprocessors import ClearSolutions
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ...cuda.backends import gpu
from ...cuda.errors import GraderFault, UsageError
from ...cuda.nvrtc import compiler as nvrtc
from ...cuda.source.generation import runs_on
from ..declarations.declared_programs import programs_in
from ..notebook.run_notebook import answers_of, declared_exercise, run
from ..result import Outcome
from .minimal import certify

#: What nbgrader puts in place of a solution; the same text as in nbgrader_config.py.
STUB = "// YOUR CODE HERE"
MIN_MUTANTS = 4
_MAGICS = {".cu": "%%cuda", ".values": "%%values"}
_HEAD = re.compile(r"(?://|#) rejected by: (\w+)\n(?:(?://|#) perhaps also: ([\w, ]+)\n)?")


class Result(StrEnum):
    """How an attempt to prove something ended."""

    PROVEN = "proven"
    REFUTED = "refuted"
    SKIPPED = "skipped"


_COLORS = {Result.PROVEN: "green", Result.REFUTED: "red", Result.SKIPPED: "yellow"}


@dataclass(frozen=True)
class Proof:
    """One thing to prove: `what` it is about, and in `why` what was seen."""

    what: str
    result: Result
    why: str


@dataclass(frozen=True)
class Verdict:
    """Everything that was tried on one exercise. `proven` says whether nothing was refuted."""

    exercise: Path
    proofs: tuple[Proof, ...]

    @property
    def proven(self) -> bool:
        return all(proof.result is not Result.REFUTED for proof in self.proofs)


@dataclass(frozen=True)
class Mutant:
    """A known-wrong answer: `text` for the cell that begins with `magic`, the `check` that must
    reject it, and the checks that `perhaps` fail too."""

    path: Path
    magic: str
    text: str
    check: str
    perhaps: frozenset[str]


def find_exercises(folder: Path) -> tuple[Path, ...]:
    """The exercises below a course's `solutions` folder: `<chapter>/<exercise>.ipynb`, sorted."""
    return tuple(sorted(folder.glob("*/*.ipynb")))


def find_mutants(exercise: Path) -> tuple[Path, ...]:
    """The mutants of the exercise notebook at `exercise`, sorted."""
    folder = exercise.parent / "mutants" / exercise.stem
    return tuple(sorted(path for path in folder.rglob("*") if path.suffix in _MAGICS))


def find_variants(exercise: Path) -> tuple[Path, ...]:
    """The variants of the exercise notebook at `exercise`, sorted."""
    folder = exercise.parent / "variants" / exercise.stem
    return tuple(sorted(path for path in folder.rglob("*") if path.suffix in _MAGICS))


def read_mutant(path: Path) -> Mutant:
    """The mutant in the file at `path`, whose folder has the name of the answer that it replaces.

    Raises:
        UsageError: its first line does not say `rejected by: <check>`.
    """
    text = path.read_text()
    head = _HEAD.match(text)
    if head is None:
        raise UsageError(f"{path.name} must begin with a line such as '// rejected by: has_no_races'.")
    perhaps = frozenset(word.strip() for word in (head[2] or "").split(",") if word.strip())
    return Mutant(path, magic_of(path), text, head[1], perhaps)


def magic_of(path: Path) -> str:
    """The first line of the cell whose text the mutant or variant in the file at `path` is."""
    return f"{_MAGICS[path.suffix]} {path.parent.name}"


def verify(exercise: Path) -> Verdict:
    """Prove the exercise in the source notebook at `exercise`.

    Raises:
        UsageError: no such file, or a mutant without its first line.
        GraderFault: the notebook cannot be run, whatever the answer.
    """
    if not exercise.is_file():
        raise UsageError(f"{exercise} does not exist: name a notebook, such as solutions/<chapter>/<exercise>.ipynb.")
    notebook = nbformat.read(exercise, as_version=4)
    mutants = find_mutants(exercise)
    proofs = [prove_answers(notebook, {}, "solution"), prove_stub(notebook)]
    proofs += [prove_mutant(notebook, read_mutant(path)) for path in mutants]
    proofs += [prove_variant(notebook, path) for path in find_variants(exercise)]
    if proofs[0].result is Result.PROVEN:
        proofs += prove_minimal(notebook)
    if len(mutants) < MIN_MUTANTS:
        why = f"there are {len(mutants)}, and there must be at least {MIN_MUTANTS}"
        proofs.append(Proof("number of mutants", Result.REFUTED, why))
    proofs += [prove_compiles(notebook, arch) for arch in nvrtc.ARCHS]
    return Verdict(exercise, tuple(proofs))


def prove_variant(notebook: NotebookNode, path: Path) -> Proof:
    """Prove that the variant in the file at `path` passes every check."""
    return prove_answers(notebook, {magic_of(path): path.read_text()}, path.name)


def prove_answers(notebook: NotebookNode, answers: Mapping[str, str], what: str) -> Proof:
    """Prove that the notebook's answers pass every check, with `answers` in the place of its own, by the first line of
    their cell; `what` is what the proof is about."""
    results = run(notebook, answers)
    wrong = [r for r in results if r.outcome is not Outcome.PASSED]
    if wrong:
        return _refuted(what, ", ".join(f"{r.check} {r.outcome}" for r in wrong), wrong[0].report)
    device = "the emulator" if gpu.problem() else f"the emulator and {gpu.device_name()}"
    points = sum(r.points for r in results)
    return Proof(what, Result.PROVEN, f"{len(results)} checks, {points:g} points, on {device}")


def prove_minimal(notebook: NotebookNode) -> Iterator[Proof]:
    """Prove of each kernel of a notebook's own right answers that some case needs each barrier and fence, or that the
    exercise's `spare` says why it is there."""
    for found in certify(notebook, {}):
        what, can_go = f"barriers of {found.name}", found.needless
        if found.unexplained:
            lines = ", ".join(map(str, found.unexplained))
            yield _refuted(what, f"no case needs line {lines}: delete it, or say in spare=dict(...) why it is there")
        elif found.unfounded:
            yield _refuted(what, f"spare names {found.unfounded[0]!r}, which is in no line that can go")
        else:
            stays, unjudged = len(can_go.together) + len(can_go.instead), len(can_go.unjudged)
            needed = f"{found.lines - stays - unjudged} of {found.lines} lines are needed"
            yield Proof(what, Result.PROVEN, f"{needed}, {stays} explained, {unjudged} not judged")


def prove_stub(notebook: NotebookNode) -> Proof:
    """Prove that the released answers score 0, and that every check says they are not written yet."""
    results = run(notebook, answers_of(release(notebook)))
    for result in results:
        if result.outcome is not Outcome.BLOCKED or "not written yet" not in result.report:
            return _refuted("stub", f"{result.check} {result.outcome}", result.report)
    return Proof("stub", Result.PROVEN, "0 points, not written yet")


def prove_mutant(notebook: NotebookNode, mutant: Mutant) -> Proof:
    """Prove that the check which the mutant names rejects it, and that no check fails which it does
    not name. Checks about other answers of the notebook must pass."""
    everything = run(notebook, {mutant.magic: mutant.text})
    name = mutant.path.parent.name
    results = [r for r in everything if r.answer == name]
    failed = {r.check: r.report for r in results if r.outcome is Outcome.FAILED}
    what = mutant.path.name
    unknown = ({mutant.check} | mutant.perhaps) - {r.check for r in results}
    if unknown:
        return _refuted(what, f"the notebook has no check {', '.join(sorted(unknown))}")
    if mutant.check not in failed:
        seen = next(r for r in results if r.check == mutant.check)
        return _refuted(what, f"{seen.check} {seen.outcome}; failed: {_names(failed)}", seen.report)
    if spoilt := [r for r in everything if r.answer != name and r.outcome is not Outcome.PASSED]:
        return _refuted(what, f"{spoilt[0].check} of {spoilt[0].answer} {spoilt[0].outcome}", spoilt[0].report)
    others = sorted(failed.keys() - {mutant.check} - mutant.perhaps)
    if others:
        return _refuted(what, f"{', '.join(others)} failed, besides {mutant.check}", failed[others[0]])
    also = sorted(failed.keys() - {mutant.check})
    return Proof(what, Result.PROVEN, " and ".join([mutant.check, *also]))


def prove_compiles(notebook: NotebookNode, arch: str) -> Proof:
    """Prove that NVRTC compiles each kernel of the solution for `arch`; skipped if there is no NVRTC, or GPUs of `arch`
    lack what a kernel uses."""
    what = f"NVRTC, {arch}"
    if problem := nvrtc.problem():
        return Proof(what, Result.SKIPPED, problem)
    used = []
    programs = programs_in(cell.source for cell in notebook.cells)
    for first, source in answers_of(notebook).items():
        magic, name = first.split()
        if magic != _MAGICS[".cu"]:
            continue
        if name in programs:
            return Proof(what, Result.SKIPPED, f"{name} is a whole program, which NVRTC does not take")
        if not runs_on(source, arch):
            return Proof(what, Result.SKIPPED, f"{name} uses clusters, which these GPUs lack")
        compiled = nvrtc.compile_for(source, declared_exercise(notebook, name).kernel, arch)
        if not compiled.ok:
            return _refuted(what, f"the solution of {name} does not compile", compiled.log)
        used.append(f"{compiled.registers} registers, {compiled.static_shared} bytes of static shared memory")
    return Proof(what, Result.PROVEN, "; ".join(used))


def release(notebook: NotebookNode) -> NotebookNode:
    """A copy of a source notebook with its solutions cleared, as nbgrader clears them.

    Raises:
        GraderFault: solution marks that nbgrader cannot read.
    """
    copy = nbformat.from_dict(notebook)
    cleared: NotebookNode
    try:
        cleared, _ = ClearSolutions(code_stub={"python": STUB}).preprocess(copy, {})
    except RuntimeError as error:
        raise GraderFault(f"nbgrader cannot clear the solution: {error}.") from error
    return cleared


def main(paths: Sequence[Path]) -> int:
    """Prove the exercises at `paths`, print a table for each, and return the exit code: 0 if
    everything was proven or skipped, else 1.

    Raises:
        UsageError: `paths` is empty, or as `verify` says.
        GraderFault: as `verify` says.
    """
    if not paths:
        raise UsageError("There is no exercise here: run this in the course's root folder, or name a notebook.")
    console = Console()
    proven = True
    for path in paths:
        with console.status(f"proving {path.stem}"):
            verdict = verify(path)
        console.print(table(verdict))
        proven &= verdict.proven
    return 0 if proven else 1


def table(verdict: Verdict) -> Table:
    """A verdict as a table: one line for each proof."""
    out = Table(title=f"{verdict.exercise.parent.name}/{verdict.exercise.stem}", title_justify="left")
    for heading in ("what", "result", "seen"):
        out.add_column(heading)
    for proof in verdict.proofs:
        # Text, since a report's `tile[tid]` would be read as rich's markup.
        out.add_row(proof.what, Text(proof.result, _COLORS[proof.result]), Text(proof.why))
    return out


def _refuted(what: str, why: str, evidence: str = "") -> Proof:
    return Proof(what, Result.REFUTED, f"{why}\n{evidence}".rstrip())


def _names(failed: dict[str, str]) -> str:
    return ", ".join(sorted(failed)) or "none"
