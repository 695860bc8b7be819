// kernel: k   grid: 1   block: 32
// args: in float16[256] arange, out float16[768] poison
// expect: nothing
// check: out == np.concatenate([in_, in_.reshape(4, 8, 8).transpose(0, 2, 1).ravel(), in_[:64].reshape(8, 8).T.ravel(), in_[:64], np.zeros(128)])
#include <cuda_fp16.h>
__global__ void k(const __half* in, __half* out)
{
    __shared__ alignas(16) __half from[256], to[768];
    int t = threadIdx.x;
    for (int i = t; i < 768; i += 32) to[i] = __half(0.0f);
    for (int i = t; i < 256; i += 32) from[i] = in[i];
    __syncwarp();
    unsigned row = __cvta_generic_to_shared(&from[8 * t]), place = __cvta_generic_to_shared(&to[8 * t]), x[4], y;
    asm volatile("ldmatrix.sync.aligned.x4.m8n8.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
                 : "r"(row)
                 : "memory");
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1,%2,%3,%4};" ::"r"(place), "r"(x[0]), "r"(x[1]), "r"(x[2]),
                 "r"(x[3])
                 : "memory");
    asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0+512], {%1,%2,%3,%4};" ::"r"(place), "r"(x[0]), "r"(x[1]),
                 "r"(x[2]), "r"(x[3])
                 : "memory");
    asm("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(y) : "r"(x[0]));
    asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0+1024], {%1,%2};" ::"r"(place), "r"(y), "r"(x[0]) : "memory");
    __syncwarp();
    for (int i = t; i < 640; i += 32) out[i] = to[i];
    for (int i = 640 + t; i < 768; i += 32) out[i] = __half(0.0f);
}
