"""Which GPUs have what a text uses."""

from __future__ import annotations

import re

from .text import blank

#: Clusters came with compute capability 9.0 (CUDA C++ Programming Guide, "Thread Block Clusters").
CLUSTERS_SINCE = 90
_OF_CLUSTERS = re.compile(r"\b(?:__cluster_dims__|this_cluster|cluster_group)\b")


def uses_clusters(text: str) -> bool:
    """Whether CUDA C++ `text` names thread block clusters, outside of comments."""
    return bool(_OF_CLUSTERS.search(blank(text)))


def runs_on(text: str, arch: str) -> bool:
    """Whether GPUs of `arch`, such as "sm_80", have what CUDA C++ `text` uses."""
    return not uses_clusters(text) or int(arch.removeprefix("sm_")) >= CLUSTERS_SINCE
