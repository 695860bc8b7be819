"""Wrong predictions about a kernel, in words."""

from __future__ import annotations

from ...cuda.core.setting import Setting
from ...cuda.report.about import About
from ...cuda.report.layout import Report
from ...cuda.report.rule import Rule, Rules
from ...cuda.report.timing import duration
from ...cuda.report.vocabulary import Explanation, Names, case_line
from ..findings import MeasuredLaunch, Predicted, WrongLimit, WrongNumber

PREDICTION_RULES: Rules = {
    "operations": Rule(
        "Each addition, subtraction, multiplication and division of floats counts, by every thread and in "
        "every round of a loop; a multiply-add counts as two. Work on indices does not count.",
        "measuring",
    ),
    "bytes": Rule(
        "Each load from global memory and each store to it counts, by every thread and in every round of a "
        "loop, with the 4 bytes of a float. Registers and shared memory do not count.",
        "measuring",
    ),
    "intensity": Rule(
        "The intensity is the number of operations for each byte that is loaded from or stored to global memory.",
        "measuring",
    ),
    "waits": Rule(
        "Each call that waits counts, by every thread and in every round of a loop: __syncthreads(), wait(), "
        "wait_parity() and arrive_and_wait(), even if the phase has ended already. arrive() waits for nothing.",
        "producers",
    ),
    "limit": Rule(
        "For each of the three parts, divide what the launch needs from it by what the GPU can do in a second. "
        "The longest of the three times is the limit: no launch can take less.",
        "measuring",
    ),
}

PARTS = {"memory": "global memory", "shared": "shared memory", "arithmetic": "arithmetic"}


def describe_wrong_number(finding: WrongNumber, names: Names) -> Explanation:
    return Explanation((_number(finding.word, finding.answered, finding.counted),), PREDICTION_RULES[finding.word])


def _number(word: str, text: Predicted, counted: float) -> str:
    if not isinstance(text, int | float):
        return f"{word} is one number here, and not {text}."
    if counted == 0:
        return f"You say {text:g}. The emulator counts none."
    if text == 0:
        return "You say 0. The emulator counts some."
    times = counted / text
    shown = f"{times:.0f}" if times >= 100 else f"{times:.3g}"  # never as 1e+03
    return f"You say {text:g}. The emulator counts {shown} times that."


def describe_wrong_limit(finding: WrongLimit, names: Names) -> Explanation:
    if finding.part:
        text = (
            f"You say that {PARTS[finding.part]} is the limit.\n"
            f"{_measured(finding.measured)} {PARTS[finding.part]} alone would take about "
            f"{duration(finding.measured.parts[finding.part])} for that, and another part takes longer."
        )
    else:
        text = f"{finding.answered} is none of the limits: write memory, shared or arithmetic."
    return Explanation((text,), PREDICTION_RULES["limit"])


def limit_confirmed(line: str, part: str, measured: MeasuredLaunch) -> str:
    """The line for a limit that was predicted correctly, with the measurement."""
    alone = f"{PARTS[part]} alone takes about {duration(measured.parts[part])} for that."
    return f"{line} {_measured(measured)} {alone}"


def _measured(measured: MeasuredLaunch) -> str:
    size = ", ".join(f"{word}={value}" for word, value in measured.large.items())
    return f"On the {measured.machine}, {size} took {duration(measured.took)};"


def not_evaluated(title: str, setting: Setting, problem: str) -> Report:
    """The report of a check whose `%%values` cell cannot be used; `problem` is a sentence."""
    return Report(f"{title}: BLOCKED", case_line(setting), (f"The values cannot be used: {problem}",))


ABOUT = (
    About(WrongNumber.kind, {WrongNumber: describe_wrong_number, WrongLimit: describe_wrong_limit}, PREDICTION_RULES),
)
