"""Does a `%%values` cell compute what it says, and refuse everything that is not arithmetic?"""

import tracemalloc
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest
from cpu_limit import cpu_limit

from autograder.cuda.errors import UsageError
from autograder.exercises.declarations.values import MAX_INT, MAX_LINE, MAX_TEXT, Number, ceil_div, parse_values
from autograder.exercises.report import describe_values_problem
from autograder.exercises.values_problem import ValuesProblem, Wrong

SIZES = {"n": 100, "m": 16}


def value(expression: str, sizes: Mapping[str, Any] = SIZES) -> Number | tuple[Number, ...]:
    return parse_values(f"x = {expression}", ["x"], list(sizes)).evaluate(sizes)["x"]


def refusal(text: str, words: Sequence[str] = ("x",), sizes: Mapping[str, int] = SIZES) -> str:
    with pytest.raises(UsageError) as caught:
        parse_values(text, words, list(sizes)).evaluate(sizes)
    message = str(caught.value)
    assert "\n" not in message
    assert message.endswith(".")
    assert len(message) < 200
    return message


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("3", 3),
        ("2.5", 2.5),
        ("1e3", 1000.0),
        ("1_000", 1000),
        ("0x10", 16),
        ("n", 100),
        ("-n", -100),
        ("+n", 100),
        ("--n", 100),
        ("n + m", 116),
        ("n - m", 84),
        ("2 * m * m * 4", 2048),
        ("n / 4", 25),
        ("n / 8", 12.5),
        ("n // 8", 12),
        ("-n // 8", -13),
        ("n % m", 4),
        ("2 ** 10", 1024),
        ("2 ** -1", 0.5),
        ("-2 ** 2", -4),
        ("2 ** 3 ** 2", 512),
        ("4 ** 0.5", 2.0),
        ("(n + m - 1) // m", 7),
        ("1 + 2 * 3", 7),
        ("ceil_div(n, m)", 7),
        ("ceil_div(n, 10)", 10),
        ("min(n, m)", 16),
        ("max(n, m, 200.5)", 200.5),
        ("min(max(n, 1), ceil_div(m, 3))", 6),
        ("n, m", (100, 16)),
        ("n, m, 1", (100, 16, 1)),
        ("(n, m)", (100, 16)),
        ("n,", (100,)),
        ("2 ** 63 - 1 - 0", None),
        (str(MAX_INT), MAX_INT),
        ("n # + 1", 100),
    ],
)
def test_arithmetic_is_pythons_and_division_stays_an_int_where_it_is_exact(expression: str, expected: Number) -> None:
    if expected is None:
        assert "larger than 2**63 - 1" in refusal(f"x = {expression}")
        return
    got = value(expression)
    assert got == expected
    assert type(got) is type(expected)


def test_a_cell_gives_every_word() -> None:
    text = (
        "# my launch\n\ngrid = ceil_div(n, m), ceil_div(n, m)\r\n  block=m,m  # threads\nshared_mem = 2 * m * m * 4\n"
    )
    values = parse_values(text, ["grid", "block", "shared_mem"], ["n", "m"])
    assert values.evaluate({"n": 100, "m": 16}) == {"grid": (7, 7), "block": (16, 16), "shared_mem": 2048}
    assert values.evaluate({"n": 1, "m": 8}) == {"grid": (1, 1), "block": (8, 8), "shared_mem": 512}


