// wrong: line 9 gives no value from which a launch begins, and no kernel sets one: the body may run or not
__global__ void put(int* x) { *x = 1; }

int main() {
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphConditionalHandle condition;
    cudaGraphCreate(&graph, 0);
    cudaGraphConditionalHandleCreate(&condition, graph);
    cudaGraphNode_t node;
    cudaGraphNodeParams params = {cudaGraphNodeTypeConditional};
    params.conditional = {condition, cudaGraphCondTypeIf, 1, nullptr};
    cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params);
    int* x;
    cudaMalloc(&x, sizeof(int));
    void* arguments[] = {&x};
    cudaKernelNodeParams kernel = {(void*)put, 1, 1, 0, arguments, nullptr};
    cudaGraphAddKernelNode(&node, params.conditional.phGraph_out[0], nullptr, 0, &kernel);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, 0);
    cudaDeviceSynchronize();
    cudaFree(x);
}
