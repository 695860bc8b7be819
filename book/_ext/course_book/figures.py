"""The figures for pages: `kernel-timeline`, `kernel-sectors`, `kernel-banks`, `kernel-touches`, `kernel-lanes`,
`kernel-levels`, `kernel-interleaving`, `kernel-access-map`. Each draws the traced run of a kernel of book/kernels;
the content is its caption, and `:name:` a label to refer to it by."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives

from autograder.cuda.errors import UsageError
from autograder.cuda.report import picture

from . import (
    access_map,
    access_map_svg,
    banks,
    banks_svg,
    interleaving,
    interleaving_svg,
    lanes,
    lanes_svg,
    levels,
    levels_svg,
    sectors,
    sectors_svg,
    touches,
    touches_svg,
    traced,
)
from .captions import captioned
from .directives import KernelDirective

Options = dict[str, Any]


def numbers(argument: str) -> tuple[int, ...]:
    """Parse "0, 3" as (0, 3)."""
    return tuple(directives.nonnegative_int(part) for part in argument.split(","))


def names(argument: str) -> list[str]:
    """Parse "A, B" as ["A", "B"]."""
    return [part.strip() for part in argument.split(",")]


def choice(*words: str) -> Callable[[str], str]:
    return lambda argument: directives.choice(argument, words)


class KernelFigure(KernelDirective):
    """A figure with a caption, which Sphinx numbers, drawn from a traced run."""

    has_content = True
    option_spec: ClassVar[dict[str, Any]] = {
        **KernelDirective.option_spec,
        "launch": directives.unchanged_required,
        "name": directives.unchanged_required,
    }

    def draw(self, trace: traced.Traced, name: str) -> str:
        """Return the figure's drawing as HTML; `name` is unique on the page."""
        raise NotImplementedError

    def run(self) -> list[nodes.Node]:
        self.kernel()  # notes that the page depends on it
        kind = self.name.removeprefix("kernel-")
        try:
            trace = traced.trace(self.arguments[0], self.without, self.options.get("launch", ""))
            html = self.draw(trace, f"{kind}-{self.env.new_serialno(kind)}")
        except (ValueError, UsageError) as error:
            raise self.error(f"{self.name}: {error}") from error
        return captioned(self, html, kind)

    def need(self, option: str, why: str) -> str:
        """Return a required option of this figure."""
        if option not in self.options:
            raise ValueError(f"it needs ':{option}:', {why}.")
        return str(self.options[option])


class KernelTimeline(KernelFigure):
    """What the warps of one block do over time."""

    option_spec: ClassVar[Options] = {
        **KernelFigure.option_spec,
        "array": directives.unchanged_required,
        "block": directives.nonnegative_int,
    }

    def draw(self, trace: traced.Traced, name: str) -> str:
        array = self.need("array", "the array that the warps touch")
        extents = (trace.grid, trace.block)
        line = picture.from_run(trace.run, array, self.options.get("block", 0), trace.declared(array), extents)
        return picture.draw(line, name)


class _RequestFigure(KernelFigure):
    option_spec: ClassVar[Options] = {
        **KernelFigure.option_spec,
        "at": directives.unchanged_required,
        "array": directives.unchanged_required,
        "action": choice("read", "write"),
        "block": directives.nonnegative_int,
        "warp": directives.nonnegative_int,
        "time": directives.positive_int,
    }

    def request(self, trace: traced.Traced) -> traced.Request:
        return trace.request(
            self.need("array", "the array that the warp touches"),
            self.need("at", "the mark of a line of the kernel"),
            self.options.get("action", ""),
            self.options.get("block", 0),
            self.options.get("warp", 0),
            self.options.get("time", 1),
        )


class KernelSectors(_RequestFigure):
    """The sectors of global memory that one warp's request needs."""

    def draw(self, trace: traced.Traced, name: str) -> str:
        return sectors_svg.figure(sectors.from_trace(trace, self.request(trace)), name)


