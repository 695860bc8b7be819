"""Run the cells of a notebook in this process, as a Jupyter kernel would, and record their outputs.

The same shell, magics and formatters as in a kernel, without the kernel: what a cell prints, shows
and raises becomes a list of outputs in the order in which it happened.
"""

from __future__ import annotations

import ast
import io
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from types import FrameType
from typing import Any

from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from traitlets import Type
from traitlets.config import Config

Output = dict[str, Any]

#: As nbgrader words it.
_TIMEOUT = {"ename": "CellTimeoutError", "evalue": "", "traceback": ["CellTimeoutError: the cell ran too long"]}


class _Stream(io.TextIOBase):
    """Standard output or error of a cell; neighboring texts of one stream are one output."""

    def __init__(self, name: str, outputs: list[Output]) -> None:
        self._name, self._outputs = name, outputs

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        last = self._outputs[-1] if self._outputs else {}
        if last.get("name") == self._name:
            last["text"] += text
        elif text:
            self._outputs.append({"output_type": "stream", "name": self._name, "text": text})
        return len(text)


class _Publisher(DisplayPublisher):
    """Takes what a cell displays."""

    shell: Any

    def publish(self, data: Any, metadata: Any = None, *more: Any, **others: Any) -> None:
        shown = {"output_type": "display_data", "data": data, "metadata": metadata or {}}
        self.shell.outputs.append(shown)

    def clear_output(self, wait: bool = False) -> None:
        self.shell.outputs.clear()


class _Results(DisplayHook):
    """Takes the value of a cell's last line."""

    shell: Any

    def write_output_prompt(self) -> None:
        pass

    def write_format_data(self, format_dict: dict[str, Any], md_dict: dict[str, Any] | None = None) -> None:
        shown = {"output_type": "execute_result", "data": format_dict, "metadata": md_dict or {}}
        self.shell.outputs.append({**shown, "execution_count": self.shell.started})

    def finish_displayhook(self) -> None:
        pass


def is_plain(cell: str) -> bool:
    """Whether IPython runs `cell` as it stands. It would see that itself, by Python's tokenizer, which is slow."""
    if cell[:1].isspace() or "\n" not in cell.strip():
        return False  # it takes off what stands before the text; and one line may be a magic without its %
    try:
        ast.parse(cell)
    except (SyntaxError, ValueError):
        return False
    return True


class Shell(InteractiveShell):
    """IPython's shell, without a terminal, history or files of its own. `outputs` are those of the
    cell that runs, and `started` counts the cells."""

    displayhook_class = Type(_Results)
    display_pub_class = Type(_Publisher)

    def __init__(self, **more: Any) -> None:
        self.outputs: list[Output] = []
        self.started = 0
        super().__init__(**more)  # type: ignore[no-untyped-call]

    def transform_cell(self, raw_cell: str) -> str:
        if is_plain(raw_cell):
            return raw_cell
        text: str = super().transform_cell(raw_cell)  # type: ignore[no-untyped-call]
        return text

    def _showtraceback(self, etype: type[BaseException], evalue: BaseException, stb: list[str]) -> None:
        error = {"output_type": "error", "ename": etype.__name__, "evalue": str(evalue), "traceback": stb}
        self.outputs.append(error)


def make_shell() -> Shell:
    """The shell of this process."""
    config = Config()
    config.HistoryManager.enabled = False
    shell: Shell = Shell.instance(config=config)
    return shell


def run_cells(shell: Shell, cells: Sequence[str], seconds: int) -> Iterator[list[Output] | None]:
    """Run `cells` in order and yield the outputs of each; None for one without text.

    A cell that raises ends with an output that says so, and one that takes longer than `seconds` is
    interrupted; the cells after it are run all the same.
    """
    for source in cells:
        if not source.strip():
            yield None
            continue
        outputs: list[Output] = []
        shell.outputs, shell.started = outputs, shell.started + 1
        out, err = _Stream("stdout", outputs), _Stream("stderr", outputs)
        with _limit(seconds) as expired, redirect_stdout(out), redirect_stderr(err):
            shell.run_cell(source, store_history=True)  # type: ignore[no-untyped-call]
        if expired:
            outputs.append({"output_type": "error", **_TIMEOUT})
        yield outputs


@contextmanager
def _limit(seconds: int) -> Iterator[list[bool]]:
    """Interrupt what stands inside after `seconds`; the list is then no longer empty."""
    expired: list[bool] = []

    def interrupt(signum: int, frame: FrameType | None) -> None:
        expired.append(True)
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield expired
    except KeyboardInterrupt:  # it came between two statements of ours
        if not expired:
            raise
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
