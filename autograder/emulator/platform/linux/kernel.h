// The kernel, compiled as a shared object.
#pragma once
#include "../platform.h"
#include <asm/prctl.h>
#include <dlfcn.h>
#include <sys/syscall.h>
#include <unistd.h>

static Kernel load_kernel(const char* path) {
    // Where a kernel's sinf and its like come from.
    if (!dlopen("libm.so.6", RTLD_NOW | RTLD_GLOBAL)) refuse("%s", dlerror());
    void* handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!handle) refuse("%s", dlerror());
    Kernel kernel = {};
    kernel.describe = (int (*)(unsigned*))dlsym(handle, "emu_describe");
    kernel.entry = (void (*)(void**))dlsym(handle, "emu_entry");
    const u32* accesses = (const u32*)dlsym(handle, "emu_accesses");
    Dl_info where;
    if (!kernel.describe || !kernel.entry || !accesses || !dladdr((void*)kernel.entry, &where))
        refuse("not a kernel module");
    kernel.base = (u64)where.dli_fbase;
    kernel.accesses = *accesses;
    return kernel;
}

// The register GS points there, which no C++ can name: so nothing of the kernel's ever holds where it is.
static void show_to_kernel(const void* running) {
    if (syscall(SYS_arch_prctl, ARCH_SET_GS, running)) refuse("no register for the kernel");
}
