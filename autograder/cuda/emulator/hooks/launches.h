// What kernels of whole programs launch, and the streams that they create for that. A launch is only noted here, with its
// arguments: it is made once this one is over (cuda/programs/launches/child_launches.py), since no thread can wait for it.
#pragma once
#include "access.h"

// CUDA's errors.
constexpr int INVALID_VALUE = 1, INVALID_CONFIGURATION = 9, DEPTH_EXCEEDED = 65, PENDING_EXCEEDED = 69,
              INVALID_HANDLE = 400;
constexpr u64 MOST_NESTED = 24, MAX_GRID_X = 0x7fffffff, MAX_GRID_YZ = 0xffff, MAX_BLOCK_XY = 1024, MAX_BLOCK_Z = 64;
constexpr u64 TAIL_LAUNCH = 3, FIRE_AND_FORGET = 4, NON_BLOCKING = 1;

static Vector<ChildLaunch> child_launches;
static Vector<ChildCopy> child_copies;
static Vector<bool> ended_streams;  // by number, of those that the launch's threads have created

static u32 launches_so_far() { return u32(child_launches.count + child_copies.count); }
static void report_launches() {
    answer.launches = {child_launches.items, child_launches.count};
    answer.copies = {child_copies.items, child_copies.count};
}

static bool is_shared_of_any(u64 address) { return is_shared(address) || is_in_slots(address); }
static bool is_of_block(u64 address) { return in_stacks(address) || is_shared_of_any(address); }

static bool is_child_stream(u64 stream) {
    if (!stream || stream == TAIL_LAUNCH || stream == FIRE_AND_FORGET) return true;
    u64 number = stream - request.streams - 1;
    return number < ended_streams.count && !ended_streams.items[number];
}

// What is wrong with the next one in a stream; 0: nothing.
static int child_error(u64 stream) {
    if (request.depth >= MOST_NESTED) return DEPTH_EXCEEDED;
    if (launches_so_far() >= request.most_launches) return PENDING_EXCEEDED;
    return is_child_stream(stream) ? 0 : INVALID_HANDLE;
}

static int failed_launch(int error) {
    if (error) current->launch_error = u32(error);
    return error;
}

#pragma GCC visibility push(default)  // kernels call these
extern "C" {
void emu_launch_arguments(const void* arguments, u64 bytes) {
    u8* copy = (u8*)allocate(bytes);
    __builtin_memcpy(copy, arguments, bytes);
    current->launch_arguments = copy;
    current->launch_bytes = bytes;
}

int emu_launch(const void* kernel_, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
               unsigned block_y, unsigned block_z, unsigned shared, const void* stream, const void* site) {
    int error = child_error((u64)stream);
    if (!error && (!grid_x || !grid_y || !grid_z || grid_x > MAX_GRID_X || grid_y > MAX_GRID_YZ ||
                   grid_z > MAX_GRID_YZ || !block_x || !block_y || !block_z || block_x > MAX_BLOCK_XY ||
                   block_y > MAX_BLOCK_XY || block_z > MAX_BLOCK_Z || u64(block_x) * block_y * block_z > MAX_THREADS))
        error = INVALID_CONFIGURATION;
    if (error == PENDING_EXCEEDED && child_launches.count && child_launches.items[child_launches.count - 1].error)
        return failed_launch(error);  // (one of them says it all)
    const u8* arguments = current->launch_arguments;
    i64 escaped = -1;
    Space space = Space::Global;
    for (u64 at = 0; at + 8 <= current->launch_bytes && escaped < 0; at += 8) {
        u64 word;
        __builtin_memcpy(&word, arguments + at, 8);
        if (in_stacks(word)) escaped = i64(at), space = Space::Local;
        else if (is_shared_of_any(word)) escaped = i64(at), space = Space::Shared;
    }
    Text bytes = "";
    bytes.start = (const char*)arguments, bytes.length = current->launch_bytes;
    ChildLaunch& made = child_launches.push();
    made = {.number = launches_so_far() - 1,
            .kernel = (u64)kernel_,
            .grid_x = grid_x,
            .grid_y = grid_y,
            .grid_z = grid_z,
            .block_x = block_x,
            .block_y = block_y,
            .block_z = block_z,
            .shared = shared,
            .arguments = bytes,
            .stream = (u64)stream,
            .error = u32(error),
            .escaped = escaped,
            .space = space,
            .at = location(*current, site)};
    Observers::launch_child(*current);
    return failed_launch(error);
}

static int launch_copy(u64 to, u64 from, u64 bytes, bool fills, u64 stream, const void* site) {
    int error = child_error(stream);
    const bool local = is_of_block(to) || (!fills && is_of_block(from));
    if (!error && bytes && local) stop_crash("local copy", site);
    child_copies.push() = {launches_so_far(), to, from, bytes, fills, stream, u32(error), location(*current, site)};
    Observers::launch_child(*current);
    return failed_launch(error);
}
int emu_launch_copy(void* to, const void* from, u64 bytes, int, const void* stream, const void* site) {
    return launch_copy((u64)to, (u64)from, bytes, false, (u64)stream, site);
}
int emu_launch_fill(void* to, int value, u64 bytes, const void* stream, const void* site) {
    return launch_copy((u64)to, u64(u8(value)), bytes, true, (u64)stream, site);
}

void* emu_launch_stream(unsigned flags, const void* site) {
    if (flags != NON_BLOCKING) stop_crash("blocking stream", site);
    ended_streams.push() = false;
    return (void*)(request.streams + ended_streams.count);
}
int emu_launch_stream_end(const void* stream, const void* site) {
    u64 number = (u64)stream - request.streams - 1;
    if (number >= ended_streams.count || ended_streams.items[number]) stop_crash("no such stream", site);
    ended_streams.items[number] = true;
    return 0;
}

int emu_launch_error(int forget) {
    int error = int(current->launch_error);
    if (forget) current->launch_error = 0;
    return error;
}
}
#pragma GCC visibility pop
