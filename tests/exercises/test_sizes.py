"""Domains and what is drawn from them: is it inside, of every kind, small, and the same in every process?"""

import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from autograder.cuda.core.setting import Size
from autograder.exercises.declarations.domain import Domain, checked_domain, one_of, outside, power_of_two, whole
from autograder.exercises.declarations.draw import KINDS, Draw
from autograder.exercises.declarations.sizes import complete, draw_others, kinds_of, with_data

DOMAINS: dict[str, Mapping[str, Any]] = {
    "line": {"n": whole(1, 5000), "block": whole(16, 1024, by=16)},
    "block": {"n": whole(1, "block"), "block": power_of_two(1, 1024)},
    "grid": {"n": whole(1, 3000), "grid": whole(1, 8), "block": whole(32, 1024, by=32)},
    "matrix": {"M": whole(1, 140), "N": whole(4, 140, by=4), "m": one_of((8, 4), (32, 8))},
}
each_domain = pytest.mark.parametrize("name", DOMAINS)


def test_a_range_has_its_ends_and_its_steps() -> None:
    assert whole(4, 12, by=4).values({}) == range(4, 13, 4)
    assert [n for n in range(9) if whole(1, "block", by=2).has(n, {"block": 6})] == [1, 3, 5]
    assert power_of_two(2, 9).options == (2, 4, 8)
    assert not whole(1, 8).has(2.0, {}) and not one_of(3, 4).has(5, {})


def of(name: str) -> Domain:
    return with_data(checked_domain(name, DOMAINS[name]))


def kinds(domain: Domain, sizes: Sequence[Size]) -> frozenset[str]:
    return frozenset[str]().union(*(kinds_of(size, domain) for size in sizes))


@each_domain
def test_what_is_shown_is_in_the_domain_and_of_every_kind(name: str) -> None:
    shown = complete(name, of(name))
    assert [outside(of(name), size) for size in shown] == [""] * len(shown)
    assert {f"data is {kind}" for kind in KINDS} | {"all are large", "all are large and uneven"} <= kinds(
        of(name), shown
    )


@each_domain
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_what_is_hidden_is_other_than_what_is_shown_but_of_no_other_kind(name: str, seed: int) -> None:
    shown = complete(name, of(name))
    hidden = draw_others(name, of(name), shown, seed)
    assert [outside(of(name), size) for size in hidden] == [""] * len(hidden)
    assert not [size for size in hidden if size in shown]
    assert kinds(of(name), hidden) <= kinds(of(name), shown)
    assert {f"data is {kind}" for kind in KINDS} <= kinds(of(name), hidden)


def test_what_an_author_has_listed_is_completed() -> None:
    shown = complete("line", of("line"))
    assert complete("line", of("line"), shown) == shown
    listed = ({"n": 1000, "block": 256}, {"n": 1, "block": 32})
    longer = complete("line", of("line"), listed)
    assert longer[:2] == listed and len(longer) < len(shown) + 2


def test_the_kinds_that_wrong_kernels_ask_for() -> None:
    domain = checked_domain("line", DOMAINS["line"])
    assert {"block = n", "n is beyond 127", "n has whole warps"} <= kinds_of({"n": 128, "block": 128}, domain)
    assert {"block < n", "n is one more than a multiple of block"} <= kinds_of({"n": 97, "block": 48}, domain)
    assert {"block > n", "n is least", "block is greatest"} <= kinds_of({"n": 1, "block": 1024}, domain)
    assert "n = block, in one warp" in kinds_of({"n": 16, "block": 16}, domain)
    assert "block is nearly greatest" in kinds_of({"n": 1, "block": 1008}, domain)
    block = checked_domain("block", {"n": whole(1, "block"), "block": whole(1, 1024)})
    power = "n = block, one more than a power of two"
    assert [n for n in range(1, 70) if power in kinds_of({"n": n, "block": n}, block)] == [33, 65]
    grid = checked_domain("grid", DOMAINS["grid"])
    assert "grid * block < n" in kinds_of({"n": 2000, "grid": 2, "block": 64}, grid)
    assert "n is more than three times block" in kinds_of({"n": 2000, "grid": 2, "block": 64}, grid)


def test_a_thread_has_more_to_count_than_fits_a_byte_and_a_block_less_threads_than_there_are_blocks() -> None:
    """Where the domain has such sizes, they come: with data of which much is counted, and enough of it for all."""
    domain = with_data(checked_domain("x", dict(n=whole(1, 20_000), grid=whole(1, 128), block=whole(32, 256, by=32))))
    shown = complete("x", domain)
    deep = [size for size in shown if size["n"] > 500 * size["grid"] * size["block"]]
    assert {"any", "equal"} <= {size["data"] for size in deep}
    many = [size for size in shown if size["grid"] > 3 * size["block"]]
    assert any(size["n"] >= size["grid"] * size["block"] for size in many)
    assert not any(kind.startswith("deep") for kind in kinds(domain, [{"n": 9, "grid": 1, "block": 32}]))


