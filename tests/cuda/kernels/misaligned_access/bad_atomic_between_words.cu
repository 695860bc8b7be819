// kernel: count   grid: 1   block: 32
// args: bytes uint8[16] zeros
// expect: MisalignedAccess lines=1 width=4 address_mod=2 array=bytes action=atomic
__global__ void count(unsigned char* bytes)
{
    atomicAdd((int*)(bytes + 2), 1);              // (1)
}
