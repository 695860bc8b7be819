// The kernel is linked with the runtime. A machine without return addresses: the kernel puts a number for each call
// into emu_site before it (compiler/webassembly/retarget.py), and findings have that in place of an address.
#pragma once
#include "host.h"

extern "C" {
void emu_entry(void** arguments);
extern const u32 emu_parameters[];
extern const u32 emu_accesses;
extern const u32 emu_returns;  // whether all functions that wait can be called again
const void* emu_site;
}

static Kernel load_kernel(const char*) {
    threads_return = emu_returns && !host_switches();
    return {0, emu_entry, emu_parameters, emu_accesses};
}
static void show_to_kernel() {}