class KernelBanks(_RequestFigure):
    """The banks of shared memory that one warp's request needs."""

    def draw(self, trace: traced.Traced, name: str) -> str:
        return banks_svg.figure(banks.from_trace(trace, self.request(trace)), name)


class KernelTouches(KernelFigure):
    """Who touches which element of an array, and when."""

    option_spec: ClassVar[Options] = {
        **KernelFigure.option_spec,
        "array": directives.unchanged_required,
        "at": directives.unchanged_required,
        "action": choice("read", "write", "atomic"),
        "block": directives.nonnegative_int,
        "by": choice(*touches.BY),
        "panels": choice(*touches.PANELS),
        "only": directives.positive_int_list,
        "labels": names,
        "shape": numbers,
        "arrows": directives.flag,
    }

    def draw(self, trace: traced.Traced, name: str) -> str:
        get = self.options.get
        found = touches.from_trace(
            trace,
            self.need("array", "the array that is touched"),
            get("at", ""),
            get("action", ""),
            get("block"),
            get("by", "thread"),
            get("panels", ""),
            get("shape", ()),
            get("only", ()),
            get("labels", ()),
        )
        return touches_svg.figure(found, name, "arrows" in self.options)


class KernelLanes(KernelFigure):
    """Which lanes of each warp of a block work in each step."""

    option_spec: ClassVar[Options] = {
        **KernelFigure.option_spec,
        "array": directives.unchanged_required,
        "action": choice("read", "write", "atomic"),
        "at": directives.unchanged_required,
        "block": directives.nonnegative_int,
        "labels": names,
    }

    def draw(self, trace: traced.Traced, name: str) -> str:
        array = self.need("array", "the array that the lanes touch")
        action = self.need("action", "what the lanes do to it")
        get = self.options.get
        found = lanes.from_trace(trace, array, action, get("at", ""), get("block", 0), get("labels", ()))
        return lanes_svg.figure(found, name)


class KernelLevels(KernelFigure):
    """What a block, a warp and a thread have of the matrices of a product."""

    option_spec: ClassVar[Options] = {
        **KernelFigure.option_spec,
        "arrays": names,
        "tiles": names,
        "block": directives.nonnegative_int,
        "phase": directives.nonnegative_int,
        "thread": directives.nonnegative_int,
    }

    def draw(self, trace: traced.Traced, name: str) -> str:
        get = self.options.get
        found = levels.from_trace(
            trace, get("arrays", ()), get("tiles", ()), get("block", 0), get("phase", 0), get("thread", 0)
        )
        return levels_svg.figure(found, name)


class KernelInterleaving(KernelFigure):
    """What two threads do to one element, in two orders."""

    option_spec: ClassVar[Options] = {
        **KernelFigure.option_spec,
        "array": directives.unchanged_required,
        "element": directives.nonnegative_int,
        "threads": numbers,
        "block": directives.nonnegative_int,
    }

    def draw(self, trace: traced.Traced, name: str) -> str:
        array = self.need("array", "the array of the element")
        get = self.options.get
        story = interleaving.from_trace(trace, array, get("element", 0), get("threads", ()), get("block", 0))
        return interleaving_svg.figure(story, name)


class KernelAccessMap(KernelFigure):
    """The bytes that each line of a kernel moves to and from global memory, and those that are used."""

    def draw(self, trace: traced.Traced, name: str) -> str:
        return access_map_svg.figure(access_map.from_trace(trace), name)


FIGURES: dict[str, type[KernelFigure]] = {
    "kernel-timeline": KernelTimeline,
    "kernel-sectors": KernelSectors,
    "kernel-banks": KernelBanks,
    "kernel-touches": KernelTouches,
    "kernel-lanes": KernelLanes,
    "kernel-levels": KernelLevels,
    "kernel-interleaving": KernelInterleaving,
    "kernel-access-map": KernelAccessMap,
}
