"""What cuBLAS's functions have in common: handles, checks of arguments, scalars, operands."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..memory.heap import in_heap
from ..timeline import DEFAULT
from .calls import Function, LibraryCall, Read, RefusedError, StatusSteps, Write
from .operands import COMPLEX, DOUBLE, DOUBLE_COMPLEX, FLOAT, HALF, Element, Half, Operand, element

SUCCESS, NOT_INITIALIZED, INVALID_VALUE, EXECUTION_FAILED, NOT_SUPPORTED = 0, 1, 7, 13, 15
#: By the letters of functions' names.
TYPES = {"S": FLOAT, "D": DOUBLE, "C": COMPLEX, "Z": DOUBLE_COMPLEX, "H": HALF}
ON_GPU = 1  # CUBLAS_POINTER_MODE_DEVICE
#: cublasOperation_t, and whether one is conjugated.
NONE, TRANSPOSED, CONJUGATED = 0, 1, 2


@dataclass
class Handle:
    """What cublasCreate makes: where scalars are, the stream, and how products are made, which changes nothing."""

    mode: int = 0
    stream: int = DEFAULT
    math: int = 0


def handle_of(call: LibraryCall, handle: int, kind: type[Handle] = Handle) -> Handle:
    """Return the handle of this number and kind. Raises RefusedError: there is none."""
    found = call.state.libraries.get(handle)
    if type(found) is not kind:
        raise RefusedError(NOT_INITIALIZED, "handle", "handle")
    return found


def require_least(least: int, **arguments: int) -> None:
    """Raise RefusedError unless all arguments have at least this value."""
    for name, number in arguments.items():
        if number < least:
            raise RefusedError(INVALID_VALUE, name, "least", number=number, least=least)


def require_one(values: Iterable[int], **arguments: int) -> None:
    """Raise RefusedError unless all arguments are of these values."""
    for name, number in arguments.items():
        if number not in values:
            raise RefusedError(INVALID_VALUE, name, "value", number=number)


class Blas:
    """A call of cuBLAS's: its handle, and the operands so far."""

    kind = Handle
    #: Statuses.
    invalid, failed = INVALID_VALUE, EXECUTION_FAILED

    def __init__(self, call: LibraryCall, handle: int) -> None:
        self.call, self.handle = call, handle_of(call, handle, self.kind)
        self._operands: list[Operand] = []

    def vector(
        self, name: str, element: Element, address: int, n: int, inc: int, *, reads: bool = True, writes: bool = False
    ) -> Operand:
        """Return a vector of n elements; with a negative distance, it begins with the last one in memory."""
        first = address - (n - 1) * inc * element.dtype.itemsize if inc < 0 and n > 0 else address
        return self._operand(name, element, first, (max(n, 0),), (inc,), reads, writes)

    def matrix(
        self,
        name: str,
        element: Element,
        address: int,
        rows: int,
        columns: int,
        leading: int,
        *,
        reads: bool = True,
        writes: bool = False,
    ) -> Operand:
        """Return a matrix by columns. Raises RefusedError: its leading dimension is too small."""
        require_least(max(1, rows), **{f"ld{name.lower()}": leading})
        return self._operand(name, element, address, (rows, columns), (1, leading), reads, writes)

    def half(
        self,
        name: str,
        element: Element,
        address: int,
        n: int,
        leading: int,
        upper: bool,
        *,
        diagonal: bool = True,
        reads: bool = True,
        writes: bool = False,
    ) -> Operand:
        """Return the half of a square matrix. Raises RefusedError: its leading dimension is too small."""
        whole = self.matrix(name, element, address, n, n, leading, reads=reads, writes=writes)
        self._operands[-1] = Half(**vars(whole), upper=upper, diagonal=diagonal)
        return self._operands[-1]

    def batch(self, operand: Operand, stride: int, count: int) -> Operand:
        """Return `count` such matrices, `stride` elements apart, in place of a matrix."""
        self._operands.remove(operand)
        made = Operand(
            operand.name, operand.address, operand.dtype, (count, *operand.shape), (stride, *operand.strides),
            operand.reads, operand.writes,
        )  # fmt: skip
        self._operands.append(made)
        return made

    def lists(self, count: int, **addresses: int) -> list[tuple[int, ...]]:
        """Return the addresses of each of a batch, by the lists of these arguments, which are on the GPU."""
        self.call.require_launched(self.handle.stream)
        operands = [self.vector(name, element(np.int64), address, count, 1) for name, address in addresses.items()]
        read = self.call.put(
            self.handle.stream, operands, lambda: [self.call.array(operand).tolist() for operand in operands]
        )
        return list(zip(*(read or []), strict=True))

    def _operand(
        self,
        name: str,
        element: Element,
        address: int,
        shape: tuple[int, ...],
        strides: tuple[int, ...],
        reads: bool,
        writes: bool,
    ) -> Operand:
        if 0 not in shape and not address:
            raise RefusedError(self.invalid, name, "null")
        address = self.call.state.on_gpu(address)
        self._operands.append(Operand(name, address, element.dtype, shape, strides, reads, writes))
        return self._operands[-1]

    def scalar(self, name: str, element: Element, address: int) -> Generator[Read | Write, bytes, Any]:
        """Return a scalar's value: it is where the handle's pointer mode says. Of the GPU's, it is an operand, too."""
        dtype = element.computed if element is not HALF else element.dtype
        if self.handle.mode == ON_GPU:
            self.call.require_launched(self.handle.stream)
            operand = self._operand(name, element._replace(dtype=dtype), address, (1,), (1,), True, False)
            known = self.call.state.heap.find(operand.address) if in_heap(operand.address) else None
            if not known or operand.address + dtype.itemsize > known.end:  # which `compute` finds
                return dtype.type(1)
            return element.load(self.call.array(operand))[0]
        address = self.call.host(self.invalid, name, address)
        return element.load(np.frombuffer((yield Read(address, dtype.itemsize)), dtype))[0]

    def values(self, element: Element, operand: Operand) -> np.ndarray:
        """Return an operand's elements, as they are computed with."""
        return element.load(self.call.array(operand))

    def store(self, element: Element, operand: Operand, values: np.ndarray) -> None:
        """Give an operand's elements these values."""
        self.call.array(operand)[...] = element.store(values)

    def compute(self, work: Callable[[], object]) -> None:
        """Put the work into the handle's stream."""
        self.call.put(self.handle.stream, self._operands, work)

    def result(self, name: str, dtype: Any, address: int, work: Callable[[], Any]) -> StatusSteps:
        """Put work into the stream that has one number as its result. Where that goes to the host, the host waits."""
        dtype = np.dtype(dtype)
        if self.handle.mode == ON_GPU:
            made = self._operand(name, FLOAT._replace(dtype=dtype), address, (1,), (1,), False, True)

            def put() -> None:
                self.call.array(made)[0] = work()

            self.compute(put)
            return SUCCESS
        address = self.call.host(self.invalid, name, address)
        self.call.require_uncaptured(self.handle.stream)
        number = self.call.put(self.handle.stream, self._operands, work)
        self.call.wait(self.handle.stream)
        if number is None:
            return self.failed
        yield Write(address, np.array(number).astype(dtype).tobytes())
        return SUCCESS


def oriented(matrix: np.ndarray, operation: int) -> np.ndarray:
    """Return a matrix, or each of a batch, as an operation has it."""
    if operation == NONE:
        return matrix
    turned = np.swapaxes(matrix, -1, -2)
    return turned.conj() if operation == CONJUGATED else turned


def triangle(matrix: np.ndarray, upper: bool) -> np.ndarray:
    """That half of a matrix with its diagonal, the other one 0."""
    return np.triu(matrix) if upper else np.tril(matrix)


def each(table: dict[str, Function], pattern: str, letters: Sequence[str]) -> Callable[[Function], Function]:
    """Put a function into a table by names of this pattern; it gets the type of each of these letters first."""

    def put(function: Function) -> Function:
        for letter in letters:

            def made(call: LibraryCall, *numbers: int, letter: str = letter) -> StatusSteps | int | None:
                return function(call, TYPES[letter[-1].upper()], *numbers)

            table[pattern.format(letter)] = made
        return function

    return put
