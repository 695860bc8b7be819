"""Is the EPUB one: XML that parses, with the figures of the pages, and without what needs scripts?"""

import subprocess
import sys
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import inputs
import pytest
from book_pages import ROOT
from course_book.epub import as_xml

pytestmark = inputs.book
SVG = "{http://www.w3.org/2000/svg}"


def test_a_page_becomes_xml_that_still_draws() -> None:
    html = (
        '<p>a<br>b &lt; c<script>1 < 2</script><input hidden></p><svg viewBox="0 0 9 9"><rect width="2"></rect></svg>'
    )
    body = ElementTree.fromstring(f"<body>{as_xml(html)}</body>")
    assert [item.tag for item in body.iter()] == ["body", "p", "br", SVG + "svg", SVG + "rect"]
    assert "".join(body.itertext()) == "ab < c"
    drawing = body.find(SVG + "svg")
    assert drawing is not None and drawing.attrib == {"viewBox": "0 0 9 9"}


@pytest.mark.rare
def test_every_page_of_the_epub_parses_and_has_its_figures(tmp_path: Path) -> None:
    program = Path(sys.executable).parent / "jupyter-book"
    command: list[str | Path] = [
        program,
        *"build . -W --builder custom --custom-builder epub --path-output".split(),
        tmp_path,
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    (made,) = tmp_path.rglob("*.epub")
    with zipfile.ZipFile(made) as book:
        pages = {name: ElementTree.fromstring(book.read(name)) for name in book.namelist() if name.endswith(".xhtml")}
    drawings = [item for page in pages.values() for item in page.iter(SVG + "svg")]
    assert len(pages) > 60 and len(drawings) > 60
    # (A picture of a report has a fixed height, and any width.)
    assert all(item.attrib.keys() & {"viewBox", "height"} for item in drawings)
    assert not any(item.tag.endswith("}script") for page in pages.values() for item in page.iter())
