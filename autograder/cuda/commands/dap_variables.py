"""What an editor shows of a moment: threads, calls, and variables, each part of which it asks for by a number."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ..debugger.expressions import Evaluator
from ..debugger.session import Session
from ..debugger.values import Value

#: A variable, by its name in the list, the expression for it, and its value.
_Part = tuple[str, str, Any]
#: Lists N parts, beginning with a given one; None: all.
_Lister = Callable[[int, int | None], Iterator[_Part]]
#: Most frames of a thread's stack.
_FRAMES = 1000
_ARRAYS = {"Shared": ("shared",), "Global": ("global",), "Device and constant": ("device", "constant")}


class View:
    """The numbers that an editor has got for what it sees of a session; they hold until time goes on."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._listed: list[tuple[Evaluator, _Lister]] = []
        self._evaluators: dict[tuple[int, int], Evaluator] = {}

    def clear(self) -> None:
        """Forget all numbers: it is another moment."""
        self._listed, self._evaluators = [], {}

    def threads(self) -> list[dict[str, Any]]:
        """Return the threads of the focused warp, and of the other warps one each."""
        session, found = self._session, []
        for first, last in session.neighbors():
            x, y, z = session.index(first, session.recorded.block)
            name = f"thread ({x}, {y}, {z})" if first == last else f"warp {first // 32}, threads {first} to {last}"
            found.append({"id": first + 1, "name": f"block {session.block}, {name}"})
        return found

    def frames(self, thread: int, start: int, count: int) -> tuple[list[dict[str, Any]], int]:
        """Some of a thread's calls, and how many it has."""
        frames = self._session.frames(thread)
        shown = []
        for depth, frame in list(enumerate(frames))[start : start + count if count else None]:
            file, line = self._session.recorded.file_of(max(frame.line, 1))
            source = {"name": file.name, "path": str(file.resolve())}
            number = thread * _FRAMES + depth + 1
            shown.append({"id": number, "name": frame.function, "source": source, "line": line, "column": 1})
        return shown, len(frames)

    def evaluator(self, frame: int | None) -> Evaluator:
        """Return what evaluates expressions in a call, by its number; None: the latest of the thread in focus."""
        key = divmod(frame - 1, _FRAMES) if frame else (self._session.thread, 0)
        if key not in self._evaluators:
            self._evaluators[key] = self._session.evaluator(*key)
        return self._evaluators[key]

    def scopes(self, frame: int) -> list[dict[str, Any]]:
        """Return what a call sees, in groups."""
        session, evaluator = self._session, self.evaluator(frame)
        thread, depth = divmod(frame - 1, _FRAMES)

        def variables(start: int, count: int | None) -> Iterator[_Part]:
            yield from _some([(name, name, value) for name, value, _ in session.locals(thread, depth)], start, count)

        def built_in(start: int, count: int | None) -> Iterator[_Part]:
            names = ("threadIdx", "blockIdx", "blockDim", "gridDim")
            yield from _some([(name, name, evaluator.evaluate(name)) for name in names], start, count)

        found: list[tuple[str, _Lister]] = [("Locals", variables), ("Launch", built_in)]
        for title, spaces in _ARRAYS.items():
            if names := session.memory.arrays(*spaces):
                found.append((title, self._arrays(names)))
        scopes = [
            {"name": title, "variablesReference": self._number(evaluator, lister), "expensive": False}
            for title, lister in found
        ]
        scopes[0]["presentationHint"] = "locals"
        return scopes

    def _arrays(self, names: list[str]) -> _Lister:
        def listed(start: int, count: int | None) -> Iterator[_Part]:
            each = [(name, name, self._session.memory.array(name, self._session.block)) for name in names]
            yield from _some(each, start, count)

        return listed

    def variables(self, number: int, start: int, count: int) -> list[dict[str, Any]]:
        """Return the parts of what has a number. Raises KeyError: nothing has it."""
        if not 0 < number <= len(self._listed):
            raise KeyError(number)
        evaluator, lister = self._listed[number - 1]
        return [self.variable(evaluator, *part) for part in lister(start, count or None)]

    def variable(self, evaluator: Evaluator, name: str, expression: str, value: Any) -> dict[str, Any]:
        """Return a value as the protocol has it."""
        shown = {"name": name, "value": evaluator.shown(value), "evaluateName": expression, "variablesReference": 0}
        if isinstance(value, dict):
            parts = [(each, f"{expression}.{each}", number) for each, number in value.items()]
            shown["variablesReference"] = self._number(evaluator, lambda start, count: _some(parts, start, count))
        if not isinstance(value, Value):
            return shown
        shown["type"] = value.type.name
        if value.count():
            shown["variablesReference"] = self._number(evaluator, _parts(evaluator, expression, value))
            shown["indexedVariables" if value.type.kind == "array" else "namedVariables"] = value.count()
        elif value.type.kind == "pointer" and (target := evaluator.target(value)):
            target_alone = [(f"*{name}", f"*{expression}", target)]
            shown["variablesReference"] = self._number(
                evaluator, lambda start, count: _some(target_alone, start, count)
            )
        return shown

    def _number(self, evaluator: Evaluator, lister: _Lister) -> int:
        self._listed.append((evaluator, lister))
        return len(self._listed)


def _some(parts: list[_Part], start: int, count: int | None) -> Iterator[_Part]:
    yield from parts[start : None if count is None else start + count]


def _parts(evaluator: Evaluator, expression: str, value: Value) -> _Lister:
    def listed(start: int, count: int | None) -> Iterator[_Part]:
        for name, part in value.parts(evaluator.types, start, count):
            within = expression if name[0] not in ".[" else f"{expression}{name}"
            yield name.removeprefix("."), within, evaluator.referred(part)

    return listed
