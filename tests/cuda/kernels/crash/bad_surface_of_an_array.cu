// kernel: forged   grid: 1   block: 1
// args: out int32[20] zeros
// expect: Crash lines=1 reason="no such texture"
__global__ void forged(int* out)
{
    out[11] = 16;
    out[12] = 64;
    surf2Dwrite(1, (cudaSurfaceObject_t)out, 0, 0); // (1)
}
