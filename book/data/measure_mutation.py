"""Do the course's checks reject wrong answers that a program makes from its solutions and variants?

Run it anywhere: `python book/data/measure_mutation.py`. It takes some 80 minutes on two cores, unless `autograder
mutate` has judged the same mutants already. It writes two files beside itself: mutation_emulator.csv, how many mutants
of each operator became what, for each answer; and mutation_survivors_emulator.csv, those that no check rejects and that
no program proves equivalent, each with the reason.
"""

import os
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from mutation_reasons import Survivor, reason_for
from places import DATA, SOLUTIONS

from autograder.cuda.performance import measurements
from autograder.exercises.authoring.mutation.judged import Status
from autograder.exercises.authoring.mutation.mutants import Answer
from autograder.exercises.authoring.mutation.run import Judgement, count_by, judge_mutants
from autograder.exercises.authoring.mutation.stryker import position
from autograder.exercises.authoring.verify import find_exercises

SCRIPT = "book/data/measure_mutation.py"
JOBS = os.cpu_count() or 1


def counts(judgements: Iterable[Judgement]) -> Iterator[dict[str, Any]]:
    """A row for each answer and operator."""
    by: dict[tuple[str, str, str, str], list[Judgement]] = {}
    for judgement in judgements:
        answer = judgement.answer
        about = (answer.path.parent.name, answer.name, _which(answer), judgement.mutant.operator)
        by.setdefault(about, []).append(judgement)
    for (chapter, exercise, which, operator), of_it in sorted(by.items()):
        (found,) = count_by(of_it, lambda _: "").values()
        yield {
            "chapter": chapter,
            "exercise": exercise,
            "answer": which,
            "operator": operator,
            "killed": found[Status.KILLED],
            "equivalent": found[Status.EQUIVALENT],
            "alike": found[Status.ALIKE],
            "survived": found[Status.SURVIVED],
            "runs_on": found[Status.RUNS_ON],
            "timed_out": found[Status.TIMEOUT],
            "not_compiled": found[Status.COMPILE_ERROR],
            "grader_failed": found[Status.RUNTIME_ERROR],
        }


def survivors(judgements: Iterable[Judgement]) -> Iterator[dict[str, Any]]:
    """A row for each mutant that no check rejects and that is not proven equivalent, without its text, which is nearly
    the solution's."""
    for judgement in judgements:
        answer, mutant, verdict = judgement.answer, judgement.mutant, judgement.verdict
        if verdict.status not in (Status.SURVIVED, Status.ALIKE):
            continue
        line, _ = position(answer.text, mutant.edit.start)
        before = answer.text[mutant.edit.start : mutant.edit.end]
        whole_line = answer.text.splitlines()[line - 1].strip()
        yield {
            "chapter": answer.path.parent.name,
            "exercise": answer.name,
            "answer": _which(answer),
            "line": line,
            "operator": mutant.operator,
            "differs_in": verdict.why,
            "reason": reason_for(
                Survivor(mutant.key, mutant.operator, before, mutant.edit.replacement, whole_line, verdict.why)
            ),
        }


def _which(answer: Answer) -> str:
    return answer.variant or "solution"


def progress() -> Callable[[int, int], None]:
    """Tells at most once a minute how far it is, and about how long the rest takes."""
    began = told = time.monotonic()
    first: int | None = None

    def watch(done: int, of: int) -> None:
        nonlocal told, first
        now = time.monotonic()
        if first is None:
            first = done
        elif now - told > 60 and done > first:
            told = now
            print(
                f"{done} of {of}, about {(of - done) * (now - began) / (done - first) / 60:.0f} minutes left",
                flush=True,
            )

    return watch


def main() -> None:
    judgements = judge_mutants(find_exercises(SOLUTIONS), JOBS, progress())
    origin = measurements.origin(SCRIPT)
    measurements.write(DATA / "mutation_emulator.csv", counts(judgements), origin)
    measurements.write(DATA / "mutation_survivors_emulator.csv", survivors(judgements), origin)
    print(f"wrote {len(judgements)} mutants")


if __name__ == "__main__":
    main()