def test_a_place_in_a_matrix_is_beyond_a_type_though_its_sides_are_not() -> None:
    sides = {"M": whole(1, 200), "N": whole(4, 200, by=4), "part": whole(1, "M"), "block": whole(1, 1024)}
    sides["n"] = whole(1, 5000)
    domain = with_data(checked_domain("matrix", sides))
    shown = complete("matrix", domain)
    for sizes in (shown, draw_others("matrix", domain, shown, 1)):
        wide = [size for size in sizes if "M * N is beyond 32767" in kinds_of(size, domain)]
        assert wide
        assert all((size["M"] - 1) * size["N"] > 32767 < size["M"] * (size["N"] - 1) for size in wide)
        assert min(size["M"] * size["N"] for size in wide) < 34000  # few launches are as large as that
    only_its_end = {"M": 164, "N": 200, "K": 1, "part": 1, "n": 1, "block": 1}
    assert "M * N is beyond 32767" not in kinds_of(only_its_end, domain)
    words = " ".join(kinds(domain, shown))
    assert "beyond 65535" not in words and "block * " not in words and " * n" not in words and " * part" not in words


def test_the_same_sizes_are_drawn_in_any_process() -> None:
    code = (
        "from autograder.exercises.declarations.domain import whole\n"
        "from autograder.exercises.declarations.sizes import complete\n"
        "print(complete('a', {'n': whole(1, 99)}))"
    )
    reported = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert reported == f"{complete('a', {'n': whole(1, 99)})}\n"


@pytest.mark.parametrize("kind", KINDS)
def test_values_stay_in_their_range_and_fill_it(kind: str) -> None:
    drawn = Draw(np.random.default_rng(1), kind).whole(-5, 5, 2000)
    assert drawn.dtype == np.int32 and drawn.min() >= -5 and drawn.max() <= 5
    requested: dict[str, Callable[[], bool]] = {
        "any": lambda: {*drawn} == {*range(-5, 6)},
        "low": lambda: {*drawn} == {*range(-5, 0)},
        "high": lambda: {*drawn} == {*range(1, 6)},
        "extreme": lambda: {*drawn} == {-5, -4, 0, 4, 5},
        "equal": lambda: len({*drawn}) == 1,
        "skewed": lambda: 1700 < max(map([*drawn].count, range(-5, 6))) < 1900,
    }
    assert requested[kind]()


def test_most_floats_are_zero_where_most_are_the_same() -> None:
    draw = Draw(np.random.default_rng(1), "skewed")
    assert 850 < (draw.real(-2, 2, 1000) == 0).sum() < 950
    assert (draw.real(1, 2, 1000) != 0).all()
    assert sum(draw.real(-2, 2, ()) != 0 for _ in range(100)) > 90  # or it would make all products 0


@pytest.mark.parametrize("high", [1, 2])
def test_where_most_floats_are_zero_a_half_has_no_room_for_some_of_the_others(high: int) -> None:
    draw = Draw(np.random.default_rng(1), "skewed")
    for array in (*draw.real(-high, high, (2, 1000)), Draw(np.random.default_rng(1), "skewed").real(-high, high, 1000)):
        assert (array.astype(np.float16) != array).sum() > 10
        assert array.min() >= -high and array.max() <= high
    half = draw.real(-high, high, 1000, np.float16)
    assert (half * 64 == np.round(half * 64)).all()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rows", [1, 2, 3, 16])
def test_products_of_matrices_are_exact(kind: str, rows: int) -> None:
    draw = Draw(np.random.default_rng(1), kind)
    a, b = draw.real(-2, 2, (rows, 128)), draw.real(-2, 2, (128, 20))
    exact = a.astype(np.float64) @ b.astype(np.float64)
    np.testing.assert_array_equal(exact, exact.astype(np.float32))


@pytest.mark.parametrize("kind", KINDS)
def test_sums_of_products_are_exact_in_any_order(kind: str) -> None:
    a, b = Draw(np.random.default_rng(1), kind).real(-2, 2, (2, 1000))
    assert a.dtype == np.float32 and (a * 2048 == np.round(a * 2048)).all()
    products = a * b
    assert np.cumsum(products)[-1] == np.cumsum(products[::-1])[-1] == float(products.astype(np.float64).sum())


def test_a_shape_of_nothing_gives_a_scalar() -> None:
    draw = Draw(np.random.default_rng(1))
    assert isinstance(draw.whole(1, 9, ()), np.int32) and isinstance(draw.real(1, 9, ()), np.float32)
    assert draw.element_of(np.array([[3], [3]], np.int32)) == 3
    assert 0 < draw.some(0.5, 100).sum() < 100
