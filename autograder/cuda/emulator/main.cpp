// Runs one launch: emu-run MODULE REQUEST_FD ARENA_FD TRACE_FD RESULT_FD [trusted].
// Exit status: 0 for an answer that was sent, or a Status.
// Or runs several launches of one kernel, whose requests follow one another: then the answer is a Status for each,
// of one byte, and ARENA_FD holds what their arrays held before and, of one that was sent, after it.
#include "hooks/array_bounds.h"
#include "hooks/bulk_copies.h"
#include "hooks/calls.h"
#include "hooks/device_heap.h"
#include "hooks/hooks.h"
#include "hooks/launches.h"
#include "hooks/limits.h"
#include "hooks/matrices.h"
#include "hooks/mbarriers.h"
#include "hooks/print.h"
#include "hooks/warpgroups.h"
#ifdef __wasm__
#include "platform/wasm.h"
#else
#include "platform/linux.h"
#endif
#include "protocol_json.h"
#include "scheduling/grid.h"

static bool completed;  // every block ran to its end
static u8* saved_bytes;

static bool is_one_of_several() { return request.arena; }

// A program's launches share the variables of the GPU: each finds what the one before has left. Where there are several
// launches, each has its arrays there.
template <class Move> static void each_saved_variable(Move move) {
    for (u32 i = 0; i < variable_count; i++)
        if (variables[i].saved_at) move(variables[i], saved_bytes + variables[i].saved_at);
}

static void complete_and_send() {
    if (is_fast_path() && !completed && !answer.enough) leave_to_full_check();
    current = nullptr;
    each_saved_variable([](const Variable& v, u8* saved) { __builtin_memcpy(saved, (const u8*)v.start, v.bytes); });
    if (is_one_of_several()) quit(completed ? Status::Sent : Status::FullCheck);
    Observers::finish();
    Observers::fill_answer();
    answer.printed = {printed, printed_length};
    report_launches();
    answer.observations = {observations.items, observations.count};
    answer.ended = blocks_ended;
    put(answer);
    quit(send_result(json, json_length) ? Status::Sent : Status::Unsent);
}

// ---- the request ------------------------------------------------------------------------------------
static void read_variables(const Variable* given, u8* arena) {
    variable_count = u32(request.n_variables);
    variables = allocate_array<Variable>(variable_count + 1);
    for (u32 i = 0; i < variable_count; i++) {
        variables[i] = given[i];
        variables[i].start += given[i].space == Space::Global ? (u64)arena : kernel.base;
    }
}

static void read_arguments(const Argument* arguments) {
    u8* values = (u8*)allocate(request.args_bytes + 16);
    __builtin_memcpy(values, arguments + request.n_args, request.args_bytes);
    kernel_arguments = allocate_array<void*>(request.n_args + 1);
    // Data, not a function: nothing of the kernel's runs before the sandbox is closed.
    if (kernel.parameters[0] != request.n_args) refuse("wrong number of arguments");
    const u32* sizes = kernel.parameters + 1;
    for (u64 i = 0; i < request.n_args; i++) {
        const Argument& a = arguments[i];
        if (sizes[i] != a.bytes)
            refuse("argument %llu: the kernel's parameter has %u bytes, the argument %llu", i, sizes[i], a.bytes);
        kernel_arguments[i] = values + a.offset;
        if (a.variable >= 0) *(u64*)(values + a.offset) = variables[a.variable].start;
    }
}

