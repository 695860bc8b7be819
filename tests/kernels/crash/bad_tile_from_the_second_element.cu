// kernel: shifted   grid: 1   block: 32
// args: matrix float32[16x16] tiles 8x16, out float32[128] poison
// expect: Crash lines=1
struct alignas(64) TensorMap { unsigned long long words[16]; };
__device__ unsigned at(const void* shared) { return __cvta_generic_to_shared(shared); }
// Each element's right neighbor. Along the first axis, tiles begin at multiples of 16 bytes.
__global__ void shifted(const __grid_constant__ TensorMap matrix, float* out)
{
    __shared__ alignas(128) float tile[128];
    __shared__ unsigned long long full;
    int t = threadIdx.x, open = 0;
    if (t == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(at(&full)) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 512;" :: "r"(at(&full)) : "memory");
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" :: "r"(at(tile)), "l"(&matrix), "r"(1), "r"(0), "r"(at(&full)) : "memory"); // (1)
    }
    __syncthreads();
    while (!open)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.b32 %0, 1, 0, p; }"
                     : "=r"(open) : "r"(at(&full)) : "memory");
    for (int i = t; i < 128; i += 32) out[i] = tile[i];
}
