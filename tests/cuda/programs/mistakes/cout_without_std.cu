// line 12: use of undeclared identifier 'cout'; did you mean 'std::cout'?
#include <iostream>

__global__ void k(int* x) { x[threadIdx.x] = threadIdx.x; }

int main()
{
    int* x;
    cudaMallocManaged(&x, 64 * sizeof(int));
    k<<<1, 64>>>(x);
    cudaDeviceSynchronize();
    cout << x[5] << endl;
    cudaFree(x);
}
