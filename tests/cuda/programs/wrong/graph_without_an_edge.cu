// finds: StreamRace, line 23
__global__ void add_one(int* x) { x[threadIdx.x] += 1; }

int main() {
    int* x;
    cudaMalloc(&x, 128);
    cudaGraph_t graph;
    cudaGraphCreate(&graph, 0);
    cudaGraphNode_t zero, added;
    cudaMemsetParams zeros = {};
    zeros.dst = x;
    zeros.elementSize = 4;
    zeros.width = 32;
    zeros.height = 1;
    cudaGraphAddMemsetNode(&zero, graph, nullptr, 0, &zeros);
    void* arguments[] = {&x};
    cudaKernelNodeParams kernel = {};
    kernel.func = (void*)add_one;
    kernel.gridDim = dim3(1);
    kernel.blockDim = dim3(32);
    kernel.kernelParams = arguments;
    // &zero, 1 in place of nullptr, 0
    cudaGraphAddKernelNode(&added, graph, nullptr, 0, &kernel);
    cudaGraphExec_t exec;
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, 0);
    cudaDeviceSynchronize();
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    cudaFree(x);
}
