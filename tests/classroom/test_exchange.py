"""Does what students hand in on a JupyterHub reach grading: by nbgrader's own exchange, and by ngshare?"""

from __future__ import annotations

import http.server
import importlib.util
import json
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import inputs
import pytest
from small_course import ROOT, Course, answer, gradebook_rows, submit

from autograder.classroom.classroom import open_classroom
from autograder.classroom.grade import grade

pytestmark = [inputs.grading, pytest.mark.rare]

#: The service wants other versions than nbgrader: `python3 -m venv .venv-ngshare` and, there, `pip install ngshare
#: "SQLAlchemy<2" "alembic<1.15" "jupyterhub<5"`. (With SQLAlchemy 2 it says that all is well, and keeps nothing.)
#: Here, `pip install ngshare_exchange`.
SERVICE = ROOT / ".venv-ngshare" / "bin" / "python"
#: Runs one of nbgrader's commands with what a person in a hub has: a name, and a folder of their own.
NBGRADER = "from nbgrader.apps.nbgraderapp import main; main()"
STUDENTS = ("ada", "bob")


class Hub(http.server.BaseHTTPRequestHandler):
    """All that ngshare asks of JupyterHub: whose a token is. Here a token is its owner's name."""

    def do_GET(self) -> None:
        name = self.headers.get("Authorization", "").removeprefix("token ")
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps({"name": name}).encode())

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def course(fresh: Course, tmp_path: Path) -> Course:
    shutil.copytree(fresh.root, tmp_path / "course")
    course = Course(tmp_path / "course")
    config = course.root / "nbgrader_config.py"
    config.write_text(f"{config.read_text()}\nc.Exchange.root = {str(tmp_path / 'exchange')!r}\n")
    (tmp_path / "exchange").mkdir(mode=0o777)
    (tmp_path / "exchange").chmod(0o777)
    return course


@pytest.fixture
def ngshare(course: Course, tmp_path: Path) -> Iterator[str]:
    """The address of ngshare's service, which the course is configured to use and which knows its people."""
    if not SERVICE.exists() or importlib.util.find_spec("ngshare_exchange") is None:
        pytest.skip("ngshare")
    hub = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    threading.Thread(target=hub.serve_forever).start()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{free.getsockname()[1]}"
    environment = {
        **os.environ,
        "JUPYTERHUB_API_URL": f"http://127.0.0.1:{hub.server_port}/hub/api",
        "JUPYTERHUB_API_TOKEN": "ngshare",
        "JUPYTERHUB_CLIENT_ID": "service-ngshare",
        "JUPYTERHUB_SERVICE_PREFIX": "/services/ngshare/",
        "JUPYTERHUB_SERVICE_URL": address,
    }
    stored = [f"--database=sqlite:///{tmp_path / 'ngshare.db'}", f"--storage={tmp_path / 'ngshare'}", "--admins=root"]
    log = (tmp_path / "ngshare.log").open("w")
    service = subprocess.Popen([SERVICE, "-m", "ngshare", *stored], env=environment, stdout=log, stderr=log)
    config = course.root / "nbgrader_config.py"
    use = f"import ngshare_exchange\nngshare_exchange.configureExchange(c, {address + '/services/ngshare'!r})\n"
    config.write_text(f"{config.read_text()}\n{use}")
    try:
        api = f"{address}/services/ngshare"
        for _ in range(150):
            try:
                query(f"{api}/course/threads", instructors='["teacher"]')
                break
            except OSError:
                assert service.poll() is None, (tmp_path / "ngshare.log").read_text()
                time.sleep(0.2)
        for student in STUDENTS:
            query(f"{api}/student/threads/{student}", first_name="", last_name="", email="")
        yield api
    finally:
        service.terminate()
        service.wait()
        hub.shutdown()
        hub.server_close()
        log.close()


def query(address: str, **message: str) -> None:
    """Post to ngshare as its administrator."""
    request = urllib.request.Request(
        address, urllib.parse.urlencode(message).encode(), {"Authorization": "token root"}, method="POST"
    )
    with urllib.request.urlopen(request, timeout=10) as reply:
        assert json.load(reply)["success"]


def nbgrader(name: str, folder: Path, *command: str) -> None:
    """What `name` types in `folder`."""
    mine = {"HOME": folder.parent / f"home of {name}", "JUPYTER_DATA_DIR": folder.parent / f"home of {name}" / "data"}
    environment = {**os.environ, **{key: str(path) for key, path in mine.items()}}
    environment |= {"USER": name, "JUPYTERHUB_USER": name, "JUPYTERHUB_API_TOKEN": name}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", NBGRADER, *command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def term(course: Course, tmp_path: Path) -> None:
    """Release, fetch, submit, collect and grade; nbgrader's own exchange knows one user of this machine alone."""
    shutil.copytree(course.root, tmp_path / "by hand")
    nbgrader("teacher", course.root, "release_assignment", "words")
    for student in STUDENTS:
        folder = tmp_path / student
        folder.mkdir()
        shutil.copy(course.root / "nbgrader_config.py", folder)
        shutil.copytree(course.root / "solutions", folder / "solutions")
        nbgrader(student, folder, "fetch_assignment", "words")
        for path in (folder / "words").glob("*.ipynb"):
            notebook = json.loads(path.read_text())
            answer(notebook, "first", "right")
            answer(notebook, "second", "right second")
            path.write_text(json.dumps(notebook))
        nbgrader(student, folder, "submit", "words")
    nbgrader("teacher", course.root, "collect", "words")
    assert len(grade(open_classroom(course.root), "words").recorded) > 0
    dates = {path.parent.parent.name for path in course.root.glob("submitted/*/words/timestamp.txt")}
    collected = {path.name for path in (course.root / "submitted").iterdir()}
    assert dates == collected
    for student in collected:
        submit(tmp_path / "by hand", student, "right")
    grade(open_classroom(tmp_path / "by hand"), "words")
    assert gradebook_rows(course.root)["grade"] == gradebook_rows(tmp_path / "by hand")["grade"]


def test_nbgraders_own_exchange(course: Course, tmp_path: Path) -> None:
    term(course, tmp_path)


def test_ngshare(course: Course, ngshare: str, tmp_path: Path) -> None:
    term(course, tmp_path)
    assert {path.name for path in (course.root / "submitted").iterdir()} == set(STUDENTS)
