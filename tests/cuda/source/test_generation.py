"""Which GPUs have what a text uses?"""

import pytest

from autograder.cuda.source.generation import runs_on, target


@pytest.mark.parametrize(
    ("text", "archs"),
    [
        ("__global__ void f() { __syncthreads(); }", ["sm_75", "sm_80", "sm_90", "sm_120"]),
        ("__global__ void __cluster_dims__(2) f() {}", ["sm_90", "sm_120"]),
        ("__global__ void f() { auto group = cooperative_groups::this_cluster(); }", ["sm_90", "sm_120"]),
        ("__device__ void f(const cg::cluster_group& all) {}", ["sm_90", "sm_120"]),
        ('asm volatile("cp.async.bulk.shared::cluster.global ...");', ["sm_90", "sm_120"]),
        ("cuda::device::memcpy_async_tx(row, in, n, full);", ["sm_90", "sm_120"]),
        ('asm volatile("cp.async.ca.shared.global ...");', ["sm_75", "sm_80", "sm_90", "sm_120"]),
        ("// as with __cluster_dims__\n__global__ void f() {}", ["sm_75", "sm_80", "sm_90", "sm_120"]),
        ("__global__ void f(int* my_cluster_group) {}", ["sm_75", "sm_80", "sm_90", "sm_120"]),
    ],
)
def test_clusters_and_bulk_copies_came_with_hopper(text: str, archs: list[str]) -> None:
    assert [arch for arch in ("sm_75", "sm_80", "sm_90", "sm_120") if runs_on(text, arch)] == archs


def test_warpgroups_are_hoppers_alone() -> None:
    text = '__device__ void f() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }'
    assert [arch for arch in ("sm_75", "sm_80", "sm_90", "sm_100", "sm_120") if runs_on(text, arch)] == ["sm_90"]
    assert [target(text, arch) for arch in ("sm_80", "sm_90")] == ["sm_80", "sm_90a"]
    assert target("// not by wgmma.\n__global__ void f() {}", "sm_90") == "sm_90"
