"""The command `debug`: steps through one launch of a kernel, forward and back, by a recording of what it did."""

from __future__ import annotations

import argparse
import cmd
import sys
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import UsageError
from .run import add_launch, announce_first_build

if TYPE_CHECKING:
    from .run_file import FileRun

_SCOPES = ("thread", "warp", "block")


def add_command(commands: Any) -> None:
    """Add it to argparse's `commands`."""
    debug = commands.add_parser("debug", help="step through a kernel's accesses and barriers, forward and back")
    debug.add_argument("file", type=Path)
    add_launch(debug)
    debug.set_defaults(command=_debug)


def _debug(options: argparse.Namespace) -> int:
    from ..host.unit import read_standard
    from .run_file import run_file

    if options.grid is None or options.block is None:
        raise UsageError("One kernel is debugged: give --grid and --block, and its arguments by --arg.")
    announce_first_build(program=False)
    done = run_file(
        options.file, options.kernel, options.grid, options.block, options.arg, shared_mem=options.shared_mem,
        seed=options.seed, trace=True, folders=options.folders, standard=read_standard(options.std),
    )  # fmt: skip
    if done.refused or done.run.trace is None or not len(done.run.trace.events):
        raise UsageError(f"There is nothing to step through: `autograder run {options.file}` says why.")
    _Prompt(done).cmdloop()
    return 0


class _Prompt(cmd.Cmd):
    """Reads what to do, and shows where that leads."""

    prompt = "(debug) "

    def __init__(self, done: FileRun) -> None:
        from ..core.replay import Replay

        super().__init__()
        assert done.run.trace is not None
        self._done = done
        self._replay = Replay(done.run.trace, dict(zip(done.outputs, done.launch.arrays, strict=True)))
        self._block, self._thread = map(int, (self._event["block"], self._event["thread"]))
        self._source = done.launch.source.split("\n")
        if not sys.stdin.isatty():
            self.prompt, self.use_rawinput = "", False

    @property
    def _event(self) -> Any:
        return self._replay.trace.events[self._replay.at]

    def preloop(self) -> None:
        """Show where it begins."""
        print("step, back (thread, warp or block); line N; thread [BLOCK] N; print ARRAY; where; help; quit")
        self._show()

    def do_step(self, scope: str) -> None:
        """step [thread|warp|block]: go to the next access or barrier of the thread, of its warp or of its block."""
        self._move(scope, back=False)

    def do_back(self, scope: str) -> None:
        """back [thread|warp|block]: go back to the one before."""
        self._move(scope, back=True)

    def do_line(self, number: str) -> None:
        """line N: go to the thread's next access or barrier in that line; line -N: back to the last one."""
        if not number.lstrip("-").isdecimal():
            print("Name a line, such as line 7.")
            return
        self._move("thread", back=number.startswith("-"), line=int(number.lstrip("-")))

    def do_thread(self, words: str) -> None:
        """thread [BLOCK] N: follow another thread, by linear index, from this moment on."""
        numbers = words.split()
        if len(numbers) not in (1, 2) or not all(number.isdecimal() for number in numbers):
            print("Name a thread, such as thread 5, or a block and a thread, such as thread 1 5.")
            return
        *block, thread = map(int, numbers)
        before = self._block, self._thread
        self._block, self._thread = (block or [self._block])[0], thread
        if not self._move("thread", back=False):
            self._block, self._thread = before

    def do_print(self, name: str) -> None:
        """print ARRAY: what it holds now; -- for elements that nobody has written."""
        try:
            print(self._replay.array(name, self._block))
        except KeyError:
            print(f"The launch uses no array {name} of numbers: use {', '.join(self._replay.trace.arrays)}.")

    def do_where(self, _: str) -> None:
        """where: the lines of the block's threads, each of its next access or barrier."""
        lines = self._replay.lines(self._block)
        for line, threads in lines.items():
            print(f"{threads:>5} threads  {self._text(line)}")
        if ended := prod(self._done.launch.block) - sum(lines.values()):
            print(f"{ended:>5} threads  have ended")

    def do_quit(self, _: str) -> bool:
        """quit: end."""
        return True

    do_EOF = do_quit

    def emptyline(self) -> bool:
        """Repeat nothing."""
        return False

    def _move(self, scope: str, *, back: bool, line: int | None = None) -> bool:
        from ..core.replay import Scope

        if scope and scope not in _SCOPES:
            print(f"Use {', '.join(_SCOPES)}.")
            return False
        moved = self._replay.move(Scope.of(scope or "thread", self._block, self._thread), back=back, line=line)
        if moved:
            self._thread = int(self._event["thread"])
            self._show()
        else:
            print(f"There is no {'earlier' if back else 'later'} one.")
        return moved

    def _show(self) -> None:
        """Who does what next."""
        from ..core.run import TRACE_ACTIONS

        event, trace = self._event, self._replay.trace
        what = TRACE_ACTIONS[event["action"]].replace("_", " ")
        if event["array"] >= 0:
            value = trace.value(event)
            what += f" {trace.arrays[event['array']]}[{event['index']}]" + ("" if value is None else f": {value}")
        print(f"block {event['block']}, thread {event['thread']}, {what}\n    {self._text(int(event['line']))}")

    def _text(self, line: int) -> str:
        if not 0 < line <= len(self._source):
            return "the kernel's end"
        return f"{self._done.gathered.name_place(line)}   {self._source[line - 1].strip()}"
