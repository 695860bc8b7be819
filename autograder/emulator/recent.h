// What the runtime shares with the part of it that is compiled into each kernel, inline_hooks.cpp: what
// an instruction of a warp did last. The array and the log are mostly the same next time.
#pragma once
#include "types.h"

struct SiteLog;

struct LaneTurn {
    u32 executed;  // how often since the last barrier
    int delta;     // how far the lane is behind the start of each request; kept over barriers
};

struct Use {
    u64 writer, reader;  // see uses.h
};

struct Recent {
    u64 start, span;  // at which addresses the access may begin; none: nothing is known
    const u64* starts;  // of the log's requests, by turn
    LaneTurn* lanes;
    u64 uses;  // the Use of address a, which is a multiple of 4, stands at uses + 4 * a
    SiteLog* log;
    bool shared;  // memory
};

// A kernel has one for each instruction that is told of with a number, and those are numbered up to here.
constexpr u32 RECENT_LIMIT = 4096;

struct Running {  // the thread that runs
    Recent* recent;  // of its warp
    u64 lane;
    u64 me;    // what it leaves in a Use
    u64 many;  // what a Use's reader is where many threads have read in this interval; 0: only count
};
