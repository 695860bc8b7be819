"""Does the emulator count as Nsight Compute counts, except where the book says why not?"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import inputs
import numpy as np
import pytest
from course_book import counts, kernels

from autograder.cuda.performance import measurements

pytestmark = inputs.book

KERNELS = {launch.kernel for launch in counts.compared()}


def test_at_least_40_kernels_are_compared() -> None:
    assert len(KERNELS) >= 44
    assert {path.stem for path in (kernels.FOLDER / "access").glob("*.cu")} == KERNELS


@pytest.mark.parametrize("build", counts.BUILDS)
def test_the_emulator_differs_exactly_where_a_reason_is_given(build: str) -> None:
    assert counts.unequal(build) == counts.explained(build)


@pytest.mark.parametrize("build", counts.BUILDS)
def test_every_difference_is_given_once(build: str) -> None:
    places = [
        (kernel, column)
        for difference in counts.DIFFERENCES
        if build in difference.builds
        for kernel in difference.kernels
        for column in difference.columns
    ]
    assert len(places) == len(set(places))


#: Written so that lanes diverge and reconverge: the debug build follows the text, and the optimizer undoes most of it.
PARTING = {"either_condition", "function_in_branches", "switch_falls"} | {
    f"loop_{kind}" for kind in ("break", "continue", "nested", "return", "while")
}


def test_global_memory_is_counted_as_the_optimized_build_does_for_nearly_all_kernels() -> None:
    unequal = set(counts.unequal("optimized", counts.GLOBAL)) - PARTING
    assert len(unequal) / (len(KERNELS) - len(PARTING)) <= 0.075


def test_where_lanes_part_and_meet_again_the_debug_build_counts_the_same() -> None:
    assert set(KERNELS) >= PARTING and not PARTING & set(counts.unequal("debug"))


def test_bank_conflicts_are_counted_as_the_debug_build_does() -> None:
    conflicts = ("shared_load_conflicts", "shared_store_conflicts")
    assert set(counts.unequal("debug", conflicts)) <= {"shared_float2"}


def test_atomics_are_counted_as_the_debug_build_does() -> None:
    assert not counts.unequal("debug", counts.ATOMICS)
    updates = [item for item in counts.compared() if item.emulator["global_atomic_requests"]]
    assert (
        len({item.emulator["global_atomic_sectors"] / item.emulator["global_atomic_requests"] for item in updates}) > 3
    )
    assert {item.emulator["shared_atomic_conflicts"] for item in counts.compared()} >= {0, 4, 28, 124}


def test_a_wrong_count_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    first = next(item for item in counts.compared() if item.kernel == "copy_strided")
    wrong = replace(first, emulator={**first.emulator, "global_load_sectors": 31})
    monkeypatch.setattr(counts, "compared", lambda: (wrong,))
    assert counts.unequal("debug") == {"copy_strided": {"global_load_sectors"}}


def test_a_launch_that_was_not_measured_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = counts.FILE.read_text().splitlines(keepends=True)
    monkeypatch.setattr(counts, "FILE", tmp_path / "counts.csv")
    counts.FILE.write_text("".join(line for line in lines if not line.startswith("add_in_place,")))
    with pytest.raises(ValueError, match="no row for add_in_place"):
        counts.compared.__wrapped__()
    counts.FILE.write_text("".join([*lines, lines[-1].replace("volume_3d", "gone")]))
    with pytest.raises(ValueError, match="launches that are gone"):
        counts.compared.__wrapped__()


def test_the_reasons_that_name_an_instruction_are_seen_in_the_machine_code() -> None:
    sass = {(row["kernel"], row["build"]): row["sass"].split("; ") for row in measurements.read(counts.FILE)}
    assert "LD.E 2" in sass["copy_float2", "debug"] and "LDG.E.64 1" in sass["copy_float2", "optimized"]
    for kernel in ("gemm_tiled_16", "gemm_tiled_32", "gemm_1x2", "gemm_tile_transposed", "shared_neighbors_merged"):
        assert any(code.startswith("LDS.128 ") for code in sass[kernel, "optimized"]), kernel
    for kernel in ("constant_uniform", "constant_per_lane", "loads_merged", "device_table"):
        assert "LDG.E 1" in sass[kernel, "optimized"], kernel  # of `in` alone
    assert "LD.E 2" in sass["constant_per_lane", "debug"]  # of `in` and of the constant
    assert {code.split()[0] for code in sass["scan_blelloch", "optimized"]} >= {"LDS.64", "STS.64"}
    assert "LD.E.128 2" in sass["shared_float4_broadcast", "debug"]
    assert "LDS.128 1" in sass["shared_float4_broadcast", "optimized"]
    assert "ATOMS.POPC.INC.32 1" in sass["histogram_shared", "optimized"]


def rolled_out(
    copies: Sequence[int], rounds: Sequence[int], element: Callable[[int, int], int], before: int = 1
) -> tuple[int, int]:
    """Requests and sectors of a load in an unrolled loop. There is one copy for each of `copies`, the number of rounds
    that it does at a time, and one in front, which does single rounds until a multiple of `before` is left. `rounds`:
    those of each lane of each warp; `element(lane, round)`: the 4-byte element that it loads."""
    requests = sectors = 0
    for warp in range(0, len(rounds), 32):
        lanes = range(warp, min(warp + 32, len(rounds)))
        done = dict.fromkeys(lanes, 0)
        for size, multiple in [(1, before), *((size, 0) for size in copies)]:

            def goes_on(lane: int, size: int = size, multiple: int = multiple, done: dict[int, int] = done) -> bool:
                left = rounds[lane] - done[lane]
                return left % multiple > 0 if multiple else left >= size

            while here := list(filter(goes_on, lanes)):
                requests += size
                for k in range(size):
                    sectors += len({element(lane, done[lane] + k) // 8 for lane in here})
                done.update((lane, done[lane] + size) for lane in here)
    return requests, sectors


def only(kernel: str) -> counts.Compared:
    (launch,) = (launch for launch in counts.compared() if launch.kernel == kernel)
    return launch


def optimized(kernel: str) -> tuple[int, ...]:
    return tuple(only(kernel).gpu("optimized", column) for column in counts.GLOBAL_LOADS)


def test_loops_are_rolled_out_as_the_reasons_say() -> None:
    strided = [len(range(first, 500, 128)) for first in range(128)]
    assert optimized("copy_grid_stride") == rolled_out((4, 1), strided, lambda lane, k: lane + 128 * k)
    differently = [lane % 4 + 1 for lane in range(256)]
    assert optimized("lanes_loop_differently") == rolled_out((4, 2, 1), differently, lambda lane, k: 4 * lane + k)
    starts = kernels.read("access/csr_rows.cu").launches[""]["args"][0]
    lengths = [int(n) for n in np.diff(starts)]
    loop = rolled_out((16, 8, 4), lengths, lambda lane, k: int(starts[lane]) + k, before=4)
    # Both ends of the row are loaded once; the second lies one element further: 5 sectors a warp.
    assert optimized("csr_rows") == (loop[0] + 4 + 4, loop[1] + 4 * 4 + 4 * 5)
    copies = {kernel: only(kernel).rows["optimized"]["sass"].split("; ")[0] for kernel in LOADS_IN_COPIES}
    assert copies == {kernel: f"LDG.E {loads}" for kernel, loads in LOADS_IN_COPIES.items()}


LOADS_IN_COPIES = {"copy_grid_stride": 4 + 1, "lanes_loop_differently": 4 + 2 + 1, "csr_rows": 2 + 1 + 16 + 8 + 4}


def test_the_debug_build_differs_by_as_much_as_the_reasons_say() -> None:
    found = [launch for launch in counts.compared() if launch.unequal("debug")]
    for launch in found:
        more = {column: launch.gpu("debug", column) - launch.emulator[column] for column in launch.unequal("debug")}
        if launch.kernel in ("copy_float2", "shared_float2"):  # twice as many requests, each over as many sectors
            assert all(more[column] == launch.emulator[column] for column in counts.GLOBAL)
        elif launch.kernel.startswith("constant_"):  # one more load for each that there is, of one sector
            assert more == dict.fromkeys(counts.GLOBAL_LOADS, launch.emulator["global_load_requests"])
        elif launch.kernel == "shared_float4_broadcast":
            assert more["shared_load_wavefronts"] == launch.emulator["shared_load_wavefronts"]
        else:
            assert launch.kernel == "atomic_ticket"
    assert len({launch.kernel for launch in found}) == 6


#: Bytes of an element, and the accesses that move one.
ELEMENTS = {
    "copy_uchar": (1, 1),
    "copy_short": (2, 1),
    "copy_uchar3": (3, 3),
    "copy_char4": (4, 1),
    "copy_double": (8, 1),
    "copy_float2": (8, 1),
    "copy_float3": (12, 3),
    "copy_float4": (16, 1),
    "copy_double2": (16, 1),
}


@pytest.mark.parametrize("kernel", ELEMENTS)
def test_elements_of_every_width_are_counted_as_the_gpu_moves_them(kernel: str) -> None:
    size, accesses = ELEMENTS[kernel]
    # 8 warps; each access of a warp touches every sector of its 32 elements.
    expected = 2 * (8 * accesses, 8 * accesses * size)
    found = only(kernel)
    assert tuple(found.emulator[column] for column in counts.GLOBAL) == expected
    for build in {"optimized", "optimized" if kernel == "copy_float2" else "debug"}:
        assert tuple(found.gpu(build, column) for column in counts.GLOBAL) == expected
    counted = kernels.counts(f"access/{kernel}.cu")
    assert counted.global_loads == counted.global_stores == 256 * accesses
