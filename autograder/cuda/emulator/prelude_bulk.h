// Barriers in memory and bulk copies, for inline PTX and for libcu++. The runtime's part is in hooks/mbarriers.h and
// hooks/bulk_copies.h.
#pragma once

#pragma clang force_cuda_host_device begin
extern "C" {
// What an operation on a barrier is, as hooks/mbarriers.h numbers it.
enum { EMU_IN_BLOCK = 1, EMU_RELAXED = 2, EMU_DROPS = 4, EMU_ONLY_BYTES = 8, EMU_BY_PARITY = 16, EMU_OF_CUDA = 32 };
void emu_mbarrier_init(void* barrier, unsigned count, unsigned how, const void* site);
void emu_mbarrier_invalidate(void* barrier, const void* site);
// Returns the barrier's word as it was, which tells the phase. `bytes`: that the phase waits for besides.
unsigned long long emu_mbarrier_arrive(void* barrier, unsigned count, int bytes, unsigned how, const void* site);
// Whether the phase of such a word, or of a parity, has ended; if not, other threads go on first.
int emu_mbarrier_test(const void* barrier, unsigned long long token, unsigned how, const void* site);
// `form`: a bit for each block of the cluster that the bytes go to (none: where `to` is), and 1 << 16 from shared memory.
void emu_bulk_load(void* to, const void* from, unsigned bytes, void* barrier, unsigned form, const void* site);
void emu_bulk_store(void* to, const void* from, unsigned bytes, unsigned reduction, const void* site);
void emu_bulk_load_tile(void* to, const void* map, int c0, int c1, int c2, int c3, int c4, unsigned rank, void* barrier, unsigned blocks, const void* site);
void emu_bulk_store_tile(const void* from, const void* map, int c0, int c1, int c2, int c3, int c4, unsigned rank, unsigned adds, const void* site);
void emu_bulk_commit();
void emu_bulk_wait(unsigned prior, unsigned read_only, const void* site);
void emu_bulk_fence(unsigned spaces, const void* site);  // 1: shared memory, 2: global
// Changes a field of a tensor map in memory; what is known to be written is for copies that read tensor maps, or what
// others have let them have is.
void emu_bulk_map_replace(void* map, unsigned field, unsigned axis, unsigned long long value, const void* site);
void emu_bulk_map_fence(unsigned acquires, const void* site);
}
#pragma clang force_cuda_host_device end

// ---- mbarrier ----------------------------------------------------------------------------------------------
EMU_CALL void emu_ptx_mbarrier_init(unsigned long at, unsigned count) { emu_mbarrier_init((void*)at, count, 0, EMU_SITE); }
EMU_CALL void emu_ptx_mbarrier_inval(unsigned long at) { emu_mbarrier_invalidate((void*)at, EMU_SITE); }
EMU_CALL unsigned long emu_ptx_mbarrier_arrive(unsigned long at, unsigned count, unsigned bytes, unsigned how) {
    return (unsigned long)emu_mbarrier_arrive((void*)at, count, int(bytes), how, EMU_SITE);
}
EMU_CALL bool emu_ptx_mbarrier_test(unsigned long at, unsigned long token, unsigned how) {
    return emu_mbarrier_test((const void*)at, token, how, EMU_SITE);
}
EMU_FN unsigned emu_ptx_pending_count(unsigned long token) { return unsigned(token >> 20) & 0xfffff; }
// The thread's asynchronous copies so far arrive: here, with the thread.
EMU_CALL void emu_ptx_copies_arrive(unsigned long at, bool counts) {
    const void* site = EMU_SITE;
    emu_async_commit();
    emu_async_wait(0, site);
    emu_mbarrier_arrive((void*)at, 1, 0, counts ? 0 : EMU_ONLY_BYTES, site);
}

