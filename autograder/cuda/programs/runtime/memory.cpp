// Memory: what is allocated, and what is copied. The other process says whether a copy may be; it is made here.
#include "copy.h"

#include <new>

using emulated::Channel;
using emulated::copied;
using emulated::fits;
using emulated::put;
using emulated::Reply;
using emulated::u64;

// Calls `move`, which exchanges pages, on a stack of its own: they may be pages of this one.
template <class Move> static bool on_other_stack(Move move) {
    constexpr size_t SIZE = 1 << 16;
    char* low = (char*)mmap(nullptr, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (low == MAP_FAILED) return false;
    struct Call {
        Move move;
        bool done;
        static void run(Call* call) { call->done = call->move(); }
    };
    Call* call = new (low) Call{move, false};
    void *first = call, *top = low + SIZE;
    void (*run)(Call*) = Call::run;
    asm volatile("mov %%rsp, %%rbx\n"
                 "mov %%rsi, %%rsp\n"
                 "call *%%rax\n"
                 "mov %%rbx, %%rsp\n"
                 : "+D"(first), "+S"(top), "+a"(run)
                 :
                 : "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5",
                   "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "memory",
                   "cc");
    bool done = call->done;
    munmap(low, SIZE);
    return done;
}

extern "C" {
cudaError_t cudaMalloc(void** pointer, size_t bytes) { return put(REQUEST(bytes), pointer); }
cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream) {
    return put(REQUEST(bytes, stream), pointer);
}
cudaError_t cudaMallocHost(void** pointer, size_t bytes) { return put(REQUEST(bytes), pointer); }
cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned flags) { return put(REQUEST(bytes, flags), pointer); }
cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned flags) {
    return put(REQUEST(bytes, flags), pointer);
}
cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
    Reply reply = REQUEST(width, height);
    if (reply) *pitch = reply[1];
    return put(reply, pointer);
}
void emuElements(void* memory, char kind, size_t bytes) {
    Channel::open().request("elements", __builtin_return_address(0), {(u64)memory, (u64)kind, bytes});
}
cudaError_t cudaFree(void* pointer) { return REQUEST(pointer).error; }
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) { return REQUEST(pointer, stream).error; }
cudaError_t cudaFreeHost(void* pointer) { return REQUEST(pointer).error; }
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned flags) {
    return put(REQUEST(host, flags), device);
}
cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned flags) {
    Reply reply = REQUEST(pointer, bytes, flags);
    if (!reply) return reply.error;
    char *first = (char*)((u64)pointer & -4096ul), *pages = Channel::open().at((void*)reply[0]);
    bool moved = on_other_stack([=, size = reply[1]] {
        memcpy(pages, first, size);
        // The same pages once more, in place of the host's own.
        return mremap(pages, 0, size, MREMAP_MAYMOVE | MREMAP_FIXED, first) == first;
    });
    return moved ? cudaSuccess : cudaErrorMemoryAllocation;
}
cudaError_t cudaHostUnregister(void* pointer) {
    Reply reply = REQUEST(pointer);
    if (!reply) return reply.error;
    // (Our own variables may lie in these pages, and are not there in between.)
    char *first = (char*)((u64)pointer & -4096ul), *pages = Channel::open().at((void*)reply[0]);
    on_other_stack([=, size = reply[1]] {
        mmap(first, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
        memcpy(first, pages, size);
        return true;
    });
    return cudaSuccess;
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
    Reply reply = REQUEST(pointer);
    if (reply) *attributes = {cudaMemoryType(reply[0]), int(reply[1]), (void*)reply[2], (void*)reply[3]};
    return reply.error;
}

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
    return copied(HERE, REQUEST(to, from, bytes, kind), to, bytes, from, bytes, bytes, 1);
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
    return copied(HERE, REQUEST(to, from, bytes, kind, stream), to, bytes, from, bytes, bytes, 1);
}
cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, size_t bytes) {
    return copied(HERE, REQUEST(to, to_device, from, from_device, bytes), to, bytes, from, bytes, bytes, 1);
}
cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, size_t bytes,
                                cudaStream_t stream) {
    return copied(HERE, REQUEST(to, to_device, from, from_device, bytes, stream), to, bytes, from, bytes, bytes, 1);
}
cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                         cudaMemcpyKind kind) {
    return copied(HERE, REQUEST(to, to_pitch, from, from_pitch, width, height, kind), to, to_pitch, from, from_pitch,
                  width, height);
}
cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
    return copied(HERE, REQUEST(to, to_pitch, from, from_pitch, width, height, kind, stream), to, to_pitch, from,
                  from_pitch, width, height);
}

