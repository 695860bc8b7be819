"""Writes the script that keeps the book in a reader's browser, with a list of all files of this build."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

SCRIPT = Path(__file__).parent / "web/service_worker.js"
#: What no page loads: translations and maps of the theme's files, a script that `course_book.offline` removes from the
#: pages, fonts of browsers that run no kernel, and what other books read.
_LEFT_OUT = (".po", ".mo", ".map", ".ttf", "/fontawesome/6.5.2/js/all.min.js", ".buildinfo", "objects.inv")


def write_service_worker(site: Path) -> None:
    """Write the script into the built book `site`, at the top, since it serves only what lies below it."""
    target = site / SCRIPT.name
    target.unlink(missing_ok=True)
    files = {path.relative_to(site).as_posix(): path for path in sorted(site.rglob("*")) if path.is_file()}
    hashes = {
        name: hashlib.sha256(path.read_bytes()).hexdigest()
        for name, path in files.items()
        if not name.endswith(_LEFT_OUT)
    }
    size = sum(files[name].stat().st_size for name in hashes)
    script = SCRIPT.read_text(encoding="utf-8")
    known = f"const FILES = {json.dumps(hashes, indent=0)};\nconst BYTES = {size};\n"
    target.write_text(f"{known}{script}", encoding="utf-8")
