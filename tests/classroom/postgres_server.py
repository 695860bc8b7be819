"""A PostgreSQL server for a test, listening on a socket in a folder."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import psycopg2

#: The server refuses to run as root; Debian's package makes this user.
USER = "postgres"


def program(name: str) -> str | None:
    """Where a program of PostgreSQL's is; Debian keeps them off the PATH."""
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return shutil.which(name) or (str(found[-1]) if found else None)


def missing() -> str:
    """Why no server can be started here, in a few words; "" if one can."""
    if program("initdb") is None:
        return "postgresql is missing"
    return "" if os.geteuid() or any(user.pw_name == USER for user in pwd.getpwall()) else f"no user {USER}"


class Postgres:
    """A server that runs while the context is open; `url` is its address for nbgrader."""

    def __init__(self) -> None:
        self._top = tempfile.TemporaryDirectory(prefix="postgres-")  # pytest's folders are closed to other users
        self.folder = Path(self._top.name)
        self.url = f"postgresql+psycopg2://{USER}@/{USER}?host={self.folder}"
        self._user = USER if os.geteuid() == 0 else None
        if self._user:
            shutil.chown(self.folder, USER, USER)

    def connect(self) -> Any:
        return psycopg2.connect(host=str(self.folder), user=USER, dbname=USER)

    def __enter__(self) -> Postgres:
        data = str(self.folder / "data")
        made = self._start("initdb", "--no-sync", "--auth=trust", f"--username={USER}", f"--pgdata={data}")
        assert made.wait() == 0, (self.folder / "initdb.log").read_text()
        self._server = self._start("postgres", "-D", data, "-F", "-k", str(self.folder), "-c", "listen_addresses=")
        for _ in range(300):
            try:
                self.connect().close()
                return self
            except psycopg2.OperationalError:
                assert self._server.poll() is None, "PostgreSQL does not start"
                time.sleep(0.1)
        raise AssertionError("PostgreSQL does not answer")

    def __exit__(self, *error: Any) -> None:
        self._server.send_signal(2)  # without waiting for open connections
        self._server.wait(20)
        self._top.cleanup()

    def _start(self, name: str, *options: str) -> subprocess.Popen[bytes]:
        path = program(name)
        assert path is not None, name
        log = (self.folder / f"{name}.log").open("wb")
        with log:
            return subprocess.Popen(
                [path, *options],
                cwd=self.folder,
                stdout=log,
                stderr=log,
                user=self._user,
                group=self._user,
                extra_groups=() if self._user else None,
            )
