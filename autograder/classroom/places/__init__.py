"""The places that grade submissions one at a time: the results that each reads, and the files that each takes.

Each is a module of this folder with a `PLACE`, or a `Place` that another package registers in the entry point group
`autograder.places`. Imports `checking`, `results` and `cuda/plugins.py`.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from ...cuda.plugins import plugins
from ...exercises.result import Outcome
from ..checking.bundle import Bundle
from ..results.feedback import shown_report
from ..results.outcomes import GradedCheck, GradedExercise

#: What every place says of an exercise with an answer in words.
_IN_WORDS = "A person grades what is answered in words. Its points are not among these."
_TEMPLATES = Path(__file__).parent / "templates"


@dataclass(frozen=True)
class Assignment:
    """What a place's files for one exercise are made of.

    Args:
        name: of the exercise.
        title: of the exercise, for people.
        chapter: its chapter.
        notebook: what students get, as bytes of a file.
        visible: a bundle with the tests that the notebook shows.
        hidden: a bundle with the hidden tests, too.
    """

    name: str
    title: str
    chapter: str
    notebook: bytes
    visible: Bundle
    hidden: Bundle


@dataclass(frozen=True)
class Course:
    """What is published: the assignments, this package as a wheel (its file's name, its bytes), and the address of the
    course's repository."""

    assignments: Sequence[Assignment]
    wheel: tuple[str, bytes]
    address: str


@dataclass(frozen=True)
class Place:
    """A place.

    Args:
        name: as people write it.
        results: the text of the file of results for a graded exercise.
        refused: the same for a submission that cannot be graded, with one sentence for its author.
        files: the files that the place takes, by path; None if it only reads results.
        summaries: by the environment variable that names a file, the text to append to that file.
        next_step: what to do with the files, a sentence.
    """

    name: str
    results: Callable[[GradedExercise], str]
    refused: Callable[[str], str]
    files: Callable[[Course], Mapping[str, bytes]] | None = None
    summaries: Mapping[str, Callable[[GradedExercise], str]] = field(default_factory=dict)
    next_step: str = ""


@cache
def places() -> dict[str, Place]:
    """Return all places, by the name of their module or entry point.

    Raises:
        UsageError: an installed package registers one that cannot be imported.
    """
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    ours: dict[str, Place] = {name: importlib.import_module(f"{__name__}.{name}").PLACE for name in names}
    return ours | plugins("places")


def feedback(check: GradedCheck) -> str:
    """What the student reads of a check: nothing of a case that the notebook does not show."""
    if check.outcome is Outcome.PASSED:
        return "passed"
    report = shown_report(check)
    return str(report) if report else check.title


def notes(exercise: GradedExercise) -> str:
    """What the student reads about the submission as a whole, and about answers that do not compile."""
    about = [note.text for note in exercise.notes]
    about += [_IN_WORDS] if exercise.texts else []
    return "\n\n".join([*about, *(str(answer.report) for answer in exercise.answers if answer.report)])


def template(path: str, **values: str) -> bytes:
    """The file `path` of the templates, with `{{ name }}` replaced by each of `values`."""
    text = (_TEMPLATES / path).read_text(encoding="utf-8")
    for name, value in values.items():
        text = text.replace("{{ %s }}" % name, value)  # noqa: UP031 (braces in an f-string would hide these)
    return text.encode()


def archive(files: Mapping[str, bytes], programs: Sequence[str] = ()) -> bytes:
    """A zip archive of `files`, of which `programs` can be executed: the same bytes for the same files."""
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as zipped:
        for name, content in sorted(files.items()):
            entry = ZipInfo(name)
            entry.compress_type = ZIP_DEFLATED
            entry.external_attr = (0o100755 if name in programs else 0o100644) << 16
            zipped.writestr(entry, content)
    return packed.getvalue()


def below(folder: str, files: Mapping[str, bytes]) -> Iterator[tuple[str, bytes]]:
    """`files`, each in `folder`."""
    return ((f"{folder}/{name}", content) for name, content in files.items())
