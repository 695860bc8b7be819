"""Which calls are told of: those that lead to a barrier by one of several ways, and no others."""

from __future__ import annotations

import inputs
import pytest

from autograder.cuda.compiler.ir import Call, read_module
from autograder.cuda.compiler.passes.call_paths import mark_call_paths

pytestmark = inputs.emulation

#: `wait` is the prelude's, as __syncthreads() is; `once` is called in one place, `plain` has no barrier, and `borrow`
#: is as if written at the line that calls it.
MODULE = """\
declare void @emu_barrier(ptr)
define void @wait() #1 {
  call void @emu_barrier(ptr null)
  ret void
}
define void @plain() #0 {
  ret void
}
define void @borrow() #2 {
  call void @wait()
  ret void
}
define void @inner() #0 {
  call void @borrow()
  call void @wait()
  ret void
}
define void @once() #0 {
  call void @inner()
  call void @plain()
  ret void
}
define void @callback() #1 {
  call void @once()
  ret void
}
define void @kernel() #0 {
  call void @wait()
  call void @plain()
  call void @borrow()
  call void @inner()
  CALL
  ret void
}
attributes #0 = { noinline sanitize_thread }
attributes #1 = { noinline convergent }
attributes #2 = { alwaysinline sanitize_thread }
"""


@pytest.mark.parametrize(
    ("call", "marked"),
    [
        ("call void @plain()", {"once": ["@inner"], "kernel": ["@inner"]}),
        ("call void @callback()", {"once": ["@inner"], "kernel": ["@inner"]}),
        (
            "call void @callback()\n  call void @callback()",
            {"once": ["@inner"], "kernel": ["@inner", "@callback", "@callback"]},
        ),
        (
            "call void @once()\n  call void @kernel()",
            {"once": ["@inner"], "callback": ["@once"], "kernel": ["@inner", "@once"]},
        ),
    ],
)
def test_calls_that_leave_a_choice_are_marked(call: str, marked: dict[str, list[str]]) -> None:
    module = read_module(MODULE.replace("CALL", call))
    mark_call_paths(module)
    found: dict[str, list[str]] = {}
    for name, function in module.functions.items():
        body = list(function.instructions())
        for before, within, after in zip(body, body[1:], body[2:], strict=False):
            if isinstance(before, Call) and before.callee == "@emu_call_begin":
                assert isinstance(within, Call) and isinstance(after, Call) and after.callee == "@emu_call_end"
                found.setdefault(name[1:], []).append(within.callee)
    assert found == marked


def test_a_module_without_a_choice_is_left_as_it_is() -> None:
    text = MODULE.replace("  call void @inner()\n  CALL\n", "")
    module = read_module(text)
    mark_call_paths(module)
    assert module.text() == read_module(text).text()
