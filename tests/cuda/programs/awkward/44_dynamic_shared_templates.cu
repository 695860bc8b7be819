#include <cstdio>
#include <cstdlib>

// Dynamic shared memory of several types in several templates of one file.

template <typename T>
__global__ void reverse(T *data, int n)
{
    extern __shared__ __align__(16) unsigned char raw_bytes[];
    T *s = reinterpret_cast<T *>(raw_bytes);
    for (int i = threadIdx.x; i < n; i += blockDim.x) s[i] = data[i];
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) data[i] = s[n - 1 - i];
}

template <int Offset>
__global__ void rotate_floats(float *data, int n)
{
    extern __shared__ float float_cells[];
    float_cells[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    data[threadIdx.x] = float_cells[(threadIdx.x + Offset) % n];
}

template <int Offset>
__global__ void rotate_doubles(double *data, int n)
{
    extern __shared__ double double_cells[];
    double_cells[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    data[threadIdx.x] = double_cells[(threadIdx.x + Offset) % n];
}

// The classic: a class that hands out the array, specialised for each type.
template <typename T> struct SharedMemory;
template <> struct SharedMemory<int> {
    __device__ operator int *() { extern __shared__ int shared_int[]; return shared_int; }
};
template <> struct SharedMemory<short> {
    __device__ operator short *() { extern __shared__ short shared_short[]; return shared_short; }
};

template <typename T>
__global__ void prefix(T *data)
{
    T *s = SharedMemory<T>();
    s[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    T sum = 0;
    for (unsigned k = 0; k <= threadIdx.x; ++k) sum += s[k];
    data[threadIdx.x] = sum;
}

// Two arrays carved from one.
struct Particle { double mass; float position[2]; };
__global__ void carve(Particle *p, int *rank, int n)
{
    extern __shared__ Particle particles[];
    int *ranks = reinterpret_cast<int *>(particles + n);
    const int t = threadIdx.x;
    particles[t] = p[t];
    ranks[t] = 0;
    __syncthreads();
    for (int k = 0; k < n; ++k)
        if (particles[k].mass < particles[t].mass) ++ranks[t];
    rank[t] = ranks[t];
}

#define V(x) do { auto r = (x); if (r != cudaSuccess) { printf("%d %s\n", __LINE__, cudaGetErrorString(r)); exit(1); } } while (0)

template <typename T, typename L>
void with(const char *name, int n, L launch)
{
    T h[16], *d;
    for (int i = 0; i < n; ++i) h[i] = T(i * 3 + 1);
    V(cudaMalloc(&d, n * sizeof(T)));
    V(cudaMemcpy(d, h, n * sizeof(T), cudaMemcpyHostToDevice));
    launch(d, n);
    V(cudaGetLastError());
    V(cudaDeviceSynchronize());
    V(cudaMemcpy(h, d, n * sizeof(T), cudaMemcpyDeviceToHost));
    printf("%s: %g %g %g\n", name, double(h[0]), double(h[1]), double(h[n - 1]));
    V(cudaFree(d));
}

int main()
{
    with<char>("reverse char", 16, [](auto *d, int n) { reverse<<<1, 4, n * sizeof *d>>>(d, n); });
    with<double>("reverse double", 16, [](auto *d, int n) { reverse<<<1, 5, n * sizeof *d>>>(d, n); });
    with<float>("rotate float", 10, [](float *d, int n) { rotate_floats<3><<<1, n, n * sizeof(float)>>>(d, n); });
    with<double>("rotate double", 10, [](double *d, int n) { rotate_doubles<4><<<1, n, n * sizeof(double)>>>(d, n); });
    with<int>("prefix int", 16, [](int *d, int n) { prefix<<<1, n, n * sizeof(int)>>>(d); });
    with<short>("prefix short", 16, [](short *d, int n) { prefix<<<1, n, n * sizeof(short)>>>(d); });

    Particle hp[5] = {{3, {0, 0}}, {1, {0, 0}}, {5, {0, 0}}, {2, {0, 0}}, {4, {0, 0}}}, *p;
    int *rank, hr[5];
    V(cudaMalloc(&p, sizeof hp));
    V(cudaMalloc(&rank, sizeof hr));
    V(cudaMemcpy(p, hp, sizeof hp, cudaMemcpyHostToDevice));
    carve<<<1, 5, 5 * (sizeof(Particle) + sizeof(int))>>>(p, rank, 5);
    V(cudaGetLastError());
    V(cudaMemcpy(hr, rank, sizeof hr, cudaMemcpyDeviceToHost));
    printf("ranks: %d %d %d %d %d\n", hr[0], hr[1], hr[2], hr[3], hr[4]);
    V(cudaFree(p));
    V(cudaFree(rank));
    return 0;
}
