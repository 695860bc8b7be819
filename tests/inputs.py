"""What the verdicts of kept tests follow from: see `kept`."""

import pytest

#: What decides how a kernel is compiled and emulated, and what is found in it.
EMULATION = (
    *("autograder/__init__.py", "autograder/errors.py", "autograder/kernel.py", "autograder/commands/arguments.py"),
    *(f"autograder/{room}/**/*" for room in ("source", "core", "compiler", "emulator", "checks", "report")),
    *(f"autograder/{room}/**/*" for room in ("nvrtc", "backends", "schedules")),
    "tests/kernels/**/*",
)
#: What decides about an answer to an exercise.
CHECKING = (
    *EMULATION,
    *(f"autograder/{room}/**/*" for room in ("performance", "exercise", "notebook", "authoring")),
)
#: What decides about a page of the book.
BOOK = (
    *("autograder/**/*", "book/**/*", "exercises/**/*", "solutions/**/*"),
    *("_config.yml", "_toc.yml", "README.md"),
)

#: What decides about a class.
GRADING = (
    *("autograder/**/*", "solutions/**/*", "exercises/**/*", "book/data/**/*"),
    *("nbgrader_config.py", "_config.yml", "_toc.yml", "Makefile", "README.md", "LICENSES/*", "tests/*.txt"),
)

#: Kernels beside those of tests/kernels.
KERNELS = ("book/kernels/**/*", "book/_ext/**/*", "solutions/**/*")

emulation = pytest.mark.kept(*EMULATION)
emulation_of_kernels = pytest.mark.kept(*EMULATION, *KERNELS)
checking = pytest.mark.kept(*CHECKING)
book = pytest.mark.kept(*BOOK)
grading = pytest.mark.kept(*GRADING)
