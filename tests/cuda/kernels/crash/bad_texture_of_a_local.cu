// kernel: forged   grid: 1   block: 4
// args: in int32[4] arange, out int32[4] zeros
// expect: Crash lines=1 reason="no such texture"
__global__ void forged(const int* in, int* out)
{
    int description[16] = {4, 1, 4, 1, 1, 0, 1, 1, 1, 0, 0, 16};
    *(long long*)(description + 12) = (const char*)in - (const char*)description;
    out[threadIdx.x] = tex1Dfetch<int>((cudaTextureObject_t)description, threadIdx.x); // (1)
}
