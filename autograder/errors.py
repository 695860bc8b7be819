"""The two kinds of error that are not findings: a user's bad input, and a fault of ours."""


class UsageError(ValueError):
    """Bad input: the message is one sentence that says what to do."""


class CellError(UsageError):
    """A usage error that a notebook shows as its message alone, without a traceback."""

    def _render_traceback_(self) -> list[str]:
        return [str(self)]


class GraderFault(RuntimeError):
    """Our fault, never the student's: no student may lose points over it."""


class MachineFault(GraderFault):
    """This machine lacks something, or something on it is damaged: the message is one sentence that says what to do,
    and all that a notebook shows."""

    def _render_traceback_(self) -> list[str]:
        return [str(self)]


def cannot_start(what: str, error: OSError) -> MachineFault:
    """The fault of a machine that cannot start a program of ours, by what the system says."""
    return MachineFault(
        f"{what} cannot be started ({error.strerror}): run this again when less is running, and where that does not "
        "help, look at the limits that `ulimit -a` lists."
    )
