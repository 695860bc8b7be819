// Device variables in namespaces, static, inline, local to a kernel, behind static members, arrays of structs; copied by symbol.
// (nvcc has no static data members in device memory, and inline variables need internal linkage without -rdc.)
#include <cstdio>
#include <cstdlib>

__device__ int global_counter;
static __device__ unsigned long long ticket = 1ull << 33;
__device__ float grid[2][3] = {{1, 2, 3}, {4, 5}};
static inline __device__ int inlined = 11;

namespace app {
__device__ int counter = 5;
namespace detail {
__constant__ float gains[3] = {1.f, 2.f, 3.f};
__device__ struct Point { int x, y; } points[2] = {{1, 2}, {3, 4}};
}  // namespace detail
}  // namespace app

namespace {
__device__ char note[6] = "hello";
}

struct Engine {
    static constexpr int idle = 800;
    __device__ static int &rpm();
    __device__ static int next() { return rpm() < limit() ? ++rpm() : rpm(); }
    __device__ static int limit();
};
namespace engine_storage { __device__ int rpm = Engine::idle; }
__device__ int &Engine::rpm() { return engine_storage::rpm; }
__constant__ int engine_limit = 802;
__device__ int Engine::limit() { return engine_limit; }

__device__ int *indirect = &app::counter;

__global__ void work()
{
    if (threadIdx.x == 0) {
        global_counter += inlined;
        ticket += 1;
        grid[1][2] = grid[0][0] + grid[1][1];
        *indirect += 10;
        app::detail::points[1].y += static_cast<int>(app::detail::gains[2]);
        note[0] = 'J';
        Engine::next();
        Engine::next();
        Engine::next();
        static int calls = 0;  // a static local of a kernel lives in device memory
        inlined = ++calls + 100;
    }
}

#define RUN(call) { cudaError_t status = call; if (status != cudaSuccess) { std::printf("%s: %s\n", #call, cudaGetErrorString(status)); return EXIT_FAILURE; } }

int main()
{
    int i = 0, rpm = 0, inl = 0, counter = 0;
    unsigned long long t = 0;
    float row[3];
    app::detail::Point q[2];
    char text[6];
    const float gains[] = {7.f, 8.f};

    RUN(cudaMemcpyToSymbol(global_counter, &(i = 1000), sizeof i))
    RUN(cudaMemcpyToSymbol(app::detail::gains, gains, sizeof gains, sizeof(float)))
    work<<<1, 4>>>();
    RUN(cudaGetLastError())
    work<<<1, 4>>>();
    RUN(cudaGetLastError())
    RUN(cudaDeviceSynchronize())
    RUN(cudaMemcpyFromSymbol(&i, global_counter, sizeof i))
    RUN(cudaMemcpyFromSymbol(&t, ticket, sizeof t))
    RUN(cudaMemcpyFromSymbol(row, grid, sizeof row, sizeof row))
    RUN(cudaMemcpyFromSymbol(q, app::detail::points, sizeof q))
    RUN(cudaMemcpyFromSymbol(text, note, sizeof note, 0, cudaMemcpyDeviceToHost))
    RUN(cudaMemcpyFromSymbol(&rpm, engine_storage::rpm, sizeof rpm))
    RUN(cudaMemcpyFromSymbol(&inl, inlined, sizeof inl))
    RUN(cudaMemcpyFromSymbol(&counter, app::counter, sizeof counter))
    std::printf("%d %llu %g %g %g\n", i, t, row[0], row[1], row[2]);
    std::printf("%d %d %s %d %d %d\n", q[0].x, q[1].y, text, rpm, inl, counter);

    void *address = nullptr;
    size_t size = 0;
    RUN(cudaGetSymbolAddress(&address, grid))
    RUN(cudaGetSymbolSize(&size, grid))
    float all[6];
    RUN(cudaMemcpy(all, address, size, cudaMemcpyDeviceToHost))
    std::printf("%zu %g %g\n", size, all[0], all[5]);
    return 0;
}
