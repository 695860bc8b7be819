// What the runtime shares with the part of it that is compiled into each kernel, inline_hooks.cpp: what
// an instruction of a warp did last. The array and the log are mostly the same next time.
#pragma once
#include "types.h"

struct SiteLog;

struct LaneTurn {
    int next;   // the number of the request that it makes next, if it goes on as others did
    int delta;  // how far the lane is behind the start of each request; kept over barriers
};

struct Use {
    u64 writer, reader;  // see uses.h
};

struct Recent {
    u64 start, span;  // at which addresses the access may begin; none: nothing is known
    const u64* fits;  // of the log
    LaneTurn* lanes;
    u64 uses;  // the Use of address a, which is a multiple of 4, stands at uses + 4 * a
    SiteLog* log;
    bool shared;  // memory
};

// A kernel has one for each instruction that is told of with a number, and those are numbered up to here.
constexpr u32 RECENT_LIMIT = 4096;

struct Running {  // the thread that runs
    u64 place;       // which the kernel keeps up to date, see loops.py
    Recent* recent;  // of its warp
    u64 lane;
    u64 me;    // what it leaves in a Use
    u64 many;  // what a Use's reader is where many threads have read in this interval; 0: only count
};

// One number for a place and where a request there starts. Two places differ in their lower halves, and two starts
// hardly in their upper ones: so what fits is the same place and the same start.
static ALWAYS_INLINE u64 key_of(u64 place, u64 start) { return (place << 32 | place >> 32) + start; }
