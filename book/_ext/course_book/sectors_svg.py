"""Draw `Sectors`: the lanes of a warp above, the cache lines of memory below, word by word."""

from __future__ import annotations

from collections.abc import Iterable

from .sectors import LINE, SECTOR, CacheLine, Piece, Sectors
from .svg import (
    WIDTH,
    Film,
    at,
    curve,
    frame,
    hatch,
    in_cell,
    label_width,
    legend,
    n,
    played,
    ranges,
    rect,
    several,
    text,
    verdict,
    words_table,
)
from .traced import WARP

_RIGHT, _LANES, _ROW, _HIGH = 80, 24, 38, 26
#: The most cache lines drawn in full; if there are more, those in the middle are left out.
_MOST = 6
#: Up to this many cache lines, curves lead from each lane to its word; between more they would only cross.
_MOST_LINKED = 2
#: The narrowest piece that a lane's number fits in.
_ROOM = 13


def figure(sectors: Sectors, name: str) -> str:
    """Return the drawing, its table and its legend, as HTML. `name` is unique on the page."""
    title = f"Sectors of one {'load' if _reads(sectors) else 'store'} of array {sectors.request.array.name} by a warp"
    table = words_table(
        ("cache line from", "sectors moved", "elements used", "lanes"),
        [
            (
                _first(sectors, line),
                len(line.sectors),
                ranges([piece.index for piece in line.pieces]),
                ranges([lane for piece in line.pieces for lane in piece.lanes]),
            )
            for line in sectors.lines
        ],
        title,
    )
    keys = [
        (sectors.request.action, f"used; the number is the lane that {'reads' if _reads(sectors) else 'writes'} it")
    ]
    if any(len(piece.lanes) > 1 for line in sectors.lines for piece in line.pieces):
        keys.append(("many", "used by several lanes (\N{MULTIPLICATION SIGN} how many)"))
    if sectors.used < sectors.moved:
        keys.append(("waste", "moved for nothing"))
    keys.append(("sector", f"a sector: {SECTOR} bytes that move together"))
    if sectors.count * SECTOR < len(sectors.lines) * LINE:
        keys.append(("still", "does not move"))
    drawing = played(film(sectors), _Drawing(sectors, name).whole(title))
    return drawing + table + verdict(summary(sectors)) + legend(keys)


def film(sectors: Sectors) -> Film:
    """Return which sector each lane needs, and how many there are so far, lane by lane."""
    request = sectors.request
    verb = "reads" if _reads(sectors) else "writes"
    moments: list[tuple[str, int]] = []
    seen: list[int] = []
    last, turn = -1, -1
    for lane, index, address in zip(request.lanes, request.indices, request.addresses, strict=True):
        sector = address // SECTOR
        why = "its sector moves already" if sector in seen else "one more sector moves"
        seen += [] if sector in seen else [sector]
        turn += sector != last
        last = sector
        sofar = f"{several(len(seen), 'sector')} so far"
        moments.append((f"Lane {lane} {verb} {request.array.element(index)}: {why}, {sofar}.", turn))
    return Film("lane", "sector", tuple(moments))


def summary(sectors: Sectors) -> str:
    """Return the result of the request, in a sentence."""
    many = several(sectors.count, "sector")
    return f"{many} for this one request: {sectors.moved} bytes moved, {sectors.used} used."


def describe(sectors: Sectors) -> str:
    """Return what the drawing shows, in words, for those who cannot see it."""
    request = sectors.request
    pieces = [piece for line in sectors.lines for piece in line.pieces]
    return (
        f"Source line {request.line}: {several(len(request.lanes), 'lane')} of warp {request.warp} "
        f"{'load' if _reads(sectors) else 'store'} {several(len(pieces), 'element')} of {request.array.name}, "
        f"{several(request.array.item, 'byte')} each, from {request.array.element(pieces[0].index)} to "
        f"{request.array.element(pieces[-1].index)}. The elements lie in {several(sectors.count, 'sector')} of "
        f"{SECTOR} bytes, in {several(len(sectors.lines), 'cache line')} of {LINE} bytes. "
        f"{sectors.moved} bytes move, of which {sectors.used} are used."
    )


def _reads(sectors: Sectors) -> bool:
    return sectors.request.action == "read"