def test_numpy_sizes_do_not_wrap_around() -> None:
    got = value("n * n", {"n": np.int32(2**20)})
    assert got == 2**40
    assert type(got) is int


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = k", "Line 1: k is not known here; you may use n, m."),
        ("\n# a\nx = n + k", "Line 3: k is not known here"),
        ("x = X", "X is not known here"),
        ("x = é", "é is not known here"),
        ("y = 1", "Line 1: 'y' is not a word of this cell: it takes x."),
        ("n = 1", "'n' is not a word of this cell"),
        ("x 1", "Line 1: there is no = in the line: write it as x = expression."),
        ("x =", "Line 1: x has no value"),
        ("x = # 1", "x has no value"),
        ("x == 1", "'= 1' is not an arithmetic expression"),
        ("x = 1\n\nx = 2", "Line 3: x is here twice (first in line 1): keep one of them."),
        ("", "The cell is empty: write a line such as x = 1"),
        (" \n# x = 1\n", "The cell is empty"),
        ("x = 1; x = 2", "is not an arithmetic expression"),
        ("x = 1, 2, 3, 4", "x has 4 values: write one, two or three."),
        ("x = ()", "x has 0 values"),
        ("x = (1, (2, 3))", "(2, 3) is not allowed here"),
        ("x = n m", "'n m' is not an arithmetic expression: check its signs and parentheses."),
        ("x = n;", "Line 1: leave out the ; at the end: the lines of this cell are not C++."),
        ("x = (n", "is not an arithmetic expression"),
        ("x = *n", "is not an arithmetic expression"),
        ("x = y := 3", "is not an arithmetic expression"),
        ("x = (y := 3)", "y := 3 is not allowed here"),
        ("x = n\x00", "is not an arithmetic expression"),
        ("x = n\ud800", "is not an arithmetic expression"),
        ("x = 1 / 0", "Line 1: 1 is divided by zero."),
        ("x = n // (m - 16)", "100 is divided by zero."),
        ("x = n % 0.0", "100 is divided by zero."),
        ("x = 0 ** -1", "0 has no power -1"),
        ("x = (-8) ** 0.5", "-8 has no real power 0.5."),
        ("x = ceil_div(n, 0)", "Line 1: ceil_div(100, 0) divides by zero"),
        ("x = ceil_div(n, 2.5)", "ceil_div(100, 2.5) takes two integers"),
        ("x = ceil_div(n)", "ceil_div takes two numbers."),
        ("x = ceil_div(n, m, 1)", "ceil_div takes two numbers."),
        ("x = min(n)", "min takes two or more numbers."),
        ("x = max(n, m, key=n)", "max takes two or more numbers."),
        ("x = min(*n, *m)", "*n is not allowed here"),
        ("x = ceil_div", "ceil_div is not known here"),
        ("x = sum(n, m)", "sum cannot be called here: use only ceil_div, min, max."),
        ("x = n(1)", "n cannot be called here"),
        ("x = n.real", "n.real is not allowed here: use numbers, names, + - * / // % ** and parentheses."),
        ("x = n.bit_length()", "n.bit_length cannot be called here"),
        ("x = n[0]", "n[0] is not allowed here"),
        ("x = '3'", "'3' is not allowed here"),
        ("x = b'3'", "b'3' is not allowed here"),
        ("x = f'{n}'", "is not allowed here"),
        ("x = True", "True is not allowed here"),
        ("x = None", "None is not allowed here"),
        ("x = ...", "... is not allowed here"),
        ("x = 2j", "2j is not allowed here"),
        ("x = n < m", "n < m is not allowed here"),
        ("x = n and m", "n and m is not allowed here"),
        ("x = not n", "not n is not allowed here"),
        ("x = ~n", "~n is not allowed here"),
        ("x = n << 3", "n << 3 is not allowed here"),
        ("x = n @ m", "n @ m is not allowed here"),
        ("x = n if m else 1", "n if m else 1 is not allowed here"),
        ("x = [1, 2]", "[1, 2] is not allowed here"),
        ("x = {1: 2}", "{1: 2} is not allowed here"),
        ("x = [i for i in n]", "is not allowed here"),
        ("x = lambda: 1", "lambda: 1 is not allowed here"),
        ("x = (lambda: 1)()", "lambda: 1 cannot be called here"),
        ("x = await n", "is not allowed here"),
        ("x = (yield)", "yield is not allowed here"),
        ("x = __import__('os').system('id')", "cannot be called here"),
        ("x = ().__class__.__bases__[0].__subclasses__()", "cannot be called here"),
        ("x = 1 if 1else 2", "is not allowed here"),
    ],
)
def test_what_is_not_arithmetic_gets_one_sentence(text: str, message: str) -> None:
    assert message in refusal(text)


def test_all_missing_words_are_named() -> None:
    words = "block, shared_mem are missing: write a line for each, such as block = 1."
    assert refusal("grid = 1", ("grid", "block", "shared_mem")) == words


def test_without_variables_only_numbers_are_offered() -> None:
    assert refusal("x = n", sizes={}) == "Line 1: n is not known here; write numbers only."


@pytest.mark.parametrize(
    "expression",
    [
        "9 ** 9 ** 9",
        "9 ** 9 ** 9 ** 9",
        "2 ** 63",
        "2 ** 64 ** 64",
        "(2 ** 62) * 2",
        "-(2 ** 62) * 4",
        "10 ** 64 ** 1",
        "2.0 ** 65",
        "(1e18) ** 64",
        "1e300 * 1e300",
        "1e999",
        "1e999 - 1e999",
        str(MAX_INT + 1),
        "9" * (MAX_LINE - 20),
        "n ** (0 - 1000000)",
        "(9 ** 18) ** 64",
    ],
)
def test_numbers_stay_small_and_nothing_hangs(expression: str) -> None:
    tracemalloc.start()
    with cpu_limit():
        assert " large" in refusal(f"x = {expression}")
    assert tracemalloc.get_traced_memory()[1] < 2_000_000
    tracemalloc.stop()


