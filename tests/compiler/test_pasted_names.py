"""The `##` of a text's macros makes no name that may not be in a text."""

from __future__ import annotations

import random
import re
import subprocess
import time
from collections.abc import Callable

import pytest

from autograder.compiler.forbidden import find_forbidden
from autograder.compiler.pasted_names import can_make
from autograder.compiler.zig import executable
from autograder.core.refusal import Refusal

WORDS, STARTS = ("asm", "emu", "co_await", "virtual"), ("emu_", "__builtin_")


@pytest.mark.parametrize(
    "text",
    [
        "#define HAS(member) struct has_##member { int x; }; const int has_##member##_v = 1;\nHAS(size)",
        "#define FIELD(name, axis) name##_##axis\nfloat FIELD(speed, x);",
        "#define REGISTER(n) r##n\nint REGISTER(1), REGISTER(__LINE__);",
        "#define LONG(n) n##ll\nlong long x = LONG(1);",
        "#define LOG(format, ...) printf(format, ##__VA_ARGS__)\nvoid f() { LOG(1); }",
        "#define ONE a##b\nint ONE;",
        "#define CAT(a, b) a##b",
        "#ifndef CAT\n#define CAT(a, b) a##b\n#endif\n#define JOIN(a, b) CAT(a, b)\nint JOIN(x, __LINE__), i, f;",
        "#define CAT(a, b, c) a##b##c\n#define ALL(t) t CAT(x_, t, ), CAT(y_, t, _2);\nALL(int) ALL(float)",
        "#define P(a, b) a##b\n#define N 3\n#define V(t) Q(t, N)\n#define Q(a, b) P(a, b)\nV(uchar) x;",
        "long x = INT64_C(1);",
        "#define HAS(member) has_##member\nbool HAS(size);\nunsigned a = __cvta_generic_to_shared(&b);",
    ],
)
def test_honest_texts_paste(text: str) -> None:
    assert find_forbidden(text) is None


@pytest.mark.parametrize(
    "text",
    [
        # The name of a header's macro is made, too, and that makes a name of the runtime's.
        "#define C(x) x##_C\n#define M(x) C(UINT32)(x)\n#define E(x) x##_release\n#define F(x) E(x)\nF(M(em))(p, 1);",
        # One of the compiler's own macros.
        "#define RAW(x) x##_RAW\n#define F(x) RAW(x)\nF(__UINT32_C(EM)) __device__ void f();",
    ],
)
def test_macros_of_others_paste_too(text: str) -> None:
    refused = find_forbidden(text)
    assert refused and refused.reason is Refusal.ANY_NAME


def text_of(choice: random.Random) -> str:
    """Macros that put the parts of a word together that may not be made, or nearly, by calling each other."""
    word = choice.choice([*WORDS, "emu_x", "__builtin_x"])
    first, last = sorted(choice.sample(range(len(word) + 1), 2))
    parts = [word[:first], word[first:last], word[last:]]
    if choice.random() < 0.5:
        parts[choice.randrange(3)] = choice.choice(["x", "u", "_", "1", "a"])
    before, middle, behind = parts
    bodies = [
        f"{before}##p" if before else "p",
        f"p##{behind}" if behind else "p",
        choice.choice(["p", "p##x", "x##p"]),
    ]
    text = "".join(f"#define M{i}(p) {body}\n#define N{i}(p) M{i}(p)\n" for i, body in enumerate(bodies))
    for _ in range(6):
        call = middle
        for _ in range(choice.randrange(1, 4)):
            call = f"{choice.choice('MNN')}{choice.randrange(3)}({call})"
        text += f"{call};\n"
    return text


def text_of_words(choice: random.Random) -> str:
    """Macros that put words of others' together, and are given them by others, by their names or not."""
    word = choice.choice([*WORDS, "emu_x"])
    cut = choice.randrange(1, 4 if word == "emu_x" else len(word))
    first, last = word[:cut], word[cut:]
    lines = [
        "#define CAT(a, b) a##b",
        choice.choice(["#define JOIN(a, b) CAT(a, b)", "#define JOIN(b, a) CAT(a, b)"]),
        choice.choice(
            ["#define SOME(a) JOIN(a, LAST)", "#define SOME(a) JOIN(FIRST, a)", "#define SOME(a) a(FIRST, LAST)"]
        ),
        f"#define FIRST {choice.choice([first, first, 'LAST', 'JOIN', 'x', ''])}",
        f"#define LAST {choice.choice([last, last, 'y z', '(x)', ''])}",
    ]
    for _ in range(choice.randrange(1, 5)):
        a = choice.choice([first, first, "FIRST", "FIRST", "JOIN", ""])
        b = choice.choice([last, last, "LAST", "LAST", "x", ""])
        lines.append(
            choice.choice(
                [f"CAT({a}, {b});", f"JOIN({a}, {b});", f"SOME({choice.choice([a, b])});", f"FIRST ({a}, {b});"]
            )
        )
    return "\n".join(lines)


def _holds(text: str) -> bool:
    return any(name in WORDS or name.startswith(STARTS) for name in re.findall(r"\w+", text))


@pytest.mark.parametrize("write", [text_of, text_of_words])
def test_what_the_compiler_makes_of_a_text_was_foreseen(write: Callable[[random.Random], str]) -> None:
    made = refused = 0
    for seed in range(180):
        text = write(random.Random(seed))
        command = [str(executable()), "clang", "-E", "-P", "-x", "c++", "-"]
        done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
        if _holds(text):
            continue  # which is refused anyway
        makes, foreseen = _holds(done.stdout), can_make(text, WORDS, STARTS) is not None
        made, refused = made + makes, refused + foreseen
        assert foreseen or not makes, text
    assert 20 < made <= refused < 165


def test_it_takes_no_time_whatever_the_text() -> None:
    start = time.process_time()
    many = "".join(f"int xv{i}yq;" for i in range(7000))
    for shape in (
        "#define A{0}(x) x##q{0}_\n",
        "#define A{0}(x, y) x##z{0}##y\n",
        "#define A{0}(x, y) x##_##y##_##x##o##y\n",
        "#define A{0}(x, y) x##y\n#define B{0}(x) A{0}(x, x)\nA{0}(u{0}, v) B{0}(w)\n",
    ):
        find_forbidden("".join(shape.format(i) for i in range(99)) + many)
    find_forbidden("#define A(x) x##q_\n" * 5000)
    find_forbidden("#define A(x, y) x##y\n" + "A(x, y) " * 12000)
    find_forbidden("#define A(x, y) x##y\n" + "A(" * 12000)
    find_forbidden("".join(f"#define A{i}(x, y) x##y\n" for i in range(4000)))
    assert time.process_time() - start < 4
