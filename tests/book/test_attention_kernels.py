"""Do the kernels on attention compute what numpy computes in FP64, whatever the length and however large the scores?"""

import inputs
import numpy as np
import pytest
from course_book import kernels

pytestmark = inputs.emulation_of_kernels

#: The largest difference: scores of some hundred, rounded to FP32; weights and results that are rounded to FP16.
MOST = {"float32": 1e-4, "float16": 2e-3}


def softmax(scores: np.ndarray) -> np.ndarray:
    weights: np.ndarray = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights


def scores(q: np.ndarray, k: np.ndarray) -> np.ndarray:
    return q.astype(np.float64) @ k.swapaxes(-1, -2).astype(np.float64) / 8


def run(file: str, *args: np.ndarray | int, **launch: object) -> np.ndarray:
    """The last array of the launch, which is the result."""
    kernel = kernels.read(f"attention/{file}.cu")
    kernel.launch.update(args=[*args], **launch)
    done = kernel.emulate()
    assert not done.findings and done.completed
    return done.outputs[-1].astype(np.float64)


@pytest.mark.parametrize(("rows", "n"), [(1, 1), (5, 31), (9, 33), (4, 300)])
@pytest.mark.parametrize("file", ["01_softmax", "02_softmax_online"])
def test_softmax_of_rows(file: str, rows: int, n: int) -> None:
    for times in (1, 100):  # of 100 and more, exp alone is infinite
        x = times * kernels.normal("float32", rows, n)
        found = run(file, x, kernels.empty(rows, n), rows, n, grid=-(-rows // 4))
        np.testing.assert_allclose(found, softmax(x.astype(np.float64)), rtol=0, atol=1e-5)


@pytest.mark.parametrize("n", [1, 65, 130])
def test_attention_in_three_launches(n: int) -> None:
    q, k, v = kernels.normal("float32", 3, 2, n, 64)
    tiles = -(-n // 64)
    s = run("03_scores", q, k, kernels.empty(2, n, n), n, grid=(tiles, tiles, 2))
    np.testing.assert_allclose(s, scores(q, k), rtol=0, atol=1e-5)
    p = run("02_softmax_online", s.astype(np.float32), kernels.empty(2, n, n), 2 * n, n, grid=-(-2 * n // 4))
    o = run("03_values", p.astype(np.float32), v, kernels.empty(2, n, 64), n, grid=(tiles, 2))
    np.testing.assert_allclose(o, softmax(scores(q, k)) @ v, rtol=0, atol=1e-5)


@pytest.mark.parametrize("n", [1, 17, 64, 65, 130])
@pytest.mark.parametrize(("file", "kind"), [("04_fused", "float32"), ("05_mma", "float16"), ("06_async", "float16")])
def test_attention_in_one_launch(file: str, kind: str, n: int) -> None:
    q, k, v = kernels.normal(kind, 3, 2, n, 64)
    q *= np.array([[[1]], [[30]]], kind)  # of the second head, exp alone is infinite
    found = run(file, q, k, v, np.full_like(q, np.nan), n, grid=(-(-n // 64), 2))
    np.testing.assert_allclose(found, softmax(scores(q, k)) @ v, rtol=0, atol=MOST[kind])


def test_scores_that_stay_where_they_are_save_traffic() -> None:
    """At the size of their launch lines, two heads of 100."""
    parts = [kernels.counts(f"attention/{file}.cu") for file in ("03_scores", "03_values")]
    fused = kernels.counts("attention/04_fused.cu")
    assert sum(part.global_store_sectors for part in parts) > 2 * fused.global_store_sectors


@pytest.mark.parametrize("file", ["03_scores", "03_values", "04_fused", "05_mma", "06_async"])
def test_no_tile_has_bank_conflicts(file: str) -> None:
    counts = kernels.counts(f"attention/{file}.cu")
    assert (counts.shared_load_conflicts, counts.shared_store_conflicts) == (0, 0)
