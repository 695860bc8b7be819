"""Lets an editor debug a launch: answers the requests of the Debug Adapter Protocol.

What a debugger does is in `debugger/`; here are the protocol's names for it. The launch is recorded when the editor
asks for it, and nothing runs after that: so all of a block's threads stop and go on together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from ..debugger.session import Breakpoint, How, Session, Stop
from ..errors import GraderFault, UsageError
from .dap_configuration import read_configuration
from .dap_variables import View
from .dap_wire import Wire
from .debug_prompt import FULL

_FILTER = "findings"
_CAPABILITIES = {
    "supportsConfigurationDoneRequest": True,
    "supportsConditionalBreakpoints": True,
    "supportsEvaluateForHovers": True,
    "supportsStepBack": True,
    "supportsSteppingGranularity": True,
    "supportsExceptionInfoRequest": True,
    "supportsTerminateRequest": True,
    "exceptionBreakpointFilters": [{"filter": _FILTER, "label": "What the checks find", "default": True}],
}


def serve(incoming: BinaryIO, outgoing: BinaryIO) -> int:
    """Answer an editor's requests until it disconnects."""
    wire = Wire(incoming, outgoing)
    adapter = _Adapter(wire)
    while not adapter.is_over and (request := wire.read()) is not None:
        adapter.answer(request)
    return 0


