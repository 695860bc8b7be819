"""Sort an LMS's downloads into `submitted/<student>/<chapter>/<exercise>.ipynb`.

nbgrader's own `zip_collect` needs one pattern that fits every name. A broken archive or a second version of a notebook
stops it before anybody is collected, and nothing stops an archive that fills the disk. Here each file is judged alone,
and each one that cannot be placed is reported with the reason.
"""

from __future__ import annotations

import datetime
import errno
import filecmp
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from ...report.vocabulary import printable
from ..classroom import Classroom
from ..nbgrader_app import SUBMITTED
from ..submission.answers import NoteKind
from ..submission.handin import read_cells
from ..submission.plain_files import MAX_FILE_BYTES, UnreadableError, modified_at, read_plain, remove_plain, write_plain
from .downloads import Found, Unread, read_download
from .exercises import Exercises, UnplacedError
from .origins import keep_origins
from .roster import Person, Roster, UnknownError, copy_number, exercise_named, handed_in_at, is_late
from .uncollected import Uncollected, content_of, keep_uncollected

_TIMESTAMP = "timestamp.txt"  # nbgrader's; it decides who is late
#: The most notebooks of one student that are read, in all versions, and the most of their files that are told.
_MOST_NOTEBOOKS, _MOST_LEFT = 200, 20


