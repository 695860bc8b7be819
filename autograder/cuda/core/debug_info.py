"""What a debugger knows of a kernel's text: its variables and their types, its functions and its lines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple


class Member(NamedTuple):
    """A member of a class, or a base class, which begins with a bit of it; `type` is a number, as in `DebugInfo`. A
    bit-field has a `width`; 0: it is none. A base class, and a union or class without a name, has no `name`: its
    members are as if they were the class's own."""

    name: str
    bit: int
    type: int
    width: int = 0


class CppType(NamedTuple):
    """A type, as C++ spells it. `kind` is "number", "pointer", "reference", "array", "class", "enumeration" or, of what
    nobody can show, "other". A number and an enumeration have a `dtype` as numpy spells it; an array has a `shape`.
    `target` is the type that a pointer or a reference points to, or of an array's elements; -1: none."""

    name: str
    bytes: int
    kind: str
    dtype: str = ""
    shape: tuple[int, ...] = ()
    target: int = -1
    members: tuple[Member, ...] = ()
    names: tuple[tuple[str, int], ...] = ()  # an enumeration's


class Variable(NamedTuple):
    """A thread's own variable, declared in `scope` (a number, as in `DebugInfo`)."""

    name: str
    type: int
    scope: int
    is_parameter: bool


class Line(NamedTuple):
    """Where a thread may be: a line of the text, in `scope`."""

    line: int
    scope: int


@dataclass(frozen=True)
class DebugInfo:
    """What the numbers in a trace mean. `scopes` are the numbers of the scopes around each scope; -1: none. `arrays`
    has the types of what no single thread owns, by name."""

    types: tuple[CppType, ...]
    variables: tuple[Variable, ...]
    functions: tuple[str, ...]
    lines: tuple[Line, ...]
    scopes: tuple[int, ...]
    arrays: tuple[tuple[str, int], ...] = ()

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> DebugInfo:
        """Read what `vars` of one is in JSON."""
        types = (
            CppType(
                name, size, kind, dtype, tuple(shape), target, tuple(Member(*m) for m in members),
                tuple((word, value) for word, value in names),
            )
            for name, size, kind, dtype, shape, target, members, names in data["types"]
        )  # fmt: skip
        return cls(
            tuple(types),
            tuple(Variable(*fields) for fields in data["variables"]),
            tuple(data["functions"]),
            tuple(Line(*fields) for fields in data["lines"]),
            tuple(data["scopes"]),
            tuple((name, type_) for name, type_ in data["arrays"]),
        )

    def encloses(self, scope: int, inner: int) -> bool:
        """Whether `inner` is `scope` itself or in it."""
        while inner >= 0 and inner != scope:
            inner = self.scopes[inner]
        return inner == scope
