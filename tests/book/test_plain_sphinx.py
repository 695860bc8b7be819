"""Does Sphinx alone make the same pages as Jupyter Book, whose version 1 is no longer developed?"""

import filecmp
import subprocess
import sys
from pathlib import Path

import inputs
import pytest
from book_pages import ROOT
from jupyter_book.config import get_final_config  # type: ignore[import-untyped]
from sphinx.config import Config

pytestmark = inputs.book
#: Extensions of Jupyter Book that add nothing to the pages of this book.
UNUSED = {
    "jupyter_book",
    "sphinx_thebe",
    "sphinx_comments",
    "sphinx.ext.intersphinx",
    "sphinx_jupyterbook_latex",
    "sphinx_multitoc_numbering",
}


def test_both_read_the_same_settings() -> None:
    theirs, _ = get_final_config(
        user_yaml=ROOT / "_config.yml", sourcedir=ROOT, cli_config={"latex_individualpages": False}
    )
    ours = Config.read(ROOT / "book")._raw_config
    assert set(theirs.pop("extensions")) - set(ours["extensions"]) == UNUSED
    assert set(theirs.pop("exclude_patterns")) >= set(ours["exclude_patterns"])
    paths = ("html_favicon", "html_static_path", "html_extra_path", "templates_path")
    for name in paths:
        mine = [ours[name]] if isinstance(ours[name], str) else ours[name]
        other = theirs.pop(name)
        assert mine == [str(ROOT / path) for path in ([other] if isinstance(other, str) else other)], name
    for name in ours.keys() & theirs.keys():
        assert ours[name] == theirs[name], name


@pytest.mark.rare
def test_both_make_the_same_files(html: Path, tmp_path: Path) -> None:
    command = [str(Path(sys.executable).parent / "sphinx-build"), *"-W --keep-going -c book -d".split()]
    done = subprocess.run(
        [*command, str(tmp_path / "doctrees"), ".", str(tmp_path / "html")], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    files = {str(file.relative_to(html)) for file in html.rglob("*") if file.is_file()}
    assert files == {
        str(file.relative_to(tmp_path / "html")) for file in (tmp_path / "html").rglob("*") if file.is_file()
    }
    # Sphinx's own index for searching has its words in no fixed order; the service worker has each file's digest.
    _, differ, _ = filecmp.cmpfiles(html, tmp_path / "html", files, shallow=False)
    assert set(differ) <= {".buildinfo", "searchindex.js", "service_worker.js"}
