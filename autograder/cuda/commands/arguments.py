"""Parses a kernel's arguments as a command line gives them.

    in=random:float32:128x128   an array: how it is filled, its dtype, its shape
    out=poison:1024             without a dtype it has the kernel's own
    in=points.npy               an array that numpy.save wrote
    image=random:64x64          of a texture or surface: its elements, read one by one and clamped at its edges
    n=1024  x=2.5  v=1,0,0      a number, or those of a vector type such as float3

The name is optional: an argument without one goes to the first parameter that no other argument names.

The same notation, always with a name, says what an array should hold after the launch:

    out=want.npy                the array that numpy.save wrote
    total=64                    every element; or sums=3,7,11: each of them
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import numpy as np

from ..core.signature import DTYPES, TEXTURES, AnyDType, Parameter, Signature
from ..core.texture import texture
from ..errors import UsageError

MAX_BYTES = 1 << 30
"""Largest array that a command line can create."""

Shape = tuple[int, ...]
Number = int | float
#: What one parameter of a kernel is given; a tuple for a vector type.
Value = np.ndarray | Number | tuple[Number, ...]

_POISON = b"\xa5"
FILLS: Mapping[str, Callable[[np.random.Generator, Shape, AnyDType], np.ndarray]] = MappingProxyType(
    {
        # Small integers, so that sums are exact in any order.
        "random": lambda rng, shape, dtype: rng.integers(0, 50, shape).astype(dtype),
        "zeros": lambda rng, shape, dtype: np.zeros(shape, dtype),
        "ones": lambda rng, shape, dtype: np.ones(shape, dtype),
        "arange": lambda rng, shape, dtype: np.arange(math.prod(shape)).astype(dtype).reshape(shape),
        # Bytes that no kernel writes by chance, so that unwritten elements stand out.
        "poison": lambda rng, shape, dtype: np.frombuffer(
            bytearray(_POISON * (math.prod(shape) * dtype.itemsize)), dtype
        ).reshape(shape),
    }
)


@dataclass(frozen=True)
class ArrayWords:
    """A description of an array: one of `FILLS`, a dtype ("" for the parameter's own), a shape."""

    fill: str
    dtype: str
    shape: Shape

    def make(self, rng: np.random.Generator, dtype: AnyDType | None = None) -> np.ndarray:
        """Make the array, with `dtype` if the description names none. An array of a vector type such as float4
        stores the numbers of each element in one more dimension.

        Raises:
            UsageError: the dtype is unknown or missing, or the array is too large.
        """
        chosen = read_dtype(self.dtype) if self.dtype else dtype
        if chosen is None:
            raise UsageError(f"there is no dtype to fill it with: write one, as in {self.fill}:float32:1024.")
        shape = self.shape if chosen.names is None else (*self.shape, len(chosen.names))
        scalar = chosen if chosen.names is None else chosen[0]
        size = math.prod(shape) * scalar.itemsize
        if size > MAX_BYTES:
            raise UsageError(f"it would take {size} bytes, more than {MAX_BYTES}: use a smaller shape.")
        return FILLS[self.fill](rng, shape, scalar)


@dataclass(frozen=True)
class Argument:
    """One argument as written. `name` is "" if it has none; `value` is an array description, the path of a
    .npy file, a number, or the numbers of a vector type."""

    text: str
    name: str
    value: ArrayWords | Path | Number | tuple[Number, ...]


def read_dtype(word: str) -> AnyDType:
    """Return the dtype called `word` in numpy ("float32", "uint8") or CUDA ("float", "unsigned char", "float4").

    Raises:
        UsageError: neither has that dtype.
    """
    # If both know a word, CUDA's meaning wins: numpy's "float" is a double.
    dtype = DTYPES.get(" ".join(word.split()))
    if dtype is None and re.fullmatch(r"u?int(?:8|16|32|64)|float(?:16|32|64)", word):
        dtype = np.dtype(word)
    if dtype is None:
        raise UsageError(f"{word} is not a known dtype: use one such as float32, int32, uint8 or float4.")
    return dtype


def parse_argument(text: str, option: str = "--arg") -> Argument:
    """Parse one argument of the given command-line option.

    Raises:
        UsageError: the argument is not in the notation above; the message says what to write.
    """
    named = re.match(r"\s*(\w+)\s*=", text)
    name, value = (named[1], text[named.end() :].strip()) if named else ("", text.strip())
    if value.endswith(".npy"):
        return Argument(text, name, Path(value))
    fill, colon, rest = value.partition(":")
    if not colon:
        return Argument(text, name, _numbers(f"{option} {text}", value))
    dtype, _, shape = rest.rpartition(":")
    if fill not in FILLS:
        raise _unread(
            f"{option} {text}", f"an array is filled with {', '.join(FILLS)}, and not with {fill or 'nothing'}"
        )
    if not re.fullmatch(r"[1-9]\d*(?:x[1-9]\d*)*", shape, re.ASCII):
        raise _unread(f"{option} {text}", f"the shape comes last, as in {fill}:1024 or {fill}:float32:128x128")
    return Argument(text, name, ArrayWords(fill, dtype.strip(), tuple(int(n) for n in shape.split("x"))))


def _numbers(text: str, value: str) -> Number | tuple[Number, ...]:
    numbers = tuple(_number(part.strip()) for part in value.split(","))
    known = tuple(n for n in numbers if n is not None)
    if len(known) < len(numbers):
        raise _unread(text, "write an array such as random:1024 or zeros:float32:64x64, a .npy file, or a number")
    return known[0] if len(known) == 1 else known


def _number(text: str) -> Number | None:
    for read in (lambda t: int(t, 0), float, {"true": True, "false": False}.__getitem__):
        try:
            return read(text)
        except (ValueError, KeyError):
            continue
    return None


def _unread(text: str, instead: str) -> UsageError:
    return UsageError(f"{text} cannot be read: {instead}.")


def bind(arguments: Sequence[Argument], signature: Signature, seed: int) -> list[Value]:
    """Make the args for `Kernel.emulate`: an array or a number for each parameter of `signature`.

    Args:
        seed: for the random fills, 0 or more; two parameters never get the same numbers.

    Raises:
        UsageError: the arguments don't fit the kernel; the message says what to write.
    """
    if seed < 0:
        raise UsageError(f"The seed {seed} is negative: use 0 or more.")
    parameters = signature.parameters
    names = [p.name for p in parameters]
    takes = f"{signature.name}({', '.join(p.declaration for p in parameters)})"
    found: dict[int, Argument] = {}
    for argument in sorted(arguments, key=lambda a: not a.name):  # named ones first
        free = [i for i in range(len(parameters)) if i not in found]
        if argument.name and argument.name not in names:
            raise UsageError(f"--arg {argument.text}: {takes} has no parameter {argument.name}.")
        at = names.index(argument.name) if argument.name else next(iter(free), -1)
        if at not in free:
            raise UsageError(f"--arg {argument.text} is one too many: {takes} has no parameter left for it.")
        found[at] = argument
    missing = [p for i, p in enumerate(parameters) if i not in found]
    if missing:
        example = "random:1024" if missing[0].is_pointer else "1024"
        named = f"{missing[0].name}=" if missing[0].name else ""
        raise UsageError(f"{takes} has no --arg for {missing[0].declaration}: add one, such as --arg {named}{example}.")
    rngs = (np.random.default_rng([seed, i]) for i in range(len(parameters)))
    return [_value(found[i], p, rng, signature.name) for i, (p, rng) in enumerate(zip(parameters, rngs, strict=True))]


def expected(texts: Sequence[str], signature: Signature, args: Sequence[Value]) -> dict[str, np.ndarray]:
    """Parse what `--expect` says about arrays after the launch, by name; each result has the shape of its array in
    `args`, the arguments of the kernel with this `signature`.

    Raises:
        UsageError: a text can't be parsed, or doesn't fit the kernel; the message says what to write.
    """
    pairs = zip(signature.parameters, args, strict=True)
    arrays = {p.name: (p, arg) for p, arg in pairs if isinstance(arg, np.ndarray)}
    out = {}
    for text in texts:
        argument = parse_argument(text, "--expect")
        if argument.name not in arrays:
            raise UsageError(f"--expect {text} names no array of {signature.name}: use {', '.join(arrays) or 'none'}.")
        parameter, array = arrays[argument.name]
        value = argument.value
        if isinstance(value, ArrayWords):
            want = value.make(np.random.default_rng(0), parameter.dtype)
        elif isinstance(value, Path):
            want = _load(value)
        else:
            want = np.asarray(value)
            want = np.resize(want, array.shape) if want.size in (1, array.size) else want
        if want.shape != array.shape:
            has, needs = (" x ".join(map(str, shape)) for shape in (want.shape, array.shape))
            raise UsageError(f"--expect {text} has {has} elements, but the array has {needs}: make them the same.")
        out[argument.name] = want
    return out


def _value(argument: Argument, parameter: Parameter, rng: np.random.Generator, kernel: str) -> Value:
    at = f"--arg {argument.text}"
    given = argument.value
    is_texture = parameter.type in TEXTURES
    if isinstance(given, ArrayWords | Path) != parameter.is_pointer:
        wants = "an array, such as zeros:1024" if parameter.is_pointer else "a number"
        raise UsageError(f"{at}: {parameter.declaration} takes {wants}.")
    value: Value
    if isinstance(given, ArrayWords):
        try:
            value = given.make(rng, np.dtype(np.float32) if is_texture else parameter.dtype)
        except UsageError as error:
            raise UsageError(f"{at}: {error}") from None
    elif isinstance(given, Path):
        value = _load(given)
    else:
        value = given
    if isinstance(value, np.ndarray) and is_texture:
        value = texture(value)
    if isinstance(value, np.ndarray) and not _fits(value, parameter):
        wanted = parameter.dtype if parameter.dtype is None or parameter.dtype.names is None else parameter.dtype[0]
        raise UsageError(f"{at} is {value.dtype}, but {parameter.declaration} takes {wanted}: give it that dtype.")
    parameter.fit(value, kernel)
    return value


def _fits(array: np.ndarray, parameter: Parameter) -> bool:
    """Return whether the dtype is right; `Parameter.fit` checks the same, but its messages are for Python users."""
    try:
        parameter.fit(array.ravel()[:0], "")
    except UsageError:
        return False
    return True


def _load(path: Path) -> np.ndarray:
    try:
        return np.ascontiguousarray(np.load(path, allow_pickle=False))
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror or error}.") from None
    except (ValueError, EOFError):
        raise UsageError(f"{path} is not a file that numpy.save wrote from an array: save it again.") from None
