#!/usr/bin/env python3
"""Run a command in a fresh clone on a machine that has Python, venv, make and git, and nothing else.

    tests/bare/bare_machine.py [--keep FOLDER] SUITE COMMAND [ARGUMENT ...]

debootstrap makes the machine, a folder with a Debian or Ubuntu in it, and the next runs copy it. The copy has its own
processes and mounts and shares the network, so the command finds no compiler, no CUDA, no browser and an empty home.
It gets no environment but HOME, PATH and how to reach the network. What it changes is gone at the end, except for one
FOLDER of the clone, such as _build/html: if the command succeeds, that is copied to the same place here.

The exit code is the command's, and 125 if there is no such machine; then the last line says why. Needs root and Linux.
"""

from __future__ import annotations

import configparser
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

REPOSITORY = Path(__file__).resolve().parents[2]
#: Made machines. /tmp may be small or a tmpfs, and another user could place a folder in /var/tmp first.
CACHE = Path("/var/cache/cooperating-threads/bare-machines")
#: Debian's testing suite changes daily, and its mirror drops what a machine that is older would still install.
_STORED_SECONDS = 7 * 24 * 3600
NO_MACHINE = 125
#: In the home of the machine's only user.
CLONE = Path("root") / "course"


@dataclass(frozen=True)
class Suite:
    """`script` is debootstrap's for all suites of the distribution, so that it makes those newer than itself, too.
    `keyring` is the package with the keys that sign the distribution, on Debian and on Ubuntu."""

    distribution: str
    script: str
    keyring: str


_PACKAGES = "python3,python3-venv,make,git,ca-certificates"
#: Not jammy: its Python 3.11 is among the updates, which debootstrap does not take.
SUITES = {
    "bookworm": Suite("debian", "sid", "debian-archive-keyring"),  # Python 3.11
    "trixie": Suite("debian", "sid", "debian-archive-keyring"),  # 3.13
    "forky": Suite("debian", "sid", "debian-archive-keyring"),  # 3.14
    "noble": Suite("ubuntu", "gutsy", "ubuntu-keyring"),  # 3.12
    "resolute": Suite("ubuntu", "gutsy", "ubuntu-keyring"),  # 3.14
}

# pivot_root rather than chroot: Linux refuses user namespaces to whoever has changed the root by chroot, and the walls
# around graded notebooks are made of these.
_ENTER = """
set -e
mount --bind "$1" "$1"
cd "$1"
mount -t proc proc proc
mount --rbind /sys sys
mount --rbind /dev dev
mount -t tmpfs tmpfs dev/shm
pivot_root . .
umount -l .
cd "$2"
shift 2
exec "$@"
"""

