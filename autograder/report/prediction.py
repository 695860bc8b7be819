"""What was predicted of a kernel and is not so, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..core.findings import Finding
from ..core.setting import Setting
from .layout import Report
from .speed import duration
from .vocabulary import Said, case_line

PARTS = {"memory": "global memory", "shared": "shared memory", "arithmetic": "arithmetic"}
_RULES = {
    "operations": "Each addition, subtraction, multiplication and division of floats counts, by every thread and in "
    "every round of a loop; a multiply-add counts as two. Work on indices does not count.",
    "bytes": "Each load from global memory and each store to it counts, by every thread and in every round of a loop, "
    "with the 4 bytes of a float. Registers and shared memory do not count.",
    "intensity": "The intensity is the number of operations for each byte that is loaded from or stored to global "
    "memory.",
    "limit": "For each of the three parts, divide what the launch wants of it by what the GPU can do in a second. The "
    "longest of the three times is the limit: no launch can take less.",
}


def tell_wrong_prediction(finding: Finding) -> Said:
    detail = finding.detail
    word = detail["word"]
    lines = _limit(detail) if word == "limit" else [_number(word, detail["said"], detail["counted"])]
    return Said(("\n".join(lines),), _RULES[word], "measuring")


def _number(word: str, said: Any, counted: float) -> str:
    if not isinstance(said, int | float):
        return f"{word} is one number here, and not {said}."
    if counted == 0:
        return f"You say {said:g}. The emulator counts none."
    if said == 0:
        return "You say 0. The emulator counts some."
    return f"You say {said:g}. The emulator counts {counted / said:.3g} times that."


def _limit(detail: Mapping[str, Any]) -> list[str]:
    if not detail["part"]:
        return [f"{detail['said']} is none of the limits: write memory, shared or arithmetic."]
    own = detail["parts"][detail["part"]]
    return [
        f"You say that {PARTS[detail['part']]} is the limit.",
        f"{_measured(detail)} {PARTS[detail['part']]} alone would take about {duration(own)} for that, and another "
        "part takes longer.",
    ]


def limit_confirmed(line: str, part: str, detail: Mapping[str, Any]) -> str:
    """The one line of a limit that was predicted rightly, with what was measured."""
    return f"{line} {_measured(detail)} {PARTS[part]} alone takes about {duration(detail['parts'][part])} for that."


def _measured(detail: Mapping[str, Any]) -> str:
    size = ", ".join(f"{word}={value}" for word, value in detail["large"].items())
    return f"On the {detail['machine']}, {size} took {duration(detail['took'])};"


def not_evaluated(sentence: str, setting: Setting, problem: str) -> Report:
    """The report of a check whose `%%values` cell cannot be used; `problem` is a sentence."""
    return Report(f"{sentence}: BLOCKED", case_line(setting), (f"The values cannot be used: {problem}",))
