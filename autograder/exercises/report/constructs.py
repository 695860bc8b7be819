"""Right results by other constructs than those that an exercise practices, in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from ...cuda.core.setting import Setting
from ...cuda.report.chapters import reference
from ...cuda.report.layout import Report
from ...cuda.report.vocabulary import case_line, count

_ANOTHER_WAY = "The results are right, but not by the method that this exercise is about"
_HANDED_ON = (
    "Threads of a block can also pass numbers to each other in shared memory, with a barrier between the writes and "
    "the reads."
)


@dataclass(frozen=True)
class _Words:
    """A construct's name, what was found if that is not as it should be, the hint, and the chapter's key.
    Where `found` is about several, {} is how many. `least` says that it is used too little, where that is no reading:
    how often, and how often it should be at least."""

    name: str
    found: str
    hint: str
    read: str
    counted: str = ""
    least: str = ""


#: The constructs that an exercise may require.
WANTED = {
    "shared_memory": _Words(
        "shared memory",
        "no thread of this launch uses shared memory",
        "An array that is declared __shared__ is there, once for each block, and every thread of the block sees it.",
        "shared-memory",
    ),
    "handed_over": _Words(
        "shared memory between threads",
        "no thread of this launch uses shared memory",
        "A number is handed over if one thread writes it into shared memory and another one reads it. What a thread "
        "reads back itself could have stayed in one of its variables.",
        "shared-memory",
    ),
    "between_warps": _Words(
        "shared memory between warps",
        "no thread of this launch uses shared memory",
        "A number goes from one warp to another if a thread of one writes it into shared memory and a thread of the "
        "other reads it. A warp that reads what it has written itself gets nothing from another warp.",
        "producers",
    ),
    "shared_stores": _Words(
        "what was stored in shared memory",
        "no thread of this launch stores to shared memory",
        "Let one thread compute a number that several threads need, and store it in shared memory. After a barrier "
        "all others load it from there.",
        "barriers",
        least="its threads together make {} to shared memory in this case. For what should be kept there, {} are the "
        "least.",
        counted="store",
    ),
    "constant_memory": _Words(
        "constant memory",
        "no thread of this launch reads from constant memory",
        "An array that is declared outside the kernel with the word __constant__ is there. Numbers in the kernel's "
        "own code are part of its instructions, and an array that is declared inside the kernel is each thread's own.",
        "memory",
    ),
    "atomics": _Words(
        "atomics",
        "no thread of this launch makes an atomic operation",
        "An atomic operation returns the old value, from which each thread can learn how many came before it.",
        "atomics",
    ),
    "compare_and_swap": _Words(
        "compare and swap",
        "no thread of this launch makes a compare and swap",
        "atomicCAS can be any atomic operation: look at what is there, work out what should be, and swap if no "
        "other thread came in between.",
        "atomics",
    ),
    "shuffles": _Words(
        "shuffles",
        "no thread of this launch calls a shuffle",
        "A shuffle, such as __shfl_down_sync, gives each lane of a warp a number that another lane holds in a "
        "register.",
        "reductions",
    ),
    "matrix_products": _Words(
        "matrix products of a warp",
        "no warp of this launch multiplies matrices as one",
        "A tensor core multiplies two small matrices at once, for all 32 lanes of a warp: by mma.sync, or by "
        "mma_sync of mma.h.",
        "tensor-cores",
    ),
    "distributed_shared_memory": _Words(
        "the shared memory of other blocks",
        "no thread of this launch uses another block's shared memory",
        "cluster.map_shared_rank(array, rank) is where a block of the same cluster has this array. All blocks of the "
        "cluster can read and write it there.",
        "clusters",
        least="its threads together use other blocks' shared memory {} in this case. For what should go that way, {} "
        "are the least.",
        counted="time",
    ),
    "early_loads": _Words(
        "early loads",
        "at most half of the loads from global memory are in flight while their threads read from shared memory",
        "A load statement only starts the load. The thread waits for it where it first uses the value, at the latest "
        "where it writes it to shared memory. Until then it executes the statements in between.",
        "towards-cublas",
    ),
    "loads_ahead": _Words(
        "loads in advance",
        "no thread takes from shared memory what another one has loaded",
        "The threads that fill slots wait only where none is free. The threads that take from them may be late: until "
        "the "
        "first number is taken, all slots can be filled.",
        "producers",
        "number",
        "until a number is first taken from where another thread put it, the threads put only {} there for others in "
        "this case, however late it is taken. To fill what is free, {} are the least.",
    ),
}

#: The constructs that an exercise may forbid.
UNWANTED = {
    "static_shared_memory": _Words(
        "shared memory of fixed size",
        "its own declarations take {} of shared memory in each block",
        "An array that is declared extern __shared__, with empty brackets, has as many bytes as the launch asks for.",
        "shared-memory",
        "byte",
    ),
    "barriers": _Words(
        "barriers of the block",
        "its threads make {} at barriers of the block or of the grid",
        "A barrier makes whole blocks wait. None is needed where each element is used by one thread only; and among "
        "the lanes of one warp, a barrier of the warp is enough.",
        "races",
        "wait",
    ),
    "atomics": _Words("atomics", "its threads make {}", _HANDED_ON, "barriers", "atomic operation"),
    "lane_exchanges": _Words(
        "exchanges between lanes",
        "its threads make {} to functions by which they learn from each other",
        _HANDED_ON,
        "barriers",
        "call",
    ),
    "combinations": _Words(
        "functions that add up for a warp",
        "its threads make {} to functions that compute what all of them have together",
        "A shuffle gives each lane the number of one other lane. A lane that adds the two numbers, and then those "
        "from other distances, has the sum of all lanes in the end.",
        "reductions",
        "call",
    ),
    "late_loads": _Words(
        "late loads",
        "its threads make {} from global memory after they last write to shared memory",
        "A block first loads what it needs from global memory into shared memory, and its threads read it there, even "
        "if it is only copied.",
        "shared-memory",
        "load",
    ),
    "if_in_a_loop": _Words(
        "an if in a loop",
        "its loops hold {}",
        "A comparison is a value, which can be added or stored; and condition ? a : b chooses between two values that "
        "are both at hand. Whatever else lets the data decide what is done counts as an if: a switch, a jump, a ?: or "
        "&& followed by an assignment, a loop whose number of iterations depends on the data. A function that a loop "
        "calls "
        "is part of it.",
        "threads",
        "if",
    ),
    "local_arrays": _Words(
        "arrays in local memory",
        "each of its threads keeps {} in local memory, and not in registers",
        "Registers have no addresses, so the compiler must know each index as a number. It unrolls a loop where it "
        "knows the number of iterations, and then it knows the loop's indices, but never those of a thread or of the "
        "launch.",
        "register-blocking",
        "array",
    ),
}


#: What a launch may ask for and not use.
UNUSED = {
    "shared_memory": _Words(
        "the shared memory that it asks for",
        "in no case does a thread touch the rest",
        "A multiprocessor has little shared memory, and runs as many blocks at once as it has room for. So a launch "
        "should request as many bytes as its arrays have.",
        "shared-memory",
    ),
    "shared_memory_here": _Words(
        "the shared memory of a block",
        "in this case, its threads touch less than a quarter of it, and it is no smaller where blocks are",
        "A small block needs less shared memory than a large one. An array of fixed size is equally large in all of "
        "them; the dynamic memory is as large as each launch says.",
        "shared-memory",
    ),
    "shared_memory_asked": _Words(
        "the shared memory that it asks for",
        "in this case, the arrays that the task describes need no more",
        "Count the elements that a block keeps, and the bytes of each. What is larger than these only in some cases is "
        "too large there.",
        "shared-memory",
    ),
    "idle_blocks": _Words(
        "the blocks",
        "in no case does any thread of the others write global memory",
        "Blocks run at the same time only if each has a part of the work. What its part is, a block knows by its "
        "number.",
        "threads",
    ),
    "idle_blocks_here": _Words(
        "the blocks",
        "in this case, no thread in the others writes global memory",
        "A grid has as many blocks as the data need.",
        "threads",
    ),
    "blocks": _Words(
        "the blocks",
        "in no case do those that are left have more to do, or leave anything undone",
        "A grid has as many blocks as the data need.",
        "threads",
    ),
    "threads": _Words(
        "the threads of each block",
        "in no case do those that are left have more to do, or leave anything undone",
        "A block has as many threads as have something to do.",
        "threads",
    ),
}


def not_used(title: str, setting: Setting, construct: str) -> Report:
    """The report of a kernel that gives right results without using `construct`."""
    words = WANTED[construct]
    return Report(
        f"{title}: FAILED",
        case_line(setting),
        (f"{_ANOTHER_WAY}: {words.found}.",),
        words.hint,
        reference(words.read, setting.exercise),
    )


def used_too_little(title: str, setting: Setting, construct: str, times: int, wanted: int) -> Report:
    """The report of a kernel that gives right results and uses `construct` only `times` times in a case, where
    `wanted` times are the least for what should go that way."""
    words = WANTED[construct]
    least = words.least or (
        f"its threads together read from {words.name} {{}} in this case. For what should come from there, {{}} times "
        "are the least."
    )
    text = least.format(count(times, words.counted or "time"), wanted)
    return Report(
        f"{title}: FAILED",
        case_line(setting),
        (f"{_ANOTHER_WAY}: {text}",),
        words.hint,
        reference(words.read, setting.exercise),
    )


#: What a second launch has shown of a construct that results do not need: they do not depend on what threads get by it;
#: or on which values; or on what every second use gives; or what the data change in them comes by another way.
Shown = Literal["nothing", "others", "half", "the same"]
_SHOWN: Mapping[Shown, tuple[str, str]] = {
    "nothing": ("what threads get", "get nothing"),
    "others": ("which numbers threads get", "get other numbers"),
    "half": ("what threads get", "get nothing"),
    "the same": ("the data that threads get", "load other data, and get the same numbers as before"),
}


def not_needed(
    title: str,
    setting: Setting,
    construct: str,
    dependent: int,
    changed: int,
    shown: Shown = "nothing",
    *,
    in_all: bool = True,
) -> Report:
    """The report of a kernel that gives right results and uses `construct`, but hardly for them: in all cases together,
    or in that of `setting` alone, `dependent` of the `changed` elements depend on it, as another launch has `shown`."""
    words = WANTED[construct]
    where = "in all cases together" if in_all else "in this case"
    what, second = _SHOWN[shown]
    through = f"every second one of the {words.name}" if shown == "half" else words.name
    return Report(
        f"{title}: FAILED",
        case_line(setting),
        (
            f"{_ANOTHER_WAY}: {dependent} of the {count(changed, 'element')} of the results, {where}, "
            f"depend on {what} through {through}.",
            f"A second launch, in which they {second} that way, showed this.",
        ),
        words.hint,
        reference(words.read),
    )


def unused(title: str, setting: Setting, resource: str) -> Report:
    """The report of a launch that requests at least twice as much of `resource`, one of `UNUSED`, as it needs."""
    words = UNUSED[resource]
    text = f"The results are right, but half of {words.name} would do: {words.found}."
    return Report(f"{title}: FAILED", case_line(setting), (text,), words.hint, reference(words.read))


def another_block(title: str, setting: Setting, threads: int) -> Report:
    """The report of a launch whose blocks have another number of threads than `threads`, which the task requires."""
    text = f"The results are right, but the task asks for {count(threads, 'thread')} in a block."
    return Report(
        f"{title}: FAILED",
        case_line(setting),
        (text,),
        "A block's size is chosen for the GPU as a whole, and a kernel should work with any size. Threads that have "
        "nothing "
        "to do in a small case cost nothing there.",
        reference("threads"),
    )


def used(title: str, setting: Setting, construct: str, times: int) -> Report:
    """The report of a kernel that gives right results by `construct`, which the exercise forbids."""
    words = UNWANTED[construct]
    text = f"{_ANOTHER_WAY}: {words.found.format(count(times, words.counted))}."
    return Report(f"{title}: FAILED", case_line(setting), (text,), words.hint, reference(words.read, setting.exercise))
