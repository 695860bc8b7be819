"""Why a construct is refused, in words."""

from __future__ import annotations

from collections.abc import Mapping

from ..core.refusal import Refusal

_WORDS: Mapping[Refusal, str] = {
    Refusal.READS: "names a file, and an answer has no files beside it",
    Refusal.HEADER: "is not one of the headers that a kernel may include here",
    Refusal.ASSEMBLY: "is machine code that the emulator does not support",
    Refusal.UNNEEDED: "is not a directive that a kernel needs; a comment begins with //",
    Refusal.ORDERS: "gives the compiler directives that a kernel does not need",
    Refusal.COMPILER: "belongs to the compiler, not to CUDA",
    Refusal.RUNTIME: "belongs to the emulator",
    Refusal.UNSUPPORTED: "is not supported by the emulator",
    Refusal.NO_HEAP: "takes or frees memory while the kernel runs, which is not supported here",
    Refusal.NOT_CUDA: "is not part of CUDA device code",
    Refusal.AMBIGUOUS: "is read differently by different compilers",
    Refusal.HOST: "belongs to the program that launches a kernel, and not to the kernel",
    Refusal.SECOND_SPELLING: "is an alternative spelling of another token",
    Refusal.LAUNCH: "launches a kernel, which is not supported by the emulator",
    Refusal.ANY_NAME: "makes a name that no kernel may use",
    Refusal.TOO_LONG: "is longer than any kernel",
    Refusal.NO_CODE: "does not belong in C++ code",
    Refusal.KEYWORD: "redefines a keyword",
    Refusal.CONSTRUCTOR: "is supported in arrays only where the type has a constructor: none runs in shared memory",
    Refusal.ADDRESS_SPACE: "leads to memory that the emulator does not check",
    Refusal.SHARED_SIZE: "takes more memory than any GPU has for it",
    Refusal.RUNS_AROUND: "runs code before or after the kernel",
    Refusal.RUNS_BEFORE: "runs code before the kernel",
    Refusal.EARLY_VALUE: "is given its first value by code that runs before the kernel",
    Refusal.CODED_VALUE: "is given its first value by code, which CUDA does not run",
    Refusal.NO_BODY: "is declared or called, but is not a CUDA function and has no body here",
    Refusal.SYSTEM_CALL: "reaches outside the kernel",
    Refusal.DIFFERS: "may not be the same to every compiler, so that a GPU could run another kernel than the emulator",
    Refusal.UNPROVEN: "does what the emulator cannot prove to stay within the kernel's own memory and functions",
}

#: How many characters of an instruction are shown.
_SHOWN = 50


def describe_refusal(construct: str, refusal: Refusal) -> str:
    """What a line holds and why it is refused, as the end of a sentence."""
    if refusal is Refusal.INSTRUCTION:
        shown = construct if len(construct) <= _SHOWN else f"{construct[:_SHOWN]} ..."
        return f'the PTX instruction "{shown}", which the emulator does not follow'
    return f"{construct}, and that {_WORDS[refusal]}"
