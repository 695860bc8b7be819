"""Files that are written whole or not at all."""

from __future__ import annotations

import secrets
from contextlib import suppress
from pathlib import Path

from ..cuda.errors import UsageError


def write_text(path: Path, text: str) -> None:
    """Write `text`, whole or not at all.

    Raises:
        UsageError: it cannot be written.
    """
    write_bytes(path, text.encode())


def write_bytes(path: Path, content: bytes) -> None:
    """Write `content`, whole or not at all, and through no link.

    Raises:
        UsageError: it cannot be written.
    """
    staged = path.with_name(f".{secrets.token_hex(8)}.new")  # a name that nobody has put a link at
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with staged.open("xb") as file:
            file.write(content)
        staged.replace(path)
    except OSError as error:
        with suppress(OSError):
            staged.unlink()
        raise UsageError(
            f"{path} cannot be written ({error.strerror}): make room there, or name another file."
        ) from None
