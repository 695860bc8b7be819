"""Does `source` read CUDA C++ text like a compiler?"""

import random

import pytest

from autograder.cuda.source.text import blank

# ---- blank --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a // b", "a     "),
        ("a /* b */ c", "a         c"),
        ("a /* b\nc */ d", "a     \n     d"),
        ('f("// no", x)', 'f("     ", x)'),
        ('"a\\"b" c', '"    " c'),
        ("'\"' x '\\'' y", "' ' x '  ' y"),
        ("1'000'000 + x", "1'000'000 + x"),
        ("0xff'ff 'x'", "0xff'ff ' '"),
        ("// a \\\nb\nc", "      \n \nc"),
        ("// a \\\r\nb\r\nc", "      \r\n \r\nc"),
        ('"a\\\nb" c', '"  \n " c'),
        ("/\\\n/ x\ny", "  \n   \ny"),
        ("/* a *\\\n/ b", "       \n  b"),
        ("/*/ a */ b", "         b"),
        ('R"(a " // b)" c', 'R"          " c'),
        ('u8R"x()" )x" c', 'u8R"       " c'),
        ('R"(a\nb)" c', 'R"  \n  " c'),
        ('xR"(a" b', 'xR"  " b'),
        ("don't /* x\ny", "don'      \ny"),  # an unfinished literal ends with its line
        ('"a\nb', '" \nb'),
        ("/* a", "    "),
        ("a \\\n b", "a \\\n b"),
        ("// a\\\n\nb", "     \n\nb"),
        ("a /* b */\\\nc", "a        \\\nc"),
        ('""', '""'),
        ("", ""),
    ],
)
def test_blank_takes_comments_and_the_insides_of_literals(text: str, expected: str) -> None:
    assert blank(text) == expected


def test_blank_keeps_length_newlines_and_every_character_that_it_does_not_blank() -> None:
    rng = random.Random(2)
    pieces = ["/", "*", "//", "/*", "*/", '"', "'", "\\", "\n", "\r\n", "\\\n", 'R"(', ')"', "a", "1'0", " ", "#", "e+"]
    for _ in range(3000):
        text = "".join(rng.choices(pieces, k=rng.randrange(25)))
        out = blank(text)
        assert len(out) == len(text), repr(text)
        assert [i for i, c in enumerate(out) if c in "\r\n"] == [i for i, c in enumerate(text) if c in "\r\n"]
        assert all(o in (c, " ") for o, c in zip(out, text, strict=True)), repr(text)
