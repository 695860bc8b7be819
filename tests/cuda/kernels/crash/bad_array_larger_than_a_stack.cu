// kernel: k   grid: 1   block: 8
// args: out int32[8] zeros
// expect: Crash lines=1 reason='stack overflow' thread=0,0,0
__global__ void k(int* out)
{
    int many[16384]; // (1)
    for (int i = threadIdx.x; i < 16384; i += 64) many[i] = i;
    out[threadIdx.x] = many[out[threadIdx.x] + threadIdx.x];
}
