#pragma once
#include <cstdio>

inline __device__ int calls = 0;
inline __device__ int called() { return ++calls; }
__device__ constexpr int POWERS[] = {1, 10, 100, 1000};

template <class T>
struct Stack {
    T items[4];
    int size;
    __device__ void push(T item) { items[size++] = item; }
    __device__ T pop() { return items[--size]; }
};
template <class T>
__device__ T origin = T(1);

template <int BY, class T>
__global__ void fill(T* out) {
    __shared__ Stack<T> stack;
    if (threadIdx.x == 0) {
        stack.size = 0;
        for (int i = 0; i < 3; i++) stack.push(T(i * BY));
        called();
    }
    __syncthreads();
    out[threadIdx.x] = stack.items[threadIdx.x] + origin<T> + T(POWERS[threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0) origin<T> += stack.pop();
}
template <class T>
void run(T* out);
void other();
