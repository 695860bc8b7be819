// prints: captured 200 and 300; modes 0 and 1; wrong thread: 908, global: 900, relaxed: 0
#include <atomic>
#include <cstdio>
#include <thread>

__global__ void add(int* x, int v) { atomicAdd(x, v); }

std::atomic<int> ready;

// A capture that concerns its own thread alone: the other one may allocate meanwhile.
void count(int step, int* out)
{
    int* x;
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t made;
    cudaStreamCreate(&stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
    ++ready;
    while (ready < 2) std::this_thread::yield();
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    cudaThreadExchangeStreamCaptureMode(&mode);
    cudaMalloc(&x, sizeof(int));
    cudaThreadExchangeStreamCaptureMode(&mode);
    cudaMemsetAsync(x, 0, sizeof(int), stream);
    for (int i = 0; i < 100; ++i) add<<<1, 1, 0, stream>>>(x, step);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&made, graph, 0);
    cudaGraphLaunch(made, stream);
    cudaMemcpyAsync(out, x, sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    cudaGraphExecDestroy(made);
    cudaGraphDestroy(graph);
    cudaFree(x);
    cudaStreamDestroy(stream);
}

int main()
{
    int a, b;
    std::thread other(count, 3, &b);
    count(2, &a);
    other.join();
    cudaStreamCaptureMode mode = cudaStreamCaptureModeThreadLocal;
    cudaThreadExchangeStreamCaptureMode(&mode);
    const int first = mode;
    cudaThreadExchangeStreamCaptureMode(&mode);
    const int second = mode;

    // Who ends it is who began it; and by the global mode, no thread may allocate.
    cudaStream_t stream;
    cudaGraph_t graph;
    int wrong, global, relaxed;
    cudaStreamCreate(&stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    std::thread([&] {
        int* x;
        wrong = cudaStreamEndCapture(stream, &graph);
        cudaStreamCaptureMode mode = cudaStreamCaptureModeThreadLocal;
        cudaThreadExchangeStreamCaptureMode(&mode);
        relaxed = cudaMalloc(&x, sizeof(int));
        cudaFree(x);
        cudaThreadExchangeStreamCaptureMode(&mode);
        global = cudaMalloc(&x, sizeof(int));
        cudaGetLastError();
    }).join();
    cudaStreamEndCapture(stream, &graph);
    cudaGetLastError();
    cudaStreamDestroy(stream);
    printf("captured %d and %d; modes %d and %d; wrong thread: %d, global: %d, relaxed: %d\n", a, b, first, second,
           wrong, global, relaxed);
}
