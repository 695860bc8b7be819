// The state of the launch, and the events that the core tells the observers about.
#pragma once
#include "memory.h"
#include "order.h"

static Request request;
static u64 module_base;
static Block block;
static Thread* current;      // null: the runtime itself runs
static void* runtime_stack;  // its stack pointer while a thread runs

// A block that has passed this many barriers is taken to loop without end.
constexpr u32 MAX_INTERVALS = 200000;

static u32 site_of(const void* return_address) { return u32((u64)return_address - module_base); }

static Location location(const Thread& t, const void* site) { return {block.linear, t.linear, site_of(site)}; }

// ---- what stops the launch, see findings.h ------------------------------------------------------
static Answer answer;  // each fills in what it knows, at the end or when it stops the launch

template <class Record> [[noreturn]] static void stop(const Record& record) {
    const Stop why = record;
    answer.stop = &why;
    finish();
}
[[noreturn]] static void stop_out_of_bounds(u64 address, u64 size, Action, const void* site, const Region*);
[[noreturn]] static void stop_read_only(u64 address, Action, const void* site, const Where&);
[[noreturn]] static void stop_misaligned(u64 address, u64 size, Action, const void* site, const Where&);
[[noreturn]] static void stop_limit(Limit, const void* site);
[[noreturn]] static void stop_crash(const char* reason, const void* site);
