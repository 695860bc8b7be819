// kernel: talk   grid: 2   block: 2
// args: x float32 1.5
// expect: nothing
// check: printed == "".join(f"block {b} thread {t}: 1.50 100%\n" for b in range(2) for t in range(2))
__global__ void talk(float x)
{
    printf("block %d thread %d: %.2f %s%%\n", blockIdx.x, threadIdx.x, x, "100");
}
