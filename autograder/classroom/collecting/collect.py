"""Sort an LMS's downloads into `submitted/<student>/<chapter>/<exercise>.ipynb`.

nbgrader's own `zip_collect` needs one pattern that fits every name. A broken archive or a second version of a notebook
stops it before anybody is collected, and nothing stops an archive that fills the disk. Here each file is judged alone,
and each one that cannot be placed is reported with the reason.
"""

from __future__ import annotations

import shlex
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from ...cuda.errors import UsageError
from ...cuda.report.vocabulary import count, printable
from ...exercises.authoring.nbgrader_app import SUBMITTED
from ..classroom import Classroom
from ..lms import is_receipt
from ..names import Person, some_of, strangers, whole_name
from ..submission.notes import NoteKind
from .class_downloads import Download, downloads_in
from .downloads import Found, read_downloads
from .exercises import Exercises, UnplacedError
from .origins import keep_origins, read_origins
from .place import place, take_from_unknown
from .renamed_folders import keep_renamed, read_renamed
from .roster import Participant, Roster, UnknownError, exercise_named, is_late, submitted_at
from .sources import is_free_for_one, notebook_of
from .times import how_to_know_times, stamp_from, without_a_time
from .uncollected import Uncollected, content_of, keep_uncollected
from .versions import Collected, Version, of_one_student, trouble_of
from .worksheet import Worksheet, names_for, participants_in, read_worksheet

#: The most notebooks of one student that are read, in all versions, and the most of their files that are reported.
_MOST_NOTEBOOKS, _MOST_LEFT = 200, 20
#: The most files that one line names.
_MOST_NAMES = 3
_BESIDE = "Only notebooks are graded. If it holds an answer, ask for a notebook that does."
_STRAY = (
    "It has several people's files, but is among files of one person each. If it is a download, collect it by itself"
)


def collect(room: Classroom, chapter: str, sources: Sequence[Path]) -> Collected:
    """Put the notebooks in `sources` (folders, zip archives, notebooks) where they are graded.

    Of several versions, the latest that can be read counts. A notebook that was collected before is replaced by a
    later one only. Modification times are kept.

    Raises:
        UsageError: the chapter was not released, a source does not exist, or something cannot be written.
    """
    renamed = read_renamed(room, chapter)
    people, unlisted = _people(room, renamed)
    ids = {person.id for person in people}
    nameless = sum(not (person.first_name and person.last_name) for person in people)
    names = {found_file.id: whole_name(found_file.first_name, found_file.last_name) for found_file in people}
    done = Collected(people=len(people), nameless=nameless, names=names)
    with TemporaryDirectory(prefix="autograder-") as folder:
        sorting = _Sorting(room.root, chapter, people, done)
        sorting.sort(sources, Path(folder))
        accounts = {person.id: person.lms_number for person in people}
        versions = of_one_student(sorting.versions, ids, accounts, read_origins(room, chapter), done)
        for (student, exercise), several in sorted(versions.items()):
            try:
                place(room.root, chapter, (student, exercise), sorted(several, key=lambda v: v.rank), done)
                take_from_unknown(room.root, chapter, (student, exercise), several, ids, done)
            except OSError as error:
                where = f"{SUBMITTED}/{student}/{chapter}"
                why = f"{where} cannot be written ({error.strerror}). Fix that, and collect again."
                if isinstance(error, FileExistsError | IsADirectoryError | NotADirectoryError):
                    why = f"{error.filename} is in the way. Move it, and collect again."
                version = max(several, key=lambda v: v.rank)
                done.left.append(Uncollected(version.found.name, why, version.source, student, exercise))
    placed = {student for student, _ in versions}
    for (student, source), files in sorted(sorting.others.items()):
        if not files:  # all were answers
            continue
        if student not in placed:
            why = f"{done.called(student)} handed in no notebook. Ask for the .ipynb file."
            done.left.append(Uncollected(some_of(sorted(files), _MOST_NAMES), why, source, student))
        elif mine := sorted(name for name in files if not is_receipt(name.rpartition("/")[2])):
            done.others += [(name.rpartition("/")[2], names.get(student) or student) for name in mine]
            done.reported.append(
                Uncollected(some_of(mine, _MOST_NAMES), _BESIDE, source, student, kind=NoteKind.BESIDE)
            )
    done.unknown += sorted(placed - ids)
    called = {version.called for several in versions.values() for version in several}
    done.notes += [
        f"{former} is collected as {done.called(student)}, because that folder was renamed."
        for former, student in sorted(renamed.items())
        if former in called
    ]
    keep_renamed(room, chapter, renamed, (placed - ids) | (placed & unlisted))
    counting = {who: max(several, key=lambda v: v.rank) for (who, _), several in sorted(versions.items())}
    if origins := {who: version.origin for who, version in counting.items() if version.origin}:
        keep_origins(room, chapter, origins)
    done.left[:] = _bounded(done.left)
    keep_uncollected(room, chapter, sources, [*done.left, *done.reported])
    _take_times(room, chapter, sorting, done)
    return done


