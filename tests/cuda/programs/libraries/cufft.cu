// Transforms, each of which prints its name and what it makes; test_libraries.py computes the same by numpy.
#include <cstdio>
#include <cstdlib>
#include <cufftXt.h>
#include <vector>

#define CHECK(call)                            \
    do {                                       \
        if (int status = call) {               \
            printf("%s: %d\n", #call, status); \
            exit(1);                           \
        }                                      \
    } while (0)

// `count` numbers that depend on their place, on the GPU.
template <class T> T* numbers(int count, int first) {
    std::vector<T> host(count);
    for (int i = 0; i < count; i++) host[i] = T((i * 7 + first * 3) % 11 - 5);
    T* gpu;
    CHECK(cudaMalloc(&gpu, count * sizeof(T)));
    CHECK(cudaMemcpy(gpu, host.data(), count * sizeof(T), cudaMemcpyHostToDevice));
    return gpu;
}
template <class T> void show(const char* name, T* gpu, int count) {
    std::vector<T> host(count);
    CHECK(cudaMemcpy(host.data(), gpu, count * sizeof(T), cudaMemcpyDeviceToHost));
    printf("%s", name);
    for (T x : host) printf(" %.9g", double(x));
    printf("\n");
    cudaFree(gpu);
}

int main() {
    cufftHandle plan;
    float* x = numbers<float>(96, 1);
    CHECK(cufftPlan1d(&plan, 12, CUFFT_C2C, 4));
    CHECK(cufftExecC2C(plan, (cufftComplex*)x, (cufftComplex*)x, CUFFT_FORWARD));
    show("c2c", x, 96);
    x = numbers<float>(96, 2);
    CHECK(cufftExecC2C(plan, (cufftComplex*)x, (cufftComplex*)x, CUFFT_INVERSE));
    show("inverse", x, 96);
    CHECK(cufftDestroy(plan));

    double *d = numbers<double>(30, 3), *z = numbers<double>(40, 4);
    CHECK(cufftPlan2d(&plan, 5, 6, CUFFT_D2Z));
    CHECK(cufftExecD2Z(plan, d, (cufftDoubleComplex*)z));
    CHECK(cufftDestroy(plan));
    CHECK(cufftPlan2d(&plan, 5, 6, CUFFT_Z2D));
    CHECK(cufftExecZ2D(plan, (cufftDoubleComplex*)z, d));
    show("z2d", d, 30);
    show("d2z", z, 40);
    CHECK(cufftDestroy(plan));

    // In place, rows of real numbers have room for complex ones.
    x = numbers<float>(40, 5);
    size_t bytes;
    CHECK(cufftCreate(&plan));
    CHECK(cufftMakePlan2d(plan, 5, 6, CUFFT_R2C, &bytes));
    CHECK(cufftExecR2C(plan, x, (cufftComplex*)x));
    show("in_place", x, 40);
    CHECK(cufftDestroy(plan));

    // Two columns of a matrix of 8 rows and 3 complex columns.
    x = numbers<float>(48, 6);
    int sizes[] = {8}, rows[] = {8};
    CHECK(cufftPlanMany(&plan, 1, sizes, rows, 3, 1, rows, 3, 1, CUFFT_C2C, 2));
    CHECK(cufftExecC2C(plan, (cufftComplex*)x, (cufftComplex*)x, CUFFT_FORWARD));
    show("many", x, 48);
    CHECK(cufftDestroy(plan));

    x = numbers<float>(96, 8);
    long long size = 12;
    CHECK(cufftCreate(&plan));
    CHECK(cufftXtMakePlanMany(plan, 1, &size, nullptr, 1, 0, CUDA_C_32F, nullptr, 1, 0, CUDA_C_32F, 4, &bytes,
                              CUDA_C_32F));
    CHECK(cufftXtExec(plan, x, x, CUFFT_INVERSE));
    show("typed", x, 96);
    CHECK(cufftDestroy(plan));

    x = numbers<float>(48, 7);
    CHECK(cufftPlan3d(&plan, 2, 3, 4, CUFFT_C2C));
    CHECK(cufftExecC2C(plan, (cufftComplex*)x, (cufftComplex*)x, CUFFT_FORWARD));
    show("cube", x, 48);
    CHECK(cufftDestroy(plan));
}
