"""The two kinds of error that are not findings: a user's bad input, and a fault of ours."""

import errno


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


_LATER = "run this again when less is running, and where that does not help, look at the limits that `ulimit -a` lists"
#: What the system reports where it lacks something, and what to do then.
_LACKS = {
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT), "delete files there"),
    **dict.fromkeys((errno.EROFS, errno.EACCES, errno.EPERM), "let this user write there"),
    **dict.fromkeys((errno.ENOMEM, errno.EMFILE, errno.ENFILE, errno.EAGAIN), _LATER),
    errno.EIO: "look for errors of the disk in `dmesg`",
}


def cannot_start(what: str, error: OSError) -> MachineFault:
    """The fault of a machine that cannot start a program of ours, by what the system says."""
    return MachineFault(f"{what} cannot be started ({error.strerror}): {_LATER}.")


def lacking(what: str, error: OSError, variable: str = "") -> MachineFault | None:
    """The fault of a machine that lacks what `error` reports; None if it reports something else.

    Args:
        what: what cannot be done.
        variable: of the environment, with which another folder can be chosen for it.
    """
    advice = _LACKS.get(error.errno or 0)
    if advice is None:
        return None
    instead = f", or set {variable} to another folder" if variable and advice.endswith("there") else ""
    return MachineFault(f"{what} ({error.strerror}): {advice}{instead}.")
