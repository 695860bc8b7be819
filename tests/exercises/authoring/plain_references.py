"""What each exercise computes, once more: plain loops over numbers, without numpy's ways of leaving loops out.

Each function takes a case's arguments as the kernel gets them (arrays as lists, outputs as `None`, arrays in place as
they are before the launch) and its launch, and returns one nested list for each array that the kernel writes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

Numbers = list[Any]
Plain = Callable[..., list[Numbers]]


def ceil_div(a: int, b: int) -> int:
    return (a + b - 1) // b


def blocks(n: int, block: int) -> list[range]:
    """The indices below n of each block."""
    return [range(first, min(first + block, n)) for first in range(0, n, block)]


def saxpy(a: float, x: Numbers, y: Numbers, n: int, **_: Any) -> list[Numbers]:
    return [[a * x[i] + y[i] for i in range(n)]]


def constant_filter(values: Numbers, out: None, n: int, **_: Any) -> list[Numbers]:
    result = []
    for i in range(n):
        total = 0.0
        for k, weight in enumerate((-0.125, 0.25, 1.0, 0.5, -0.25)):
            if 0 <= i + k - 2 < n:
                total += weight * values[i + k - 2]
        result.append(total)
    return [result]


def branchless_sum(values: Numbers, limit: float, s: None, c: None, n: int, *, threads: int, **_: Any) -> list[Numbers]:
    sums, counts = [0.0] * threads, [0] * threads
    for i in range(n):
        if values[i] < limit:
            sums[i % threads] += values[i]
            counts[i % threads] += 1
    return [sums, counts]


def largest_of_group(values: Numbers, group: Numbers, best: Numbers, n: int, **_: Any) -> list[Numbers]:
    result = list(best)
    for i in range(n):
        if values[i] > result[group[i]]:
            result[group[i]] = values[i]
    return [result]


def count_zeros(x: Numbers, out: Numbers, n: int, **_: Any) -> list[Numbers]:
    return [[len([i for i in range(n) if x[i] == 0])]]


def dot_last_block(
    x: Numbers, y: Numbers, p: None, t: None, r: None, n: int, *, grid: int, block: int, **_: Any
) -> list[Numbers]:
    partial = [0.0] * grid
    for i in range(n):
        partial[i % (grid * block) // block] += x[i] * y[i]
    total = 0.0
    for part in partial:
        total += part
    return [partial, [0], [total]]


def histogram_global(values: Numbers, out: None, n: int, start: int, width: int, bins: int, **_: Any) -> list[Numbers]:
    counts = [0] * bins
    for i in range(n):
        for b in range(bins):
            if start + b * width <= values[i] < start + (b + 1) * width:
                counts[b] += 1
    return [counts]


def histogram_shared(values: Numbers, out: None, n: int, **_: Any) -> list[Numbers]:
    counts = [0] * 256
    for i in range(n):
        counts[values[i]] += 1
    return [counts]


def sort_keys(keys: Numbers, places: Numbers, out: Numbers, n: int, **_: Any) -> list[Numbers]:
    ends, result = list(places), [-1] * n
    for key in keys:
        if key >= 0:
            result[ends[key]] = key
            ends[key] += 1
    return [ends, result]


def row_sums(matrix: Numbers, out: None, rows: int, **_: Any) -> list[Numbers]:
    result = []
    for r in range(rows):
        total = 0
        for number in matrix[r]:
            total += number
        result.append(total)
    return [result]


def transpose(matrix: Numbers, out: None, rows: int, cols: int, **_: Any) -> list[Numbers]:
    return [[[matrix[r][c] for r in range(rows)] for c in range(cols)]]


def largest_of_block(values: Numbers, out: None, n: int, *, block: int, **_: Any) -> list[Numbers]:
    result = []
    for mine in blocks(n, block):
        best = 0
        for i in mine:
            best = max(best, values[i] if values[i] >= 0 else -values[i])
        result.append(best)
    return [result]


def blurred(row: Numbers) -> Numbers:
    result = list(row)
    for i in range(1, len(row) - 1):
        result[i] = (row[i - 1] + row[i] + row[i] + row[i + 1]) / 4
    return result


def blur(row: Numbers, out: None, n: int, **_: Any) -> list[Numbers]:
    return [blurred(row)]


def blur_twice(row: Numbers, out: None, n: int, **_: Any) -> list[Numbers]:
    return [blurred(blurred(row))]


def blur_2d(picture: Numbers, out: None, rows: int, cols: int, **_: Any) -> list[Numbers]:
    result = [list(row) for row in picture]
    for r in range(1, rows - 1):
        for c in range(1, cols - 1):
            total = 0.0
            for y in (-1, 0, 1):
                for x in (-1, 0, 1):
                    total += (2 - abs(y)) * (2 - abs(x)) * picture[r + y][c + x]
            result[r][c] = total / 16
    return [result]


def add_neighbors_twice(values: Numbers, out: None, n: int, *, block: int, **_: Any) -> list[Numbers]:
    """After the end of the numbers, a block goes on with zeros, which become sums, too."""
    result: Numbers = []
    for mine in blocks(n, block):
        row = [values[i] for i in mine] + [0] * (block - len(mine))
        for _round in range(2):
            row = [sum(row[max(0, t - 1) : t + 2]) for t in range(block)]
        result += row[: len(mine)]
    return [result]


def add_others(a: Numbers, b: Numbers, out: None, rounds: int, *, block: int, **_: Any) -> list[Numbers]:
    result: Numbers = []
    for mine in blocks(len(a), block):
        x = [a[i] for i in mine]
        for _round in range(rounds):
            x = [x[t] + x[t + 1 - block] for t in range(block)]
        y = [x[t] + b[mine[-1 - t]] for t in range(block)]
        result += [y[t] + (y[t - 32] if t >= 32 else 0) for t in range(block)]
    return [result]


def neighbor_update(x: Numbers, y: None, n: int, **_: Any) -> list[Numbers]:
    new = [x[t] + x[(t + 1) % n] for t in range(n)]
    return [new, [max(new[t], new[(t + 1) % n]) for t in range(n)]]


def downsample(values: Numbers, out: None, n: int, decimate: int, **_: Any) -> list[Numbers]:
    return [[values[i] for i in range(n) if i % decimate == 0]]


def structs_to_arrays(points: Numbers, x: None, y: None, z: None, n: int, **_: Any) -> list[Numbers]:
    return [[points[i][k] for i in range(n)] for k in range(3)]


def count_above(matrix: Numbers, out: None, n: int, limit: float, **_: Any) -> list[Numbers]:
    return [[len([number for number in row if number > limit]) for row in matrix]]


def rotate_left(x: Numbers, n: int, **_: Any) -> list[Numbers]:
    return [[x[t + 1] if t + 1 < n else x[0] for t in range(n)]]


def any_above(values: Numbers, out: None, n: int, limit: int, *, block: int, **_: Any) -> list[Numbers]:
    return [[1 if any(values[i] > limit for i in mine) else 0 for mine in blocks(n, block)]]


def sums_of_warps(values: Numbers, out: None, n: int, *, grid: int, block: int, **_: Any) -> list[Numbers]:
    result = [0] * (grid * block // 32)
    for i in range(n):
        result[i // 32] += values[i]
    return [result]


def spread(values: Numbers, out: None, n: int, **_: Any) -> list[Numbers]:
    result = [0] * n
    for i in range(n):
        result[i] += 2 * values[i]
        if i > 0:
            result[i - 1] += values[i]
        if i + 1 < n:
            result[i + 1] += values[i]
    return [result]


def dot_any_n(x: Numbers, y: Numbers, out: None, n: int, *, threads: int, **_: Any) -> list[Numbers]:
    return [[_dot(x, y, mine) for mine in blocks(n, 8 * threads)]]


def dot_one_block(x: Numbers, y: Numbers, out: None, n: int, **_: Any) -> list[Numbers]:
    return [[_dot(x, y, range(n))]]


def _dot(x: Numbers, y: Numbers, mine: Sequence[int]) -> float:
    total = 0.0
    for i in mine:
        total += x[i] * y[i]
    return total


def scan(numbers: Numbers, out: None, n: int, **_: Any) -> list[Numbers]:
    result, total = [], 0
    for i in range(n):
        total += numbers[i]
        result.append(total)
    return [result]


def warp_reduce(numbers: Numbers, out: None, n: int, *, block: int, **_: Any) -> list[Numbers]:
    return [[_dot(numbers, [1] * n, mine) for mine in blocks(n, block)]]


def product(a: Numbers, b: Numbers, c: None, *_numbers: int, **_: Any) -> list[Numbers]:
    return [[[_dot(row, column, range(len(row))) for column in map(list, zip(*b, strict=True))] for row in a]]


def product_with_columns(a: Numbers, b: Numbers, c: None, *_numbers: int, **_: Any) -> list[Numbers]:
    return [[[_dot(row, column, range(len(row))) for column in b] for row in a]]


def reverse_rows(d: Numbers, w: int, **_: Any) -> list[Numbers]:
    return [[[row[w - 1 - i] for i in range(w)] for row in d]]


def reverse_blocks(d: Numbers, n: int, *, block: int, **_: Any) -> list[Numbers]:
    result: Numbers = []
    for mine in blocks(n, block):
        result += [d[mine[-1] - k] for k in range(len(mine))]
    return [result]


def reverse(d: Numbers, n: int, **_: Any) -> list[Numbers]:
    return [[d[n - 1 - i] for i in range(n)]]


def two_steps(value: Numbers, step: Numbers, out: None, n: int, *, t: int, **_: Any) -> list[Numbers]:
    result = []
    for mine in blocks(n, t):
        for i in mine:
            at = i
            for _step in range(2):
                at = mine[(at - mine[0] + step[at]) % len(mine)]
            result.append(value[at])
    return [result]


def cluster_sum(values: Numbers, total: None, n: int, **_: Any) -> list[Numbers]:
    return [[sum(values[i] for i in range(n))]]


def smooth_rows(values: Numbers, out: None, steps: int, **_: Any) -> list[Numbers]:
    result = []
    for row in values:
        for _step in range(steps):
            row = [
                0.25 * ((row[i - 1] if i > 0 else 0.0) + 2 * row[i] + (row[i + 1] if i + 1 < len(row) else 0.0))
                for i in range(len(row))
            ]
        result.append(row)
    return [result]


def cluster_histogram(values: Numbers, bins: None, n: int, part: int, **_: Any) -> list[Numbers]:
    return [[len([i for i in range(n) if values[i] == value]) for value in range(4 * part)]]


def alternating(rows: Numbers) -> Numbers:
    """Row 0, minus row 1, plus row 2, and so on, backwards."""
    out = [0] * len(rows[0])
    for k, row in enumerate(rows):
        for i, number in enumerate(row):
            out[len(row) - 1 - i] += -number if k % 2 else number
    return out


def hand_over(blocks_of_rows: Numbers, out: None, rounds: int, **_: Any) -> list[Numbers]:
    return [[alternating(rows[:rounds]) for rows in blocks_of_rows]]


def ring_of_tiles(tiles_of_numbers: Numbers, out: None, tiles: int, **_: Any) -> list[Numbers]:
    return [alternating(tiles_of_numbers[:tiles])]


def sum_and_largest_of_columns(values: Numbers, sums: None, largest: None, n: int, **_: Any) -> list[Numbers]:
    total, most = [0] * 32, [-(2**31)] * 32
    for i in range(n):
        total[i % 32] += values[i]
        most[i % 32] = max(most[i % 32], values[i])
    return [total, most]


def online_softmax(x: Numbers, v: Numbers, out: None, rows: int, n: int, **_: Any) -> list[Numbers]:
    result = []
    for row in x:
        largest = max(row)
        weights = [math.exp(score - largest) for score in row]
        result.append(sum(weights[j] * v[j] for j in range(n)) / sum(weights))
    return [result]


#: By exercise.
PLAIN: dict[str, Plain] = {
    "any_above": any_above,
    "atomic_max_float": largest_of_group,
    "bank_free_columns": row_sums,
    "barrier_in_branch": largest_of_block,
    "blur_2d": blur_2d,
    "blur_one_block": blur,
    "blur_shared": blur,
    "blur_twice_fused": blur_twice,
    "branchless_sum": branchless_sum,
    "broken_ring": sum_and_largest_of_columns,
    "cluster_halo": smooth_rows,
    "cluster_histogram": cluster_histogram,
    "cluster_sum": cluster_sum,
    "constant_filter": constant_filter,
    "count_zeros": count_zeros,
    "dot_any_n": dot_any_n,
    "dot_last_block": dot_last_block,
    "dot_one_block": dot_one_block,
    "downsample": downsample,
    "hand_over": hand_over,
    "histogram_global": histogram_global,
    "histogram_shared": histogram_shared,
    "lost_update": count_above,
    "missing_barrier": add_neighbors_twice,
    "mma_by_hand": product_with_columns,
    "needless_barriers": add_others,
    "neighbor_update": neighbor_update,
    "online_softmax": online_softmax,
    "reverse_dynamic": reverse_rows,
    "reverse_static": reverse_blocks,
    "reverse_without_barrier": reverse,
    "ring_of_tiles": ring_of_tiles,
    "rotate_left": rotate_left,
    "saxpy": saxpy,
    "scan_any_n": scan,
    "scan_one_block": scan,
    "sort_keys": sort_keys,
    "split_factor": product_with_columns,
    "spread": spread,
    "structs_to_arrays": structs_to_arrays,
    "sums_of_warps": sums_of_warps,
    "swizzled_tile": product_with_columns,
    "transpose_coalesced": transpose,
    "transpose_padded": transpose,
    "two_arrays_one_buffer": two_steps,
    "warp_reduce": warp_reduce,
}
PLAIN |= dict.fromkeys(
    [
        "gemm_1x2",
        "gemm_2x2",
        "gemm_double_buffered",
        "gemm_rectangular",
        "gemm_register_tile",
        "gemm_simple",
        "gemm_tiled",
        "gemm_tiled_any_size",
        "gemm_vectorized",
        "sgemm",
    ],
    product,
)


def saxpy_main(n: int, a: int, block: int) -> Numbers:
    return [a * (1 + i % 10) + i % 7 for i in range(n)]


def forgotten_memory(n: int, rounds: int) -> Numbers:
    numbers = [i % 3 for i in range(n)]
    for _ in range(rounds):
        numbers = [numbers[i] + numbers[(i + 1) % n] for i in range(n)]
    return numbers


def missing_synchronization(n: int, rounds: int) -> Numbers:
    largest, total = [], [0] * n
    for r in range(rounds):
        row = [(3 * i + r) % 8 for i in range(n)]
        largest.append(max(number * number for number in row))
        for i in range(n):
            total[i] += row[i]
    return largest + total


def two_streams(n: int, pieces: int) -> Numbers:
    return [(i % 50) ** 2 + 1 for i in range(n)]


#: What whole programs print, from their arguments.
PROGRAMS: dict[str, Callable[..., Numbers]] = {
    function.__name__: function for function in (saxpy_main, forgotten_memory, missing_synchronization, two_streams)
}
