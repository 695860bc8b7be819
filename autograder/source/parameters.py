"""Parses one kernel parameter into a numpy type, and checks whether an argument fits it."""

from __future__ import annotations

import keyword
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import UsageError

AnyDType = np.dtype[Any]

#: Sizes are those of 64-bit Linux, where `long` has 8 bytes.
_SCALARS: dict[str, type[np.generic]] = {
    "bool": np.bool_,
    "char": np.int8,
    "signed char": np.int8,
    "unsigned char": np.uint8,
    "short": np.int16,
    "unsigned short": np.uint16,
    "int": np.int32,
    "unsigned int": np.uint32,
    "long": np.int64,
    "unsigned long": np.uint64,
    "long long": np.int64,
    "unsigned long long": np.uint64,
    "float": np.float32,
    "double": np.float64,
    "__half": np.float16,
    "half": np.float16,
    "size_t": np.uint64,
    "ptrdiff_t": np.int64,
    "intptr_t": np.int64,
    "uintptr_t": np.uint64,
    "uint": np.uint32,
    "ushort": np.uint16,
    "ulong": np.uint64,
    **{f"int{bits}_t": getattr(np, f"int{bits}") for bits in (8, 16, 32, 64)},
    **{f"uint{bits}_t": getattr(np, f"uint{bits}") for bits in (8, 16, 32, 64)},
}
_VECTORS = {
    f"{base}{lanes}": np.dtype([(lane, dtype) for lane in "xyzw"[:lanes]])
    for base, dtype in {
        "char": np.int8,
        "uchar": np.uint8,
        "short": np.int16,
        "ushort": np.uint16,
        "int": np.int32,
        "uint": np.uint32,
        "long": np.int64,
        "ulong": np.uint64,
        "longlong": np.int64,
        "ulonglong": np.uint64,
        "float": np.float32,
        "double": np.float64,
    }.items()
    for lanes in (1, 2, 3, 4)
} | {"dim3": np.dtype([(axis, np.uint32) for axis in "xyz"])}

TEXTURES = ("cudaTextureObject_t", "cudaSurfaceObject_t")
"""The types of textures and surfaces, as parameters by value."""

_CHARS = (np.dtype(np.int8), np.dtype(np.uint8), np.dtype("S1"))
_INTEGER_WORDS = frozenset(["signed", "unsigned", "char", "short", "int", "long"])
_BUILTIN_WORDS = _INTEGER_WORDS | {"bool", "float", "double", "void"}
_QUALIFIERS = frozenset(
    ["const", "volatile", "restrict", "__restrict", "__restrict__", "__grid_constant__", "register", "struct"]
) | {"class", "enum", "union", "typename"}
_TOKEN = re.compile(r"(?:::\s*)?[^\W\d]\w*(?:\s*::\s*[^\W\d]\w*)*|\.\.\.|\[[^\]]*\]|\S")
_DECORATION = re.compile(r"\[\s*\[[^\]]*\]\s*\]|\b(?:alignas|__align__|__attribute__)\s*\((?:[^()]|\([^()]*\))*\)")
#: Longest declaration of one parameter that we read.
_MAX_DECLARATION = 500
#: Most tokens an alias may expand to; a normal type has a handful.
_MAX_TOKENS = 50


class MisfitError(UsageError):
    """A launch gives a parameter something else than it takes: `parameter` is its declaration, and `given` what there
    is. The message is for who writes the launch."""

    def __init__(self, message: str, parameter: str, given: object) -> None:
        super().__init__(message)
        self.parameter, self.given = parameter, given


