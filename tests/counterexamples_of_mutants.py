"""Find out how many of the exercises' mutants with a race get a counterexample, and at what cost. Prints one line for
each mutant, then the totals.

    python tests/counterexamples_of_mutants.py [part of a path ...]
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import nbformat

from autograder.cuda.core.launch import Launch
from autograder.cuda.core.run import Expected, Run
from autograder.cuda.schedules.counterexamples import find_counterexample
from autograder.exercises.authoring import verify
from autograder.exercises.notebook import run_notebook as notebook_run
from autograder.exercises.notebook.session import default as session

SOLUTIONS = Path(__file__).parents[1] / "solutions"


def outcome(run: Run) -> str:
    if not run.completed:
        return "stopped"
    if run.counterexample:
        return "counterexample"
    return "right in every order" if run.orders_all_right else "not found"


def main(chosen: list[str]) -> None:
    runs: list[tuple[Run, float]] = []

    def explain(launch: Launch, run: Run, expected: Mapping[str, Expected]) -> Run:
        begin = sum(os.times()[:4])  # this process and those that it has waited for
        done = find_counterexample(launch, run, expected)
        runs.append((done, sum(os.times()[:4]) - begin))
        return done

    session.explain = explain
    outcomes: Counter[str] = Counter()
    most = 0.0
    for exercise in verify.find_exercises(SOLUTIONS):
        for path in verify.find_mutants(exercise):
            if chosen and not any(part in str(path) for part in chosen):
                continue
            runs.clear()
            mutant = verify.read_mutant(path)
            notebook_run.run(nbformat.read(exercise, as_version=4), {mutant.magic: mutant.text})
            for run, seconds in runs:
                example = run.counterexample
                print(
                    f"{path.relative_to(SOLUTIONS)}: {outcome(run)}, {seconds:.2f} s"
                    + (f", {example.schedule}, right under {example.right}" if example else ""),
                    flush=True,
                )
                outcomes[outcome(run)] += 1
                most = max(most, seconds)
    print(f"\n{sum(outcomes.values())} mutants fail has_no_races.")
    print(f"The costliest search takes {most:.2f} s of processor time.")
    for what, number in outcomes.most_common():
        print(f"  {what}: {number}")
    dependent = outcomes["counterexample"] + outcomes["not found"]
    if dependent:
        share = outcomes["counterexample"] / dependent
        print(f"Of the {dependent} that end, and are not right in every order: {share:.0%} have a counterexample.")


if __name__ == "__main__":
    main(sys.argv[1:])
