"""The second wall: what a kernel's machine code writes is in one window of memory, which holds the launch's arrays, the
module and the threads' variables, and nothing that a verdict rests on. See "A window" in docs/decisions.md.
"""

from .confine import confine, with_our_stack
from .proof import prove
from .variables import with_two_stacks
