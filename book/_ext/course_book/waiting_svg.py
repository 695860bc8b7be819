"""Draw what warps do while memory takes its time: load, wait, store; one warp, several, and several loads of each."""

from __future__ import annotations

from dataclasses import dataclass

from .svg import arrow, frame, hatch, in_cell, label_width, legend, rect, text, verdict, words_table

#: Steps of the drawing, and steps from the issue of a load until its data has arrived: schematic, as the caption says.
STEPS, LATENCY = 36, 8
#: Between the first steps of one warp and the next: then no two warps have an instruction in the same step.
_APART = 2


@dataclass(frozen=True)
class Way:
    """Warps that each issue `loads`, wait for the first of them, and store what has arrived, again and again."""

    title: str
    warps: int
    loads: int

    def load_steps(self, warp: int) -> list[int]:
        """Return when the warp issues its loads; after the last store it begins again."""
        rounds = range(_APART * warp, STEPS, LATENCY + self.loads)
        return [step + i for step in rounds for i in range(self.loads) if step + i < STEPS]

    def store_steps(self, warp: int) -> list[int]:
        return [step + LATENCY for step in self.load_steps(warp) if step + LATENCY < STEPS]

    def in_flight(self) -> list[int]:
        """Return how many loads are in flight in each step."""
        begun = [step for warp in range(self.warps) for step in self.load_steps(warp)]
        return [sum(step <= now < step + LATENCY for step in begun) for now in range(STEPS)]

    def stores(self) -> int:
        return sum(len(self.store_steps(warp)) for warp in range(self.warps))


WAYS = (
    Way("one warp, one load at a time", 1, 1),
    Way("four warps, one load at a time", 4, 1),
    Way("one warp, four loads at a time", 1, 4),
)


def waiting(latency: str, name: str) -> str:
    """Return what each warp does over time, and how many loads are in flight.

    Args:
        latency: cycles that a load waits for global memory, as a table has them.
    """
    unit, high = 15, 19
    left = label_width(["in flight"])
    body, y = "", 0.0
    for way in WAYS:
        body += text("kf-label", 0, y + 13, f"{way.title}: {way.stores()} stores")
        y += 20
        for warp in range(way.warps):
            body += text("kf-small", 0, y + 13, f"warp {warp}")
            loads, stores = way.load_steps(warp), way.store_steps(warp)
            for step in sorted(set(range(loads[0], STEPS)) - {*loads, *stores}):
                body += hatch(name, left + unit * step, y + 3, unit, high - 5)
            for kind, steps in (("read", loads), ("write", stores)):
                for step in steps:
                    body += rect(f"kf-{kind}", left + unit * step, y + 3, unit - 2, high - 5)
            y += high
        body += text("kf-small", 0, y + 13, "in flight")
        for step, flying in enumerate(way.in_flight()):
            body += rect("kf-many" if flying else "kf-still", left + unit * step, y + 3, unit - 2, high - 5)
            if flying:
                body += in_cell("many", left + unit * step + unit / 2 - 1, y + 13, str(flying), unit - 2)
        y += high + 12
    until = left + unit * LATENCY
    body += arrow("kf-link", left, y - 2, until, y - 2) + text("kf-small", until + 6, y + 2, f"about {latency} cycles")
    rows = [(way.title, f"{max(way.in_flight())} in flight", f"{way.stores()} stores") for way in WAYS]
    about = f"In {STEPS} steps, of which a load takes {LATENCY}: " + "; ".join(
        f"{title}: at most {flying}, {stores}" for title, flying, stores in rows
    )
    first, *more = (way.stores() for way in WAYS)
    result = verdict(
        f"In {STEPS} steps: {first} stores with one load in flight, {' and '.join(map(str, more))} with four."
    )
    keys = [("read", "load"), ("waste", "wait"), ("write", "store"), ("many", "loads in flight")]
    table = words_table(("who", "loads", "result"), rows, "What is in flight")
    return frame(name, "Load, wait, store over time", f"{about}.", y + 10, body) + table + result + legend(keys)
