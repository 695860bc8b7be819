// Notes each block that the program allocates, so that a copy past the end of one is found; the C library allocates.
// All its own functions are weak: a program may have others. Nothing here may allocate by them.
#include "host_heap.h"
#include <errno.h>
#include <sched.h>
#include <stdint.h>
#include <sys/mman.h>

#include <atomic>

extern "C" {
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void __libc_free(void*);
}

namespace {
struct Block {
    uintptr_t begin;  // 0: never used; GONE: no longer
    size_t size;
};
constexpr uintptr_t GONE = 1;
// Beyond so many blocks, further ones stay unknown.
constexpr size_t FIRST = 1 << 10, MOST = 1 << 22;

// A hash table with open addressing, by a block's address.
class Blocks {
public:
    void add(void* pointer, size_t size) {
        Alone alone(busy_);
        if (used_ * 2 >= places_ && !rebuild()) return;
        put({(uintptr_t)pointer, size});
    }
    void remove(void* pointer) {
        Alone alone(busy_);
        if (Block* block = find((uintptr_t)pointer)) block->begin = GONE, live_--;
    }
    size_t room_behind(uintptr_t at) {
        Alone alone(busy_);
        if (Block* block = find(at)) return block->size;
        for (size_t i = 0; i < places_; i++)
            if (table_[i].begin > GONE && at - table_[i].begin < table_[i].size)
                return table_[i].begin + table_[i].size - at;
        return SIZE_MAX;
    }

private:
    struct Alone {
        std::atomic_flag& busy;
        explicit Alone(std::atomic_flag& flag) : busy(flag) {
            while (busy.test_and_set(std::memory_order_acquire)) sched_yield();
        }
        ~Alone() { busy.clear(std::memory_order_release); }
    };

    Block* table_ = nullptr;
    size_t places_ = 0, used_ = 0, live_ = 0;  // `used_`: with those that are gone
    std::atomic_flag busy_ = ATOMIC_FLAG_INIT;

    size_t place_of(uintptr_t begin) const { return (begin >> 4) * 0x9e3779b97f4a7c15 >> 20 & (places_ - 1); }
    Block* find(uintptr_t begin) {
        if (!places_) return nullptr;
        for (size_t i = place_of(begin); table_[i].begin; i = (i + 1) & (places_ - 1))
            if (table_[i].begin == begin) return &table_[i];
        return nullptr;
    }
    void put(Block block) {
        size_t i = place_of(block.begin);
        while (table_[i].begin) i = (i + 1) & (places_ - 1);
        table_[i] = block;
        used_++, live_++;
    }
    // Leaves at least three quarters of the places free.
    bool rebuild() {
        size_t wanted = FIRST, before = places_;
        while (wanted < 4 * live_) wanted *= 2;
        if (wanted > MOST) return false;
        void* room = mmap(nullptr, wanted * sizeof(Block), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (room == MAP_FAILED) return false;
        Block* old = table_;
        table_ = (Block*)room, places_ = wanted, used_ = live_ = 0;
        for (size_t i = 0; i < before; i++)
            if (old[i].begin > GONE) put(old[i]);
        if (old) munmap(old, before * sizeof(Block));
        return true;
    }
};
Blocks blocks;  // ready before anything runs: it has constants alone

void* noted(void* pointer, size_t size) {
    if (pointer) blocks.add(pointer, size);
    return pointer;
}
}  // namespace

size_t emulated::room_behind(const void* pointer) { return blocks.room_behind((uintptr_t)pointer); }

#define WEAK extern "C" __attribute__((weak))
WEAK void* malloc(size_t size) { return noted(__libc_malloc(size), size); }
WEAK void* calloc(size_t count, size_t size) { return noted(__libc_calloc(count, size), count * size); }
WEAK void free(void* pointer) {
    blocks.remove(pointer);
    __libc_free(pointer);
}
WEAK void* realloc(void* pointer, size_t size) {
    // (Noted before: once it is free, another thread may get the same block.)
    size_t before = pointer ? blocks.room_behind((uintptr_t)pointer) : SIZE_MAX;
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
