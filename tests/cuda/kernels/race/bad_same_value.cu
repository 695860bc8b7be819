// kernel: any_negative   grid: 1   block: 64
// args: in int32[64] arange, flag int32[1] zeros
// expect: Race lines=1,1 array=flag hazard=write-after-write same_value=True
__global__ void any_negative(const int* in, int* flag)
{
    if (in[threadIdx.x] > 10) *flag = 1;          // (1)
}
