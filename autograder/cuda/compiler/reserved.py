"""Names that no text may use, as a header for the compiler to read last before a text.

Clang refuses a poisoned name wherever a text has it, whole or put together by a macro's ##, and lets the macros use it
that were defined before: those of the prelude.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..core.refusal import Refusal
from .verifier.entries import runtime_entries
from .verifier.rules import EXPECTED

HEADER = "reserved.h"
MESSAGE = "attempt to use a poisoned identifier"
_RUNTIMES = re.compile(r"\b(?:emu|EMU)(?:_\w+)?\b")
#: Names besides the runtime's, and why not.
_OTHERS = {
    "__has_include": Refusal.READS,
    "__has_include_next": Refusal.READS,
    "__has_embed": Refusal.READS,
    "_Pragma": Refusal.ORDERS,
    "__pragma": Refusal.ORDERS,
    # Attributes that leave nothing in the LLVM IR, or no line; and one by which a text chooses the compiler's messages.
    **{
        spelled: Refusal.ORDERS
        for word in ("annotate", "diagnose_if", "no_sanitize", "nodebug", "visibility")
        for spelled in (word, f"__{word}__")
    },
    "__fp16": Refusal.NOT_CUDA,
    "_GLOBAL_OFFSET_TABLE_": Refusal.COMPILER,
}


def reserved_header(prelude: Iterable[str]) -> str:
    """Return the header's text: it reserves what the runtime defines and the texts of the `prelude` name."""
    symbols = {name[1:] for name in (*runtime_entries(), *EXPECTED) if name.startswith(("@emu_", "@__"))}
    names = {*_OTHERS, *symbols, *(name for text in prelude for name in _RUNTIMES.findall(text))}
    return "".join(f"#pragma GCC poison {name}\n" for name in sorted(names))


def reason_for(word: str) -> Refusal:
    """Return why the compiler refuses `word`, which is reserved, or that of a macro which makes such a name."""
    if re.match(r"(?:emu|EMU)(?:_|$)|__(?:tsan|ubsan)_", word):
        return Refusal.RUNTIME
    return _OTHERS.get(word, Refusal.ANY_NAME)
