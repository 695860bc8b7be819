// CUDA graphs. The other process knows all nodes and runs them; here is done what needs the host's memory or functions.
#include "arguments.h"
#include "copy.h"
#include "cuda_graphs.h"

#include <algorithm>
#include <map>

using emulated::Channel;
using emulated::put;
using emulated::Reply;
using emulated::u64;

namespace {
std::string bytes_of(const cudaGraphNode_t* nodes, size_t count) {
    return std::string((const char*)nodes, nodes ? count * sizeof *nodes : 0);
}

// What a call says of a node: its beginning, which is the node, or what it belongs to and waits for; then its
// parameters.
struct NodeCall {
    const char* name;
    const void* site;
    std::vector<u64> numbers;
    std::string bytes;

    NodeCall(const char* name, const void* site, std::vector<u64> numbers, std::string bytes = "")
        : name(name), site(site), numbers(numbers), bytes(bytes) {}
    NodeCall(const char* name, const void* site, cudaGraph_t graph, const cudaGraphNode_t* after, size_t count)
        : NodeCall(name, site, {(u64)graph, count}, bytes_of(after, count)) {}

    Reply request() const { return Channel::open().request(name, site, numbers, bytes); }
    Reply with(std::vector<u64> more) {
        numbers.insert(numbers.end(), more.begin(), more.end());
        return request();
    }
    Reply with(const cudaKernelNodeParams* what) {
        if (!what->kernelParams && what->extra) return request();  // without parameters: there is no such node here
        auto alone = Channel::open().alone();
        if (cudaError_t error = emulated::arguments_of(what->func, what->kernelParams, site, nullptr, bytes))
            return {error, {}, ""};
        const dim3 &grid = what->gridDim, &block = what->blockDim;
        return with({grid.x, grid.y, grid.z, block.x, block.y, block.z, what->sharedMemBytes});
    }
    Reply with(const cudaMemcpy3DParms* what) {
        emulated::rows_of(what, numbers);
        return request();
    }
    Reply with(const cudaMemsetParams* what) {
        return with({(u64)what->dst, what->pitch, what->value, what->elementSize, what->width, what->height});
    }
    Reply with(cudaMemAllocNodeParams* what) {
        const cudaMemPoolProps& properties = what->poolProps;
        Reply reply = with({u64(properties.allocType), u64(properties.location.type), u64(properties.location.id),
                            what->accessDescCount, what->bytesize});
        if (reply) what->dptr = (void*)reply[1];
        return reply;
    }
    Reply with(cudaConditionalNodeParams* what) {
        Reply reply = with({what->handle, u64(what->type), what->size});
        // (Its graphs' handles stay where the program may look for them as long as the node exists.)
        if (reply) what->phGraph_out = (cudaGraph_t*)(new std::vector<u64>(reply.numbers))->data() + 1;
        return reply;
    }
    Reply with(const cudaHostNodeParams* what) { return with({(u64)what->fn, (u64)what->userData}); }
    Reply with(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
        return with({(u64)to, bytes, (u64)from, bytes, bytes, 1, (u64)kind});
    }
};

// As many as fit, and null pointers where there is more room.
void put(const u64* handles, size_t there, cudaGraphNode_t* out, size_t count) {
    for (size_t i = 0; out && i < count; i++) out[i] = i < there ? (cudaGraphNode_t)handles[i] : nullptr;
}
// The count is how many there are where no room is given, and else how many were put there.
cudaError_t nodes_of(const Reply& reply, cudaGraphNode_t* nodes, size_t* count) {
    if (!reply) return reply.error;
    put(reply.numbers.data(), reply.numbers.size(), nodes, *count);
    *count = nodes ? std::min(*count, reply.numbers.size()) : reply.numbers.size();
    return cudaSuccess;
}

void refuse_edge_data(const cudaGraphEdgeData* data, size_t count, const void* site) {
    for (size_t i = 0; data && i < count; i++)
        if (data[i].from_port || data[i].to_port || data[i].type) Channel::open().request("edge data", site, {});
}

// The host's part of a node. Its numbers are where the node's line is, which part it is, and what that needs.
enum { COPY = 1, FILL = 2, CALL_HOST = 3 };
cudaError_t run(const Reply& node) {
    const void* site = (const void*)node[0];
    const u64* numbers = &node.numbers[2];
    if (node[1] == COPY) {
        const Reply may = {cudaSuccess, {}, ""};
        return emulated::copied(node.bytes.c_str(), site, may, (void*)numbers[0], numbers[1], (void*)numbers[2],
                                numbers[3], numbers[4], numbers[5]);
    }
    if (node[1] == CALL_HOST) return ((cudaHostFn_t)numbers[0])((void*)numbers[1]), cudaSuccess;
    for (u64 row = 0; row < numbers[5]; row++) {
        char* out = Channel::open().at((char*)numbers[0] + row * numbers[1]);
        for (u64 i = 0; i < numbers[4]; i++) memcpy(out + i * numbers[3], &numbers[2], numbers[3]);
    }
    return cudaSuccess;
}
}  // namespace

