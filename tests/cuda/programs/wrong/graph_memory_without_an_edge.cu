// finds: StreamRace, line 21
__global__ void fill(int* x) { x[threadIdx.x] = threadIdx.x; }

int main() {
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphCreate(&graph, 0);
    cudaGraphNode_t before, allocated, filled;
    cudaGraphAddEmptyNode(&before, graph, nullptr, 0);
    cudaMemAllocNodeParams asked = {};
    asked.poolProps.allocType = cudaMemAllocationTypePinned;
    asked.poolProps.location.type = cudaMemLocationTypeDevice;
    asked.bytesize = 128;
    cudaGraphAddMemAllocNode(&allocated, graph, &before, 1, &asked);
    cudaKernelNodeParams kernel = {};
    void* arguments[] = {&asked.dptr};
    kernel.func = (void*)fill;
    kernel.gridDim = dim3(1);
    kernel.blockDim = dim3(32);
    kernel.kernelParams = arguments;
    cudaGraphAddKernelNode(&filled, graph, nullptr, 0, &kernel);  // not behind the memory's node
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, 0);
    cudaDeviceSynchronize();
    return cudaFree(asked.dptr);
}
