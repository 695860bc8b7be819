"""What a launch did to memory; `cuda/compiler/protocol_records.py` makes this."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Counts:
    """A launch's memory traffic.

    Thread level: one for each access that a thread makes in the source, whatever its width;
    `global_load_bytes` says how wide those from global memory are together.
    `atomics` counts all atomics, `global_atomics` those outside shared memory, `compare_and_swaps` those
    that compare first. `constant_loads` counts loads from `__constant__` memory, which has its own cache and
    is in no other count. `remote_loads`, `remote_stores` and `remote_atomics` count accesses of the shared memory of
    other blocks of the cluster, which are in no other count either. `shuffles` counts each
    thread's shuffle calls; `votes` counts its calls of all other functions by which the lanes of a warp, or the threads
    of a block, learn of each other: votes, matches, reductions, `__activemask`, `__syncthreads_count` and its like.
    `combinations` counts those of them that compute what all have together: reductions, scans, `__syncthreads_count`.
    `barriers` counts waits, also at a `cuda::barrier` and in a tile of several warps.
    `matrix_products` counts each warp's calls of `mma_sync`; a load or store of a fragment counts as what its
    lanes do.
    Warp level, as Nsight Compute counts on an H200: a request is one instruction of one warp; a
    sector is 32 bytes of global memory, counted once for each request that needs it; a wavefront
    is one pass over the 32 shared-memory banks, of 4 bytes each; a conflict is a wavefront beyond
    the minimum for that width (a load or store of 8 or 16 bytes takes half or a quarter of the warp
    at a time). An atomic counts a sector once for each lane that updates the sector's most contended
    element, and one wavefront for each lane that needs the most contended bank; `..._as_stores` is what stores to
    the same places would take, whether contended or not.
    At best, the lanes of a warp make their accesses together, to neighboring places: the first of each lane, then the
    second of each, and so on. `..._at_best` is what these take: a wavefront for each 4 bytes of an access, or a
    sector for each byte (32 lanes) and one more, since they may begin anywhere in a sector; but no more than one for
    each lane that makes one. So lanes that go one after the other take more than that, though each of their requests is
    as cheap as can be.
    """

    global_loads: int = 0
    global_stores: int = 0
    global_load_bytes: int = 0
    shared_loads: int = 0
    shared_stores: int = 0
    atomics: int = 0
    global_atomics: int = 0
    barriers: int = 0
    remote_loads: int = 0
    remote_stores: int = 0
    remote_atomics: int = 0
    global_load_requests: int = 0
    global_load_sectors: int = 0
    global_store_requests: int = 0
    global_store_sectors: int = 0
    global_load_sectors_at_best: int = 0
    global_store_sectors_at_best: int = 0
    shared_load_requests: int = 0
    shared_load_conflicts: int = 0
    shared_store_requests: int = 0
    shared_store_conflicts: int = 0
    shared_load_wavefronts: int = 0
    shared_store_wavefronts: int = 0
    shared_load_wavefronts_at_best: int = 0
    shared_store_wavefronts_at_best: int = 0
    global_atomic_requests: int = 0
    global_atomic_sectors: int = 0
    global_atomic_sectors_as_stores: int = 0
    global_atomic_sectors_at_best: int = 0
    shared_atomic_requests: int = 0
    shared_atomic_wavefronts: int = 0
    shared_atomic_wavefronts_as_stores: int = 0
    shared_atomic_wavefronts_at_best: int = 0
    shared_atomic_conflicts_as_stores: int = 0
    constant_loads: int = 0
    shuffles: int = 0
    votes: int = 0
    combinations: int = 0
    matrix_products: int = 0
    compare_and_swaps: int = 0
