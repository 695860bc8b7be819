"""Is the cache believed only where nobody else could write, and has each content a name of its own?"""

from __future__ import annotations

import errno
import os
import pwd
import stat
import tempfile
from pathlib import Path

import inputs
import pytest

from autograder.cuda.compiler import cache
from autograder.cuda.compiler.cache import (
    cache_folder,
    copy_tree,
    digest,
    is_whole,
    keep_apart,
    keeping,
    lock,
    open_cache,
    place_of,
    private_place_of,
    seal,
    workplace,
)
from autograder.cuda.compiler.emulator_runtime import build_runtime
from autograder.cuda.compiler.zig import require_share
from autograder.cuda.errors import GraderFault, MachineFault, UsageError

pytestmark = inputs.grading

NOBODY = 65534


def test_a_new_cache_is_for_its_user_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        open_cache(tmp_path / "above" / "autograder")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "above" / "autograder").stat().st_mode) == 0o700


@pytest.mark.parametrize("mask", [0, 0o002, 0o077])
def test_a_cache_that_we_make_is_ours_whatever_the_umask(tmp_path: Path, mask: int) -> None:
    cache = tmp_path / "autograder"
    before = os.umask(mask)
    try:
        with lock(cache / "runtime.lock"):  # may be the first to make the folder
            (cache / "modules" / "one").mkdir(parents=True)
    finally:
        os.umask(before)
    open_cache(cache)


def test_the_cache_is_at_an_absolute_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in the XDG standard, another one is ignored. An empty HOME counts as none, not as the root."""
    monkeypatch.setenv("HOME", "/home/ada")
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert cache_folder() == Path("/home/ada/.cache/autograder")
    monkeypatch.setenv("HOME", "")
    assert cache_folder() == Path(pwd.getpwuid(os.geteuid()).pw_dir) / ".cache/autograder"
    monkeypatch.setenv("HOME", "relative")
    with pytest.raises(UsageError, match="HOME is relative, which is no absolute path: set XDG_CACHE_HOME"):
        cache_folder()


def test_a_user_whom_the_system_does_not_know_names_a_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "")
    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.setattr(os, "geteuid", lambda: 987654321)
    cache._folder_for.cache_clear()
    with pytest.raises(UsageError, match="no home folder for a cache: set XDG_CACHE_HOME"):
        cache_folder()


def test_no_temporary_folder_is_the_machines_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", "/nowhere")
    with pytest.raises(GraderFault, match=r"No temporary folder can be made .* set TMPDIR"), workplace():
        pass


@pytest.mark.parametrize(
    ("number", "advice"),
    [
        (errno.ENOSPC, "delete files there, or set TMPDIR to another folder"),
        (errno.EROFS, "let this user write there, or set TMPDIR to another folder"),
        (errno.EMFILE, "run this again when less is running, and where that does not help, look at the limits"),
    ],
)
def test_what_a_temporary_folder_lacks_is_the_machines_fault(
    number: int, advice: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with pytest.raises(MachineFault) as raised, workplace():
        raise OSError(number, os.strerror(number))
    assert str(raised.value).startswith(
        f"Temporary files cannot be used in {tmp_path} ({os.strerror(number)}): {advice}"
    )
    with pytest.raises(FileNotFoundError), workplace():
        raise FileNotFoundError(errno.ENOENT, "gone")


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS])
def test_what_the_cache_lacks_is_the_machines_fault(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with pytest.raises(MachineFault) as raised, keeping():
        raise OSError(number, os.strerror(number))
    message = str(raised.value)
    assert message.startswith(f"Compiled kernels cannot be cached in {tmp_path}/autograder ({os.strerror(number)}): ")
    assert message.endswith(" there, or set XDG_CACHE_HOME to another folder.")


@pytest.mark.parametrize(("place", "variable"), [("cache/autograder/runtime", "XDG_CACHE_HOME"), ("tmp", "TMPDIR")])
def test_a_compiler_without_room_names_the_variable_that_moves_it(
    place: str, variable: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    folder = tmp_path / place / "build"
    folder.mkdir(parents=True)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(os, "posix_fallocate", refuse)
    with pytest.raises(MachineFault) as raised:
        require_share(1, folder)
    assert str(raised.value).startswith(f"{folder.parent} has no room for the 64 MB that the compiler may write (")
    assert str(raised.value).endswith(f": delete files there, or set {variable} to another folder.")


def test_a_copy_that_fails_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "c").write_bytes(b"content")
    copy_tree(tmp_path / "a", tmp_path / "copy")
    assert (tmp_path / "copy" / "b" / "c").read_bytes() == b"content"
    (tmp_path / "file").touch()
    with pytest.raises(MachineFault, match=r"\(Not a directory\)"), keeping():
        copy_tree(tmp_path / "a", tmp_path / "file")


def open_folders(above: Path) -> Path:
    """A cache that others may read, whatever the umask."""
    for name in ("autograder", "autograder/modules"):
        (above / name).mkdir()
        (above / name).chmod(0o755)
    return above / "autograder"


@pytest.mark.parametrize("inside", ["", "modules"])
@pytest.mark.parametrize("mode", [0o770, 0o702])
def test_a_cache_that_others_may_write_to_is_not_believed(tmp_path: Path, inside: str, mode: int) -> None:
    cache = open_folders(tmp_path)
    open_cache(cache)
    (cache / inside).chmod(mode)
    with pytest.raises(GraderFault, match=r"Others may write to .*rm -rf .*or set XDG_CACHE_HOME"):
        open_cache(cache)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives a folder away")
@pytest.mark.parametrize("inside", ["", "modules"])
def test_a_cache_of_another_user_is_not_believed(tmp_path: Path, inside: str) -> None:
    cache = open_folders(tmp_path)
    os.chown(cache / inside, NOBODY, NOBODY)
    with pytest.raises(GraderFault, match=r"autograder.* is not yours: set XDG_CACHE_HOME"):
        open_cache(cache)


def test_nothing_is_compiled_or_loaded_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "autograder").mkdir(mode=0o777)
    (tmp_path / "autograder").chmod(0o777)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with pytest.raises(GraderFault, match="Others may write"):
        build_runtime()


@pytest.mark.parametrize(
    ("item", "other"),
    [
        (("a\0b",), ("a", "b")),
        (("a\0", "b"), ("a", "\0b")),
        (("a", ""), ("a",)),
        (("1:a",), ("1", "a")),
        (("a1:b",), ("a", "b")),
        (("\ud800",), ("\udc80",)),
        ((b"\xff",), (b"\xfe",)),
        (("\r\n",), ("\n",)),
    ],
)
def test_other_contents_have_another_name(item: tuple[str | bytes, ...], other: tuple[str | bytes, ...]) -> None:
    assert digest(*item) != digest(*other)


def test_who_only_reads_the_cache_sees_no_entry_of_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "shared"))
    shared = private_place_of("programs", "a")
    assert shared == place_of("programs", "a")
    shared.mkdir(parents=True)
    seal(shared)
    monkeypatch.setattr(cache, "_apart", None)
    keep_apart(tmp_path / "own")
    assert place_of("programs", "a") == shared
    assert private_place_of("programs", "a") == tmp_path / "own" / "programs" / "a"


def test_a_file_that_another_process_is_still_writing_makes_no_folder_damaged(tmp_path: Path) -> None:
    (tmp_path / "part").write_text("whole")
    seal(tmp_path)
    (tmp_path / "late.new").symlink_to("/proc/self/mem")  # reading it fails, as of one that is renamed at that moment
    assert is_whole(tmp_path)
    (tmp_path / "part").write_text("short")
    assert not is_whole(tmp_path)
