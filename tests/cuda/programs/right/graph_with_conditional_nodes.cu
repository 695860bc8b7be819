// prints: if: 1 0, loop: 5 rounds and 5, switch: 0 20 30 -, nested: 7, captured: 3; 17 calls do as CUDA says
#include <cstdio>

#if CUDART_VERSION >= 13000  // edges have data there
#define NO_DATA nullptr,
#else
#define NO_DATA
#endif

__global__ void put(int* x, int value) { *x = value; }
__global__ void decide(const int* x, cudaGraphConditionalHandle condition) { cudaGraphSetConditional(condition, *x); }
__global__ void count_down(int* x, cudaGraphConditionalHandle condition) {
    x[1]++;
    cudaGraphSetConditional(condition, --x[0]);  // by one thread, and
    cudaGraphSetConditional(condition, x[0]);    // as often as it likes
}

static int as_wanted = 0;
static void wants(cudaError_t wanted, cudaError_t got, int line) {
    as_wanted += got == wanted;
    if (got != wanted) printf("line %d: %s\n", line, cudaGetErrorName(got));
    cudaGetLastError();
}
#define WANTS(wanted, call) wants(wanted, call, __LINE__)

static cudaGraphNode_t node;
static cudaError_t add_conditional(cudaGraph_t graph, cudaGraphConditionalHandle condition, int type, unsigned size,
                                   cudaGraph_t* bodies, const cudaGraphNode_t* after = nullptr) {
    cudaGraphNodeParams params = {cudaGraphNodeTypeConditional};
    params.conditional.handle = condition;
    params.conditional.type = cudaGraphConditionalNodeType(type);
    params.conditional.size = size;
    cudaError_t error = cudaGraphAddNode(&node, graph, after, NO_DATA after ? 1 : 0, &params);
    for (unsigned i = 0; !error && i < size; i++) bodies[i] = params.conditional.phGraph_out[i];
    return error;
}

template <class... Arguments> static cudaGraphNode_t add(cudaGraph_t graph, void* kernel, Arguments... arguments) {
    void* pointers[] = {&arguments...};
    cudaGraphNodeParams params = {cudaGraphNodeTypeKernel};
    params.kernel.func = kernel;
    params.kernel.gridDim.x = params.kernel.gridDim.y = params.kernel.gridDim.z = 1;
    params.kernel.blockDim.x = params.kernel.blockDim.y = params.kernel.blockDim.z = 1;
    params.kernel.kernelParams = pointers;
    cudaGraphAddNode(&node, graph, nullptr, NO_DATA 0, &params);
    return node;
}

static int launched(cudaGraphExec_t exec, int* x, int first, int* rounds = nullptr) {
    int numbers[] = {first, 0};
    cudaMemcpy(x, numbers, sizeof numbers, cudaMemcpyHostToDevice);
    cudaGraphLaunch(exec, 0);
    cudaMemcpy(numbers, x, sizeof numbers, cudaMemcpyDeviceToHost);
    if (rounds) *rounds = numbers[1];
    return numbers[0];
}

