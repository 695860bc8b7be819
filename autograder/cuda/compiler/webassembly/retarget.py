"""Turns a kernel's instrumented LLVM IR into that of a WebAssembly module.

Everything before is as for the native engine: clang compiles for x86-64, whose types have CUDA's sizes, and WebAssembly
with 64-bit memory has the same sizes, so that the IR needs another target and few other changes:

- WebAssembly has no return addresses. Before each call, and each instruction that may trap, the kernel stores its
  number (a site) where the runtime reads it.
- It has no timer and no guard pages. A function of the text asks whether its stack is full, and each round of a loop
  whether the time is up.
- The runtime is a module of its own, so its variables are known by their addresses alone.
- The linker has no scripts. So each array becomes part of a larger variable, with a gap around it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from ..ir import Call, Function, Global, Instruction, Module, read_instruction
from ..ir.flow import loop_heads
from ..ir.metadata import field
from ..variables import is_array
from .returning import let_threads_return

#: Bytes around each array that belong to none.
GAP = 1024
#: What an array with the gap around it is called, after its own name.
PADDED = ".padded"
_LAYOUT = 'target datalayout = "e-m:e-p:64:64-p10:8:8-p20:8:8-i64:64-i128:128-n32:64-S128"'
_TRIPLE = 'target triple = "wasm64-unknown-unknown"'
#: What the native target says of functions, and WebAssembly's does not know.
_NATIVE = re.compile(r' ?"(?:target-cpu|target-features|tune-cpu|probe-stack)"="[^"]*"')
#: Rounds of loops after which the kernel lets the runtime look at the clock.
_ROUNDS = 16384
#: (Calls of another module take longer, and the engine never inlines them.)
_DECLARED = f"""
@emu_rounds = internal global i32 {_ROUNDS}, align 4
define internal void @emu_round() {{
  %before = load i32, ptr @emu_rounds, align 4
  %left = sub i32 %before, 1
  store i32 %left, ptr @emu_rounds, align 4
  %over = icmp eq i32 %left, 0
  br i1 %over, label %look, label %done
look:
  store i32 {_ROUNDS}, ptr @emu_rounds, align 4
  call void @emu_rounds_made()
  br label %done
done:
  ret void
}}
declare void @emu_rounds_made()
declare void @emu_frame(ptr)
declare ptr @llvm.stacksave.p0()
"""


def retarget(module: Module) -> tuple[int, ...]:
    """Change instrumented IR for x86-64 to WebAssembly's. Returns the line of each site, from site 1 on; 0: not the
    student's text."""
    for function in module.functions.values():
        if module.has_attribute(function, "sanitize_thread"):
            _watch(function)
    let_threads_return(module)
    lines = list(_number_sites(module))
    for i, item in enumerate(module.items):
        if isinstance(item, Global) and is_array(item):
            module.items[i] = _pad(item)
    return tuple(lines)


def retargeted_text(module: Module, words: Mapping[str, int]) -> str:
    """Return the retargeted module as a text for the compiler, with the addresses of the runtime's variables."""
    out = _NATIVE.sub("", module.text())
    out = re.sub(r"ptr addrspace\(256\) inttoptr \(i64 -\d+ to ptr addrspace\(256\)\)", "ptr @emu_running", out)
    out = out.replace("@llvm.x86.sse.ldmxcsr", "@emu_rounding")
    out = re.sub(r"^target datalayout .*", _LAYOUT, out, count=1, flags=re.MULTILINE)
    out = re.sub(r"^target triple .*", _TRIPLE, out, count=1, flags=re.MULTILINE)
    names = "|".join(words)
    out = re.sub(rf"^@(?:{names}) = .*\n", "", out, flags=re.MULTILINE)
    out = re.sub(rf"@({names})\b", lambda found: f"inttoptr (i64 {words[found[1]]} to ptr)", out)
    return out + _DECLARED


def _watch(function: Function) -> None:
    """Let a function of the text ask in its first line for a stack that is full, and each round of its loops for a time
    that is up."""
    for head in loop_heads(function):
        block = function.blocks[head]
        at = next(n for n, i in enumerate(block.instructions) if i.opcode != "phi")
        line = next((i.line for i in block.instructions if i.line), "")
        block.instructions.insert(at, read_instruction(f"  call void @emu_round(){line}"))
    line = next((i.line for block in function.blocks for i in block.instructions if i.line), "")
    begin = ("  %emu.stack = call ptr @llvm.stacksave.p0()", f"  call void @emu_frame(ptr %emu.stack){line}")
    function.blocks[0].instructions[:0] = map(read_instruction, begin)


def _number_sites(module: Module) -> Iterator[int]:
    lines: list[int] = []
    for function in module.functions.values():
        uses_site = False

        def change(instruction: Instruction) -> Iterator[Instruction]:
            nonlocal uses_site
            if isinstance(instruction, Call) and instruction.callee == "@llvm.returnaddress":
                uses_site = True
                yield read_instruction(f"  {instruction.result} = bitcast ptr %emu.site to ptr")
                return
            if _may_stop(instruction):
                lines.append(_line(module, instruction))
                yield read_instruction(
                    f"  store volatile ptr inttoptr (i64 {len(lines)} to ptr), ptr @emu_site, align 8"
                )
            yield instruction

        function.rewrite(change)
        if uses_site:
            first = read_instruction("  %emu.site = load volatile ptr, ptr @emu_site, align 8")
            function.blocks[0].instructions.insert(0, first)
    yield from lines


def _may_stop(instruction: Instruction) -> bool:
    """Return whether the launch may stop there, or the runtime may ask where it is."""
    if isinstance(instruction, Call):
        return not instruction.callee.startswith("@llvm.") or instruction.callee == "@llvm.trap"
    return instruction.opcode in ("sdiv", "udiv", "srem", "urem", "unreachable")


def _line(module: Module, instruction: Instruction) -> int:
    location = module.metadata.get(instruction.attachment("dbg"), "")
    file = module.metadata.get(field(module.metadata.get(field(location, "scope"), ""), "file"), "")
    return int(field(location, "line") or 0) if Path(field(file, "filename")).name == "kernel.cu" else 0


def _pad(variable: Global) -> str:
    gap_after = 4096 if variable.name == "@emu_dynamic" else GAP
    parts = (f"[{GAP} x i8]", variable.type, f"[{gap_after} x i8]")
    outer = f"<{{ {', '.join(parts)} }}>"
    name = variable.name + PADDED  # never quoted: the text is ASCII
    values = ("zeroinitializer", variable.value, "zeroinitializer")
    value = f"<{{ {', '.join(f'{t} {v}' for t, v in zip(parts, values, strict=True))} }}>"
    properties = [p for p in variable.properties if not p.startswith("align ")] + ["align 1024"]
    properties = [f"comdat(${variable.name[1:]})" if p == "comdat" else p for p in properties]
    linkage = re.sub(r"\b(internal|private) ", "", variable.linkage)
    padded = replace(variable, name=name, linkage=linkage, type=outer, value=value, properties=properties)
    at = f"getelementptr inbounds ({outer}, ptr {name}, i32 0, i32 1)"
    return f"{padded.text()}\n{variable.name} = internal alias {variable.type}, ptr {at}"
