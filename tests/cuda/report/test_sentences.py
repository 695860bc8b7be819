"""Are sentences for students in `report/` alone?"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[3] / "autograder"
#: Rooms that a kernel goes through, from its text to a verdict.
ROOMS = [
    *(f"cuda/{name}" for name in ("source", "core", "compiler", "nvrtc", "backends", "schedules")),
    *(f"exercises/{name}" for name in ("declarations", "answers", "checks", "notebook")),
]
#: Messages raised elsewhere, about an unsuitable launch or machine; and names of constructs.
OUTSIDE = {
    "cuda/core/signature.py": ["is on the GPU: pass a copy in numpy"],
    "cuda/compiler/protocol_records.py": ["What a launch did to memory"],  # the text of a module
    "cuda/compiler/zig.py": ["is damaged or may not be started"],  # a machine's fault
    "cuda/compiler/engine.py": ["is without the GNU C library"],
    "cuda/compiler/ir/operands.py": ["The emulator's compiler wrote LLVM IR"],  # our own fault
    "cuda/compiler/diagnostics.py": ["function definition is not allowed here"],  # clang's own
    "cuda/compiler/forbidden.py": ["a backslash with blanks"],
    "cuda/compiler/front_end.py": ["initialization is not supported for __shared__ variables"],  # clang's own
    "cuda/compiler/places.py": ["reference to overloaded function could not be resolved"],  # clang's own
    "cuda/compiler/reserved.py": ["attempt to use a poisoned identifier"],  # clang's own
    "cuda/backends/gpu.py": ["The GPU's worker process does not start"],
    "cuda/backends/gpu_problems.py": [
        "CUDA does not work",
        "Kernels run on a GPU under Linux alone",
        "This machine has no",
        "The NVIDIA driver",
    ],
    "exercises/notebook/session.py": ["does not bear the sandbox"],
    "cuda/backends/gpu_worker.py": ["use a smaller block", "use a smaller grid", "a forbidden text was sent"],
}
#: A text of this many words is more than a name.
WORDS = 6


def sentences(path: Path) -> Iterator[tuple[int, str]]:
    """(line, text) of each string in the module at `path` that reads as words for people: not a docstring, and not
    an error's message, which is for users of the library."""
    tree = ast.parse(path.read_text())
    errors = (
        node for node in ast.walk(tree) if isinstance(node, ast.Call) and _name(node).endswith(("Error", "Fault"))
    )
    spared = {id(node) for error in errors for node in ast.walk(error)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            spared.add(id(node.value))
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            spared |= {id(part) for part in ast.walk(node)} - {id(node)}
    for node in ast.walk(tree):
        if id(node) in spared:
            continue
        if isinstance(node, ast.Constant | ast.JoinedStr) and is_sentence(_text(node)):
            yield node.lineno, _text(node)


def _name(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _text(node: ast.expr) -> str:
    """What a string says, with x for what is put in; "" for any other expression."""
    if isinstance(node, ast.JoinedStr):
        return "".join("x" if isinstance(part, ast.FormattedValue) else _text(part) for part in node.values)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def is_sentence(text: str) -> bool:
    if ";\n" in text:  # a program
        return False
    words = re.findall(r"(?<!\S)[a-zA-Z]+(?=[ .,:;]|$)", text)
    return len(words) >= WORDS and len(set(words) & {"the", "a", "an", "is", "that", "not", "no", "to"}) >= 2


@pytest.mark.parametrize(
    "path",
    [path for room in ROOMS for path in sorted((PACKAGE / room).rglob("*.py"))],
    ids=lambda path: str(path.relative_to(PACKAGE)),
)
def test_only_report_holds_sentences(path: Path) -> None:
    known = OUTSIDE.get(str(path.relative_to(PACKAGE)), [])
    found = list(sentences(path))
    assert [(line, text) for line, text in found if not any(part in text for part in known)] == []
    assert all(any(part in text for _, text in found) for part in known), "the list above has too much"


def test_the_reader_of_sentences_sees_them(tmp_path: Path) -> None:
    module = tmp_path / "x.py"
    module.write_text(
        '"""A docstring of a module is not for a student to read."""\n'
        "WORDS = 'static_assert static_cast struct switch template this'\n"
        "def f(n):\n"
        '    """Nor is the one of a function for a student to read."""\n'
        "    if n:\n"
        "        raise UsageError('what is raised is for who uses the library')\n"
        "    return 'the launch stops at a barrier that is not reached'\n"
        "def g(n):\n"
        "    return f'line {n} holds a word that is not allowed here'\n"
    )
    assert [line for line, _ in sentences(module)] == [7, 9]
