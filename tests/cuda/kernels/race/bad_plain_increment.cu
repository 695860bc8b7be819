// kernel: histogram   grid: 1   block: 64
// args: in uint8[64] zeros, hist uint32[256] zeros
// expect: Race lines=1,1 array=hist hazard=write-after-read count=1
// expect: Race lines=1,1 array=hist hazard=write-after-write count=1
__global__ void histogram(const unsigned char* in, unsigned* hist)
{
    hist[in[threadIdx.x]]++;                      // (1)
}
