"""What a kernel promises by `__launch_bounds__`, and that a launch keeps it."""

import numpy as np
import pytest
from cpu_limit import cpu_limit

from autograder.core.launch import prepare
from autograder.errors import UsageError
from autograder.source.signature import find_kernel

HEAD = """\
constexpr int WARPS = 4, OTHER = 2;
constexpr int LANES = 32;
const unsigned THREADS = LANES * 4;
#define MOST (2 * THREADS)
#define SUM 2 + 2
"""


@pytest.mark.parametrize(
    ("declared", "bound"),
    [
        ("__global__ void f(int* x)", None),
        ("__global__ void __launch_bounds__(128) f(int* x)", 128),
        ("__global__ void __launch_bounds__ ( 256, 2 ) f(int* x)", 256),
        ("__launch_bounds__(192, 1)\n__global__ void f(int* x)", 192),
        ("__global__ void __launch_bounds__(THREADS) f(int* x)", 128),
        ("__global__ void __launch_bounds__(2 * LANES + 32, 4) f(int* x)", 96),
        ("__global__ void __launch_bounds__(MOST) f(int* x)", 256),
        ("__global__ void __launch_bounds__((32u)) f(int* x)", 32),
        ("__global__ void __launch_bounds__(SUM * 32) f(int* x)", None),
        ("#define T 1if 1else 2\n__global__ void __launch_bounds__(T) f(int* x)", None),
        ("#define OTHER __launch_bounds__(16)\n__global__ void f(int* x)", None),
        ("__global__ void __launch_bounds__(UNKNOWN) f(int* x)", None),
        ("__global__ void __launch_bounds__(sizeof(int)) f(int* x)", None),
        ("__global__ void __launch_bounds__(64) g(int* x) {}\n__global__ void f(int* x)", None),
        ("__global__ void __launch_bounds__(64) g(int* x);\n__global__ void f(int* x)", None),
        ("__global__ void __launch_bounds__(64) f(int* x);\n__global__ void f(int* x)", 64),
        ("#define TWICE 64\n#define TWICE 128\n__global__ void __launch_bounds__(TWICE) f(int* x)", None),
        ("constexpr int A = B;\nconstexpr int B = A;\n__global__ void __launch_bounds__(A) f(int* x)", None),
    ],
)
def test_the_number_is_read(declared: str, bound: int | None) -> None:
    assert find_kernel(f"{HEAD}{declared} {{}}", "f").most_threads == bound


BOUNDED = "__global__ void __launch_bounds__(A) f(int* x) {}\n"


@pytest.mark.parametrize(
    "text",
    [
        f"#define A {' ' * 60_000}{'y' * 100}\n",
        f"__global__ {'__launch_bounds__(1) ' * 4000};\n",
        f"{'__global__ __launch_bounds__(1) ' * 2500};\n",
        "const int A = " * 6000,
        ("const " + " " * 2000) * 40,
        f"const int A = {'B + ' * 19}B;\nconst int B = {'A + ' * 19}A;\n",
    ],
    ids=lambda text: text[:40],
)
def test_no_text_takes_long(text: str) -> None:
    with cpu_limit():
        assert find_kernel(text + BOUNDED, "f").most_threads is None


def test_a_template_gives_it() -> None:
    text = "template <int THREADS> __global__ void __launch_bounds__(THREADS) f(int* x) {}"
    assert find_kernel(text, "f<96>").most_threads == 96


def test_who_breaks_the_promise_is_not_launched() -> None:
    text = "__global__ void __launch_bounds__(64) f(int* x) {}"
    x = np.zeros(1, np.int32)
    assert prepare(text, "f", 1, (32, 2), [x]).block == (32, 2, 1)
    with pytest.raises(UsageError, match=r"has 65 threads, but f promises by __launch_bounds__ to have at most 64"):
        prepare(text, "f", 1, 65, [x])
