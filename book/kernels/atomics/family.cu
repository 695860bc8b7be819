// finds: nothing
// launch: grid=1, block=64, args=[zeros('int32', 9), zeros('uint32', 2), zeros('uint64', 1), zeros('float32', 1), zeros('float64', 1)]

// Each of the atomics, on an element of its own.
__global__ void family(int* x, unsigned* u, unsigned long long* w, float* f, double* d)
{
    int t = threadIdx.x;

    atomicAdd(&x[0], t);
    atomicSub(&x[1], t);
    atomicMin(&x[2], -t);
    atomicMax(&x[3], t);
    atomicAnd(&x[4], t);
    atomicOr(&x[5], t);
    atomicXor(&x[6], t);
    atomicExch(&x[7], t);
    atomicCAS(&x[8], 0, t);
    atomicInc(&u[0], 9u);  // 0, 1 ... 9, 0, 1 ...
    atomicDec(&u[1], 9u);  // 0, 9, 8 ... 0, 9 ...
    atomicAdd(w, 1ull << 40);
    atomicAdd(f, 0.5f);
    atomicAdd(d, 0.5);
}
