// finds: nothing
// launch: grid=2, block=1, args=[zeros('int32', 1), zeros('int32', 1), zeros('int32', 1)]

#include <cuda/atomic>

// The same message. The orders of the two atomics take the fences' place.
__global__ void message(int* text, int* flag, int* out)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> raised(*flag);

    if (blockIdx.x == 0) {
        *text = 42;
        raised.store(1, cuda::memory_order_release);
    } else {
        while (raised.load(cuda::memory_order_acquire) == 0) {}
        *out = *text;
    }
}
