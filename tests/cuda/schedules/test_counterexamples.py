"""For a race: an order of the threads with a wrong result, what comes first there, and that it is repeatable."""

from __future__ import annotations

import keyword
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import inputs
import numpy as np
import pytest
from test_corpus import FOLDER, read_header

from autograder import UsageError
from autograder.cuda.backends import emulator
from autograder.cuda.core.findings import Access, Kind
from autograder.cuda.core.run import TRACE_ACTIONS, Run, landings_as_writes
from autograder.cuda.kernel import Kernel
from autograder.cuda.schedules import counterexamples

pytestmark = inputs.checking

RACES = sorted((FOLDER / "race").glob("bad_*.cu"))


def longest_common(a: np.ndarray, b: np.ndarray) -> int:
    table = np.zeros((len(a) + 1, len(b) + 1), int)
    for i, j in np.ndindex(len(a), len(b)):
        alike = a[i] % 4 == b[j] % 4
        table[i + 1, j + 1] = table[i, j] + 1 if alike else max(table[i, j + 1], table[i + 1, j])
    return int(table[-1, -1])


#: What the kernel should compute: an output, and an expression over numpy and the arguments before the launch.
WANTED = {
    "bad_acquire_is_not_shared_without_barrier": ("out", "3 * np.arange(64)[::-1]"),
    "bad_async_copy_buffer_reused_too_early": ("out", "in_.sum(axis=0)[::-1]"),
    "bad_async_copy_no_barrier_after_wait": ("out", "in_[::-1]"),
    "bad_async_copy_overtaken_by_a_write": ("out", "np.where(np.arange(64) < 32, in_, 0)"),
    "bad_async_copy_own_element_before_wait": ("out", "in_"),
    "bad_async_copy_read_before_wait": ("out", "in_[::-1]"),
    "bad_async_copy_waits_for_the_wrong_stage": ("out", "in_[32:][::-1]"),
    "bad_atomic_after_a_read_of_its_warp": ("out", "np.zeros(1)"),
    "bad_atomic_against_plain_add": ("total", "np.array([64])"),
    "bad_atomic_then_plain_read": ("out", "np.full(64, 64)"),
    "bad_barrier_object_read_before_wait": ("out", "np.roll(in_, -64)"),
    "bad_bit_fields_of_one_word": ("out", "np.full(32, 65537)"),
    "bad_blocks_share_output": ("data", "np.where(np.arange(128) % 32, data, np.roll(data, 1))"),
    "bad_carved_arrays_overlap": ("out", "np.zeros(64)"),
    "bad_cub_storage_used_again": ("out", "np.array([a.sum(), (a * a).sum()])"),
    "bad_input_of_asm_before_its_barrier": ("out", "np.arange(64, 0, -1)"),
    "bad_output_of_asm_behind_its_barrier": ("out", "np.arange(63, -1, -1)"),
    "bad_tile_of_two_warps_is_not_the_block": ("out", "in_[::-1]"),
    "bad_cluster_exchange_in_global_memory_without_sync": ("out", "in_.reshape(2, 2, 32)[:, ::-1]"),
    "bad_cluster_overwritten_too_early": ("out", "in_.reshape(2, 2, 32)[:, ::-1]"),
    "bad_cluster_plain_sum": ("out", "np.full(2, in_.sum())"),
    "bad_cluster_read_without_sync": ("out", "in_.reshape(2, 2, 32)[:, ::-1]"),
    "bad_disjoint_syncwarp": ("out", "np.arange(32) ^ 16"),
    "bad_double_buffer_swapped_too_late": ("out", "np.roll(in_, -3)"),
    "bad_fence_of_the_first_blocks": ("out", "np.full(8, x)"),
    "bad_float4_over_a_neighbor": ("out", "np.tile([0, 0, 0, 1], 32)"),
    "bad_fragment_stored_over_another": ("out", "np.concatenate([np.zeros(16), np.ones(256), out[272:]])"),
    "bad_gemm_double_buffered_one_buffer": ("c", "a @ b"),
    "bad_gemm_no_first_barrier": ("c", "a @ b"),
    "bad_gemm_no_second_barrier": ("c", "a @ b"),
    "bad_gemm_of_fragments_no_first_barrier": ("c", "a.astype(np.float32) @ b.astype(np.float32)"),
    "bad_grid_phases_without_grid_sync": ("out", "np.arange(128)[::-1]"),
    "bad_groups_copy_without_wait": ("out", "in_[::-1][:64]"),
    "bad_half_neighbors": ("out", "2 * in_[::-1]"),
    "bad_last_block_released_too_early": ("out", "2 * in_.sum(keepdims=True)"),
    "bad_ldmatrix_without_syncwarp": ("out", "in_.reshape(8, 8).T.copy().view(np.uint32)"),
    "bad_lock_of_another_bucket": ("sums", "np.arange(64).reshape(8, 8).sum(axis=0)"),
    "bad_mbarrier_arrival_before_the_warp_has_written": ("out", "in_.reshape(4, 32)[:, ::-1]"),
    "bad_mbarrier_arrival_for_others_that_still_read": ("out", "in_.reshape(4, 64)[:, ::-1]"),
    "bad_mbarrier_polled_by_one_lane_alone": ("out", "in_.reshape(4, 32)[:, ::-1]"),
    "bad_mbarrier_wait_of_one_thread_not_handed_on": ("out", "in_.reshape(4, 64)[:, ::-1]"),
    "bad_missing_barrier": ("out", "np.roll(in_.reshape(2, 64), 32, axis=1)"),
    "bad_no_flush_barrier": ("hist", "np.bincount(in_, minlength=64)"),
    "bad_plain_flush": ("hist", "np.bincount(in_, minlength=64)"),
    "bad_plain_increment": ("hist", "np.bincount(in_, minlength=256)"),
    "bad_plain_read_of_counter_between_blocks": ("seen", "np.full(4, 4)"),
    "bad_plain_write_after_own_atomic": ("total", "np.zeros(1)"),
    "bad_release_by_all_warps_but_one": ("out", "np.concatenate([np.ones(31), out[31:]])"),
    "bad_release_before_the_others_have_written": ("out", "3 * np.arange(64)[::-1]"),
    "bad_reverse_without_barrier": ("out", "in_[::-1]"),
    "bad_scan_in_place": ("data", "np.cumsum(data)"),
    "bad_slot_read_before_it_is_written": ("out", "in_[::-1]"),
    "bad_softmax_reuses_the_array_too_early": ("out", "np.exp(in_ - in_.max())[::-1]"),
    "bad_stencil_in_place": ("u", "np.concatenate([u[:1], (u[:-2] + u[2:]) / 2, u[-1:]])"),
    "bad_stmatrix_without_syncwarp": ("out", "np.arange(32)[::-1]"),
    "bad_subword_overlap": ("out", "np.tile([0, 0, 7, 1], 16)"),
    "bad_syncwarp_of_some_readers": ("out", "np.full(32, in_[0])"),
    "bad_tile_of_16_lanes_reads_the_next": ("out", "in_[::-1]"),
    "bad_two_dynamic_arrays_are_one": ("out", "in_[::-1]"),
    "bad_warp_without_syncwarp": ("out", "in_.sum(keepdims=True)"),
    "bad_wavefront_without_barrier": ("out", "np.array([longest_common(a, b)])"),
    "bad_write_after_unlock": ("out", "np.array([11])"),
}
#: Right in every order of single accesses: a GPU may be wrong because of its weak memory, or because a warp does not
#: run in lockstep; or it is never wrong, though CUDA does not promise it.
RIGHT_IN_EVERY_ORDER = [
    "bad_atomic_block_scope",
    "bad_atomic_ref_relaxed",
    "bad_atomics_of_two_sizes",
    "bad_ballot_is_no_barrier",
    "bad_bulk_copies_to_one_place",
    "bad_bulk_copy_polled_in_its_place",
    "bad_bulk_store_fence_before_the_write",
    "bad_bulk_store_read_back_behind_a_wait_for_sources",
    "bad_bulk_store_read_back_early",
    "bad_bulk_store_without_fence",
    "bad_cluster_atomic_of_block_scope",
    "bad_cub_scan_behind_load",
    "bad_device_atomic_after_a_block_atomic",
    "bad_fragment_loaded_without_syncwarp",
    "bad_last_block_without_fence",
    "bad_lock_block_fence_across_blocks",
    "bad_lock_without_fence_of_the_first",
    "bad_lock_without_fences",
    "bad_message_block_fence_across_blocks",
    "bad_message_fence_on_reader_only",
    "bad_message_fence_on_writer_only",
    "bad_message_flag_of_block_scope",
    "bad_message_volatile_flag",
    "bad_named_barrier_before_the_last_read",
    "bad_pipeline_of_a_block_released_early",
    "bad_same_value",
    "bad_short_cas_in_a_counted_word",
    "bad_shuffle_from_the_read_to_the_write",
    "bad_shuffle_is_no_barrier",
    "bad_stencil_blocks_write_their_halo",
    "bad_tensor_map_acquired_by_another_thread",
    "bad_tensor_map_published_without_acquire",
    "bad_tensor_map_released_before_it_is_changed",
    "bad_tensor_map_without_release",
    "bad_tile_of_4_overwrites_for_all",
    "bad_unlock_by_plain_store",
    "bad_wgmma_other_warpgroup_overwrites",
    "bad_wgmma_proxy_fence_before_the_store",
    "bad_wgmma_tile_of_the_group_that_goes_on",
    "bad_wgmma_tile_overwritten_before_the_wait",
    "bad_wgmma_two_tiles_waits_for_too_few",
    "bad_wgmma_without_barrier",
    "bad_wgmma_without_proxy_fence",
]
#: Wrong in every order: no order matters to a load through the read-only cache.
OF_NO_ORDER = ["bad_ld_nc_of_a_counter", "bad_ldg_of_ones_own_write", "bad_ldg_of_what_the_kernel_writes"]
#: Without a counterexample yet, and why.
MISSED = {
    name: reason
    for reason, names in {
        "whether it ends depends on what was in the object": "bad_barrier_object_used_before_init",
        "it has no output": "bad_device_variable",
        "the orders differ first in two atomics, which do not race": (
            "bad_syncwarp_of_some_atomics bad_cluster_ring_released_at_home_alone"
        ),
        "the ordinary order stops, so that no other is tried": (
            "bad_attention_spins_in_place_of_a_wait bad_attention_values_not_waited_for"
        ),
        "each order that is tried is wrong or never ends": "bad_attention_of_one_parity",
        "in each order that is tried, a product reads its matrices before a copy replaces them": " ".join(
            (
                "bad_attention_keys_released_before_the_wait",
                "bad_attention_values_released_before_their_product_is_over",
                "bad_attention_values_released_beside_their_product",
            )
        ),
        "what bulk copies read is not in the traces": (
            "bad_epilogue_of_groups_that_share_a_barrier bad_epilogue_whose_others_do_not_wait"
        ),
        "a copy reads its tensor map where it starts, in every order": "bad_tensor_map_changed_while_copies_use_it",
        "few orders of clusters are tried": "bad_cluster_write_between_the_halves bad_clusters_share_an_element",
        "copies land as late as they may in every order": " ".join(
            (
                "bad_bulk_copies_of_two_sizes_expected_as_one",
                "bad_bulk_copy_into_a_slot_in_use",
                "bad_bulk_copy_read_before_wait",
                "bad_bulk_copy_to_a_cluster_that_reads",
                "bad_bulk_copy_wrong_parity",
                "bad_bulk_store_source_overwritten",
                "bad_bulk_store_waits_for_the_group_before",
                "bad_wgmma_copy_not_waited_for",
            )
        ),
    }.items()
    for name in names.split()
}  # fmt: skip


