"""What a module may promise the optimizer: by attributes of functions, calls, parameters and results, and by what is
attached to instructions.

Where a promise does not hold, such as that a function never returns, the optimizer takes it for granted that control
never comes there, and leaves out the checks before it. C++ has many spellings of attributes, and macros have more;
here they all look alike. So what no honest kernel needs is refused, whatever the text says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from ..ir import Call, Function, Instruction
from ..ir.signatures import read_signature

#: Of a function's definition, and of a call of one.
_OF_FUNCTIONS = frozenset(
    "alwaysinline cold convergent disable_sanitizer_instrumentation hot inlinehint mustprogress noduplicate noinline "
    "nobuiltin nomerge norecurse nounwind null_pointer_is_valid sanitize_thread uwtable".split()
)
#: (nvvm.maxntid is a kernel's launch bounds, which mean nothing to the code generator for a CPU.)
_QUOTED = frozenset(
    f'"{name}"'
    for name in "disable-tail-calls frame-pointer min-legal-vector-width no-trapping-math nvvm.maxntid probe-stack "
    "stack-protector-buffer-size target-cpu target-features tune-cpu".split()
)
#: Of what is passed, either way. (`noalias` is what __restrict__ says, on a GPU, too.)
_OF_VALUES = frozenset(
    "align byval dead_on_unwind dereferenceable dereferenceable_or_null immarg noalias noundef signext sret "
    "writable zeroext".split()
)
#: Between `define` or `call` and the callee.
_IN_FRONT = frozenset(
    "align bfloat define dereferenceable dereferenceable_or_null double dso_local external float half hidden internal "
    "linkonce_odr noundef private protected ptr signext void weak_odr x zeroext".split()
)
_NOTES = r"dbg|nosanitize|llvm\.loop|prof|align|annotation|tbaa|heapallocsite|noalias|alias\.scope"
_ATTACHED = re.compile(rf"(?:, !(?:{_NOTES}) !\d+)*")
_WORD = re.compile(r'[%@](?:[-\w.$]+|"[^"]*")|\bi\d+\b|([a-z_]\w*)(\((?:[^()]|\([^()]*\))*\))?')
#: The instruction, which some compilers also name its result after: `%call = call i32 @f()`.
_CALL = re.compile(r"(?<![%\w.$-])call ")
#: Calls of the runtime that do not return.
_ENDS = ("@emu_trap", "@emu_misuse", "@__ubsan_handle_local_out_of_bounds_abort")


def broken_promise(function: Function, attributes: Iterable[str]) -> str:
    """Return what a definition promises that none may; empty if it promises nothing of the kind.

    Args:
        attributes: those in its groups.
    """
    if unknown := _unknown_of_function(attributes):
        return unknown
    parameters = read_signature(function.head).parameters
    return _unknown_in_front(function.head.partition("@")[0]) or _first(
        _unknown_of_value(parameter.attributes) for parameter in parameters
    )


def broken_promise_of_call(call: Call, attributes: Iterable[str], *, is_users: bool) -> str:
    """Return the same of a call; of one that leaves the module, `attributes` are also those of its declaration."""
    unknown = _first(_unknown_of_value(given.attributes) for given in call.arguments)
    front = _CALL.split(call.before_callee, maxsplit=1)[1]
    if is_users:
        return unknown or _unknown_in_front(front) or _unknown_of_function(attributes)
    # How the runtime is called is part of the entry's type.
    return (
        unknown
        or _unknown_in_front(front.removeprefix("preserve_allcc "))
        or ("noreturn" if "noreturn" in attributes and call.callee not in _ENDS else "")
    )


def is_plainly_attached(instruction: Instruction) -> bool:
    """Return whether nothing is attached to an instruction but what the compiler notes for itself."""
    return _ATTACHED.fullmatch(instruction.attachments) is not None


def _first(found: Iterable[str]) -> str:
    return next(filter(None, found), "")


def _unknown_of_function(attributes: Iterable[str]) -> str:
    return _first(
        word
        for word in sorted(attributes)
        if word not in _OF_FUNCTIONS and not (word[0] == '"' and word.partition("=")[0] in _QUOTED)
    )


@lru_cache(maxsize=4096)
def _unknown_of_value(attributes: str) -> str:
    return _first(word for word, _ in _WORD.findall(attributes) if word not in _OF_VALUES)


@lru_cache(maxsize=4096)
def _unknown_in_front(text: str) -> str:
    return _first(word for word, _ in _WORD.findall(text) if word not in _IN_FRONT)
