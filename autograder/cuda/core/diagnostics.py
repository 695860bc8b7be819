"""Compiler messages as data: where each is, and what is wrong there. `report` puts them into words."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Problem(StrEnum):
    """What a compiler message is about."""

    #: `text` is the message, complete.
    MESSAGE = "message"
    #: `text` is clang's message about a kernel's source, in which no header of the host is allowed.
    CLANG = "clang"
    #: `text` is clang's message about the source of a whole program.
    CLANG_IN_PROGRAM = "clang in program"
    #: A macro gives the kernel's name another meaning.
    HIDDEN_KERNEL = "hidden kernel"
    #: Code for the GPU calls a function of the host. `names` are that function, the mark of the caller ("": it has
    #: none), such as `__global__`, and the caller ("": unknown).
    HOST_CALL = "host call"
    #: A kernel uses several dynamic shared arrays, with these `names`.
    SEVERAL_DYNAMIC_ARRAYS = "several dynamic arrays"
    #: The arrays in a memory space, the only one of `names`, take more bytes than they may: both are in `numbers`.
    LARGE_SPACE = "large space"
    #: An array of a thread, the only one of `names`, takes more bytes than it may: both are in `numbers`.
    LARGE_ARRAY = "large array"
    #: The arrays outside of functions, or in shared memory, make the program too large.
    LARGE_PROGRAM = "large program"
    #: The source becomes more instructions than the emulator takes.
    LARGE_CODE = "large code"
    #: Types or expressions are nested too deeply.
    DEEP_CODE = "deep code"
    #: An operand of an asm statement does not fit its constraint.
    MISFIT_OPERAND = "misfit operand"
    #: A number of `__cluster_dims__` is 0.
    EMPTY_CLUSTER = "empty cluster"
    #: The compiler did not end within its time limit.
    ENDLESS = "endless"


class Diagnostic(NamedTuple):
    """A compiler message: line and column in the source, from 1 (0: no location), and what is wrong.

    `text` is the message as the compiler wrote it; empty if our checks found the `problem`, which says what `names` and
    `numbers` are. With a message of clang's come `code`, the line, and `notes`, whose line is 0 if it is in none of the
    user's files.
    """

    line: int
    column: int
    text: str = ""
    problem: Problem = Problem.MESSAGE
    names: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()
    code: str = ""
    notes: tuple[Diagnostic, ...] = ()
