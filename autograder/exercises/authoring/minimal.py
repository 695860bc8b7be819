"""Which barriers and fences of an exercise's answer does no case need?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from nbformat import NotebookNode

from ..answers.answer import KernelAnswer, ValuesAnswer
from ..answers.launches import Launches
from ..answers.tools import Tools
from ..checks.needless_barriers import Needless, find_needless
from ..declarations.declaration import Exercise
from ..notebook.run_notebook import answers_of, declared
from ..notebook.session import emulate, reorder


@dataclass(frozen=True)
class Certificate:
    """What is known of the barriers and fences in one answer of a notebook.

    Args:
        name: of the exercise.
        lines: how many lines have some.
        needless: those that can go.
        unexplained: of these, the lines of which the exercise's `spare` does not say why they are there.
        unfounded: the texts in `spare` that no line has that can go.
    """

    name: str
    lines: int
    needless: Needless
    unexplained: tuple[int, ...]
    unfounded: tuple[str, ...]


def certify(notebook: NotebookNode, answers: Mapping[str, str]) -> Iterator[Certificate]:
    """Judge each kernel of a notebook whose answers are right, with `answers` in the place of its own, by the first
    line of their cell. Of a whole program, nothing is known.

    Raises:
        GraderFault: the notebook cannot be run. UsageError: an answer gives a launch that cannot start.
    """
    given = {**answers_of(notebook), **answers}
    for name, exercise in sorted(declared(notebook).exercises.items()):
        if isinstance(exercise, Exercise):
            values = ValuesAnswer("\n" + given[f"%%values {name}"]) if exercise.values else None
            yield _certify(exercise, KernelAnswer("\n" + given[f"%%cuda {name}"]), values)


def _certify(exercise: Exercise, answer: KernelAnswer, values: ValuesAnswer | None) -> Certificate:
    launches = Launches(exercise, answer, values, Tools(emulate, reorder=reorder), {}, {})
    needless = find_needless(exercise, launches)
    text = dict(enumerate(answer.source.split("\n"), start=1))
    can_go = (*needless.together, *needless.instead)
    return Certificate(
        exercise.name,
        len({call.line for call in launches.trial(exercise.sizes[0], on_gpu=False).run.sync_calls}),
        needless,
        tuple(line for line in can_go if not exercise.stays(text[line])),
        tuple(part for part in exercise.spare if not any(part in text[line] for line in can_go)),
    )
