"""The enumerations of `emulator/protocol.json`; `cuda/compiler/protocol_records.py` makes this."""

from __future__ import annotations

from enum import IntEnum

#: how a process ends
Status = IntEnum("Status", {"sent": 0, "refused": 2, "unsent": 3, "fault": 4, "untried": 5, "full_check": 6})
#: in which order blocks, and the threads of a block, get their time slices
Schedule = IntEnum("Schedule", {"forward": 0, "backward": 1, "warps": 2, "random": 3, "lockstep": 4, "turns": 5})
#: what a launch goes without, to see which results depend on it
Ablation = IntEnum("Ablation", {"nothing": 0, "shared_memory": 1, "constant_memory": 2, "shuffles": 3, "compare_and_swap": 4, "handed_over": 5, "matrix_products": 6, "shared_stores": 7, "distributed_shared_memory": 8, "even_matrix_products": 9, "odd_matrix_products": 10, "between_warps": 11})  # fmt: skip  # noqa: E501
#: what threads find in place of what is suppressed: zeros; what was found in this way the time before; itself, and
#: the launch records it; or what an earlier launch recorded
Substitute = IntEnum("Substitute", {"zeros": 0, "earlier": 1, "recorded": 2, "replayed": 3})
#: in which memory a variable lies
Space = IntEnum("Space", {"global": 0, "shared": 1, "device": 2, "local": 3, "constant": 4})
#: what an access does
Action = IntEnum("Action", {"read": 0, "write": 1, "atomic": 2})
#: what a trace tells of: the actions, and what else a thread does; those from line on are for a debugger, and are
#: in its builds alone: see cuda/compiler/passes/steps.py
Event = IntEnum("Event", {"read": 0, "write": 1, "atomic": 2, "barrier": 3, "leave_barrier": 4, "exit": 5, "land": 6, "line": 7, "enter": 8, "leave": 9, "declare": 10, "set": 11, "place": 12})  # fmt: skip  # noqa: E501
#: what an asynchronous copy, or a product of a warpgroup, is waited for by; proxy, product_proxy: it is the reader,
#: and has to be shown what it reads
Wait = IntEnum("Wait", {"prior": 0, "group": 1, "barrier": 2, "pipeline": 3, "mbarrier": 4, "bulk_group": 5, "proxy": 6, "product": 7, "product_proxy": 8, "map_proxy": 9})  # fmt: skip  # noqa: E501
#: which of two accesses is a copy on its way
Unawaited = IntEnum("Unawaited", {"neither": 0, "first": 1, "second": 2})
#: why a lane takes no part in a shuffle: the block has no such thread, it has ended, or the mask lacks it
Missing = IntEnum("Missing", {"absent": 0, "left": 1, "unnamed": 2})
#: whose threads have to meet
Scope = IntEnum("Scope", {"warp": 0, "block": 1, "cluster": 2, "grid": 3})
#: of what a launch has made too much
Limit = IntEnum("Limit", {"steps": 0, "time": 1, "output": 2, "memory": 3})