class _Adapter:
    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._from = 1  # the number of an editor's first line
        self._session: Session | None = None
        self._view: View | None = None
        self._breakpoints: dict[Path, list[Breakpoint]] = {}
        self._stop: Stop | None = None
        self._stops_on_entry = False
        self._has_ended = False
        self.is_over = False
        self._requests: dict[str, Callable[[Mapping[str, Any]], Mapping[str, Any] | None]] = {
            "initialize": self._initialize, "launch": self._launch, "setBreakpoints": self._set_breakpoints,
            "setExceptionBreakpoints": self._set_findings, "configurationDone": self._begin,
            "threads": lambda _: {"threads": self.view.threads()}, "stackTrace": self._stack_trace,
            "scopes": lambda given: {"scopes": self.view.scopes(int(given["frameId"]))},
            "variables": self._variables, "evaluate": self._evaluate, "exceptionInfo": self._exception_info,
            "next": lambda given: self._step("over", given), "stepIn": lambda given: self._step("into", given),
            "stepOut": lambda given: self._step("out", given),
            "stepBack": lambda given: self._step("over", given, back=True),
            "continue": self._continue, "reverseContinue": lambda given: self._continue(given, back=True),
            "pause": self._pause, "terminate": self._terminate, "disconnect": self._disconnect,
        }  # fmt: skip
        self._afterwards: list[Callable[[], None]] = []

    def answer(self, request: Mapping[str, Any]) -> None:
        """Answer a request, and then report the events that follow from it."""
        carry_out = self._requests.get(str(request.get("command")))
        try:
            if carry_out is None:
                raise UsageError(f"The debugger has no {request.get('command')}.")
            body = carry_out(request.get("arguments") or {})
        except (UsageError, GraderFault) as error:
            self._afterwards.clear()
            return self._wire.refuse(request, str(error))
        except (KeyError, TypeError, ValueError) as error:
            self._afterwards.clear()
            return self._wire.refuse(request, f"The request {request.get('command')} lacks what it needs: {error}.")
        self._wire.respond(request, body)
        events, self._afterwards = self._afterwards, []
        for event in events:
            event()

    @property
    def session(self) -> Session:
        """The session; UsageError: the launch was not recorded."""
        if self._session is None:
            raise UsageError("Nothing is debugged yet: launch first.")
        return self._session

    @property
    def view(self) -> View:
        """What the editor sees of it."""
        if self._view is None:
            raise UsageError("Nothing is debugged yet: launch first.")
        return self._view

    # ---- the beginning and the end

    def _initialize(self, given: Mapping[str, Any]) -> Mapping[str, Any]:
        self._from = int(given.get("linesStartAt1", True))
        return _CAPABILITIES

    def _launch(self, given: Mapping[str, Any]) -> None:
        self._print("console", "The launch is being recorded.\n")
        configuration = read_configuration(given)
        self._session = Session(configuration.record, configuration.focus[0], configuration.focus[1])
        self._view = View(self._session)
        runs_only = bool(given.get("noDebug"))  # without debugging, as editors call it
        self._stops_on_entry = configuration.stops_on_entry and not runs_only
        self._session.stops_at_findings = not runs_only
        self._afterwards.append(lambda: self._wire.event("initialized"))

    def _begin(self, _: Mapping[str, Any]) -> None:
        recorded = self.session.recorded
        if recorded.printed:
            self._afterwards.append(lambda: self._print("stdout", recorded.printed))
        if recorded.is_cut:
            self._afterwards.append(lambda: self._print("important", f"{FULL}\n"))
        if self._stops_on_entry:
            self._afterwards.append(lambda: self._report("entry"))
        else:
            # A breakpoint may be in the first line.
            self._session_run(at_first=True)

    def _print(self, category: str, text: str) -> None:
        self._wire.event("output", {"category": category, "output": text})

    def _end(self) -> None:
        recorded = self.session.recorded
        for finding in () if self._has_ended else recorded.findings:
            self._print("important", f"{recorded.report(finding)}\n\n")
        self._has_ended = True
        self._wire.event("exited", {"exitCode": int(bool(recorded.findings))})
        self._wire.event("terminated")

    def _terminate(self, _: Mapping[str, Any]) -> None:
        self._has_ended = True
        self._afterwards.append(lambda: self._wire.event("terminated"))

    def _disconnect(self, _: Mapping[str, Any]) -> None:
        self.is_over = True

    # ---- breakpoints

    def _set_breakpoints(self, given: Mapping[str, Any]) -> Mapping[str, Any]:
        file = Path(given["source"]["path"])
        made, shown = [], []
        for point in given.get("breakpoints") or []:
            line = self.session.recorded.line_of(file, int(point["line"]) + 1 - self._from)
            if not (line and (line := self.session.line_with_code(line))):
                shown.append({"verified": False, "message": "No line of the kernel is there or below."})
                continue
            made.append(Breakpoint(line, str(point.get("condition") or "")))
            _, line_in_file = self.session.recorded.file_of(line)
            shown.append({"verified": True, "line": line_in_file - 1 + self._from})
        self._breakpoints[file.resolve()] = made
        self.session.breakpoints = [point for points in self._breakpoints.values() for point in points]
        return {"breakpoints": shown}

    def _set_findings(self, given: Mapping[str, Any]) -> None:
        self.session.stops_at_findings = _FILTER in given["filters"]

    # ---- going on

    def _focus(self, given: Mapping[str, Any]) -> None:
        self.session.focus(self.session.block, int(given["threadId"]) - 1)

    def _step(self, how: How, given: Mapping[str, Any], *, back: bool = False) -> None:
        self._focus(given)
        if given.get("granularity") == "instruction":
            moved = self.session.step_access(back=back)
        else:
            moved = self.session.step(how, back=back)
        if moved or back:
            self._afterwards.append(lambda: self._report("step" if moved else "entry"))
        else:  # the thread has no more lines
            self._session_run()

    def _continue(self, given: Mapping[str, Any], *, back: bool = False) -> Mapping[str, Any]:
        self._focus(given)
        self._session_run(back=back)
        return {"allThreadsContinued": True}

    def _session_run(self, *, back: bool = False, at_first: bool = False) -> None:
        stop = self.session.run(back=back, at_first=at_first)
        if stop.reason == "end":
            self._afterwards.append((lambda: self._report("entry")) if back else self._end)
        else:
            reason = "exception" if stop.reason == "finding" else "breakpoint"
            self._afterwards.append(lambda: self._report(reason, stop))

    def _report(self, reason: str, stop: Stop | None = None) -> None:
        """Tell the editor that the launch has stopped."""
        self.view.clear()
        self._stop = stop
        more = {}
        if stop and stop.finding:
            report = self.session.recorded.report(stop.finding)
            more = {"text": str(stop.finding.kind), "description": f"Stopped at a finding: {stop.finding.kind}"}
            self._print("important", f"{report}\n\n")
        self._wire.event(
            "stopped", {"reason": reason, "threadId": self.session.thread + 1, "allThreadsStopped": True, **more}
        )

    def _pause(self, _: Mapping[str, Any]) -> None:
        raise UsageError("The launch is a recording, so there is nothing to pause.")

    # ---- what is there

    def _stack_trace(self, given: Mapping[str, Any]) -> Mapping[str, Any]:
        start, count = int(given.get("startFrame") or 0), int(given.get("levels") or 0)
        frames, total = self.view.frames(int(given["threadId"]) - 1, start, count)
        for frame in frames:
            frame["line"] += self._from - 1
        return {"stackFrames": frames, "totalFrames": total}

    def _variables(self, given: Mapping[str, Any]) -> Mapping[str, Any]:
        start, count = int(given.get("start") or 0), int(given.get("count") or 0)
        return {"variables": self.view.variables(int(given["variablesReference"]), start, count)}

    def _evaluate(self, given: Mapping[str, Any]) -> Mapping[str, Any]:
        text = str(given["expression"])
        if given.get("context") == "repl" and (words := text.split())[:1] == ["thread"]:
            return self._go_to_thread(words[1:])
        evaluator = self.view.evaluator(given.get("frameId"))
        shown = self.view.variable(evaluator, text, text, evaluator.evaluate(text))
        names = ("type", "variablesReference", "namedVariables", "indexedVariables")
        return {"result": shown["value"], **{name: shown[name] for name in names if name in shown}}

    def _go_to_thread(self, words: list[str]) -> Mapping[str, Any]:
        """Follow another thread, in the editor's console: the list of threads has only some."""
        if len(words) not in (1, 2) or not all(word.isdecimal() for word in words):
            raise UsageError("Name a thread, such as thread 5, or a block and a thread, such as thread 1 5.")
        *block, thread = map(int, words)
        self.session.focus((block or [self.session.block])[0], thread)
        self._afterwards.append(lambda: self._report("goto"))
        return {"result": f"block {self.session.block}, thread {self.session.thread}", "variablesReference": 0}

    def _exception_info(self, _: Mapping[str, Any]) -> Mapping[str, Any]:
        if self._stop is None or self._stop.finding is None:
            raise UsageError("The launch has not stopped at a finding.")
        report = self.session.recorded.report(self._stop.finding)
        kind = str(self._stop.finding.kind)
        return {
            "exceptionId": kind,
            "description": report,
            "breakMode": "always",
            "details": {"message": report, "typeName": kind},
        }
