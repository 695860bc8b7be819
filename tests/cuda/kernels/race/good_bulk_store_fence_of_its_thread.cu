// kernel: copy   grid: 2   block: 64
// args: in float32[128] random, out float32[128] poison, more float32[128] poison
// expect: nothing
// check: out == in_
// check: more == in_.reshape(2, 64)[:, ::-1].ravel()
__device__ unsigned at(const void* shared) { return __cvta_generic_to_shared(shared); }
__device__ void store(void* to, const void* from, int bytes)
{
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" :: "l"(to), "r"(at(from)), "r"(bytes) : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
// One fence of proxies lies between all stores and the copy; and behind the wait, all may read what it has written.
__global__ void copy(const float* in, float* out, float* more)
{
    __shared__ alignas(16) float tile[64];
    int t = threadIdx.x, i = blockIdx.x * 64;
    tile[t] = in[i + t];
    __syncthreads();
    if (t == 0) {
        asm volatile("fence.proxy.async;" ::: "memory");
        store(out + i, tile, sizeof tile);
        asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    }
    __syncthreads();
    more[i + t] = out[i + 63 - t];
}
