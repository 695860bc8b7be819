"""Draw `Lanes`: a small picture for each warp, so that they stand in rows or below each other as there is room; time
goes down, lanes go across."""

from __future__ import annotations

from .lanes import Lanes, Step
from .svg import frame, hatch, label_width, legend, ranges, rect, several, text, verdict, words_table
from .traced import WARP

_WIDTH, _HEAD, _ROW, _HIGH = 304, 38, 19, 15
_RIGHT = 4  # what the number of the last lane needs
_AXIS = (0, 8, 16, 24, 31)


def figure(lanes: Lanes, name: str) -> str:
    """Return the drawings, their table, the result and the legend, as HTML. `name` is unique on the page."""
    drawings = "".join(
        frame(
            f"{name}-{warp}",
            f"Lanes of warp {warp} that {_verb(lanes)} array {lanes.array}, step by step",
            describe(lanes, warp),
            _HEAD + _ROW * len(lanes.steps) + 2,
            _warp(lanes, warp, f"{name}-{warp}"),
            width=_WIDTH,
        )
        for warp in range(lanes.warps)
    )
    table = words_table(
        ("step", "warp", "lanes at work"),
        [
            (step.label, warp, ranges(working))
            for step in lanes.steps
            for warp, working in enumerate(step.lanes)
            if working
        ],
        f"Lanes that {_verb(lanes)} array {lanes.array}, in {lanes.where}",
    )
    keys = [(lanes.action, f"the lane {_verb(lanes)}s an element of {lanes.array}")]
    if lanes.working < WARP * lanes.executed:
        keys.append(("waste", "switched off while its warp executes the step"))
    if lanes.executed < lanes.warps * len(lanes.steps):
        keys.append(("still", "the warp does not execute it"))
    return f'<div class="kf-pair">{drawings}</div>{table}{verdict(summary(lanes))}{legend(keys)}'


def summary(lanes: Lanes) -> str:
    """Return the result of all steps, in a sentence."""
    room = WARP * lanes.executed
    share = round(100 * lanes.working / room)
    steps = several(lanes.executed, "step")
    return f"All warps together execute {steps}, in which {room} lanes could work. {lanes.working} do, {share} %."


def describe(lanes: Lanes, warp: int) -> str:
    """Return what the drawing of one warp shows, in words, for those who cannot see it."""
    return f"In {lanes.where}. " + " ".join(f"{_began(step)}: {_doing(step.lanes[warp])}." for step in lanes.steps)


def _began(step: Step) -> str:
    return step.label[:1].upper() + step.label[1:]


def _doing(working: tuple[int, ...]) -> str:
    if not working:
        return "the warp does not execute it"
    return f"{several(len(working), 'lane works', 'lanes work')} ({ranges(working)})"


def _verb(lanes: Lanes) -> str:
    return "update" if lanes.action == "atomic" else lanes.action


def _warp(lanes: Lanes, warp: int, name: str) -> str:
    left = label_width([step.label for step in lanes.steps])
    cell = (_WIDTH - left - _RIGHT) / WARP
    out = [text("kf-label", 0, 13, f"warp {warp}"), text("kf-axis", 0, _HEAD - 6, "lane")]
    out += [text("kf-axis", left + (lane + 0.5) * cell, _HEAD - 6, str(lane), "middle") for lane in _AXIS]
    for number, step in enumerate(lanes.steps):
        y, working = _HEAD + _ROW * number, step.lanes[warp]
        out.append(text("kf-small", 0, y + 12, step.label))
        out.append(rect("kf-still", left + 0.5, y, WARP * cell - 1, _HIGH, 'rx="2"'))
        if working:
            out.append(hatch(name, left + 0.5, y, WARP * cell - 1, _HIGH))
        out += [rect(f"kf-{lanes.action}", left + lane * cell + 0.5, y, cell - 1, _HIGH, 'rx="1"') for lane in working]
    return "".join(out)