def launch(name: str) -> tuple[Callable[..., Run], dict[str, Any]]:
    """The launch of a kernel of the corpus, as a function of `emulate`'s keyword arguments, and its arguments."""
    text = (FOLDER / "race" / f"{name}.cu").read_text()
    header = read_header(text)
    kernel = Kernel(text, header.kernel)
    args = list(header.args.values())
    return (
        lambda **how: kernel.emulate(header.grid, header.block, args, header.shared_mem, empty=header.empty, **how),
        header.args,
    )


def wanted(name: str, args: dict[str, Any]) -> tuple[str, np.ndarray]:
    output, expression = WANTED[name]
    before = {word + "_" * keyword.iskeyword(word): value for word, value in args.items()}
    values = eval(expression, {"np": np, "longest_common": longest_common, **before})
    return output, np.asarray(values).astype(args[output].dtype).reshape(args[output].shape)


def steps(run: Run, access: Access) -> list[int]:
    """The steps in which a traced run makes this access; for a copy, those in which it lands."""
    assert run.trace is not None
    events = landings_as_writes(run.trace.events)
    sizes = [events[field].max() + 1 for field in ("block", "thread")]
    block, thread = access.block[0], access.thread[0]  # of launches with one dimension
    assert block < sizes[0] and thread < sizes[1]
    arrays = run.trace.arrays
    return [
        int(e["step"])
        for e in events[(events["block"] == block) & (events["thread"] == thread)]
        if e["action"] <= 2 and (arrays[e["array"]], e["line"], TRACE_ACTIONS[e["action"]])
        == (access.array, access.line, access.action) and e["index"] == (access.index or (0,))[0]
    ]  # fmt: skip


