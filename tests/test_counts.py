"""Does the emulator count as Nsight Compute counts, except where the book says why not?"""

import csv
import sys
from dataclasses import replace
from pathlib import Path

import pytest

BOOK = Path(__file__).parents[1] / "book"
sys.path.insert(0, str(BOOK / "_ext"))

from course_book import counts, kernels  # noqa: E402

KERNELS = {launch.kernel for launch in counts.compared()}


def test_at_least_40_kernels_are_compared():
    assert len(KERNELS) >= 44
    assert {path.stem for path in (kernels.FOLDER / "access").glob("*.cu")} == KERNELS


@pytest.mark.parametrize("build", counts.BUILDS)
def test_the_emulator_differs_exactly_where_a_reason_is_given(build):
    assert counts.unequal(build) == counts.explained(build)


@pytest.mark.parametrize("build", counts.BUILDS)
def test_every_difference_is_given_once(build):
    places = [
        (kernel, column)
        for difference in counts.DIFFERENCES
        if build in difference.builds
        for kernel in difference.kernels
        for column in difference.columns
    ]
    assert len(places) == len(set(places))


def test_global_memory_is_counted_as_the_optimised_build_does_for_nearly_all_kernels():
    assert len(counts.unequal("optimised", counts.GLOBAL)) / len(KERNELS) <= 0.1


def test_bank_conflicts_are_counted_as_the_debug_build_does():
    conflicts = ("shared_load_conflicts", "shared_store_conflicts")
    assert set(counts.unequal("debug", conflicts)) <= {"shared_float2"}


def test_atomics_are_counted_as_the_debug_build_does():
    assert not counts.unequal("debug", counts.ATOMICS)
    updates = [one for one in counts.compared() if one.emulator["global_atomic_requests"]]
    assert len({one.emulator["global_atomic_sectors"] / one.emulator["global_atomic_requests"] for one in updates}) > 3
    assert {one.emulator["shared_atomic_conflicts"] for one in counts.compared()} >= {0, 4, 28, 124}


def test_a_wrong_count_would_be_seen(monkeypatch):
    first = next(one for one in counts.compared() if one.kernel == "copy_strided")
    wrong = replace(first, emulator={**first.emulator, "global_load_sectors": 31})
    monkeypatch.setattr(counts, "compared", lambda: (wrong,))
    assert counts.unequal("debug") == {"copy_strided": {"global_load_sectors"}}


def test_a_launch_that_was_not_measured_is_refused(tmp_path, monkeypatch):
    lines = counts.FILE.read_text().splitlines(keepends=True)
    monkeypatch.setattr(counts, "FILE", tmp_path / "counts.csv")
    counts.FILE.write_text("".join(line for line in lines if not line.startswith("add_in_place,")))
    with pytest.raises(ValueError, match="no row for add_in_place"):
        counts.compared.__wrapped__()
    counts.FILE.write_text("".join([*lines, lines[-1].replace("volume_3d", "gone")]))
    with pytest.raises(ValueError, match="launches that are gone"):
        counts.compared.__wrapped__()


def test_the_reasons_that_name_an_instruction_are_seen_in_the_machine_code():
    with counts.FILE.open(newline="") as stream:
        sass = {(row["kernel"], row["build"]): row["sass"].split("; ") for row in csv.DictReader(stream)}
    assert "LD.E 2" in sass["copy_float2", "debug"] and "LDG.E.64 1" in sass["copy_float2", "optimised"]
    for kernel in ("gemm_tiled_16", "gemm_tiled_32", "gemm_1x2", "gemm_tile_transposed", "shared_neighbours_merged"):
        assert any(code.startswith("LDS.128 ") for code in sass[kernel, "optimised"]), kernel
    for kernel in ("constant_uniform", "constant_per_lane", "loads_merged", "device_table"):
        assert "LDG.E 1" in sass[kernel, "optimised"], kernel  # of `in` alone
    assert "LD.E 2" in sass["constant_per_lane", "debug"]  # of `in` and of the constant
    assert {code.split()[0] for code in sass["scan_blelloch", "optimised"]} >= {"LDS.64", "STS.64"}
    assert "LD.E.128 2" in sass["shared_float4_broadcast", "debug"]
    assert "LDS.128 1" in sass["shared_float4_broadcast", "optimised"]
    assert "ATOMS.POPC.INC.32 1" in sass["histogram_shared", "optimised"]
