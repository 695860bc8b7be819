"""Which GPUs have what a text uses."""

from __future__ import annotations

import re

from .text import blank

#: Clusters, bulk copies and most of mbarrier came with compute capability 9.0 (CUDA C++ Programming Guide, "Thread
#: Block Clusters"; PTX ISA, "cp.async.bulk").
HOPPER = 90
_OF_CLUSTERS = re.compile(r"\b(?:__cluster_dims__|this_cluster|cluster_group)\b")
_OF_BULK_COPIES = re.compile(
    r"\bcp\.(?:reduce\.)?async\.bulk\b|\bmbarrier[._](?:try_wait|init\.release)|\bexpect_tx\b|\bfence\.proxy\b"
    r"|\bmemcpy_async_tx\b|\bbarrier_(?:arrive|expect)_tx\b|\bcp_async_bulk_"
)
_OF_PTX_9_0 = re.compile(r"\bstmatrix\b|\.cluster\.|\bred\.[\w.:]*\.v[24]\b")
#: Warpgroups' instructions, in inline PTX, exist with compute capability 9.0 and no other (PTX ISA, "wgmma.mma_async");
#: a change of a tensor map, and of how many registers a warp has, with few others, and in targets of their own, too.
WARPGROUPS_ON = "sm_90"
_OF_WARPGROUPS = re.compile(r"\b(?:wgmma|tensormap\.replace|setmaxnreg)\.\w")


def uses_clusters(text: str) -> bool:
    """Return whether CUDA C++ `text` names thread block clusters, outside of comments."""
    return bool(_OF_CLUSTERS.search(blank(text)))


def uses_bulk_copies(text: str) -> bool:
    """Return whether CUDA C++ `text` names a bulk copy. These stand in strings, which are searched, too."""
    return bool(_OF_BULK_COPIES.search(text))


def uses_warpgroups(text: str) -> bool:
    """Return whether CUDA C++ `text` names an instruction of warpgroups. These stand in strings, which are searched,
    too."""
    return bool(_OF_WARPGROUPS.search(text))


def runs_on(text: str, arch: str) -> bool:
    """Return whether GPUs of `arch`, such as "sm_80", have what CUDA C++ `text` uses."""
    if uses_warpgroups(text) and arch != WARPGROUPS_ON:
        return False
    return (
        not (uses_clusters(text) or uses_bulk_copies(text) or _OF_PTX_9_0.search(text))
        or int(arch.removeprefix("sm_")) >= HOPPER
    )


def target(text: str, arch: str) -> str:
    """Return what to tell NVIDIA's compilers so that they compile `text` for `arch`: what later GPUs don't have is in a
    separate target, such as "sm_90a"."""
    return f"{arch}a" if arch == WARPGROUPS_ON and uses_warpgroups(text) else arch