# How this machine reaches the network: a proxy, and the certificates of one that opens TLS. pip, npm (Node) and git
# each have their own variable for the certificates, and nothing in a fresh system knows them.
_PROXIES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")
_CERTIFICATES = (
    *("SSL_CERT_FILE", "PIP_CERT", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS", "GIT_SSL_CAINFO"),
)
# The rest of pip's settings (constraints, folders of wheels) would change what a user gets.
_PIP = ("cert", "proxy", "index-url", "trusted-host", "timeout", "default-timeout", "retries")
_PIP_FILES = ("/etc/xdg/pip/pip.conf", "/etc/pip.conf", "~/.pip/pip.conf", "~/.config/pip/pip.conf")


class NoMachineError(Exception):
    """No such machine can be made here; the message says why, in one line."""


def main(arguments: list[str]) -> int:
    stored, arguments = (arguments[1], arguments[2:]) if arguments[:1] == ["--keep"] else ("", arguments)
    if len(arguments) < 2 or arguments[0] not in SUITES:
        print(f"{(__doc__ or '').strip()}\n\nSuites: {', '.join(SUITES)}", file=sys.stderr)
        return 2
    signal.signal(signal.SIGTERM, _leave)  # and so remove the copy
    suite, *command = arguments
    try:
        _check_prerequisites(SUITES[suite])
        made = make_machine(suite)
    except NoMachineError as error:
        print(f"No bare machine with {suite}: {error}", file=sys.stderr)
        return NO_MACHINE
    with tempfile.TemporaryDirectory(dir=CACHE, prefix=f"{suite}-run-", ignore_cleanup_errors=True) as folder:
        machine = Path(folder) / "root"
        subprocess.run(["cp", "-a", made, machine], check=True)
        environment = connect(machine)
        subprocess.run(["git", "clone", "--quiet", REPOSITORY, machine / CLONE], check=True)
        code = enter(machine, f"/{CLONE}", command, environment)
        if stored and not code:
            shutil.copytree(machine / CLONE / stored, REPOSITORY / stored, dirs_exist_ok=True)
        return code


def _leave(number: int, frame: object) -> NoReturn:
    sys.exit(128 + number)


def _check_prerequisites(suite: Suite) -> None:
    if os.geteuid() != 0:
        raise NoMachineError("only root can make one.")
    for program in ("debootstrap", "unshare", "pivot_root"):
        if shutil.which(program) is None:
            raise NoMachineError(f"{program} is missing (on Debian and Ubuntu: apt install debootstrap util-linux).")
    if not Path(f"/usr/share/keyrings/{suite.distribution}-archive-keyring.gpg").exists():
        raise NoMachineError(f"nothing here can check its packages' signatures (apt install {suite.keyring}).")
    tried = subprocess.run(["unshare", "--mount", "--pid", "--fork", "true"], capture_output=True, text=True)
    if tried.returncode:
        raise NoMachineError(f"this system lets root make no namespaces ({tried.stderr.strip()}).")


def make_machine(name: str) -> Path:
    """Return the folder that holds the suite's machine, and make it unless it is there and less than a week old.

    Raises:
        NoMachineError: debootstrap failed.
    """
    suite = SUITES[name]
    mirror = find_mirror(suite.distribution)
    home, made_of = CACHE / name, f"{suite} {_PACKAGES} {mirror}"
    ready = home / "ready"
    if ready.exists() and ready.read_text() == made_of and time.time() - ready.stat().st_mtime < _STORED_SECONDS:
        return home / "root"
    print(f"Making a machine with {name}: about a minute, once a week.", file=sys.stderr, flush=True)
    CACHE.mkdir(parents=True, exist_ok=True, mode=0o755)
    with tempfile.TemporaryDirectory(dir=CACHE, prefix=f"{name}-making-", ignore_cleanup_errors=True) as folder:
        making = Path(folder) / "machine"
        making.mkdir()
        components = ["--components=main,universe"] if suite.distribution == "ubuntu" else []  # where python3-venv is
        options = ["--variant=minbase", f"--include={_PACKAGES}", *components]
        command = ["debootstrap", *options, name, str(making / "root"), mirror, suite.script]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            wrong = [line for line in done.stdout.splitlines() if line.startswith(("E:", "W:"))] or [done.stdout[-300:]]
            raise NoMachineError(f"debootstrap ended with {' '.join(wrong)!r}.")
        (making / "ready").write_text(made_of)
        shutil.rmtree(home, ignore_errors=True)
        making.rename(home)
    return home / "root"


def find_mirror(distribution: str, apt: Path = Path("/etc/apt")) -> str:
    """Return the mirror of a distribution that this machine's apt uses, or "" for debootstrap's default."""
    for file in (apt / "sources.list", *sorted((apt / "sources.list.d").glob("*"))):
        if file.is_file():
            for line in file.read_text(encoding="utf-8", errors="replace").splitlines():
                found = re.search(rf"https?://\S+/{distribution}(?=/?(\s|$))", line.partition("#")[0])
                if found:
                    return found[0]
    return ""


def connect(machine: Path, given: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Let the machine reach the network as this one does, and return the environment that it takes."""
    for name in ("resolv.conf", "hosts"):
        if Path("/etc", name).exists():
            (machine / "etc" / name).unlink(missing_ok=True)  # it may be a link
            shutil.copyfile(Path("/etc", name), machine / "etc" / name)
    environment = dict(_pip_settings(given))
    environment |= {name: value for name, value in given.items() if name.lower() in _PROXIES}
    environment |= {name: given[name] for name in _CERTIFICATES if name in given}
    for name in {"PIP_CERT", *_CERTIFICATES} & environment.keys():
        there = machine / Path(environment[name]).absolute().relative_to("/")
        there.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(environment[name], there)
    return environment


def _pip_settings(given: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """pip's own settings of the network, as variables: those of its files, then those of the environment."""
    files = configparser.RawConfigParser(strict=False)
    names = (*_PIP_FILES, given.get("PIP_CONFIG_FILE", ""))
    files.read([os.path.expanduser(name) for name in names], encoding="utf-8")
    for option in _PIP:
        variable = "PIP_" + option.upper().replace("-", "_")
        for section in ("global", "install"):
            if files.has_option(section, option):
                yield variable, files.get(section, option)
        if variable in given:
            yield variable, given[variable]


def enter(machine: Path, folder: str, command: list[str], environment: Mapping[str, str]) -> int:
    """Run the command in a folder of the machine and return its exit code. Nothing that it started outlives it."""
    paths = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    apart = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", _ENTER, "sh"]
    process = subprocess.Popen(
        [*apart, str(machine), folder, *command], env={"HOME": "/root", "PATH": paths, **environment}
    )
    try:
        return process.wait()
    finally:
        process.kill()  # what is in there goes with it
        process.wait()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
