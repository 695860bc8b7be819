"""Draw `Touches`: the elements of an array, colored and numbered by who accesses them."""

from __future__ import annotations

from html import escape
from operator import attrgetter

from .svg import WIDTH, Film, arrow, at, frame, n, played, ranges, rect, several, text, words_table
from .touches import Cell, Panel, Touches

_LARGEST = 24
#: Below this element size, panels go into another row instead.
_SMALLEST = 11
#: Up to this many of them, each has a separate key below the drawing.
_MOST_KEYS = 8
#: The table's columns of elements: who of a cell a column is about.
_WHO = {"reads": attrgetter("readers"), "writes": attrgetter("writers")}
#: What the legend says is done, by whether there are reads and writes.
_DONE = {(True, True): ("touches", "touched"), (True, False): ("reads", "read"), (False, True): ("writes", "written")}


def figure(touches: Touches, name: str, arrows: bool) -> str:
    """Return the drawing, its table and its legend, as HTML. `name` is unique on the page.

    With `arrows`, panels of one row show what was written, with arrows from what its writer had read.
    """
    drawing = _Drawing(touches, arrows)
    body, height, width = drawing.stack() if touches.rows == 1 else drawing.tiles()
    title = f"Who touches which elements of {_arrays(touches)}"
    # A picture of writes alone has no column of reads: it doesn't say that there were none.
    shown = [verb for verb, who in _WHO.items() if any(who(cell) for panel in touches.panels for cell in panel.cells)]
    table = words_table(
        ("panel", touches.by, *shown),
        [
            (
                _called(touches, panel) or panel.array,
                touches.names[who],
                *(_elements(panel, verb, who) or "nothing" for verb in shown),
            )
            for panel in touches.panels
            for who in panel.who
        ],
        title,
    )
    drawn = frame(name, title, describe(touches), height, body, width=width)
    moments = film(touches)
    return (played(moments, drawn) if len(moments.moments) > 1 else drawn) + table + drawing.legend()


def _elements(panel: Panel, verb: str, who: int) -> str:
    return ranges([cell.index for cell in panel.cells if who in _WHO[verb](cell)])


def film(touches: Touches) -> Film:
    """Return what happens in each step, where the panels follow one another in time."""
    times = list(dict.fromkeys(panel.label for panel in touches.panels)) if touches.in_turn else []
    sentences = []
    for label in times:
        panels = [panel for panel in touches.panels if panel.label == label]
        several_arrays = len(touches.arrays) > 1
        did = "; ".join((f"{panel.array}: " if several_arrays else "") + _did(touches, panel) for panel in panels)
        sentences.append(f"{label[:1].upper()}{label[1:]}: {did}.")
    return Film("step", "step", tuple((sentence, number) for number, sentence in enumerate(sentences)))


def describe(touches: Touches) -> str:
    """Return what the drawing shows, in words, for those who cannot see it."""
    parts = [f"Array {_arrays(touches)}, {several(touches.size, 'element')}, in {touches.where}."]
    for panel in touches.panels:
        name = _called(touches, panel)
        parts.append(f"{name}: {_did(touches, panel)}." if name else f"{_did(touches, panel)}.")
    return " ".join(part[:1].upper() + part[1:] for part in parts)


def _did(touches: Touches, panel: Panel) -> str:
    """Return what happens in a panel."""
    did = []
    for verb, cells in (
        ("read", [cell.index for cell in panel.cells if cell.readers]),
        ("written", [cell.index for cell in panel.cells if cell.writers]),
    ):
        if cells:
            did.append(f"{several(len(cells), 'element is', 'elements are')} {verb} ({_places(touches, cells)})")
    return f"{' and '.join(did)}, by {several(len(panel.who), touches.by)}"


def _arrays(touches: Touches) -> str:
    return " and ".join(", ".join(touches.arrays).rsplit(", ", 1))


def _named(panel: Panel) -> str:
    return f"{panel.array}, {panel.label}" if panel.label else panel.array


def _called(touches: Touches, panel: Panel) -> str:
    """Return what distinguishes a panel from the others; empty if there is only one."""
    return panel.label if len(touches.arrays) == 1 else _named(panel)


