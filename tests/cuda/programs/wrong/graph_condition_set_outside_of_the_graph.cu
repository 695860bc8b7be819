// finds: OutOfBounds, line 17
__global__ void decide(cudaGraphConditionalHandle condition) { cudaGraphSetConditional(condition, 0); }

int main() {
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t choice;
    cudaGraphConditionalHandle condition;
    cudaGraphCreate(&graph, 0);
    cudaGraphConditionalHandleCreate(&condition, graph, 1, cudaGraphCondAssignDefault);
    cudaGraphNodeParams params = {cudaGraphNodeTypeConditional};
    params.conditional = {condition, cudaGraphCondTypeIf, 1, nullptr};
    if (cudaGraphAddNode(&choice, graph, nullptr, nullptr, 0, &params)) return 2;
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, 0);
    cudaDeviceSynchronize();
    decide<<<1, 1>>>(condition);
    cudaGraphLaunch(exec, 0);
    return cudaDeviceSynchronize();
}
