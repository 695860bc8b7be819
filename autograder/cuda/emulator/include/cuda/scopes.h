// Whom an operation of libcu++ concerns, and in what order it is seen.
#pragma once
#pragma push_macro("EMU_DEVICE")  // the host computes with these, too
#undef EMU_DEVICE
#define EMU_DEVICE EMU_BOTH

namespace cuda {
enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread = 10 };
namespace std {
using ::std::int16_t;
using ::std::int32_t;
using ::std::int64_t;
using ::std::int8_t;
using ::std::ptrdiff_t;
using ::std::size_t;
using ::std::uint16_t;
using ::std::uint32_t;
using ::std::uint64_t;
using ::std::uint8_t;
enum memory_order {
    memory_order_relaxed,
    memory_order_consume,
    memory_order_acquire,
    memory_order_release,
    memory_order_acq_rel,
    memory_order_seq_cst
};
}  // namespace std
using std::memory_order;
using std::memory_order_acq_rel;
using std::memory_order_acquire;
using std::memory_order_consume;
using std::memory_order_relaxed;
using std::memory_order_release;
using std::memory_order_seq_cst;

EMU_FN constexpr int emu_scope(thread_scope s) {
    return s == thread_scope_system || s == thread_scope_device ? EMU_SCOPE_DEVICE : EMU_SCOPE_BLOCK;
}
EMU_FN constexpr bool emu_acquires(memory_order o) { return o != memory_order_relaxed && o != memory_order_release; }
EMU_FN constexpr bool emu_releases(memory_order o) {
    return o == memory_order_release || o == memory_order_acq_rel || o == memory_order_seq_cst;
}
}  // namespace cuda
#pragma pop_macro("EMU_DEVICE")