def _take_times(room: Classroom, chapter: str, sorting: _Sorting, done: Collected) -> None:
    """Take the submission times from the worksheets, and note who is still without one."""
    origins = read_origins(room, chapter)
    try:
        timed = sum(1 for _ in stamp_from(room, chapter, sorting.worksheets, sorting.participants, origins))
    except OSError as error:
        raise UsageError(f"{error.filename} cannot be written ({error.strerror}).") from None
    done.times = ", ".join(sheet.name for sheet in sorting.worksheets), timed
    if untimed := without_a_time(room, chapter):
        done.untimed = len(untimed), how_to_know_times(chapter, untimed, origins)


def _worksheets(sources: Sequence[Path], roster: Roster, done: Collected) -> Iterator[Worksheet]:
    """The worksheets in `sources`. One under a student's name may be that student's, who could write anything."""
    for source in sources:
        inside = source.iterdir() if source.is_dir() else (source,)
        for path in sorted(path for path in inside if path.suffix.lower() == ".csv"):
            if path != source and roster.recognizes(path.name):
                continue
            try:
                yield (sheet := read_worksheet(path))
            except ValueError as error:
                if path == source:
                    done.notes.append(f"{path.name}: {error}.")
                continue
            if sheet.unread:
                done.notes.append(
                    f"{path.name}: {count(len(sheet.unread), 'time')} cannot be read, such as '{sheet.unread[0]}'. Set "
                    "Moodle to English, and download it again."
                )


def _bounded(left: Sequence[Uncollected]) -> Iterator[Uncollected]:
    """`left`, but of one student in one download no more than `_MOST_LEFT`, with how many more there are."""
    of: dict[tuple[str, str], list[Uncollected]] = defaultdict(list)
    for found_file in left:
        of[found_file.source, found_file.student].append(found_file)
    for (_, student), several in of.items():
        most = _MOST_LEFT if student else len(several)
        yield from several[:most]
        if rest := several[most:]:
            yield replace(rest[0], why=f"{rest[0].why} And {len(rest) - 1} more of {student}'s files were left.")


