"""A kernel known to be right: a compiler that refuses it, too, is to blame for refusing another one."""

from __future__ import annotations

from ..errors import MachineFault
from ..source.text import library_headers
from .cache import cache_folder
from .zig import WHEEL

NAME = "canary"
_TEXT = """
struct Pair { float x; int n; };
__constant__ float scale = 2.0f;
__global__ void canary(float* out, Pair given, int n)
{
    extern __shared__ float all[];
    __shared__ float tile[64];
    Pair mine = given;
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x % 64] = sqrtf(mine.x) * scale;
    all[threadIdx.x] = float(mine.n);
    __syncthreads();
    for (int i = 0; i < n; ++i) atomicAdd(out + t, tile[i % 64] + all[i]);
    if (t == 0) printf("%d\\n", n);
}
"""


def canary_for(source: str) -> str:
    """Return the text of the kernel, with the libraries' headers that `source` includes."""
    return "".join(f"#include <{header}>\n" for header in dict.fromkeys(library_headers(source))) + _TEXT


def machine_fault(why: str) -> MachineFault:
    """Return the fault of a machine whose compiler refuses what is right, or fails; `why` is what it says."""
    return MachineFault(
        f"The compiler does not work on this machine, so no answer is to blame: {why.strip()} "
        f"(Run `pip install --force-reinstall {WHEEL}`, and delete {cache_folder()}, which is made again.)"
    )
