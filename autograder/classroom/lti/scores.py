"""Scores from the gradebook to an LMS's Assignment and Grade Services."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from ...cuda.errors import UsageError
from ...cuda.report.vocabulary import count
from ..classroom import Classroom
from ..names import called, read_names, some_of
from ..results.export import Chapter
from ..results.scores import Scores, read_recorded
from .service import RefusedError, Service

_ITEM, _ITEMS = "application/vnd.ims.lis.v2.lineitem+json", "application/vnd.ims.lis.v2.lineitemcontainer+json"
_SCORE = "application/vnd.ims.lis.v1.score+json"


@dataclass
class Sent:
    """What became of a chapter's scores: the chapter, how many were sent, and who `waits` for points by a person; who
    has no account (`unknown`), and whose score the LMS `refused`, by its reason."""

    chapter: str
    sent: int = 0
    waits: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    refused: dict[str, list[str]] = field(default_factory=dict)


def send(
    room: Classroom, service: Service, items: str, accounts: Mapping[str, str], chapters: Sequence[Chapter]
) -> Iterator[Sent]:
    """Send the scores of `chapters` to the line items at the address `items`, each of which is made if there is none.

    Args:
        accounts: by student, the id of the account in the LMS.

    Raises:
        UsageError: the LMS does not take scores now; what was sent before is there, and may be sent again.
    """
    with room.gradebook() as gradebook:
        names = read_names(gradebook)
        recorded = {chapter.name: read_recorded(gradebook, chapter.name) for chapter in chapters}
    for chapter in chapters:
        done = Sent(chapter.name)
        item = _item(service, items, chapter)
        for student, score in sorted(chapter.scores.items()):
            if student not in accounts:
                done.unknown.append(called(student, names))
                continue
            mine = {name: scores for (who, name), scores in recorded[chapter.name].items() if who == student}
            waits = any(scores.by_hand for scores in mine.values())
            message = _message(accounts[student], score, chapter.max_score, mine, waits)
            try:
                service.post(_scores_of(item), _SCORE, message)
            except RefusedError as error:
                done.refused.setdefault(f"{error.status}, {error}", []).append(called(student, names))
                continue
            done.sent += 1
            done.waits += [called(student, names)] if waits else []
        yield done


def lines_of(done: Sent) -> Iterator[str]:
    """What became of a chapter's scores, and one line for each thing that needs attention."""
    yield f"{done.chapter}: {count(done.sent, 'score')} sent."
    if done.waits:
        yield f"{done.chapter}: marked as not final, since answers wait for points by a person: {some_of(done.waits)}."
    if done.unknown:
        yield (
            f"{done.chapter}: not sent, since the LMS's list does not name them: {some_of(done.unknown)}. Run "
            "`autograder roster`, or enter their scores by hand."
        )
    for why, students in done.refused.items():
        yield f"{done.chapter}: the LMS refused the scores of {some_of(students)} ({why})."


def _item(service: Service, items: str, chapter: Chapter) -> str:
    """The address of the chapter's line item."""
    try:
        for page in service.pages(items, _ITEMS, resource_id=chapter.name):
            for item in page:
                if item.get("resourceId") == chapter.name:
                    return str(item["id"])
        new = {"label": chapter.name, "scoreMaximum": chapter.max_score, "resourceId": chapter.name}
        return str(service.post_for_json(items, _ITEM, json.dumps(new))["id"])
    except RefusedError as error:
        raise UsageError(f"{items} answers {error.status} ({error}): copy the address again.") from None
    except (LookupError, TypeError, AttributeError):
        raise UsageError(f"{items} does not list line items as LTI 1.3 does: copy the address again.") from None


def _scores_of(item: str) -> str:
    """The address that takes scores of a line item, whose own address may end with a query."""
    parts = urlsplit(item)
    return parts._replace(path=f"{parts.path.rstrip('/')}/scores").geturl()


def _message(account: str, score: float, most: float, exercises: Mapping[str, Scores], waits: bool) -> str:
    penalty = sum(scores.penalty for scores in exercises.values())
    points = ", ".join(f"{name} {scores.score:g} of {scores.max_score:g}" for name, scores in sorted(exercises.items()))
    return json.dumps(
        {
            "userId": account,
            "scoreGiven": float(f"{score:g}"),
            "scoreMaximum": most,
            "activityProgress": "Completed",
            "gradingProgress": "PendingManual" if waits else "FullyGraded",
            "timestamp": datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds"),
            "comment": points + (f"; {penalty:g} less for being late" if penalty else ""),
        }
    )