// ---- clusters ----------------------------------------------------------------------------------------------
EMU_CALL unsigned long emu_ptx_mapa(unsigned long at, unsigned rank) { return (unsigned long)emu_cluster_map((const void*)at, rank, EMU_SITE); }
EMU_CALL unsigned emu_ptx_mapa_shared(unsigned at, unsigned rank) {
    const void* site = EMU_SITE;
    return emu_shared_address(emu_cluster_map(emu_shared_pointer(at, site), rank, site));
}
EMU_CALL unsigned emu_ptx_getctarank(unsigned long at) { return emu_cluster_rank_of((const void*)at, EMU_SITE); }
EMU_CALL void emu_ptx_cluster_arrive() { emu_cluster_arrive(EMU_SITE); }
EMU_CALL void emu_ptx_cluster_wait() { emu_cluster_wait(EMU_SITE); }
EMU_FN EmuIndex emu_place_in_cluster() {
    EmuIndex b = emu_index->block, c = emu_shape.cluster;
    return {b.x % c.x, b.y % c.y, b.z % c.z};
}
EMU_FN EmuIndex emu_clusters(EmuIndex blocks) {
    EmuIndex c = emu_shape.cluster;
    return {blocks.x / c.x, blocks.y / c.y, blocks.z / c.z};
}
EMU_SPECIAL(clusterid, emu_clusters(emu_index->block))
EMU_SPECIAL(nclusterid, emu_clusters(emu_shape.grid))
EMU_SPECIAL(cluster_ctaid, emu_place_in_cluster())
EMU_SPECIAL(cluster_nctaid, emu_shape.cluster)
#undef EMU_SPECIAL
EMU_FN unsigned emu_ptx_cluster_ctarank() {
    EmuIndex at = emu_place_in_cluster(), of = emu_shape.cluster;
    return at.x + of.x * (at.y + of.y * at.z);
}
EMU_FN unsigned emu_ptx_cluster_nctarank() { return emu_shape.cluster.x * emu_shape.cluster.y * emu_shape.cluster.z; }

// ---- bulk copies ---------------------------------------------------------------------------------------------
EMU_CALL void emu_ptx_bulk_load(unsigned long to, unsigned long from, unsigned bytes, unsigned long barrier, unsigned form) {
    emu_bulk_load((void*)to, (const void*)from, bytes, (void*)barrier, form, EMU_SITE);
}
EMU_CALL void emu_ptx_bulk_store(unsigned long to, unsigned long from, unsigned bytes, unsigned reduction) {
    emu_bulk_store((void*)to, (const void*)from, bytes, reduction, EMU_SITE);
}
struct EmuTile { unsigned rank; int at[5]; };
template <class... C> EMU_FN EmuTile emu_tile(C... at) { return {sizeof...(C), {int(at)...}}; }
EMU_CALL void emu_ptx_bulk_load_tile(unsigned long to, unsigned long map, EmuTile t, unsigned long barrier, unsigned blocks) {
    emu_bulk_load_tile((void*)to, (const void*)map, t.at[0], t.at[1], t.at[2], t.at[3], t.at[4], t.rank, (void*)barrier, blocks, EMU_SITE);
}
EMU_CALL void emu_ptx_bulk_store_tile(unsigned long map, EmuTile t, unsigned long from, unsigned adds) {
    emu_bulk_store_tile((const void*)from, (const void*)map, t.at[0], t.at[1], t.at[2], t.at[3], t.at[4], t.rank, adds, EMU_SITE);
}
template <unsigned PRIOR> EMU_CALL void emu_ptx_bulk_wait(bool read_only) { emu_bulk_wait(PRIOR, read_only, EMU_SITE); }
EMU_CALL void emu_ptx_bulk_fence(unsigned spaces) { emu_bulk_fence(spaces, EMU_SITE); }
EMU_CALL void emu_ptx_map_replace(unsigned long map, unsigned field, unsigned axis, unsigned long value) {
    emu_bulk_map_replace((void*)map, field, axis, value, EMU_SITE);
}
EMU_CALL void emu_ptx_map_fence(bool acquires) { emu_bulk_map_fence(acquires, EMU_SITE); }
// By a whole warp, each lane a word.
EMU_CALL void emu_ptx_map_publish(unsigned long to, unsigned long from) {
    const void* site = EMU_SITE;
    emu_warp_barrier(~0u, site);
    ((unsigned*)to)[emu_ptx_laneid()] = ((const unsigned*)from)[emu_ptx_laneid()];
    emu_bulk_map_fence(false, site);
    emu_warp_barrier(~0u, site);
}
