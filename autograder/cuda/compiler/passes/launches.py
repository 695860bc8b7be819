"""Launches of kernels by kernels, as clang writes them: it asks for room for the arguments, by a constant number of
bytes, stores them there, and passes the room to the launch. Here, the room is a variable of the function, and the
runtime gets its address just before the launch.

A kernel that is launched is only named, by the number that stands for a pointer to it (`function_pointers.py`): the
launch is made from outside, so what launches it does not contain it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from ..ir import Call, Instruction, Module, location, read_instruction
from ..ir.operands import NAME
from ..verifier import UnprovenError
from .function_pointers import pointer_to, pointer_value

_ROOM, _LAUNCH, _ARGUMENTS = "@cudaGetParameterBuffer", "@cudaLaunchDevice", "@emu_launch_arguments"
_LAUNCHED = re.compile(rf"(\bcall [^\n]*{_LAUNCH}\(ptr [^\n@,]*)(@{NAME})")
_DEFINED = re.compile(rf"^define [^\n@]*(@{NAME})", re.M)


def name_launched(text: str) -> str:
    """Return the text of a module in which no launch refers to the kernel's function."""
    return _LAUNCHED.sub(lambda found: f"{found[1]}{pointer_to(found[2])}", text) if _LAUNCH in text else text


@lru_cache(maxsize=4)
def pointed_functions(text: str) -> dict[int, str]:
    """Return the functions that the text of a module defines, by the number that is a pointer to each."""
    return {pointer_value(name): name for name in _DEFINED.findall(text)}


def give_launches_room(module: Module) -> None:
    """Give each launch of a module room for its arguments.

    Raises:
        UnprovenError: the text itself calls what clang makes of a launch.
    """
    if _ROOM not in module.declarations:
        return
    for function in module.functions.values():
        rooms: dict[str, tuple[str, str]] = {}
        variables: list[Instruction] = []

        def change(instruction: Instruction) -> Iterable[Instruction]:
            if not isinstance(instruction, Call):
                return (instruction,)
            if instruction.callee == _ROOM:
                align, size = (argument.value for argument in instruction.arguments)
                if not (align.isdigit() and size.isdigit()):
                    raise _by_itself(module, instruction)
                name = f"%emu.launch.{len(rooms)}"  # noqa: B023
                rooms[instruction.result] = name, size  # noqa: B023
                variables.append(read_instruction(f"  {name} = alloca [{size} x i8], align {align}"))  # noqa: B023
                step = f"  {instruction.result} = getelementptr inbounds i8, ptr {name}, i64 0{instruction.line}"
                return (read_instruction(step),)
            if instruction.callee == _LAUNCH:
                room = rooms.get(instruction.arguments[1].value)  # noqa: B023
                if room is None:
                    raise _by_itself(module, instruction)
                # (Named itself: after a call, the verifier knows nothing of what was computed from it.)
                given = f"  call void {_ARGUMENTS}(ptr {room[0]}, i64 {room[1]}){instruction.line}"
                return (read_instruction(given), instruction)
            return (instruction,)

        function.rewrite(change)
        first = function.blocks[0].instructions
        first[:0] = variables
    module.declare({_ARGUMENTS: f"declare void {_ARGUMENTS}(ptr, i64)"})


def _by_itself(module: Module, call: Call) -> UnprovenError:
    line, _ = location(module.metadata, call.attachment("dbg")) or (0, 0)
    return UnprovenError("a launch without <<<...>>>", line, "")
