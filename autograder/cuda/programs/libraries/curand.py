"""cuRAND's interface for the host. The sequence of each generator is a function of its seed alone, as cuRAND's is, but
not the same one: NVIDIA documents the algorithms, not how a seed becomes a state."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import UsageError
from ..timeline import DEFAULT
from .calls import Function, LibraryCall, RefusedError, Steps, Write
from .operands import Operand

_SUCCESS, _NOT_INITIALIZED, _TYPE_ERROR, _OUT_OF_RANGE, _LENGTH = 0, 101, 103, 104, 105
EXECUTION_FAILED = 202  # CURAND_STATUS_PREEXISTING_FAILURE
_PSEUDO, _QUASI = (100, 101, 121, 141, 142, 161), range(200, 205)
#: Words that a step of numpy's generator has.
_STEP = 8


@dataclass
class Generator:
    """A generator: of which type, whether its numbers go to the host, its seed, and how many words it has given."""

    type: int
    of_host: bool
    seed: int = 0
    given: int = 0
    stream: int = DEFAULT

    def words(self, count: int) -> np.ndarray:
        """Return the next words of the sequence, uint32 of (count,)."""
        bits = np.random.Philox(key=self.seed + (self.type << 64))
        first, offset = divmod(self.given, _STEP)
        bits.advance(first)
        self.given += count
        raw = bits.random_raw(-(-(offset + count) // 2)).view(np.uint32)
        return raw[offset : offset + count]

    def uniform(self, count: int) -> np.ndarray:
        """Return the next numbers in (0, 1], float64 of (count,), each of one word."""
        return (self.words(count) + 1.0) * 2.0**-32

    def fine(self, count: int) -> np.ndarray:
        """Return the same, each of two words."""
        return ((self.words(2 * count).view(np.uint64) >> np.uint64(11)) + 1.0) * 2.0**-53

    def normal(self, count: int, *, fine: bool) -> np.ndarray:
        """Return the next numbers of mean 0 and deviation 1, in pairs, by Box and Muller."""
        pairs = (self.fine if fine else self.uniform)(count).reshape(-1, 2)
        radius, angle = np.sqrt(-2 * np.log(pairs[:, 0])), 2 * np.pi * pairs[:, 1]
        return np.stack((radius * np.sin(angle), radius * np.cos(angle)), axis=1).reshape(-1)


def _generator(call: LibraryCall, handle: int) -> Generator:
    return call.found(Generator, _NOT_INITIALIZED, "generator", handle)


def create(call: LibraryCall, out: int, type_: int) -> Steps:
    call.host(_TYPE_ERROR, "generator", out)
    if type_ in _QUASI:
        raise UsageError(
            f"{call.place.file} line {call.place.line} makes a quasirandom generator, which is not emulated."
        )
    if type_ not in _PSEUDO:
        raise RefusedError(_TYPE_ERROR, "type", "value", number=type_)
    kind = 101 if type_ == 100 else type_
    made = Generator(kind, call.name.endswith("Host"), stream=call.state.default)
    return call.new(made, _TYPE_ERROR, "generator", out)


def destroy(call: LibraryCall, handle: int) -> None:
    _generator(call, handle)
    del call.state.libraries[handle]


def set_stream(call: LibraryCall, handle: int, stream: int) -> None:
    call.state.require(stream)
    _generator(call, handle).stream = stream


def set_seed(call: LibraryCall, handle: int, seed: int) -> None:
    found = _generator(call, handle)
    found.seed, found.given = seed & (1 << 64) - 1, 0


def set_offset(call: LibraryCall, handle: int, offset: int) -> None:
    _generator(call, handle).given = offset & (1 << 64) - 1


def hint(call: LibraryCall, handle: int, *numbers: int) -> None:
    _generator(call, handle)


def _generate(
    call: LibraryCall, handle: int, out: int, n: int, dtype: Any, numbers: Callable[[Generator, int], np.ndarray]
) -> Steps:
    found, dtype = _generator(call, handle), np.dtype(dtype)
    if n < 0:
        raise RefusedError(_OUT_OF_RANGE, "n", "least", number=n, least=0)
    if found.of_host:
        if n:
            yield Write(call.host(_OUT_OF_RANGE, "out", out), numbers(found, n).astype(dtype).tobytes())
        return
    if n and not out:
        raise RefusedError(_OUT_OF_RANGE, "out", "null")
    operand = Operand("out", call.state.on_gpu(out), dtype, (n,), (1,), reads=False, writes=True)

    def work() -> None:
        if n:
            call.array(operand)[...] = numbers(found, n).astype(dtype)

    call.put(found.stream, [operand], work)


def integers(call: LibraryCall, handle: int, out: int, n: int) -> Steps:
    return _generate(call, handle, out, n, np.uint32, lambda found, count: found.words(count))


def long_integers(call: LibraryCall, handle: int, out: int, n: int) -> Steps:
    return _generate(call, handle, out, n, np.uint64, lambda found, count: found.words(2 * count).view(np.uint64))


def uniform(call: LibraryCall, handle: int, out: int, n: int) -> Steps:
    if call.name.endswith("Double"):
        return _generate(call, handle, out, n, np.float64, lambda found, count: found.fine(count))
    return _generate(call, handle, out, n, np.float32, lambda found, count: found.uniform(count))


def normal(call: LibraryCall, handle: int, out: int, n: int, mean: int, deviation: int) -> Steps:
    """Normal numbers, or their exponentials."""
    is_fine, is_log = call.name.endswith("Double"), "Log" in call.name
    if n % 2:
        raise RefusedError(_LENGTH, "n", "odd", number=n)

    def numbers(found: Generator, count: int) -> np.ndarray:
        made: np.ndarray = found.normal(count, fine=is_fine) * double(deviation) + double(mean)
        return np.exp(made) if is_log else made

    return _generate(call, handle, out, n, np.float64 if is_fine else np.float32, numbers)


def poisson(call: LibraryCall, handle: int, out: int, n: int, mean: int) -> Steps:
    def numbers(found: Generator, count: int) -> np.ndarray:
        seed = found.words(2)
        return np.random.Generator(np.random.Philox(key=int(seed.view(np.uint64)[0]))).poisson(double(mean), count)

    if not double(mean) > 0:
        raise RefusedError(_OUT_OF_RANGE, "lambda", "least", number=0, least=1)
    return _generate(call, handle, out, n, np.uint32, numbers)


def double(number: int) -> float:
    """Return what a call has sent of a float or a double."""
    value: float = struct.unpack("<d", struct.pack("<q", number))[0]
    return value


CALLS: dict[str, Function] = {
    **dict.fromkeys(("curandCreateGenerator", "curandCreateGeneratorHost"), create),
    "curandDestroyGenerator": destroy,
    "curandSetStream": set_stream,
    "curandSetPseudoRandomGeneratorSeed": set_seed,
    "curandSetGeneratorOffset": set_offset,
    **dict.fromkeys(("curandSetGeneratorOrdering", "curandGenerateSeeds"), hint),
    "curandGenerate": integers,
    "curandGenerateLongLong": long_integers,
    **dict.fromkeys(("curandGenerateUniform", "curandGenerateUniformDouble"), uniform),
    **{f"curandGenerate{log}Normal{double}": normal for log in ("", "Log") for double in ("", "Double")},
    "curandGeneratePoisson": poisson,
}
