// kernel: smooth   grid: 4   block: 32
// args: u float32[130] random
// expect: Race between=1,2 array=u scope=grid
__global__ void smooth(float* u)
{
    int i = blockIdx.x * 32 + threadIdx.x + 1;
    float v = (u[i - 1] + u[i + 1]) / 2;          // (1)
    u[i] = v;                                     // (2)
}