extern "C" {
// ---- capture
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
    return REQUEST(stream, mode).error;
}
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) { return put(REQUEST(*mode), mode); }
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
    cudaGraph_t unwanted;
    *(graph = graph ? graph : &unwanted) = nullptr;
    return put(REQUEST(stream), graph);
}
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t* after,
                                          const cudaGraphEdgeData* data, size_t count, cudaStreamCaptureMode mode) {
    refuse_edge_data(data, count, __builtin_return_address(0));
    return NodeCall(HERE, {(u64)graph, emulated::number(stream), (u64)mode}, bytes_of(after, count)).request().error;
}
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* nodes, size_t count,
                                                unsigned flags) {
    return NodeCall(HERE, {emulated::number(stream), flags}, bytes_of(nodes, count)).request().error;
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
    return put(REQUEST(stream), status);
}
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
                                     cudaGraph_t* graph, const cudaGraphNode_t** nodes, size_t* count) {
    static thread_local std::vector<u64> last;
    Reply reply = REQUEST(stream);
    if (!reply) return reply.error;
    *status = cudaStreamCaptureStatus(reply[0]);
    if (*status != cudaStreamCaptureStatusActive) return cudaSuccess;
    last.assign(reply.numbers.begin() + 3, reply.numbers.end());
    if (id) *id = reply[1];
    if (graph) *graph = (cudaGraph_t)reply[2];
    if (nodes) *nodes = (const cudaGraphNode_t*)last.data();
    if (count) *count = last.size();
    return cudaSuccess;
}

// ---- graphs
cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned) { return put(REQUEST(), graph); }
cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph) { return put(REQUEST(graph), clone); }
cudaError_t cudaGraphDestroy(cudaGraph_t graph) { return REQUEST(graph).error; }
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                     size_t count) {
    return NodeCall(HERE, {(u64)graph}, bytes_of(from, count) + bytes_of(to, count)).request().error;
}
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
    return nodes_of(REQUEST(graph), nodes, count);
}
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
    return nodes_of(REQUEST(graph), nodes, count);
}
cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, size_t* count) {
    Reply reply = REQUEST(graph);
    if (!reply) return reply.error;
    size_t there = reply.numbers.size() / 2;
    put(reply.numbers.data(), there, from, *count);
    put(reply.numbers.data() + there, there, to, *count);
    *count = from ? std::min(*count, there) : there;
    return cudaSuccess;
}
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) { return put(REQUEST(node), type); }
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* what) {
    struct Arguments {
        std::string bytes;
        std::vector<void*> pointers;
    };
    static std::map<cudaGraphNode_t, Arguments>* all = new std::map<cudaGraphNode_t, Arguments>;
    Reply reply = REQUEST(node);
    if (!reply) return reply.error;
    auto size = [&](size_t i) { return unsigned(reply[i]); };
    Arguments& known = (*all)[node] = {reply.bytes, {}};
    size_t at = 0;
    for (size_t i = 8; i < reply.numbers.size(); at += reply[i++]) known.pointers.push_back(&known.bytes[at]);
    *what = {(void*)reply[0], dim3(size(1), size(2), size(3)), dim3(size(4), size(5), size(6)),
             size(7),         known.pointers.data(),           nullptr};
    return cudaSuccess;
}

cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, cudaMemAllocNodeParams* what) {
    Reply reply = REQUEST(node);
    if (!reply) return reply.error;
    *what = {};
    what->poolProps.allocType = cudaMemAllocationTypePinned;
    what->poolProps.location = {cudaMemLocationTypeDevice, 0};
    what->bytesize = reply[0];
    what->dptr = (void*)reply[1];
    return cudaSuccess;
}
cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void* pointer) {
    return put(REQUEST(node), (void**)pointer);
}

// ---- memory
cudaError_t cudaDeviceGraphMemTrim(int device) { return REQUEST(device).error; }
cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute, void* value) {
    return put(REQUEST(device, attribute), (u64*)value);
}
cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute, void* value) {
    return REQUEST(device, attribute, *(u64*)value).error;
}

