"""The one way to run a notebook's cells: IPython's shell in this process, which keeps each cell's outputs.

A Jupyter kernel has the same shell, magics and formatters. So what is proven, graded or kept here is what a student
sees there, without a second process and its messages; plain `exec` would need a second implementation of each magic.
"""

from __future__ import annotations

import ast
import atexit
import io
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from traitlets import Type
from traitlets.config import Config

#: One output of a cell, as nbformat 4 has it.
Output = dict[str, Any]


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
    """Collects what a cell displays."""

    shell: Any

    def publish(self, data: Any, metadata: Any = None, *more: Any, **others: Any) -> None:
        shown = {"output_type": "display_data", "data": data, "metadata": metadata or {}}
        self.shell.outputs.append(shown)

    def clear_output(self, wait: bool = False) -> None:
        self.shell.outputs.clear()


class _Results(DisplayHook):
    """Collects the value of a cell's last line."""

    shell: Any

    def write_output_prompt(self) -> None:
        pass

    def write_format_data(self, format_dict: dict[str, Any], md_dict: dict[str, Any] | None = None) -> None:
        shown = {"output_type": "execute_result", "data": format_dict, "metadata": md_dict or {}}
        self.shell.outputs.append({**shown, "execution_count": self.shell.started})

    def finish_displayhook(self) -> None:
        pass


def is_plain(cell: str) -> bool:
    """Return whether IPython runs `cell` unchanged. It would find out itself, but with Python's tokenizer, which is
    slow."""
    if cell[:1].isspace() or "\n" not in cell.strip():
        return False  # it strips what precedes the text; and a single line may be a magic without its %
    try:
        ast.parse(cell)
    except (SyntaxError, ValueError):
        return False
    return True


class Shell(InteractiveShell):
    """IPython's shell, without a terminal or history. `outputs` are those of the cell that runs, or ran last, and
    `started` counts the cells."""

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

    def run_cell_magic(self, magic_name: str, line: str, cell: str) -> Any:
        # IPython refuses an empty cell: then its checks would find no answer, which is a fault of ours.
        return super().run_cell_magic(magic_name, line, cell or "\n")  # type: ignore[no-untyped-call]

    def _showtraceback(self, etype: type[BaseException], evalue: BaseException, stb: list[str]) -> None:
        error = {"output_type": "error", "ename": etype.__name__, "evalue": str(evalue), "traceback": stb}
        self.outputs.append(error)

    def run(self, source: str) -> list[Output] | None:
        """Run one cell and return its outputs in order; None for a cell without text, which is not run. One that raises
        ends with an output that says so."""
        if not source.strip():
            return None
        self.outputs, self.started = [], self.started + 1
        out, err = _Stream("stdout", self.outputs), _Stream("stderr", self.outputs)
        with redirect_stdout(out), redirect_stderr(err):
            done = self.run_cell(source, store_history=True)  # type: ignore[no-untyped-call]
        raised = done.error_before_exec or done.error_in_exec
        # Where IPython fails to format an error, it only prints it: a check would look like one that passed.
        if raised and not any(output["output_type"] == "error" for output in self.outputs):
            self._showtraceback(type(raised), raised, [])
        return self.outputs


def make_shell(folder: Path) -> Shell:
    """Make the shell of this process.

    Args:
        folder: where IPython keeps its files; no user's settings are read.
    """
    config = Config()
    config.HistoryManager.enabled = False
    shell: Shell = Shell.instance(config=config, ipython_dir=str(folder))
    return shell


@contextmanager
def fresh_shell() -> Iterator[Shell]:
    """A shell for one notebook; afterwards `__main__` is restored, and no files are left."""
    with TemporaryDirectory(prefix="autograder-") as folder:
        shell = make_shell(Path(folder))
        try:
            yield shell
        finally:
            atexit.unregister(shell.atexit_operations)
            shell.restore_sys_module_state()  # type: ignore[no-untyped-call]
            Shell.clear_instance()