@pytest.mark.parametrize("path", RACES, ids=lambda path: path.stem)
def test_every_race_of_the_corpus_is_spoken_of_once(path: Path) -> None:
    assert [path.stem in names for names in (WANTED, RIGHT_IN_EVERY_ORDER, OF_NO_ORDER, MISSED)].count(True) == 1


@pytest.mark.sampled(one_in=3)
@pytest.mark.parametrize("name", WANTED)
def test_a_counterexample_is_found_and_can_be_repeated(name: str) -> None:
    run, args = launch(name)
    output, want = wanted(name, args)
    found = run(expected={output: want})
    example = found.counterexample
    assert example is not None
    assert example.finding in found.findings and example.finding.kind is Kind.RACE
    assert {a.line for a in (example.first, example.second)} == {a.line for a in example.finding.accesses}
    assert example.output == output and example.expected == want[example.index]

    number = [word for word, value in args.items() if isinstance(value, np.ndarray)].index(output)
    again, right = (run(schedule=s, trace=True) for s in (example.schedule, example.right))
    np.testing.assert_equal(again.outputs[number][example.index], example.got)
    np.testing.assert_allclose(right.outputs[number][example.index], want[example.index], rtol=1e-5)
    assert not np.isclose(again.outputs[number][example.index], want[example.index], rtol=1e-5)
    assert str(run(expected={output: want}).counterexample) == str(example)  # nan is not nan
    both = (example.first, example.second)
    if all(max(a.block[1:] + a.thread[1:]) == 0 and len(a.index) < 2 for a in both):
        first, second = steps(again, example.first), steps(again, example.second)
        assert first and (not second or first[0] < second[-1])


