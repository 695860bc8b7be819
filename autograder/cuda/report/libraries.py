"""Mistakes in calls of NVIDIA's libraries, in words."""

from __future__ import annotations

from collections.abc import Mapping

from ..core.host_findings import HostFinding, HostKind
from .about import AboutHost

_WHY = {
    "handle": "gets a {argument} that has not been created, or has been destroyed",
    "least": "gets {number:,} for {argument}, which must be at least {least:,}",
    "value": "gets {number:,} for {argument}, which is not one of its values",
    "null": "gets a null pointer for {argument}",
    "device": "gets a pointer to the GPU's memory for {argument}, which must be the host's",
    "stream": "works in a stream that does not exist, or has been destroyed",
    "shape": "gets a matrix with {number:,} rows for {argument}, where {least:,} are needed",
    "size": "gets a {argument} of size {number:,}, where {least:,} is needed",
    "format": "gets a {argument} in a format that it does not support",
    "step": "gets a {argument} for which {step} has not been called",
    "odd": "gets {number:,} for {argument}, which must be even",
    "other": "does something that this plan was not made for",
    "gpu": "works in a stream of GPU {number}, and its communicator is one of GPU {least}",
    "gpu twice": "makes a second communicator of GPU {number} among the same ranks",
    "name": "gets a {argument} that was not added before the program was compiled",
    "no group": "ends a group that ncclGroupStart has not begun",
    "types": "gets a combination of types that it does not support",
}
_HINTS = {
    "handle": "Create it first, look at the status that is returned, and destroy it after its last use.",
    "least": "Matrices are stored by columns: a leading dimension is the number of rows that a column has in memory, "
    "whether or not the matrix is transposed.",
    "device": "The pointer mode says where scalars and results are: cublasSetPointerMode with "
    "CUBLAS_POINTER_MODE_DEVICE for the GPU's memory.",
    "size": "Sizes count after the operations: a transposed matrix has as many rows as the stored one has columns.",
    "step": "Call the functions in the order that the library's documentation gives.",
    "odd": "Normally distributed numbers are generated in pairs.",
    "other": "A plan is for one type of transform, such as CUFFT_R2C: execute it by the function of that name.",
}


def describe_argument(finding: HostFinding) -> tuple[str, str]:
    """The sentence and the hint on a call that a library refuses."""
    facts = finding.facts
    why = str(facts["why"])
    if why == "ranks":
        return (
            f"{facts['function']} of rank {facts['rank']} has {facts['mine']} for {facts['argument']}, and rank "
            f"{facts['other_rank']} has {facts['known']}: on a GPU, that never ends, or gives wrong results.",
            "All ranks make the same calls in the same order, and a send and its receive have the same count and type.",
        )
    return (
        f"{facts['function']} {_WHY[why].format(**facts)}: it returns an error, and computes nothing.",
        _HINTS.get(why, "The library's documentation says which values each argument may have."),
    )


_INDICES = {
    "index": "reads {number:,} in element {at:,} of {argument}: from {first:,} to {last:,} are possible",
    "offset": "reads {number:,} in element {at:,} of {argument}: they begin with {first:,} and rise to {count:,} more",
    "count": "has {number:,} elements for {argument}, which has room for {count:,}",
}


def describe_bounds(finding: HostFinding) -> tuple[str, str]:
    """The same, for one that goes beyond what is allocated, by its sizes or by an index in the GPU's memory."""
    facts = finding.facts
    if facts["why"] in _INDICES:
        return (
            f"{facts['function']} {_INDICES[str(facts['why'])].format(**facts)}.",
            "Look at what was copied there, at the sizes and the number of elements that the matrix was created with, "
            "and at the index base: do indices count from 0 or from 1?",
        )
    what = f"{facts['function']} {facts['verb']} {facts['bytes']:,} bytes for {facts['argument']}"
    if facts["why"] == "unknown":
        return f"{what}, where nothing is allocated on the GPU.", "Such a pointer comes from cudaMalloc."
    where = f", from byte {facts['offset']:,} on" if facts["offset"] else ""
    return (
        f"{what}, of {facts['name'] or 'memory on the GPU'}{where}, which has {facts['size']:,} bytes.",
        "Compare the call's sizes, leading dimensions and strides, which are in elements, with what was allocated.",
    )


def describe_unwritten(finding: HostFinding) -> tuple[str, str]:
    """The same, for one that reads what holds no value."""
    facts = finding.facts
    name = facts["name"] or "memory on the GPU"
    return (
        f"{facts['function']} reads {facts['bytes']:,} bytes of {name} for {facts['argument']}, from byte "
        f"{facts['offset']:,} on, which nobody has written.",
        "Memory from cudaMalloc holds no values: copy to it, or fill it, all that the call reads.",
    )


def describe_host_pointer(finding: HostFinding) -> tuple[str, str]:
    """The same, for one that gets the host's memory for the GPU's."""
    facts = finding.facts
    return (
        f"{facts['function']} gets a pointer to the host's memory for {facts['name']}, and uses it on the GPU.",
        "The library works on memory that cudaMalloc, cudaMallocManaged or cudaMallocHost has returned: copy the data "
        "there.",
    )


HOST: Mapping[HostKind, AboutHost] = {
    HostKind.INVALID_ARGUMENT: AboutHost("a call that a library refuses", describe_argument, "calls"),
    HostKind.OUT_OF_BOUNDS: AboutHost("an access out of bounds", describe_bounds),
    HostKind.UNINITIALIZED: AboutHost("an uninitialized read", describe_unwritten, "reads"),
}
