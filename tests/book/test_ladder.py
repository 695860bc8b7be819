"""The ladder of matrix products: is every rung right and clean at every size, and does the tuner keep it so?"""

import dataclasses
import itertools
import re

import inputs
import numpy as np
import pytest
from gemm_rungs import FOLDER, RUNGS, Rung

from autograder import GraderFault, Kernel, Kind, UsageError
from autograder.commands import tune
from autograder.core.run import Run, TimedRun
from autograder.nvrtc import compiler as nvrtc
from autograder.source.text import ALLOWED_HEADERS

pytestmark = inputs.book

#: Rows, columns and depth of a product: one element, each of the three alone 1, or alone more than 1; less than a tile,
#: a tile, a bit more, and lopsided ones; whole tiles whose rows, and whose K, are no multiples of 4.
SIZES = [
    *((1, 1, 1), (1, 130, 9), (131, 1, 9), (129, 257, 1), (1, 1, 40), (1, 130, 1), (131, 1, 1)),
    *((32, 32, 32), (33, 33, 33), (7, 130, 17), (131, 260, 24), (130, 257, 17), (130, 260, 19)),
]
PIPELINE = "cuda_pipeline.h" in ALLOWED_HEADERS
BY_NAME = {rung.name: rung for rung in RUNGS}


def product(rung, rows, cols, depth, m=8):
    rng = np.random.default_rng(1)
    a, b = rng.integers(0, 10, (rows, depth)).astype(np.float32), rng.integers(0, 10, (depth, cols)).astype(np.float32)
    args = [a, b, np.full((rows, cols), np.nan, np.float32), rows, cols, depth]
    return Kernel(rung.source, rung.name).emulate(args=args, **rung.launch(rows, cols, m)), a @ b


def needs_pipeline(rung):
    if "cuda_pipeline.h" in rung.source and not PIPELINE:
        pytest.skip("the emulator has no <cuda_pipeline.h>")


def test_there_is_a_whole_ladder():
    assert [rung.file[:2] for rung in RUNGS] == [f"{i:02}" for i in range(1, 12)]


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("rung", RUNGS, ids=lambda rung: rung.file)
def test_a_rung_is_right_and_clean(rung, size):
    needs_pipeline(rung)
    run, want = product(rung, *size)
    assert run.findings == ()
    np.testing.assert_array_equal(run.outputs[2], want)  # whole numbers: exact in any order


@pytest.mark.parametrize("m", [1, 4, 16, 32])
@pytest.mark.parametrize("rung", [rung for rung in RUNGS if rung.has_m], ids=lambda rung: rung.file)
def test_a_rung_that_leaves_the_block_to_the_launch_is_right_with_others(rung, m):
    run, want = product(rung, 33, 34, 35, m)
    assert run.findings == ()
    np.testing.assert_array_equal(run.outputs[2], want)


def test_the_last_band_of_tiles_may_be_lower():
    rung = RUNGS[-1]
    sizes = tune.sizes_in(rung.source)
    rows = sizes["BM"] * sizes["BAND"] + 40
    run, want = product(rung, rows, sizes["BN"] + 3, 1)
    assert run.findings == ()
    np.testing.assert_array_equal(run.outputs[2], want)


@pytest.mark.parametrize("rung", RUNGS, ids=lambda rung: rung.file)
def test_a_rung_is_plain_cuda(rung):
    assert not re.search(r"\basm\b|\bw?mma\b", rung.source), "no assembly, and no tensor cores"


WAIT = re.compile(r"__syncthreads\(\);|__pipeline_wait_prior\([^)]*\);")
#: With three buffers the tuned kernel, too, has copies under way behind its last phase.
TEXTS = {rung.name: rung.source.replace("STAGES = 2;", "STAGES = 3;") for rung in RUNGS}


@pytest.mark.parametrize(
    ("rung", "number"),
    [(rung, number) for rung in RUNGS[7:] for number in range(len(WAIT.findall(rung.source)))],
    ids=lambda value: value.file if isinstance(value, Rung) else str(value),
)
def test_without_any_one_of_its_waits_a_buffered_rung_has_a_race(rung, number):
    needs_pipeline(rung)
    count = itertools.count()
    text = WAIT.sub(lambda match: "" if next(count) == number else match[0], TEXTS[rung.name])
    less = dataclasses.replace(rung, source=text)
    # A tile at the edge; then a whole tile with a rest of K behind 2 and behind 3 phases.
    for size in ((40, 70, 24), (128, 256, 20), (128, 256, 28)):
        if Kind.RACE in {finding.kind for finding in product(less, *size)[0].findings}:
            return
    pytest.fail("the emulator finds no race")


@pytest.mark.parametrize("rung", [rung for rung in RUNGS if rung.file > "05"], ids=lambda rung: rung.file)
def test_shared_memory_has_no_conflicts_in_whole_tiles(rung):
    needs_pipeline(rung)
    counts = product(rung, 128, 256, 16)[0].counts
    assert counts.shared_load_conflicts == counts.shared_store_conflicts == 0


@pytest.mark.parametrize(("lower", "higher"), [("gemm_simple", "gemm_tiled"), ("gemm_1x2", "gemm_2x2")])
def test_a_higher_rung_loads_less(lower, higher):
    few, many = (product(BY_NAME[name], 64, 64, 32)[0].counts.global_loads for name in (higher, lower))
    assert few < many


