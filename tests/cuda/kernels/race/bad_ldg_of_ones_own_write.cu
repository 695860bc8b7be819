// kernel: add_one   grid: 2   block: 32
// args: x float32[256] random, out float32[64] poison
// expect: Race lines=1,2 array=x hazard=read-after-write scope=warp cached=True count=256
__global__ void add_one(float* x, float* out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 4; k++) x[4 * i + k] += 1;  // (1)
    __threadfence();
    float4 v = __ldg((float4*)x + i);               // (2)
    out[i] = v.x + v.y + v.z + v.w;
}
