"""Draw a `Roofline`: both axes by powers of two, the two ceilings as a roof, a dot for each kernel."""

from __future__ import annotations

from itertools import pairwise
from math import ceil, floor, hypot, log2

from .measured import spaced
from .roofline import Point, Roofline
from .svg import frame, legend, line, n, text, words_table

_LEFT, _RIGHT, _TOP, _BOTTOM = 46, 10, 24, 46
#: Narrower than other figures, so that no label is cut off where the page has a column on both sides.
_WIDTH, _HEIGHT = 580, 400
_DOT = 4.5
#: Height of a label, and width of one of its letters.
_LABEL, _LETTER = 15, 7.2

#: Left, top, right, bottom.
Box = tuple[float, float, float, float]


def figure(roofline: Roofline, name: str) -> str:
    """Return the drawing, its table and its legend, as HTML. `name` is unique on the page."""
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
        ("read", f"{roofline.memory}: {spaced(round(roofline.bandwidth))} GB/s"),
        ("write", f"multiply-adds: {n_(roofline.peak)} TFLOP/s"),
        ("many", "a kernel, and what part of its roof it reaches"),
    ]
    return _Drawing(roofline, name).whole(title) + table + legend(keys)


def describe(roofline: Roofline) -> str:
    """Return what the drawing shows, in words, for those who cannot see it."""
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
    """Return a number with three digits that say something, or all before the point."""
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
        #: What a label must keep clear of.
        self.taken = [self._box(point) for point in roofline.points] + self._along_the_roof()
        #: The middle of the lowest label of dots above each other, by their place from left to right.
        self.lowest: dict[float, float] = {}

    def x(self, intensity: float) -> float:
        low, high = self.x_range
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * (log2(intensity) - low) / (high - low)

    def y(self, rate: float) -> float:
        low, high = self.y_range
        return _HEIGHT - _BOTTOM - (_HEIGHT - _TOP - _BOTTOM) * (log2(rate) - low) / (high - low)

    def whole(self, title: str) -> str:
        # From the left, and from the top for those above each other, so that lines from dots to labels do not cross.
        points = sorted(self.roofline.points, key=lambda point: (_column(point), -point.rate))
        body = self._grid() + self._roof() + "".join(map(self._point, points))
        return frame(self.name, title, describe(self.roofline), _HEIGHT, body, width=_WIDTH)

    def _grid(self) -> str:
        out = [
            text("kf-small", 0, 11, "TFLOP/s"),
            text("kf-small", _WIDTH, _HEIGHT - 6, "operations for each byte", "end"),
        ]
        for power in range(self.x_range[0], self.x_range[1] + 1):
            x = self.x(2.0**power)
            out.append(line("kf-still", x, _TOP, x, _HEIGHT - _BOTTOM))
            out.append(text("kf-axis", x, _HEIGHT - _BOTTOM + 18, _power(power), "middle"))
        for power in range(self.y_range[0], self.y_range[1] + 1):
            y = self.y(2.0**power)
            out.append(line("kf-still", _LEFT, y, _WIDTH - _RIGHT, y))
            out.append(text("kf-axis", _LEFT - 6, y + 3.5, _power(power), "end"))
        return "".join(out)

    def _corners(self) -> tuple[tuple[float, float], ...]:
        """Return where the roof begins, bends and ends."""
        roof = self.roofline
        # It enters through the bottom of the drawing, or from its left edge.
        first = max(2.0 ** self.x_range[0], 1000 * 2.0 ** self.y_range[0] / roof.bandwidth)
        return tuple((self.x(x), self.y(roof.roof(x))) for x in (first, roof.ridge, 2.0 ** self.x_range[1]))

    def _roof(self) -> str:
        low, ridge, high = self._corners()
        return line("kf-way-read", *low, *ridge) + line("kf-way-write", *ridge, *high)

    def _along_the_roof(self) -> list[Box]:
        """Small boxes along the roof, so that no label covers it."""
        boxes = []
        for (x1, y1), (x2, y2) in pairwise(self._corners()):
            steps = max(1, round(hypot(x2 - x1, y2 - y1) / 4))
            for step in range(steps + 1):
                x, y = x1 + (x2 - x1) * step / steps, y1 + (y2 - y1) * step / steps
                boxes.append((x - 1, y - 1, x + 1, y + 1))
        return boxes

    def _box(self, point: Point) -> Box:
        x, y = self.x(point.intensity), self.y(point.rate)
        return x - _DOT, y - _DOT, x + _DOT, y + _DOT

    def _point(self, point: Point) -> str:
        x, y = self.x(point.intensity), self.y(point.rate)
        words = f"{point.label}: {_percent(self.roofline, point)}"
        width = _LETTER * len(words)
        left, middle = self._place(x, y, width, self.lowest.get(_column(point), 0))
        self.lowest[_column(point)] = middle
        anchor, at = ("start", left) if left > x else ("end", left + width)
        way = "" if abs(middle - y) < 1 else line("kf-link", x, y, at - 2 if left > x else at + 2, middle)
        dot = f'<circle class="kf-many" cx="{n(x)}" cy="{n(y)}" r="{n(_DOT)}"/>'
        return way + dot + text("kf-label", at, middle + 4, words, anchor)

    def _place(self, x: float, y: float, width: float, above: float) -> tuple[float, float]:
        """Return the start of a label of this width, and its middle, lower than `above`: as near to its dot as the
        others leave room."""
        for step in range(40):
            middle = y - (_LABEL / 2) * (-1) ** step * ((step + 1) // 2)
            gap = _DOT + (5 if step == 0 else 14)
            for left in (x + gap, x - gap - width):
                box = left, middle - _LABEL / 2, left + width, middle + _LABEL / 2
                if middle > above and self._is_free(box):
                    self.taken.append(box)
                    return left, middle
        raise ValueError("the kernels lie too close to be labeled: draw fewer of them")

    def _is_free(self, box: Box) -> bool:
        left, top, right, bottom = box
        if left < _LEFT or right > _WIDTH or top < _TOP - _LABEL or bottom > _HEIGHT - _BOTTOM:
            return False
        return all(right <= a or c <= left or bottom <= b or d <= top for a, b, c, d in self.taken)


def _column(point: Point) -> float:
    """Return the same for dots that lie above each other."""
    return round(log2(point.intensity), 1)


def _power(power: int) -> str:
    return str(2**power) if power >= 0 else f"1/{2**-power}"
