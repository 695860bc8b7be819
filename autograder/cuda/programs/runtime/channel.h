// The program's end of the line to the process that runs its kernels, which knows everything: what is allocated, what
// has been launched, what is an error. A call is sent with its arguments and the place where it stands; the reply is an
// error, numbers, and bytes. All numbers have 64 bits.
#pragma once
#include "cuda_runtime_api.h"
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <mutex>
#include <string>
#include <vector>

namespace emulated {
typedef uint64_t u64;

struct Reply {
    cudaError_t error;
    std::vector<u64> numbers;
    std::string bytes;
    u64 operator[](size_t i) const { return numbers[i]; }
    explicit operator bool() const { return error == cudaSuccess; }
    // Whether a call that puts work into a stream has become a node of a graph: nothing is done now.
    bool is_node() const { return !numbers.empty(); }
};

// The GPU that is current in this thread, and a number of the thread's: it has its latest error for itself.
inline thread_local int device = 0;
inline std::atomic<u64> threads;
inline thread_local const u64 thread = threads++;

template <class T> u64 number(T value) { return (u64)value; }
// A default stream is that of the current GPU (cuda/programs/timeline.py).
inline u64 number(cudaStream_t stream) { return (u64)stream <= 2 ? (u64)stream + 16 * u64(device) : (u64)stream; }

class Channel {
public:
    // The GPU's memory lies at the same addresses in every process. Here nobody may touch them but through `seen`.
    char *heap, *seen;
    u64 heap_bytes;

    static Channel& open() {
        static Channel* only = new Channel;  // never destroyed: destructors of the program may still call
        return *only;
    }

    Reply request(const char* name, const void* site, const std::vector<u64>& numbers, const std::string& bytes = "") {
        std::lock_guard<std::recursive_mutex> alone(mutex_);
        u64 head[] = {strlen(name), numbers.size(), bytes.size(), (u64)site, u64(device), thread};
        std::string out((const char*)head, sizeof head);
        out.append(name).append((const char*)numbers.data(), numbers.size() * 8).append(bytes);
        send(out);
        u64 counts[5];
        receive(counts, sizeof counts);
        Reply reply;
        reply.error = cudaError_t(counts[0]);
        reply.numbers.resize(counts[1]);
        receive(reply.numbers.data(), counts[1] * 8);
        std::vector<u64> guards(counts[2] * 3);
        receive(guards.data(), guards.size() * 8);
        reply.bytes.resize(counts[3]);
        receive(&reply.bytes[0], counts[3]);
        std::string printed(counts[4], 0);  // by kernels that have ended by now
        receive(&printed[0], counts[4]);
        fwrite(printed.data(), 1, printed.size(), stdout);
        for (size_t i = 0; i < guards.size(); i += 3) mprotect((void*)guards[i], guards[i + 1], int(guards[i + 2]));
        return reply;
    }

    // Keeps other threads from asking while it exists: for calls that ask more than once.
    std::unique_lock<std::recursive_mutex> alone() { return std::unique_lock<std::recursive_mutex>(mutex_); }

    // Where to read or write an address of the program's, which may be the GPU's.
    char* at(const void* pointer) const {
        u64 offset = (u64)pointer - (u64)heap;
        return offset < heap_bytes ? seen + offset : (char*)pointer;
    }

private:
    int calls_, replies_;
    std::recursive_mutex mutex_;

    Channel() {
        const char* given = getenv("AUTOGRADER_HOST");
        int memory;
        if (!given || sscanf(given, "%d %d %d %lu %lu", &calls_, &replies_, &memory, (u64*)&heap, &heap_bytes) != 5)
            abort();
        unsetenv("AUTOGRADER_HOST");  // a program that this one starts has a GPU of its own
        for (int file : {calls_, replies_}) fcntl(file, F_SETFD, FD_CLOEXEC);
        constexpr int WHOLE = PROT_READ | PROT_WRITE;
        void* there = mmap(heap, heap_bytes, PROT_NONE, MAP_SHARED | MAP_FIXED_NOREPLACE, memory, 0);
        seen = (char*)mmap(nullptr, heap_bytes, WHOLE, MAP_SHARED, memory, 0);
        if (there != heap || seen == MAP_FAILED) {
            fprintf(stderr, "This machine has no room for the emulated GPU's memory: %s.\n", strerror(errno));
            _exit(2);
        }
        close(memory);
    }

    void send(const std::string& out) {
        for (size_t done = 0; done < out.size();) {
            ssize_t n = write(calls_, out.data() + done, out.size() - done);
            if (n <= 0 && errno != EINTR) _exit(2);
            if (n > 0) done += size_t(n);
        }
    }

    void receive(void* to, size_t size) {
        for (size_t done = 0; done < size;) {
            ssize_t n = read(replies_, (char*)to + done, size - done);
            if (n == 0 || (n < 0 && errno != EINTR)) _exit(2);  // whoever runs the kernels has ended
            if (n > 0) done += size_t(n);
        }
    }
};
}  // namespace emulated

// The name of the function around, and whoever called it.
#define HERE __func__, __builtin_return_address(0)
// Asks by this name, for this caller.
#define REQUEST(...) emulated::request_by(HERE __VA_OPT__(, ) __VA_ARGS__)
namespace emulated {
template <class... Arguments> Reply request_by(const char* name, const void* site, Arguments... arguments) {
    return Channel::open().request(name, site, {number(arguments)...});
}

// Puts the first number of a reply where the call's caller wants it.
template <class T> cudaError_t put(const Reply& reply, T* out) {
    if (reply) *out = (T)reply[0];
    return reply.error;
}
}  // namespace emulated
