// prints: 31 41
// Inline PTX, by which a lane reads its number and adds to it.
#include <cstdio>

__global__ void by_ptx(int *lane, int *sum)
{
    int mine, total;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(mine));
    asm("add.s32 %0, %1, %2;" : "=r"(total) : "r"(mine), "n"(10));
    if (threadIdx.x == 31) {
        *lane = mine;
        *sum = total;
    }
}

int main()
{
    int *lane, *sum, host[2];
    if (cudaMalloc(&lane, 4) || cudaMalloc(&sum, 4)) return 1;
    by_ptx<<<1, 32>>>(lane, sum);
    if (cudaGetLastError()) return 1;
    cudaMemcpy(&host[0], lane, 4, cudaMemcpyDeviceToHost);
    cudaMemcpy(&host[1], sum, 4, cudaMemcpyDeviceToHost);
    printf("%d %d\n", host[0], host[1]);
    cudaFree(lane);
    cudaFree(sum);
}
