// Calls of libraries. All of them are computed by the other process; in between, it asks for parts of the host's memory.
#include "copy.h"

using emulated::Channel;
using emulated::Reply;
using emulated::u64;

// What to do, by the first number of a reply.
enum { DONE, READ, WRITE };

extern "C" {
unsigned long emuStream(cudaStream_t stream) { return emulated::number(stream); }

int emuLibrary(const char* names, const u64* numbers, size_t count) {
    Channel& channel = Channel::open();
    auto alone = channel.alone();
    void* site = __builtin_return_address(0);
    Reply reply = channel.request("library", site, {numbers, numbers + count}, names);
    while (reply[0] != DONE) {
        char* there = channel.at((void*)reply[1]);
        std::string read;
        if (reply[0] == READ) read.assign(there, reply[2]);
        else memcpy(there, reply.bytes.data(), reply.bytes.size());
        reply = channel.request("library goes on", site, {}, read);
    }
    return int(reply[reply ? 1 : 2]);
}

// Copies elements at a distance in bytes on each side, by the name of a library's function.
int emuCopy(const char* name, void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
            size_t height, cudaMemcpyKind kind, bool in_stream, cudaStream_t stream) {
    void* site = __builtin_return_address(0);
    std::vector<u64> numbers = {(u64)to, to_pitch, (u64)from, from_pitch, width, height, (u64)kind};
    if (in_stream) numbers.push_back(emulated::number(stream));
    Reply reply = Channel::open().request(name, site, numbers);
    return emulated::copied(name, site, reply, to, to_pitch, from, from_pitch, width, height);
}
}
