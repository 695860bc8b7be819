// line 8: a launch is written <<<blocks, threads>>>, with no space inside <<< or >>>
#include <cstdio>

__global__ void hello() { printf("hello from thread %d\n", threadIdx.x); }

int main()
{
    hello<< <1, 4> >>();
    cudaDeviceSynchronize();
}
