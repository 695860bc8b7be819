"""Mutation operators on how threads work together: barriers, fences, masks, scopes, atomics, shuffles, shared memory,
and a thread's place."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from .syntax import Edit, arguments, called, named, part, replace, text_of

#: The barrier of a cluster, by the name that this course gives the group.
_OF_A_CLUSTER = "cluster.sync"
_BARRIERS = ("__syncthreads", "__syncwarp", _OF_A_CLUSTER)
_FENCES = ("__threadfence", "__threadfence_block", "__threadfence_system")
#: Calls that order threads and do nothing else.
_ORDERING = (*_BARRIERS, *_FENCES)
_ATOMICS = {
    "Add": "Sub",
    "Sub": "Add",
    "Max": "Min",
    "Min": "Max",
    "Or": "And",
    "And": "Or",
    "Xor": "Or",
    "Inc": "Dec",
    "Dec": "Inc",
    "Exch": "Add",
}
#: What an atomic does, without being one: for a pointer and a value, and then the value before it.
_PLAIN = {
    "Add": ("*({0}) += {1}", "((*({0}) += {1}) - ({1}))"),
    "Sub": ("*({0}) -= {1}", "((*({0}) -= {1}) + ({1}))"),
    "Max": ("*({0}) = max(*({0}), {1})", ""),
    "Min": ("*({0}) = min(*({0}), {1})", ""),
    "Or": ("*({0}) |= {1}", ""),
    "And": ("*({0}) &= {1}", ""),
    "Exch": ("*({0}) = {1}", ""),
}
_EXCHANGES = {
    "__shfl_down_sync": "__shfl_up_sync",
    "__shfl_up_sync": "__shfl_down_sync",
    "__shfl_xor_sync": "__shfl_down_sync",
    "__shfl_sync": "__shfl_xor_sync",
    "__any_sync": "__all_sync",
    "__all_sync": "__any_sync",
}
_PLACES = {"threadIdx": "blockIdx", "blockIdx": "threadIdx", "blockDim": "gridDim", "gridDim": "blockDim"}
_AXES = {"x": "y", "y": "x", "z": "x"}


def remove_barrier(node: Node) -> Iterator[Edit]:
    """A barrier is gone."""
    if ordering_call(node) in _BARRIERS:
        yield from replace(node, ";")


def weaken_barrier(node: Node) -> Iterator[Edit]:
    """A block's barrier becomes a warp's, a cluster's a block's; or every other thread, or block, skips it."""
    barrier = ordering_call(node)
    if barrier == "__syncthreads":
        yield from replace(node, "__syncwarp();", "if (threadIdx.x % 2 == 0) __syncthreads();")
    if barrier == _OF_A_CLUSTER:
        yield from replace(node, "__syncthreads();", "if (cluster.block_rank() % 2 == 0) cluster.sync();")


def double_barrier(node: Node) -> Iterator[Edit]:
    """A barrier is there twice."""
    if ordering_call(node) in _BARRIERS:
        yield from replace(node, f"{{ {text_of(node)} {text_of(node)} }}")


def remove_fence(node: Node) -> Iterator[Edit]:
    """A fence is gone."""
    if ordering_call(node) in _FENCES:
        yield from replace(node, ";")


def change_scope(node: Node) -> Iterator[Edit]:
    """A fence or an atomic speaks for the block in place of the grid, or the other way round."""
    name = called(node)
    if name.startswith("atomic") or name in _FENCES[:2]:
        other = name.removesuffix("_block") if name.endswith("_block") else f"{name}_block"
        yield from replace(part(node, "function"), other)


def change_mask(node: Node) -> Iterator[Edit]:
    """The mask of a warp function lacks the first lane, or half of the lanes, or is whoever happens to be there."""
    if called(node).endswith("_sync") and arguments(node):
        yield from replace(arguments(node)[0], "0xfffffffe", "0x0000ffff", "__activemask()")


def change_exchange(node: Node) -> Iterator[Edit]:
    """Lanes exchange values in another direction, or ask for all in place of any."""
    if other := _EXCHANGES.get(called(node)):
        yield from replace(part(node, "function"), other)


def change_atomic(node: Node) -> Iterator[Edit]:
    """An atomic becomes another."""
    name = called(node).removeprefix("atomic")
    if called(node).startswith("atomic") and name in _ATOMICS:
        yield from replace(part(node, "function"), f"atomic{_ATOMICS[name]}")


def remove_atomic(node: Node) -> Iterator[Edit]:
    """An atomic becomes the same without being one."""
    name = called(node).removeprefix("atomic").removesuffix("_block")
    if not called(node).startswith("atomic") or name not in _PLAIN or node.parent is None:
        return
    alone, before = _PLAIN[name]
    if form := alone if node.parent.type == "expression_statement" else before:
        yield from replace(node, form.format(*map(text_of, arguments(node))))


def unshare(node: Node) -> Iterator[Edit]:
    """A `__shared__` variable becomes the thread's own. (The dynamic array has a size only where it is shared.)"""
    if node.type != "type_qualifier" or text_of(node) != "__shared__" or node.parent is None:
        return
    if not any(child.type == "storage_class_specifier" for child in node.parent.children):
        yield from replace(node, "")


def change_place(node: Node) -> Iterator[Edit]:
    """A thread's place is another: along another axis, of the block in place of the thread, the next, the one
    before."""
    if node.type != "field_expression" or text_of(part(node, "argument")) not in _PLACES:
        return
    place, axis = text_of(part(node, "argument")), text_of(part(node, "field"))
    yield from replace(part(node, "field"), _AXES[axis])
    yield from replace(part(node, "argument"), _PLACES[place])
    yield from replace(node, f"({text_of(node)} + 1)", f"({text_of(node)} - 1)")


def ordering_call(node: Node) -> str:
    """The function that a statement calls, if that only orders threads; else ""."""
    within = named(node) if node.type == "expression_statement" else []
    function = within[0].child_by_field_name("function") if within else None
    name = text_of(function) if function is not None else ""
    return name if name in _ORDERING else ""
