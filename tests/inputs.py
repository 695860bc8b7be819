"""The files that the results of kept tests depend on: see `kept`."""

import pytest

#: Files that decide how a kernel is compiled and emulated, and what is found in it.
EMULATION = (
    *("autograder/__init__.py", "autograder/errors.py", "autograder/kernel.py", "autograder/commands/arguments.py"),
    *(f"autograder/{room}/**/*" for room in ("source", "core", "compiler", "emulator", "checks", "report")),
    *(f"autograder/{room}/**/*" for room in ("nvrtc", "backends", "schedules")),
    "tests/kernels/**/*",
)
#: What decides how NVIDIA's own compiler takes a text.
NVRTC = (
    *("autograder/__init__.py", "autograder/errors.py", "autograder/kernel.py", "autograder/commands/arguments.py"),
    *(f"autograder/{room}/**/*" for room in ("source", "core", "compiler", "report", "nvrtc")),
)
#: Files that decide which kernels a solution notebook declares.
DECLARING = tuple(
    f"autograder/{room}/**/*" for room in ("backends", "schedules", "performance", "exercise", "notebook", "authoring")
)
#: Files that decide the verdict on an answer to an exercise.
CHECKING = (
    "book/_ext/course_book/whole_programs.py",
    *EMULATION,
    *(f"autograder/{room}/**/*" for room in ("performance", "host", "exercise", "notebook", "authoring")),
    "autograder/grading/submission/**/*",
)
#: What decides what a solution notebook prints, besides itself.
NOTEBOOK = ("autograder/**/*", "tests/nbval_sanitize.cfg")
#: Files that a page of the book depends on: it shows exercises and what checks say, and grades nobody.
BOOK = (
    *CHECKING,
    *("autograder/grading/execution/**/*", "book/**/*", "exercises/**/*", "solutions/**/*"),
    *("_config.yml", "_toc.yml", "README.md"),
)

#: Files that a class's grades depend on.
GRADING = (
    *("autograder/**/*", "solutions/**/*", "exercises/**/*", "book/data/**/*"),
    *("nbgrader_config.py", "_config.yml", "_toc.yml", "Makefile", "README.md", "LICENSES/*", "tests/*.txt"),
)

#: Kernels besides those of tests/kernels.
KERNELS = (
    *("book/kernels/**/*", "book/programs/*", "book/_ext/**/*", "solutions/**/*"),
    *("autograder/exercise/result.py", "autograder/grading/execution/task.py"),
)

emulation = pytest.mark.kept(*EMULATION)
emulation_of_attacks = pytest.mark.kept(*EMULATION, "autograder/grading/attacks/**/*")
emulation_of_kernels = pytest.mark.kept(*EMULATION, *KERNELS)
nvrtc = pytest.mark.kept(*NVRTC)
nvrtc_of_book = pytest.mark.kept(*NVRTC, "book/kernels/**/*", "book/_ext/**/*")
nvrtc_of_exercises = pytest.mark.kept(*NVRTC, *DECLARING)
checking = pytest.mark.kept(*CHECKING)
notebook = pytest.mark.kept(*NOTEBOOK)
checking_of_listings = pytest.mark.kept(*CHECKING, *KERNELS)
book = pytest.mark.kept(*BOOK)
grading = pytest.mark.kept(*GRADING)
