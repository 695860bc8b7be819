"""The files that the results of cached tests depend on: see `result_cache`."""

import pytest

_KERNEL = (
    "autograder/__init__.py",
    *(f"autograder/cuda/{name}.py" for name in ("errors", "plugins", "kernel", "commands/arguments")),
)
#: Files that decide how a kernel is compiled and emulated, and what is found in it.
EMULATION = (
    *_KERNEL,
    *(f"autograder/cuda/{room}/**/*" for room in ("source", "core", "compiler", "emulator", "report")),
    *(f"autograder/cuda/{room}/**/*" for room in ("nvrtc", "backends", "schedules")),
    "tests/cuda/kernels/**/*",
)
#: What decides how NVIDIA's own compiler takes a text.
NVRTC = (*_KERNEL, *(f"autograder/cuda/{room}/**/*" for room in ("source", "core", "compiler", "report", "nvrtc")))
#: Files that decide which kernels a solution notebook declares.
DECLARING = (
    *(f"autograder/cuda/{room}/**/*" for room in ("backends", "schedules", "performance")),
    "autograder/exercises/**/*",
)
#: Files that decide the verdict on an answer to an exercise.
CHECKING = (
    "book/_ext/course_book/whole_programs.py",
    *EMULATION,
    *(f"autograder/cuda/{room}/**/*" for room in ("performance", "programs")),
    "autograder/exercises/**/*",
    "autograder/classroom/submission/**/*",
)
#: What decides what a solution notebook prints, besides itself.
NOTEBOOK = ("autograder/**/*", "tests/nbval_sanitize.cfg")
#: Files that a page of the book depends on: it shows exercises and what checks say, and grades nobody.
BOOK = (
    *CHECKING,
    *("autograder/classroom/execution/**/*", "book/**/*", "exercises/**/*", "solutions/**/*"),
    *("_config.yml", "_toc.yml", "README.md"),
)

#: Files that a class's grades depend on.
GRADING = (
    *("autograder/**/*", "solutions/**/*", "exercises/**/*", "book/data/**/*"),
    *("nbgrader_config.py", "_config.yml", "_toc.yml", "Makefile", "README.md", "LICENSES/*", "tests/*.txt"),
)

#: Files that the commands for CUDA files depend on, and those by which editors and workflows call them.
COMMANDS = (
    *("autograder/**/*", "tests/cuda/kernels/**/*", "tests/cuda/programs/**/*", "tests/exercises/beginners/**/*"),
    *("docs/editors/**/*", "exercises/**/*", "action.yml", ".pre-commit-hooks.yaml"),
)

#: Kernels besides those of tests/cuda/kernels.
KERNELS = (
    *("book/kernels/**/*", "book/programs/*", "book/_ext/**/*", "solutions/**/*"),
    *(f"autograder/{name}.py" for name in ("exercises/result", "classroom/execution/task")),
    "autograder/exercises/declarations/declared_programs.py",
)

emulation = pytest.mark.cached(*EMULATION)
emulation_of_attacks = pytest.mark.cached(*EMULATION, "autograder/classroom/attacks/**/*")
emulation_of_kernels = pytest.mark.cached(*EMULATION, *KERNELS)
nvrtc = pytest.mark.cached(*NVRTC)
nvrtc_of_book = pytest.mark.cached(*NVRTC, "book/kernels/**/*", "book/_ext/**/*")
nvrtc_of_exercises = pytest.mark.cached(*NVRTC, *DECLARING)
checking = pytest.mark.cached(*CHECKING)
notebook = pytest.mark.cached(*NOTEBOOK)
checking_of_listings = pytest.mark.cached(*CHECKING, *KERNELS)
book = pytest.mark.cached(*BOOK)
commands = pytest.mark.cached(*COMMANDS)
grading = pytest.mark.cached(*GRADING)
