"""Adds to a module what the runtime calls for each thread of a launch, and what it and the linker expect beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .device_ir import DYNAMIC
from .ir import Block, Function, Global, Module, Operand, read_instruction
from .ir.signatures import copied_type, read_signature
from .verifier.layout import Layout

ENTRY = "@emu_entry"
#: The types of parameters at the end of a name, which no template argument follows.
_TYPED = re.compile(r"(.*?)\s*\(([^()]*)\)", re.S)
#: The name of the file in which `choose` names a kernel, in the compiler's messages.
CHOSEN_FILE = "launch"
#: In the text, the constant that `choose` declares, and in the IR.
_CHOSEN, CHOSEN_NAME = "emu_kernel", "@_ZL10emu_kernel"
_COPY = "@llvm.memcpy.p0.p0.i64"
#: Most bytes of dynamic shared memory (CUDA C++ Programming Guide, "Technical Specifications per Compute Capability").
DYNAMIC_BYTES = 232448
_GROUP = "#1000000"
_ATTRIBUTES = 'noinline nounwind "frame-pointer"="all" "probe-stack"="inline-asm" "target-cpu"="x86-64"'


def expression(name: str) -> str:
    """Return a kernel's name as a C++ expression. The name may end in the types of its parameters: "blur(float*,
    int)"."""
    typed = _TYPED.fullmatch(name)
    return f"static_cast<void (*)({typed[2]})>({typed[1]})" if typed else name


def choose(name: str) -> str:
    """C++ that follows a text and names a kernel, which so becomes an instance of its template. No macro of the text
    changes its other words."""
    words = ("static", "constexpr", "auto", "device", "used", _CHOSEN)
    undefined = "".join(f"#undef {word}\n" for word in words)
    declared = f"__attribute__((device, used)) static constexpr auto* {_CHOSEN} = {expression(name)};"
    # (Two lines, since the text may end in a comment that goes on.)
    return f'\n\n#line 1 "{CHOSEN_FILE}"\n{undefined}{declared}\n'


def chosen_kernel(module: Module) -> str:
    """Return the symbol that `choose` has named, "@_Z4blurPf"."""
    return module.globals[CHOSEN_NAME].value


def add_entry(module: Module, symbol: str) -> None:
    """Unless `symbol` is empty, add an entry for the kernel of that name, the sizes of the kernel's parameters and the
    variables that all modules have. The entry is a function that gets a pointer to each argument, and calls the kernel.

    To be done while each parameter of C++ is one of the IR.
    """
    if not symbol:
        return
    kernel = module.functions[symbol]
    parameters = read_signature(kernel.head).parameters
    layout = Layout(module)
    sizes = [layout.size(copied_type(parameter) or parameter.type) for parameter in parameters]
    numbers = ", ".join(f"i32 {size}" for size in (*sizes, 0))
    module.items = [item for item in module.items if not (isinstance(item, Global) and item.name == CHOSEN_NAME)]
    warp_size = module.globals.get("@warpSize")
    if warp_size:
        warp_size.linkage, warp_size.value = "", "32"
    module.attributes[_GROUP] = frozenset(_ATTRIBUTES.split())
    added = [
        Global(
            "@emu_parameters",
            "",
            "constant",
            f"{{ i32, [{len(sizes) + 1} x i32] }}",
            f"{{ i32 {len(sizes)}, [{len(sizes) + 1} x i32] [{numbers}] }}",
            ["align 4"],
        ),
        Global(
            "@emu_dynamic",
            "",
            "global",
            f"[{DYNAMIC_BYTES} x i8]",
            "zeroinitializer",
            [f'section "{DYNAMIC}"', "align 1024"],
        ),
        # The linker scripts insert their sections after these two, which so are never empty.
        Global("@emu_data", "hidden ", "global", "i8", "1", ['section ".data"', "align 1"]),
        Global("@emu_bss", "hidden ", "global", "i8", "0", ['section ".bss"', "align 1"]),
    ]
    code = [read_instruction(line) for line in _calling(kernel.name, parameters, layout)]
    entry = Function(f"define void {ENTRY}(ptr noundef %0) {_GROUP} {{", ENTRY, (_GROUP,), "", [Block((), "", code)])
    at = next(i for i, item in enumerate(module.items) if isinstance(item, Function))
    module.items[at:at] = [*added, "", entry, "", f"attributes {_GROUP} = {{ {_ATTRIBUTES} }}", ""]
    module.declare({_COPY: f"declare void {_COPY}(ptr, ptr, i64, i1 immarg)"})


def _calling(kernel: str, parameters: tuple[Operand, ...], layout: Layout) -> Iterator[str]:
    """Yield the code of the entry."""
    for i, parameter in enumerate(parameters):
        if copied := copied_type(parameter):
            yield f"  %emu.entry.copy.{i} = alloca {copied}, align {parameter.align}"
    given = []
    for i, parameter in enumerate(parameters):
        copied, type_ = copied_type(parameter), parameter.type
        yield f"  %emu.entry.at.{i} = getelementptr inbounds ptr, ptr %0, i64 {i}"
        yield f"  %emu.entry.from.{i} = load ptr, ptr %emu.entry.at.{i}, align 8"
        if copied:
            size, align = layout.size(copied), parameter.align
            given_ = (
                f"ptr align {align} %emu.entry.copy.{i}, ptr align {align} %emu.entry.from.{i}, i64 {size}, i1 false"
            )
            yield f"  call void {_COPY}({given_})"
            given.append(f"ptr byval({copied}) align {align} %emu.entry.copy.{i}")
            continue
        held = "i8" if type_ == "i1" else type_
        yield f"  %emu.entry.held.{i} = load {held}, ptr %emu.entry.from.{i}, align {layout.size(held)}"
        if type_ == "i1":
            yield f"  %emu.entry.given.{i} = trunc i8 %emu.entry.held.{i} to i1"
        value = f"%emu.entry.given.{i}" if type_ == "i1" else f"%emu.entry.held.{i}"
        extended = next((f"{word} " for word in ("signext", "zeroext") if word in parameter.attributes.split()), "")
        given.append(f"{type_} {extended}{value}")
    yield f"  call void {kernel}({', '.join(given)})"
    yield "  ret void"