@pytest.mark.sampled(one_in=3)
@pytest.mark.parametrize("name", RIGHT_IN_EVERY_ORDER)
def test_where_every_order_is_right_none_is_made_up(name: str) -> None:
    run, args = launch(name)
    names = [word for word, value in args.items() if isinstance(value, np.ndarray)]
    found = run(expected=dict(zip(names, run().outputs, strict=True)))
    assert found.counterexample is None and found.orders_all_right > 4


@pytest.mark.parametrize("name", OF_NO_ORDER)
def test_where_no_order_matters_none_is_tried(name: str) -> None:
    run, args = launch(name)
    names = [word for word, value in args.items() if isinstance(value, np.ndarray)]
    found = run(expected=dict(zip(names, run().outputs, strict=True)))
    assert found.findings and found.counterexample is None and not found.orders_all_right


@pytest.mark.sampled(one_in=4)
@pytest.mark.parametrize("name", [name for name in MISSED if name != "bad_device_variable"])
@pytest.mark.xfail(strict=True)
def test_missed(name: str) -> None:
    run, args = launch(name)
    names = [word for word, value in args.items() if isinstance(value, np.ndarray)]
    fixed = dict(zip(names, run(schedule="lockstep").outputs, strict=True))
    assert run(expected=fixed).counterexample is not None


# ---- what is told -----------------------------------------------------------------------------------

COUNT = Kernel("__global__ void count(int* total)\n{\n    total[0] += 1;\n}\n", "count")


def counted(grid: int, block: int, want: int | None = None, **how: Any) -> Run:
    if want is not None:
        how["expected"] = {"total": np.array([want])}
    return COUNT.emulate(grid, block, [np.zeros(1, np.int32)], **how)


def test_a_lost_update_within_a_block() -> None:
    example = counted(1, 64, 64).counterexample
    assert example is not None
    assert (example.first.thread, example.second.thread) == ((1, 0, 0), (0, 0, 0))
    assert (example.first.action, example.second.action, example.lost_update) == ("read", "write", True)
    assert (example.value, example.instead, example.origin) == (np.int32(0), np.int32(1), None)
    assert (example.output, example.index) == ("total", (0,))
    assert (example.got, example.expected) == (np.int32(63), np.int32(64))
    assert example.right == "forward" and counted(1, 64, schedule=example.schedule).outputs[0][0] == 63


