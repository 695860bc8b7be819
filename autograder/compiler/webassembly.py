"""Turns a kernel's instrumented LLVM IR into a WebAssembly module, linked with the emulator's runtime.

Everything before is as for the native engine: clang compiles for x86-64, whose types have CUDA's sizes, and WebAssembly
with 64-bit memory has the same sizes, so that the IR needs another target and few other changes:

- WebAssembly has no return addresses. Before each call, the kernel stores the number of the call (a site) where the
  runtime reads it.
- The linker has no scripts. So the gap behind each array (`module_reader.spread_variables`) is part of a padded variable.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from ..core.findings import Space
from ..errors import GraderFault
from .ir import Call, Function, Global, Instruction, Module, read_instruction
from .ir.flow import find_loops
from .ir.metadata import field, node_elements
from .module_info import ArrayInfo, ModuleInfo

_TARGET = (
    'target datalayout = "e-m:e-p:64:64-p10:8:8-p20:8:8-i64:64-i128:128-n32:64-S128"',
    'target triple = "wasm64-unknown-unknown"',
)
#: What the native target says of functions, and WebAssembly's does not know.
_NATIVE = re.compile(r' ?"(?:target-cpu|target-features|tune-cpu|probe-stack)"="[^"]*"| !kcfi_type !\d+| \[ "kcfi"\(.*?\) \]')
_DECLARED = """
@emu_accesses = constant i32 0
@emu_site = external global ptr, align 8
@emu_running = external global i64, align 8
declare void @emu_round()
declare void @emu_frame(ptr)
declare ptr @llvm.stacksave.p0()
"""
_GAP = 1024
#: Where the module's data begin: what is far below is a null pointer with an index.
_BASE = 65536
#: Of the buffer for dynamic shared memory, which is larger than any GPU's.
_DYNAMIC = 232448
#: A module's arrays by symbol, without their places.
Variables = dict[str, ArrayInfo]
_PADDED = ".padded"
#: By DW_ATE_...: numpy's kinds.
_NUMBERS = {"boolean": "b", "float": "f", "signed": "i", "signed_char": "i", "unsigned": "u", "unsigned_char": "u"}


#: Flags to translate the result of `text` to an object.
COMPILE = "-target wasm64-freestanding -mbulk-memory -O0 -Wno-override-module -c".split()


def link_flags(variables: Variables) -> list[str]:
    """Flags to link the object of a module with these variables with the runtime's."""
    return [
        *f"wasm-ld -mwasm64 --no-entry --global-base={_BASE} -z stack-size=65536 --no-stack-first".split(),
        *"--export=__stack_pointer --export-memory=memory --allow-undefined".split(),
        *(f"--export={name}{_PADDED}" for name in variables),
    ]


def retarget(module: Module) -> tuple[int, ...]:
    """Change instrumented IR for x86-64 to WebAssembly's. Returns the line of each site, from site 1 on; 0: not the
    student's text."""
    for function in module.functions.values():
        if module.has_attribute(function, "sanitize_thread"):
            _watch(function)
    # ThreadSanitizer's constructor does nothing, and the linker would call it at each call from outside.
    module.items = [i for i in module.items if not (isinstance(i, Global) and i.name == "@llvm.global_ctors")]
    lines = list(_number_sites(module))
    for i, item in enumerate(module.items):
        if isinstance(item, Global) and _is_array(item):
            module.items[i] = _pad(item)
    return tuple(lines)


def variables(module: Module, dynamic: tuple[str, int, str]) -> Variables:
    """The module's arrays, before `retarget`; `dynamic` as for `module_reader.read_module`."""
    found: Variables = {}
    for variable in filter(_is_array, module.globals.values()):
        if variable.name == "@emu_dynamic":
            found["emu_dynamic"] = ArrayInfo(
                dynamic[0], 0, 0, (), dynamic[1], "shared", dynamic=True, dtype=dynamic[2]
            )
            continue
        about = module.metadata[field(module.metadata[variable.debug], "var")]
        kind = field(about, "type")
        shape, item, dtype = _extent(module, kind)
        bytes_ = item
        for n in shape:
            bytes_ *= n
        found[variable.name[1:]] = ArrayInfo(
            field(about, "name"), 0, bytes_, shape, item, _space(variable), dtype=dtype, const=_is_const(module, kind)
        )
    return found