// ---- nodes
void emuEdgeData(const cudaGraphEdgeData* data, size_t count) {
    refuse_edge_data(data, count, __builtin_return_address(0));
}
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                     size_t count, void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
    return put(NodeCall(HERE, graph, after, count).with(to, from, bytes, kind), node);
}
cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from, size_t bytes,
                                           cudaMemcpyKind kind) {
    return NodeCall(HERE, {(u64)node}).with(to, from, bytes, kind).error;
}
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t made, cudaGraphNode_t node, void* to, const void* from,
                                               size_t bytes, cudaMemcpyKind kind) {
    return NodeCall(HERE, {(u64)made, (u64)node}).with(to, from, bytes, kind).error;
}
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                  size_t count) {
    return put(NodeCall(HERE, graph, after, count).request(), node);
}
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                     size_t count, cudaMemAllocNodeParams* what) {
    return put(NodeCall(HERE, graph, after, count).with(what), node);
}
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                    size_t count, void* pointer) {
    return put(NodeCall(HERE, graph, after, count).with({(u64)pointer}), node);
}
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                       size_t count, cudaGraph_t child) {
    return put(NodeCall(HERE, graph, after, count).with({(u64)child}), node);
}
cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* handle, cudaGraph_t graph, unsigned value,
                                             unsigned flags) {
    return put(REQUEST(graph, value, flags), handle);
}
cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, size_t count,
                             cudaGraphNodeParams* what) {
    const void* site = __builtin_return_address(0);
    auto call = [&](const char* name) { return NodeCall(name, site, graph, after, count); };
    switch (what->type) {
    case cudaGraphNodeTypeKernel:
        return put(call("cudaGraphAddKernelNode").with(&what->kernel), node);
    case cudaGraphNodeTypeMemcpy:
        return put(call("cudaGraphAddMemcpyNode").with(&what->memcpy.copyParams), node);
    case cudaGraphNodeTypeMemset:
        return put(call("cudaGraphAddMemsetNode").with(&what->memset), node);
    case cudaGraphNodeTypeHost:
        return put(call("cudaGraphAddHostNode").with(&what->host), node);
    case cudaGraphNodeTypeGraph:
        return put(call("cudaGraphAddChildGraphNode").with({(u64)what->graph.graph}), node);
    case cudaGraphNodeTypeEmpty:
        return put(call("cudaGraphAddEmptyNode").request(), node);
    case cudaGraphNodeTypeMemAlloc:
        return put(call("cudaGraphAddMemAllocNode").with(&what->alloc), node);
    case cudaGraphNodeTypeMemFree:
        return put(call("cudaGraphAddMemFreeNode").with({(u64)what->free.dptr}), node);
    case cudaGraphNodeTypeConditional:
        return put(call("cudaGraphAddConditionalNode").with(&what->conditional), node);
    }
    return cudaErrorInvalidValue;
}
#define NODE(Kind, Parameters)                                                                                   \
    cudaError_t cudaGraphAdd##Kind##Node(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, \
                                         size_t count, const Parameters* what) {                                 \
        return put(NodeCall(HERE, graph, after, count).with(what), node);                                        \
    }                                                                                                            \
    cudaError_t cudaGraph##Kind##NodeSetParams(cudaGraphNode_t node, const Parameters* what) {                   \
        return NodeCall(HERE, {(u64)node}).with(what).error;                                                     \
    }                                                                                                            \
    cudaError_t cudaGraphExec##Kind##NodeSetParams(cudaGraphExec_t made, cudaGraphNode_t node,                   \
                                                   const Parameters* what) {                                     \
        return NodeCall(HERE, {(u64)made, (u64)node}).with(what).error;                                          \
    }
NODE(Kernel, cudaKernelNodeParams)
NODE(Memcpy, cudaMemcpy3DParms)
NODE(Memset, cudaMemsetParams)
NODE(Host, cudaHostNodeParams)

// ---- executable graphs
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* made, cudaGraph_t graph, unsigned long long flags) {
    return put(REQUEST(graph, flags), made);
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* made, cudaGraph_t graph, unsigned long long flags) {
    return put(emulated::request_by("cudaGraphInstantiate", __builtin_return_address(0), graph, flags), made);
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t made) { return REQUEST(made).error; }
cudaError_t cudaGraphUpload(cudaGraphExec_t made, cudaStream_t stream) { return REQUEST(made, stream).error; }
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t made, cudaGraph_t graph, cudaGraphExecUpdateResultInfo* info) {
    Reply reply = REQUEST(made, graph);
    auto result = reply.numbers.empty() ? cudaGraphExecUpdateError : cudaGraphExecUpdateResult(reply[0]);
    *info = {result, nullptr, nullptr};
    return reply.error;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t made, cudaStream_t stream) {
    const void* site = __builtin_return_address(0);
    Reply node = REQUEST(made, stream);
    while (node && !node.numbers.empty()) {
        cudaError_t error = run(node);
        node = Channel::open().request("next node", site, {(u64)made, (u64)error});
        if (error) return error;
    }
    return node.error;
}
}