@dataclass(frozen=True)
class Parameter:
    """One parameter of a kernel.

    `declaration` is the source text with its blanks tidied and without a default ("const float* in");
    `name` is "" if the parameter has none; `type` is the type with template arguments and aliases
    resolved, without the name ("const float*"). `dtype` is the numpy dtype of the pointee or scalar, in
    native byte order; a vector type such as float4 becomes a structured dtype with the fields x, y, z, w;
    None means an unknown type. `is_const` says whether a pointer's pointee is const.
    """

    declaration: str
    name: str
    type: str
    dtype: AnyDType | None
    is_pointer: bool
    is_const: bool

    def fit(self, arg: object, kernel_name: str) -> np.ndarray | np.generic:
        """Convert `arg` to what this parameter takes.

        Returns:
            For a pointer, a C-contiguous array in native byte order: `arg` itself, never a copy.
            A vector pointer (float4*) takes the structured dtype, or its scalars (float32) if
            their number is a multiple of the lanes; char* takes any one-byte integer or "S1".
            For a scalar, a numpy scalar of exactly `dtype`: ints must be exact and in range, floats
            are rounded. For a vector type, an `np.void` of `dtype`, from a sequence of its numbers.

        Raises:
            MisfitError: `arg` doesn't fit; the message says what to pass.
        """
        try:
            return _fit_array(self, arg, kernel_name) if self.is_pointer else _fit_value(self, arg, kernel_name)
        except UsageError as error:
            raise MisfitError(str(error), self.declaration, arg) from None


def parse_parameter(text: str, aliases: Mapping[str, str], kernel_name: str) -> Parameter:
    """Parse a parameter's declaration without comments ("const T *__restrict__ a = nullptr").

    Args:
        aliases: type text of each template parameter and type alias, such as {"T": "float"}.

    Raises:
        UsageError: the parameter is a reference or a parameter pack.
    """
    declaration = re.sub(r"\s+", " ", text.partition("=")[0]).strip()
    if len(declaration) > _MAX_DECLARATION:
        raise UsageError(f"{kernel_name}: a parameter of {len(declaration)} characters is too long to read.")
    tokens = _tokens(_DECORATION.sub(" ", declaration))
    if "..." in tokens:
        raise UsageError(f"{kernel_name}: {declaration} is a parameter pack: name each parameter.")
    words = [t for t in tokens if _is_type_word(t)]
    name = words[-1] if len(words) > 1 and words[-1] not in _BUILTIN_WORDS else ""
    if name:
        del tokens[len(tokens) - 1 - tokens[::-1].index(name)]
    tokens = _expand(tokens, aliases)

    is_array = any(t[0] == "[" for t in tokens)
    if "(" in tokens and not is_array:
        return Parameter(declaration, name, " ".join(tokens), None, False, False)  # a function's address
    if "&" in tokens and not is_array:
        raise UsageError(
            f"{kernel_name}: {declaration} is a reference, which no launch can pass: take it by value or as a pointer."
        )
    # `T a[4]`, `T a[][4]`, `T (*a)[4]` and `T (&a)[4]` are all addresses of T.
    stars = tokens.count("*") + (is_array and not ("(" in tokens and "*" in tokens))
    before = tokens[: tokens.index("*")] if "*" in tokens else tokens
    base = _canonical([t for t in before if _is_type_word(t)])
    is_const = "const" in before
    full = f"{'const ' * (is_const and stars > 0)}{base}{'*' * stars}"
    if base in TEXTURES and not stars:
        # A number in CUDA; the emulator takes what `texture` describes.
        return Parameter(declaration, name, base, np.dtype(np.uint8), True, base == TEXTURES[0])
    return Parameter(declaration, name, full, _dtype(base), stars > 0, is_const)


def _is_type_word(token: str) -> bool:
    """Whether `token` is an identifier that is not a qualifier."""
    return (token[0].isalpha() or token[0] in "_:") and token not in _QUALIFIERS


def _tokens(text: str) -> list[str]:
    """Split a declaration into tokens; template arguments stay with their name ("Pair<int, 4>")."""
    out: list[str] = []
    depth = 0
    for token in _TOKEN.findall(text):
        if depth or (token == "<" and out):
            depth += (token == "<") - (token == ">")
            out[-1] += ", " if token == "," else token
        else:
            out.append(re.sub(r"\s", "", token))
    return out


