"""cuFFT, by numpy's transforms. They are not normalized, in neither direction."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from ..timeline import DEFAULT
from .calls import Function, LibraryCall, Read, RefusedError, Steps, Write
from .operands import Operand

_SUCCESS, _INVALID_PLAN, _INVALID_TYPE, _INVALID_VALUE, _INVALID_SIZE = 0, 1, 3, 4, 8
EXECUTION_FAILED = 6
_FORWARD, _INVERSE = -1, 1
_R, _C, _D, _Z = (np.dtype(name) for name in ("f4", "c8", "f8", "c16"))
#: By cufftType: the name of the function that executes it, and the types of input and output.
_TYPES: dict[int, tuple[str, np.dtype[Any], np.dtype[Any]]] = {
    0x2A: ("R2C", _R, _C), 0x2C: ("C2R", _C, _R), 0x29: ("C2C", _C, _C),
    0x6A: ("D2Z", _D, _Z), 0x6C: ("Z2D", _Z, _D), 0x69: ("Z2Z", _Z, _Z),
}  # fmt: skip


#: The same by the numbers of cudaDataType for input and output.
_BY_TYPES = {(0, 4): 0x2A, (4, 0): 0x2C, (4, 4): 0x29, (1, 5): 0x6A, (5, 1): 0x6C, (5, 5): 0x69}


@dataclass(frozen=True)
class Layout:
    """Where the elements of transforms are: elements of a row in memory along each axis but the first, and how many
    elements one element and one transform are from the next."""

    embedded: tuple[int, ...]
    stride: int
    distance: int


@dataclass
class Plan:
    """A plan: of nothing yet, or the sizes of transforms, how many, and their layouts (None: one after the other)."""

    type: int = 0
    sizes: tuple[int, ...] = ()
    batch: int = 1
    input: Layout | None = None
    output: Layout | None = None
    stream: int = DEFAULT


def _plan(call: LibraryCall, handle: int) -> Plan:
    return call.found(Plan, _INVALID_PLAN, "plan", handle)


def _new(call: LibraryCall, out: int, plan: Plan) -> Steps:
    plan.stream = call.state.default
    return call.new(plan, _INVALID_VALUE, "plan", out, 4)


def create(call: LibraryCall, out: int) -> Steps:
    return _new(call, out, Plan())


def destroy(call: LibraryCall, handle: int) -> None:
    _plan(call, handle)
    del call.state.libraries[handle]


def set_stream(call: LibraryCall, handle: int, stream: int) -> None:
    call.state.require(stream)
    _plan(call, handle).stream = stream


def hint(call: LibraryCall, handle: int, *numbers: int) -> None:
    _plan(call, handle)


def size(call: LibraryCall, handle: int, out: int) -> Steps:
    """No plan needs memory to work in."""
    _plan(call, handle)
    yield Write(call.host(_INVALID_VALUE, "workSize", out), bytes(8))


def _checked(type_: int, sizes: tuple[int, ...], batch: int) -> Plan:
    if type_ not in _TYPES:
        raise RefusedError(_INVALID_TYPE, "type", "value", number=type_)
    for name, number in [*((f"n{axis}", n) for axis, n in zip("xyz", sizes, strict=False)), ("batch", batch)]:
        if number < 1:
            raise RefusedError(_INVALID_SIZE, name, "least", number=number, least=1)
    return Plan(type_, sizes, batch)


def plan_1d(call: LibraryCall, out: int, nx: int, type_: int, batch: int, bytes_: int = 0) -> Steps:
    return _planned(call, out, _checked(type_, (nx,), batch), bytes_)


def plan_2d(call: LibraryCall, out: int, nx: int, ny: int, type_: int, bytes_: int = 0) -> Steps:
    return _planned(call, out, _checked(type_, (nx, ny), 1), bytes_)


def plan_3d(call: LibraryCall, out: int, nx: int, ny: int, nz: int, type_: int, bytes_: int = 0) -> Steps:
    return _planned(call, out, _checked(type_, (nx, ny, nz), 1), bytes_)


def plan_many_typed(
    call: LibraryCall, out: int, rank: int, n: int, inembed: int, istride: int, idist: int, of_input: int, onembed: int,
    ostride: int, odist: int, of_output: int, batch: int, bytes_: int,
) -> Steps:  # fmt: skip
    type_ = _BY_TYPES.get((of_input, of_output))
    if type_ is None:
        raise RefusedError(_INVALID_TYPE, "inputtype and outputtype", "types")
    return plan_many(
        call, out, rank, n, inembed, istride, idist, onembed, ostride, odist, type_, batch, bytes_, dtype=np.int64
    )


def plan_many(
    call: LibraryCall, out: int, rank: int, n: int, inembed: int, istride: int, idist: int, onembed: int, ostride: int,
    odist: int, type_: int, batch: int, bytes_: int = 0, *, dtype: type[np.integer[Any]] = np.int32,
) -> Steps:  # fmt: skip
    if rank not in (1, 2, 3):
        raise RefusedError(_INVALID_SIZE, "rank", "value", number=rank)

    size = rank * np.dtype(dtype).itemsize

    def numbers(content: bytes) -> tuple[int, ...]:
        return tuple(map(int, np.frombuffer(content, dtype)))

    plan = _checked(type_, numbers((yield Read(call.host(_INVALID_VALUE, "n", n), size))), batch)
    if inembed and onembed:  # without either, the layout is that of one transform after the other
        plan.input = Layout(numbers((yield Read(call.host(_INVALID_VALUE, "inembed", inembed), size))), istride, idist)
        plan.output = Layout(numbers((yield Read(call.host(_INVALID_VALUE, "onembed", onembed), size))), ostride, odist)
    return (yield from _planned(call, out, plan, bytes_))


def _planned(call: LibraryCall, out: int, plan: Plan, bytes_: int) -> Steps:
    """A new plan, or of cufftMakePlan..., what becomes of one."""
    if "Make" not in call.name:
        return (yield from _new(call, out, plan))
    plan.stream = _plan(call, out).stream
    call.state.libraries[out] = plan
    if bytes_:
        yield Write(call.host(_INVALID_VALUE, "workSize", bytes_), bytes(8))


def execute(call: LibraryCall, handle: int, source: int, to: int, direction: int = _FORWARD) -> None:
    plan = _plan(call, handle)
    name, of_input, of_output = _TYPES.get(plan.type, ("", _R, _R))
    if not name or not (call.name.endswith(name) or call.name == "cufftXtExec"):
        raise RefusedError(_INVALID_TYPE, "plan", "other")
    if direction not in (_FORWARD, _INVERSE):
        raise RefusedError(_INVALID_VALUE, "direction", "value", number=direction)
    for argument, address in (("idata", source), ("odata", to)):
        if not address:
            raise RefusedError(_INVALID_VALUE, argument, "null")
    half = (*plan.sizes[:-1], plan.sizes[-1] // 2 + 1)
    is_real = {"R2C": (True, False), "C2R": (False, True)}.get(name.replace("D2Z", "R2C").replace("Z2D", "C2R"))
    shapes = (plan.sizes, plan.sizes) if is_real is None else (plan.sizes, half) if is_real[0] else (half, plan.sizes)
    in_place = source == to and is_real is not None
    operands = []
    for argument, address, dtype, shape, layout, writes in (
        ("idata", source, of_input, shapes[0], plan.input, False),
        ("odata", to, of_output, shapes[1], plan.output, True),
    ):
        # In place, a row of real numbers has room for the complex ones.
        row = 2 * half[-1] if in_place and dtype.kind == "f" else shape[-1]
        embedded = layout.embedded if layout else (*shape[:-1], row)
        stride = layout.stride if layout else 1
        strides = tuple(stride * prod(embedded[axis + 1 :]) for axis in range(len(shape)))
        distance = layout.distance if layout else prod(embedded)
        operands.append(
            Operand(
                argument, call.state.on_gpu(address), dtype, (plan.batch, *shape), (distance, *strides),
                reads=not writes, writes=writes,
            )
        )  # fmt: skip
    axes = tuple(range(1, 1 + len(plan.sizes)))

    def work() -> None:
        made: np.ndarray
        values = call.array(operands[0])
        if is_real is None:
            transform = np.fft.ifftn if direction == _INVERSE else np.fft.fftn
            made = transform(values, axes=axes, norm="forward" if direction == _INVERSE else "backward")
        elif is_real[0]:
            made = np.fft.rfftn(values, axes=axes)
        else:
            made = np.fft.irfftn(values, s=plan.sizes, axes=axes, norm="forward")
        call.array(operands[1])[...] = made

    call.put(plan.stream, operands, work)


CALLS: dict[str, Function] = {
    "cufftCreate": create,
    "cufftDestroy": destroy,
    "cufftSetStream": set_stream,
    "cufftGetSize": size,
    **dict.fromkeys(("cufftSetWorkArea", "cufftSetAutoAllocation"), hint),
    **dict.fromkeys(("cufftPlan1d", "cufftMakePlan1d"), plan_1d),
    **dict.fromkeys(("cufftPlan2d", "cufftMakePlan2d"), plan_2d),
    **dict.fromkeys(("cufftPlan3d", "cufftMakePlan3d"), plan_3d),
    **dict.fromkeys(("cufftPlanMany", "cufftMakePlanMany"), plan_many),
    "cufftXtMakePlanMany": plan_many_typed,
    "cufftXtExec": execute,
    **{f"cufftExec{name}": execute for name, _, _ in _TYPES.values()},
}
