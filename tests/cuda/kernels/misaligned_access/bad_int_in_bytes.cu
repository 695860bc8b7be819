// kernel: header   grid: 1   block: 1
// args: bytes uint8[16] random, out int32[1] poison
// expect: MisalignedAccess lines=1 width=4 address_mod=3 array=bytes action=read
__global__ void header(const unsigned char* bytes, int* out)
{
    *out = *(const int*)(bytes + 3);              // (1)
}