@dataclass
class Collected:
    """The outcome of collecting downloads.

    Args:
        new, replaced, unchanged: (student, exercise).
        notes: what the instructor should know, a line each.
        told: what of that the class report repeats.
        left: the files that could not be placed.
        unknown: students who are not in the gradebook.
    """

    new: list[tuple[str, str]] = field(default_factory=list)
    replaced: list[tuple[str, str]] = field(default_factory=list)
    unchanged: list[tuple[str, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    told: list[Uncollected] = field(default_factory=list)
    left: list[Uncollected] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class _Version:
    """A student's version of a notebook, from the download `source`, which names the student `called`; `origin` is the
    name that the LMS gave it, if any. `trouble` says why the notebook cannot be read; "" if it can."""

    source: str
    found: Found
    content: Path
    called: str
    handed_in: datetime.datetime | None
    late: bool
    origin: str
    trouble: str

    @property
    def when(self) -> float:
        """When it was handed in, if that is known, or else last modified, in seconds since 1970."""
        return self.handed_in.timestamp() if self.handed_in else self.found.modified

    @property
    def rank(self) -> tuple[bool, float, int, str]:
        """The version with the greatest rank counts."""
        return not self.trouble, self.when, copy_number(self.found.parts[-1]), self.found.name


def collect(room: Classroom, chapter: str, sources: Sequence[Path]) -> Collected:
    """Put the notebooks in `sources` (folders, zip archives, notebooks) where they are graded.

    Of several versions, the latest that can be read counts. A notebook that was collected before is replaced by a
    later one only. Modification times are kept.

    Raises:
        UsageError: the chapter was not released, a source does not exist, or something cannot be written.
    """
    people = _people(room)
    ids = {person.id for person in people}
    done = Collected()
    with TemporaryDirectory(prefix="autograder-") as folder:
        sorting = _Sorting(chapter, Exercises(room.root, chapter), people, done)
        sorting.sort(sources, Path(folder))
        versions = _of_one_student(sorting.versions, ids, done)
        for (student, exercise), several in sorted(versions.items()):
            try:
                _place(room.root, chapter, (student, exercise), sorted(several, key=lambda v: v.rank), done)
                _take_from_unknown(room.root, chapter, (student, exercise), several, ids, done)
            except (FileExistsError, IsADirectoryError, NotADirectoryError) as error:
                why = f"{error.filename} is in the way. Move it, and collect again."
                version = max(several, key=lambda v: v.rank)
                done.left.append(Uncollected(version.found.name, why, version.source, student, exercise))
            except OSError as error:
                where = f"{SUBMITTED}/{student}/{chapter}"
                why = f"{where} cannot be written ({error.strerror}). Fix that, and collect again."
                version = max(several, key=lambda v: v.rank)
                done.left.append(Uncollected(version.found.name, why, version.source, student, exercise))
    placed = {student for student, _ in versions}
    for (student, source), names in sorted(sorting.others.items()):
        if student not in placed:
            why = f"{student} handed in no notebook. Ask for the .ipynb file."
            done.left.append(Uncollected(", ".join(sorted(names)[:3]), why, source, student))
    done.unknown += sorted(placed - ids)
    done.left[:] = _bounded(done.left)
    keep_uncollected(room, chapter, sources, [*done.left, *done.told])
    counting = {who: max(several, key=lambda v: v.rank) for (who, _), several in sorted(versions.items())}
    if origins := {who: version.origin for who, version in counting.items() if version.origin}:
        keep_origins(room, chapter, origins)
    return done


def _bounded(left: Sequence[Uncollected]) -> Iterator[Uncollected]:
    """`left`, but of one student in one download no more than `_MOST_LEFT`, with how many more there are."""
    of: dict[tuple[str, str], list[Uncollected]] = defaultdict(list)
    for one in left:
        of[one.source, one.student].append(one)
    for (_, student), several in of.items():
        most = _MOST_LEFT if student else len(several)
        yield from several[:most]
        if rest := several[most:]:
            yield replace(rest[0], why=f"{rest[0].why} And {len(rest) - 1} more of {student}'s files were left.")


def _of_one_student(
    versions: Mapping[tuple[str, str], list[_Version]], ids: Collection[str], done: Collected
) -> dict[tuple[str, str], list[_Version]]:
    """All `versions` but those of unknown students that may be several people's: a name that no LMS made, with
    versions of an exercise that differ. They are added to `done.left`."""
    doubtful = {
        student
        for (student, _), several in versions.items()
        if student not in ids
        and not all(version.origin for version in several)
        and not all(filecmp.cmp(v.content, several[0].content, shallow=False) for v in several)
    }
    for (student, exercise), several in versions.items():
        for version in several if student in doubtful else ():
            why = f"'{student}' is not in the gradebook, and there are files that differ under that name: they may be "
            why += "several students'. Put the files of each into a folder with the student's id, or add who is meant "
            why += "(`nbgrader db student add`)."
            content = content_of(version.content)
            done.left.append(Uncollected(version.found.name, why, version.source, "", exercise, content))
    return {owner: several for owner, several in versions.items() if owner[0] not in doubtful}


class _Sorting:
    """Sorted downloads: `versions` by student and exercise, and `others`, the names of files that are not notebooks,
    by student and download. All else is added to `done.left`."""

    def __init__(self, chapter: str, exercises: Exercises, people: Sequence[Person], done: Collected) -> None:
        self._chapter, self._exercises, self._done = chapter, exercises, done
        self._roster = Roster(people, (chapter, *exercises.names))
        self.versions: dict[tuple[str, str], list[_Version]] = defaultdict(list)
        self.others: dict[tuple[str, str], list[str]] = defaultdict(list)
        self._notebooks: Counter[str] = Counter()

    def sort(self, sources: Sequence[Path], folder: Path) -> None:
        """Sort all of `sources`; notebooks are copied into `folder`."""
        files: list[tuple[str, Found | Unread, list[str]]] = []  # with the names that may identify the student
        for source in sources:
            read = list(read_download(source, folder))
            drop = _common([one.parts for one in read if isinstance(one, Found)], self._roster, self._chapter)
            for one in read:
                telling = [part for part in one.parts[drop:-1] if part != self._chapter]
                if telling and not drop and not source.is_dir() and not self._roster.recognizes(telling[0]):
                    del telling[0]  # a teacher, or the LMS, named the archive of a whole class
                files.append((str(source.resolve()), one, [*telling, one.parts[-1]]))
                self._roster.meet(files[-1][2])
        for source_name, one, telling in files:
            self._put(source_name, one, telling)

    def _put(self, source: str, one: Found | Unread, telling: Sequence[str]) -> None:
        try:
            student = self._roster.find(telling)
        except UnknownError as error:
            if isinstance(one, Unread):
                self._leave(one, one.why, source)
            elif one.content:
                self._leave(one, str(error), source, content=content_of(one.content))
            elif any(map(self._roster.recognizes, telling)):  # not a file that the LMS added
                self._leave(one, str(error), source)
            return
        if isinstance(one, Unread):
            self._leave(one, one.why, source, student, exercise_named(one.parts[-1], self._exercises.names) or "")
        elif one.content is None:
            self.others[student, source].append(one.name)
        else:
            self._place(source, one, one.content, telling, student)

    def _place(self, source: str, one: Found, content: Path, telling: Sequence[str], student: str) -> None:
        self._notebooks[student] += 1
        if self._notebooks[student] > _MOST_NOTEBOOKS:
            why = f"{student} handed in more than {_MOST_NOTEBOOKS} notebooks. Look at them by hand."
            self._leave(one, why, source, student)
            return
        try:
            exercise = self._exercises.find(one.parts[-1], content)
        except UnplacedError as error:
            self._leave(one, str(error), source, student)
            return
        when, late = handed_in_at(telling), is_late(telling)
        called, origin = self._roster.called(telling), self._roster.origin(telling)
        version = _Version(source, one, content, called, when, late, origin, _trouble(content))
        self.versions[student, exercise].append(version)
        if Path(one.parts[-1]).stem in self._exercises.names - {exercise}:
            self._done.notes.append(f"{student}: {one.name} holds {exercise}, and is collected as that.")

    def _leave(
        self, one: Found | Unread, why: str, source: str, student: str = "", exercise: str = "", content: str = ""
    ) -> None:
        self._done.left.append(Uncollected(one.name, why, source, student, exercise, content))


def _people(room: Classroom) -> list[Person]:
    with room.gradebook() as gradebook:
        known = [
            Person(s.id, s.first_name or "", s.last_name or "", s.email or "", s.lms_user_id or "")
            for s in gradebook.students
        ]
    return known


def _common(names: Sequence[tuple[str, ...]], roster: Roster, chapter: str) -> int:
    """How many of the outermost folders or archives hold everything, and so do not identify a student. Of what holds
    one student's files alone, none: it may be that student's."""
    drop = 0
    while len({parts[: drop + 1] for parts in names}) == 1 and not roster.recognizes(names[0][drop]):
        if not all(any(part != chapter for part in parts[drop + 1 : -1]) for parts in names):
            break
        drop += 1
    return drop if len({parts[drop] for parts in names if len(parts) > drop}) > 1 else 0


def _trouble(content: Path) -> str:
    try:
        read_cells(content)
    except UnreadableError as error:
        return str(error)
    return ""


def _place(root: Path, chapter: str, owner: tuple[str, str], versions: Sequence[_Version], done: Collected) -> None:
    student, exercise = owner
    best = versions[-1]
    told = f"{student}, {exercise}"
    folder = root / SUBMITTED / student / chapter
    target = folder / f"{exercise}.ipynb"
    if others := [v for v in versions[:-1] if not filecmp.cmp(v.content, best.content, shallow=False)]:
        names = ", ".join(v.found.name for v in others[:3]) + (f" and {len(others) - 3} more" if others[3:] else "")
        why = "the latest" if not any(v.trouble for v in others) else "the latest that can be read"
        why = f"{best.found.name} counts, {why}; not {names}."
        done.notes.append(f"{told}: several versions. {why}")
        again = f"If another should, put it in the place of {SUBMITTED}/{student}/{chapter}/{exercise}.ipynb."
        several = f"{why} {again}"
        done.told.append(Uncollected(names, several, best.source, student, exercise, kind=NoteKind.VERSIONS))
    if best.late:
        why = "The LMS says that it came late, but not when. If that matters, write the time of handing in into "
        why += f"{SUBMITTED}/{student}/{chapter}/{_TIMESTAMP} (such as 2026-03-01 12:00 UTC) and grade again."
        done.told.append(Uncollected(best.found.name, why, best.source, student, exercise, kind=NoteKind.LATE))
    if any(path.is_symlink() for path in (folder.parent, folder, target)):
        why = f"{SUBMITTED}/{student}/{chapter} is a link or holds one. Put the files there."
        done.left.append(Uncollected(best.found.name, why, best.source, student, exercise))
        return
    if target.exists() and not target.is_file():
        raise FileExistsError(errno.EEXIST, "", str(target))
    if best.trouble:
        if target.exists() and not _trouble(target):
            why = f"it could not be read: {best.trouble}. What was collected before stays. Ask for it again."
            done.left.append(Uncollected(best.found.name, why, best.source, student, exercise))
            return
        why = f"{told}: {best.found.name} could not be read: {best.trouble}."
        done.notes.append(f"{why} It is collected as it is, and the feedback will say so. Ask for it again.")
    if not target.exists():
        done.new.append(owner)
    elif _bytes_at(target) == best.content.read_bytes():
        done.unchanged.append(owner)
        return
    elif modified_at(target) > best.when:
        shown = f"{SUBMITTED}/{student}/{chapter}/{exercise}.ipynb"
        done.notes.append(f"{told}: {best.found.name} is older than {shown}, which stays. If it should not, delete it.")
        return
    else:
        done.replaced.append(owner)
        done.notes.append(f"{told}: replaced by {best.found.name}, which is later.")
    write_plain(target, best.content.read_bytes(), best.when)
    if best.handed_in:
        _stamp(folder / _TIMESTAMP, best.handed_in.astimezone(datetime.UTC))


def _stamp(path: Path, when: datetime.datetime) -> None:
    """Say in a student's folder when the last of its notebooks was handed in."""
    text = f"{when:%Y-%m-%d %H:%M:%S} UTC\n"
    try:
        before = read_plain(path, MAX_FILE_BYTES).decode(errors="replace")
    except UnreadableError:
        before = ""
    if before < text:
        write_plain(path, text.encode(), when.timestamp())


def _bytes_at(path: Path) -> bytes | None:
    """The bytes of a student's notebook; None if there is none, or none that was collected."""
    try:
        return read_plain(path, MAX_FILE_BYTES)
    except UnreadableError:
        return None


def _take_from_unknown(
    root: Path,
    chapter: str,
    owner: tuple[str, str],
    versions: Sequence[_Version],
    ids: Collection[str],
    done: Collected,
) -> None:
    """Remove a notebook that was collected under the name in a download, before the gradebook knew that student. It is
    kept unless this download holds it, too."""
    student, exercise = owner
    for former in sorted({version.called for version in versions} - {student, "", *ids}):
        target = root / SUBMITTED / former / chapter / f"{exercise}.ipynb"
        there = _bytes_at(target)
        if there is None:
            continue
        shown = f"{student}, {exercise}: {target.relative_to(root)}, collected while {student} was unknown,"
        if not any(version.content.read_bytes() == there for version in versions):
            done.notes.append(f"{shown} is another version. If it does not count, delete it.")
            continue
        remove_plain(target, besides=[_TIMESTAMP])
        done.notes.append(f"{shown} is removed.")


def lines_of(done: Collected) -> Iterator[str]:
    """What was done, and one line for each thing that needs attention."""
    students = {student for student, _ in (*done.new, *done.replaced, *done.unchanged)}
    yield (
        f"{len(students)} students: {len(done.new)} notebooks new, {len(done.replaced)} replaced by later ones, "
        f"{len(done.unchanged)} there already."
    )
    late = sum(one.kind == NoteKind.LATE for one in done.told)
    if late:
        yield f"late by the LMS, which does not say when: {late} notebooks. The class report names them."
    if done.unknown:
        names = ", ".join(done.unknown)
        yield printable(
            f"not in the gradebook: {names}. If a name is wrong, rename its folder below {SUBMITTED}/, or add who is "
            "meant (`nbgrader db student add`) and collect again."
        )
    yield from (printable(f"note: {line}") for line in done.notes)
    yield from (printable(f"not collected: {line}") for line in done.left)