class _Sorting:
    """Sorted downloads: `versions` by student and exercise, and `others`, the names of files that are not notebooks,
    by student and download. All else is added to `done.left`."""

    def __init__(self, root: Path, chapter: str, people: Sequence[Person], done: Collected) -> None:
        self._root, self._chapter, self._done = root, chapter, done
        self._exercises = exercises = Exercises(root, chapter)
        self._people, self._roster = people, Roster(people, (chapter, *exercises.names))
        self.worksheets: tuple[Worksheet, ...] = ()
        self._words = [
            word
            for found_file in people
            for word in (found_file.id, found_file.email, f"{found_file.first_name} {found_file.last_name}")
        ]
        self.versions: dict[tuple[str, str], list[Version]] = defaultdict(list)
        self.others: dict[tuple[str, str], list[str]] = defaultdict(list)
        self._notebooks: Counter[str] = Counter()
        self._sources: list[tuple[str, Found, Sequence[str], str]] = []

    def sort(self, sources: Sequence[Path], folder: Path) -> None:
        """Sort all of `sources`; notebooks are copied into `folder`."""
        self.worksheets = tuple(_worksheets(sources, self._roster, self._done))
        self._roster.participants = participants_in(self.worksheets, self._people)
        files: list[tuple[Download, Found]] = []
        for source, read in read_downloads(sources, folder):
            mine, stray = downloads_in(source, read, self._roster, self._words, self._chapter)
            files += [
                (each, found_file)
                for each in mine
                for file in each.files
                for found_file in self._for_each_owner(each, file)
            ]
            for path in stray:
                why = f"{_STRAY} (`{shlex.join(['autograder', 'collect', self._chapter, str(path)])}`)."
                self._done.left.append(Uncollected(path.name, why, str(source.resolve())))
        for download, found_file in files:
            self._roster.meet(download.identifying_parts(found_file))
        for download, found_file in files:
            self._put(str(download.path.resolve()), found_file, download.identifying_parts(found_file))
        self._place_sources(folder)

    @property
    def participants(self) -> Mapping[str, Participant]:
        """Whom the worksheets mean, by Moodle's numbers."""
        return self._roster.participants

    def _for_each_owner(self, download: Download, found_file: Found) -> Iterator[Found]:
        """A file as it is, or once for each member of the team that handed it in."""
        place = download.place_of(found_file)
        for name in names_for(found_file.parts[place], self.participants):
            yield replace(found_file, parts=(*found_file.parts[:place], name, *found_file.parts[place + 1 :]))

    def _put(self, source: str, found_file: Found, identifying_parts: Sequence[str]) -> None:
        try:
            student = self._roster.find(identifying_parts)
        except UnknownError as error:
            if found_file.trouble:
                self._leave(found_file, found_file.trouble, source)
            elif found_file.content:
                self._leave(found_file, str(error), source, content=content_of(found_file.content))
            elif any(map(self._roster.recognizes, identifying_parts)):  # not a file that the LMS added
                self._leave(found_file, str(error), source)
            return
        if found_file.trouble:
            self._leave(
                found_file,
                found_file.trouble,
                source,
                student,
                exercise_named(found_file.parts[-1], self._exercises.names) or "",
            )
        elif found_file.content is None:
            self.others[student, source].append(found_file.name)
            if found_file.source is not None:
                self._sources.append((source, found_file, identifying_parts, student))
        else:
            self._place(source, found_file, found_file.content, identifying_parts, student)

    def _place(
        self, source: str, found_file: Found, content: Path, identifying_parts: Sequence[str], student: str
    ) -> None:
        self._notebooks[student] += 1
        if self._notebooks[student] > _MOST_NOTEBOOKS:
            why = f"{self._done.called(student)} handed in more than {_MOST_NOTEBOOKS} notebooks. Look at them by hand."
            self._leave(found_file, why, source, student)
            return
        try:
            exercise = self._exercises.find(found_file.parts[-1], content)
        except UnplacedError as error:
            self._leave(found_file, str(error), source, student)
            return
        self.versions[student, exercise].append(self._version(source, found_file, content, identifying_parts))
        if Path(found_file.parts[-1]).stem in self._exercises.names - {exercise}:
            self._done.notes.append(
                f"{self._done.called(student)}: {found_file.name} holds {exercise}, and is collected as that."
            )

    def _version(self, source: str, found_file: Found, content: Path, identifying_parts: Sequence[str]) -> Version:
        when, late = submitted_at(identifying_parts) or found_file.handed_in, is_late(identifying_parts)
        called, origin = self._roster.called(identifying_parts), self._roster.origin(identifying_parts)
        inside = identifying_parts[1] if len(identifying_parts) > 2 else ""
        return Version(source, found_file, content, called, when, late, origin, inside, trouble_of(content))

    def _place_sources(self, folder: Path) -> None:
        """Put answers that came as files into notebooks, of those who handed in no notebook of the exercise."""
        found: dict[tuple[str, str], list[tuple[str, Found, Sequence[str], bytes]]] = defaultdict(list)
        for source, found_file, identifying_parts, student in self._sources:
            if made := notebook_of(found_file.parts[-1], found_file.source or b"", self._exercises.released):
                found[student, made[0]].append((source, found_file, identifying_parts, made[1]))
        for (student, exercise), several in found.items():
            path = self._root / SUBMITTED / student / self._chapter / f"{exercise}.ipynb"
            differ = len({found_file.source for _, found_file, _, _ in several}) > 1
            if differ or (student, exercise) in self.versions or not is_free_for_one(path):
                continue
            for number, (source, found_file, identifying_parts, notebook) in enumerate(several):
                content = folder / f"{len(self.versions)}-{number}.made"
                content.write_bytes(notebook)
                self.versions[student, exercise].append(self._version(source, found_file, content, identifying_parts))
                self.others[student, source].remove(found_file.name)
                taken = f"{found_file.name} is collected as {exercise}.ipynb, of which it has the kernel."
                self._done.notes.append(f"{self._done.called(student)}: {taken}")

    def _leave(
        self, found_file: Found, why: str, source: str, student: str = "", exercise: str = "", content: str = ""
    ) -> None:
        self._done.left.append(Uncollected(found_file.name, why, source, student, exercise, content))