def _expand(tokens: list[str], aliases: Mapping[str, str], depth: int = 20) -> list[str]:
    """Replace every alias in `tokens`; a self-referential alias stays. The depth is bounded because
    aliases that double at each step would never end."""
    out: list[str] = []
    for token in tokens:
        if token in aliases and depth and len(out) < _MAX_TOKENS:
            rest = {k: v for k, v in aliases.items() if k != token}
            out += _expand(_tokens(aliases[token]), rest, depth - 1)
        else:
            out.append(token)
    return out


def _canonical(words: list[str]) -> str:
    """Spell a type in one way: "long unsigned int" becomes "unsigned long"."""
    if words and all(w in _INTEGER_WORDS for w in words):
        longs = " ".join(w for w in words if w == "long")
        size = next((w for w in ("char", "short") if w in words), longs or "int")
        if "unsigned" in words:
            return f"unsigned {size}"
        return "signed char" if size == "char" and "signed" in words else size
    return re.sub(r"^(?:::)?(?:cuda::)?(?:std::)?", "", " ".join(words))


def type_name(dtype: AnyDType) -> str:
    """What CUDA C++ calls a dtype; empty if it has no name."""
    scalars = (name for name, scalar in _SCALARS.items() if np.dtype(scalar) == dtype)
    return next(scalars, next((name for name, vector in _VECTORS.items() if vector == dtype), ""))


def _dtype(base: str) -> AnyDType | None:
    if base in _SCALARS:
        return np.dtype(_SCALARS[base])
    return _VECTORS.get(base)


def _named(dtype: AnyDType) -> str:
    """The dtype as a student would write it."""
    return "np.bool_" if dtype.kind == "b" else f"np.{dtype.name}"


def _fit_array(parameter: Parameter, arg: object, kernel_name: str) -> np.ndarray:
    name = parameter.name if parameter.name and not keyword.iskeyword(parameter.name) else "x"
    if parameter.type.endswith("**"):
        raise UsageError(
            f"{kernel_name}: {parameter.declaration} is a pointer to pointers, and no numpy array is that: "
            "use one flat array and compute the index."
        )
    dtype = parameter.dtype
    scalar = dtype if dtype is None or dtype.names is None else dtype[0]
    takes = f"{kernel_name}: {parameter.declaration} takes a numpy array"
    as_dtype = ""
    if scalar is not None:
        takes, as_dtype = f"{takes} of {scalar.name}", f", dtype={_named(scalar)}"
    if not isinstance(arg, np.ndarray):
        raise UsageError(f"{takes}, but {_instead(arg, name, as_dtype)}.")
    if arg.dtype.hasobject:
        raise UsageError(f"{takes}, but {name} holds Python objects: pass np.array(list({name}){as_dtype}).")
    if not arg.dtype.isnative:
        fix = f"{name}.astype({name}.dtype.newbyteorder('='))"
        raise UsageError(f"{takes}, but {name} has its bytes in another machine's order: pass {fix}.")
    if dtype is not None and scalar is not None and arg.dtype != dtype:
        # Plain char is neither the signed nor the unsigned type of one byte.
        is_char = parameter.type.removeprefix("const ") == "char*" and arg.dtype in _CHARS
        if arg.dtype != scalar and not is_char:
            raise UsageError(f"{takes}, but {name} is {arg.dtype}: pass {name}.astype({_named(scalar)}).")
        lanes = 1 if dtype.names is None else len(dtype.names)
        if arg.size % lanes:
            raise UsageError(
                f"{takes} whose size is a multiple of {lanes}, but {name} has {arg.size} elements: pad it with zeros."
            )
    if not arg.flags.c_contiguous:
        raise UsageError(f"{takes}, but {name} is not C-contiguous: pass np.ascontiguousarray({name}).")
    return arg


