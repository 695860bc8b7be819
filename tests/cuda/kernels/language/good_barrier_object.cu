// kernel: shift   grid: 2   block: 128
// args: in float32[256] random, out float32[256] poison
// expect: nothing
// check: out == np.roll(in_.reshape(2, 128), -1, axis=1).ravel() + np.roll(in_.reshape(2, 128), -2, axis=1).ravel()
#include <cuda/barrier>
__global__ void shift(const float* in, float* out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    __shared__ float tile[128];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (t == 0) init(&bar, blockDim.x);
    __syncthreads();
    tile[t] = in[i];
    bar.arrive_and_wait();
    float next = tile[(t + 1) % 128];
    auto token = bar.arrive();
    float sum = 0.0f;               // work of one's own between arriving and waiting
    for (int k = 0; k < 4; k++) sum += 0.25f * next;
    bar.wait(static_cast<decltype(token)&&>(token));
    tile[t] = sum;
    bar.arrive_and_wait();
    out[i] = sum + tile[(t + 1) % 128];
}
