#include <cstdio>
#include <cstdlib>

struct Cell {
    int key;
    float weight;
    struct { short row, column; } place;
    __device__ bool before(const Cell &other) const { return key < other.key; }
};

union Scratch { int words[8]; unsigned char bytes[32]; };

template <typename T, int N>
struct FixedStack {
    T items[N];
    int top;
    __device__ void clear() { top = 0; }
    __device__ void push(const T &t) { items[top++] = t; }
    __device__ T pop() { return items[--top]; }
    __device__ bool empty() const { return top == 0; }
};

__device__ void exchange(Cell &a, Cell &b)
{
    Cell t = a;
    a = b;
    b = t;
}

__global__ void sort(const int *keys, int *sorted, float *weights)
{
    __shared__ Cell cells[16];
    __shared__ union { int count; float unused; } mixed;
    __shared__ volatile int flag;
    static __shared__ Scratch scratch[2];
    const int t = threadIdx.x;
    if (t == 0) { mixed.count = 0; flag = 0; }
    cells[t] = {keys[t], 0.5f * t, {static_cast<short>(t / 4), static_cast<short>(t % 4)}};
    if (t < 16) scratch[t / 8].words[t % 8] = keys[t];
    __syncthreads();
    for (int phase = 0; phase < 16; ++phase) {
        if (t % 2 == phase % 2 && t + 1 < 16 && cells[t + 1].before(cells[t])) {
            exchange(cells[t], cells[t + 1]);
            atomicAdd(&mixed.count, 1);
        }
        __syncthreads();
    }
    sorted[t] = cells[t].key * 1000 + cells[t].place.row * 10 + cells[t].place.column;
    weights[t] = cells[t].weight + static_cast<float>(scratch[1 - t / 8].words[t % 8]);
    if (t == 15) {
        flag = mixed.count;
        sorted[16] = flag;
    }
}

__global__ void balanced(const char *text, int n, int *out)
{
    __shared__ FixedStack<char, 32> stack;
    __shared__ int result[1];
    if (threadIdx.x == 0) {
        stack.clear();
        result[0] = 1;
        for (int i = 0; i < n; ++i) {
            const char c = text[i];
            if (c == '(' || c == '{' || c == '[') stack.push(c);
            else if (c == ')' || c == '}' || c == ']') {
                const char open = c == ')' ? '(' : c == '}' ? '{' : '[';
                if (stack.empty() || stack.pop() != open) { result[0] = 0; break; }
            }
        }
        if (!stack.empty()) result[0] = 0;
    }
    __syncthreads();
    out[threadIdx.x] = result[0] * 10 + static_cast<int>(threadIdx.x);
}

static cudaError_t last;
#define OK(call) ((last = (call)) == cudaSuccess ? (void)0 : (std::printf("%s\n", cudaGetErrorString(last)), std::exit(1)))

int main()
{
    int keys[16], sorted[17], *d_keys, *d_sorted;
    float weights[16], *d_weights;
    for (int i = 0; i < 16; ++i) keys[i] = i * 7 % 16;
    OK(cudaMalloc(&d_keys, sizeof keys));
    OK(cudaMalloc(&d_sorted, sizeof sorted));
    OK(cudaMalloc(&d_weights, sizeof weights));
    OK(cudaMemcpy(d_keys, keys, sizeof keys, cudaMemcpyHostToDevice));
    sort<<<1, 16>>>(d_keys, d_sorted, d_weights);
    OK(cudaGetLastError());
    OK(cudaMemcpy(sorted, d_sorted, sizeof sorted, cudaMemcpyDeviceToHost));
    OK(cudaMemcpy(weights, d_weights, sizeof weights, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 16; i += 5) std::printf("%d %.1f\n", sorted[i], weights[i]);
    std::printf("exchanges %d\n", sorted[16]);

    for (const char *text : {"a(b[c]{d})", "(]", "((", "}"}) {
        char *d_text;
        int n = 0, out[3];
        while (text[n]) ++n;
        OK(cudaMalloc(&d_text, n));
        OK(cudaMemcpy(d_text, text, n, cudaMemcpyHostToDevice));
        balanced<<<1, 3>>>(d_text, n, d_sorted);
        OK(cudaGetLastError());
        OK(cudaMemcpy(out, d_sorted, sizeof out, cudaMemcpyDeviceToHost));
        std::printf("%s: %d %d %d\n", text, out[0], out[1], out[2]);
        OK(cudaFree(d_text));
    }
    OK(cudaFree(d_weights));
    OK(cudaFree(d_sorted));
    OK(cudaFree(d_keys));
    return 0;
}
