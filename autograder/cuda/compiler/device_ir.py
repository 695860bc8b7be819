"""Makes the LLVM IR that clang's CUDA front end writes for NVPTX that of x86-64.

The front end decides by its target what CUDA C++ is: which constraints inline PTX has, that a variable is in shared
memory, and that each parameter of a kernel is one of its IR. No code generator for that target ever runs. All address
spaces become the default one; the section of a variable says which one it had.
"""

from __future__ import annotations

import re

from .ir.operands import NAME, end_of_brackets

_HEADER = """\
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
"""
_OLD_HEADER = re.compile(r'^target datalayout = "[^"]*"\ntarget triple = "[^"]*"\n', re.M)
#: On x86-64, a frame that is larger than the guard page must touch each page.
_TARGET = re.compile(r'"target-cpu"="sm_\d+\w?" "target-features"="[^"]*"')
_X86 = (
    '"probe-stack"="inline-asm" "target-cpu"="x86-64" '
    '"target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic"'
)
#: (`kernel_signature` reads nvvm.maxntid.)
_OF_NVPTX = re.compile(r' "(?:uniform-work-group-size|nvvm\.(?!maxntid")[\w.]+)"(?:="[^"]*")?')
#: An attribute by which the optimizer would leave out accesses before they are watched.
_PURE = re.compile(r" (?:memory\((?:none|read)\)|willreturn)(?= )")
_WORDS = ("ptx_kernel ", "externally_initialized ")
#: A copy of a `constexpr` variable, which clang reads in its place, since that could be on the other side.
_COPIED = re.compile(r"^(@[-\w.$]+)\.const = private unnamed_addr constant ", re.M)
_SHARED = re.compile(rf"^@{NAME} = (?:\w+ )*addrspace\(3\) (?:global|constant) .*$", re.M)
_CAST = re.compile(r"addrspacecast (?=\(ptr (?:addrspace\(\d\) )?)")
_CAST_PARTS = re.compile(r"\(ptr (?:addrspace\(\d\) )?(.*) to ptr(?: addrspace\(\d\))?\)", re.S)
_CAST_INSTRUCTION = re.compile(r"= addrspacecast ptr addrspace\([1345]\) (\S+) to ptr")
#: A text's own string, of which nothing is IR.
_STRING = re.compile(r' c"[^"]*"')
_SPACE = re.compile(r" addrspace\([1345]\)")
_EXPRESSION = re.compile(r"!DIExpression\(DW_OP_constu, \d+, DW_OP_swap, DW_OP_xderef\)")
#: What a text says of a variable's section: CUDA has none.
_PLACED = re.compile(r'^(@.*), section "(?!llvm\.metadata")[^"]*"', re.M)
#: The sections of static and of dynamic shared memory.
SHARED, DYNAMIC = ".bss.emu_shared", ".bss.emu_dynamic"


def as_x86(text: str) -> str:
    """Return the text of a module for NVPTX as one for x86-64."""
    strings: list[str] = []

    def hide(string: re.Match[str]) -> str:
        strings.append(string[0])
        return f' c"{len(strings) - 1}"'

    changed = _changed(_STRING.sub(hide, text))
    return re.sub(r' c"(\d+)"', lambda hidden: strings[int(hidden[1])], changed) if strings else changed


def _changed(text: str) -> str:
    text = _OLD_HEADER.sub(_HEADER, text, count=1)
    text = _TARGET.sub(_X86, text)
    text = _OF_NVPTX.sub("", text)
    text = _PURE.sub("", text)
    for word in _WORDS:
        text = text.replace(word, "")
    text = _PLACED.sub(r"\1", text)
    text = _SHARED.sub(_with_section, text)
    for copied in _COPIED.finditer(text):
        name = re.escape(copied[1])
        if re.search(rf"^{name} = ", text, re.M):
            text = re.sub(rf"{name}\.const\b(?! =)", copied[1].replace("\\", r"\\"), text)
    text = _EXPRESSION.sub("!DIExpression()", text)
    text = _without_casts(text)
    text = _CAST_INSTRUCTION.sub(r"= bitcast ptr \1 to ptr", text)
    return _SPACE.sub("", text)


def _with_section(line: re.Match[str]) -> str:
    external = " external " in line[0].partition("addrspace")[0]
    # (Other threads write what is const to this one: its reads are accesses.)
    text = line[0].replace("addrspace(3) constant ", "addrspace(3) global ", 1)
    return re.sub(
        r"(, (?:comdat\b.*?, )?align \d+)", rf', section "{DYNAMIC if external else SHARED}"\1', text, count=1
    )


def _without_casts(text: str) -> str:
    """Each constant that is another one in another address space becomes that one."""
    parts, done = list[str](), 0
    while cast := _CAST.search(text, done):
        end = end_of_brackets(text, cast.end())
        inner = _CAST_PARTS.fullmatch(text, cast.end(), end)
        assert inner
        parts += [text[done : cast.start()], _without_casts(inner[1])]
        done = end
    return "".join([*parts, text[done:]])
