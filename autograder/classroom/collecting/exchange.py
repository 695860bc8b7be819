"""`nbgrader collect` this course's way: of what lies in nbgrader's exchange, plain files only."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from nbgrader.exchange.default import ExchangeCollect

from ...cuda.report.vocabulary import printable
from ..submission.plain_files import MAX_FILE_BYTES, UnreadableError, modified_at, read_plain, write_plain


class CollectPlainFiles(ExchangeCollect):  # type: ignore[misc]
    """Copy the plain files of a submission's folder. (By itself nbgrader follows links, as the instructor: to a
    solution, or to another's submission.)"""

    def do_copy(self, src: str, dest: str, log: Any = None) -> None:
        """Copy the files in `src` to `dest`; report one that cannot be copied, and go on."""
        for name in sorted(os.listdir(src)):
            path = Path(src, name)
            try:
                write_plain(Path(dest, name), read_plain(path, MAX_FILE_BYTES), modified_at(path))
            except (UnreadableError, OSError) as error:
                self.log.warning("%s was not collected: %s.", printable(str(path)), error)
