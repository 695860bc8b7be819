// prints: 496 992 1984 93 40 30 1056 74 15 496
#include <cstdio>

struct Padded {
    double d;
    int i;
};
struct alignas(16) Point {
    float x, y, z;
};
struct Tagged {
    int tag;
    union {
        int number;
        double numbers[4];
    };
};
struct Stack {
    int count;
    int items[15];
};

__device__ int table[32];

__global__ void set(int* x, int from, int to) {
    int i = from + threadIdx.x;
    if (i < to) x[i] = i;
}
__global__ void sum(const int* x, int n, int* out) {
    if (threadIdx.x < n) atomicAdd(out, x[threadIdx.x]);
}
__global__ void set_members(Padded* padded, Point* points, Tagged* tagged, Stack* stacks) {
    int i = threadIdx.x;
    padded[i].d = i;
    padded[i].i = i;
    points[i].x = points[i].y = points[i].z = i;
    tagged[i].tag = 0;
    tagged[i].number = i;
    stacks[i].count = 1;
    stacks[i].items[0] = i;
    table[i] = i;
}
__global__ void copy_structs(const Padded* padded, const Point* points, const Tagged* tagged, const Stack* stacks, int* out) {
    __shared__ Padded shared[32];
    int i = threadIdx.x;
    shared[i].d = padded[i].d;
    shared[i].i = padded[i].i;
    Padded a = padded[i], b = shared[i];
    Point c = points[i];
    Tagged d = tagged[i];
    Stack e = stacks[i];
    atomicAdd(out, int(a.d) + b.i + int(c.z) + d.number - 2 * e.items[0]);
}
__global__ void sum_vectors(const float4* x, int n, int* out) {
    float4 v = x[threadIdx.x];
    float all[] = {v.x, v.y, v.z, v.w};
    for (int k = 0; k < 4; ++k)
        if (4 * threadIdx.x + k < n) atomicAdd(out, int(all[k]));
}
__global__ void sum_rows(const char* rows, size_t pitch, int width, int* out) {
    if (threadIdx.x < width) atomicAdd(out, ((const int*)(rows + blockIdx.x * pitch))[threadIdx.x]);
}
__global__ void sum_letters(const char* text, int n, int* out) {
    if (threadIdx.x < n) atomicAdd(out, text[threadIdx.x]);
}

int* out;

int total() {
    int host;
    cudaMemcpy(&host, out, sizeof host, cudaMemcpyDeviceToHost);
    cudaMemset(out, 0, sizeof host);
    return host;
}

int main() {
    int host[32], *x, *y;
    for (int i = 0; i < 32; ++i) host[i] = i;
    cudaMalloc(&out, sizeof(int));
    cudaMemset(out, 0, sizeof(int));

    // The two halves, by the host and by a kernel.
    cudaMalloc(&x, 64 * sizeof(int));
    cudaMemcpy(x, host, 16 * sizeof(int), cudaMemcpyHostToDevice);
    set<<<1, 32>>>(x, 16, 32);
    sum<<<1, 32>>>(x, 32, out);
    printf("%d ", total());

    // The rest of them by copies on the GPU, within the memory, and to other memory.
    cudaMalloc(&y, 64 * sizeof(int));
    cudaMemcpy(x + 32, x, 32 * sizeof(int), cudaMemcpyDeviceToDevice);
    sum<<<1, 64>>>(x, 64, out);
    printf("%d ", total());
    cudaMemcpy(y, x, 64 * sizeof(int), cudaMemcpyDeviceToDevice);
    sum<<<1, 64>>>(y, 64, out);
    sum<<<1, 64>>>(y, 64, out);
    printf("%d ", total());

    // Rows with a pitch, and a column of them.
    char* rows;
    size_t pitch;
    cudaMallocPitch(&rows, &pitch, 3 * sizeof(int), 3);
    cudaMemcpy2D(rows, pitch, host + 10, 2 * sizeof(int), 2 * sizeof(int), 3, cudaMemcpyHostToDevice);
    cudaMemset2D(rows + 2 * sizeof(int), pitch, 0, sizeof(int), 2);
    cudaMemcpy(rows + 2 * pitch + 2 * sizeof(int), host + 18, sizeof(int), cudaMemcpyHostToDevice);
    sum_rows<<<3, 32>>>(rows, pitch, 3, out);
    printf("%d ", total());

    // Memory of the host's that the GPU shares.
    int *managed, *pinned;
    cudaMallocManaged(&managed, 32 * sizeof(int));
    cudaMallocHost(&pinned, 32 * sizeof(int));
    for (int i = 0; i < 4; ++i) managed[i] = pinned[i] = 5;
    sum<<<1, 32>>>(managed, 4, out);
    cudaMemcpy(y, pinned, 4 * sizeof(int), cudaMemcpyHostToDevice);
    sum<<<1, 32>>>(y, 4, out);
    printf("%d ", total());

    // Memory that was freed, and is allocated again.
    cudaFree(y);
    cudaMallocAsync(&y, 64 * sizeof(int), 0);
    cudaMemcpyAsync(y, host + 9, 3 * sizeof(int), cudaMemcpyHostToDevice, 0);
    sum<<<1, 32>>>(y, 3, out);
    printf("%d ", total());

    // Structs whose padding, and whose other members, nobody has written.
    Padded* padded;
    Point* points;
    Tagged* tagged;
    Stack* stacks;
    cudaMalloc(&padded, 32 * sizeof(Padded));
    cudaMalloc(&points, 32 * sizeof(Point));
    cudaMalloc(&tagged, 32 * sizeof(Tagged));
    cudaMalloc(&stacks, 32 * sizeof(Stack));
    set_members<<<1, 32>>>(padded, points, tagged, stacks);
    copy_structs<<<1, 32>>>(padded, points, tagged, stacks, out);
    printf("%d ", total() + 64);

    // Vectors, of which the last is not full.
    float numbers[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 29};
    float4* vectors;
    cudaMalloc(&vectors, 3 * sizeof(float4));
    cudaMemcpy(vectors, numbers, sizeof numbers, cudaMemcpyHostToDevice);
    sum_vectors<<<1, 3>>>(vectors, 10, out);
    printf("%d ", total());

    // Letters.
    char letters[] = {1, 2, 3, 4, 5}, *text;
    cudaMalloc(&text, 32);
    cudaMemcpy(text, letters, 2, cudaMemcpyHostToDevice);
    cudaMemcpy(text + 2, letters + 2, 3, cudaMemcpyHostToDevice);
    sum_letters<<<1, 32>>>(text, 5, out);
    printf("%d ", total());

    // A variable on the GPU, copied to the first half of memory.
    cudaFree(x);
    cudaMalloc(&x, 64 * sizeof(int));
    cudaMemcpyFromSymbol(x, table, sizeof table, 0, cudaMemcpyDeviceToDevice);
    sum<<<1, 32>>>(x, 32, out);
    printf("%d\n", total());

    cudaFree(x), cudaFree(y), cudaFree(rows), cudaFree(managed), cudaFreeHost(pinned), cudaFree(padded);
    cudaFree(points), cudaFree(tagged), cudaFree(stacks), cudaFree(vectors), cudaFree(text), cudaFree(out);
}
