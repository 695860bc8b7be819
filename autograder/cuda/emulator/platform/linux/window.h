// The second wall. All that the kernel's own code may write lies in one window of address space: the launch's arrays, the
// module, and the threads' variables. Of each address that it writes to, the lower 32 bits count, from where the register
// GS points to (cuda/compiler/fault_isolation/): so whatever it computes, it hits the window.
#pragma once
#include "files.h"
#include <asm/prctl.h>
#include <string.h>
#include <sys/syscall.h>

// Between any two things in it, and where null pointers lead.
constexpr u64 WINDOW_GAP = 64 * 1024;

static u64 window_taken = WINDOW_GAP;  // bytes of it

static void open_window() {
    u8* before = (u8*)WINDOW - RUNNING_BEFORE;
    // (An access that begins with the window's last byte ends after it.)
    constexpr u64 ALL = RUNNING_BEFORE + WINDOW_BYTES + 4096;
    constexpr int RESERVED = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    if (mmap(before, ALL, PROT_NONE, RESERVED, -1, 0) != before) refuse("no address space");
    mprotect(before, RUNNING_BEFORE, PROT_READ | PROT_WRITE);
}

// Takes `bytes` of address space in the window, for whoever maps something there.
static u8* take_of_window(u64 bytes) {
    u64 size = (bytes + 4095) & ~4095ull;
    if (size > WINDOW_BYTES - window_taken || WINDOW_BYTES - window_taken - size < WINDOW_GAP)
        refuse("the launch does not fit into the window");
    u8* at = (u8*)WINDOW + window_taken;
    window_taken += size + WINDOW_GAP;
    return at;
}

static File map_arrays(int descriptor) {
    u64 size = size_of(descriptor);
    if (!size) return {nullptr, 0};
    void* at = take_of_window(size);
    if (mmap(at, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, descriptor, 0) != at)
        refuse("cannot map a descriptor");
    return {(u8*)at, size};
}

static void* map_for_kernel(u64 bytes) {
    void* at = take_of_window(bytes);
    constexpr int ANONYMOUS = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
    if (mmap(at, bytes, PROT_READ | PROT_WRITE, ANONYMOUS, -1, 0) != at) refuse("no address space");
    return at;
}

static ALWAYS_INLINE bool kernel_may_write(const void* to, u64 size) {
    u64 from = (u64)to - WINDOW;
    return from < WINDOW_BYTES && size <= WINDOW_BYTES - from;
}

static void show_to_kernel() {
    if (syscall(SYS_arch_prctl, ARCH_SET_GS, WINDOW)) refuse("no register for the kernel");
}

// What the code generator calls, for large variables.
static void* copy_for_kernel(void* to, const void* from, u64 size) {
    if (!kernel_may_write(to, size)) quit(Status::Fault);
    return memmove(to, from, size);
}
static void* fill_for_kernel(void* to, int value, u64 size) {
    if (!kernel_may_write(to, size)) quit(Status::Fault);
    return memset(to, value, size);
}
