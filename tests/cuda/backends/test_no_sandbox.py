"""Is a kernel refused if the sandbox cannot be closed, unless somebody declares it trusted?"""

from __future__ import annotations

import os
import subprocess
import sys

import inputs
import pytest

pytestmark = inputs.emulation

#: A process that cannot install a seccomp filter, as in some containers, and then runs the emulator.
WITHOUT_SECCOMP = """
import ctypes, struct
import numpy as np
from autograder import Kernel
from autograder.cuda.errors import GraderFault

PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, PRCTL = 22, 38, 157
LOAD, EQUAL, RETURN = 0x20, 0x15, 0x06
ALLOW, EPERM = 0x7FFF0000, 0x00050001
steps = [
    (LOAD, 0, 0, 0), (EQUAL, 0, 3, PRCTL),             # the number of the system call
    (LOAD, 0, 0, 16), (EQUAL, 0, 1, PR_SET_SECCOMP),   # its first argument
    (RETURN, 0, 0, EPERM), (RETURN, 0, 0, ALLOW),
]
code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
program = struct.pack("HxxxxxxP", len(steps), ctypes.addressof(code))
prctl = ctypes.CDLL(None, use_errno=True).prctl
assert prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
assert prctl(PR_SET_SECCOMP, 2, ctypes.c_char_p(program), 0, 0) == 0
assert prctl(PR_SET_SECCOMP, 2, ctypes.c_char_p(program), 0, 0) == -1
try:
    run = Kernel("__global__ void k(int* x) { x[threadIdx.x] = 7; }", "k").emulate(1, 32, [np.zeros(32, np.int32)])
    print(run.outputs[0].sum())
except GraderFault as fault:
    print(fault)
"""


@pytest.mark.parametrize(("message", "answer"), [("", "no kernel is run without it"), ("0", "no kernel"), ("1", "224")])
def test_a_kernel_runs_without_a_sandbox_only_where_it_is_trusted(message: str, answer: str) -> None:
    env = {**os.environ, "AUTOGRADER_TRUST_KERNELS": message}
    done = subprocess.run([sys.executable, "-c", WITHOUT_SECCOMP], env=env, capture_output=True, text=True, check=True)
    assert answer in done.stdout
