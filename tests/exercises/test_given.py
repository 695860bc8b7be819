"""Is an answer still the program that was given?"""

from __future__ import annotations

import pytest

from autograder.exercises.answers.given import first_change

GIVEN = r"""
#define CHECK(call) \
    if (call) exit(1)
int main()
{
    int* x;
    CHECK(cudaMalloc(&x, 4));
    // Place A
    // YOUR CODE HERE
    printf("a // b\n");
}
"""
ADDS = ["CHECK(cudaFree(x));", "if (r > 0)", "if (r > 0) { CHECK(cudaFree(x)); }"]


def changed(old: str, new: str) -> tuple[int, int] | None:
    """Where an answer differs in which `new` stands in place of `old`."""
    assert GIVEN.count(old) == 1
    return first_change(GIVEN, GIVEN.replace(old, new), ADDS)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("", GIVEN),
        ("    // Place A", "    if (r > 0) {\n        CHECK(cudaFree(x));\n    }"),
        ("    // YOUR CODE HERE\n", ""),
        ("    // YOUR CODE HERE", "    CHECK ( cudaFree(\n x) ) ;  /* twice */ if(r>0) CHECK(cudaFree(x));"),
        ("    int* x;", "\tint *x /* a\n pointer */ ; CHECK(cudaFree(x));"),
        ("int main()\n{\n", "int main() {\r\n"),
        ("    // Place A", "    // Place A \\\n    CHECK(cudaMalloc(&y, 4));"),
    ],
)
def test_comments_and_blanks_and_what_may_be_added_change_nothing(old: str, new: str) -> None:
    if old:
        assert changed(old, new) is None
    else:
        assert first_change(GIVEN, new, ADDS) is None


@pytest.mark.parametrize(
    ("old", "new", "where"),
    [
        ("    CHECK(cudaMalloc(&x, 4));\n", "", (7, 9)),
        ("&x, 4", "&x, 8", (7, 7)),
        ("    int* x;", "    int* y;\n    int* x;", (6, 6)),
        ("    // YOUR CODE HERE", "    CHECK(cudaFree(y));", (10, 9)),
        ("    // YOUR CODE HERE", "    cudaFree(x);", (10, 9)),
        ("a // b", "a // c", (10, 10)),
        ("    // Place A", "    // Place A \\\n", None),
        ("    // Place A\n", "    // Place A \\ \n", None),
        ("    CHECK(cudaM", "    // \\ \n    CHECK(cudaM", (7, 11)),
        ("    CHECK(cudaM", "    // \\\n    CHECK(cudaM", (7, 11)),
        ("    CHECK(cudaM", "    // \\\xa0\n    y = 0;\n    CHECK(cudaM", (7, 8)),  # clang takes it for no blank
        ("    // Place A", "    // Place A\rx = 0;", (10, 9)),
        ('    printf("a // b\\n");\n}\n', '    printf("a // b\\n");\n', (11, 0)),
        ('    printf("a // b\\n");\n}\n', '    printf("a // b\\n");\n}\nint y;\n', (0, 12)),
        ("exit(1)", "exit(0)", (3, 3)),
    ],
)
def test_the_first_change_is_told_by_its_lines(old: str, new: str, where: tuple[int, int] | None) -> None:
    assert changed(old, new) == where
