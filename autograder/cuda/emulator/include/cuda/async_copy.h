// The copies that cuda::memcpy_async starts, for barriers and pipelines alike.
#pragma once
#include <cooperative_groups/memcpy_async.h>

namespace cuda {
template <size_t N> struct aligned_size_t {
    static constexpr size_t align = N;
    size_t value;
    EMU_RAW explicit constexpr aligned_size_t(size_t bytes) : value(bytes) {}
    EMU_RAW constexpr operator size_t() const { return value; }
};
EMU_FN size_t emu_promised(size_t) { return 1; }
template <size_t N> EMU_FN size_t emu_promised(const aligned_size_t<N>&) { return N; }
template <class Group, class Size>
EMU_FN void emu_copy_in_group(const Group& g, void* to, const void* from, Size bytes, int wait, const void* site) {
    cooperative_groups::emu_share_copy(unsigned(g.thread_rank()), unsigned(g.size()), to, from, size_t(bytes), wait,
                                       site, emu_promised(bytes));
}
template <class Size> EMU_FN void emu_copy_alone(void* to, const void* from, Size bytes, int wait, const void* site) {
    cooperative_groups::emu_share_copy(0, 1, to, from, size_t(bytes), wait, site, emu_promised(bytes));
}
// Sync is a barrier or a pipeline; the copies land when the thread arrives there, or waits for the stage.
#define EMU_MEMCPY_ASYNC(Sync, Wait)                                                                                 \
    template <class T, class Size, EMU_OF_SYNC>                                                                      \
    EMU_METHOD void memcpy_async(T* to, const T* from, Size bytes, Sync&) {                                          \
        emu_copy_alone(to, from, bytes, Wait, EMU_SITE);                                                             \
    }                                                                                                                \
    template <class Size, EMU_OF_SYNC> EMU_METHOD void memcpy_async(void* to, const void* from, Size bytes, Sync&) { \
        emu_copy_alone(to, from, bytes, Wait, EMU_SITE);                                                             \
    }                                                                                                                \
    template <class Group, class T, class Size, EMU_OF_SYNC>                                                         \
    EMU_METHOD void memcpy_async(const Group& g, T* to, const T* from, Size bytes, Sync&) {                          \
        emu_copy_in_group(g, to, from, bytes, Wait, EMU_SITE);                                                       \
    }                                                                                                                \
    template <class Group, class Size, EMU_OF_SYNC>                                                                  \
    EMU_METHOD void memcpy_async(const Group& g, void* to, const void* from, Size bytes, Sync&) {                    \
        emu_copy_in_group(g, to, from, bytes, Wait, EMU_SITE);                                                       \
    }
}  // namespace cuda
