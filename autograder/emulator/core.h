// The state of the launch, and the events that the core tells the observers about.
#pragma once
#include "memory.h"
#include "order.h"
#include "output.h"

static Request request;
static u64 module_base;
static Block block;
static Thread* current;      // null: the runtime itself runs
static void* runtime_stack;  // its stack pointer while a thread runs

// A block that has passed this many barriers is taken to loop without end.
constexpr u32 MAX_INTERVALS = 200000;

static u32 site_of(const void* return_address) { return u32((u64)return_address - module_base); }

// ---- findings that stop the launch: described once, in JSON, see findings.h --------------------
[[noreturn]] static void stop_out_of_bounds(u64 address, u64 size, Action, const void* site, const Region*);
[[noreturn]] static void stop_read_only(u64 address, u64 size, Action, const void* site, const Where&);
[[noreturn]] static void stop_misaligned(u64 address, u64 size, Action, const void* site, const Where&);
[[noreturn]] static void stop_reason(const char* kind, const char* reason, const void* site);
static void put_thread(const Thread&, const void* site);
