// kernel: relax   grid: 1   block: 64
// args: x float32[64] random
// expect: Race lines=2,1 array=x hazard=read-after-write scope=block cached=True
// expect: Race lines=2,3 array=x hazard=read-after-write cached=True
__global__ void relax(float* x)
{
    int i = threadIdx.x;
    for (int k = 0; k < 3; k++) {
        float l = __ldg(x + (i + 32) % 64);       // (1)
        float r = x[(i + 1) % 64];
        __syncthreads();
        x[i] = 0.5f * (l + r);                    // (2)
        __syncthreads();
    }
    if (i == 0) x[0] += __ldg(&x[i]);             // (3)
}
