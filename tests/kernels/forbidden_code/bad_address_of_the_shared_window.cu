// kernel: where   grid: 1   block: 32
// args: out uint64[32] poison
// expect: ForbiddenCode lines=1 construct=__cvta_generic_to_shared reason=unsupported
__global__ void where(unsigned long long* out)
{
    __shared__ float tile[32];
    out[threadIdx.x] = __cvta_generic_to_shared(tile); // (1)
}
