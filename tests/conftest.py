"""What all tests share: which of them run, and the fixtures of rooms, in modules whose names differ."""

import signal

pytest_plugins = ["kept", "compile_fixtures", "course_fixtures"]


def pytest_configure() -> None:
    """Let commands be interrupted where a shell started the tests in the background, with interrupts ignored."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # what the tests' processes inherit
        signal.signal(signal.SIGINT, signal.default_int_handler)
