"""Compiler messages in words: in CUDA's terms, where we know better than the compiler."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from ..core.diagnostics import Diagnostic, Problem
from .clang_rules import CONSTANT_SIZE, KERNEL_RULES, PROGRAM_RULES, RULES, STREAMS
from .other_side import host_call, of_other_side
from .typos import SLIPS

#: Spellings in the compiled text, and what the student wrote.
_SPELLINGS = (
    ("emu_print_all", "printf"),
    ("no setter defined for property", "cannot assign to"),  # threadIdx.x
    ("initialization is not supported for __shared__ variables", "initializer not allowed for __shared__ variable"),
    (
        "variable with 'loader_uninitialized' attribute cannot have an initializer",
        "initializer not allowed for __shared__ variable",
    ),
    ("expected body of lambda expression", "a lambda takes neither __host__ nor __device__"),
    (
        "variable length arrays in C++ are a Clang extension",
        CONSTANT_SIZE,
    ),
)
#: By memory space: its name in messages, and what sets its limit.
_MEMORY = {
    "shared": ("__shared__", "a kernel can declare"),
    "constant": ("__constant__", "a kernel can have"),
    "device": ("__device__", "the emulator can watch"),
}


class Message(NamedTuple):
    """A compiler message in words: line and column in the source, from 1 (0: no location), and a sentence."""

    line: int
    column: int
    text: str


def in_words(messages: Iterable[Diagnostic]) -> tuple[Message, ...]:
    """Put compiler messages into words."""
    return tuple(Message(message.line, message.column, _WORDS[message.problem](message)) for message in messages)


def _of_clang(message: Diagnostic) -> str:
    """Return clang's message without the compiler's terms if we know better."""
    text, notes = message.text, message.notes
    for inner, outer in _SPELLINGS:
        text = text.replace(inner, outer)
    return (of_other_side(text, notes) or _of_rules(message, text)) + _instance(notes, message.line)


def _of_rules(message: Diagnostic, text: str) -> str:
    """Return what the first matching rule puts in place of `text`, or `text`."""
    before, after = message.code[: message.column - 1], message.code[message.column - 1 :]
    text = _without_guess(text, after)
    for pattern, say in (*SLIPS, *_RULES[message.problem], *RULES):
        if (found := re.search(pattern, text)) and (words := say(found, before, after, message.notes)):
            return words
    return text + _parameter(message.notes)


def _large_space(message: Diagnostic) -> str:
    word, whose = _MEMORY[message.names[0]]
    taken, limit = message.numbers
    return f"the {word} arrays take {taken} bytes, and {whose} at most {limit}"


def _large_array(message: Diagnostic) -> str:
    taken, limit = message.numbers
    return f"the array {message.names[0]} takes {taken} bytes, and a thread can have at most {limit} of its own"


def _several_dynamic_arrays(message: Diagnostic) -> str:
    *others, last = message.names
    return (
        f"{', '.join(others)} and {last} begin at the same byte: all extern __shared__ arrays of a kernel are the same "
        "memory. For several arrays, declare one, and let pointers into it begin where the elements before them end"
    )


def _without_guess(text: str, after: str) -> str:
    """The message without the compiler's guess at a function of the C++ library for a name that is not called."""
    guess = re.search(r"'(\w+)'(; did you mean 'std::\1'\?)$", text)
    if guess is None or guess[1] in STREAMS or re.match(rf"{guess[1]}\s*(?:[(<{{]|::)", after):
        return text
    return text.removesuffix(guess[2])


def _parameter(notes: Sequence[Diagnostic]) -> str:
    """Which parameter an argument is for, if a message's notes say so."""
    found = (re.match(r"passing argument to parameter ('\w+') here", note.text) for note in notes if note.line)
    return next((f", for the parameter {parameter[1]}" for parameter in found if parameter), "")


def _instance(notes: Sequence[Diagnostic], line: int) -> str:
    """Which instance of a template a message about line `line` is for, by its notes, and what uses it; empty if it is
    for none."""
    for note in notes:
        if note.line and (instance := re.match(r"in instantiation of .* '(.*)' requested here", note.text)):
            if instance[1].startswith("std::"):
                return f" (in {instance[1].partition('<')[0]})"
            if note.line != line:
                return f" (in {instance[1]}, which line {note.line} uses)"
    return ""


#: The rules for messages of clang's, by the kind of source.
_RULES = {Problem.CLANG: KERNEL_RULES, Problem.CLANG_IN_PROGRAM: PROGRAM_RULES}
_WORDS: Mapping[Problem, Callable[[Diagnostic], str]] = {
    Problem.MESSAGE: lambda message: message.text,
    Problem.CLANG: _of_clang,
    Problem.CLANG_IN_PROGRAM: _of_clang,
    Problem.HIDDEN_KERNEL: lambda _: "a macro gives this kernel's name another meaning",
    Problem.HOST_CALL: lambda message: host_call(*message.names),
    Problem.SEVERAL_DYNAMIC_ARRAYS: _several_dynamic_arrays,
    Problem.LARGE_SPACE: _large_space,
    Problem.LARGE_ARRAY: _large_array,
    Problem.LARGE_PROGRAM: lambda _: "the arrays outside of functions, or in shared memory, make the program too large",
    Problem.LARGE_CODE: lambda _: (
        "the code has more instructions than the emulator can take: put what repeats into a loop or a function"
    ),
    Problem.DEEP_CODE: lambda _: "types or expressions are nested more deeply than the emulator supports",
    Problem.MISFIT_OPERAND: lambda _: (
        "an operand's type must fit its constraint: r is an integer of 32 bits, h of 16, l of 64 or a pointer, f is a "
        "float, d a double"
    ),
    Problem.EMPTY_CLUSTER: lambda _: "each number of __cluster_dims__ must be at least 1",
    Problem.ENDLESS: lambda _: "the compiler does not finish",
}
