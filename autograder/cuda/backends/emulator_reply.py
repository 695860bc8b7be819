"""Reads how the runner of a launch ended."""

from __future__ import annotations

from collections.abc import Callable

from ..core.answer import AnswerError, read_answer
from ..core.enumerations import Status
from ..core.records import Answer
from ..errors import GraderFault, MachineFault, UsageError

#: Set this to 1 to run kernels without a sandbox on a machine without seccomp, if you trust every kernel.
TRUSTED = "AUTOGRADER_TRUST_KERNELS"
#: How a runner ends that gets SIGKILL. No kernel can send it, and each limit of ours ends a runner otherwise.
_KILLED = -9


def read_reply(status: int, message: str, answer: Callable[[], bytes]) -> Answer | None:
    """The runner's answer; None if the fast path leaves the launch to the full check.

    Args:
        status: how the runner ended, a `Status`.
        message: what it wrote to stderr, which it can only before it closes its sandbox.
        answer: gets the bytes of its answer.

    Raises:
        UsageError: the arguments don't fit the kernel.
        AnswerError: there is no answer, or not one that matches protocol.json.
        MachineFault: this machine can't run the runner, or has killed it.
        GraderFault: the runner failed before it ran the kernel.
    """
    if status == Status["full_check"]:
        return None
    check_status(status, message)
    if status:
        raise AnswerError(f"the process ended with status {status}")
    return read_answer(answer())


def check_status(status: int, message: str) -> None:
    """Raise what `read_reply` raises, but for AnswerError, of a runner with this status and message."""
    if status == _KILLED:
        raise MachineFault("The system killed the emulator, perhaps for lack of memory: run this again.")
    if message.startswith("argument"):
        raise UsageError(f"The launch does not fit the kernel: {message}.")
    if message.startswith("no sandbox"):
        raise MachineFault(
            "This machine cannot close the emulator's sandbox (seccomp), and no kernel is run without it: use "
            f"another machine, or set {TRUSTED}=1 if you trust every kernel that is run here."
        )
    if message:
        raise GraderFault(f"The emulator ended with status {status}: {message[-500:]}")