def _first(sectors: Sectors, line: CacheLine) -> str:
    """Return the first element of a cache line."""
    return sectors.request.array.element(line.start // sectors.request.array.item)


def _rows(lines: tuple[CacheLine, ...]) -> list[tuple[CacheLine, ...]]:
    """Return the rows to draw: one cache line each; a single row stands for all that are left out."""
    if len(lines) <= _MOST:
        return [(line,) for line in lines]
    head = _MOST - 2
    return [*((line,) for line in lines[:head]), lines[head:-1], (lines[-1],)]


class _Drawing:
    """The layout of one drawing: memory begins at `left`, a byte is `byte` wide."""

    def __init__(self, sectors: Sectors, name: str) -> None:
        self.sectors, self.name = sectors, name
        self.moments = {lane: moment for moment, lane in enumerate(sectors.request.lanes)}
        self.linked = len(sectors.lines) <= _MOST_LINKED
        self.left = label_width([*(_first(sectors, line) for line in sectors.lines), "32 lanes"])
        self.byte = (WIDTH - _RIGHT - self.left) / LINE
        self.memory = _LANES + (78 if self.linked else 58)

    def whole(self, title: str) -> str:
        rows = _rows(self.sectors.lines)
        bottom = self.memory + _ROW * len(rows) + 4
        body = [self.links()] if self.linked else []
        body.append(self.lanes())
        for number, lines in enumerate(rows):
            y = self.memory + _ROW * number
            body.append(self.line(lines[0], y) if len(lines) == 1 else self.left_out(len(lines), y))
        body.append(self.sum(bottom))
        return frame(self.name, title, describe(self.sectors), bottom + 22, "".join(body))

    def at(self, lanes: Iterable[int], body: str) -> str:
        """Return a part that belongs to these lanes."""
        return at((self.moments[lane] for lane in lanes), body)

    def lane_x(self, lane: float) -> float:
        return self.left + lane * LINE / WARP * self.byte

    def links(self) -> str:
        return "".join(
            self.at(
                [lane],
                curve(
                    "kf-link",
                    self.lane_x(lane + 0.5),
                    _LANES + 20,
                    self.left + (piece.start - line.start + piece.size / 2) * self.byte,
                    self.memory + _ROW * number,
                ),
            )
            for number, line in enumerate(self.sectors.lines)
            for piece in line.pieces
            for lane in piece.lanes
        )

    def lanes(self) -> str:
        request = self.sectors.request
        lanes = "each lane" if len(request.lanes) == WARP else f"each of {len(request.lanes)} lanes"
        verb = "reads" if _reads(self.sectors) else "writes"
        what = f"{several(request.array.item, 'byte')} of array {request.array.name}"
        words = f"source line {request.line}: {lanes} {verb} {what}"
        out = [
            text("kf-small", self.left, 13, words),
            text("kf-label", 0, _LANES + 9, f"warp {request.warp}"),
            text("kf-small", 0, _LANES + 23, f"{WARP} lanes"),
            text("kf-label", 0, self.memory - 10, "memory"),
        ]
        if not self.linked:
            words = "where these bytes lie, in cache lines of 128 bytes"
            out.append(text("kf-small", self.left, self.memory - 10, words))
        wide = self.lane_x(1) - self.lane_x(0)
        for lane in range(WARP):
            kind = request.action if lane in request.lanes else "still"
            box = rect(f"kf-{kind}", self.lane_x(lane) + 1, _LANES, wide - 2, 20, 'rx="3"')
            box += in_cell(kind, self.lane_x(lane + 0.5), _LANES + 14, str(lane), wide - 2)
            out.append(self.at([lane], box) if lane in request.lanes else box)
        return "".join(out)

    def left_out(self, count: int, y: float) -> str:
        words = f"\N{MIDLINE HORIZONTAL ELLIPSIS} {count} more cache lines \N{MIDLINE HORIZONTAL ELLIPSIS}"
        return text("kf-small", self.lane_x(WARP / 2), y + 17, words, "middle")

    def line(self, line: CacheLine, y: float) -> str:
        out = [text("kf-mono", 0, y + 17, _first(self.sectors, line))]
        wide = SECTOR * self.byte
        for place in range(LINE // SECTOR):
            x, sector = self.left + place * wide, line.start // SECTOR + place
            if sector not in line.sectors:
                out.append(rect("kf-still", x + 1.5, y, wide - 3, _HIGH, 'rx="4"'))
                continue
            box = rect("kf-sector", x + 1.5, y, wide - 3, _HIGH, 'rx="4"')
            lanes = (lane for piece in line.pieces if piece.start // SECTOR == sector for lane in piece.lanes)
            out.append(self.at(lanes, box + hatch(self.name, x + 1.5, y, wide - 3, _HIGH)))
        out += [self.piece(piece, self.left + (piece.start - line.start) * self.byte, y) for piece in line.pieces]
        out.append(text("kf-small", WIDTH, y + 11, several(len(line.sectors), "sector"), "end"))
        out.append(text("kf-small", WIDTH, y + 24, f"{SECTOR * len(line.sectors)} bytes", "end"))
        return "".join(out)

    def piece(self, piece: Piece, x: float, y: float) -> str:
        kind = self.sectors.request.action if len(piece.lanes) == 1 else "many"
        wide = piece.size * self.byte
        box = rect(f"kf-{kind}", x + 0.75, y + 2, wide - 1.5, _HIGH - 4, 'rx="2"')
        if wide < _ROOM:
            return self.at(piece.lanes, box)
        words = str(piece.lanes[0]) if len(piece.lanes) == 1 else f"\N{MULTIPLICATION SIGN}{len(piece.lanes)}"
        return self.at(piece.lanes, box + in_cell(kind, x + wide / 2, y + 17, words, wide - 1.5))

    def sum(self, y: float) -> str:
        """Return the used part of the bytes moved, as a bar."""
        sectors, full = self.sectors, LINE * self.byte
        used = max(full * sectors.used / sectors.moved, 2)
        return "".join(
            [
                text("kf-label", 0, y + 13, "moved"),
                rect("kf-sector", self.left, y, full, 18, 'rx="3"'),
                hatch(self.name, self.left, y, full, 18),
                rect(f"kf-{sectors.request.action}", self.left, y, used, 18, 'rx="3"'),
                text("kf-small", WIDTH, y + 13, f"{n(100 * sectors.used / sectors.moved)} % used", "end"),
            ]
        )
