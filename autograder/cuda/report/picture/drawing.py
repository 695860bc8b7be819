"""Draw a `Timeline` as an inline SVG with its legend, for a <figure>.

Positions along the x axis are percentages and sizes are pixels, so that the drawing fits any
width while its words stay readable. Colors are variables: those of the book's course.css, or of `embedded.css`.
The drawing also carries its contents as data, which player.js plays.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from ..vocabulary import start
from .data import encode
from .timeline import BLOCK, WARP, Bar, Barrier, Mark, Row, Timeline

_TOP, _ROW, _BAR, _FOOT = 32, 50, 22, 24
#: Ticks of 2 pixels closer together than this share of the width have less than a pixel between them: one area.
_NEAR = 3 / 540
#: Names of barriers need this share of the width.
_NAME_OF_BARRIER = 0.18


def draw(timeline: Timeline, name: str) -> str:
    """The picture as HTML, in which everything is escaped. `name` is unique on the page."""
    height = _TOP + _ROW * len(timeline.rows) + _FOOT
    labels = "".join(
        f'<div class="tl-label" style="top:{_middle(i)}px"><b>warp {row.warp % (BLOCK // WARP)}</b>'
        f"<span>{escape(_threads(row, timeline))}</span></div>"
        for i, row in enumerate(timeline.rows)
    )
    drawing = "".join(
        [_lane(i, row, timeline, name) for i, row in enumerate(timeline.rows)]
        + [_barriers(timeline)]
        + [_race(timeline), *(_stuck(i, row, timeline, name) for i, row in enumerate(timeline.rows))]
    )
    blocks = " and ".join(dict.fromkeys(timeline.block_of(row.warp * WARP) for row in timeline.rows))
    return (
        f'<div class="tl-picture" id="{name}" data-trace="{escape(encode(timeline))}">'
        f'<div class="tl-plot" style="height:{height}px">'
        f'<div class="tl-labels">{labels}</div>'
        f'<svg role="img" aria-labelledby="{name}-title {name}-desc" height="{height}">'
        f'<title id="{name}-title">Timeline of the warps of {escape(blocks)}</title>'
        f'<desc id="{name}-desc">{escape(describe(timeline))}</desc>'
        f'<defs><pattern id="{name}-hatch" width="6" height="6" patternUnits="userSpaceOnUse" '
        'patternTransform="rotate(45)"><line x1="0" y1="0" x2="0" y2="6" class="tl-hatch"/></pattern></defs>'
        f"{drawing}"
        f'<text class="tl-axis" x="0" y="{height - 6}">time →</text>'
        f'<text class="tl-axis" x="100%" y="{height - 6}" text-anchor="end">{_steps(timeline)}</text></svg></div>'
        f"{_legend(timeline)}</div>"
    )


def _threads(row: Row, timeline: Timeline) -> str:
    """Which threads a warp has, or to which block it belongs."""
    if len(timeline.blocks) > 1:
        return timeline.block_of(row.warp * WARP)
    return f"threads {row.warp * WARP}\N{EN DASH}{min(row.warp * WARP + WARP, timeline.threads) - 1}"


def _steps(timeline: Timeline) -> str:
    """Which part of the run is drawn, and how many warps."""
    steps = f"{timeline.steps} steps of the emulator"
    if timeline.cut:
        steps = f"steps {timeline.before}\N{EN DASH}{timeline.before + timeline.steps - 1}"
    return f"{steps}, {len(timeline.rows)} of {timeline.warps} warps" if len(timeline.rows) < timeline.warps else steps


def describe(timeline: Timeline) -> str:
    """What the drawing shows, in words, for those who cannot see it."""
    parts, before = [], timeline.before
    for row in timeline.rows:
        did = []
        for i, bar in enumerate(row.bars):
            actions = sorted({mark.action for mark in bar.marks}, reverse=True)
            verb = " and ".join(f"{action}s" for action in actions) or "does not touch"
            did.append(f"{verb} {timeline.array} in steps {before + bar.start} to {before + bar.end}")
            if i < len(row.waits):
                wait = row.waits[i]
                did.append(f"waits at the barrier until step {before + wait.end}")
        if words := standing(row, timeline):
            did.append(f"in the end: {words}")
        if did:
            parts.append(f"{start(timeline.warp(row))} {', then '.join(did)}.")
    for barrier in timeline.barriers:
        where = f" of {timeline.block_of(barrier.block * BLOCK)}" if len(timeline.blocks) > 1 else ""
        parts.append(
            f"All threads{where} have arrived at the barrier in line {barrier.line} at step {before + barrier.at}."
        )
    if timeline.race:
        (first, second), lines = timeline.race, timeline.race_lines
        parts.append(
            f"Race: {_says(first, timeline)} in step {before + first.at}, line {lines[0]}, and "
            f"{_says(second, timeline)} in step {before + second.at}, line {lines[1]}"
            f"{', each in its own block' if len(timeline.blocks) > 1 else ''}."
        )
    return " ".join(parts)


def _middle(row: int) -> int:
    return _TOP + _ROW * row + _ROW // 2


def _x(step: float, timeline: Timeline) -> str:
    return f"{100 * step / timeline.steps:.2f}%"


def _lane(i: int, row: Row, timeline: Timeline, name: str) -> str:
    y = _middle(i)
    out = [f'<line class="tl-lane" x1="0" x2="100%" y1="{y}" y2="{y}"/>']
    for wait in row.waits:
        if wait.end > wait.start:
            width = _x(wait.end - wait.start, timeline)
            box = f'x="{_x(wait.start + 0.5, timeline)}" y="{y - 8}" width="{width}" height="16"'
            out.append(f'<rect class="tl-wait" {box}/><rect fill="url(#{name}-hatch)" {box}/>')
    for bar in row.bars:
        width = _x(bar.end - bar.start + 1, timeline)
        out.append(
            f'<rect class="tl-bar" x="{_x(bar.start, timeline)}" y="{y - _BAR // 2}" '
            f'width="{width}" height="{_BAR}" rx="3"/>'
        )
    drawn = "".join(_ticks(row.bars, action, timeline.steps * _NEAR) for action in ("write", "atomic", "read"))
    if drawn:  # along the x axis, units are steps
        out.append(
            f'<svg y="{y - _BAR // 2}" width="100%" height="{_BAR}" viewBox="0 0 {timeline.steps} {_BAR}" '
            f'preserveAspectRatio="none">{drawn}</svg>'
        )
    return "".join(out)


def _ticks(bars: Sequence[Bar], action: str, near: float) -> str:
    """Writes stand above the middle of the bar, reads hang below it, so color is not the only cue.

    Ticks too close to distinguish are drawn as one area, so that a long trace stays a small figure.
    """
    areas: list[list[int]] = []
    for at in sorted(mark.at for bar in bars for mark in bar.marks if mark.action == action):
        if areas and at - areas[-1][1] < near:
            areas[-1][1] = at
        else:
            areas.append([at, at])
    top, high = _BAR // 2 if action == "read" else 0, _BAR // 2
    path = "".join(f"M{a} {top}v{high}" + (f"h{b - a}v-{high}z" if b > a else "") for a, b in areas)
    return f'<path class="tl-{action}" d="{path}"/>' if path else ""


def _barriers(timeline: Timeline) -> str:
    out, named = [], -timeline.steps * _NAME_OF_BARRIER
    for barrier in timeline.barriers:
        rows = [i for i, row in enumerate(timeline.rows) if row.warp * WARP // BLOCK == barrier.block]
        x, y = _x(barrier.at + 0.5, timeline), _middle(rows[0]) - _ROW // 2
        bottom = _middle(rows[-1]) + _ROW // 2
        out.append(f'<line class="tl-barrier" x1="{x}" x2="{x}" y1="{y - 10 if y == _TOP else y + 4}" y2="{bottom}"/>')
        if len(timeline.blocks) == 1 and barrier.at - named >= timeline.steps * _NAME_OF_BARRIER:
            out.append(_name_of(barrier, x, timeline))
            named = barrier.at
    return "".join(out)


def _name_of(barrier: Barrier, x: str, timeline: Timeline) -> str:
    single = len(timeline.barriers) == 1
    edge = (0.2 if single else 0.04) * timeline.steps
    anchor = "end" if barrier.at > timeline.steps - edge else "start" if barrier.at < edge else "middle"
    return (
        f'<text class="tl-barrier-label" x="{x}" y="14" text-anchor="{anchor}">'
        f"{'all have arrived, ' if single else ''}line {barrier.line}</text>"
    )


def _race(timeline: Timeline) -> str:
    if timeline.race is None:
        return ""
    drawn = [row.warp for row in timeline.rows]
    rows = [drawn.index(mark.thread // WARP) for mark in timeline.race]
    upper = 0 if rows[0] <= rows[1] else 1
    ends, out = [], []
    for i, (mark, row) in enumerate(zip(timeline.race, rows, strict=True)):
        x, y = _x(mark.at + 0.5, timeline), _middle(row)
        ends.append((x, y + (_BAR // 4 if mark.action == "read" else -_BAR // 4)))
        left = mark.at < timeline.steps / 2
        out.append(
            f'<circle class="tl-race" cx="{x}" cy="{ends[i][1]}" r="6"/>'
            f'<text class="tl-race-label" x="{x}" y="{y - 18 if i == upper else y + 26}" '
            f'dx="{-4 if left else 4}" text-anchor="{"start" if left else "end"}">'
            f"{escape(_says(mark, timeline))}</text>"
        )
    (x1, y1), (x2, y2) = ends
    return f'<line class="tl-race" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>' + "".join(out)


def _stuck(i: int, row: Row, timeline: Timeline, name: str) -> str:
    """A warp at a barrier that never opens: its wait has no end."""
    waiting = [stuck.at for stuck in timeline.stuck if stuck.warp == row.warp and stuck.line]
    y, out = _middle(i), []
    if waiting:
        start_of = min(max(waiting) + 0.5, timeline.steps - 0.5)
        box = f'x="{_x(start_of, timeline)}" y="{y - 8}" width="{_x(timeline.steps - start_of, timeline)}" height="16"'
        out.append(f'<rect class="tl-wait" {box}/><rect fill="url(#{name}-hatch)" {box}/>')
        out.append(f'<line class="tl-stuck" x1="100%" x2="100%" y1="{y - 12}" y2="{y + 12}"/>')
    if words := standing(row, timeline):
        kind = "tl-race-label" if waiting else "tl-axis"
        out.append(f'<text class="{kind}" x="100%" y="{y + 26}" text-anchor="end">{words}</text>')
    return "".join(out)


def standing(row: Row, timeline: Timeline) -> str:
    """Where the threads of a warp are at the end: 20 wait at line 9, 12 have left."""
    mine = [stuck for stuck in timeline.stuck if stuck.warp == row.warp]
    parts = [f"{stuck.threads} wait{'s' * (stuck.threads == 1)} at line {stuck.line}" for stuck in mine if stuck.line]
    parts += [f"{stuck.threads} {'has' if stuck.threads == 1 else 'have'} left" for stuck in mine if not stuck.line]
    return ", ".join(parts)


def _says(mark: Mark, timeline: Timeline) -> str:
    verb = {"read": "reads", "write": "writes", "atomic": "updates"}[mark.action]
    return f"{timeline.thread(mark.thread)} {verb} {timeline.element(mark.index)}"


def _legend(timeline: Timeline) -> str:
    items = [
        ("bar", "the warp runs"),
        ("write", f"a thread writes {timeline.array}"),
        ("read", f"a thread reads {timeline.array}"),
    ]
    if timeline.barriers or timeline.stuck:
        items.append(("wait", "the warp waits"))
    if timeline.barriers:
        items.append(("barrier", "the barrier opens"))
    if timeline.stuck:
        items.append(("stuck", "it never opens"))
    if timeline.race:
        items.append(("race", "race: nothing orders these two"))
    return (
        '<ul class="tl-legend">'
        + "".join(f'<li><i class="tl-key tl-key-{key}"></i>{escape(text)}</li>' for key, text in items)
        + "</ul>"
    )
