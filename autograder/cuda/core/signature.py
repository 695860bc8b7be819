"""A kernel's parameters as numpy types, and whether an argument fits one."""

from __future__ import annotations

import keyword
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import UsageError
from . import tensor_map

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
    "unsigned": np.uint32,
    "size_t": np.uint64,
    **{f"int{bits}_t": getattr(np, f"int{bits}") for bits in (8, 16, 32, 64)},
    **{f"uint{bits}_t": getattr(np, f"uint{bits}") for bits in (8, 16, 32, 64)},
}
#: The dtypes of CUDA's vector types, by name.
VECTORS: dict[str, AnyDType] = {
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
#: The dtypes of all types that CUDA C++ names, by name.
DTYPES: dict[str, AnyDType] = {name: np.dtype(scalar) for name, scalar in _SCALARS.items()} | VECTORS

#: The types of textures and surfaces, as parameters by value.
TEXTURES = ("cudaTextureObject_t", "cudaSurfaceObject_t")

_CHARS = (np.dtype(np.int8), np.dtype(np.uint8), np.dtype("S1"))


class MisfitError(UsageError):
    """An argument that does not fit the parameter whose declaration is `parameter`. The message is for the author of
    the launch; `given` is the argument."""

    def __init__(self, message: str, parameter: str, given: object) -> None:
        super().__init__(message)
        self.parameter, self.given = parameter, given


@dataclass(frozen=True)
class Parameter:
    """One parameter of a kernel.

    `declaration` names its type as the source does, with the arguments of templates in place of their parameters
    ("const real* in"); `name` is "" if it has none. `type` has no name, typedefs resolved, and no top-level qualifiers
    ("const float*"); `bytes` is its size as an argument. `dtype` is the numpy dtype of the value, or of what a pointer
    points to, in native byte order: structured for a vector type such as float4, with the fields x, y, z, w, and for
    any other struct that is passed by value; None if numpy has no such type. `is_const` says whether a pointer's
    pointee is const.
    """

    name: str
    declaration: str
    type: str
    bytes: int
    dtype: AnyDType | None
    is_pointer: bool
    is_const: bool

    def fit(self, arg: object, kernel_name: str) -> np.ndarray | np.generic:
        """Convert `arg` to what this parameter takes.

        Returns:
            For a pointer, a C-contiguous array in native byte order: `arg` itself, never a copy.
            A vector pointer (float4*) takes the structured dtype, or its scalars (float32) if
            their number is a multiple of the lanes; char* takes any one-byte integer or "S1".
            For a struct of 128 bytes, the array that `tensor_map` has made.
            For a scalar, a numpy scalar of exactly `dtype`: ints must be exact and in range, floats
            are rounded. For a struct of numbers, an `np.void` of `dtype`, from a sequence of its numbers; for any
            struct, an `np.void` of the same layout.

        Raises:
            MisfitError: `arg` doesn't fit; the message says what to pass.
        """
        try:
            if self.bytes == tensor_map.BYTES and isinstance(arg, np.ndarray) and tensor_map.is_tensor_map(arg):
                return arg
            return _fit_array(self, arg, kernel_name) if self.is_pointer else _fit_value(self, arg, kernel_name)
        except UsageError as error:
            raise MisfitError(str(error), self.declaration, arg) from None


@dataclass(frozen=True)
class Signature:
    """A kernel's `name` as a launch gives it ("blur<128>"), its parameters in order, and the most threads that a block
    may have according to its `__launch_bounds__`, if it has any."""

    name: str
    parameters: tuple[Parameter, ...]
    most_threads: int | None = None


def type_name(dtype: AnyDType) -> str:
    """What CUDA C++ calls a dtype; empty if it has no name."""
    return next((name for name, known in DTYPES.items() if known == dtype), "")


def _named(dtype: AnyDType) -> str:
    """The dtype as a student would write it."""
    return "np.bool_" if dtype.kind == "b" else f"np.{dtype.name}"


def _fit_array(parameter: Parameter, arg: object, kernel_name: str) -> np.ndarray:
    name = parameter.name if parameter.name and not keyword.iskeyword(parameter.name) else "x"
    if "*" in parameter.type[:-1]:
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
    if parameter.type.endswith("&"):
        raise UsageError(
            f"{kernel_name}: {parameter.declaration} is a reference, which no launch can pass: take it by value or as "
            "a pointer."
        )
    fits = isinstance(arg, np.void) and arg.dtype.isnative and arg.dtype.itemsize == parameter.bytes
    if isinstance(arg, np.void) and fits and (dtype is None or _layout(arg.dtype) == _layout(dtype)):
        return arg
    if dtype is None or (dtype.names and any(dtype[name].kind not in "biuf" for name in dtype.names)):
        raise UsageError(
            f"{takes} a {parameter.type} by value: pass a numpy structured scalar of the same layout, which has "
            f"{parameter.bytes} bytes."
        )
    if dtype.names is not None:
        lanes = len(dtype.names)
        if not isinstance(arg, tuple | list | np.ndarray) or len(arg) != lanes or np.ndim(arg) != 1:
            example = str((0,) * lanes)
            raise UsageError(f"{takes} {lanes} numbers, but got {_shown(arg)}: pass a tuple such as {example}.")
        each = f"{takes} {lanes} numbers, each"
        numbers = tuple(_fit_number(dtype[i], number, each) for i, number in enumerate(arg))
        struct = np.array(numbers, dtype)[()]
        assert isinstance(struct, np.void)
        return struct
    return _fit_number(dtype, arg, takes)


def _layout(dtype: AnyDType) -> object:
    """What two structured dtypes have in common that differ only in the names of their fields."""
    if dtype.subdtype is not None:
        return dtype.shape, _layout(dtype.base)
    if dtype.fields is None:
        return dtype.str
    return [(offset, _layout(field)) for field, offset, *_ in dtype.fields.values()]


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
        raise UsageError(f"{takes}, but got {arg}: pass an integer, such as int(...) makes.")
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
