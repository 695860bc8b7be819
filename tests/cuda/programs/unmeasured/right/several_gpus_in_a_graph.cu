// prints: 6 12
// gpus: 2
// A capture has a branch on another GPU, with its variables.
#include <cstdio>

__constant__ int factor;

__global__ void scale(int* x) { x[threadIdx.x] *= factor; }

int main()
{
    int *x[2], results[2], ones[32];
    cudaStream_t streams[2];
    cudaEvent_t forked, joined;
    for (int i = 0; i < 32; i++) ones[i] = 3;
    for (int d = 1; d >= 0; d--) {
        cudaSetDevice(d);
        cudaMalloc(&x[d], sizeof ones);
        cudaMemcpy(x[d], ones, sizeof ones, cudaMemcpyHostToDevice);
        cudaStreamCreate(&streams[d]);
        int own = 2 + 2 * d;
        cudaMemcpyToSymbol(factor, &own, sizeof own);
        cudaEventCreateWithFlags(d ? &joined : &forked, cudaEventDisableTiming);
    }
    cudaGraph_t graph;
    cudaGraphExec_t made;
    cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeGlobal);
    cudaEventRecord(forked, streams[0]);
    scale<<<1, 32, 0, streams[0]>>>(x[0]);
    cudaSetDevice(1);
    cudaStreamWaitEvent(streams[1], forked);
    scale<<<1, 32, 0, streams[1]>>>(x[1]);
    cudaEventRecord(joined, streams[1]);
    cudaSetDevice(0);
    cudaStreamWaitEvent(streams[0], joined);
    cudaStreamEndCapture(streams[0], &graph);
    cudaGraphInstantiate(&made, graph, 0);
    cudaGraphLaunch(made, streams[0]);
    cudaStreamSynchronize(streams[0]);
    for (int d = 0; d < 2; d++) cudaMemcpy(&results[d], x[d], sizeof(int), cudaMemcpyDefault);
    printf("%d %d\n", results[0], results[1]);
    cudaGraphExecDestroy(made);
    cudaGraphDestroy(graph);
    for (int d = 0; d < 2; d++) {
        cudaStreamDestroy(streams[d]);
        cudaFree(x[d]);
    }
    cudaEventDestroy(forked);
    cudaEventDestroy(joined);
}
