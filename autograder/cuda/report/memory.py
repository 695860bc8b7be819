"""Invalid accesses, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ..core.findings import (
    AbsentBlock,
    Access,
    EndedBlock,
    EscapedPointer,
    Finding,
    IndexOutOfBounds,
    Kind,
    MisalignedAccess,
    OutOfBounds,
    ReadOnlyWrite,
    UninitializedRead,
    WildAccess,
)
from .about import About
from .rule import Rule, Rules, choose
from .vocabulary import VERBS, Explanation, Names, count, element_of, elements, names_array, place_of, start

_GUARD = "thread whose index is outside an array must not touch the array."
_GRID = f"A grid nearly always has more threads than the data has elements: a {_GUARD}"
_DYNAMIC = (
    "The index of every thread, including the first and the last one, must be within the array. One that is declared "
    "extern __shared__ has as many bytes as the launch asks for in"
)
_BYTES = "a float takes 4 of them, a double 8."

OUT_OF_BOUNDS_RULES: Rules = {
    "shared": Rule(
        "The index of every thread, including the first and the last one, must be within the extent "
        "that the array was declared or launched with.",
        "shared-memory",
    ),
    "dynamic": Rule(f"{_DYNAMIC} shared_mem: {_BYTES}", "shared-memory"),
    "dynamic in a program": Rule(f"{_DYNAMIC} <<<grid, block, bytes>>>: {_BYTES}", "shared-memory"),
    "before the start": Rule(
        "There is nothing before the first element: look at the first thread, and the first round of each loop. "
        f"A {_GUARD}",
        "threads",
    ),
    "at the end": Rule(f"{_GRID} If there is a loop, look at its last round.", "threads"),
    "stray": Rule(
        "Work out by hand the index or the address that this thread computes here, for this grid and block: are they "
        "what the kernel relies on?",
        "threads",
    ),
    "": Rule(
        f"Look at the first and the last round of each loop: no index may leave the array there either. {_GRID}",
        "threads",
    ),
    "read only": Rule("A kernel can only read what is const or __constant__.", "memory"),
    "escaped pointer": Rule(
        "Every block has its own shared memory, which ends with the block, and a pointer into it means nothing to "
        "another block. Blocks pass data to each other through global memory.",
        "shared-memory",
    ),
    "copy on its way": Rule(
        "Before a block ends, one of its threads must wait for each bulk copy: at the copy's mbarrier or, for a copy "
        "to global memory, with cp.async.bulk.wait_group.read.",
        "clusters",
    ),
    "absent block": Rule(
        "The shared memory of another block in the cluster exists only between a cluster.sync() that all blocks pass "
        "at the beginning and one that all blocks pass at the end.",
        "clusters",
    ),
}

UNINITIALIZED_READ_RULES: Rules = {
    "shared": Rule(
        "Every element of shared memory that is read must have been written first, even where the "
        "data ends inside a tile.",
        "shared-memory",
    ),
    "local": Rule(
        "Only an array that is declared __shared__ belongs to the whole block. Any other array in a kernel is each "
        "thread's own, and holds nothing useful until that thread writes to it.",
        "shared-memory",
        Rule(
            "An array that is declared in a kernel is each thread's own, and holds nothing useful until that thread "
            "writes to it.",
            "memory",
        ),
    ),
    "partly": Rule(
        "Copies and fills take a number of bytes: the number of elements times the size of one. (sizeof of a pointer "
        "is 8, whatever it points to.) In memory with a pitch, each row begins a pitch after the one before.",
        "programs",
    ),
    "variable": Rule(
        "Give a variable its value where it is declared, or on every path that leads to its use.",
        "memory",
    ),
    "": Rule("A variable or an array holds nothing useful until something is written to it.", "memory"),
}

MISALIGNED_ACCESS_RULES: Rules = {
    where: Rule("A load or store of 2, 4, 8 or 16 bytes must begin at a multiple of its own width.", chapter)
    for where, chapter in (("shared", "shared-memory"), ("", "towards-cublas"))
}

#: An access more than this many bytes outside of an array belongs to it only if its line names the array: the emulator
#: counts from the nearest one.
_FAR = 1 << 16

_READ_ONLY: Mapping[str | None, str] = {"constant": "constant memory", "device": "declared const"}


def describe_out_of_bounds(finding: OutOfBounds, names: Names) -> Explanation:
    access, shape = finding.accesses[0], finding.shape
    if finding.bytes_outside > _FAR and not names_array(access):
        return Explanation(_outside(finding, names, _in_no_array(access, names)).parts, OUT_OF_BOUNDS_RULES["stray"])
    extent = shape[0] if len(shape) == 1 else None
    far = _how_far(access, extent, len(shape) == 1, finding.bytes_outside)
    return _outside(finding, names, _but_has(access, shape, names), far, extent)


def describe_index_out_of_bounds(finding: IndexOutOfBounds, names: Names) -> Explanation:
    access, shape, extent = finding.accesses[0], finding.shape, finding.extent
    if not access.array:
        return _outside(finding, names, _in_no_array(access, names))
    what = _but_has(access, shape, names)
    if len(shape) > 1:
        what = (
            f"{start(names.both(access))} uses index {access.index[0]} in dimension {finding.dimension + 1} of "
            f"{access.array}, whose indices go from 0 to {extent - 1} there:"
        )
    return _outside(finding, names, what, _how_far(access, extent, len(shape) == 1, 0))


def describe_wild_access(finding: WildAccess, names: Names) -> Explanation:
    access = finding.accesses[0]
    if finding.null:
        return _outside(finding, names, f"{_does(access, names)} through a null pointer:")
    return _outside(finding, names, _in_no_array(access, names))


def _does(access: Access, names: Names) -> str:
    return f"{start(names.both(access))} {VERBS[access.action]}"


def _in_no_array(access: Access, names: Names) -> str:
    return f"{_does(access, names)} at an address that is in no array of the kernel:"


def _but_has(access: Access, shape: Sequence[int], names: Names) -> str:
    begins_inside = len(shape) == 1 and 0 <= access.index[0] < shape[0]
    place = f"several elements at once, from {element_of(access)} on" if begins_inside else element_of(access)
    return f"{_does(access, names)} {place}, but {elements(access.array, shape)}:"


def _how_far(access: Access, extent: int | None, is_flat: bool, bytes_outside: int) -> str:
    """How far outside an index lies. `extent` is that of its dimension, if that ends where the array does; `is_flat`:
    the array has one dimension."""
    # Through a pointer, the first index goes out; in an array of known size, that of one dimension.
    if not access.index:
        return ""
    index = access.index[0]
    if extent is not None and index >= extent:
        far = f"{count(index - extent + 1, 'element')} past its end"
    elif index < 0:
        far = f"{count(-index, 'element')} before its start" if is_flat else "before its start"
    else:
        far = f"{count(bytes_outside, 'byte')} outside it"
    return f"That is {far}.\n"


def _outside(finding: Finding, names: Names, what: str, far: str = "", extent: int | None = None) -> Explanation:
    access = finding.accesses[0]
    danger = (
        "A GPU would usually return whatever is there, without saying so."
        if access.action == "read"
        else "A GPU would change other data there, or end the kernel with an error."
        if access.action
        else "A GPU would read or change other data there, usually without saying so."
    )
    parts = (what, names.rows(finding.accesses), far + danger)
    if access.space == "shared":
        dynamic = "dynamic in a program" if names.in_program else "dynamic"
        situation = dynamic if extent is not None and names.is_dynamic(extent) else "shared"
    elif access.index and access.index[0] < 0:
        situation = "before the start"
    else:
        situation = "at the end" if names.at_the_end(access) else ""
    return Explanation(parts, choose(OUT_OF_BOUNDS_RULES, situation))


def describe_read_only_write(finding: ReadOnlyWrite, names: Names) -> Explanation:
    access = finding.accesses[0]
    what = _READ_ONLY.get(access.space, "data that the kernel takes as const")
    return Explanation(
        (
            f"{_does(access, names)} {element_of(access)}, which is {what}:",
            names.rows(finding.accesses),
            "A GPU would change it for every other thread at some unknown time, or end the kernel with an error.",
        ),
        OUT_OF_BOUNDS_RULES["read only"],
    )


def describe_escaped_pointer(finding: EscapedPointer, names: Names) -> Explanation:
    access = finding.accesses[0]
    owner = names.block(replace(access, block=finding.owner))
    block = names.block(access)
    return Explanation(
        (
            f"{_does(access, names)} {element_of(access)} of block {owner}, "
            "through a pointer to that block's shared memory:",
            names.rows(finding.accesses),
            f"A GPU would use what is there in the shared memory of block {block}, or end the kernel with an error.",
        ),
        OUT_OF_BOUNDS_RULES["escaped pointer"],
    )


def describe_absent_block(finding: AbsentBlock, names: Names) -> Explanation:
    return _describe_lifetime(
        finding,
        names,
        "may not have begun yet",
        "The blocks of a cluster do not begin at the same moment, and nothing here waits for that one.",
    )


def describe_ended_block(finding: EndedBlock, names: Names) -> Explanation:
    if finding.is_copy:
        return _describe_left_copy(finding, names)
    return _describe_lifetime(
        finding,
        names,
        "may have ended by then",
        "The shared memory of a block ends with it, and nothing here keeps that one from ending: a GPU would use "
        "whatever is there then, or end the kernel with an error.",
    )


def _describe_left_copy(finding: EndedBlock, names: Names) -> Explanation:
    access = finding.accesses[0]
    intro = f"The block may end before the bulk copy that {names.both(access)} has started is complete:"
    danger = (
        f"The shared memory of a block ends with it. What the copy {VERBS[access.action]} in {access.array} then may "
        "be another block's."
    )
    return Explanation((intro, names.rows(finding.accesses), danger), OUT_OF_BOUNDS_RULES["copy on its way"])


def _describe_lifetime(finding: AbsentBlock | EndedBlock, names: Names, when: str, danger: str) -> Explanation:
    access = finding.accesses[0]
    return Explanation(
        (f"{_does(access, names)} {element_of(access)}, which {when}:", names.rows(finding.accesses), danger),
        OUT_OF_BOUNDS_RULES["absent block"],
    )


def describe_uninitialized(finding: UninitializedRead, names: Names) -> Explanation:
    access = finding.accesses[0]
    is_local, is_variable = access.space == "local", access.space == "local" and not access.index
    somebody = "nobody" if names.in_program and access.space == "global" else "no thread"
    writer = "it has not written" if is_local else f"{somebody} has written"
    what = f"{start(names.both(access))} reads {element_of(access)}{place_of(access)}, which {writer}:"
    if access.space == "shared":
        danger = "Shared memory initially holds whatever was left there."
    elif is_variable:
        danger = "Nothing sets it on the path that this thread takes, so it holds whatever was left there."
    elif is_local:
        danger = (
            f"This {access.array} is the thread's own: every thread has one, and can't see what others write to theirs."
        )
    else:
        danger = "Its value is whatever was in that memory before."
    if finding.count > 1 and not is_variable:
        more = count(finding.count - 1, "more element")
        of = f" of {access.array}" if access.array else ""
        danger += f"\nThe same line reads {more}{of} that {writer}."
    if partly := finding.partly:
        written = f"the first {partly.bytes:,} bytes" if partly.is_start else f"{partly.bytes:,} bytes"
        danger += f"\n{partly.function} in line {partly.line} has written {written} of {partly.size:,}."
    rule = "variable" if is_variable else "partly" if partly else access.space or ""
    return Explanation((what, names.rows(finding.accesses), danger), choose(UNINITIALIZED_READ_RULES, rule))


def describe_misaligned(finding: MisalignedAccess, names: Names) -> Explanation:
    access, width = finding.accesses[0], finding.width
    return Explanation(
        (
            f"{start(names.both(access))} {VERBS[access.action]} {width} bytes at once at {element_of(access)}:",
            names.rows(finding.accesses),
            f"That address is {count(finding.address_mod, 'byte')} past a multiple of {width}. "
            "A GPU would end the kernel with an error.",
        ),
        choose(MISALIGNED_ACCESS_RULES, access.space or ""),
    )


ABOUT = (
    About(
        Kind.OUT_OF_BOUNDS,
        {
            OutOfBounds: describe_out_of_bounds,
            IndexOutOfBounds: describe_index_out_of_bounds,
            WildAccess: describe_wild_access,
            ReadOnlyWrite: describe_read_only_write,
            EscapedPointer: describe_escaped_pointer,
            AbsentBlock: describe_absent_block,
            EndedBlock: describe_ended_block,
        },
        OUT_OF_BOUNDS_RULES,
        "an access out of bounds",
        "stays_in_bounds",
        "the launch stops at an access out of bounds",
    ),
    About(
        Kind.MISALIGNED_ACCESS,
        {MisalignedAccess: describe_misaligned},
        MISALIGNED_ACCESS_RULES,
        "a misaligned access",
        "stays_in_bounds",
        "the launch stops at a misaligned access",
    ),
    About(
        Kind.UNINITIALIZED_READ,
        {UninitializedRead: describe_uninitialized},
        UNINITIALIZED_READ_RULES,
        "an uninitialized read",
        "reads_only_what_was_written",
    ),
)
