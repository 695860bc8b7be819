"""Does a page keep together what a line must not part?"""

from typing import Any, cast

from course_book.numbered_tables import align_numbers
from course_book.together import keep_together
from docutils import nodes
from docutils.core import publish_doctree

SPACE = "\N{NO-BREAK SPACE}"
NO_APP = cast(Any, None)


def read(text: str) -> nodes.document:
    return cast(nodes.document, publish_doctree(text))


def test_short_code_does_not_break_and_long_code_may() -> None:
    page = read("``C = A`` and ``float`` and ``for (int i = 0; i < n; i += stride)``")
    keep_together(NO_APP, page)
    assert [code.astext() for code in page.findall(nodes.literal) if "short" in code["classes"]] == ["C = A"]


def test_a_number_stays_with_its_unit_even_if_a_role_wrote_it_and_code_stays_as_it_is() -> None:
    page = read("At 48 KB, or *16* GB/s: ``a = 4 s``.")
    keep_together(NO_APP, page)
    assert page.astext() == f"At 48{SPACE}KB, or 16{SPACE}GB/s: a = 4 s."


def test_a_column_of_numbers_is_on_the_right() -> None:
    page = read("""
=====  =======  ======
name   size     text
=====  =======  ======
a      4 KB     4 by 4
b      12.5 %   none
=====  =======  ======
""")
    align_numbers(NO_APP, page)
    assert [cell.astext() for cell in page.findall(nodes.entry) if cell["classes"]] == ["size", "4 KB", "12.5 %"]
