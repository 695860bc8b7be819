// cooperative_groups::memcpy_async: the group's threads share the copy; it lands at the group's wait.
#pragma once
#include <cooperative_groups.h>

namespace cuda {
template <unsigned long N> struct aligned_size_t;
}

namespace cooperative_groups {
// In pieces as wide as the addresses allow. Narrower ones than four bytes have no asynchronous copy on
// the GPU either, and what comes later there may come at once: they are no reason to skip the wait.
// `promised`: the alignment that the text vouches for.
EMU_FN void emu_share_copy(unsigned rank, unsigned threads, void* to, const void* from, size_t bytes, int wait,
                           const void* site, size_t promised = 1) {
    size_t both = (size_t)to | (size_t)from, at = 0;
    for (unsigned width = 16; width; width /= 2) {
        if (both % width && promised < width) continue;
        size_t end = bytes / width * width;
        for (size_t i = at + size_t(rank) * width; i < end; i += size_t(threads) * width)
            emu_async_copy((char*)to + i, (const char*)from + i, width, 0, wait, site);
        at = end;
    }
}
template <class Group> EMU_FN unsigned emu_threads(const Group& g) { return unsigned(g.size()); }
template <class Group, class T> EMU_METHOD void memcpy_async(const Group& group, T* to, const T* from, size_t bytes) {
    emu_share_copy(unsigned(group.thread_rank()), emu_threads(group), to, from, bytes, EMU_WAIT_GROUP, EMU_SITE);
    emu_async_commit();
}
template <class Group> EMU_METHOD void memcpy_async(const Group& group, void* to, const void* from, size_t bytes) {
    emu_share_copy(unsigned(group.thread_rank()), emu_threads(group), to, from, bytes, EMU_WAIT_GROUP, EMU_SITE);
    emu_async_commit();
}
template <class Group, class T, unsigned long N>
EMU_METHOD void memcpy_async(const Group& group, T* to, const T* from, const cuda::aligned_size_t<N>& bytes) {
    emu_share_copy(unsigned(group.thread_rank()), emu_threads(group), to, from, bytes.value, EMU_WAIT_GROUP, EMU_SITE,
                   N);
    emu_async_commit();
}
// With the room at either end in elements: as many are copied as both hold.
template <class Group, class T>
EMU_METHOD void memcpy_async(const Group& group, T* to, size_t room, const T* from, size_t count) {
    emu_share_copy(unsigned(group.thread_rank()), emu_threads(group), to, from,
                   (room < count ? room : count) * sizeof(T), EMU_WAIT_GROUP, EMU_SITE);
    emu_async_commit();
}
template <unsigned Prior, class Group> EMU_METHOD void wait_prior(const Group& group) {
    const void* site = EMU_SITE;
    emu_async_wait(Prior, site);
    if (group.emu_lanes()) emu_warp_barrier(group.emu_lanes(), site);
    else emu_barrier(site);
}
template <class Group> EMU_METHOD void wait(const Group& group) {
    const void* site = EMU_SITE;
    emu_async_wait(0, site);
    if (group.emu_lanes()) emu_warp_barrier(group.emu_lanes(), site);
    else emu_barrier(site);
}
}  // namespace cooperative_groups