def module_info(path: Path, variables: Variables, lines: tuple[int, ...], calls: tuple[str, ...], kernel: str) -> ModuleInfo:
    """Describe a linked module."""
    places = exported_globals(path.read_bytes())
    arrays = {symbol: replace(array, start=places[symbol + _PADDED] + _GAP) for symbol, array in variables.items()}
    data = min(a.start for a in arrays.values()) - _GAP, max(a.start + a.bytes for a in arrays.values()) + _DYNAMIC
    function = re.sub(r"<.*", "", kernel).split("::")[-1].strip()
    mine = re.compile(rf"_ZZ\w*?{len(function)}{function}")
    static_shared = sum(a.bytes for s, a in arrays.items() if a.space == "shared" and mine.match(s))
    return ModuleInfo(
        tuple(sorted(arrays.values(), key=lambda array: array.start)),
        tuple(enumerate(lines)),
        data,
        (_BASE, data[0]),  # and the runtime's own, which lie between them
        data[1],
        static_shared,
        calls,
    )


def exported_globals(binary: bytes) -> dict[str, int]:
    """The values of the constants that a WebAssembly module exports: addresses, by name (WebAssembly Core
    Specification 2.0, section 5.5).

    Raises:
        GraderFault: it is not what the emulator's linker writes.
    """
    if binary[:8] != b"\0asm\1\0\0\0":
        raise GraderFault("The emulator's linker wrote no WebAssembly module.")
    values: list[int] = []
    found: dict[str, int] = {}
    at = 8
    while at < len(binary):
        section = binary[at]
        size, at = _unsigned(binary, at + 1)
        if section == 6:
            values = _globals(binary, at)
        elif section == 7:
            found = {name: values[index] for name, kind, index in _exports(binary, at) if kind == 3}
        at += size
    return found


def _globals(binary: bytes, at: int) -> list[int]:
    count, at = _unsigned(binary, at)
    values = []
    for _ in range(count):
        assert binary[at + 2] in (0x41, 0x42), "a constant of another type"
        value, at = _unsigned(binary, at + 3)  # addresses are not negative, but LEB128 signs them
        values.append(value)
        at += 1
    return values


def _exports(binary: bytes, at: int) -> Iterator[tuple[str, int, int]]:
    count, at = _unsigned(binary, at)
    for _ in range(count):
        length, at = _unsigned(binary, at)
        name = binary[at : at + length].decode()
        index, after = _unsigned(binary, at + length + 1)
        yield name, binary[at + length], index
        at = after