@pytest.mark.parametrize(
    "opening", ["(", "-", "[", "{", "n(", "n[", "min(n, ", "lambda: ", "not ", "2**", "n if n else ", "n."]
)
def test_deep_nesting_is_one_sentence_whatever_the_depth(opening: str) -> None:
    for length in (50, 150, MAX_LINE - 10, 5000):
        for closing in ("", "n", "n" + {"(": ")", "[": "]", "{": "}"}.get(opening[-1], "") * 300):
            text = f"x = {opening * (length // len(opening))}{closing}"[: max(length, 20)]
            try:
                got = parse_values(text, ["x"], ["n"]).evaluate({"n": 1})
            except UsageError as error:
                assert "\n" not in str(error)
                assert len(str(error)) < 200
            else:
                assert opening in ("-", "2**", "(")
                assert isinstance(got["x"], int)


def test_parsing_never_warns() -> None:
    # pytest turns warnings into errors; each of these makes ast.parse warn.
    for expression in ("1or 2", "'\\d'", "1if n else 2", "0x1for x in y"):
        refusal(f"x = {expression}")


@pytest.mark.parametrize("text", ["x" * (MAX_TEXT + 1), "\n" * 10**6, "x = 1\n" * 10**5])
def test_an_endless_cell_is_refused(text: str) -> None:
    assert "characters: write one short line for each of x." in refusal(text)


def test_a_long_line_is_refused() -> None:
    assert f"keep it below {MAX_LINE}" in refusal("x = " + "1+" * MAX_LINE + "1")


def test_parsed_values_are_frozen() -> None:
    values: Any = parse_values("x = 1", ["x"], [])
    with pytest.raises(AttributeError):
        values.other = 1


# ---- ceil_div, which a notebook's contract uses too -----------------------------------------------


@pytest.mark.parametrize("a", [0, 1, 15, 16, 17, 10**18 + 1, -1, -16, -17])
@pytest.mark.parametrize("b", [1, 16, 10**9])
def test_ceil_div_is_the_least_number_of_blocks(a: int, b: int) -> None:
    blocks = ceil_div(a, b)
    assert type(blocks) is int
    assert blocks * b >= a > (blocks - 1) * b


def test_ceil_div_takes_numpys_ints_and_does_not_wrap() -> None:
    assert ceil_div(np.uint8(255), np.uint8(2)) == 128
    assert ceil_div(np.uint64(2**64 - 1), 2) == 2**63
    assert type(ceil_div(np.int32(7), np.int64(2))) is int


@pytest.mark.parametrize(
    ("a", "b", "message"), [(1, 0, "divides by zero"), (1.5, 2, "two integers"), ("4", 2, "two integers")]
)
def test_ceil_div_of_anything_else_is_one_sentence(a: Any, b: int, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        ceil_div(a, b)


@pytest.mark.parametrize("wrong", Wrong)
def test_there_are_words_for_all_that_can_be_wrong(wrong: Wrong) -> None:
    assert describe_values_problem(ValuesProblem(wrong, "x", (1, 2), ("n",), 3)).startswith("Line 3: ")


def test_a_word_may_use_numbers_of_lines_above() -> None:
    cell = parse_values(
        "block = 16\ngrid = ceil_div(n, block), 2\nshared_mem = 4 * block", ["grid", "block", "shared_mem"], ["n"]
    )
    assert cell.evaluate({"n": 100}) == {"block": 16, "grid": (7, 2), "shared_mem": 64}
    assert "grid is not known here" in refusal("grid = 1, 2\nx = grid", ("grid", "x"))
    assert "y is not known here" in refusal("x = y\ny = 1", ("x", "y"))


def test_of_one_word_alone_the_lines_of_others_may_be_wrong() -> None:
    words = ["x", "y"]
    for text in ("x = 1 +\ny = n", "x = 1 // 0\ny = n", "y = n"):
        assert parse_values(text, words, ["n"], "y").evaluate({"n": 100}, "y")["y"] == 100
        with pytest.raises(UsageError):
            parse_values(text, words, ["n"], "x").evaluate({"n": 100}, "x")
    with pytest.raises(UsageError, match="Line 2: x has no value"):
        parse_values("x = 1 // 0\ny = x", words, ["n"], "y").evaluate({"n": 100}, "y")


@pytest.mark.parametrize("text", ["x = 2n", "x = 2 n", "x = (n + 1) n"])
def test_a_product_without_its_sign(text: str) -> None:
    assert "lacks the sign of a product" in refusal(text)
