// prints: 1 2 3 4 5 6 7 8 and 9, then 6 6 6 6 5 6 7 8 and 0, in a new one 4 4 4 4 5 6 7 8 and 70
// Copies, fills and functions of the host, as they were added, and as they are changed later.
#include <cstdio>

static int seen;
static void nine(void*) { seen = 9; }
static void ten_times(void* data) { seen = 10 * *static_cast<int*>(data); }

static void launch_and_print(cudaGraphExec_t exec, cudaStream_t stream, const unsigned char* out, const char* before) {
    seen = 0;
    cudaGraphLaunch(exec, stream);
    cudaStreamSynchronize(stream);
    printf("%s", before);
    for (int i = 0; i < 8; i++) printf("%d ", out[i]);
    printf("and %d", seen);
}

int main() {
    unsigned char *x, *y, in[8] = {1, 2, 3, 4, 5, 6, 7, 8}, out[8];
    cudaMalloc(&x, 8);
    cudaMalloc(&y, 8);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaGraph_t graph;
    cudaGraphCreate(&graph, 0);
    cudaGraphNode_t filled, copied_in, copied_on, copied_out, called;
    cudaMemsetParams fill = {y, 0, 0x01010101, 4, 2, 1};
    cudaGraphAddMemsetNode(&filled, graph, nullptr, 0, &fill);
    // Two slices of two rows of two bytes.
    cudaMemcpy3DParms slices = {};
    slices.srcPtr = make_cudaPitchedPtr(in, 2, 2, 2);
    slices.dstPtr = make_cudaPitchedPtr(x, 2, 2, 2);
    slices.extent = make_cudaExtent(2, 2, 2);
    slices.kind = cudaMemcpyDefault;
    cudaGraphAddMemcpyNode(&copied_in, graph, &filled, 1, &slices);
    cudaGraphAddMemcpyNode1D(&copied_on, graph, &copied_in, 1, y, x, 8, cudaMemcpyDeviceToDevice);
    cudaGraphAddMemcpyNode1D(&copied_out, graph, &copied_on, 1, out, y, 8, cudaMemcpyDeviceToHost);
    cudaHostNodeParams call = {nine, nullptr};
    cudaGraphAddHostNode(&called, graph, &copied_out, 1, &call);
    cudaGraphExec_t exec, later;
    cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0);
    launch_and_print(exec, stream, out, "");

    cudaMemsetParams sixes = {y, 0, 6, 1, 4, 1};
    int zero = 0, seven = 7;
    cudaHostNodeParams other_call = {ten_times, &zero};
    cudaGraphExecMemsetNodeSetParams(exec, filled, &sixes);
    cudaGraphExecMemcpyNodeSetParams1D(exec, copied_on, y + 4, x + 4, 4, cudaMemcpyDeviceToDevice);
    cudaGraphExecHostNodeSetParams(exec, called, &other_call);
    slices.extent = make_cudaExtent(2, 2, 1);
    slices.srcPtr.ptr = in + 4;
    slices.dstPtr.ptr = x + 4;
    cudaGraphExecMemcpyNodeSetParams(exec, copied_in, &slices);
    launch_and_print(exec, stream, out, ", then ");

    cudaMemsetParams fours = {y, 0, 0x0404, 2, 2, 1};
    other_call.userData = &seven;
    cudaGraphMemsetNodeSetParams(filled, &fours);
    cudaGraphMemcpyNodeSetParams1D(copied_on, y + 4, x + 4, 4, cudaMemcpyDeviceToDevice);
    cudaGraphHostNodeSetParams(called, &other_call);
    cudaGraphMemcpyNodeSetParams(copied_in, &slices);
    cudaGraphInstantiate(&later, graph);
    cudaMemset(x, 0, 4);
    launch_and_print(later, stream, out, ", in a new one ");
    printf("\n");
    if (cudaGraphHostNodeSetParams(filled, &call) != cudaErrorInvalidValue) return 1;  // a node of another type
    fill.elementSize = 3;
    if (cudaGraphMemsetNodeSetParams(filled, &fill) != cudaErrorInvalidValue) return 2;
    if (cudaGraphAddEmptyNode(&called, graph, nullptr, 2) != cudaErrorInvalidValue) return 3;
    cudaGetLastError();
    cudaGraphExecDestroy(exec);
    cudaGraphExecDestroy(later);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
    cudaFree(x);
    cudaFree(y);
}
