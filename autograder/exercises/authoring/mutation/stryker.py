"""Results as a document of Stryker's mutation-testing schema, version 2, which its report elements show in the source.

https://github.com/stryker-mutator/mutation-testing-elements
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .judged import Status
from .mutants import Answer
from .run import Judgement

#: Scores, in percent, from which a report shows a file in green, and below which in red.
THRESHOLDS = {"high": 99, "low": 95}
#: What the schema has no word of its own for.
_STATUS = {Status.RUNS_ON: Status.TIMEOUT.value, Status.ALIKE: Status.EQUIVALENT.value}


def to_document(judgements: Sequence[Judgement]) -> Mapping[str, Any]:
    """The document, of values that JSON can hold: one "file" for each answer, named `<chapter>/<exercise>/<answer>.cu`
    or `.values`, with its mutants; for a variant, its name follows that of the answer."""
    files: dict[Answer, list[dict[str, Any]]] = {}
    for judgement in judgements:
        files.setdefault(judgement.answer, []).append(_mutant(judgement))
    return {
        "schemaVersion": "2",
        "thresholds": THRESHOLDS,
        "files": {
            file_name(answer): {"language": "cpp", "source": answer.text, "mutants": mutants}
            for answer, mutants in files.items()
        },
    }


def file_name(answer: Answer) -> str:
    """The name of an answer's text in reports."""
    ending = "cu" if answer.is_kernel else "values"
    which = f"-{answer.variant}" if answer.variant else ""
    return f"{answer.path.parent.name}/{answer.path.stem}/{answer.name}{which}.{ending}"


def position(text: str, offset: int) -> tuple[int, int]:
    """The line and the column of a character, both from 1."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def _mutant(judgement: Judgement) -> dict[str, Any]:
    mutant, verdict = judgement.mutant, judgement.verdict
    ends = {"start": mutant.edit.start, "end": mutant.edit.end}
    reported: dict[str, Any] = {
        "id": mutant.key,
        "mutatorName": mutant.operator.replace("_", " "),
        "replacement": mutant.edit.replacement,
        "location": {
            end: dict(zip(("line", "column"), position(judgement.answer.text, offset), strict=True))
            for end, offset in ends.items()
        },
        "status": _STATUS.get(verdict.status, verdict.status.value),
    }
    if verdict.status is Status.KILLED:
        reported["killedBy"] = [verdict.why]
    elif verdict.why:
        reported["statusReason"] = verdict.why
    return reported
