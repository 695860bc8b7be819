"""What the compiler says of a text while it is being written."""

from __future__ import annotations

import json
import shutil
from contextlib import suppress

from autograder.cuda.compiler.cache import cache_folder, workplace
from autograder.cuda.compiler.emulator_runtime import build_runtime
from autograder.cuda.compiler.forbidden import find_forbidden
from autograder.cuda.compiler.front_end import find_errors
from autograder.cuda.compiler.messages import compile_error
from autograder.cuda.compiler.toolchain import find_compile_errors
from autograder.cuda.core.findings import CompileError
from autograder.cuda.errors import GraderFault
from autograder.cuda.report.compile_errors import in_words

#: Kernels that a page keeps, of 0.2 MB each: a text is compiled often while it is written.
MAX_CACHED = 30


def find_mistakes(source: str) -> str:
    """The compiler's errors in `source`, the text below `%%cuda`: JSON, a line, a column and a sentence for each. None
    for a text that a check refuses, and says so.

    Raises:
        GraderFault: the compiler failed.
    """
    if find_forbidden(source):
        return "[]"
    with workplace() as folder:
        log = find_errors(build_runtime(), source, folder)
    found = None if log is None else compile_error(log, source)
    return json.dumps(in_words(found.messages) if isinstance(found, CompileError) else [])


def compile_ahead(source: str) -> None:
    """Compile the kernel of a text below `%%cuda`, for the check that may follow: it finds the kernel in the cache."""
    modules = cache_folder() / "modules"
    if modules.exists() and len(list(modules.iterdir())) >= MAX_CACHED:
        shutil.rmtree(modules)
    with suppress(GraderFault):  # the check will tell
        find_compile_errors("\n" + source)  # the line of `%%cuda`
