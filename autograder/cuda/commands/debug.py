"""The command `debug`: steps through one launch of a kernel, forward and back, by a recording of what it did."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from ..errors import UsageError
from .run import add_launch, announce_first_build

_HELP = """\
A file with a main function runs as a program up to the launch that is debugged, by default its first; what it prints
until then is not shown. With --grid and --block, one kernel is launched instead.

That launch runs to its end first, with all checks, and is recorded; so steps go back as well as on, at once. Lines and
variables are recorded of one block at a time, and another block is recorded when you go there.

With --dap, an editor debugs: standard input and output speak the Debug Adapter Protocol, and the file and its launch
come from the editor's configuration (docs/debugger.md).
"""


def add_command(commands: Any) -> None:
    """Add it to argparse's `commands`."""
    debug = commands.add_parser(
        "debug",
        help="step through a kernel's lines, forward and back, and look at its variables",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog=_HELP,
    )
    debug.add_argument("file", type=Path, nargs="?")
    debug.add_argument(
        "arguments", nargs="*", default=[], metavar="-- ARGUMENT", help="arguments of the program itself"
    )
    add_launch(debug)
    debug.add_argument(
        "--launch", type=int, default=1, metavar="N", help="of a program, which launch (of --kernel); the first is 1"
    )
    debug.add_argument("--dap", action="store_true", help="speak the Debug Adapter Protocol, for editors")
    debug.set_defaults(command=_debug)


def _debug(options: argparse.Namespace) -> int:
    if options.dap:
        import sys

        from .debug_adapter import serve

        if options.file or options.grid or options.block:
            raise UsageError("With --dap, the editor's configuration names the file and its launch.")
        return serve(sys.stdin.buffer, sys.stdout.buffer)
    from ..debugger.session import Session
    from .debug_prompt import Prompt
    from .debug_recording import recorder

    if options.file is None:
        raise UsageError("Name a CUDA file, as in `autograder debug blur.cu`.")
    announce_first_build(program=options.grid is None)
    Prompt(Session(recorder(options))).cmdloop()
    return 0