// A variable on the GPU has no address here: its content is with the other process.
static cudaError_t to_symbol(const char* name, const void* site, const void* symbol, const void* from, size_t bytes,
                             size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
    Channel& channel = Channel::open();
    // Where the GPU's memory is given, the bytes are only looked at once the call has been found to be right.
    Reply reply =
        channel.request(name, site, {(u64)symbol, (u64)from, bytes, offset, (u64)kind, emulated::number(stream)});
    if (!reply) return reply.error;
    if (cudaError_t error = fits(name, site, from, bytes, false)) return error;
    return channel.request("fill symbol", site, {(u64)symbol, offset}, std::string(channel.at(from), bytes)).error;
}
static cudaError_t from_symbol(const char* name, const void* site, void* to, const void* symbol, size_t bytes,
                               size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
    Channel& channel = Channel::open();
    Reply reply =
        channel.request(name, site, {(u64)to, (u64)symbol, bytes, offset, (u64)kind, emulated::number(stream)});
    if (!reply) return reply.error;
    if (cudaError_t error = fits(name, site, to, bytes, true)) return error;
    memcpy(channel.at(to), reply.bytes.data(), bytes);
    return cudaSuccess;
}
cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset, cudaMemcpyKind kind) {
    return to_symbol(HERE, symbol, from, bytes, offset, kind, nullptr);
}
cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream) {
    return to_symbol(HERE, symbol, from, bytes, offset, kind, stream);
}
cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset, cudaMemcpyKind kind) {
    return from_symbol(HERE, to, symbol, bytes, offset, kind, nullptr);
}
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t bytes, size_t offset, cudaMemcpyKind kind,
                                      cudaStream_t stream) {
    return from_symbol(HERE, to, symbol, bytes, offset, kind, stream);
}
cudaError_t cudaGetSymbolSize(size_t* bytes, const void* symbol) { return put(REQUEST(symbol), bytes); }
cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol) { return put(REQUEST(symbol), pointer); }

static cudaError_t filled(const Reply& reply, void* pointer, int value, size_t bytes) {
    if (reply && !reply.is_node()) memset(Channel::open().at(pointer), value, bytes);
    return reply.error;
}
cudaError_t cudaMemset(void* pointer, int value, size_t bytes) {
    return filled(REQUEST(pointer, value, bytes), pointer, value, bytes);
}
cudaError_t cudaMemsetAsync(void* pointer, int value, size_t bytes, cudaStream_t stream) {
    return filled(REQUEST(pointer, value, bytes, stream), pointer, value, bytes);
}
cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height) {
    Reply reply = REQUEST(pointer, pitch, value, width, height);
    for (size_t row = 0; reply && row < height; row++) filled(reply, (char*)pointer + row * pitch, value, width);
    return reply.error;
}
cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, int, cudaStream_t stream) {
    return REQUEST(pointer, bytes, stream).error;
}
cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise, int) {
    return REQUEST(pointer, bytes).error;
}
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, size_t, unsigned) {
    return REQUEST(stream, pointer).error;
}
cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
    Reply reply = REQUEST();
    *free = reply[0];
    *total = reply[1];
    return reply.error;
}
}