@pytest.mark.skipif(nvrtc.problem() is not None, reason=str(nvrtc.problem()))
@pytest.mark.parametrize("rung", RUNGS[4:], ids=lambda rung: rung.file)
def test_on_hopper_no_rung_needs_more_registers_than_there_are(rung):
    if "cuda_pipeline.h" in rung.source and not any((f / "cuda_pipeline.h").is_file() for f in nvrtc.header_folders()):
        pytest.skip("CUDA's own headers are not here")
    result = nvrtc.compile_for(rung.source, rung.name, "sm_90")
    assert result.ok, result.log
    assert result.local <= 32, "an array that is indexed at run time, or many spills"


class TestTuning:
    SOURCE = (FOLDER / "11_tuned.cu").read_text()

    def test_the_sizes_of_the_text_are_among_those_that_fit(self):
        sizes = tune.sizes_in(self.SOURCE)
        assert set(sizes) == {"BM", "BN", "WARPS_M", "WARPS_N", *tune.STEPS}
        assert tune.fits(sizes)

    def test_other_sizes_go_in_and_come_out(self):
        (other, *_) = tune.neighbors(tune.sizes_in(self.SOURCE))
        assert tune.sizes_in(tune.with_sizes(self.SOURCE, other)) == other
        with pytest.raises(GraderFault, match="NONE 0 times"):
            tune.with_sizes(self.SOURCE, {"NONE": 1})

    @pytest.mark.skipif(not PIPELINE, reason="the emulator has no <cuda_pipeline.h>")
    @pytest.mark.parametrize(
        "change", [{}, {"STAGES": 3, "LANES_M": 8}, {"BM": 64, "BN": 64, "WARPS_M": 1, "WARPS_N": 2}]
    )
    def test_the_kernel_is_right_and_clean_with_other_sizes(self, change):
        sizes = {**tune.sizes_in(self.SOURCE), "UNROLL": 1, **change}
        assert tune.fits(sizes)
        rng = np.random.default_rng(1)
        a, b = rng.integers(0, 10, (130, 20)).astype(np.float32), rng.integers(0, 10, (20, 260)).astype(np.float32)
        kernel = Kernel(tune.with_sizes(self.SOURCE, sizes), "gemm_tuned")
        args = [a, b, np.full((130, 260), np.nan, np.float32), 130, 260, 20]
        run = kernel.emulate(args=args, **tune.launch_words(sizes, 130, 260))
        assert run.findings == ()
        np.testing.assert_array_equal(run.outputs[2], a @ b)

    def test_every_candidate_fits(self):
        starts = list(tune.coarse())
        assert 20 < len(starts) < 60 and all(map(tune.fits, starts))
        assert not tune.fits({**starts[0], "WARPS_M": 32})

    def test_the_search_walks_down_to_the_cheapest(self):
        costs = {0: 5.0, 1: 4.0, 2: 3.0, 3: 3.5, 9: 1.0}
        found = tune.search([{"x": 0}], lambda s: [{"x": s["x"] + 1}] if s["x"] < 3 else [], lambda s: costs[s["x"]])
        assert found == [(3.0, {"x": 2}), (3.5, {"x": 3}), (4.0, {"x": 1}), (5.0, {"x": 0})]

    def test_what_is_wrong_does_not_win(self):
        # By the sizes in the text: the right ones are slow, and smaller tiles fast and wrong.
        def time(launches, repeats):
            wrong = tune.sizes_in(launches[0].source)["BM"] < 128
            out = (launches[0].args[0] @ launches[0].args[1]) * (2 if wrong else 1)
            run = Run((*launches[0].args[:2], out), backend="GPU")
            return (TimedRun(run, (1.0 if wrong else 4.0,) * repeats),)

        def library(launches, repeats):
            run = Run((*launches[0].args[:2], launches[0].args[0] @ launches[0].args[1]), backend="GPU")
            return (TimedRun(run, (2.0,) * repeats),)

        best, *_ = tune.tune_gemm(self.SOURCE, 256, time, library, restart=lambda: None, say=lambda line: None)
        assert best["BM"] >= 128 and best["percent_of_cublas"] == "50.0"

    def test_what_is_fast_only_once_does_not_win(self):
        # One candidate is the fastest in the search, and slow whenever it is loaded again.
        loads, fastest = [], list(tune.coarse())[3]

        def time(launches, repeats):
            fickle = tune.sizes_in(launches[0].source) == fastest
            run = Run((*launches[0].args[:2], launches[0].args[0] @ launches[0].args[1]), backend="GPU")
            return (TimedRun(run, ((9.0 if loads else 1.0) if fickle else 2.0,) * repeats),)

        best, *others = tune.tune_gemm(
            self.SOURCE, 256, time, time, restart=lambda: loads.append(1), say=lambda line: None
        )
        assert best["slowest_ms"] == best["median_ms"] == "2.0000"
        assert others[-1]["slowest_ms"] == "9.0000" and fastest.items() <= others[-1].items()

    def test_bad_input_is_one_sentence(self, tmp_path, monkeypatch):
        import argparse

        monkeypatch.chdir(tmp_path)
        parser = argparse.ArgumentParser()
        tune.add_command(parser.add_subparsers())
        for arguments, said in (
            (["tune", "gemm", "--n", "3"], "at least 256"),
            (["tune", "gemm"], "course's repository"),
        ):
            options = parser.parse_args(arguments)
            with pytest.raises(UsageError, match=said):
                options.command(options)