def _unsigned(binary: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = binary[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def runtime_calls(module: Module) -> tuple[str, ...]:
    """The runtime's functions that the text calls."""
    called = {i.callee[1:] for f in module.functions.values() for i in f.instructions() if isinstance(i, Call)}
    return tuple(sorted(name for name in called if name.startswith("emu_")))


def text(module: Module, dynamic_names: Sequence[str]) -> str:
    """The retargeted module as a text for the compiler, in which `dynamic_names` are the dynamic shared memory."""
    for name in dynamic_names:
        module.items = [i for i in module.items if not (isinstance(i, Global) and i.name == f"@{name}" and not i.value)]
    out = _NATIVE.sub("", module.text()).replace("ptr addrspace(256) null", "ptr @emu_running")
    for line in _TARGET:
        out = re.sub(rf"^{' '.join(line.split()[:2])} .*", lambda _, line=line: line, out, count=1, flags=re.MULTILINE)
    for name in dynamic_names:
        out = re.sub(rf"@{name}\b", "@emu_dynamic", out)
    return out + _DECLARED


def _watch(function: Function) -> None:
    """Let a function of the text ask for a stack that is full, and each round of its loops for a time that is up."""
    for loop in find_loops(function):
        block = function.blocks[loop.header]
        at = next(n for n, i in enumerate(block.instructions) if i.opcode != "phi")
        line = next((i.line for i in block.instructions if i.line), "")
        block.instructions.insert(at, read_instruction(f"  call void @emu_round(){line}"))
    begin = ("  %emu.stack = call ptr @llvm.stacksave.p0()", "  call void @emu_frame(ptr %emu.stack)")
    function.blocks[0].instructions[:0] = map(read_instruction, begin)


def _number_sites(module: Module) -> Iterator[int]:
    lines: list[int] = []
    for function in module.functions.values():
        asks = False

        def change(instruction: Instruction) -> Iterator[Instruction]:
            nonlocal asks
            if isinstance(instruction, Call) and instruction.callee == "@llvm.returnaddress":
                asks = True
                yield read_instruction(f"  {instruction.result} = bitcast ptr %emu.site to ptr")
                return
            if _may_stop(instruction):
                lines.append(_line(module, instruction))
                yield read_instruction(
                    f"  store volatile ptr inttoptr (i64 {len(lines)} to ptr), ptr @emu_site, align 8"
                )
            yield instruction

        function.rewrite(change)
        if asks:
            first = read_instruction("  %emu.site = load volatile ptr, ptr @emu_site, align 8")
            function.blocks[0].instructions.insert(0, first)
    yield from lines


def _may_stop(instruction: Instruction) -> bool:
    """Whether the launch may stop there, or the runtime may ask where it is. (`emu_frame` belongs to the caller.)"""
    if isinstance(instruction, Call):
        return not instruction.callee.startswith(("@llvm.", "asm", "@emu_frame")) or instruction.callee == "@llvm.trap"
    return instruction.opcode in ("sdiv", "udiv", "srem", "urem", "unreachable")


def _line(module: Module, instruction: Instruction) -> int:
    location = module.metadata.get(instruction.attachment("dbg"), "")
    file = module.metadata.get(field(module.metadata.get(field(location, "scope"), ""), "file"), "")
    return int(field(location, "line") or 0) if Path(field(file, "filename")).name == "kernel.cu" else 0


def _pad(variable: Global) -> str:
    behind = 4096 if variable.name == "@emu_dynamic" else _GAP
    parts = (f"[{_GAP} x i8]", variable.type, f"[{behind} x i8]")
    outer = f"<{{ {', '.join(parts)} }}>"
    quoted = re.fullmatch(r'@"(.*)"', variable.name)
    name = f'@"{quoted[1]}{_PADDED}"' if quoted else variable.name + _PADDED
    values = ("zeroinitializer", variable.value, "zeroinitializer")
    value = f"<{{ {', '.join(f'{t} {v}' for t, v in zip(parts, values, strict=True))} }}>"
    properties = [p for p in variable.properties if not p.startswith("align ")] + ["align 1024"]
    properties = [f"comdat(${variable.name[1:]})" if p == "comdat" else p for p in properties]
    linkage = re.sub(r"\b(internal|private) ", "", variable.linkage)
    padded = replace(variable, name=name, linkage=linkage, type=outer, value=value, properties=properties)
    at = f"getelementptr inbounds ({outer}, ptr {name}, i32 0, i32 1)"
    return f"{padded.text()}\n{variable.name} = internal alias {variable.type}, ptr {at}"



def _is_array(variable: Global) -> bool:
    """Whether it may be an array that a finding names: writable, and of the student's text."""
    if variable.kind != "global" or not variable.value or variable.name in ("@_ZL8emu_data", "@_ZL7emu_bss"):
        return False
    return bool(variable.debug)


def _space(variable: Global) -> Space:
    if variable.section.startswith(".bss.emu_shared"):
        return "shared"
    return "constant" if variable.section.startswith(".emu_constant") else "device"


def _extent(module: Module, kind: str) -> tuple[tuple[int, ...], int, str]:
    """A type's extents (empty: not an array), the bytes of one element, and its dtype (see `ArrayInfo`)."""
    node = module.metadata.get(kind, "")
    while re.search(r"tag: DW_TAG_(typedef|const_type|volatile_type)", node):
        kind = field(node, "baseType")
        node = module.metadata.get(kind, "")
    if "tag: DW_TAG_array_type" not in node:
        return (), int(field(node, "size") or 64) // 8, _dtype(node)
    ranges = node_elements(module.metadata[field(node, "elements")])
    shape = tuple(int(field(module.metadata[r], "count")) for r in ranges)
    inner, item, dtype = _extent(module, field(node, "baseType"))
    return (*shape, *inner), item, dtype


def _is_const(module: Module, kind: str) -> bool:
    node = module.metadata.get(kind, "")
    while re.search(r"tag: DW_TAG_(typedef|volatile_type|array_type)", node):
        node = module.metadata.get(field(node, "baseType"), "")
    return "tag: DW_TAG_const_type" in node


def _dtype(node: str) -> str:
    if field(node, "name") == "__half":
        return "<f2"
    size = int(field(node, "size") or 0) // 8
    letter = _NUMBERS.get(field(node, "encoding").removeprefix("DW_ATE_"))
    return f"{'|' if size == 1 else '<'}{letter}{size}" if letter and size <= 8 else ""
