"""Draws a `Roofline`: both axes by powers of two, the two ceilings as a roof, a dot for each kernel."""

from __future__ import annotations

from math import ceil, floor, log2

from .roofline import Point, Roofline
from .svg import WIDTH, frame, legend, line, n, text, words_table

_LEFT, _RIGHT, _TOP, _BOTTOM = 46, 10, 24, 46
_HEIGHT = 400
_DOT = 4.5
#: Height of a label, and width of one of its letters.
_LABEL, _LETTER = 15, 6.7


def figure(roofline: Roofline, name: str) -> str:
    """The drawing, its table and its legend, as HTML. `name` is unique on the page."""
    title = "Roofline: operations a second by operations for each byte"
    table = words_table(
        ("kernel", "operations for each byte", "TFLOP/s", "at most", "percent of that"),
        [
            (
                point.label,
                n_(point.intensity),
                n_(point.rate),
                n_(roofline.roof(point.intensity)),
                _percent(roofline, point),
            )
            for point in roofline.points
        ],
        title,
    )
    keys = [
        ("read", f"{roofline.memory}: {roofline.bandwidth:,.0f} GB/s".replace(",", "\N{NARROW NO-BREAK SPACE}")),
        ("write", f"multiply-adds: {n_(roofline.peak)} TFLOP/s"),
        ("several", "a kernel, and what part of its roof it reaches"),
    ]
    return _Drawing(roofline, name).whole(title) + table + legend(keys)


def describe(roofline: Roofline) -> str:
    """What the drawing shows, in words, for those who do not see it."""
    parts = [
        f"The roof rises by {roofline.memory}, {roofline.bandwidth:.0f} GB/s, up to {n_(roofline.ridge)} operations "
        f"for each byte. From there on it is level, at {n_(roofline.peak)} TFLOP/s of multiply-adds."
    ]
    parts += [
        f"{point.label}: {n_(point.intensity)} operations for each byte, {n_(point.rate)} TFLOP/s, "
        f"{_percent(roofline, point)} of its roof."
        for point in roofline.points
    ]
    return " ".join(parts)


def n_(value: float) -> str:
    """A number with three digits that say something, or all before the point."""
    return f"{value:.3g}" if value < 100 else f"{value:.0f}"


def _percent(roofline: Roofline, point: Point) -> str:
    return f"{100 * roofline.share(point):.0f} %"


class _Drawing:
    def __init__(self, roofline: Roofline, name: str) -> None:
        self.roofline, self.name = roofline, name
        x = [roofline.ridge, *(point.intensity for point in roofline.points)]
        y = [roofline.peak, *(point.rate for point in roofline.points)]
        self.x_range = floor(log2(min(x))) - 1, ceil(log2(max(x))) + 1
        self.y_range = floor(log2(min(y))), ceil(log2(max(y)))
        #: The boxes that a label must keep clear of: left, top, right, bottom.
        self.taken = [self._box(point) for point in roofline.points]

    def x(self, intensity: float) -> float:
        low, high = self.x_range
        return _LEFT + (WIDTH - _LEFT - _RIGHT) * (log2(intensity) - low) / (high - low)

    def y(self, rate: float) -> float:
        low, high = self.y_range
        return _HEIGHT - _BOTTOM - (_HEIGHT - _TOP - _BOTTOM) * (log2(rate) - low) / (high - low)

    def whole(self, title: str) -> str:
        body = self._grid() + self._roof() + "".join(map(self._point, self.roofline.points))
        return frame(self.name, title, describe(self.roofline), _HEIGHT, body)

    def _grid(self) -> str:
        out = [
            text("kf-small", 0, 11, "TFLOP/s"),
            text("kf-small", WIDTH, _HEIGHT - 6, "operations for each byte", "end"),
        ]
        for power in range(self.x_range[0], self.x_range[1] + 1):
            x = self.x(2.0**power)
            out.append(line("kf-life", x, _TOP, x, _HEIGHT - _BOTTOM, 'stroke-width="1"'))
            out.append(text("kf-axis", x, _HEIGHT - _BOTTOM + 14, _power(power), "middle"))
        for power in range(self.y_range[0], self.y_range[1] + 1):
            y = self.y(2.0**power)
            out.append(line("kf-life", _LEFT, y, WIDTH - _RIGHT, y, 'stroke-width="1"'))
            out.append(text("kf-axis", _LEFT - 6, y + 3.5, _power(power), "end"))
        return "".join(out)

    def _roof(self) -> str:
        roof = self.roofline
        # From where the roof comes up through the floor of the drawing, or from its left edge.
        first = max(2.0 ** self.x_range[0], 1000 * 2.0 ** self.y_range[0] / roof.bandwidth)
        last = 2.0 ** self.x_range[1]
        ridge = self.x(roof.ridge), self.y(roof.peak)
        return line("kf-way-read", self.x(first), self.y(roof.roof(first)), *ridge) + line(
            "kf-way-write", *ridge, self.x(last), self.y(roof.peak)
        )

    def _box(self, point: Point) -> tuple[float, float, float, float]:
        x, y = self.x(point.intensity), self.y(point.rate)
        return x - _DOT, y - _DOT, x + _DOT, y + _DOT

    def _point(self, point: Point) -> str:
        x, y = self.x(point.intensity), self.y(point.rate)
        words = f"{point.label} {_percent(self.roofline, point)}"
        left, middle = self._place(x, y, _LETTER * len(words))
        width = _LETTER * len(words)
        anchor, at = ("start", left) if left > x else ("end", left + width)
        way = "" if abs(middle - y) < 1 else line("kf-link", x, y, at - 2 if left > x else at + 2, middle)
        dot = f'<circle class="kf-several" cx="{n(x)}" cy="{n(y)}" r="{n(_DOT)}"/>'
        return way + dot + text("kf-label", at, middle + 4, words, anchor)

    def _place(self, x: float, y: float, width: float) -> tuple[float, float]:
        """Where a label of this width begins, and its middle: as near to its dot as others leave room."""
        for step in range(40):
            middle = y + (_LABEL / 2) * (-1) ** step * ((step + 1) // 2)
            gap = _DOT + (5 if step == 0 else 14)
            for left in (x + gap, x - gap - width):
                box = left, middle - _LABEL / 2, left + width, middle + _LABEL / 2
                if self._is_free(box):
                    self.taken.append(box)
                    return left, middle
        raise ValueError("the kernels lie too close to be labelled: draw fewer of them")

    def _is_free(self, box: tuple[float, float, float, float]) -> bool:
        left, top, right, bottom = box
        if left < _LEFT or right > WIDTH or top < _TOP - _LABEL or bottom > _HEIGHT - _BOTTOM:
            return False
        return all(right <= a or c <= left or bottom <= b or d <= top for a, b, c, d in self.taken)


def _power(power: int) -> str:
    return str(2**power) if power >= 0 else f"1/{2**-power}"