def test_a_lost_update_between_blocks() -> None:
    example = counted(3, 1, 3).counterexample
    assert example is not None and example.lost_update
    assert (example.first.block, example.second.block) == ((1, 0, 0), (0, 0, 0))
    assert example.got == 2


def test_who_left_the_value_that_is_read() -> None:
    kernel = Kernel(
        """__global__ void shift(const float* in, float* out)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    s[t] = 10 * s[t];
    out[t] = s[(t + 32) % 64];
}
""",
        "shift",
    )
    data = np.arange(64, dtype=np.float32)
    run = kernel.emulate(1, 64, [data, np.zeros_like(data)], expected={"out": 10 * np.roll(data, 32)})
    example = run.counterexample
    assert example is not None and example.origin is not None and example.schedule == "forward"
    assert (example.first.line, example.second.line, example.origin.line) == (8, 7, 5)
    assert (example.first.thread, example.second.thread, example.origin.thread) == ((0, 0, 0), (32, 0, 0), (32, 0, 0))
    wrong, right = np.float32(32), np.float32(320)
    assert (example.value, example.instead, example.got, example.expected) == (wrong, right, wrong, right)


def test_an_order_in_which_the_launch_stops() -> None:
    kernel = Kernel(
        """__global__ void leave(const int* n, int* out)
{
    __shared__ int limit;
    if (threadIdx.x == 0) limit = *n;
    if ((int)threadIdx.x >= limit) return;
    __syncthreads();
    out[threadIdx.x] = 1;
}
""",
        "leave",
    )
    arguments = [np.array([64], np.int32), np.zeros(64, np.int32)]
    run = kernel.emulate(1, 64, arguments, expected={"out": np.ones(64)})
    example = run.counterexample
    assert run.completed and example is not None and example.stop is not None and example.output == ""
    assert example.stop.kind is Kind.BARRIER_DIVERGENCE
    assert (example.first.line, example.second.line) == (5, 4)
    assert (example.first.action, example.second.thread) == ("read", (0, 0, 0))
    assert not kernel.emulate(1, 64, arguments, schedule=example.schedule).completed


SAME_AND_WRONG = """__global__ void both(int* flag, int* out)
{
    flag[0] = 1;
    out[threadIdx.x] = 7;
}
"""


def test_a_result_that_is_wrong_for_another_reason_is_not_laid_on_the_race() -> None:
    arrays = [np.zeros(1, np.int32), np.zeros(64, np.int32)]
    kernel = Kernel(SAME_AND_WRONG, "both")
    run = kernel.emulate(1, 64, arrays, expected={"out": np.full(64, 8), "flag": np.ones(1)})
    assert [f.kind for f in run.findings] == [Kind.RACE]
    assert run.counterexample is None and run.orders_all_right == 0
    right = kernel.emulate(1, 64, arrays, expected={"out": np.full(64, 7), "flag": np.ones(1)})
    assert right.counterexample is None and right.orders_all_right > 4


def test_nothing_is_run_again_without_a_race_or_for_a_large_launch(monkeypatch: pytest.MonkeyPatch) -> None:
    assert counted(1, 1, 5).counterexample is None  # wrong, and no race
    monkeypatch.setattr(counterexamples, "MAX_ACCESSES", 127)
    runs = Mock(wraps=emulator.run)
    monkeypatch.setattr(emulator, "run", runs)
    assert counted(1, 64, 64).counterexample is None and runs.call_count == 1
    monkeypatch.setattr(counterexamples, "MAX_ACCESSES", 128)
    assert counted(1, 64, 64).counterexample is not None and runs.call_count > 3


def test_never_more_orders_than_that(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counterexamples, "MAX_ORDERS", 3)  # of the more that there are
    runs = Mock(wraps=emulator.run)
    monkeypatch.setattr(emulator, "run", runs)
    Kernel(SAME_AND_WRONG, "both").emulate(
        1, 64, [np.zeros(1, np.int32), np.zeros(64, np.int32)], expected={"flag": np.ones(1)}
    )
    assert runs.call_count == 1 + 3


