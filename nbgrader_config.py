"""nbgrader for this course: `nbgrader generate_assignment|autograde|generate_feedback <chapter>` here."""

import datetime
import os
import sys
import warnings
from pathlib import Path

from nbconvert.preprocessors import CSSHTMLHeaderPreprocessor
from nbgrader.preprocessors import (
    AssignLatePenalties,
    CheckCellMetadata,
    ClearOutput,
    DeduplicateIds,
    GetGrades,
    IgnorePattern,
    LimitOutput,
    OverwriteCells,
    OverwriteKernelspec,
)
from sqlalchemy.exc import SAWarning

from autograder.classroom.collecting.exchange import CollectPlainFiles
from autograder.classroom.execution.preprocessors import Execute, HideTests, SaveGrades
from autograder.classroom.results.lateness import LatePenalty
from autograder.classroom.submission.exercise import RecordRelease
from autograder.classroom.submission.folder import Rebuild, SubmissionExporter, drop_copies, expect_every_notebook
from autograder.exercises.authoring.nbgrader_app import RELEASED, SOURCE
from autograder.exercises.authoring.preprocessors import AddSetUp, CourseSeed, Explain, GoOnAfterTests, NameChapters

c = get_config()  # noqa: F821

# nbgrader calls the program `alembic` when it creates the gradebook: find it beside this Python, even if the
# virtual environment is not activated.
os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
# nbgrader 0.9.6 makes SQLAlchemy 2.1 warn about objects outside a session, to no effect.
warnings.filterwarnings("ignore", category=SAWarning)

# A gradebook on PostgreSQL requires this name.
c.CourseDirectory.course_id = "threads"

# One assignment for each chapter: solutions/<chapter>/*.ipynb is the source of exercises/<chapter>/*.ipynb.
c.CourseDirectory.source_directory = SOURCE
c.CourseDirectory.release_directory = RELEASED
c.CourseDirectory.ignore = [".ipynb_checkpoints", "*.pyc", "__pycache__", "feedback", "mutants", "variants", "exam.md"]
# The hidden sizes of an exercise are given once, in its contract, which is not a test cell.
c.ClearHiddenTests.enforce_metadata = False
c.ClearSolutions.code_stub = {"python": "// YOUR CODE HERE"}
c.GenerateAssignment.preprocessors.insert(0, AddSetUp)
c.GenerateAssignment.preprocessors.insert(1, GoOnAfterTests)
c.GenerateAssignment.preprocessors.insert(2, Explain)
c.GenerateAssignment.preprocessors.insert(3, NameChapters)
c.GenerateAssignment.preprocessors.insert(4, CourseSeed)
c.GenerateAssignment.preprocessors.append(RecordRelease)

# Nothing in nbgrader's exchange is followed as a link.
c.ExchangeFactory.collect = CollectPlainFiles

# Every submission is rebuilt from the released notebook: nothing of the student's runs except answers.
c.Autograde.exporter_class = SubmissionExporter
c.Autograde.pre_convert_hook = expect_every_notebook
c.Autograde.post_convert_hook = drop_copies
c.Autograde.sanitize_preprocessors = [
    Rebuild,
    ClearOutput,
    DeduplicateIds,
    OverwriteKernelspec,
    OverwriteCells,
    CheckCellMetadata,
]
c.Autograde.autograde_preprocessors = [
    Execute,
    IgnorePattern,
    LimitOutput,
    SaveGrades,
    AssignLatePenalties,
    CheckCellMetadata,
]
# A launch that does not end is stopped by the emulator or the GPU worker, with a report. A cell that
# outlives this (in seconds) is the grader's own fault.
c.Execute.timeout = 120
# A cell with anything on stderr would score 0, and checks speak through exceptions.
c.IgnorePattern.enabled = True
c.IgnorePattern.pattern = r"\A"


def late_penalty(score: float, late: datetime.timedelta) -> float:
    """The points that an exercise of `score` loses if its chapter comes so `late`: none, unless you write otherwise.
    A tenth for each whole day: `return score * 0.1 * late.days`."""
    return 0.0


c.AssignLatePenalties.plugin_class = LatePenalty
c.LatePenalty.points = late_penalty

c.GenerateFeedback.preprocessors = [GetGrades, HideTests, CSSHTMLHeaderPreprocessor]
