// What <cuda/atomic>, <cuda/barrier>, <cuda/pipeline> and headers of <cuda/std/...> give the host: atomics and what describes
// types are the C++ library's, and the rest is what a program's host half names in aliases and in the heads of what kernels
// call.
#pragma once
#include "cuda_runtime.h"

#include <atomic>
#include <limits>
#include <type_traits>
#include <utility>

namespace cuda {
enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread = 10 };

namespace std {
using namespace ::std;
class __empty_completion;
template <class Completion = __empty_completion> class barrier;
}  // namespace std
using ::std::memory_order;
using ::std::memory_order_acq_rel;
using ::std::memory_order_acquire;
using ::std::memory_order_consume;
using ::std::memory_order_relaxed;
using ::std::memory_order_release;
using ::std::memory_order_seq_cst;

template <class T, thread_scope Scope = thread_scope_system> class atomic : public ::std::atomic<T> {
public:
    using ::std::atomic<T>::atomic;
    using ::std::atomic<T>::operator=;
    constexpr atomic() noexcept = default;
};
template <class T, thread_scope Scope = thread_scope_system> class atomic_ref;
template <thread_scope Scope, class Completion = std::__empty_completion> class barrier;
enum class pipeline_role { producer, consumer };
template <thread_scope Scope, unsigned char Stages> class pipeline_shared_state;
template <thread_scope Scope> class pipeline;
template <size_t Alignment> class aligned_size_t;
}  // namespace cuda
