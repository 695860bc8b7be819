"""What the compiler says of a text while it is being written."""

from __future__ import annotations

import json

from autograder.compiler.cache import workplace
from autograder.compiler.diagnostics import read_messages
from autograder.compiler.emulator_runtime import build_runtime
from autograder.compiler.forbidden import find_forbidden
from autograder.compiler.front_end import read


def find_mistakes(source: str) -> str:
    """The compiler's errors in `source`, the text below `%%cuda`: JSON, a line, a column and a sentence for each. None
    for a text that a check refuses, and says so.

    Raises:
        GraderFault: the compiler failed.
    """
    if find_forbidden(source):
        return "[]"
    with workplace() as folder:
        log, _ = read(build_runtime(), source, "", ["-fsyntax-only"], folder)
    return json.dumps([] if log is None else read_messages(log, source))
