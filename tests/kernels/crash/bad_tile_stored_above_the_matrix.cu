// kernel: fill   grid: 1   block: 32
// args: matrix float32[16x16] tiles 8x16, more float32 1
// expect: Crash lines=1
struct alignas(64) TensorMap { unsigned long long words[16]; };
__device__ unsigned at(const void* shared) { return __cvta_generic_to_shared(shared); }
// A tile that is loaded may begin above the matrix; one that is stored may not, though the rest of it is inside.
__global__ void fill(const __grid_constant__ TensorMap matrix, float more)
{
    __shared__ alignas(128) float tile[128];
    for (int i = threadIdx.x; i < 128; i += 32) tile[i] = i + more;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" :: "l"(&matrix), "r"(0), "r"(-2), "r"(at(tile)) : "memory"); // (1)
        asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
    }
}
