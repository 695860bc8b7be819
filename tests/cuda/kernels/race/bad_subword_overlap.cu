// kernel: bytes   grid: 1   block: 32
// args: out uint8[64] zeros
// expect: Race lines=1,2 array=out hazard=write-after-write
__global__ void bytes(unsigned char* out)
{
    int t = threadIdx.x;
    if (t < 16) out[4 * t + 3] = 1;               // (1)
    else *(unsigned short*)(out + 4 * (t - 16) + 2) = 7; // (2)
}
