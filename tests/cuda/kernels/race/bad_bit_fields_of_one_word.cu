// kernel: set   grid: 1   block: 64
// args: out int32[32] zeros
// expect: Race between=1,2 array=out scope=block
struct Flags { unsigned low : 16, high : 16; };
__global__ void set(Flags* out)
{
    // Each thread writes its own field, and with it the whole word.
    if (threadIdx.x < 32) out[threadIdx.x].low = 1; // (1)
    else out[threadIdx.x - 32].high = 1;          // (2)
}
