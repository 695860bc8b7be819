"""The terminal of `autograder debug`: reads what to do, and shows where that leads."""

from __future__ import annotations

import cmd
import sys
from typing import Any

from ..debugger.session import Breakpoint, How, Session
from ..debugger.values import Value
from ..errors import UsageError

FULL = "The recording is full: the launch goes on, but what follows is missing. Debug a smaller launch."
_SCOPES = ("thread", "warp", "block")


class Prompt(cmd.Cmd):
    """A person's debugger."""

    prompt = "(debug) "

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._depth = 0  # of the call to look at: 0 for the latest
        if not sys.stdin.isatty():
            self.prompt, self.use_rawinput = "", False

    def preloop(self) -> None:
        """Show where it begins."""
        print(
            "step, next, finish, access (thread, warp or block; back); line N; break LINE [if CONDITION]; continue; "
            "print EXPRESSION; locals; frames; where; thread [BLOCK] N; help; quit"
        )
        self._show()
        if self._session.recorded.is_cut:
            print(FULL)

    def onecmd(self, line: str) -> bool:
        """Carry out a line; bad input gets a sentence."""
        try:
            return bool(super().onecmd(line))
        except UsageError as error:
            print(error)
            return False

    def do_step(self, words: str) -> None:
        """step [thread|warp|block] [back]: go to the next line, into functions that are called."""
        self._step("into", words)

    def do_next(self, words: str) -> None:
        """next [thread|warp|block] [back]: go to the next line, over functions that are called."""
        self._step("over", words)

    def do_finish(self, words: str) -> None:
        """finish [back]: go to the next line of the function that has called this one."""
        self._step("out", words)

    def do_back(self, words: str) -> None:
        """back [thread|warp|block]: go back to the line before; the same as step back."""
        self._step("into", f"{words} back")

    def do_access(self, words: str) -> None:
        """access [thread|warp|block] [back]: go to the next array access, barrier or end."""
        scope, back = _motion(words)
        self._moved(self._session.step_access(scope, back=back), back)

    def do_line(self, number: str) -> None:
        """line N: go to where the thread next starts that line; line -N: back to where it last started it."""
        if not number.lstrip("-").isdecimal() or not int(number.lstrip("-")):
            raise UsageError("Name a line, such as line 7.")
        back = number.startswith("-")
        self._moved(self._session.go_to_line(int(number.lstrip("-")), back=back), back)

    def do_break(self, words: str) -> None:
        """break [FILE:]LINE [if CONDITION]: stop there; break alone: list them."""
        place, _, condition = words.partition(" if ")
        if words:
            line = self._line(place.strip())
            self._session.breakpoints = [*self._session.breakpoints, Breakpoint(line, condition.strip())]
        for point in self._session.breakpoints:
            print(self._session.recorded.text(point.line) + (f"   if {point.condition}" if point.condition else ""))

    def do_delete(self, place: str) -> None:
        """delete [FILE:]LINE: stop there no longer."""
        line = self._line(place)
        self._session.breakpoints = [point for point in self._session.breakpoints if point.line != line]

    def do_continue(self, words: str) -> None:
        """continue [back]: go on, or back, to a breakpoint or, going on, to what the checks have found."""
        stop = self._session.run(back=_motion(words)[1])
        self._depth = 0
        if stop.reason == "end":
            print("The launch begins here." if "back" in words else self._end())
        else:
            self._show()
        if stop.finding:
            print(f"\n{self._session.recorded.report(stop.finding)}")

    def do_thread(self, words: str) -> None:
        """thread [BLOCK] N: look at another thread, by linear index, at this moment."""
        numbers = words.split()
        if len(numbers) not in (1, 2) or not all(number.isdecimal() for number in numbers):
            raise UsageError("Name a thread, such as thread 5, or a block and a thread, such as thread 1 5.")
        *block, thread = map(int, numbers)
        self._session.focus((block or [self._session.block])[0], thread)
        self._depth = 0
        self._show()

    def do_print(self, text: str) -> None:
        """print EXPRESSION: a variable, an array, an element, what a pointer points to, or arithmetic on them."""
        session, name = self._session, text.strip()
        evaluator = session.evaluator(depth=self._depth)
        value = evaluator.evaluate(text)
        kind = value.type.kind if isinstance(value, Value) else ""
        if kind != "array":
            print(_declared(name, value, evaluator.shown(value)))
        if kind in ("array", "pointer") and name in session.recorded.trace.arrays:
            try:
                print(session.replay.array(name, session.block))
            except KeyError:  # of structs
                print(evaluator.shown(session.memory.array(name, session.block)))
        elif kind == "array":
            print(_declared(name, value, evaluator.shown(value)))

    def do_locals(self, _: str) -> None:
        """locals: the variables of the call that is looked at."""
        for name, value, text in self._session.locals(depth=self._depth):
            print(_declared(name, value, text))

    def do_frames(self, number: str) -> None:
        """frames: the calls that the thread is in; frames N: look at the variables of that one."""
        frames = self._session.frames()
        if number:
            if not number.isdecimal() or int(number) >= len(frames):
                raise UsageError(f"Name one of {len(frames)} calls, such as frames 0.")
            self._depth = int(number)
        for i, frame in enumerate(frames):
            print(
                f"{'*' if i == self._depth else ' '} {i}  {frame.function}   {self._session.recorded.text(frame.line)}"
            )

    def do_where(self, _: str) -> None:
        """where: the lines of the block's threads."""
        recorded = self._session.recorded
        lines = self._session.replay.lines(self._session.block)
        for line, threads in lines.items():
            print(f"{threads:>5} threads  {recorded.text(line)}")
        begun = len(self._session.replay.threads(self._session.block))
        for threads, what in ((begun - sum(lines.values()), "have ended"), (recorded.threads - begun, "never begin")):
            if threads:
                print(f"{threads:>5} threads  {what}")

    def do_quit(self, _: str) -> bool:
        """quit: end."""
        return True

    do_EOF = do_quit

    def emptyline(self) -> bool:
        """Repeat nothing."""
        return False

    def default(self, line: str) -> None:
        """Say that there is no such command."""
        print(f"There is no command {line.split()[0]}: type help.")

    def _line(self, place: str) -> int:
        recorded = self._session.recorded
        file, _, number = place.rpartition(":")
        named = [path for path in recorded.gathered.files if path.name == file] if file else recorded.gathered.files[:1]
        line = recorded.line_of(named[0], int(number)) if named and number.isdecimal() else 0
        if not line:
            raise UsageError("Name a line, such as 7 or tile.h:7.")
        return line

    def _step(self, how: How, words: str) -> None:
        scope, back = _motion(words)
        self._moved(self._session.step(how, scope, back=back), back)

    def _moved(self, moved: bool, back: bool) -> None:
        if not moved:
            raise UsageError(f"There is no {'earlier' if back else 'later'} one.")
        self._depth = 0
        self._show()

    def _end(self) -> str:
        if self._session.recorded.completed:
            return "The launch has ended."
        return "The launch has stopped here."

    def _show(self) -> None:
        """Who does what next."""
        session = self._session
        place, what = session.place()
        print(
            f"block {session.block}, thread {session.thread}{what and f', {what}'}\n    {session.recorded.text(place)}"
        )


def _motion(words: str) -> tuple[str, bool]:
    """Whose steps, and whether back."""
    rest = [word for word in words.split() if word != "back"]
    if len(rest) > 1 or any(word not in _SCOPES for word in rest):
        raise UsageError(f"Use {', '.join(_SCOPES)}, and back.")
    return (rest or ["thread"])[0], "back" in words.split()


def _declared(name: str, value: Any, text: str) -> str:
    return f"{value.type.name} {name} = {text}" if isinstance(value, Value) else f"{name} = {text}"
