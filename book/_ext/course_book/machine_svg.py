"""Draw the machine itself: memories and sizes, a DRAM bank, banks over time, ways of a copy, the host, SM groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from . import measured
from .svg import WIDTH, arrow, frame, hatch, legend, line, rect, text, verdict, words_table

#: Steps in which a row is fetched, and in which its burst is sent: schematic, as the caption says.
FETCH, BURST = 3, 1


def _box(x: float, y: float, w: float, h: float, title: str, *lines: str, kind: str = "kf-sector") -> str:
    """Return a rounded box with a title and smaller lines, from its top."""
    out = rect(kind, x, y, w, h, 'rx="5"') + text("kf-label", x + 9, y + 17, title)
    return out + "".join(text("kf-small", x + 9, y + 33 + 15 * i, words) for i, words in enumerate(lines))


def _both(x: float, y1: float, y2: float) -> str:
    """Two arrows between two heights, one down and one up."""
    return arrow("kf-way-read", x - 5, y2, x - 5, y1) + arrow("kf-way-write", x + 5, y1, x + 5, y2)


def hierarchy(gpu: measured.Row, cycles: Mapping[str, str], name: str) -> str:
    """Return the memories of a GPU with their sizes, and the cycles that a load waits for each."""
    registers = int(gpu["registers"]) * 4 // 1024
    far = " to ".join(cycles[memory] for memory in cycles if memory.startswith("global"))
    body = rect("kf-still", 0.5, 0.5, WIDTH - 1, 262, 'rx="8"')
    body += text("kf-label", 12, 19, f"the chip: {gpu['multiprocessors']} SMs")
    body += rect("kf-still", 12, 30, 312, 148, 'rx="6"') + text("kf-label", 21, 47, "one SM, like all others")
    body += _box(24, 56, 132, 50, "registers", f"{registers} KB")
    body += _box(166, 56, 146, 50, "arithmetic", f"{gpu['fp32_lanes']} lanes for floats")
    near = f"shared {cycles['shared memory']}, L1 {cycles['L1 cache']} cycles"
    body += _box(24, 118, 288, 50, f"shared memory and L1 cache: {gpu['l1_kb']} KB", near)
    for i in range(3):
        x = 340 + 90 * i
        body += rect("kf-still", x, 30, 80, 148, 'rx="6"') + text("kf-small", x + 40, 47, "SM", "middle")
        body += "".join(
            rect("kf-sector", x + 10, y, w, h, 'rx="3"') for y, w, h in ((56, 26, 50), (118, 60, 50))
        ) + rect("kf-sector", x + 44, 56, 26, 50, 'rx="3"')
        body += _both(x + 40, 178, 204)
    body += text("kf-label", 618, 108, "...") + _both(162, 178, 204)
    body += _box(12, 204, WIDTH - 24, 48, f"L2 cache: {gpu['l2_mb']} MB", f"{cycles['L2 cache']} cycles; for all SMs")
    body += _both(WIDTH / 2, 252, 292)
    title = (
        f"global memory ({gpu['memory']}): {gpu['memory_gb']} GB, {measured.spaced(int(gpu['bandwidth_gbps']))} GB/s"
    )
    body += _box(12, 292, WIDTH - 24, 48, title, f"{far} cycles; outside the chip")
    rows = [
        ("registers", f"{registers} KB in each SM", ""),
        ("shared memory and L1 cache", f"{gpu['l1_kb']} KB in each SM", near),
        ("L2 cache", f"{gpu['l2_mb']} MB", f"{cycles['L2 cache']} cycles"),
        ("global memory", f"{gpu['memory_gb']} GB", f"{far} cycles"),
    ]
    about = (
        f"An {gpu['gpu']}: each of {gpu['multiprocessors']} SMs has registers, arithmetic, and one memory for its "
        "shared memory and L1 cache. All SMs reach the L2 cache, and only through it global memory, outside the chip."
    )
    keys = [("read", "loads"), ("write", "stores")]
    table = words_table(("memory", "size", "a load waits"), rows, f"The memories of an {gpu['gpu']}")
    return frame(name, "The memories of a GPU", about, 342, body) + table + legend(keys)


#: Who sees a memory, and for how long it exists, from the outside in.
_SCOPES = (
    ("the program", "global and constant memory", "until it is freed, or the program ends"),
    ("a launch: its grid of blocks", "the parameters", "as long as the launch"),
    ("a cluster of blocks (Hopper on)", "distributed shared memory: that of all its blocks", "as long as its blocks"),
    ("a block of threads", "shared memory", "as long as the block"),
    ("a thread", "registers and local memory", "as long as the thread"),
)


def scopes(name: str) -> str:
    """Return who sees which memory, as boxes in boxes."""
    body, step, side = "", 52, 22
    height = step * len(_SCOPES) + side * (len(_SCOPES) - 1) // 2 + 24
    for i, (who, memory, lasts) in enumerate(_SCOPES):
        x, y = side * i, step * i
        last = i == len(_SCOPES) - 1
        h = height - y - 12 * i if not last else step + 12
        body += rect("kf-sector" if i % 2 == 0 else "kf-value", x + 1, y + 1, WIDTH - 2 - 2 * x, h - 2, 'rx="6"')
        body += text("kf-label", x + 12, y + 20, who) + text("kf-small", x + 12, y + 36, f"{memory}; {lasts}")
    about = "From the outside in: " + "; ".join(f"{who}: {memory}, {lasts}" for who, memory, lasts in _SCOPES) + "."
    table = words_table(("seen by", "memory", "exists"), _SCOPES, "Who sees which memory")
    return frame(name, "Who sees which memory", about, height, body) + table


def dram(name: str) -> str:
    """One bank of DRAM: a row goes to the amplifiers, and part of it leaves as a burst."""
    rows, columns, cell, x, y = 7, 32, 15, 130, 24
    wanted, first, burst = 3, 8, 8
    body = text("kf-label", x, 14, "cells, one capacitor each")
    for row in range(rows):
        for column in range(columns):
            kind = "kf-read" if row == wanted else "kf-sector"
            body += rect(kind, x + cell * column, y + cell * row, cell - 2, cell - 2)
    at = y + cell * wanted + cell / 2 - 1
    body += text("kf-label", 0, at - 6, "the address") + text("kf-small", 0, at + 9, "selects a row")
    body += arrow("kf-way-read", 92, at, x - 6, at)
    below = y + cell * rows + 34
    for column in range(columns):
        middle = x + cell * column + cell / 2 - 1
        body += line("kf-link", middle, y + cell * (wanted + 1), middle, below)
        kind = "kf-many" if first <= column < first + burst else "kf-read"
        body += rect(kind, x + cell * column, below, cell - 2, cell - 2)
    body += text("kf-label", 0, below + 4, "amplifiers") + text("kf-small", 0, below + 19, "hold the row")
    left, right = x + cell * first, x + cell * (first + burst)
    out = below + 58
    body += arrow("kf-way-write", (left + right) / 2, below + cell + 2, (left + right) / 2, out)
    body += text("kf-label", right + 6, out - 8, "a burst of neighbors leaves")
    body += text("kf-small", right + 6, out + 7, "on the wires to the chip")
    about = (
        f"A bank of {rows} rows of {columns} cells. The address selects row {wanted}, all of whose cells go to the "
        f"amplifiers; columns {first} to {first + burst - 1} of it leave as a burst."
    )
    keys = [("read", "the row that was fetched"), ("many", "the burst")]
    return frame(name, "A bank of DRAM: rows, amplifiers, a burst", about, out + 14, body) + legend(keys)


def _schedule(banks: int, reads: int) -> list[tuple[int, int, int]]:
    """(bank, when its fetch begins, when its burst begins) of reads that go to the banks in turn; the wires send one
    burst at a time."""
    free, wires, out = [0] * banks, 0, []
    for read in range(reads):
        bank = read % banks
        begin = free[bank]
        sent = max(begin + FETCH, wires)
        wires = free[bank] = sent + BURST
        out.append((bank, begin, sent))
    return out


def bank_times(counts: Sequence[int], name: str) -> str:
    """Reads that take turns on one bank, or several, over time: the wires are idle while nobody sends."""
    unit, left, high, steps = 29, 92, 19, 18
    body, y, sentences, rows = "", 0.0, [], []
    for banks in counts:
        done = [read for read in _schedule(banks, steps * banks) if read[2] + BURST <= steps]
        body += text("kf-label", 0, y + 14, f"{banks} bank{'s' * (banks > 1)}")
        for bank, begin, sent in done:
            top = y + high * bank
            body += hatch(name, left + unit * begin, top + 3, unit * (sent - begin), high - 6)
            body += rect("kf-many", left + unit * sent, top + 3, unit * BURST - 2, high - 6)
        y += high * banks
        body += text("kf-small", 0, y + 14, "the wires")
        body += rect("kf-still", left, y + 3, unit * steps, high - 6)
        for _, _, sent in done:
            body += rect("kf-many", left + unit * sent, y + 3, unit * BURST - 2, high - 6)
        sentences.append(f"{len(done)} with {banks} bank{'s' * (banks > 1)}")
        rows.append((banks, len(done), f"{100 * len(done) * BURST // steps} %"))
        y += high + 16
    body += arrow("kf-link", left, y - 2, left + unit * steps, y - 2) + text("kf-small", left, y + 14, "time")
    about = f"A fetch takes {FETCH} steps, a burst {BURST}. Bursts in {steps} steps: {', '.join(sentences)}."
    result = verdict(f"Bursts in {steps} steps: {', '.join(sentences)}.")
    table = words_table(("banks", "bursts", "wires busy"), rows, "How busy the wires are")
    keys = [("waste", "the bank fetches a row"), ("many", "a burst on the wires")]
    return frame(name, "Banks of DRAM over time", about, y + 18, body) + table + result + legend(keys)


#: Of each way into shared memory: its name, how many instructions it takes, and the stations that it passes.
_WAYS = (
    ("load and store", "each thread: two", ("L1 cache", "registers")),
    ("asynchronous copy", "each thread: one", ("L1 cache",)),
    ("the same, 16 bytes", "each thread: one", ()),
    ("bulk copy", "one for the whole tile", ("copy engine",)),
)


def copies(name: str) -> str:
    """Return what data passes on its way from global into shared memory, by four ways."""
    wide, stations = WIDTH / len(_WAYS), ("L1 cache", "registers", "copy engine")
    top, bottom = 50, 224
    body = _box(0.5, top, WIDTH - 1, 30, "global memory, through the L2 cache")
    body += _box(0.5, bottom, WIDTH - 1, 30, "shared memory")
    places = {"L1 cache": 106, "registers": 162, "copy engine": 134}
    for i, (way, who, passed) in enumerate(_WAYS):
        x = wide * i
        middle = x + wide / 2
        body += text("kf-label", x + 4, 16, way) + text("kf-small", x + 4, 32, who)
        y = top + 30.0
        for station in stations:
            if station in passed:
                body += arrow("kf-way-read", middle, y, middle, places[station])
                body += _box(middle - 52, places[station], 104, 28, station)
                y = places[station] + 28
        body += arrow("kf-way-write", middle, y, middle, bottom)
    rows = [(way, who, ", then ".join(passed) or "nothing") for way, who, passed in _WAYS]
    about = "From the L2 cache into shared memory. " + " ".join(f"{way}: passes {by}." for way, _, by in rows)
    table = words_table(("way", "instructions", "passes"), rows, "Ways into shared memory")
    return frame(name, "Ways into shared memory", about, bottom + 32, body) + table


def host(rates: Mapping[tuple[str, str], str], name: str) -> str:
    """Return the host's memory and the GPU's, with the measured rates of copies between them, in GB/s."""
    body = _box(0.5, 0.5, 286, 196, "the host") + _box(WIDTH - 206, 0.5, 205, 196, "the GPU")
    body += _box(14, 30, 258, 66, "pageable memory", "malloc, new, arrays on the stack")
    body += _box(14, 116, 258, 66, "pinned memory", "cudaMallocHost; a driver's buffer, too")
    body += _box(WIDTH - 192, 30, 177, 152, "global memory", "cudaMalloc")
    body += arrow("kf-link", 120, 96, 120, 116) + arrow("kf-link", 180, 116, 180, 96)
    for (memory, words), y in ((("pageable", "pageable, by the buffer"), 30), (("pinned", "pinned"), 116)):
        body += text("kf-small", 364, y + 8, words, "middle")
        body += arrow("kf-way-read", 286, y + 32, WIDTH - 206, y + 32)
        body += text("kf-sum", 364, y + 27, rates[memory, "to the GPU"], "middle")
        body += arrow("kf-way-write", WIDTH - 206, y + 58, 286, y + 58)
        body += text("kf-sum", 364, y + 53, rates[memory, "to the host"], "middle")
    about = "; ".join(f"{memory}, {way}: {rate} GB/s" for (memory, way), rate in rates.items())
    rows = [(memory, way, f"{rate} GB/s") for (memory, way), rate in rates.items()]
    table = words_table(("memory", "direction", "rate"), rows, "Copies between host and GPU")
    keys = [("read", "to the GPU, GB/s"), ("write", "to the host, GB/s")]
    return (
        frame(name, "Copies between the host and the GPU", f"Copies of a large array: {about}.", 198, body)
        + table
        + legend(keys)
    )


def clusters(groups: Mapping[int, int], size: int, name: str) -> str:
    """Return the SMs of a GPU in the groups that share clusters, filled with clusters of `size` blocks, one on each SM.

    Args:
        groups: how many groups there are, by the number of their SMs.
    """
    cell, gap = 15, 26
    body, x, y, placed, number = "", 0.0, 0.0, 0, 0
    for sms in sorted(groups, reverse=True):
        for _ in range(groups[sms]):
            if x + sms * cell + 5 > WIDTH:
                x, y = 0.0, y + 30
            body += rect("kf-still", x + 0.5, y + 0.5, sms * cell + 4, cell + 6, 'rx="4"')
            for sm in range(sms):
                full = sm < sms // size * size
                kind = ("kf-read" if (number + sm // size) % 2 else "kf-many") if full else "kf-sector"
                body += rect(kind, x + 3 + sm * cell, y + 4, cell - 2, cell - 2)
            placed, number = placed + sms // size, number + sms // size
            x += sms * cell + gap
    total = sum(sms * count for sms, count in groups.items())
    rows = [(count, sms, sms // size) for sms, count in sorted(groups.items(), reverse=True)]
    table = words_table(("groups", "SMs in each", "clusters in each"), rows, f"Clusters of {size} blocks")
    about = f"{total} SMs in {sum(groups.values())} groups: " + "; ".join(
        f"{count} of {sms} SMs with room for {fit} clusters of {size}" for count, sms, fit in rows
    )
    used = placed * size
    result = verdict(f"{placed} clusters of {size}: {used} of {total} SMs have a block, {total - used} have none.")
    keys = [("many", "a cluster"), ("read", "the next one"), ("sector", "an SM without a block")]
    title = f"Clusters of {size} on the SMs of a GPU"
    return frame(name, title, f"{about}.", y + 24, body) + table + result + legend(keys)