int main() {
    int* x;
    cudaMalloc(&x, 2 * sizeof(int));
    cudaGraph_t graph, other, copy, bodies[4];
    cudaGraphExec_t exec, second;
    cudaGraphConditionalHandle condition, inner;

    // Else, where it is not 0.
    cudaGraphCreate(&graph, 0);
    cudaGraphConditionalHandleCreate(&condition, graph);
    cudaGraphNode_t decided = add(graph, (void*)decide, x, condition);
    WANTS(cudaSuccess, add_conditional(graph, condition, cudaGraphCondTypeIf, 2, bodies, &decided));
    add(bodies[0], (void*)put, x, 0);
    add(bodies[1], (void*)put, x, 1);
    cudaGraphNodeType type;
    cudaGraphNodeGetType(node, &type);
    WANTS(cudaSuccess, cudaGraphInstantiate(&exec, graph, 0));
    printf("if: %d ", launched(exec, x, 0));
    printf("%d, ", launched(exec, x, 3));

    // What may not be.
    cudaGraphCreate(&other, 0);
    WANTS(cudaErrorInvalidValue, cudaGraphConditionalHandleCreate(&inner, other, 1, 2));
    cudaGraphConditionalHandleCreate(&inner, other, 1, 0);
    WANTS(cudaErrorInvalidValue, add_conditional(other, inner, cudaGraphCondTypeIf, 0, bodies));
    WANTS(cudaErrorInvalidValue, add_conditional(other, inner, cudaGraphCondTypeIf, 3, bodies));
    WANTS(cudaErrorInvalidValue, add_conditional(other, inner, cudaGraphCondTypeWhile, 2, bodies));
    WANTS(cudaErrorInvalidValue, add_conditional(other, inner, cudaGraphCondTypeSwitch, 0, bodies));
    WANTS(cudaErrorInvalidValue, add_conditional(other, inner, 3, 1, bodies));
    WANTS(cudaErrorInvalidValue, cudaGraphInstantiate(&second, other, 0));  // nothing uses the condition
    WANTS(cudaErrorNotSupported, cudaGraphClone(&copy, graph));
    WANTS(cudaErrorNotSupported, cudaGraphAddChildGraphNode(&node, other, nullptr, 0, graph));
    WANTS(cudaErrorNotSupported, cudaGraphInstantiate(&second, graph, 0));
    WANTS(cudaSuccess, add_conditional(other, inner, cudaGraphCondTypeIf, 1, bodies));
    WANTS(cudaErrorInvalidValue, add_conditional(other, inner, cudaGraphCondTypeIf, 1, bodies));
    WANTS(cudaErrorNotSupported, cudaGraphInstantiate(&second, bodies[0], 0));
    WANTS(cudaErrorInvalidValue, cudaGraphDestroy(bodies[0]));
    cudaHostNodeParams host = {[](void*) {}, nullptr};
    cudaGraphAddHostNode(&node, bodies[0], nullptr, 0, &host);
    WANTS(cudaErrorInvalidValue, cudaGraphInstantiate(&second, other, 0));
    cudaGraphDestroy(other);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);

    // A loop that begins by the default value, in each launch.
    cudaGraphCreate(&graph, 0);
    cudaGraphConditionalHandleCreate(&condition, graph, 1, cudaGraphCondAssignDefault);
    add_conditional(graph, condition, cudaGraphCondTypeWhile, 1, bodies);
    add(bodies[0], (void*)count_down, x, condition);
    cudaGraphInstantiate(&exec, graph, 0);
    int rounds[2];
    for (int& count : rounds) launched(exec, x, 5, &count);
    printf("loop: %d rounds and %d, ", rounds[0], rounds[1]);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);

    cudaGraphCreate(&graph, 0);
    cudaGraphConditionalHandleCreate(&condition, graph);
    decided = add(graph, (void*)decide, x, condition);
    add_conditional(graph, condition, cudaGraphCondTypeSwitch, 4, bodies, &decided);
    for (int i = 1; i < 4; i++) add(bodies[i], (void*)put, x, 10 * i + 10);
    cudaGraphInstantiate(&exec, graph, 0);
    printf("switch: %d ", launched(exec, x, 0));
    printf("%d %d ", launched(exec, x, 1), launched(exec, x, 2));
    printf("%s, ", launched(exec, x, 4) == 4 ? "-" : "wrong");  // none of them
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);

    // Within a body, by a condition of the outer graph; the body of that is captured, and so is the node.
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaGraphCreate(&graph, 0);
    cudaGraphConditionalHandleCreate(&condition, graph, 1, cudaGraphCondAssignDefault);
    cudaGraphConditionalHandleCreate(&inner, graph, 1, cudaGraphCondAssignDefault);
    add_conditional(graph, condition, cudaGraphCondTypeIf, 1, bodies);
    add_conditional(bodies[0], inner, cudaGraphCondTypeIf, 1, &other);
    cudaStreamBeginCaptureToGraph(stream, other, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal);
    put<<<1, 1, 0, stream>>>(x, 6);
    put<<<1, 1, 0, stream>>>(x, 7);
    cudaStreamEndCapture(stream, nullptr);
    cudaGraphInstantiate(&exec, graph, 0);
    printf("nested: %d, ", launched(exec, x, 0));
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);

    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    cudaStreamCaptureStatus status;
    const cudaGraphNode_t* waits;
    size_t count;
    put<<<1, 1, 0, stream>>>(x, 2);
    cudaStreamGetCaptureInfo(stream, &status, nullptr, &graph, &waits, NO_DATA &count);
    cudaGraphConditionalHandleCreate(&condition, graph, 1, cudaGraphCondAssignDefault);
    add_conditional(graph, condition, cudaGraphCondTypeWhile, 1, bodies, waits);
    cudaStreamUpdateCaptureDependencies(stream, &node, NO_DATA 1, cudaStreamSetCaptureDependencies);
    put<<<1, 1, 0, stream>>>(x, 3);
    cudaStreamEndCapture(stream, &graph);
    add(bodies[0], (void*)count_down, x, condition);
    cudaGraphInstantiate(&exec, graph, 0);
    printf("captured: %d; ", launched(exec, x, 0));
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
    cudaFree(x);
    printf("%d calls do as CUDA says\n", as_wanted);
}
