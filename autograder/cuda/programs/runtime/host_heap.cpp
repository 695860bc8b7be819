// Notes each block that the program allocates, so that a copy past the end of one is found; the C library allocates.
// All its own functions are weak: a program may have others. Nothing here may allocate by them.
#include "host_heap.h"
#include <errno.h>
#include <sched.h>
#include <stdint.h>
#include <sys/mman.h>

#include <atomic>
#include <mutex>

extern "C" {
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void __libc_free(void*);
int __register_atfork(void (*prepare)(), void (*parent)(), void (*child)(), void* library);
}

namespace {
struct Block {
    uintptr_t begin;  // 0: none
    size_t size;
};
// Once all places are used, further blocks stay unknown.
constexpr size_t FIRST = 1 << 10, MOST = 1 << 22;

// A hash table with open addressing, by a block's address.
class Blocks {
public:
    void add(void* pointer, size_t size) {
        Alone alone(*this);
        if (live_ * 2 >= places_ && !grow()) return;
        put({(uintptr_t)pointer, size});
    }
    void remove(void* pointer) {
        Alone alone(*this);
        Block* gap = find((uintptr_t)pointer);
        if (!gap) return;
        // What comes after it, and belongs there or before, moves up: so no search goes by blocks that are gone.
        for (size_t i = next(gap - table_); table_[i].begin; i = next(i))
            if (distance(place_of(table_[i].begin), i) >= distance(gap - table_, i)) *gap = table_[i], gap = &table_[i];
        gap->begin = 0, live_--;
    }
    size_t room_after(uintptr_t at) {
        Alone alone(*this);
        if (Block* block = find(at)) return block->size;
        for (size_t i = 0; i < places_; i++)
            if (table_[i].begin && at - table_[i].begin < table_[i].size) return table_[i].begin + table_[i].size - at;
        return SIZE_MAX;
    }

    void lock() {
        while (busy_.test_and_set(std::memory_order_acquire)) sched_yield();
    }
    void unlock() { busy_.clear(std::memory_order_release); }

private:
    using Alone = std::lock_guard<Blocks>;

    Block* table_ = nullptr;
    size_t places_ = 0, live_ = 0;
    std::atomic_flag busy_ = ATOMIC_FLAG_INIT;

    size_t place_of(uintptr_t begin) const { return (begin >> 4) * 0x9e3779b97f4a7c15 >> 20 & (places_ - 1); }
    size_t next(size_t i) const { return (i + 1) & (places_ - 1); }
    size_t distance(size_t from, size_t to) const { return (to - from) & (places_ - 1); }
    Block* find(uintptr_t begin) {
        if (!places_) return nullptr;
        for (size_t i = place_of(begin); table_[i].begin; i = next(i))
            if (table_[i].begin == begin) return &table_[i];
        return nullptr;
    }
    void put(Block block) {
        size_t i = place_of(block.begin);
        while (table_[i].begin && table_[i].begin != block.begin) i = next(i);
        live_ += !table_[i].begin;
        table_[i] = block;
    }
    bool grow() {
        size_t before = places_, wanted = before ? 2 * before : FIRST;
        if (wanted > MOST) return false;
        void* room = mmap(nullptr, wanted * sizeof(Block), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (room == MAP_FAILED) return false;
        Block* old = table_;
        table_ = (Block*)room, places_ = wanted, live_ = 0;
        for (size_t i = 0; i < before; i++)
            if (old[i].begin) put(old[i]);
        if (old) munmap(old, before * sizeof(Block));
        return true;
    }
};
Blocks blocks;  // ready before anything runs: it has constants alone

// A child that another thread's work is copied into must not find the table locked for good.
__attribute__((constructor)) void hold_while_forking() {
    auto unlock = [] { blocks.unlock(); };
    __register_atfork([] { blocks.lock(); }, unlock, unlock, nullptr);
}

void* noted(void* pointer, size_t size) {
    if (pointer) blocks.add(pointer, size);
    return pointer;
}
}  // namespace

size_t emulated::room_after(const void* pointer) { return blocks.room_after((uintptr_t)pointer); }

#define WEAK extern "C" __attribute__((weak))
WEAK void* malloc(size_t size) { return noted(__libc_malloc(size), size); }
WEAK void* calloc(size_t count, size_t size) { return noted(__libc_calloc(count, size), count * size); }
WEAK void free(void* pointer) {
    blocks.remove(pointer);
    __libc_free(pointer);
}
WEAK void* realloc(void* pointer, size_t size) {
    // (Noted before: once it is free, another thread may get the same block.)
    size_t before = pointer ? blocks.room_after((uintptr_t)pointer) : SIZE_MAX;
    blocks.remove(pointer);
    void* made = __libc_realloc(pointer, size);
    if (!made && size && before != SIZE_MAX) blocks.add(pointer, before);  // it is as it was
    return noted(made, size);
}
WEAK void* reallocarray(void* pointer, size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) return errno = ENOMEM, nullptr;
    return realloc(pointer, bytes);
}
