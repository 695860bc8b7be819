#include <cstdio>
#include <cstdlib>
#include <cstring>

struct State {
    int hits;
    float values[4];
    struct { char text[12]; } label;
};

__managed__ int total = 3;
__device__ __managed__ State state = {1, {0.5f, 1.5f}, {"fresh"}};
static __managed__ int *list;
__managed__ int matrix[2][3];

namespace physics {
__managed__ double gravity = 9.75;
namespace {
__managed__ unsigned seen[8];
}
__global__ void fall(double *out, int n)
{
    int i = threadIdx.x;
    if (i < n) {
        out[i] = 0.5 * gravity * i * i;
        atomicAdd(&seen[i % 8], 1u);
    }
}
unsigned count()
{
    unsigned c = 0;
    for (unsigned s : seen) c += s;
    return c;
}
}  // namespace physics

__global__ void touch()
{
    atomicAdd(&total, static_cast<int>(threadIdx.x));
    if (threadIdx.x < 6) matrix[threadIdx.x / 3][threadIdx.x % 3] = 10 * threadIdx.x;
    if (threadIdx.x == 0) {
        ++state.hits;
        state.values[3] = state.values[0] + state.values[1];
        state.label.text[0] = 'F';
        for (int k = 0; k < 3; ++k) list[k] += k;
    }
}

#define CHECKED(x) do { cudaError_t r = (x); if (r) { fprintf(stderr, "%s\n", cudaGetErrorString(r)); exit(1); } } while (0)

int main()
{
    double *out;
    CHECKED(cudaMallocManaged(&list, 3 * sizeof *list));
    CHECKED(cudaMallocManaged(&out, 5 * sizeof *out, cudaMemAttachGlobal));
    list[0] = 100, list[1] = 200, list[2] = 300;
    total += 1;
    touch<<<1, 32>>>();
    CHECKED(cudaGetLastError());
    physics::fall<<<1, 8>>>(out, 5);
    CHECKED(cudaGetLastError());
    CHECKED(cudaDeviceSynchronize());
    printf("total %d\n", total);
    printf("state %d %g %s\n", state.hits, state.values[3], state.label.text);
    printf("list %d %d %d\n", list[0], list[1], list[2]);
    printf("matrix %d %d\n", matrix[0][1], matrix[1][2]);
    printf("fall %g %u\n", out[4], physics::count());

    std::strcpy(state.label.text, "second");
    physics::gravity = 2;
    state.values[0] = 10;
    touch<<<1, 32>>>();
    physics::fall<<<1, 8>>>(out, 5);
    CHECKED(cudaGetLastError());
    CHECKED(cudaDeviceSynchronize());
    printf("%d %d %g %s %g %d\n", total, state.hits, state.values[3], state.label.text, out[4], list[2]);
    CHECKED(cudaFree(out));
    CHECKED(cudaFree(list));
    return 0;
}
