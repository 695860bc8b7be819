// What the headers of kernels call that the host may use, too: on the GPU, the emulator notes each atomic access; the
// host's are noted by nobody.
extern "C" {
void emu_atomic(const void*, unsigned, int, const void*) {}
void emu_compare_and_swap() {}
void emu_atomic_load(const void*, unsigned, int, const void*) {}
void emu_atomic_store(const void*, unsigned, int, const void*) {}
void emu_atomic_exchange(const void*, unsigned, int, const void*) {}
void emu_release(const void*, int) {}
void emu_acquire(const void*, int) {}
void emu_fence(int, const void*) {}
}
