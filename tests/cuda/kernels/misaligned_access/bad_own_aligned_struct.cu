// kernel: sum   grid: 1   block: 8
// args: in uint8[72] random, out int32[8] poison
// expect: MisalignedAccess lines=1 address_mod=4 array=in action=read
struct __align__(8) Pair { int a, b; };
__global__ void sum(const unsigned char* in, int* out)
{
    Pair p = *(const Pair*)(in + 8 * threadIdx.x + 4); // (1)
    out[threadIdx.x] = p.a + p.b;
}