def _instead(arg: object, name: str, as_dtype: str) -> str:
    """Describe what was passed in place of a numpy array, and what to pass instead."""
    if hasattr(arg, "__cuda_array_interface__"):
        return f"{name} is on the GPU: pass a copy in numpy, such as {name}.get()"
    if isinstance(arg, list | tuple | range):
        return f"got a {type(arg).__name__}: pass np.array({name}{as_dtype})"
    if isinstance(arg, bool | int | float | np.generic):
        return f"got the number {_shown(arg)}: pass np.array([{name}]{as_dtype})"
    what = "None" if arg is None else f"an object of type {type(arg).__name__}"
    return f"got {what}: pass an array, such as np.zeros(n{as_dtype})"


def _fit_value(parameter: Parameter, arg: object, kernel_name: str) -> np.generic:
    takes = f"{kernel_name}: {parameter.declaration} takes"
    dtype = parameter.dtype
    if isinstance(arg, np.ndarray) and arg.ndim == 0:
        arg = arg[()]
    if isinstance(arg, np.void) and arg.dtype.names and arg.dtype.isnative and (dtype is None or dtype == arg.dtype):
        return arg
    if dtype is None:
        raise UsageError(
            f"{takes} a {parameter.type} by value, whose layout is not known here: "
            "pass a numpy structured scalar of the same layout."
        )
    if dtype.names is not None:
        lanes = len(dtype.names)
        if not isinstance(arg, tuple | list | np.ndarray) or len(arg) != lanes or np.ndim(arg) != 1:
            example = str((0,) * lanes)
            raise UsageError(f"{takes} {lanes} numbers, but got {_shown(arg)}: pass a tuple such as {example}.")
        numbers = tuple(_fit_number(dtype[0], number, f"{takes} {lanes} numbers, each") for number in arg)
        vector = np.array(numbers, dtype)[()]
        assert isinstance(vector, np.void)
        return vector
    return _fit_number(dtype, arg, takes)


def _fit_number(dtype: AnyDType, arg: object, takes: str) -> np.generic:
    takes += f" one {'bool' if dtype.kind == 'b' else dtype.name}"
    if isinstance(arg, np.generic) and arg.dtype.kind in "biuf":
        arg = float(arg) if arg.dtype.kind == "f" else arg.item()
    if not isinstance(arg, bool | int | float):
        raise UsageError(f"{takes}, but got {_shown(arg)}: pass a number.")
    make = dtype.type
    if dtype.kind == "f":
        return _fit_float(dtype, arg, takes)
    if isinstance(arg, float) and not arg.is_integer():
        raise UsageError(f"{takes}, but got {arg}: pass a whole number, such as int(...) makes.")
    whole = int(arg)
    low, high = (0, 1) if dtype.kind == "b" else (int(np.iinfo(dtype).min), int(np.iinfo(dtype).max))
    if not low <= whole <= high:
        raise UsageError(f"{takes}, but got {_shown(arg)}: pass a number from {low} to {high}.")
    number = make(whole)
    assert isinstance(number, np.generic)
    return number


def _fit_float(dtype: AnyDType, arg: float, takes: str) -> np.generic:
    largest = float(np.finfo(dtype).max)
    try:
        exact = float(arg)
    except OverflowError:  # an int beyond the largest double
        exact = math.inf if arg > 0 else -math.inf
    with np.errstate(over="ignore", under="ignore"):
        number = dtype.type(exact)
    if np.isinf(number) and not (isinstance(arg, float) and math.isinf(arg)):
        raise UsageError(f"{takes}, but got {_shown(arg)}: pass a number from {-largest} to {largest}.")
    assert isinstance(number, np.generic)
    return number


def _shown(arg: object) -> str:
    """A short description of `arg`."""
    if isinstance(arg, np.ndarray):
        return f"an array of shape {arg.shape}"
    if isinstance(arg, int) and abs(arg) >= 10**20:
        return f"an int of {arg.bit_length()} bits"
    text = repr(arg)
    return text if len(text) <= 40 else f"an object of type {type(arg).__name__}"
