// One mistake in NCCL calls, chosen by name: the line that is reported ends with that name.
#include <nccl.h>

#include <cstdio>
#include <cstring>

const int N = 64;
float *x[2], *y[2];
ncclComm_t comms[2];
cudaStream_t streams[2];

__global__ void fill(float* x) { x[threadIdx.x] = threadIdx.x; }

int main(int count, char** arguments)
{
    const char* mistake = arguments[1];
    auto is = [=](const char* name) { return !strcmp(mistake, name); };
    int devices[] = {0, is("gpu_twice") ? 0 : 1};
    int status = ncclCommInitAll(comms, 2, devices);  // twice
    if (status) return printf("%d\n", status), 0;
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d);
        cudaMalloc(&x[d], N * sizeof(float));
        cudaMalloc(&y[d], N * sizeof(float));
        cudaStreamCreate(&streams[d]);
        if (!is("unwritten")) fill<<<1, N, 0, streams[d]>>>(x[d]);
    }
    if (is("no_group")) {
        for (int d = 0; d < 2; d++) status = ncclAllReduce(x[d], y[d], N, ncclFloat, ncclSum, comms[d], streams[d]);  // alone
    } else if (is("rings")) {
        for (int d = 0; d < 2; d++) {
            ncclSend(x[d], N, ncclFloat, 1 - d, comms[d], streams[d]);  // rings
            ncclRecv(y[d], N, ncclFloat, 1 - d, comms[d], streams[d]);
        }
    } else if (is("ends")) {
        status = ncclGroupEnd();  // ends
    } else if (is("destroyed")) {
        ncclCommDestroy(comms[0]);
        status = ncclBroadcast(x[0], y[0], N, ncclFloat, 0, comms[0], streams[0]);  // gone
    } else if (is("sends")) {
        ncclGroupStart();
        ncclSend(x[0], N, ncclFloat, 1, comms[0], streams[0]);
        ncclRecv(y[1], N / 2, ncclFloat, 0, comms[1], streams[1]);  // receives
        ncclGroupEnd();
    } else {
        ncclGroupStart();
        for (int d = 0; d < 2; d++) {
            int n = is("large") || (d && is("counts")) ? 2 * N : N;
            float* from = is("other_memory") ? x[0] : x[d];
            status |= ncclAllReduce(from, y[d], n, ncclFloat, ncclSum, comms[d], streams[is("stream") ? 0 : d]);  // reduces
        }
        int end = ncclGroupEnd();
        if (end != status) status = -1;
    }
    float result = 0;
    if (is("too_early")) {
        cudaStream_t other;
        cudaSetDevice(0);
        cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
        cudaMemcpyAsync(&result, y[0], sizeof result, cudaMemcpyDefault, other);  // copies
        cudaStreamDestroy(other);
    }
    printf("%d\n", status);
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d);
        cudaDeviceSynchronize();
        if (!is("destroyed") || d) ncclCommDestroy(comms[d]);
        cudaFree(x[d]);
        cudaFree(y[d]);
        cudaStreamDestroy(streams[d]);
    }
    cudaGetLastError();
}