def test_what_is_expected_must_fit() -> None:
    with pytest.raises(UsageError, match=r"expected\['sum'\] is no array argument of count: use total."):
        COUNT.emulate(1, 2, [np.zeros(1, np.int32)], expected={"sum": np.zeros(1)})
    with pytest.raises(UsageError, match=r"shape \(2,\) but the argument has shape \(1,\)"):
        COUNT.emulate(1, 2, [np.zeros(1, np.int32)], expected={"total": np.zeros(2)})


# ---- orders with a thread held back -----------------------------------------------------------------


def order(run: Run) -> list[tuple[int, int, str]]:
    assert run.trace is not None
    accesses = run.trace.events[run.trace.events["action"] <= 2]
    return [(int(e["block"]), int(e["thread"]), TRACE_ACTIONS[e["action"]][0]) for e in accesses]


def test_one_thread_waits_and_nothing_else_changes() -> None:
    run = counted(1, 3, schedule="forward; hold 0:0:1 until 0:1:0", trace=True)
    assert order(run) == [(0, 0, "r"), (0, 1, "r"), (0, 0, "w"), (0, 1, "w"), (0, 2, "r"), (0, 2, "w")]
    assert run.outputs[0][0] == 2


def test_a_thread_waits_for_another_block() -> None:
    run = counted(3, 1, schedule="forward; hold 0:0:1 until 1:0:0", trace=True)
    assert order(run) == [(0, 0, "r"), (1, 0, "r"), (0, 0, "w"), (1, 0, "w"), (2, 0, "r"), (2, 0, "w")]


def test_turns_of_one_access() -> None:
    run = counted(2, 2, schedule="lockstep", trace=True)
    assert order(run) == [(b, t, a) for b in (0, 1) for a in "rw" for t in (0, 1)]


@pytest.mark.parametrize(
    "hold", ["0:0:1 until 0:1:7", "0:0:0 until 0:0:1", "0:0:0 until 7:0:0", "0:0:1 until 1:1:5", "0:5:0 until 0:0:0"]
)
def test_what_cannot_be_waited_for_is_given_up(hold: str) -> None:
    run = counted(2, 2, schedule=f"forward; hold {hold}")
    assert run.completed and {f.kind for f in run.findings} == {Kind.RACE}


@pytest.mark.parametrize("name", ["good_bitonic_sort", "good_grid_sync", "good_lock_with_fences", "good_last_block"])
def test_barriers_and_locks_order_what_a_hold_would_turn_round(name: str) -> None:
    run, _ = launch(name)
    want = run().outputs
    for hold in ("0:0:1 until 0:1:2", "0:1:3 until 0:0:6", "0:0:2 until 1:0:1"):
        again = run(schedule=f"forward; hold {hold}")
        assert again.completed and not again.findings
        for got, right in zip(again.outputs, want, strict=True):
            np.testing.assert_array_equal(got, right)


def test_an_asynchronous_copy_lands_when_it_is_waited_for_or_at_once() -> None:
    run, args = launch("bad_async_copy_own_element_before_wait")
    late, early = run(trace=True), run(trace=True, schedule="forward; copies land at once")
    for traced, actions in ((late, "read read write land"), (early, "read land read write")):
        assert traced.trace is not None
        events = traced.trace.events[traced.trace.events["thread"] == 5]
        assert " ".join(TRACE_ACTIONS[e["action"]] for e in events[:4]) == actions
        (landed,) = events[events["action"] == TRACE_ACTIONS.index("land")]
        assert traced.trace.value(landed) == args["in"][5]
    assert [str(f) for f in late.findings] == [str(f) for f in early.findings]
    np.testing.assert_array_equal(early.outputs[1], args["in"])
    assert np.isnan(late.outputs[1]).all()


@pytest.mark.parametrize(
    "schedule",
    ["forward;", "copies land at once", "forward; copies land",
     "forward; ", "sideways", "random", "random:x", "forward:1", "forward; hold 0:0 until 0:1:0",
     "forward; hold 0:0:1", "hold 0:0:1 until 0:1:0", "forward; hold 0:0:1 until 0:1:-1"],
)  # fmt: skip
def test_a_schedule_that_is_none(schedule: str) -> None:
    with pytest.raises(UsageError, match="There is no schedule"):
        counted(1, 2, schedule=schedule)
