// Runs one launch: emu-run MODULE REQUEST_FD ARENA_FD TRACE_FD RESULT_FD.
// Exit status: 0 result sent, or a Status.
#include "residents.h"
#include "sandbox.h"
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

[[noreturn]] void end_process(Status status) { _exit(int(status)); }
[[noreturn]] void refuse(const char* why) {
    dprintf(2, "%s\n", why);
    end_process(Status::Refused);
}

static void* map_file(int fd, bool writable) {
    struct stat status;
    if (fstat(fd, &status)) refuse("no such descriptor");
    if (!status.st_size) return nullptr;
    void* at = mmap(nullptr, size_t(status.st_size), PROT_READ | (writable ? PROT_WRITE : 0), MAP_SHARED, fd, 0);
    if (at == MAP_FAILED) refuse("cannot map a descriptor");
    return at;
}

int main(int argc, char** argv) {
    bool trusted = argc == 7 && !__builtin_strcmp(argv[6], "trusted");
    if (argc != 6 && !trusted) refuse("usage: emu-run MODULE REQUEST_FD ARENA_FD TRACE_FD RESULT_FD [trusted]");
    u8* bytes = (u8*)map_file(atoi(argv[2]), false);
    if (!bytes) refuse("empty request");
    request = *(Request*)bytes;
    if (request.magic != REQUEST_MAGIC) refuse("bad request");
    int arena_fd = atoi(argv[3]);
    u8* arena = (u8*)map_file(arena_fd, true);
    struct stat arena_status;
    fstat(arena_fd, &arena_status);
    if (request.trace_capacity) trace = (TraceEvent*)map_file(atoi(argv[4]), true);

    // What was passed is mapped by now; the result's descriptor gets the number that the filter knows.
    if (dup2(atoi(argv[5]), RESULT_FD) != RESULT_FD) refuse("no result descriptor");
    // Where a kernel's sinf and its like come from.
    if (!dlopen("libm.so.6", RTLD_NOW | RTLD_GLOBAL)) refuse(dlerror());
    void* module = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!module) refuse(dlerror());
    auto describe = (int (*)(unsigned*))dlsym(module, "emu_describe");
    kernel_entry = (void (*)(void**))dlsym(module, "emu_entry");
    const u32* accesses = (const u32*)dlsym(module, "emu_accesses");
    Dl_info where;
    if (!describe || !kernel_entry || !accesses || *accesses > RECENT_LIMIT || !dladdr((void*)kernel_entry, &where))
        refuse("not a kernel module");
    module_base = (u64)where.dli_fbase;
    numbers = *accesses;

    result =
        (char*)mmap(nullptr, RESULT_LIMIT, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    printed = (char*)allocate(PRINT_LIMIT);

    variable_count = u32(request.n_variables);
    variables = allocate_array<Variable>(variable_count + 1);
    const Variable* given = (const Variable*)(bytes + sizeof(Request));
    for (u32 i = 0; i < variable_count; i++) {
        variables[i] = given[i];
        variables[i].start += given[i].space == Space::Global ? (u64)arena : module_base;
    }
    const Argument* arguments = (const Argument*)(given + variable_count);
    u8* values = (u8*)allocate(request.args_bytes + 16);
    __builtin_memcpy(values, arguments + request.n_args, request.args_bytes);
    kernel_args = allocate_array<void*>(request.n_args + 1);
    unsigned sizes[256];
    int n = describe(sizes);
    if (u64(n) != request.n_args) refuse("wrong number of arguments");
    for (int i = 0; i < n; i++) {
        const Argument& a = arguments[i];
        if (sizes[i] != a.bytes) {
            dprintf(2, "argument %d: the kernel's parameter has %u bytes, the argument %llu\n", i, sizes[i],
                    (unsigned long long)a.bytes);
            end_process(Status::Refused);
        }
        kernel_args[i] = values + a.offset;
        if (a.variable >= 0) *(u64*)(values + a.offset) = variables[a.variable].start;
    }

    region_prepare(global_region, (u64)arena, u64(arena_status.st_size));
    region_prepare(module_region, module_base + request.module_data[0],
                   request.module_data[1] - request.module_data[0]);
    emu_shape = {{u32(request.grid[0]), u32(request.grid[1]), u32(request.grid[2])},
                 {u32(request.block[0]), u32(request.block[1]), u32(request.block[2])}};
    block.size = u32(request.block[0] * request.block[1] * request.block[2]);
    block.warps = (block.size + 31) / 32;
    fibers_reserve(u32(request.residents * block.size));
    counts_prepare(block.warps);
    busiest = (Busiest*)allocate_lazily(sizeof(Busiest));
    schedule_prepare();
    if (request.quick) {
        start_workers(use_count() * sizeof(Use));
        quick_prepare();
    }
    recent_prepare();

    catch_signals();
    if (!seal() && !trusted) end_process(Status::NoSandbox);
    if (request.quick) {
        u64 blocks = request.grid[0] * request.grid[1] * request.grid[2], i;
        block = room_for_block().block;
        while (next_block(blocks, i)) {
            start_block(i);
            if (run_block() != Halt::Ended) leave_to_thorough();
        }
        join_workers();
    } else {
        run_grid();
    }
    completed = true;
    finish();
}
