// kernel: two_phases   grid: 4   block: 32
// args: data int32[128] zeros, out int32[128] poison
// expect: Race between=1,2 array=data scope=grid
__global__ void two_phases(int* data, int* out)
{
    int i = blockIdx.x * 32 + threadIdx.x;
    data[i] = i;                                  // (1)
    __syncthreads();                              // waits for this block only
    out[i] = data[127 - i];                       // (2)
}
