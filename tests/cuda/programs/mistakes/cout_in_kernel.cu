// line 8: identifier "cout" is undefined in device code: a kernel prints with printf
#include <iostream>

__global__ void hello(int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        std::cout << "hello from " << i << std::endl;
}

int main()
{
    hello<<<2, 4>>>(8);
    cudaDeviceSynchronize();
}
