"""Register everything with Sphinx: directives, roles, and changes to each page."""

from __future__ import annotations

from sphinx.application import Sphinx

from autograder.cuda.plugins import plugins

from .api_page import readable
from .chapter_lines import add_lines
from .chapter_role import ChapterNumber
from .check_reports import CheckReport
from .directives import Exercises, KernelPrinted, KernelReport, Measured, depend_on_extension
from .epub import make_xml
from .exercise_pages import dress
from .explorer_pages import Explorer, load_where_used
from .explorers import EXPLORERS
from .figures import FIGURES
from .gpus import GPU_DIRECTIVES
from .grading_tables import Grading
from .kernel_switches import KernelSwitches
from .ladder_counts import LadderCounts
from .listings import KernelListing
from .machine import Machine
from .measured_figures import MEASURED_FIGURES
from .measured_table import CountedNumber, MeasuredNumber, MeasuredTable, name_sources
from .mutation_tables import Mutation
from .named import name_folds, unname_empty_corners
from .numbered_tables import add_numbered_tables
from .offline import follow_system, lighten_head, remove_unused, silence
from .open_questions import Listed, OpenQuestion, OpenQuestions, list_questions
from .page_head import describe
from .program_tables import Programs
from .report_links import link_reports
from .social_picture import paint
from .together import keep_together
from .trust import Trust


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx once."""
    app.add_directive("kernel-listing", KernelListing)
    app.add_directive("kernel-report", KernelReport)
    app.add_directive("kernel-printed", KernelPrinted)
    app.add_directive("check-report", CheckReport)
    app.add_directive("kernel-switches", KernelSwitches)
    app.add_directive("measured", Measured)
    app.add_directive("measured-table", MeasuredTable)
    add_numbered_tables(app)
    app.add_role("chapter", ChapterNumber())
    app.add_role("measured", MeasuredNumber())
    app.add_role("counted", CountedNumber())
    app.add_directive("exercises", Exercises)
    figures = FIGURES | MEASURED_FIGURES | GPU_DIRECTIVES | dict.fromkeys(EXPLORERS, Explorer)
    for name, directive in (figures | plugins("figures")).items():
        app.add_directive(name, directive)
    app.add_directive("machine", Machine)
    app.add_directive("counts", Trust)
    app.add_directive("findings", Trust)
    app.add_directive("grading", Grading)
    app.add_directive("mutation", Mutation)
    app.add_directive("programs", Programs)
    app.add_directive("ladder-counts", LadderCounts)
    app.add_directive("open-question", OpenQuestion)
    app.add_directive("open-questions", OpenQuestions)
    app.add_node(Listed)
    app.connect("doctree-resolved", list_questions)
    remove_unused(app)
    app.setup_extension("sphinx.ext.napoleon")  # docstrings as pages, with autodoc, which it loads
    app.connect("autodoc-process-signature", readable)
    app.connect("doctree-read", dress)
    app.connect("doctree-read", name_sources)
    app.connect("doctree-read", keep_together)
    app.connect("doctree-read", depend_on_extension)
    app.connect("builder-inited", dress_pages)
    app.connect("builder-inited", follow_system)
    app.connect("builder-inited", paint)
    app.connect("build-finished", silence)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def dress_pages(app: Sphinx) -> None:
    """Connect what changes each page, which is not the same on the web and in an EPUB."""
    app.connect("html-page-context", link_reports)
    if app.builder.name == "epub":
        app.connect("html-page-context", make_xml, priority=900)  # after all that adds to the text
        return
    app.connect("html-page-context", load_where_used)
    app.connect("html-page-context", describe)
    app.connect("html-page-context", add_lines)
    app.connect("html-page-context", lighten_head)
    app.connect("html-page-context", unname_empty_corners)
    app.connect("html-page-context", name_folds, priority=900)  # after the theme has added what it wraps
