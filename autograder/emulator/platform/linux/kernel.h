// The kernel, compiled as a shared object.
#pragma once
#include "image.h"
#include <asm/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static Kernel load_kernel(const char* path) {
    Image image = map_image(path, open_libraries());
    Kernel kernel = {};
    kernel.parameters = (const u32*)defined(image, "emu_parameters");
    kernel.entry = (void (*)(void**))defined(image, "emu_entry");
    kernel.accesses = *(const u32*)defined(image, "emu_accesses");
    kernel.base = (u64)image.base;
    return kernel;
}

// The register GS points there, which no C++ can name: so nothing of the kernel's ever holds where it is.
static void show_to_kernel(const void* running) {
    if (syscall(SYS_arch_prctl, ARCH_SET_GS, running)) refuse("no register for the kernel");
}
