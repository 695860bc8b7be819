// prints: 6 9 11 5 12
// Variables of a program whose kernels launch kernels: managed, constant, of other files, in templates, and virtual functions.
#include <cstdio>

__managed__ int shared_by_all = 1;
__constant__ int factor = 2;
__device__ int plain_one[2] = {4, 5};
static __managed__ int hidden;
template <class T> __device__ T of_type = 1;

struct Base {
    __device__ virtual int value() const { return 1; }
};
struct Derived : Base {
    __device__ int value() const override { return 9; }
};

__global__ void child(int* x) {
    shared_by_all *= factor;
    Derived d;
    const Base* b = &d;
    hidden = b->value();
    of_type<int> += 10;
    x[0] = plain_one[1];
}
__global__ void parent(int* x) { child<<<1, 1>>>(x); }

int main() {
    int three = 3, type, *x, n, one[2];
    cudaMalloc(&x, sizeof(int));
    cudaMemcpyToSymbol(factor, &three, sizeof three);
    shared_by_all = 2;
    parent<<<1, 1>>>(x);
    cudaDeviceSynchronize();
    cudaMemcpyFromSymbol(&type, of_type<int>, sizeof type);
    cudaMemcpy(&n, x, sizeof n, cudaMemcpyDeviceToHost);
    int more[2] = {12, 13};
    cudaMemcpyToSymbol(plain_one, more, sizeof more);
    cudaMemcpyFromSymbol(one, plain_one, sizeof one);
    printf("%d %d %d %d %d\n", shared_by_all, hidden, type, n, one[0]);
    cudaFree(x);
}
// nvcc: -rdc=true
