"""How a bare machine reaches the network, and that the proof refuses a machine that is not bare."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from bare_machine import NO_MACHINE, REPOSITORY, connect, find_mirror, main

HERE = Path(__file__).parent


@pytest.mark.parametrize(
    ("name", "text", "distribution", "mirror"),
    [
        ("debian.sources", "Types: deb\nURIs: https://a.example/debian/\n", "debian", "https://a.example/debian"),
        ("debian.sources", "URIs: http://a.example/debian-security\n", "debian", ""),
        (
            "debian.sources",
            "# http://a.example/debian\nURIs: http://b.example/debian\n",
            "debian",
            "http://b.example/debian",
        ),
        ("debian.sources", "URIs: http://a.example/debian\n", "ubuntu", ""),
        ("more.list", "deb http://a.example/x/ubuntu noble main\n", "ubuntu", "http://a.example/x/ubuntu"),
    ],
)
def test_the_mirror_is_that_of_the_machines_apt(
    name: str, text: str, distribution: str, mirror: str, tmp_path: Path
) -> None:
    (tmp_path / "sources.list.d").mkdir()
    (tmp_path / "sources.list.d" / name).write_text(text)
    assert find_mirror(distribution, tmp_path) == mirror


def test_only_the_ways_to_the_network_are_passed_on(tmp_path: Path) -> None:
    (tmp_path / "ca.pem").write_text("a certificate")
    (tmp_path / "pip.conf").write_text("[global]\nindex-url = https://a.example/simple\nconstraint = /c.txt\n")
    ours = {"PIP_CONFIG_FILE": str(tmp_path / "pip.conf"), "PIP_FIND_LINKS": "/wheels", "CUDA_HOME": "/cuda"}
    network = {"SSL_CERT_FILE": str(tmp_path / "ca.pem"), "HTTPS_PROXY": "http://b.example:3128", "PIP_RETRIES": "9"}
    machine = tmp_path / "machine"
    (machine / "etc").mkdir(parents=True)
    assert (
        connect(machine, {**ours, **network}).items()
        >= {**network, "PIP_INDEX_URL": "https://a.example/simple"}.items()
    )
    assert (
        connect(machine, {**ours, **network})
        .keys()
        .isdisjoint({"CUDA_HOME", "PIP_FIND_LINKS", "PIP_CONSTRAINT", "PIP_CONFIG_FILE"})
    )
    assert Path(f"{machine}{tmp_path}/ca.pem").read_text() == "a certificate"


def test_where_none_can_be_made_the_last_line_says_why(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    assert main(["forky", "true"]) == NO_MACHINE
    assert capsys.readouterr().err == "No bare machine with forky: only root can make one.\n"


def test_the_proof_refuses_a_machine_with_a_compiler(tmp_path: Path) -> None:
    (tmp_path / "gcc-14").touch(mode=0o755)
    here = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    done = subprocess.run([HERE / "prove.sh"], env=here, capture_output=True, text=True)
    assert done.returncode == 1
    assert "bare machine: this machine has" in done.stderr and "gcc-14" in done.stderr


@pytest.mark.rare
def test_a_command_sees_a_fresh_clone_and_nothing_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wall around graded notebooks is made of a user's namespaces, so these must be possible there."""
    monkeypatch.setenv("CUDA_HOME", "/usr/local/cuda")
    there = ["git status --porcelain", "ls -A /usr/local/cuda* 2>/dev/null", "command -v gcc", "echo $CUDA_HOME"]
    command = f"{'; '.join(there)}; unshare --user true && ls ~ && exit 7"
    done = subprocess.run([HERE / "bare_machine.py", "forky", "sh", "-c", command], capture_output=True, text=True)
    if done.returncode == NO_MACHINE:
        pytest.skip(done.stderr.strip().splitlines()[-1])
    assert (done.returncode, done.stdout) == (7, "\ncourse\n")


@pytest.mark.rare
@pytest.mark.parametrize(("code", "stored"), [(0, True), (3, False)])
def test_a_folder_is_kept_if_the_command_succeeds(code: int, stored: bool) -> None:
    folder = REPOSITORY / "_build" / "kept"
    command = f"mkdir -p _build/kept && touch _build/kept/page && exit {code}"
    given = [str(HERE / "bare_machine.py"), "--keep", "_build/kept", "forky", "sh", "-c", command]
    done = subprocess.run(given, capture_output=True, text=True)
    if done.returncode == NO_MACHINE:
        pytest.skip(done.stderr.strip().splitlines()[-1])
    assert done.returncode == code and (folder / "page").exists() == stored
    shutil.rmtree(folder, ignore_errors=True)