static void prepare(const u8* packed, const File& arena) {
    const Variable* given = (const Variable*)(packed + sizeof(Request));
    read_variables(given, arena.bytes);
    ignored = (const CodeRange*)(given + variable_count);
    chosen_blocks = (const u64*)(ignored + request.n_ignored);
    child_uses = (const ChildUse*)(chosen_blocks + request.n_chosen);
    read_arguments((const Argument*)(child_uses + request.n_child_uses));
    each_saved_variable([](const Variable& v, const u8* saved) {
        if (v.filled) __builtin_memcpy((u8*)v.start, saved, v.bytes);
    });
    region_prepare(global_region, (u64)arena.bytes, arena.size);
    region_prepare(module_region, kernel.base + request.module_data[0],
                   request.module_data[1] - request.module_data[0]);
    for (u32 i = 0; request.uninitialized_fill && i < variable_count; i++)
        if (variables[i].without_values && !variables[i].heap)
            fill_uninitialized((void*)variables[i].start, variables[i].bytes);
    emu_shape = {{u32(request.grid[0]), u32(request.grid[1]), u32(request.grid[2])},
                 {u32(request.block[0]), u32(request.block[1]), u32(request.block[2])},
                 {u32(request.cluster[0]), u32(request.cluster[1]), u32(request.cluster[2])}};
    block.size = u32(request.block[0] * request.block[1] * request.block[2]);
    block.warps = (block.size + 31) / 32;
    prepare_slots();
    prepare_stacks();
    prepare_order();
    prepare_copies();
    prepare_bulk_copies();
    prepare_warpgroups();
    prepare_named_barriers();
    print_prepare();
    Observers::prepare();
    prepare_heap();
}

static void read_request(const u8* packed) {
    request = *(const Request*)packed;
    if (request.magic != REQUEST_MAGIC) refuse("bad request");
}

// Returns in a copy of this process for each launch, with its request. None sees what another does, and whatever ends one
// ends no other.
static const u8* begin_each(const File& packed, int result) {
    Vector<Status> ends;
    u64 left = SEVERAL_LAUNCHES * request.cpu_ms * 1000;  // microseconds
    for (const u8* at = packed.bytes; at < packed.bytes + packed.size; at += request.next) {
        read_request(at);
        Status& end = ends.push() = Status::Untried;
        if (left && fork_process(end, left)) return at;
    }
    open_result(result);
    quit(send_result((const char*)ends.items, ends.count * sizeof(Status)) ? Status::Sent : Status::Unsent);
}

static void run(const char* module, int request_file, int arena_file, int trace_file_, int result, bool trusted) {
    File packed = map_file(request_file, false);
    if (!packed.bytes) refuse("empty request");
    read_request(packed.bytes);
    if (is_fast_path() && !only_counts() && Observers::forbid_fast_path) quit(Status::FullCheck);
    const u8* mine = packed.bytes;
    open_window();
    File arena = is_one_of_several() ? map_file(arena_file, true) : map_arrays(arena_file);
    saved_bytes = arena.bytes;
    if (request.trace_capacity || request.substitute >= Substitute::Recorded) trace_file = map_file(trace_file_, true);
    else if (request.watched) blocks_begun = (u64*)map_file(trace_file_, true).bytes;
    kernel = load_kernel(module);
    if (kernel.accesses > MAX_NUMBERED_ACCESSES) refuse("not a kernel module");
    if (is_one_of_several()) {
        mine = begin_each(packed, result);
        arena = {(u8*)map_for_kernel(request.arena), request.arena};
    } else {
        // What was passed is mapped by now, so the result may take the number of one of them.
        open_result(result);
    }
    prepare(mine, arena);
    send_answer = complete_and_send;
    if (is_fast_path()) start_workers();
    Observers::start_worker();
    if (!running.cache) prepare_running(1);
    show_to_kernel();
    watch_process(on_fault_of_kernel, on_tick_of_kernel);
    // (A thread that has arrays of its own takes as much again as its stack, see observers/local_arrays.h.)
    u64 memory = request.memory + request.residents * block.size * STACK_BYTES + MAX_ANSWER;
    if (!seal_process(memory, request.cpu_ms / 1000) && !trusted) refuse("no sandbox");
    bound_memory();
    if (is_fast_path()) run_grid_on_fast_path();
    else run_grid_with_full_check();
    completed = true;
    finish();
}

#ifdef __wasm__
extern "C" __attribute__((export_name("emu_run"))) void emu_run() { run("", 0, 1, 2, 3, false); }
#else
static int number(const char* text) {
    int n = 0;
    while (*text) n = 10 * n + (*text++ - '0');
    return n;
}

int main(int argc, char** argv) {
    bool trusted = argc == 7 && !__builtin_strcmp(argv[6], "trusted");
    if (argc != 6 && !trusted) refuse("usage: emu-run MODULE REQUEST_FD ARENA_FD TRACE_FD RESULT_FD [trusted]");
    run(argv[1], number(argv[2]), number(argv[3]), number(argv[4]), number(argv[5]), trusted);
}
#endif
