"""The two kinds of error that are not findings: a person's bad input, and a fault of ours."""


class UsageError(ValueError):
    """Bad input: the message is one sentence that says what to do."""


class CellError(UsageError):
    """A usage error of which a notebook shows the one sentence, and no traceback."""

    def _render_traceback_(self) -> list[str]:
        return [str(self)]


class GraderFault(RuntimeError):
    """Our fault, never the student's: no point may be lost over it."""
