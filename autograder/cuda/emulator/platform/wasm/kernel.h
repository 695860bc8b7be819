// The kernel is a module of its own that shares the runtime's memory. A machine without return addresses: the kernel puts a
// number for each call into emu_site before it (cuda/compiler/webassembly/retarget.py), and findings have that in place of an address.
#pragma once
#include "host.h"

const void* emu_site;
static Kernel loaded;
static bool can_return;  // all functions that wait can be called again

// The host calls this with what the kernel exports, and has put its entry into the table.
extern "C" __attribute__((export_name("emu_load"))) void emu_load(const u32* parameters, const u32* accesses,
                                                                  const u32* returns) {
    constexpr u64 ENTRY = 1;  // the place in the table that the linker leaves free
    loaded = {0, (void (*)(void**))ENTRY, parameters, *accesses};
    can_return = *returns;
}

static Kernel load_kernel(const char*) {
    threads_return = can_return && !host_switches();
    return loaded;
}
static void show_to_kernel() {}
