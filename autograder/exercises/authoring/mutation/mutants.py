"""All mutants of an answer: every edit of every operator, once."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ....cuda.compiler.cache import digest
from . import expressions, statements, threads, values
from .syntax import Edit, Operator, parse, walk

OPERATORS: tuple[Operator, ...] = (
    expressions.shift_index,
    expressions.scale_index,
    expressions.transpose_index,
    expressions.take_another_variable,
    expressions.change_arithmetic,
    expressions.change_comparison,
    expressions.change_logic,
    expressions.choose_one,
    expressions.change_constant,
    expressions.change_assignment,
    expressions.swap_arguments,
    statements.remove_statement,
    statements.double_statement,
    statements.change_guard,
    statements.cut_loop,
    statements.double_loop,
    statements.change_initial_value,
    statements.change_type,
    statements.change_sign,
    threads.remove_barrier,
    threads.weaken_barrier,
    threads.double_barrier,
    threads.remove_fence,
    threads.change_scope,
    threads.change_mask,
    threads.change_exchange,
    threads.change_atomic,
    threads.remove_atomic,
    threads.unshare,
    threads.change_place,
)


@dataclass(frozen=True)
class Answer:
    """A right answer of the exercise notebook at `path`: the `text` of the cell below the line `magic`. It is the
    notebook's own, or that of its `variant` of this name."""

    path: Path
    magic: str
    text: str
    variant: str = ""

    @property
    def name(self) -> str:
        """The name of the answer."""
        return self.magic.split()[1]

    @property
    def title(self) -> str:
        """The name, and which variant it is."""
        return f"{self.name} ({self.variant})" if self.variant else self.name

    @property
    def is_kernel(self) -> bool:
        """Whether it is CUDA C++, and no values."""
        return self.magic.startswith("%%cuda")


@dataclass(frozen=True)
class Mutant:
    """An answer's `text` after one `edit`, which the operator named `operator` made; `key` differs from that of every
    other mutant of the exercise."""

    operator: str
    edit: Edit
    text: str
    key: str


def mutants_of(answer: Answer) -> tuple[Mutant, ...]:
    """The mutants of an answer, in the order of its text. If several edits give the same text, the first counts.

    Raises:
        GraderFault: the grammar does not know some construct of the text.
    """
    if answer.is_kernel:
        nodes = walk(parse(answer.text))
        edits = [(change.__name__, edit) for node in nodes for change in OPERATORS for edit in change(node)]
    else:
        edits = list(values.find_edits(answer.text))
    edits.sort(key=lambda made: (made[1].start, made[1].end, made[0], made[1].replacement))
    found: dict[str, Mutant] = {}
    same = _without_spaces(answer.text)
    for operator, edit in edits:
        text = edit.of(answer.text)
        if _without_spaces(text) != same and text not in found:
            key = digest(answer.magic, text, *filter(None, [answer.variant]))
            found[text] = Mutant(operator, edit, text, key)
    return tuple(found.values())


def _without_spaces(text: str) -> str:
    return "".join(text.split())
