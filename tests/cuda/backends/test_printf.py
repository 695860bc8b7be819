"""printf as CUDA has it (CUDA C++ Programming Guide, "Formatted Output"; an H200, CUDA 13.2): what it prints, and what
it returns."""

import inputs
import numpy as np
import pytest
from narrowing import only

from autograder import Kernel
from autograder.cuda.core.findings import CompileError, StepLimit
from autograder.cuda.core.run import Run
from autograder.cuda.report.compile_errors import in_words

pytestmark = inputs.emulation


def run(call: str) -> Run:
    text = f"enum E {{ TWO = 2 }};\n__global__ void f(int* out, float x) {{ *out = {call}; }}"
    return Kernel(text, name="f").emulate(1, 1, [np.zeros(1, np.int32), np.float32(1.5)])


SIZES = " (CUDA's printf knows the sizes h, l and ll alone)"
MANY = ", ".join(str(n) for n in range(34))


@pytest.mark.sampled(one_in=3)
@pytest.mark.parametrize(
    "call, printed, returned",
    [
        ('printf("plain\\n")', "plain\n", 0),
        ('printf("100%%")', "100%", 0),
        (
            'printf("a ptr addrspace(3) b, ptx_kernel c, externally_initialized d")',
            "a ptr addrspace(3) b, ptx_kernel c, externally_initialized d",
            0,
        ),
        ('printf("%d %i %u", -1, 2, 3u)', "-1 2 3", 3),
        ('printf("%d %u", -1, -1)', "-1 4294967295", 2),
        ('printf("%5d|%-5d|%05d|%+d|% d", 1, 2, 3, 4, 5)', "    1|2    |00003|+4| 5", 5),
        ('printf("%o %x %X %#x %#o", 8, 255, 255, 255, 8)', "10 ff FF 0xff 010", 5),
        ('printf("%ld %lld %lu %llu", -1l, -2ll, 3ul, ~0ull)', "-1 -2 3 18446744073709551615", 4),
        ('printf("%hd %hhd", 7, 300)', "7 44", 2),
        ('printf("%-6d|%+d|%06d|%.3s|%*d\\n", 4, 5, 6, "abcdef", 5, 7)', "4     |+5|000006|abc|    7\n", 6),
        ('printf("%s", (const char*)nullptr)', "(null)", 1),
        ('printf("%p", (void*)16)', "0x10", 1),
        ('printf("%f %.2f %e %g %G", x, x, x, x, 1e20)', "1.500000 1.50 1.500000e+00 1.5 1E+20", 5),
        ('printf("%a", 1.0)', "0x1p+0", 1),
        ('printf("%8.3f|%-8.1f|%*.*f", x, x, 6, 2, x)', "   1.500|1.5     |  1.50", 5),
        ("printf(\"%c%c\", 'a', 66)", "aB", 2),
        ('printf("%s and %5s|%-5s|%.2s", "one", "two", "x", "abc")', "one and   two|x    |ab", 4),
        ('printf("%d %d %d %d", true, (char)65, (short)-2, TWO)', "1 65 -2 2", 4),
        ('printf("%p", nullptr)', "(nil)", 1),
        # Fewer arguments than conversions, and more.
        ('printf("%d %d|%f|%s\\n", 1)', "1 %d|%f|%s\n", 1),
        ('printf("%*d", 3)', "%*d", 1),
        ('printf("%d", 1, 2, 3)', "1", 3),
        (f'printf("{"%d," * 34}", {MANY})', "".join(f"{n}," for n in range(32)) + "%d,%d,", 32),
        # An argument of another type than the conversion says: its own bytes, and no others.
        ('printf("%lld", 1.5)', str(np.float64(1.5).view(np.int64)), 1),
        ('printf("%f %d", 0, 7)', "0.000000 7", 2),
        # No format, and a conversion that is none.
        ("printf((const char*)nullptr)", "", -1),
        ('printf("%n", out)', "%n", 1),
        ('printf("%d %k %d", 1, 2)', "1 %k 2", 2),
        ('printf("%99999d", 1)', "%99999d", 1),
        # A size that CUDA does not support: the GPU's own output is garbage from there on.
        ('printf("%d %zu %d", 1, sizeof(int), 2)', f"1 %zu{SIZES} %d", 3),
        ('printf("%jd %td %Lf", 1l, 2l, 1.0)', f"%jd{SIZES} %td{SIZES} %Lf{SIZES}", 3),
    ],
)
def test_prints_and_returns(call: str, printed: str, returned: int) -> None:
    done = run(call)
    assert done.findings == ()
    assert (done.printed, done.outputs[0][0]) == (printed, returned)


def test_what_printf_does_not_take_is_refused() -> None:
    text = 'struct S { int x; };\n__global__ void f() {\n    S s = {1};\n    printf("%d", s);\n}'
    ((line, _, reported),) = in_words(only(CompileError, Kernel(text, name="f").emulate(1, 1, []).findings).messages)
    assert line == 4 and reported == "printf takes numbers and pointers"


def test_a_flood_ends_at_the_line_that_makes_it() -> None:
    text = '__global__ void f() {\n    while (true)\n        printf("%d\\n", 1);\n}'
    finding = only(StepLimit, Kernel(text, name="f").emulate(1, 1, []).findings)
    assert finding.reason == "output"
    assert finding.accesses[0].line == 3


def test_every_block_of_a_large_launch_prints() -> None:
    text = '__global__ void f() { if (threadIdx.x == 0) printf("%d\\n", blockIdx.x); }'
    done = Kernel(text, name="f").emulate(64, 64, [])
    assert sorted(map(int, done.printed.split())) == list(range(64))
