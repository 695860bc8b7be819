// kernel: pack   grid: 1   block: 32   shared_mem: 512
// args: in float32[128] random, out float32[128] poison
// expect: nothing
// check: out == in_.reshape(32, 4)[::-1].ravel()
__constant__ alignas(16) float zero[4] = {0, 0, 0, 0};
__global__ void pack(const float* in, float* out)
{
    __shared__ alignas(float4) float tile[128];
    extern __shared__ __align__(16) unsigned char raw[];
    int i = threadIdx.x;
    memcpy(&raw[16 * i], &in[4 * i], 16);
    *(float4*)&tile[4 * i] = *(float4*)&raw[16 * i];
    __syncthreads();
    float4 v = *(float4*)&tile[4 * (31 - i)];
    float w[4];
    memset(w, 0, sizeof w);
    memcpy(w, &v, sizeof w);
    for (int k = 0; k < 4; k++) out[4 * i + k] = w[k] + zero[k];
}