def _people(room: Classroom, renamed: Mapping[str, str]) -> tuple[list[Person], set[str]]:
    """The students in the gradebook, without the former names of `renamed` folders; and the ids of those of whom only a
    folder is known."""
    former: dict[str, list[str]] = defaultdict(list)
    for name, student in renamed.items():
        former[student].append(name)
    with room.gradebook() as gradebook:
        unlisted = strangers(gradebook)
        known = [
            Person(s.id, s.first_name or "", s.last_name or "", s.email or "", s.lms_user_id or "", (*former[s.id],))
            for s in gradebook.students
            if s.id not in unlisted & renamed.keys()
        ]
    return known, unlisted


def _who_is_unknown(done: Collected, students: int) -> str:
    """Message about submitters who are not in the gradebook, of `students` in all."""
    some = some_of(done.unknown, _MOST_NAMES)
    again = "`autograder students FILE` takes them from a table of the LMS. Then collect again."
    if not done.people:
        return f"{some}. There are no students yet: {again}"
    if 2 * done.nameless > done.people and 2 * len(done.unknown) > students:
        return f"{some}. Most students there have no first and last name ({done.nameless} of {done.people}): {again}"
    return (
        f"{', '.join(done.unknown)}. If a name is wrong, rename its folder below {SUBMITTED}/, or add who is meant "
        "(`nbgrader db student add`) and collect again."
    )


def _others(others: Sequence[tuple[str, str]]) -> str:
    """Files by name; many of one kind by their number."""
    of: dict[str, list[str]] = defaultdict(list)
    for name, who in sorted(others):
        of[Path(name).suffix.lower()].append(f"{name} ({who})")
    few = [found_file for several in of.values() for found_file in several if len(several) <= _MOST_NAMES]
    many = {suffix: several for suffix, several in of.items() if len(several) > _MOST_NAMES}
    reported = few + [f"{len(files)} {suffix or 'other'} files, such as {files[0]}" for suffix, files in many.items()]
    return some_of(reported, _MOST_LEFT)


def lines_of(done: Collected) -> Iterator[str]:
    """What was done, and one line for each thing that needs attention."""
    students = {student for student, _ in (*done.new, *done.replaced, *done.unchanged)}
    yield (
        f"{count(len(students), 'student')}: {count(len(done.new), 'notebook')} new, {len(done.replaced)} replaced by "
        f"later ones, {len(done.unchanged)} there already."
    )
    late = sum(found_file.kind == NoteKind.LATE for found_file in done.reported)
    if late:
        them = "it" if late == 1 else "them"
        yield f"late by the LMS, which does not say when: {count(late, 'notebook')}. The class report names {them}."
    if done.times[0]:
        yield printable(f"submission times: {count(done.times[1], 'student')}, from {done.times[0]}.")
    if done.untimed[0]:
        who = count(done.untimed[0], "student")
        yield f"no submission time: {who}, not counted as late. {done.untimed[1]}"
    if done.unknown:
        yield printable(f"not in the gradebook: {_who_is_unknown(done, len(students))}")
    if done.moved:
        moved = list(dict.fromkeys(f"{former} is {student}" for student, former in done.moved))
        yield printable(
            f"unknown until now: {some_of(moved, _MOST_NAMES)}. {count(len(done.moved), 'notebook')} moved there."
        )
    if done.others:
        yield printable(f"not a notebook, left: {_others(done.others)}.")
    yield from (printable(f"note: {line}") for line in done.notes)
    alike: dict[str, list[Uncollected]] = defaultdict(list)
    for found_file in done.left:
        alike[found_file.why].append(found_file)
    for why, several in alike.items():
        yield printable(f"not collected: {some_of((found_file.name for found_file in several), _MOST_NAMES)}: {why}")
