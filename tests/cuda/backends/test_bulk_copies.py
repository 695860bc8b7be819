"""Misuses of mbarriers and bulk copies, each by its name; and what copies count as. (tests/cuda/kernels has races of
copies and waits that never end, with bulk and mbarrier in their names.)"""

import inputs
import numpy as np
import pytest

from autograder import Kernel
from autograder.cuda.core.findings import Crash
from autograder.cuda.core.run import Run

pytestmark = inputs.emulation

TEXT = """
__device__ unsigned at(const void* shared) { return __cvta_generic_to_shared(shared); }
__global__ void use(const float* in, float* out)
{
    __shared__ alignas(128) float tile[256];
    __shared__ unsigned long long bar, other;
    unsigned long long state = 0, more = 0;
    float mine[8] = {};
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" :: "r"(at(&bar)) : "memory");
        STATEMENTS
    }
    out[threadIdx.x] = mine[threadIdx.x % 8] + tile[0] + (float)(state + more + other);
}
"""
STATE = 'asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(at(&bar)) : "memory");'
LOAD = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1]"
STORE = "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1]"


def run(statements: str) -> Run:
    arrays = [np.zeros(256, np.float32), np.zeros(32, np.float32)]
    return Kernel(TEXT.replace("STATEMENTS", statements), "use").emulate(1, 32, arrays)


@pytest.mark.sampled(one_in=3)
@pytest.mark.parametrize(
    ("statements", "reason"),
    [
        ('asm("mbarrier.init.shared.b64 [%0], 0;" :: "r"(at(&other)));', "mbarrier count"),
        ('asm("mbarrier.init.shared.b64 [%0], 0x100000;" :: "r"(at(&other)));', "mbarrier count"),
        ('asm("mbarrier.init.b64 [%0], 1;" :: "l"(out));', "mbarrier not shared"),
        ('asm("mbarrier.init.b64 [%0], 1;" :: "l"(mine));', "mbarrier not shared"),
        ('asm("mbarrier.arrive.b64 %0, [%1];" : "=l"(state) : "l"(out));', "mbarrier not shared"),
        ('asm("mbarrier.inval.shared.b64 [%0];" :: "r"(at(&other)));', "mbarrier not ready"),
        ('asm("mbarrier.arrive.shared.b64 _, [%0], 2;" :: "r"(at(&bar)));', "mbarrier arrivals"),
        ('asm("mbarrier.arrive.shared.b64 _, [%0], 0;" :: "r"(at(&bar)));', "mbarrier arrivals"),
        ('asm("mbarrier.expect_tx.shared.b64 [%0], 0x100000;" :: "r"(at(&bar)));', "mbarrier bytes"),
        (
            f"{STATE} {STATE.replace('(state)', '(more)')} "
            'asm("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%0], %1; }" :: "r"(at(&bar)), "l"(state));',
            "mbarrier token",
        ),
        (f'asm("{LOAD}, 0, [%2];" :: "r"(at(tile)), "l"(in), "r"(at(&bar)));', "bulk size"),
        (f'asm("{LOAD}, 24, [%2];" :: "r"(at(tile)), "l"(in), "r"(at(&bar)));', "bulk size"),
        (f'asm("{LOAD}, 16, [%2];" :: "r"(at(tile)), "l"(tile), "r"(at(&bar)));', "address not global"),
        (f'asm("{LOAD}, 16, [%2];" :: "r"(at(tile)), "l"(mine), "r"(at(&bar)));', "address not global"),
        (f'asm("{STORE}, 8;" :: "l"(out), "r"(at(tile)));', "bulk size"),
        ('asm("{ .reg .b32 a; mapa.shared::cluster.u32 a, %0, 1; }" :: "r"(at(tile)));', "cluster rank"),
    ],
)
def test_a_misuse_is_named(statements: str, reason: str) -> None:
    finding = run(statements).findings[-1]
    assert isinstance(finding, Crash) and finding.reason == reason


def test_a_copy_counts_as_the_loads_of_a_warps_lanes() -> None:
    counts = run(
        'asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 1024;" :: "r"(at(&bar)) : "memory");'
        f'asm volatile("{LOAD}, 1024, [%2];" :: "r"(at(tile)), "l"(in), "r"(at(&bar)) : "memory");'
    ).counts
    assert counts is not None
    assert (counts.global_loads, counts.global_load_bytes) == (64, 1024)
    assert (counts.global_load_requests, counts.global_load_sectors) == (2, 32)
    assert counts.global_load_sectors_at_best == 32


def test_a_phase_may_get_its_bytes_by_hand() -> None:
    """`complete_tx` stands for a copy; and expected bytes may come before their arrival."""
    done = run(
        'asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], 64;" :: "r"(at(&bar)) : "memory");'
        'asm volatile("mbarrier.complete_tx.shared::cta.b64 [%0], 64;" :: "r"(at(&bar)) : "memory");'
        f"{STATE} int over = 0; while (!over) "
        'asm volatile("{ .reg .pred p; mbarrier.try_wait.shared.b64 p, [%1], %2, 1000; selp.s32 %0, 1, 0, p; }"'
        ' : "=r"(over) : "r"(at(&bar)), "l"(state) : "memory"); tile[0] = 1; other = 0;'
    )
    assert done.completed
