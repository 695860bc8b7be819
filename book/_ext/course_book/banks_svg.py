"""Draw `Banks`: a column for each bank, a row for each 32 words of the array, lanes in their words."""

from __future__ import annotations

from .banks import BANKS, WORD, Banks, Hit
from .svg import (
    WIDTH,
    Film,
    at,
    frame,
    in_cell,
    label_width,
    legend,
    played,
    ranges,
    rect,
    several,
    text,
    verdict,
    words_table,
)

_HEAD = 42


def figure(banks: Banks, name: str) -> str:
    """Return the drawing, its table and its legend, as HTML. `name` is unique on the page."""
    title = f"Banks of one {'load' if _reads(banks) else 'store'} of array {banks.request.array.name} by a warp"
    table = words_table(
        ("bank", "words asked of it", "lanes"),
        [
            (bank, banks.words_in(bank), ranges([lane for hit in banks.hits if hit.bank == bank for lane in hit.lanes]))
            for bank in range(BANKS)
            if banks.words_in(bank)
        ],
        title,
    )
    kinds = {_kind(banks, hit) for hit in banks.hits}
    keys = [
        (banks.request.action, "a word of 4 bytes; the number is its lane"),
        ("many", "one word for several lanes (\N{MULTIPLICATION SIGN} how many), sent to all at once"),
        ("clash", "words of one bank that wait for each other"),
    ]
    keys = [key for key in keys if key[0] in kinds]
    if len(banks.hits) < BANKS * len({hit.word // BANKS for hit in banks.hits}):
        keys.append(("still", "a word that no lane needs"))
    drawing = played(film(banks), _Drawing(banks, name).whole(title))
    return drawing + table + verdict(summary(banks)) + legend(keys)


def order(banks: Banks) -> list[Hit]:
    """Return the words in the order of service: pass by pass, bank by bank."""
    return sorted(banks.hits, key=lambda hit: (hit.turn, hit.bank))


def film(banks: Banks) -> Film:
    """Return what each bank does, word by word and pass by pass."""
    array, moments = banks.request.array, []
    for hit in order(banks):
        name = array.element(hit.word) if array.item == WORD else f"word {hit.word} of {array.name}"
        lanes = f"lane {hit.lanes[0]}" if len(hit.lanes) == 1 else f"{len(hit.lanes)} lanes at once"
        does = f"sends {name} to {lanes}" if _reads(banks) else f"takes {name} from {lanes}"
        moments.append((f"Pass {hit.turn + 1} of {banks.passes}: bank {hit.bank} {does}.", hit.turn))
    return Film("word", "pass", tuple(moments))


def summary(banks: Banks) -> str:
    """Return the result of the request, in a sentence."""
    if banks.conflicts:
        most = max(banks.words_in(bank) for bank in range(BANKS))
        why = f"one bank is asked for {most} words, and it serves one at a time"
    elif banks.least > 1:
        why = f"the least for elements of {banks.request.array.item} bytes"
    else:
        why = "no bank is asked for more than one word"
    return f"{several(banks.passes, 'pass', 'passes')}: {why}."


def describe(banks: Banks) -> str:
    """Return what the drawing shows, in words, for those who cannot see it."""
    request = banks.request
    used = sorted({hit.bank for hit in banks.hits})
    most = max(banks.words_in(bank) for bank in used)
    full = [bank for bank in used if banks.words_in(bank) == most]
    shared = [hit for hit in banks.hits if len(hit.lanes) > 1]
    parts = [
        f"Source line {request.line}: {several(len(request.lanes), 'lane')} of warp {request.warp} "
        f"{'load' if _reads(banks) else 'store'} {several(len(banks.hits), 'word')} of {request.array.name}, "
        f"in {several(len(used), 'bank')}.",
        f"{'Bank' if len(full) == 1 else 'Banks'} {ranges(full)} must serve {several(most, 'word')}"
        f"{' each' if len(full) > 1 else ''}.",
    ]
    if shared:
        words = several(len(shared), "word goes", "words go")
        parts.append(f"{words} to as many as {max(len(hit.lanes) for hit in shared)} lanes at once.")
    passes, conflicts = several(banks.passes, "pass", "passes"), several(banks.conflicts, "conflict")
    return " ".join([*parts, f"The request takes {passes}; {conflicts}."])


def _reads(banks: Banks) -> bool:
    return banks.request.action == "read"


def _kind(banks: Banks, hit: Hit) -> str:
    """Return how to draw a word: as one that waits for another of its bank, one for several lanes, or a plain one."""
    if banks.conflicts and banks.words_in(hit.bank) > banks.least:
        return "clash"
    return "many" if len(hit.lanes) > 1 else banks.request.action


class _Drawing:
    """The layout of one drawing: bank 0 begins at `left`, each bank is `cell` wide, a row `high`."""

    def __init__(self, banks: Banks, name: str) -> None:
        self.banks, self.name = banks, name
        self.moments = {hit: moment for moment, hit in enumerate(order(banks))}
        # An element lies within one row, so there are never more rows than lanes.
        self.rows = sorted({hit.word // BANKS for hit in banks.hits})
        self.left = label_width([*map(self.first, self.rows), "words"])
        self.cell = (WIDTH - self.left) / BANKS
        self.high = 22 if len(self.rows) <= 8 else 15

    def first(self, row: int) -> str:
        """Return the first element of a row."""
        array = self.banks.request.array
        return array.element(row * BANKS * WORD // array.item)

    def x(self, bank: float) -> float:
        return self.left + bank * self.cell

    def whole(self, title: str) -> str:
        bottom = _HEAD + self.high * len(self.rows)
        rows = [self.row(row, _HEAD + self.high * number) for number, row in enumerate(self.rows)]
        body = [self.head(), *rows, self.foot(bottom + 8)]
        return frame(self.name, title, describe(self.banks), bottom + 40, "".join(body))

    def head(self) -> str:
        request = self.banks.request
        lanes = "each lane" if len(request.lanes) == BANKS else f"each of {len(request.lanes)} lanes"
        verb = "reads" if _reads(self.banks) else "writes"
        words = (
            f"source line {request.line}, warp {request.warp}: {lanes} {verb} one element of array {request.array.name}"
        )
        out = [text("kf-small", self.left, 13, words), text("kf-label", 0, _HEAD - 7, "bank")]
        out += [text("kf-axis", self.x(bank + 0.5), _HEAD - 7, str(bank), "middle") for bank in range(BANKS)]
        return "".join(out)

    def row(self, row: int, y: float) -> str:
        out = [text("kf-mono", 0, y + self.high / 2 + 4, self.first(row))]
        out += [rect("kf-still", self.x(b) + 0.5, y + 0.5, self.cell - 1, self.high - 1) for b in range(BANKS)]
        for hit in self.banks.hits:
            if hit.word // BANKS != row:
                continue
            kind = _kind(self.banks, hit)
            words = str(hit.lanes[0]) if len(hit.lanes) == 1 else f"\N{MULTIPLICATION SIGN}{len(hit.lanes)}"
            box = rect(f"kf-{kind}", self.x(hit.bank) + 0.5, y + 0.5, self.cell - 1, self.high - 1, 'rx="2"')
            label = in_cell(kind, self.x(hit.bank + 0.5), y + self.high / 2 + 3.5, words, self.cell - 1)
            out.append(at([self.moments[hit]], box + label))
        return "".join(out)

    def foot(self, y: float) -> str:
        """Return how many words each bank must deliver."""
        banks = self.banks
        counts = [banks.words_in(bank) for bank in range(BANKS)]
        out = [text("kf-label", 0, y + 13, "words"), text("kf-small", 0, y + 27, "asked of each bank")]
        for bank, words in enumerate(counts):
            kind = "clash" if banks.conflicts and words > banks.least else "plain" if words else "none"
            count = text(f"kf-count-{kind}", self.x(bank + 0.5), y + 14, str(words), "middle")
            moments = [self.moments[hit] for hit in banks.hits if hit.bank == bank]
            out.append(at(moments, count) if words else count)
        return "".join(out)
