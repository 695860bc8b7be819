#pragma once

template <class T>
struct Convert {
    template <int N>
    static __device__ T scaled(T x) {
        return N * x;
    }
    template <int N>
    __device__ T shifted(T x) const {
        return x + N;
    }
    __device__ T shifted(T x, T by) const { return x + by; }
};

template <class T>
__device__ T twice(T x) {
    return Convert<T>::scaled<2>(x);
}
