// prints: 36 calls do as CUDA says
#include <cstdio>

__global__ void k() {}

static int as_wanted = 0;
static void wants(cudaError_t wanted, cudaError_t got, int line) {
    as_wanted += got == wanted;
    if (got != wanted) printf("line %d: %s\n", line, cudaGetErrorName(got));
    cudaGetLastError();
}
#define WANTS(wanted, call) wants(wanted, call, __LINE__)

static cudaStream_t stream, other, third;
static cudaGraph_t graph;
static void begin(cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal) { cudaStreamBeginCapture(stream, mode); }
static void is_invalid(int line) {
    cudaStreamCaptureStatus status;
    cudaStreamIsCapturing(stream, &status);
    wants(cudaSuccess, status == cudaStreamCaptureStatusInvalidated ? cudaSuccess : cudaErrorUnknown, line);
    wants(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(stream, &graph), line);
}

int main() {
    cudaStreamCreate(&stream);
    cudaStreamCreate(&other);
    cudaStreamCreateWithFlags(&third, cudaStreamNonBlocking);
    cudaEvent_t event, old;
    cudaEventCreate(&event);
    cudaEventCreate(&old);
    cudaEventRecord(old, other);
    int *x, *y, host = 0;
    cudaMalloc(&x, sizeof(int));

    WANTS(cudaErrorStreamCaptureUnsupported, cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal));
    WANTS(cudaErrorIllegalState, cudaStreamEndCapture(stream, &graph));
    begin();
    WANTS(cudaErrorStreamCaptureUnsupported, cudaStreamSynchronize(stream));
    is_invalid(__LINE__);
    begin();
    WANTS(cudaErrorStreamCaptureUnsupported, cudaDeviceSynchronize());
    WANTS(cudaErrorStreamCaptureInvalidated, cudaMemsetAsync(x, 0, sizeof(int), stream));
    is_invalid(__LINE__);
    begin();
    WANTS(cudaErrorStreamCaptureUnsupported, cudaMalloc(&y, sizeof(int)));
    is_invalid(__LINE__);
    begin(cudaStreamCaptureModeRelaxed);
    WANTS(cudaSuccess, cudaMalloc(&y, sizeof(int)));
    WANTS(cudaSuccess, cudaStreamEndCapture(stream, &graph));
    cudaGraphDestroy(graph);

    begin();
    WANTS(cudaErrorStreamCaptureImplicit, cudaMemcpy(&host, x, sizeof(int), cudaMemcpyDeviceToHost));
    is_invalid(__LINE__);
    begin();
    k<<<1, 1>>>();
    WANTS(cudaErrorStreamCaptureImplicit, cudaGetLastError());
    is_invalid(__LINE__);
    cudaStreamBeginCapture(third, cudaStreamCaptureModeRelaxed);
    WANTS(cudaSuccess, cudaMemset(x, 0, sizeof(int)));  // the default stream does not wait for that one
    cudaStreamEndCapture(third, &graph);
    cudaGraphDestroy(graph);

    begin();
    k<<<1, 1, 0, stream>>>();
    cudaEventRecord(event, stream);
    cudaStreamWaitEvent(other, event);
    k<<<1, 1, 0, other>>>();
    WANTS(cudaErrorStreamCaptureUnjoined, cudaStreamEndCapture(stream, &graph));
    WANTS(cudaSuccess, graph == nullptr ? cudaSuccess : cudaErrorUnknown);
    begin();
    cudaEventRecord(event, stream);
    cudaStreamWaitEvent(other, event);
    WANTS(cudaErrorStreamCaptureUnmatched, cudaStreamEndCapture(other, &graph));
    is_invalid(__LINE__);
    WANTS(cudaErrorInvalidValue, cudaStreamWaitEvent(other, event));  // of a capture that has ended
    begin();
    WANTS(cudaErrorStreamCaptureIsolation, cudaStreamWaitEvent(stream, old));
    is_invalid(__LINE__);
    begin();
    cudaEventRecord(event, stream);
    WANTS(cudaErrorCapturedEvent, cudaEventSynchronize(event));
    is_invalid(__LINE__);
    begin();
    cudaStreamBeginCapture(third, cudaStreamCaptureModeGlobal);
    cudaEventRecord(event, third);
    WANTS(cudaErrorStreamCaptureMerge, cudaStreamWaitEvent(stream, event));
    is_invalid(__LINE__);
    cudaStreamEndCapture(third, &graph);
    printf("%d calls do as CUDA says\n", as_wanted);
    cudaGetLastError();
    cudaFree(x);
    cudaFree(y);
    return cudaDeviceSynchronize();
}
