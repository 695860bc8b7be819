// What the runtime asks of the machine below it, and all that it asks: only the files that implement it include a
// system header. main.cpp includes the platform that it is built for.
#pragma once
#include "protocol.h"
#include "types.h"

// ---- the process --------------------------------------------------------------------------------
[[noreturn]] static void quit(Status);
// Says why on stderr, and quits with Status::Refused. Takes printf's format.
[[noreturn]] __attribute__((format(printf, 1, 2))) static void refuse(const char* why, ...);

// ---- text, memory, and files ----------------------------------------------------------------------
// As snprintf: returns the length of the whole text, which may be more than there was room for.
__attribute__((format(printf, 3, 4))) static int print_to(char* to, u64 room, const char* format, ...);
static int print_list_to(char* to, u64 room, const char* format, __builtin_va_list list);

// Zeroed pages, taken from the machine as they are touched. Null: there is no address space.
static void* map_pages(u64 bytes);
// The same, shared with the processes that start later.
static void* map_shared_pages(u64 bytes);
// Makes a part of what `map_pages` gave zero again.
[[maybe_unused]] static void clear(void* mapped, u64 bytes);

struct File {
    u8* bytes;  // null: an empty file
    u64 size;
};
static File map_file(int descriptor, bool writable);
// Before anything is put where the kernel may write: see platform/linux/window.h.
static void open_window();
// The same of the launch's arrays, which the kernel may write.
static File map_arrays(int descriptor);
// Zeroed pages that the kernel may write, too.
static void* map_for_kernel(u64 bytes);
// Whether the kernel's own code could write there, whatever its hooks allow. Who writes for it asks.
static ALWAYS_INLINE bool kernel_may_write(const void* to, u64 size);
// From now on the result goes to this descriptor; the only one that a sealed process may write to.
static void open_result(int descriptor);
// False: the reader is gone.
static bool send_result(const char* text, u64 length);

// ---- the compiled kernel --------------------------------------------------------------------------
struct Kernel {
    u64 base;
    void (*entry)(void** arguments);
    const u32* parameters;  // their number, then the bytes of each
    u32 accesses;           // that have a number, see inlined/cached_access.h
};
static Kernel load_kernel(const char* path);
// Lets the kernel's own code find the runtime: see Running in inlined/cached_access.h.
static void show_to_kernel();
#ifdef __wasm__
constexpr u64 WINDOW = 0;  // none
#else
// The kernel's own code writes nothing but [WINDOW, WINDOW + WINDOW_BYTES), and what the runtime says right before it;
// unless nothing is checked, and there may be more memory.
constexpr u64 WINDOW = 3ull << 43;
#ifdef UNCHECKED
constexpr u64 WINDOW_BYTES = 1ull << 37;
#else
constexpr u64 WINDOW_BYTES = 1ull << 32;
#endif
#endif

// ---- a stack for each thread ----------------------------------------------------------------------
constexpr u64 STACK_BYTES = 64 * 1024;
struct Stack {
    u64 low;        // of the thread's variables whose address is taken
    void* pointer;  // what switch_stacks loads
};
// Address space for the stacks of all threads that may be alive at once.
static void reserve_stacks(u32 count);
// Makes the stacks [from, from + count) usable.
static void open_stacks(u32 from, u32 count);
// Stack `i`, on which `entry` begins.
static Stack begin_stack(u32 i, void (*entry)());
// Where threads keep their variables.
static bool in_stacks(u64 address);
// Called where a stack begins: its variables are to be in the one at `low`.
static ALWAYS_INLINE void begin_variables(u64 low);
// The lowest address that the running thread's functions have taken for their variables.
static ALWAYS_INLINE u64 lowest_variable();
// Goes on at `load`, and returns when something goes on at what it puts into `save`.
static ALWAYS_INLINE void switch_stacks(void** save, void* load);
// The same, of a thread that has ended. It may return, to the function that the stack began with, which returns then.
static void leave_stack(void* load);

// Where to switch stacks is slow, threads do without: one that waits returns from all functions of the kernel, and goes on
// when the kernel is called again, with its variables where they were (cuda/compiler/webassembly/returning.py).
// What the kernel's functions do: where one is called, and where it returns.
enum class Way : u32 { On, Leaves, ComesBack };
#ifdef __wasm__
static bool threads_return;  // in this launch
extern "C" Way emu_way;
#else
constexpr bool threads_return = false;
static Way emu_way;
#endif
// Calls `entry` with the stack pointer that `begin_stack` gave.
static void call_on_stack(void* pointer, void (*entry)());

// In a function that the kernel calls: the address after that call. A macro, since a function has a caller of its own.
#ifdef __wasm__
extern "C" const void* emu_site;  // WebAssembly has no such address: the kernel puts a number here before each call
#define CALL_SITE emu_site
#else
#define CALL_SITE __builtin_return_address(0)
#endif

// ---- processes side by side -----------------------------------------------------------------------
// Starts up to `count` - 1 copies of this process, which end with it. `count` becomes the number of all; returns
// which one this is.
static u32 start_processes(u64& count);
static void pause_briefly();
// True in a copy of this process. In this one, false, when the copy has ended: with that status (Fault: not by `quit`; as it
// was: there is none), and so much less processor time left.
static bool fork_process(Status& end, u64& microseconds);

// ---- faults, time, and the sandbox ----------------------------------------------------------------
enum class Fault : u8 { DivisionByZero, StackOverflow, SystemCall, UnreachableCode, WildPointer, RoundingMode };
constexpr u32 TICK_MS = 100;  // of processor time
// Calls `fault` and `tick` with the address after the instruction at which the process stood.
static void watch_process(void (*fault)(Fault, u64 site), void (*tick)(u64 site));
// After a stack overflow: the address after the latest call on that stack by code in [base, base + size); null: none is
// known.
static const void* latest_call(u64 base, u64 size);
// Before the kernel runs, the process gives up everything but computing, and limits hold: further bytes of address
// space, and seconds of processor time. False: the machine cannot.
static bool seal_process(u64 memory, u64 cpu_seconds);
