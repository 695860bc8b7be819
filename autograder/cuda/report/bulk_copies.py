"""Misuses of mbarriers and bulk copies, in words."""

from __future__ import annotations

from .rule import Rule, Rules

_MBARRIER = Rule(
    "An mbarrier counts up to 1048575 arrivals, from 1 on, and as many bytes in a phase.",
    "clusters",
)
_BULK = Rule(
    "A bulk copy goes from global to shared memory or back, or to another block of the cluster. It has a multiple of "
    "16 bytes, and both of its addresses are multiples of 16.",
    "clusters",
)
_TENSOR_MAP = Rule(
    "A tensor map is made by cuTensorMapEncodeTiled on the host. The kernel has it as a parameter, const "
    "__grid_constant__ CUtensorMap, or as a copy of one, which tensormap.replace may change, and names as many "
    "coordinates as the tensor has dimensions.",
    "clusters",
)

RULES: Rules = {
    "mbarrier arrivals": Rule(
        "In each phase of an mbarrier as many arrivals are counted as it was initialized with, and no more.", "clusters"
    ),
    "mbarrier token": Rule(
        "A wait at an mbarrier is for the phase that is running, or for the one before it: each arrival gives the "
        "state of its own phase.",
        "clusters",
    ),
    "mbarrier count": _MBARRIER,
    "mbarrier in use": Rule(
        "An mbarrier is initialized once. Its 8 bytes may be used again after an mbarrier.inval, when no copy is on "
        "its way to it.",
        "clusters",
    ),
    "mbarrier not ready": Rule("mbarrier.inval ends an mbarrier that mbarrier.init has begun.", "clusters"),
    "mbarrier bytes": _MBARRIER,
    "mbarrier not shared": Rule("An mbarrier is an object of 8 bytes in shared memory.", "clusters"),
    "bulk size": _BULK,
    "bulk copy not shared": _BULK,
    "bulk copy not global": _BULK,
    "multicast to no block": Rule(
        "Each bit of a multicast's mask stands for a block of the cluster, by its rank.", "clusters"
    ),
    "no tensor map": _TENSOR_MAP,
    "rank of a tensor map": _TENSOR_MAP,
    "first coordinate of a tile": Rule(
        "A tile may begin anywhere in its tensor but along the first axis, whose elements lie side by side: there, its "
        "coordinate times an element's size is a multiple of 16 bytes.",
        "clusters",
    ),
    "tile stored before its tensor": Rule(
        "A tile that is loaded may begin before its tensor, where it gets zeros. One that is stored or added may not: "
        "all its coordinates are 0 or more.",
        "clusters",
    ),
    "field of a tensor map": Rule(
        "tensormap.replace changes the address, the sizes, the strides, the box, the type and the swizzle of a tensor "
        "map; the emulator has no interleaving, no strides of elements, and zeros beyond the edge.",
        "clusters",
    ),
    "sum of a tile": Rule("The emulator adds tiles of floats, and of integers of 32 or 64 bits.", "clusters"),
}

#: What is wrong, by the name of the broken rule.
MISUSES = {
    "mbarrier arrivals": "more arrive at an mbarrier than it still expects, or none",
    "mbarrier token": "a wait at an mbarrier was given the state of a phase before the last one",
    "mbarrier count": "an mbarrier is initialized with a number of arrivals that it cannot count",
    "mbarrier in use": "an mbarrier is initialized or invalidated that is in use",
    "mbarrier not ready": "an mbarrier is invalidated that was never initialized",
    "mbarrier bytes": "an mbarrier would have to wait for more bytes than it can count",
    "mbarrier not shared": "an instruction for an mbarrier was given an address that is not one of shared memory",
    "bulk size": "the size of a bulk copy is 0, too large, or not a multiple of 16 bytes",
    "bulk copy not shared": "a bulk copy was given an address that is not one of shared memory",
    "bulk copy not global": "a bulk copy was given an address that is not one of global memory",
    "multicast to no block": "the mask of a multicast names a block that the cluster does not have",
    "no tensor map": "a bulk copy was given an address where there is no tensor map",
    "field of a tensor map": "tensormap.replace gives a tensor map what it cannot have",
    "rank of a tensor map": "a bulk copy has another number of coordinates than its tensor map has dimensions",
    "first coordinate of a tile": "the first coordinate of a bulk copy is not a multiple of 16 bytes",
    "tile stored before its tensor": "a bulk copy from shared memory was given a negative coordinate",
    "sum of a tile": "a tile is added whose elements have a type for which the emulator has no sum",
}
