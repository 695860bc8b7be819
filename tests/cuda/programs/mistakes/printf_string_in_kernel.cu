// line 7: calling a __host__ function("std::string") from a __global__ function is not allowed: a kernel has no std::string, it works on arrays
#include <cstdio>
#include <string>

__global__ void greet()
{
    std::string name = "thread";
    printf("hello %s %d\n", name.c_str(), threadIdx.x);
}

int main()
{
    greet<<<1, 4>>>();
    cudaDeviceSynchronize();
}
