"""The two kinds of error that are not findings: a person's bad input, and a fault of ours."""


class UsageError(ValueError):
    """Bad input: the message is one sentence that says what to do."""


class GraderFault(RuntimeError):
    """Our fault, never the student's: no point may be lost over it."""
