"""Turns the compiler's messages about a program's file into the error that its user sees."""

from __future__ import annotations

import re
from pathlib import Path

from ...compiler.clang import ERROR
from ...compiler.diagnostics import read_messages
from ...core.diagnostics import Diagnostic, Problem
from ...errors import GraderFault, UsageError
from ...report.compile_errors import in_words
from ...source.gather import Gathered
from .numbered import number_log

#: Functions by which kernels waited for their launches before CUDA 12.
_WAITS = ("cudaDeviceSynchronize", "cudaStreamSynchronize", "cudaEventSynchronize")


class RefusedError(UsageError):
    """The compiler or the linker refuses a text, at the `place` that it names: a file's name, a line and a column.
    `build.blaming_text` says whether that is the text's fault. `of_stand_ins`: the text includes headers of ours in
    place of NVIDIA's libraries, which have a part of those."""

    place: tuple[str, int, int] | None = None
    of_stand_ins = False


class MissingHeaderError(RefusedError):
    """A file includes `header`, which is not there."""

    def __init__(self, message: str, header: str) -> None:
        super().__init__(message)
        self.header = header


def refusal(log: str, file: Path, gathered: Gathered | None = None, *, untrusted: bool) -> Exception:
    """Return the error in the compiler's `log` of a file, which counts lines as `gathered` does, or as its files do."""
    found = ERROR.search(log)
    if found is None and untrusted:
        return RefusedError(f"{file.name} takes the compiler too long, or too much memory.")
    if found is None:
        return GraderFault(f"The compiler failed on {file.name}: {log.strip()[-2000:]}")
    name, line, column = Path(found["file"]).name, int(found["line"]), int(found["column"])
    if gathered is None:
        error = Diagnostic(line, column, found["text"].split(" [-W")[0], Problem.CLANG_IN_PROGRAM)
        ((_, _, text),) = in_words([error])
    else:
        messages = in_words(read_messages(number_log(log, gathered), gathered.text, in_program=True))
        first = next((message for message in messages if "'}' is missing" in message.text), messages[0])
        (name, line), column = gathered.lines[first.line - 1], first.column
        text = " ".join(gathered.with_file_lines(first.text).split())
    refused = _in_words(f"{name} line {line}", text, file, untrusted=untrusted)
    refused.place = name, line, column
    return refused


def _in_words(where: str, text: str, file: Path, *, untrusted: bool) -> RefusedError:
    """Why a text is refused in which the compiler has found this error."""
    if header := re.match(r"'([^']*)' file not found", text):
        if untrusted:
            return RefusedError(f"{file.name} includes {header[1]}, which an answer may not: it is one file.")
        return MissingHeaderError(
            f"{where} includes {header[1]}, which is not there: give its folder by -I; libraries of CUDA's "
            "besides its runtime, cuBLAS, cuFFT, cuRAND, cuSPARSE, NCCL and NVRTC are not emulated.",
            header[1],
        )
    if text.startswith("kernel launch from "):
        return RefusedError(f"{where} launches a kernel from the GPU, which an answer may not.")
    if called := re.match(r'calling a __host__ function\("(cuda[A-Z]\w*)"\)', text):
        if called[1] in _WAITS:
            return RefusedError(
                f"{where} calls {called[1]} on the GPU, where CUDA no longer has it: no kernel can wait for what it "
                "launches. What needs the results is a grid in cudaStreamTailLaunch, or the next kernel of the host."
            )
        return RefusedError(f"{where} calls {called[1]} on the GPU, which is not supported by the emulator.")
    named = re.search(r"'((?:cuda|cu|curand|cublas|cufft|cusparse|cusolver|nccl|nvrtc|nvml|nvtx)[A-Z]\w*)'", text)
    if named and ("undeclared" in text or "unknown type" in text) and "did you mean" not in text:
        return RefusedError(f"{where} uses {named[1]}, which the emulated runtime does not have.")
    return RefusedError(f"{where} does not compile: {text}{'' if text.endswith('?') else '.'}")
