"""Draw `Interleaving`: two threads left and right, the element between them, time going down; once in the
emulator's order and once in another one."""

from __future__ import annotations

from .interleaving import Interleaving, Order, Step
from .svg import frame, legend, rect, text, verdict, words_table

_WIDTH, _HEAD, _STEP = 310, 92, 46
_SIDES, _MIDDLE = (42, 268), 155
#: Half the width of the box that shows the element, and of the one that shows what a thread does.
_BOX, _ACTIONS = 25, 42


def figure(story: Interleaving, name: str) -> str:
    """Both drawings, their table and the legend, as HTML. `name` is unique on the page."""
    pair = (("One order, as the emulator ran it", story.seen), ("Another order", story.other))
    drawings = "".join(
        frame(
            f"{name}-{number}",
            f"{heading} of the steps of two threads at {story.element}",
            describe(story, order),
            _HEAD + _STEP * len(order.steps) + 50,
            _order(story, order, heading),
            width=_WIDTH,
        )
        for number, (heading, order) in enumerate(pair, 1)
    )
    steps = zip(story.seen.steps, story.other.steps, strict=True)
    table = words_table(
        ("step", *(heading for heading, _ in pair)),
        [(number, _sentence(story, a), _sentence(story, b)) for number, (a, b) in enumerate(steps, 1)],
        f"The steps of two threads at {story.element}",
    )
    keys = [("read", "reads the element"), ("write", "writes it"), ("atomic", "reads, adds and writes in one step")]
    actions = {step.action for step in story.seen.steps}
    used = [key for key in keys if key[0] in actions]
    if story.losing:
        used.append(("clash", "writes over what it has not seen"))
    return f'<div class="kf-pair">{drawings}</div>{table}{verdict(summary(story))}{legend(used)}'


def describe(story: Interleaving, order: Order) -> str:
    """Return what one drawing shows, in words, for those who cannot see it."""
    steps = ". ".join(_sentence(story, step) for step in order.steps)
    end = f"At the end {story.element} is {order.end}, {_judges(story, order)}."
    return f"{story.element} starts as {story.start}. {steps}. {end}"


def summary(story: Interleaving) -> str:
    """Return the results of all orders, in a sentence."""
    these = f"The {len(story.seen.steps)} steps can come in {story.orders} orders"
    if not story.losing:
        return f"{these}, and each ends with {story.right}."
    return f"{these}: {story.orders - story.losing} of them end with {story.right}, {story.losing} lose an update."


def _sentence(story: Interleaving, step: Step) -> str:
    verb = {"read": "reads", "write": "writes", "atomic": "makes it, in one step,"}[step.action]
    return f"Thread {story.names[step.thread]} {verb} {step.value}"


def _judges(story: Interleaving, order: Order) -> str:
    return "as it should be" if order.end == story.right else f"and should be {story.right}: an update is lost"


def _order(story: Interleaving, order: Order, heading: str) -> str:
    floor = _HEAD + _STEP * len(order.steps)
    out = [text("kf-sum", 0, 14, heading)]
    for side, name in zip(_SIDES, story.names, strict=True):
        out.append(text("kf-label", side, 42, f"thread {name}", "middle"))
        out.append(f'<line class="kf-life" x1="{side}" x2="{side}" y1="50" y2="{floor + 6}"/>')
    out.append(text("kf-label kf-mono", _MIDDLE, 42, story.element, "middle"))
    out.append(f'<line class="kf-life" x1="{_MIDDLE}" x2="{_MIDDLE}" y1="50" y2="{floor + 12}"/>')
    out.append(_box(50, story.start, "kf-value"))
    value = story.start
    for number, step in enumerate(order.steps):
        y = _HEAD + _STEP * number
        kind = "clash" if step.stale else step.action
        out.append(_arrow(step, y + 14, kind))
        side = _SIDES[step.thread]
        words = {"read": "reads", "write": "writes", "atomic": f"adds {story.adds}"}[step.action]
        shown = words if step.action == "atomic" else f"{words} {step.value}"
        out.append(rect(f"kf-{kind}", side - _ACTIONS, y + 1, 2 * _ACTIONS, 26, 'rx="5"'))
        out.append(text(f"kf-in-{kind} kf-says", side, y + 18.5, shown, "middle"))
        if step.action != "read":
            value = step.value
            out.append(_box(y, value, "kf-value kf-lost" if step.stale else "kf-value kf-new"))
    right = order.end == story.right
    words = f"{story.element} is {order.end}" + ("" if right else f", not {story.right}: an update is lost")
    out.append(text("kf-sum kf-good" if right else "kf-sum kf-bad", _MIDDLE, floor + 36, words, "middle"))
    return "".join(out)


def _box(y: float, value: float, kind: str) -> str:
    return rect(kind, _MIDDLE - _BOX, y, 2 * _BOX, 28, 'rx="4"') + text(
        "kf-value-text", _MIDDLE, y + 19.5, f"{value}", "middle"
    )


def _arrow(step: Step, y: float, kind: str) -> str:
    """From the element to the thread that reads it; the other way for a write; both for an atomic."""
    left = step.thread == 0
    thread = _SIDES[step.thread] + (_ACTIONS if left else -_ACTIONS)
    element = _MIDDLE + (-_BOX if left else _BOX) * (step.action != "read")
    out = f'<line class="kf-way-{kind}" x1="{thread}" x2="{element}" y1="{y}" y2="{y}"/>'
    toward = {"read": (thread,), "write": (element,), "atomic": (thread, element)}[step.action]
    for tip in toward:
        back = 8 if (tip == thread) == left else -8
        out += f'<path class="kf-tip-{kind}" d="M{tip} {y}l{back} -5v10z"/>'
    return out
