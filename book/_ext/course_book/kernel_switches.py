"""`kernel-switches`: the listing of a kernel with lines that a reader can switch off."""

from __future__ import annotations

from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives

from autograder.cuda.errors import UsageError

from . import switches, switches_html, traced
from .directives import KernelDirective
from .figures import FIGURES, choice
from .listings import about, numbered, to_try

#: Stands for a drawing's name, so that equal drawings are equal text.
_NAME = "name-of-the-figure"
_FIGURES = sorted(name.removeprefix("kernel-") for name in FIGURES)


class KernelSwitches(KernelDirective):
    """A listing, and report, counts and figure for every combination of its switches.

    The content names the switches (see `switches`). `:counts:` says which of the emulator's counts
    to compare; `:show:` is the figure, as "banks" or "timeline", whose options follow.
    """

    has_content = True
    option_spec: ClassVar[dict[str, Any]] = {
        **{key: value for figure in FIGURES.values() for key, value in figure.option_spec.items()},
        "action": choice("read", "write", "atomic"),
        "counts": lambda argument: argument.split(),
        "show": lambda argument: directives.choice(argument, _FIGURES),
    }
    for _key in ("without", "launch"):
        del option_spec[_key]

    def run(self) -> list[nodes.Node]:
        kernel = self.kernel()
        try:
            found = switches.parse(kernel, self.content)
            outcomes = switches.run_all(kernel, found, kernel.launch, trace="show" in self.options)
            draw = self.draw if "show" in self.options else None
            shown, drawings, states = switches_html.results(kernel, outcomes, self.options.get("counts", []), draw)
        except (ValueError, UsageError) as error:
            raise self.error(f"{self.name}: {error}") from error
        listing = nodes.literal_block(kernel.source, kernel.source, language="cuda", linenos=True)
        listing["highlight_args"] = {"hl_lines": switches_html.listing_marks(found), "linenostart": 1}
        self.set_source_info(listing)
        named = [drawing.replace(_NAME, f"switched-{self.env.new_serialno('switched')}") for drawing in drawings]
        html = switches_html.box(found, shown, named, states)
        return [
            nodes.raw("", '<div class="ks">', format="html"),
            *to_try(kernel.file, numbered(self, listing, about(kernel))),
            nodes.raw("", html + "</div>", format="html"),
        ]

    def draw(self, outcome: switches.Outcome) -> str:
        """Return the figure of one combination."""
        kernel = self.kernel()
        trace = traced.from_run(kernel, outcome.source, kernel.launch, outcome.run)
        options = {key: value for key, value in self.options.items() if key not in ("show", "counts")}
        figure = FIGURES[f"kernel-{self.options['show']}"]
        place = (self.lineno, self.content_offset, self.block_text, self.state, self.state_machine)
        drawing = figure(self.name, self.arguments, options, self.content, *place).draw(trace, _NAME)
        return f'<div class="kernel-figure {self.options["show"]}">{drawing}</div>'