def _places(touches: Touches, cells: list[int]) -> str:
    """Elements in words; as rows and columns if they fill a rectangle of a grid."""
    if touches.rows > 1:
        rows = sorted({cell // touches.columns for cell in cells})
        columns = sorted({cell % touches.columns for cell in cells})
        if len(rows) * len(columns) == len(cells):
            return f"rows {ranges(rows)}, columns {ranges(columns)}"
    words = ranges(cells)
    return words if len(words) < 60 else f"between {min(cells)} and {max(cells)}"


def _edge(wide: float) -> float:
    """Half of the gap between two elements."""
    return 0.5 if wide >= 8 else 0.25


class _Drawing:
    """One drawing. `read` and `written` say what it shows; `mixed` that it shows both of one array, so that an element
    has a half for each; `single` that some element had one toucher, and `numbered` that its number had room; `counted`
    that the number of several touchers had room; `free` that some element has no color."""

    def __init__(self, touches: Touches, arrows: bool) -> None:
        self.touches, self.arrows = touches, arrows
        cells = [cell for panel in touches.panels for cell in panel.cells]
        # Arrows lead to what is written: a panel without writes has nothing to show.
        self.panels = [panel for panel in touches.panels if not arrows or any(cell.writers for cell in panel.cells)]
        self.mixed = not arrows and any(self.read_and_written(array) for array in touches.arrays)
        self.crowded = any(len(who) > 1 for cell in cells for who in (cell.writers, () if arrows else cell.readers))
        self.read = not arrows and any(cell.readers for cell in cells)
        self.written = any(cell.writers for cell in cells)
        self.free = any(sum(map(self.shows, panel.cells)) < touches.size for panel in self.panels)
        self.times = list(dict.fromkeys(panel.label for panel in touches.panels))
        self.single = self.numbered = self.counted = False

    def shows(self, cell: Cell) -> bool:
        """Return whether an element gets a color: with arrows, only if it is written."""
        return bool(cell.writers or (cell.readers and not self.arrows))

    def read_and_written(self, array: str) -> bool:
        cells = [cell for panel in self.touches.panels if panel.array == array for cell in panel.cells]
        return any(cell.readers for cell in cells) and any(cell.writers for cell in cells)

    def hue(self, who: int) -> str:
        """Return the color as a style. Far apart for few; by the golden angle for many, so that neighbors differ."""
        names = self.touches.names
        turn = sorted(names).index(who) / len(names) if len(names) <= _MOST_KEYS else 137.508 / 360 * who
        return f'style="--hue:{n((250 + 360 * turn) % 360)}"'

    def tiles(self) -> tuple[str, float, float]:
        """Panels of several rows, as many side by side as fit, the height and the width.

        No wider than need be: the page puts it in the middle, and a phone has less to scroll.
        """
        touches = self.touches
        margin, gap, head = 22, 18, 38
        across = len(touches.panels)
        while across > 1 and self.tile_cell(across, margin, gap) < _SMALLEST:
            across -= 1
        cell = self.tile_cell(across, margin, gap)
        wide, high = margin + touches.columns * cell, head + touches.rows * cell
        out, width = [], 0.0
        for number, panel in enumerate(touches.panels):
            x = number % across * (wide + gap) + margin
            y = number // across * (high + gap) + head
            out.append(text("kf-label", x, y - 22, _named(panel)))
            width = max(width, x + touches.columns * cell + 1, x + 8 * len(_named(panel)))
            step = max(1, -(-20 // cell))
            out += [
                text("kf-axis", x + (i + 0.5) * cell, y - 5, str(i), "middle") for i in range(0, touches.columns, step)
            ]
            scale = touches.columns if touches.broken else 1
            for i in range(0, touches.rows, max(1, -(-13 // cell))):
                out.append(text("kf-axis", x - 5, y + (i + 0.5) * cell + 3.5, str(i * scale), "end"))
            out += [
                *self.free_elements(x, y, cell, cell),
                self.at(panel, "".join(self.elements(panel, x, y, cell, cell))),
            ]
        rows = -(-len(touches.panels) // across)
        return "".join(out), rows * (high + gap) - gap + 4, min(width, WIDTH)

    def tile_cell(self, across: int, margin: int, gap: int) -> int:
        """Return how large an element is with that many panels side by side."""
        free = WIDTH - (across - 1) * gap - across * margin
        return max(min(free // (across * self.touches.columns), _LARGEST), 1)

    def stack(self) -> tuple[str, float, float]:
        """Panels of one row, one below the other, with arrows that show what came from where; height and width."""
        touches, head = self.touches, 22
        panels = self.panels
        left, right = max(7 * max(len(panel.label) for panel in panels) + 10, 84), 78
        cell = min((WIDTH - left - right) / touches.columns, _LARGEST)
        high, gap = 24, 46 if self.arrows else 12
        step = max(1, int(-(-18 // cell)))
        out = [text("kf-axis", 0, head - 6, f"element of {_arrays(touches)}")]
        out += [
            text("kf-axis", left + (i + 0.5) * cell, head - 6, str(i), "middle")
            for i in range(0, touches.columns, step)
        ]
        for number, panel in enumerate(panels):
            y = head + number * (high + gap)
            out.append(text("kf-label", 0, y + 16, panel.label or panel.array))
            count = (
                several(len(panel.who), "thread") if touches.by == "thread" else several(len(panel.cells), "element")
            )
            out.append(text("kf-small", WIDTH, y + 16, count, "end"))
            drawn = self.elements(panel, left, y, cell, high)
            if self.arrows and number:
                drawn += [
                    arrow("kf-arrow", left + (a + 0.5) * cell, y - gap, left + (b + 0.5) * cell, y, self.hue(who))
                    for a, b, who in panel.links
                ]
            out += [*self.free_elements(left, y, cell, high), self.at(panel, "".join(drawn))]
        return "".join(out), head + len(panels) * (high + gap) - gap + 4, WIDTH

    def at(self, panel: Panel, body: str) -> str:
        """Return a part that appears with its panel, if panels follow one another in time."""
        return at([self.times.index(panel.label)], body) if self.touches.in_turn and len(self.times) > 1 else body

    def free_elements(self, x: float, y: float, wide: float, high: float) -> list[str]:
        """Return the array's elements, as if nobody touched them."""
        edge, columns = _edge(wide), self.touches.columns
        return [
            rect(
                "kf-still",
                x + i % columns * wide + edge,
                y + i // columns * high + edge,
                wide - 2 * edge,
                high - 2 * edge,
            )
            for i in range(self.touches.size)
        ]

    def elements(self, panel: Panel, x: float, y: float, wide: float, high: float) -> list[str]:
        columns = self.touches.columns
        return [
            self.element(cell, x + cell.index % columns * wide, y + cell.index // columns * high, wide, high)
            for cell in panel.cells
        ]

    def element(self, cell: Cell, x: float, y: float, wide: float, high: float) -> str:
        edge, out = _edge(wide), ""
        if self.mixed:
            parts = [(cell.writers, y, high / 2), (cell.readers, y + high / 2, high / 2)]
        else:
            parts = [(cell.writers if self.arrows else cell.writers or cell.readers, y, high)]
        for who, top, tall in parts:
            if not who:
                continue
            alone = len(who) == 1
            self.single |= alone
            kind, more = ("who", self.hue(who[0])) if alone else ("several", "")
            out += rect(f"kf-{kind}", x + edge, top + edge, wide - 2 * edge, tall - 2 * edge, more)
            words = (
                self.touches.names[who[0]].strip("()").replace(" ", "")
                if alone
                else f"\N{MULTIPLICATION SIGN}{len(who)}"
            )
            if wide >= 6 * len(words) + 4 and tall >= 11:
                self.numbered |= alone
                self.counted |= not alone
                out += text(f"kf-in-{kind}", x + wide / 2, top + tall / 2 + 3.5, words, "middle")
        return out

    def legend(self) -> str:
        touches = self.touches
        does, done = _DONE[self.read, self.written]
        how_many = " (\N{MULTIPLICATION SIGN} how many)" if self.counted else ""
        items = []
        if len(touches.names) <= _MOST_KEYS:
            items += [
                f'<li><i class="kf-key kf-key-who" {self.hue(who)}></i>{touches.by} {escape(name)}</li>'
                for who, name in sorted(touches.names.items())
            ]
        elif self.single:
            how = "the number in an element is" if self.numbered else "a color of its own for"
            items.append(f"<li>{how} the {touches.by} that {does} it</li>")
        for key, shown, words in (
            ("several", self.crowded, f"{done} by several {touches.by}s{how_many}"),
            ("arrow", self.arrows, "from what a thread read to what it wrote"),
            ("upper", self.mixed, "upper half: written"),
            ("lower", self.mixed, "lower half: read"),
            ("still", self.free, f"not {done}"),
        ):
            if shown:
                items.append(f'<li><i class="kf-key kf-key-{key}"></i>{escape(words)}</li>')
        return '<ul class="kf-legend">' + "".join(items) + "</ul>"
