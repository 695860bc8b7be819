"""A notebook's declarations: the cases of an exercise, and numpy's expected result for each.

The instructor writes all of this: a mistake in it is a `GraderFault`, and never counts against the student.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType, SimpleNamespace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import DTypeLike

from ...cuda.core.launch import Dims
from ...cuda.core.setting import Size
from ...cuda.errors import GraderFault
from .domain import DATA, Domain, checked_domain, outside, words_of
from .draw import KINDS, Draw
from .sizes import complete, draw_others, with_data

#: Every byte of a buffer before the launch, if its dtype has no NaN.
POISON_BYTE = 0xA5
#: Signaling NaNs by their size in bytes: a copy keeps them, and a computation sets their quiet bit (IEEE
#: 754-2008, 6.2). x86-64 does so, and a GPU for float32, since it makes only one NaN there; for float64 and
#: float16 on a GPU this is not known.
_NANS = {2: 0x7DA5, 4: 0x7FA5A5A5, 8: 0x7FF5A5A5A5A5A5A5}
#: Words that a `%%values` cell may be asked for.
LAUNCH_WORDS = ("grid", "block", "shared_mem")


@dataclass(frozen=True)
class Output:
    """A buffer that the kernel writes, of `shape` and `dtype`.

    Before the launch every element is `fill`; if that is None, it is poisoned (NaN, or bytes of
    `0xA5`), so that an element which the kernel never writes cannot be right by luck.
    """

    shape: int | tuple[int, ...]
    dtype: DTypeLike
    fill: float | None = None

    def before(self) -> np.ndarray:
        """Return a new array: the buffer before the launch."""
        if self.fill is not None:
            return np.full(self.shape, self.fill, self.dtype)
        return poison(self.shape, self.dtype)

    @property
    def poisoned(self) -> bool:
        return self.fill is None


@dataclass(frozen=True)
class InOut:
    """An array that the kernel reads and changes in place; `array` itself is never modified."""

    array: np.ndarray

    def before(self) -> np.ndarray:
        """Return a new array: the contents before the launch."""
        return np.array(self.array, order="C")

    @property
    def poisoned(self) -> bool:
        return False


@dataclass(frozen=True)
class Case:
    """One launch of the student's kernel, and numpy's expected result.

    Args:
        grid, block: an int, or up to three ints.
        args: one for each parameter of the kernel: an `Output`, an `InOut`, an array that the
            kernel only reads, or a number.
        expected: one array for each `Output` and `InOut` of `args`, in order, of its shape.
        shared_mem: dynamic shared memory, in bytes.
        terms: how many products are summed into one element of an output, where rounding makes the order of the sum
            matter. A float passes if `|got - expected| <= 4 * eps(dtype) * terms * max(1, max|expected|)`; by
            default it must be equal, as ints must always.

    Raises:
        GraderFault: `expected` does not fit `args`.
    """

    grid: Dims
    block: Dims
    args: Sequence[Any]
    expected: Sequence[np.ndarray]
    shared_mem: int = 0
    terms: int = 0

    def __post_init__(self) -> None:
        if len(self.expected) != len(self.written):
            raise GraderFault(
                f"The case has {len(self.written)} Output and InOut arguments but {len(self.expected)} "
                "expected arrays: give one for each, in the order of args."
            )
        if self.terms < 0:
            raise GraderFault(f"terms={self.terms} must be 0 or more.")
        for number, (buffer, want) in enumerate(zip(self.written, self.expected, strict=True)):
            _check_expected(number, buffer.before(), np.asarray(want))

    @property
    def written(self) -> tuple[Output | InOut, ...]:
        """The arguments that the kernel writes, in order."""
        return tuple(arg for arg in self.args if isinstance(arg, Output | InOut))

    def launch_args(self) -> list[Any]:
        """`args` as a launch takes them: new arrays in place of `Output` and `InOut`."""
        return [arg.before() if isinstance(arg, Output | InOut) else arg for arg in self.args]


def _check_expected(number: int, before: np.ndarray, want: np.ndarray) -> None:
    what = f"expected[{number}]"
    if want.shape != before.shape:
        raise GraderFault(
            f"{what} has shape {want.shape} but its Output or InOut has shape {before.shape}: make them the same."
        )
    if before.dtype.kind != "f" and want.dtype.kind == "f":
        raise GraderFault(
            f"{what} holds {want.dtype} but its Output or InOut holds {before.dtype}: add .astype(np.{before.dtype})."
        )
    if want.dtype.kind == "f" and np.isnan(want).any():
        raise GraderFault(f"{what} holds NaN: choose inputs for which numpy gives a number.")


@dataclass(frozen=True)
class Sizes:
    """Sizes to try: those `of` a check by its method's name, such as "is_coalesced", and `others` for every check that
    has none of its own."""

    others: tuple[Size, ...] = ()
    of: Mapping[str, tuple[Size, ...]] = field(default_factory=dict)

    def for_check(self, check: str) -> tuple[Size, ...]:
        return self.of.get(check, self.others)


NONE_HIDDEN = Sizes()


@dataclass(frozen=True, eq=False)
class Exercise:
    """One exercise: a name, how to make its cases, the sizes that a notebook shows, the kernel to call, the words of
    its `%%values` cell (none if it has no such cell), what its sizes may be, for each check that judges only some of
    them also what these may be, which barriers are there though no case needs them, and the sizes that a release leaves
    out and grading tries after the visible ones."""

    name: str
    case: Callable[..., Case]
    visible: Sizes
    kernel: str
    values: tuple[str, ...] = ()
    domain: Domain = field(default_factory=dict)
    narrow: Mapping[str, Domain] = field(default_factory=dict)
    #: Why a line with this text, of what the notebook gives, has such a barrier.
    spare: Mapping[str, str] = field(default_factory=dict)
    #: Whether no thread waits at a barrier in another round of a loop than others. (In general this is not asked: a
    #: barrier may be right in a loop that we don't see through.)
    same_rounds: bool = False
    hidden: Sizes = NONE_HIDDEN
    #: Draws the inputs of all sizes but the visible ones; 0: none does.
    seed: int = 0
    #: Named constants that its `%%values` cell may use, besides the size's words.
    constants: ClassVar[Mapping[str, int]] = MappingProxyType({})

    def hide(self, seed: int) -> Exercise:
        """This exercise with hidden sizes, which `seed` draws from its domain: of the kinds of the visible ones. It
        draws their inputs, too: whoever knows a size does not know the results.

        Raises:
            GraderFault: it has no domain.
        """
        if not self.domain:
            raise GraderFault(f"{self.name} has no domain: say in its contract what the words of a size may be.")

        narrow = {check: with_data(domain) for check, domain in self.narrow.items()}
        hidden = hidden_sizes(self.name, with_data(self.domain), narrow, self.visible, seed)
        return replace(self, hidden=hidden, seed=seed)

    @property
    def sizes(self) -> tuple[Size, ...]:
        """The visible sizes."""
        return self.visible.others

    def stays(self, line: str) -> bool:
        """Return whether a barrier in a line with this text may be one that no case needs."""
        return any(part in line for part in self.spare)

    def build(
        self, size: Size, words: Mapping[str, object] | None = None, draw: int = 0, *, changed: bool = False
    ) -> Case:
        """Return the case of `size`, always the same for the same name, size and draw, and for hidden cases, seed.

        Args:
            size: the keyword arguments of the case function.
            words: the values of the student's `%%values` cell for this size, if there is one.
            draw: a different number gives different inputs of the same size.
            changed: the inputs are the same but for one element of each array.

        Raises:
            GraderFault: the case function failed, or did not return a `Case`.
        """
        launch = [] if words is None else [SimpleNamespace(**words)]
        try:
            is_visible = any(size in sizes for sizes in (self.visible.others, *self.visible.of.values()))
            seed = 0 if is_visible else self.seed
            other = seeded(f"{self.name} changed", size, draw, seed) if changed else None
            drawn = Draw(seeded(self.name, size, draw, seed), size.get(DATA, KINDS[0]), other)
            case = self.case(drawn, *launch, **words_of(size))
        except GraderFault:
            raise
        except Exception as error:
            what = f"{type(error).__name__}: {error}"
            raise GraderFault(f"The case of {self.name} failed for {_spelled(size)}: {what}") from error
        if not isinstance(case, Case):
            raise GraderFault(f"The case function of {self.name} must return a Case, not {case!r}.")
        return case


def declare(
    name: str,
    case: Callable[..., Case],
    sizes: Sequence[Size],
    values: Sequence[str] = (),
    kernel: str | None = None,
    domain: Mapping[str, Any] = MappingProxyType({}),
    narrow: Mapping[str, Mapping[str, Any]] = MappingProxyType({}),
    spare: Mapping[str, str] = MappingProxyType({}),
    same_rounds: bool = False,
) -> Exercise:
    """Return a checked `Exercise`; the arguments are those of `autograder.exercise`.

    Raises:
        GraderFault: one sentence on what is wrong with the declaration.
    """
    if not isinstance(name, str) or not name.isidentifier():
        raise GraderFault(f"exercise({name!r}, ...): the name must be one word, as on the %%cuda line.")
    if not callable(case):
        raise GraderFault(f"exercise({name!r}, ...): case must be a function that returns a Case.")
    if unknown := [word for word in values if word not in LAUNCH_WORDS]:
        words = ", ".join(LAUNCH_WORDS)
        raise GraderFault(f"exercise({name!r}, ...): values may name {words}, not {unknown[0]!r}.")
    checked = checked_domain(name, domain)
    narrowed = {check: checked_domain(name, {**domain, **given}) for check, given in narrow.items()}
    first = checked_sizes(name, sizes, checked)
    visible = Sizes(
        complete(name, with_data(checked), first) if checked else first,
        {check: complete(f"{name} {check}", with_data(given)) for check, given in narrowed.items()},
    )
    return Exercise(name, case, visible, kernel or name, tuple(values), checked, narrowed, dict(spare), same_rounds)


def hidden_sizes(name: str, domain: Domain, narrow: Mapping[str, Domain], visible: Sizes, seed: int) -> Sizes:
    """Other sizes than the visible ones, of their kinds, which `seed` draws."""
    of = {check: draw_others(f"{name} {check}", narrow[check], sizes, seed) for check, sizes in visible.of.items()}
    return Sizes(draw_others(name, domain, visible.others, seed), of)


def checked_sizes(name: str, sizes: Sequence[Size], domain: Domain) -> tuple[Size, ...]:
    """`sizes` as a tuple.

    Raises:
        GraderFault: there are none, or one is not a mapping from words to values of the domain.
    """
    if isinstance(sizes, Mapping) or not sizes or not all(isinstance(size, Mapping) for size in sizes):
        raise GraderFault(f"The sizes of {name} must be a list of dicts, such as sizes=[dict(n=1), dict(n=1000)].")
    for size in sizes:
        if domain and (wrong := outside(domain, size)):
            raise GraderFault(f"The size {dict(size)} of {name} is not in its domain: {wrong}.")
    return tuple(dict(size) for size in sizes)


def seeded(name: str, size: Size, draw: int = 0, seed: int = 0) -> np.random.Generator:
    """Return a generator whose seed depends only on `name`, `size`, `draw` and `seed`."""
    more = f" {draw} {seed}" if seed else f" {draw}" if draw else ""
    text = f"{name}({_spelled(dict(sorted(size.items())))}){more}"
    return np.random.default_rng(int.from_bytes(hashlib.sha256(text.encode()).digest()[:8]))


def poison(shape: int | tuple[int, ...], dtype: DTypeLike) -> np.ndarray:
    """Return an array that no correct kernel would produce: a NaN in every element, or 0xA5 in every byte."""
    return np.full(shape, np.frombuffer(_poison_bytes(np.dtype(dtype)), dtype)[0], dtype)


def is_poison(array: np.ndarray) -> np.ndarray:
    """Return where `array` holds exactly the bits that `poison` puts there: bools of its shape. (A computed NaN has
    other bits, even if computed from poison.)"""
    size = array.dtype.itemsize
    given = np.ascontiguousarray(array).reshape(-1).view(np.uint8).reshape(-1, size)
    wanted = np.frombuffer(_poison_bytes(array.dtype), np.uint8)
    return np.asarray((given == wanted).all(axis=1).reshape(array.shape))


def _poison_bytes(dtype: np.dtype[Any]) -> bytes:
    if dtype.kind == "f":
        return _NANS[dtype.itemsize].to_bytes(dtype.itemsize, sys.byteorder)
    return bytes([POISON_BYTE]) * dtype.itemsize


def _spelled(size: Size) -> str:
    return ", ".join(f"{word}={value!r}" for word, value in size.items())
