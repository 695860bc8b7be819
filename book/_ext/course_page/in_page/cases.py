"""Cases as data. The build writes them, where numpy computes the references; a page reads them.

Numbers that a `%%values` cell gives are not known yet: they travel as the word alone.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from autograder import Case, InOut, Output
from autograder.cuda.core.setting import Size
from autograder.exercises.declarations.declaration import Sizes
from autograder.exercises.declarations.domain import DATA
from autograder.exercises.declarations.draw import KINDS

#: What a case or a launch may take from a `%%values` cell.
_WORDS = ("grid", "block", "shared_mem")


def key(size: Size) -> str:
    """Return a size as a word. A size that names no kind of data has the first one."""
    return repr(sorted((word, value) for word, value in size.items() if (word, value) != (DATA, KINDS[0])))


def pack_sizes(sizes: Sizes) -> dict[str, Any]:
    """`sizes` as values that JSON can hold."""
    return {"others": sizes.others, "of": sizes.of}


def unpack_sizes(data: Mapping[str, Any]) -> Sizes:
    """Return what `pack_sizes` was called on."""
    return Sizes(_sizes(data["others"]), {check: _sizes(sizes) for check, sizes in data["of"].items()})


def _sizes(data: Sequence[Mapping[str, Any]]) -> tuple[Size, ...]:
    return tuple(
        {word: tuple(value) if isinstance(value, list) else value for word, value in size.items()} for size in data
    )


def pack_case(case: Case, words: Mapping[str, Any]) -> dict[str, Any]:
    """`case` as values that JSON can hold; `words` are those of the `%%values` cell that it was made with."""
    return {
        **{word: _word(getattr(case, word), word, words) for word in _WORDS},
        "terms": case.terms,
        "args": [_pack(arg) for arg in case.args],
        "expected": [_pack(np.asarray(want)) for want in case.expected],
    }


def unpack_case(data: Mapping[str, Any], launch: SimpleNamespace | None) -> Case:
    """Return what `pack_case` was called on, with the words of `launch`."""
    return Case(
        **{word: _given(data[word], launch) for word in _WORDS},
        terms=data["terms"],
        args=[_unpack(arg) for arg in data["args"]],
        expected=[_unpack(want) for want in data["expected"]],
    )


def pack_launch(launch: Mapping[str, Any]) -> dict[str, Any]:
    """Return the launch of a prediction's kernel as values that JSON can hold."""
    return {**{word: launch[word] for word in _WORDS if word in launch}, "args": [_pack(arg) for arg in launch["args"]]}


def unpack_launch(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return what `pack_launch` was called on."""
    return {
        **{word: _given(data[word], None) for word in _WORDS if word in data},
        "args": list(map(_unpack, data["args"])),
    }


def _word(value: Any, word: str, words: Mapping[str, Any]) -> Any:
    return {"word": word} if word in words and value is words[word] else value


def _given(value: Any, launch: SimpleNamespace | None) -> Any:
    if isinstance(value, dict):
        return getattr(launch, value["word"])
    return tuple(value) if isinstance(value, list) else value


def _pack(arg: Any) -> Any:
    if isinstance(arg, Output):
        return {"output": [arg.shape, np.dtype(arg.dtype).str, arg.fill]}
    if isinstance(arg, InOut):
        return {"in_out": _pack(arg.array)}
    if isinstance(arg, np.ndarray):
        array = np.ascontiguousarray(arg)
        return {"array": [array.shape, array.dtype.str, base64.b64encode(array.tobytes()).decode()]}
    if isinstance(arg, np.generic):
        return {"number": [arg.item(), arg.dtype.str]}
    return arg


def _unpack(data: Any) -> Any:
    if not isinstance(data, dict):
        return tuple(data) if isinstance(data, list) else data
    ((kind, value),) = data.items()
    if kind == "in_out":
        return InOut(_unpack(value))
    if kind == "number":
        return np.dtype(value[1]).type(value[0])
    shape, dtype, content = value
    extent = tuple(shape) if isinstance(shape, list) else shape
    if kind == "output":
        return Output(extent, np.dtype(dtype), content)
    return np.frombuffer(base64.b64decode(content), np.dtype(dtype)).reshape(extent)
