"""Why mutants survive: a reason for each that the measurement itself bears out, or none."""

import re
from collections.abc import Callable
from dataclasses import dataclass

#: Where nobody has said more than that no case tells the mutant from the solution.
UNEXPLAINED = "no case tells it from the right answer"
#: The other branch of a choice: what stands for an element that is not there.
_INSTEAD = re.compile(r"\?[^?]*:\s*0(\.0f)?\b")


@dataclass(frozen=True)
class Survivor:
    """A mutant that no check rejects: its key, its operator, the text before the edit and after it, its whole line, and
    what differs from the answer that it was made from (`judged._difference`)."""

    key: str
    operator: str
    before: str
    after: str
    line: str
    differs: str


@dataclass(frozen=True)
class _Rule:
    """`reason` for survivors of some operators (of all, if none are named) for which `holds`."""

    operators: tuple[str, ...]
    holds: Callable[[Survivor], bool]
    reason: str


_RULES = (
    _Rule(
        (),
        lambda one: one.differs == "other shared memory",
        "it takes more shared memory, less than twice as much",
    ),
    _Rule((), lambda one: one.differs == "other results", "its results are within the tolerance"),
    _Rule(
        (),
        lambda one: one.differs == "another launch",
        "it has a thread or a block more or less in some cases, and less than twice as many",
    ),
    _Rule(
        ("double_loop", "double_statement"),
        lambda one: one.differs == "other traffic",
        "it does a thing twice that is the same each time, within the limits",
    ),
    _Rule(
        (), lambda one: one.differs == "other traffic", "it does other work than the right answer, within the limits"
    ),
    _Rule(
        ("change_constant",),
        lambda one: one.before in ("0", "0.0f") and bool(_INSTEAD.search(one.line)),
        "it stands for an element that is not there: it meets a zero, or nothing that is stored depends on it",
    ),
    _Rule(
        ("change_constant", "change_initial_value"),
        lambda one: re.match(r"\w+ \w+ = 0;", one.line) is not None,
        "the first value of a variable that gets another one wherever it is used",
    ),
    _Rule(
        ("change_type",),
        lambda one: one.after == "float",
        "a float is exact up to 16,777,216, and no case has a larger number there; that none can come is not proven",
    ),
    _Rule(
        ("change_type",),
        lambda one: one.after.endswith("char"),
        "no case has a number there beyond 8 bits; that none can come is not proven",
    ),
    _Rule(("change_type",), lambda one: one.after == "int", "all numbers there are whole in the cases"),
    _Rule(
        ("change_sign",),
        lambda one: True,
        "no case has a number there for which the sign matters; that none can come is not proven",
    ),
    _Rule(("shift_value",), lambda one: one.differs == "alike", "a prediction may be a little off"),
    _Rule(("change_mask",), lambda one: "activemask" in one.after, "all lanes come, though nothing says they must"),
)


#: What somebody found who read the mutants, with the beginnings of their keys, which change with the solution.
_READ = (
    ("c9dbce4a a3ec336d bfa221b6", "each thread adds once, also those that found nothing: the task allows it"),
    ("d1a0a585 44d70226", "a thread tries once more after its value is there, and finds that it is"),
    (
        "db9702b8",
        "it begins with a smaller number than the one seen, and tries where it need not: the numbers are right",
    ),
    ("3eec0eb9 29a880b4", "the barrier is there to make trouble certain, as the task says; no result needs it"),
    (
        "4ee5a0aa",
        "it passes over the last numbers, but only where every block is full: a gap, in lines that the task gives",
    ),
    ("a3adb2a5", "the number of threads is even, so half of one more is the same"),
    ("7b7fb853 9714ea9e", "the barrier behind the ticket comes before the array is used again"),
    ("0e677553 7fb0f253", "another thread of the block does it; all of them have the sum"),
    ("383ac38a", "equal numbers are stored once more"),
    ("2886442b", "a second search among the same numbers finds the same"),
    (
        "d8ea0ad3 ee6f0104 ff4b2b1d 355939ad 89e8c7b0 7bfe67bb 07efbb55",
        "all threads load or store everything twice, alike; the task limits no such traffic",
    ),
    ("f2c32934 a243febd", "a thread stores its own number twice before anyone reads it"),
    ("c7e17ca0 a36f4385 46bb60cb", "a thread stores its own result twice"),
    ("7f2b0199", "the array is 0 at the start, so what is added is what it would be set to"),
    (
        "b7c3bfc9 8f47f17a 6ba4ac8f 07f4eb93 197bbe7f 4c71fc60 828a4151",
        "it takes more shared memory, less than twice as much, and other banks",
    ),
    ("81f4b08c 8694f621", "threads without a number read one that exists, and keep it to themselves"),
    ("63fbb622", "another thread stores; the barrier has told all of them"),
    ("d49c464f a52efb2c", "a round more, in which there is nothing left: it adds zeros"),
    ("ab46dd7a 9710933a 10d44d7e 9d9bf567", "a round more, in which no thread has an element that far before its own"),
    ("72efd8cd", "a warp's number is never below 0"),
    ("a269f3c8", "the number of threads is a multiple of 32, so one more makes no warp more"),
    ("0d63060c", "the block is as tall as it is wide"),
    ("7be7420c 65a1e170", "an array of a thread's own has a part that nobody uses"),
    ("0b782348", "the number in the middle changes places with itself, which the task allows"),
    ("57aa8f8b 2668d02e", "the first number has been dealt with in the branch before"),
    ("11de4557 5be8b043", "another thread of the block does it; all of them have the sum"),
    ("c24d7ac0", "another lane of the warp stores; all of them have the sum"),
    ("1095f3d8", "each block sets counters of its own in place of the next one's"),
    ("655fddd0", "the last four numbers are moved one by one, as the code behind does with fewer"),
    (
        "346fa0e1 1fd7b95f df2ce118 18360e96",
        "it loads four numbers one by one: more loads, and fewer than the task allows",
    ),
    (
        "1a1c255e",
        "a tile has no padding, and its stores wait for each other's banks, which the task leaves to the speed",
    ),
    ("903a7bfa", "a round more, in which there is nothing left: it adds zeros"),
    ("a61713c9 b0f3093d", "it takes more shared memory, less than twice as much, and other banks"),
)
_REASONS = {key: reason for keys, reason in _READ for key in keys.split()}


def reason_for(survivor: Survivor) -> str:
    """The reason why a mutant survives."""
    if read := _REASONS.get(survivor.key[:8]):
        return read
    for rule in _RULES:
        if (not rule.operators or survivor.operator in rule.operators) and rule.holds(survivor):
            return rule.reason
    return UNEXPLAINED
