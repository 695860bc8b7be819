// finds: StreamRace, line 16
__global__ void decide(cudaGraphConditionalHandle condition) { cudaGraphSetConditional(condition, 0); }

int main() {
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t decided, choice;
    cudaGraphConditionalHandle condition;
    cudaGraphCreate(&graph, 0);
    cudaGraphConditionalHandleCreate(&condition, graph);
    void* arguments[] = {&condition};
    cudaKernelNodeParams kernel = {(void*)decide, 1, 1, 0, arguments, nullptr};
    cudaGraphAddKernelNode(&decided, graph, nullptr, 0, &kernel);
    cudaGraphNodeParams params = {cudaGraphNodeTypeConditional};
    params.conditional = {condition, cudaGraphCondTypeIf, 1, nullptr};
    cudaGraphAddNode(&choice, graph, &decided, nullptr, 0, &params);  // of no nodes
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, 0);
    return cudaDeviceSynchronize();
}
